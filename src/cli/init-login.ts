import type { Config } from '../config/config.ts';
import { SideError } from '../model/outcome.ts';
import { type Scouted, scout } from '../wire-edges.ts';
import type { Desk } from './desk.ts';
import { UsageError } from './failure.ts';

/**
 * Looks around on the tracker. Where it cannot tell whose key it is, whoever sits there says so, until the tracker confirms it: without the
 * login nobody can look at the rights of the account. Throws `SideError` and `UsageError`.
 * @param configWith the configuration with this login
 */
export async function scoutWithLogin(desk: Desk, configWith: (login: string | null) => Config): Promise<Scouted> {
  const found = await scout(configWith(null));
  if (found.login !== null) return found;
  const { questions, terminal } = desk;
  if (questions === null)
    throw new UsageError(
      'The tracker does not tell whose key it is, and nobody can be asked here: say --login (the login of its account).',
    );
  for (;;) {
    const login = await questions.ask('Login of the account whose key that is, which this tracker cannot tell', null);
    try {
      return await scout(configWith(login));
    } catch (error) {
      if (!(error instanceof SideError) || error.kind !== 'unauthorized') throw error;
      terminal.note(`This is not the login of that key: ${error.message}`);
    }
  }
}

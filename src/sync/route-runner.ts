import type { Context } from '../kernel/context.ts';
import type { Hint } from '../model/control.ts';
import { SideError } from '../model/outcome.ts';
import { withdrawDespite } from './withdraw/withdraw.ts';

/** Runs one route, once both of its sides have accepted our credentials. */
export interface RouteRunner extends Pick<Context, 'store' | 'clock' | 'tell' | 'controlQueue'> {
  readonly name: string;
  readonly route: Context['route'];
  /** Whether a hint may be about this route. */
  isConcerned(hint: Hint): boolean;
  /**
   * Logs in to both sides the first time, and until that has succeeded. Throws `SideError`.
   * @param of what it is for: a cycle sees by itself whether the tracker shows anything to readers without an account
   * @param letsGo whether a person lets go of pairs whose repository is gone
   */
  context(of?: 'cycle', letsGo?: boolean): Promise<Context>;
  /** The last context, without a request to either side; null before both logins. */
  known(): Context | null;
  /** Makes the next `context()` log in to both sides again. */
  renew(): void;
  /** Tells people about the route, after each of its runs; absent where nobody asked for that. Throws `SideError`. */
  report?(): Promise<void>;
}

/**
 * The context of a run. If a side fails at the login, what is hidden is withdrawn all the same, unless GitHub says that
 * the repository is not ours to write to.
 */
export async function admitted(runner: RouteRunner, of: 'cycle' | undefined, isForced: boolean): Promise<Context> {
  try {
    return await runner.context(of, isForced);
  } catch (failure) {
    const known = runner.known();
    const isOfGithub = failure instanceof SideError && failure.kind !== 'later' && failure.side !== 'tracker';
    if (known !== null && !isOfGithub) await withdrawDespite(known, failure);
    throw failure;
  }
}

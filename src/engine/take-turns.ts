import { isLogin } from '../core/login.ts';
import { withinLimit } from '../core/order.ts';
import type { Operation, RemarkOperation } from '../model/operation.ts';
import type { Context } from './context.ts';

/** What could be written now, and as much of that as one cycle may write. */
export interface Turns {
  readonly ready: readonly Operation[];
  readonly operations: readonly Operation[];
}

/**
 * Gives as many operations a turn as one cycle may write. An explanation that nobody waits for takes none: asked for only when it is
 * carried out, several of them took all turns of every cycle from the update that puts right what they would explain. Throws `SideError`.
 */
export async function takeTurns(context: Context, ready: readonly Operation[]): Promise<Turns> {
  const { writesPerCycle } = context.limits;
  const unsaid = new Set<Operation>();
  let turns = 0;
  for (const operation of ready) {
    if (turns === writesPerCycle) break;
    if (operation.kind === 'remark' && !(await isAwaited(context, operation))) unsaid.add(operation);
    else turns += 1;
  }
  const said = ready.filter((operation) => !unsaid.has(operation));
  return { ready: said, operations: withinLimit(said, writesPerCycle) };
}

/** To what programs do, and to what we did ourselves, nothing is said. */
async function isAwaited({ store, session, github }: Context, { link: id, answers }: RemarkOperation): Promise<boolean> {
  const issue = store.links.byId(id)?.issue ?? null;
  const by = issue === null || answers === null ? null : await github.whoLabeled(issue, answers);
  const isOwn = by !== null && session.own.github !== null && isLogin(by.login, session.own.github);
  return !isOwn && !by?.isBot;
}

import type { Link } from '../model/link.ts';
import type { Operation } from '../model/operation.ts';
import { SideError } from '../model/outcome.ts';
import type { Side } from '../model/side.ts';
import type { OutboxRow } from '../model/store.ts';
import type { Context, FileWork } from './context.ts';
import type { Wanted } from './cycle.ts';
import { heldUntil, writers } from './held.ts';
import { calm } from './pause.ts';
import { perform } from './perform.ts';
import { shelveAll } from './shelve.ts';
import { tellDone } from './tell-done.ts';
import { rest } from './wake.ts';

/** Carries out what is planned for the selected links, and only once each. Returns how many operations were applied. */
export async function drain(context: Context, wanted: Wanted): Promise<number> {
  const files = await shelveAll(context, wanted.operations);
  const queue = queueOf(context, wanted, files);
  const state = { applied: files.applied, closed: new Set<Side>() };
  const work = async () => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) await drainLink(context, next, state);
  };
  // All of them end before an error is passed on: nothing may still be written when the next cycle begins.
  const ends = await Promise.allSettled(Array.from({ length: writers }, work));
  for (const end of ends) if (end.status === 'rejected') throw end.reason;
  const [closed] = state.closed;
  if (closed !== undefined)
    throw new SideError('unauthorized', `${[...state.closed].map(nameOf).join(' and ')} refused our credentials`, { side: closed });
  return state.applied;
}

interface Job {
  readonly link: Link;
  readonly rows: readonly OutboxRow[];
  /** True when the plan holds more for the link than this cycle may write. */
  readonly isCut: boolean;
}

function queueOf(context: Context, { selected, plan, ready, operations }: Wanted, files: FileWork): Job[] {
  const due = context.store.outbox.due(context.route.name, context.clock.now()).filter(({ operation }) => !isOfShelf(operation));
  const rows = Map.groupBy(due, ({ operation }) => operation.link);
  const count = (list: readonly Operation[]) => Map.groupBy(list, ({ link }) => link);
  const [all, open, taken] = [count(plan.operations), count(ready), count(operations)];
  return selected.flatMap((link) => {
    const isCut = files.again.has(link.id) || (open.get(link.id)?.length ?? 0) > (taken.get(link.id)?.length ?? 0);
    return all.has(link.id) ? [{ link, rows: rows.get(link.id) ?? [], isCut }] : [];
  });
}

async function drainLink(context: Context, job: Job, state: { applied: number; closed: Set<Side> }): Promise<void> {
  let wantsAgain = job.isCut;
  for (const row of job.rows) {
    const { on } = row.operation;
    if (state.closed.has(on) || heldUntil(context, row.operation) !== null) {
      wantsAgain = true;
      break;
    }
    const startedAt = context.clock.now();
    const { result, isBlocking, wantsPlan } = await perform(context, row);
    if (result.kind === 'applied') {
      state.applied += 1;
      calm(context, on);
    }
    if (result.kind === 'unauthorized') state.closed.add(on);
    wantsAgain ||= wantsPlan;
    tellDone(context, row, result, context.clock.now() - startedAt);
    if (isBlocking) break;
  }
  if (!wantsAgain) rest(context, job.link.id);
}

/** Those were carried out together, or wait. */
const isOfShelf = (operation: Operation): boolean => operation.kind === 'file' && operation.on === 'github';

const nameOf = (side: Side): string => (side === 'tracker' ? 'the tracker' : 'GitHub');

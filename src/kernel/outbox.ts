import type { Link } from '../model/link.ts';
import type { Operation } from '../model/operation.ts';
import { type Failed, SideError } from '../model/outcome.ts';
import type { LedgerLine, OutboxRow, Refused } from '../model/store.ts';
import type { Refusal } from './brake.ts';
import { costOf } from './budget.ts';
import type { Context, Performed, Result } from './context.ts';

/** Stores that a request is about to leave, and what it costs: after a crash it is looked for, and the budget still holds. */
export function markSent(context: Context, row: OutboxRow): void {
  const { store, clock } = context;
  const now = clock.now();
  store.transaction(() => {
    store.outbox.mark(row.operation.key, { state: 'sent', sentAt: now, attempts: row.attempts + 1, why: null });
    store.budgets.spend(row.operation.on, costOf(row.operation), { at: now, points: 1 });
  });
}

/** What the operation wanted is so already, or its link is no longer written. */
export function dropped(context: Context, operation: Operation): Performed {
  context.store.outbox.remove(operation.key);
  return { result: { kind: 'already', why: null }, isBlocking: false, wantsPlan: false };
}

/** Says what became of an operation. */
export function tellDone(context: Context, { operation, attempts }: OutboxRow, result: Result, ms: number): void {
  context.tell({ kind: 'done', route: context.route.name, operation, result, ms, attempt: attempts + 1 });
}

/** Tells that the brake holds something back, and keeps it for whoever asks how things stand; forgets it once that goes through. */
export function rememberRefusal({ store, route, clock, tell }: Context, of: Refused['of'], refusal: Refusal | null): void {
  if (refusal === null) {
    store.refusals.remove(route.name, of);
    return;
  }
  store.refusals.save(route.name, { of, at: clock.now(), why: refusal.why });
  tell({ kind: 'refused', route: route.name, refusal });
}

type Failing = Pick<Context, 'store' | 'clock'> & { readonly name: string };

/** Keeps for whoever asks how things stand that work on a route failed, and why; until the same work succeeds. */
export function keepFailure({ name, store, clock }: Failing, of: 'cycle' | 'sweep', error: unknown): void {
  store.failures.save(name, { of, at: clock.now(), ...whatFailed(error, store.troubleIn(error)) });
}

/** @param trouble what went wrong with the state */
function whatFailed(error: unknown, trouble: string | null): Pick<Failed, 'kind' | 'side' | 'why'> {
  if (error instanceof SideError) return { kind: error.kind, side: error.side, why: error.message };
  if (trouble !== null) return { kind: 'state', side: null, why: trouble };
  return { kind: 'fault', side: null, why: error instanceof Error ? error.message : String(error) };
}

/** The numbers under which people know a link. */
export type Ends = Pick<Link, 'id' | 'bug' | 'issue'>;

/** A line of the ledger about a link, as of now. It is about our own state, unless whoever adds it names the side that was written to. */
export function lineOf(
  { route, clock }: Pick<Context, 'route' | 'clock'>,
  { id: link, bug, issue }: Ends,
  kind: LedgerLine['kind'],
  detail: LedgerLine['detail'],
): LedgerLine {
  return { at: clock.now(), route: route.name, link, bug, issue, on: null, kind, outcome: 'noted', detail };
}

import type { Link } from '../model/link.ts';
import type { Operation } from '../model/operation.ts';
import { type Failed, SideError } from '../model/outcome.ts';
import type { LedgerLine, OutboxRow, Refused } from '../model/store.ts';
import type { Refusal } from './brake.ts';
import { costOf } from './budget.ts';
import type { Context, Performed, Result } from './context.ts';

/** Stores that a request is about to leave, and its cost, so that after a crash its outcome is looked for and the budget still holds. */
export function markSent(context: Context, row: OutboxRow): void {
  const { store, clock } = context;
  const now = clock.now();
  store.transaction(() => {
    store.outbox.mark(row.operation.key, { state: 'sent', sentAt: now, attempts: row.attempts + 1, why: null });
    store.budgets.spend(row.operation.on, costOf(row.operation), { at: now, points: 1 });
  });
}

/** Removes an operation that is no longer needed: its effect is already there, or its link is no longer written. */
export function dropped(context: Context, operation: Operation): Performed {
  context.store.outbox.remove(operation.key);
  return { result: { kind: 'already', why: null }, isBlocking: false, wantsPlan: false };
}

/** Emits the result of an operation. */
export function tellDone(context: Context, { operation, attempts }: OutboxRow, result: Result, ms: number): void {
  context.tell({ kind: 'done', route: context.route.name, operation, result, ms, attempt: attempts + 1 });
}

/** Emits and stores a refusal by the brake, for `status`; with null, deletes the stored one. */
export function rememberRefusal({ store, route, clock, tell }: Context, of: Refused['of'], refusal: Refusal | null): void {
  if (refusal === null) {
    store.refusals.remove(route.name, of);
    return;
  }
  store.refusals.save(route.name, { of, at: clock.now(), why: refusal.why });
  tell({ kind: 'refused', route: route.name, refusal });
}

type Failing = Pick<Context, 'store' | 'clock'> & { readonly name: string };

/** Stores a failure of a route, for `status`, until the same work succeeds. */
export function keepFailure({ name, store, clock }: Failing, of: 'cycle' | 'sweep', error: unknown): void {
  store.failures.save(name, { of, at: clock.now(), ...whatFailed(error, store.troubleIn(error)) });
}

/** @param trouble the trouble with the state, if that is the cause */
function whatFailed(error: unknown, trouble: string | null): Pick<Failed, 'kind' | 'side' | 'why'> {
  if (error instanceof SideError) return { kind: error.kind, side: error.side, why: error.message };
  if (trouble !== null) return { kind: 'state', side: null, why: trouble };
  return { kind: 'fault', side: null, why: error instanceof Error ? error.message : String(error) };
}

/** A link's id and the numbers of its two ends. */
export type Ends = Pick<Link, 'id' | 'bug' | 'issue'>;

/** A ledger line about a link, as of now. It concerns our own state; for a write, the caller sets `on` to the side written to. */
export function lineOf(
  { route, clock }: Pick<Context, 'route' | 'clock'>,
  { id: link, bug, issue }: Ends,
  kind: LedgerLine['kind'],
  detail: LedgerLine['detail'],
): LedgerLine {
  return { at: clock.now(), route: route.name, link, bug, issue, on: null, kind, outcome: 'noted', detail };
}

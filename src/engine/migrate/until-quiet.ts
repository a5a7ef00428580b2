import type { Context } from '../context.ts';
import { type CycleReport, cycle } from '../cycle.ts';
import { heldUntil } from '../held.ts';
import type { Migration } from './migration.ts';
import { patiently, waitUntil } from './patience.ts';

/** After so many cycles that neither did anything nor had anything to wait for, the rest is for people. */
const idleMax = 3;

/** Cycles until nothing is left to do, waiting for budgets in between. */
export async function untilQuiet(migration: Migration, mayPlan: (context: Context) => Context): Promise<void> {
  const context = mayPlan(migration.context);
  const { store, route } = context;
  for (let idle = 0; idle < idleMax; ) {
    const report = await patiently(migration, () => cycle(context, { isForced: true }));
    const waiting = store.links.wanting(route.name, Number.MAX_SAFE_INTEGER).length;
    tellProgress(migration, waiting);
    if (report.operations.length === 0 && waiting === 0 && store.outbox.count(route.name).sent === 0) return;
    const until = report.applied > 0 ? null : nextMoment(context, report);
    if (report.applied === 0 && until === null) idle += 1;
    else idle = 0;
    if (until !== null) await waitUntil(migration, until.at, until.why);
  }
}

/** When there is something to do again that cannot be done now; null when nothing waits for a time. */
function nextMoment(context: Context, { operations }: CycleReport): { readonly at: number; readonly why: string } | null {
  const { store, route, limits, clock } = context;
  const now = clock.now();
  const held = operations.flatMap((operation) => heldUntil(context, operation) ?? []);
  const doubts = store.outbox.sent(route.name).map(({ sentAt }) => ({
    at: (sentAt ?? now) + limits.settleMs + 1,
    why: 'an answer was lost, and what became of it has to show first',
  }));
  return [...held, ...doubts].filter(({ at }) => at > now).sort((one, other) => one.at - other.at)[0] ?? null;
}

function tellProgress({ context, tell }: Migration, waiting: number): void {
  const { whole } = context.store.links.count(context.route.name);
  const state = { done: whole, total: whole + waiting, inFlight: 0, parked: context.store.outbox.count(context.route.name).parked };
  tell({ kind: 'progress', route: context.route.name, phase: 'finishing', ...state, limitedBy: 'creations' });
}

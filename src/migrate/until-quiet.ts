import { backoffInForce, keepBackoff } from '../kernel/backoff.ts';
import type { Context } from '../kernel/context.ts';
import { RoutePaused } from '../model/control.ts';
import type { Wanting } from '../model/link.ts';
import { SideError } from '../model/outcome.ts';
import type { Refusal } from '../rules/limits/brake-and-budget.ts';
import { type Commanded, takeAtOnce } from '../sync/commands.ts';
import { cycle } from '../sync/cycle.ts';
import type { RouteRunner } from '../sync/route-runner.ts';
import type { Migration } from './migration.ts';
import { nextMoment } from './next-moment.ts';
import { madeByMigration } from './undertaking.ts';

/** How often a read is retried that fails without a time for the next try. */
const failuresMax = 12;
const firstMs = 2_000;
const longestMs = 120_000;

/**
 * Reads, and keeps retrying while a side asks for a backoff or cannot be reached: a migration has nothing else to do.
 * Throws `SideError` when the read is refused, or fails for too long.
 */
export async function patiently<T>(migration: Migration, read: () => Promise<T>): Promise<T> {
  const { context } = migration;
  for (let failures = 1; ; failures += 1) {
    await waitForBackoff(migration);
    try {
      return await read();
    } catch (error) {
      if (!(error instanceof SideError) || error.kind !== 'later' || failures >= failuresMax) throw error;
      keepBackoff({ ...context, name: context.route.name }, error);
      if (error.at === null) await waitUntil(migration, context.clock.now() + delayMs(failures), error.message);
    }
  }
}

/** Sleeps while either side asks us to wait. */
export async function waitForBackoff(migration: Migration): Promise<void> {
  for (let backoff = backoffInForce(migration.context); backoff !== null; backoff = backoffInForce(migration.context)) {
    await waitUntil(migration, backoff.until, backoff.why);
  }
}

export async function waitUntil({ context, tell }: Migration, until: number, why: string): Promise<void> {
  tell({ kind: 'waiting', route: context.route.name, until, why });
  await context.clock.sleep(Math.max(1, until - context.clock.now()));
}

/**
 * Call it before each write: the next run finds imports that are under way. Stores a pause that was requested meanwhile
 * first, so that `resume` finds it. Throws `RoutePaused`.
 */
export function refuseWhilePaused(context: Commanded, route: string): void {
  takeAtOnce(context);
  const pause = context.store.pauses.of(route);
  if (pause === null) return;
  const words = pause.why === null ? '' : ` (${pause.why})`;
  throw new RoutePaused(
    `A person has paused route ${route}${words}. Run bugferry resume ${route} if nobody needs that pause any more, and then this command again.`,
  );
}

const delayMs = (failures: number): number => Math.min(longestMs, firstMs * 2 ** (failures - 1));

const loginsMax = 3;

/** The context of a route. It retries the login, since a migration is started once, and not by a clock. */
export async function loggedIn({ context, clock }: Pick<RouteRunner, 'context' | 'clock'>): Promise<Context> {
  for (let failures = 1; ; failures += 1) {
    try {
      return await context();
    } catch (error) {
      if (!(error instanceof SideError) || error.kind !== 'later' || failures >= loginsMax) throw error;
      await clock.sleep(Math.max(delayMs(failures), (error.at ?? 0) - clock.now()));
    }
  }
}

/** After this many cycles in a row that wrote nothing, and after which no less waited, the rest is left to people. */
const idleMax = 3;
/** The same for cycles after which there was something to wait for. */
const waitsMax = 40;

/**
 * Runs cycles until nothing is left to do, waiting in between for budgets and retries. Returns the refusal of the
 * brake, which judges all but what this migration made itself; null if there was none.
 */
export async function untilQuiet(
  migration: Migration,
  mayPlan: (context: Context) => Context,
  phase: 'finishing' | 'remainder' = 'finishing',
): Promise<Refusal | null> {
  const context = mayPlan(migration.context);
  const { store, route } = context;
  const madeNow = () => madeByMigration(context);
  let fewest = Number.POSITIVE_INFINITY;
  for (let [idle, waits] = [0, 0]; idle < idleMax && waits < waitsMax; ) {
    refuseWhilePaused(context, route.name);
    const report = await patiently(migration, () => cycle(context, { isForced: false, madeNow }));
    if (report.refusal !== null) return report.refusal;
    const waiting = countOf(store.links.eachWanting(route.name));
    tellProgress(migration, waiting, phase);
    const moment = nextMoment(context, report.operations);
    if (report.operations.length === 0 && waiting.all === 0 && moment === null) return null;
    // A cycle looks at no more links than it may write.
    const isMoving = report.applied > 0 || waiting.all < fewest;
    fewest = report.applied > 0 ? waiting.all : Math.min(fewest, waiting.all);
    if (isMoving) [idle, waits] = [0, 0];
    else if (moment === null) idle += 1;
    else {
      waits += 1;
      await waitUntil(migration, moment.at, moment.why);
    }
  }
  return null;
}

function countOf(links: Iterable<Wanting>): { readonly all: number; readonly oneEnded: number } {
  let [all, oneEnded] = [0, 0];
  for (const { hasBug, hasIssue } of links) {
    all += 1;
    if (!hasBug || !hasIssue) oneEnded += 1;
  }
  return { all, oneEnded };
}

function tellProgress(
  { context, tell }: Migration,
  waiting: ReturnType<typeof countOf>,
  phase: 'finishing' | 'remainder',
): void {
  const { whole } = context.store.links.count(context.route.name);
  const total = whole + waiting.oneEnded;
  const { parked } = context.store.outbox.count(context.route.name);
  const state = { done: total - waiting.all, total, inFlight: 0, parked, limitedBy: 'creations' } as const;
  tell({ kind: 'progress', route: context.route.name, phase, ...state });
}

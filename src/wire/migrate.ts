/** Runs the migration of a route. */

import type { Context } from '../kernel/context.ts';
import { keepFailure } from '../kernel/outbox.ts';
import { type Leave, type LeaveReport, writeCutoverNotices } from '../migrate/cutover/notice.ts';
import { type ReopenReport, takeBack } from '../migrate/cutover/take-back.ts';
import { type Forecast, forecast } from '../migrate/forecast.ts';
import { migrate } from '../migrate/migrate.ts';
import type { MigrateEvent, MigrateReport, Migration } from '../migrate/migration.ts';
import { undertaking } from '../migrate/undertaking.ts';
import { loggedIn, refuseWhilePaused, untilQuiet } from '../migrate/until-quiet.ts';
import type { Writer } from '../model/migration.ts';
import { Halted, SideError } from '../model/outcome.ts';
import { chosenWriter, type WriterChoice } from '../rules/people/writer.ts';
import type { BridgeRoute } from './bridge-route.ts';

export { htmlOf } from '../text/parse.ts';

export type MigrationEvent = MigrateEvent;

export type MigrationForecast = Forecast;

/**
 * What migrating the route would do. For a bridge on a copy of the state, because it writes to the state. Throws
 * `SideError`.
 */
export async function forecastRoute(
  route: BridgeRoute,
  { samplesMax, ...options }: Omit<Migration, 'context' | 'importer'> & { readonly samplesMax: number },
): Promise<Forecast> {
  return forecast({ ...options, context: await loggedIn(route), importer: route.importer }, route.importer, samplesMax);
}

/**
 * Creates an issue for every bug of the route that has none. Throws `SideError`; when it is stopped, the error of its
 * clock.
 */
export async function migrateRoute(
  route: BridgeRoute,
  { writer, ...options }: Omit<Migration, 'context' | 'importer'> & { readonly writer: Writer },
): Promise<MigrateReport> {
  return keepingFailures(route, async () =>
    migrate({ ...options, context: await toWrite(route), importer: writer === 'api' ? null : route.importer }),
  );
}

/** How migrating the route would create issues, by the rights of our account. Throws `SideError`. */
export async function writerOf(route: BridgeRoute, numbers: Migration['numbers']): Promise<WriterChoice> {
  const { mayImport } = await keepingFailures(route, async () => {
    await toWrite(route);
    return route.importer.home();
  });
  return chosenWriter(`${route.route.owner}/${route.route.repo}`, mayImport, numbers === 'keep');
}

/** Throws `SideError`, and `RoutePaused` before either side is asked. */
async function toWrite(route: BridgeRoute): Promise<Context> {
  refuseWhilePaused(route, route.name);
  return loggedIn(route);
}

type Tell = Migration['tell'];

async function migrationOf(route: BridgeRoute, tell: Tell): Promise<Migration> {
  return { context: await toWrite(route), importer: null, numbers: 'free', limit: null, tell };
}

/** Runs cycles until both sides agree. Returns why the brake refused; null when it did not. Throws `SideError`. */
export async function lastDelta(route: BridgeRoute, tell: Tell): Promise<string | null> {
  tell({ kind: 'phase', route: route.route.name, phase: 'remainder' });
  const refusal = await keepingFailures(route, async () =>
    untilQuiet(await migrationOf(route, tell), (context) => context, 'remainder'),
  );
  return refusal?.why ?? null;
}

export const leaveTracker = (route: BridgeRoute, leave: Leave, tell: Tell): Promise<LeaveReport> =>
  keepingFailures(route, async () => {
    const migration = await migrationOf(route, tell);
    const hasLeft = () => route.store.cutoverNotices.ofRoute(route.name).length > 0;
    const isDone = ({ written, refused }: LeaveReport) => refused.length === 0 || (written === 0 && !hasLeft());
    return undertaking(migration.context, { kind: 'cutover', isDone }, () => writeCutoverNotices(migration, leave));
  });

export const takeBackRoute = (route: BridgeRoute, tell: Tell): Promise<ReopenReport> =>
  keepingFailures(route, async () => {
    const report = await takeBack(await migrationOf(route, tell));
    if (report.left.length === 0) route.store.undertakings.end(route.name, 'cutover');
    return report;
  });

/** What halts a command halts the route, until a cycle passes: the status says so, and what to do. */
async function keepingFailures<Result>(route: BridgeRoute, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof SideError || error instanceof Halted) keepFailure(route, 'cycle', error);
    throw error;
  }
}

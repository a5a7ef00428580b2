import type { Context } from '../kernel/context.ts';
import type { MigrateReport } from './migration.ts';

type Ended = Pick<MigrateReport, 'stopped'>;

/**
 * Keeps in the state that a migration is under way, until it reaches its end. What it throws, or what stops it, leaves
 * the rest to its next run, and a kill leaves the same.
 */
export async function undertaking<Report extends Ended>(
  { store, route, clock }: Pick<Context, 'store' | 'route' | 'clock'>,
  kind: 'migrate',
  work: () => Promise<Report>,
): Promise<Report> {
  store.undertakings.begin(route.name, kind, clock.now());
  let isDone = false;
  try {
    const report = await work();
    isDone = report.stopped === null;
    return report;
  } finally {
    if (isDone) store.undertakings.end(route.name, kind);
    else store.undertakings.stop(route.name, kind, clock.now());
  }
}

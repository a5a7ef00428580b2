import type { Context, RouteState } from '../kernel/context.ts';
import type { LinkId } from '../model/ids.ts';
import type { Undertaking } from '../model/migration.ts';

/**
 * Keeps in the state that a command is under way, until it reaches its end. What it throws, or what stops it, leaves
 * the rest to its next run, and a kill leaves the same.
 */
export async function undertaking<Report>(
  { store, route, clock }: Pick<Context, 'store' | 'route' | 'clock'>,
  { kind, isDone }: Pick<Undertaking, 'kind'> & { readonly isDone: (report: Report) => boolean },
  work: () => Promise<Report>,
): Promise<Report> {
  store.undertakings.begin(route.name, kind, clock.now());
  let isOver = false;
  try {
    const report = await work();
    isOver = isDone(report);
    return report;
  } finally {
    if (isOver) store.undertakings.end(route.name, kind);
    else store.undertakings.stop(route.name, kind, clock.now());
  }
}

/** What the migration itself made. What people changed of all else since is an edit, which the cycles weigh. */
export const madeByMigration = ({ store, route }: RouteState): ReadonlySet<LinkId> =>
  store.undertakings.made(route.name, 'migrate');

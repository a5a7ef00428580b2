import { statusView } from '../../core/status.ts';
import type { LinkId } from '../../model/ids.ts';
import type { Closing, Importer } from '../../model/importer.ts';
import type { Link } from '../../model/link.ts';
import type { Context } from '../context.ts';
import type { Migration } from './migration.ts';
import { waitForPause } from './patience.ts';

const batchSize = 100;

/**
 * Closes issues for the reasons that an import cannot say, many in one request. It only saves requests: what is left open here is closed
 * by the cycles that follow, and what was closed here agrees with the tracker when it is read next.
 */
export async function closeImported(migration: Migration, importer: Importer): Promise<void> {
  const { context } = migration;
  if (context.route.direction === 'to-tracker') return;
  const closings = closingsOf(context);
  for (let at = 0; at < closings.length; at += batchSize) {
    await waitForPause(migration);
    const outcome = await importer.close(closings.slice(at, at + batchSize));
    if (outcome.kind !== 'applied') return;
  }
}

function closingsOf(context: Context): readonly Closing[] {
  const { store, route } = context;
  const closings: Closing[] = [];
  let after: LinkId | null = null;
  do {
    const links: readonly Link[] = store.links.after(route.name, after, 1_000);
    closings.push(...links.flatMap((link) => closingOf(context, link) ?? []));
    after = links.at(-1)?.id ?? null;
  } while (after !== null);
  return closings;
}

/** Only of an issue that stands as it was made. One that duplicates what has no issue is left to the cycles. */
function closingOf({ store, route }: Context, { state, tracker, github, base }: Link): Closing | null {
  if (state !== 'live' || tracker === null || github?.state !== 'open' || base?.github.status !== 'open') return null;
  const reason = statusView(route.status, tracker.status, tracker.resolution);
  if (reason === 'not_planned') return { issue: github.number, reason, duplicateOf: null };
  const twin = reason !== 'duplicate' || tracker.dupeOf === null ? null : store.links.byBug(tracker.dupeOf);
  const isKnown = twin !== null && twin.repo === `${route.owner}/${route.repo}` && twin.github !== null && twin.state === 'live';
  return isKnown && twin.issue !== null ? { issue: github.number, reason: 'duplicate', duplicateOf: twin.issue } : null;
}

import { whyHidden } from '../../core/gate.ts';
import { statusView } from '../../core/status.ts';
import type { IssueNumber, LinkId } from '../../model/ids.ts';
import type { Closing, Importer } from '../../model/importer.ts';
import type { Link } from '../../model/link.ts';
import type { Context } from '../context.ts';
import type { Migration } from './migration.ts';
import { waitForPause } from './patience.ts';

const batchSize = 100;

/**
 * Closes issues for the reasons that an import cannot say, many in one request. It only saves requests: what is left open here is closed
 * by the cycles that follow, and what was closed here agrees with the tracker when it is read next.
 * @param landed issues that were just made and not read yet, by their links
 */
export async function closeImported(migration: Migration, importer: Importer, landed: ReadonlyMap<LinkId, IssueNumber>): Promise<void> {
  const { context } = migration;
  if (context.route.direction === 'to-tracker') return;
  const closings = closingsOf(context, landed);
  for (let at = 0; at < closings.length; at += batchSize) {
    await waitForPause(migration);
    const outcome = await importer.close(closings.slice(at, at + batchSize));
    if (outcome.kind !== 'applied') return;
  }
}

function closingsOf(context: Context, landed: ReadonlyMap<LinkId, IssueNumber>): readonly Closing[] {
  const { store, route } = context;
  const closings: Closing[] = [];
  let after: LinkId | null = null;
  do {
    const links: readonly Link[] = store.links.after(route.name, after, 1_000);
    closings.push(...links.flatMap((link) => closingOf(context, link, landed) ?? []));
    after = links.at(-1)?.id ?? null;
  } while (after !== null);
  return closings;
}

/** Only of an issue that stands as it was made. One that duplicates what is still to get its issue is left to the cycles. */
function closingOf({ store, route }: Context, link: Link, landed: ReadonlyMap<LinkId, IssueNumber>): Closing | null {
  const { state, tracker, github, base } = link;
  const isAsMade = github === null || (github.state === 'open' && base?.github.status === 'open');
  const issue = link.issue ?? landed.get(link.id) ?? null;
  if (state !== 'live' || tracker === null || issue === null || !isAsMade) return null;
  const reason = statusView(route.status, tracker.status, tracker.resolution);
  if (reason === 'not_planned') return { issue, reason, duplicateOf: null };
  if (reason !== 'duplicate') return null;
  const twin = tracker.dupeOf === null ? null : store.links.byBug(tracker.dupeOf);
  if (twin === null || whyHidden(route, twin) !== null) return { issue, reason, duplicateOf: null };
  if (twin.repo !== link.repo || twin.state !== 'live') return null;
  const original = twin.issue ?? landed.get(twin.id) ?? null;
  return original === null ? null : { issue, reason: 'duplicate', duplicateOf: original };
}

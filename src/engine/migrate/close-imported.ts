import { whyHidden } from '../../core/gate.ts';
import { statusView } from '../../core/status.ts';
import type { IssueNumber, LinkId } from '../../model/ids.ts';
import type { Closing, Importer } from '../../model/importer.ts';
import type { Link } from '../../model/link.ts';
import type { Context } from '../context.ts';
import { calm, pauseIfAsked } from '../pause.ts';
import type { Migration } from './migration.ts';
import { waitForPause } from './patience.ts';

const batchSize = 100;

/** How often in a row a batch may be put off. */
const delaysMax = 12;

/**
 * Closes issues for reasons that an import cannot say, many in one request. It only saves requests: what is left open here is closed
 * by the cycles that follow, and what was closed here agrees with the tracker when it is read next. A pause that GitHub asks for is waited
 * for, and what of a batch was not closed by then goes with the next.
 * @param landed issues that were just made and not read yet, by their links
 */
export async function closeImported(migration: Migration, importer: Importer, landed: ReadonlyMap<LinkId, IssueNumber>): Promise<void> {
  const { context } = migration;
  if (context.route.direction === 'to-tracker') return;
  let left = closingsOf(context, landed);
  for (let delays = 0; left.length > 0 && delays <= delaysMax; ) {
    await waitForPause(migration);
    const batch = left.slice(0, batchSize);
    const { done, failure } = await importer.close(batch);
    if (done.size > 0) calm(context, 'github');
    if (failure !== null) pauseIfAsked({ ...context, name: context.route.name }, 'github', failure);
    const isPutOff = failure?.kind === 'later' && failure.wholeSide;
    if (failure !== null && !isPutOff && done.size === 0) return;
    delays = isPutOff && done.size === 0 ? delays + 1 : 0;
    left = [...(isPutOff ? batch.filter(({ issue }) => !done.has(issue)) : []), ...left.slice(batchSize)];
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

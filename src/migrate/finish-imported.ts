import { backOffIfAsked, endBackoff } from '../kernel/backoff.ts';
import type { Context, RouteState } from '../kernel/context.ts';
import { markSent, tellDone } from '../kernel/outbox.ts';
import type { IssueNumber, LinkId } from '../model/ids.ts';
import type { Link } from '../model/link.ts';
import type { Batch, Closing, Importer, Minimizing } from '../model/migration.ts';
import type { MinimizeOperation } from '../model/plan/operation.ts';
import type { OutboxRow } from '../model/plan/outbox.ts';
import { statusView } from '../rules/fields/status.ts';
import { whyHidden } from '../rules/privacy/gate.ts';
import { recordMinimize } from '../sync/perform/operations/minimize.ts';
import { recordFailure } from '../sync/perform/record-failure.ts';
import { planOf } from './import-bugs.ts';
import type { Migration } from './migration.ts';
import { madeByMigration } from './undertaking.ts';
import { refuseWhilePaused, waitForBackoff } from './until-quiet.ts';

const closingsMax = 100;

/** How often in a row a batch may be put off. */
const delaysMax = 12;

/**
 * Closes issues for reasons that an import cannot give, many in one request. It only saves requests: the following
 * cycles close issues that are left open here, and issues closed here agree with the tracker at their next read. It
 * waits while GitHub asks for a backoff; the issues of a batch that were not closed by then go with the next.
 * @param landed issues that were just created and not read yet, by their links
 */
export async function closeImported(
  migration: Migration,
  importer: Importer,
  landed: ReadonlyMap<LinkId, IssueNumber>,
): Promise<void> {
  const { context } = migration;
  if (context.route.direction === 'to-tracker') return;
  let left = closingsOf(context, landed);
  for (let delays = 0; left.length > 0 && delays <= delaysMax; ) {
    await waitForBackoff(migration);
    refuseWhilePaused(context, context.route.name);
    const batch = left.slice(0, closingsMax);
    const { done, failure } = await importer.close(batch);
    if (done.size > 0) endBackoff(context, 'github');
    if (failure !== null) backOffIfAsked({ ...context, name: context.route.name }, 'github', failure);
    const isPutOff = failure?.kind === 'later' && failure.wholeSide;
    if (failure !== null && !isPutOff && done.size === 0) return;
    delays = isPutOff && done.size === 0 ? delays + 1 : 0;
    left = [...(isPutOff ? batch.filter(({ issue }) => !done.has(issue)) : []), ...left.slice(closingsMax)];
  }
}

function closingsOf(context: RouteState, landed: ReadonlyMap<LinkId, IssueNumber>): readonly Closing[] {
  const { links } = context.store;
  const ids = new Set([...madeByMigration(context), ...landed.keys()]);
  return [...ids].flatMap((id) => {
    const link = links.byId(id);
    return (link && closingOf(context, link, landed)) ?? [];
  });
}

/**
 * Only for an issue that is unchanged since its creation, and not for a bug that a cutover closed. Left to the cycles
 * are a duplicate of a bug that has no issue yet, and a pair whose state may be older: they ask who closed its bug.
 */
function closingOf({ store, route }: RouteState, link: Link, landed: ReadonlyMap<LinkId, IssueNumber>): Closing | null {
  const { state, tracker, github, base } = link;
  const isAsMade = github === null || (github.state === 'open' && base?.github.status === 'open');
  const issue = link.issue ?? landed.get(link.id) ?? null;
  if (state !== 'live' || tracker === null || issue === null || !isAsMade) return null;
  // How a hidden bug ended is nobody's business; its withdrawal closes the issue.
  if (whyHidden(route, link) !== null || store.cutoverNotices.get(link.id) !== null) return null;
  if (store.olderPairs.get(link.id) !== null) return null;
  const reason = statusView(route.status, tracker.status, tracker.resolution);
  if (reason === 'not_planned') return { issue, reason, duplicateOf: null };
  if (reason !== 'duplicate') return null;
  const twin = tracker.dupeOf === null ? null : store.links.byBug(tracker.dupeOf);
  if (twin === null || whyHidden(route, twin) !== null) return { issue, reason, duplicateOf: null };
  if (twin.repo !== link.repo || twin.state !== 'live') return null;
  const original = twin.issue ?? landed.get(twin.id) ?? null;
  return original === null ? null : { issue, reason: 'duplicate', duplicateOf: original };
}

/** Limits a batch, as GitHub gives up after ten seconds with the work half done. */
const minimizedMax = 25;

/**
 * Minimizes the copies of tagged comments, many in one request. It only saves requests: the following cycles minimize
 * the rest one by one, and find out the outcome of a request without an answer.
 */
export async function minimizeImported(migration: Migration, importer: Importer): Promise<void> {
  const { context } = migration;
  const wanted = minimizingsOf(context);
  for (let at = 0; at < wanted.length; at += minimizedMax) {
    await waitForBackoff(migration);
    refuseWhilePaused(context, context.route.name);
    const rows = markAllSent(context, wanted.slice(at, at + minimizedMax));
    const startedAt = context.clock.now();
    const batch = await importer.minimize(rows.map(({ minimizing }) => minimizing));
    const ms = context.clock.now() - startedAt;
    if (batch.done.size > 0) endBackoff(context, 'github');
    for (const { row, operation } of rows) await recordBatched(context, { row, operation }, batch, ms);
    if (batch.failure !== null && batch.done.size === 0) return;
  }
}

interface MinimizeRequest {
  readonly operation: MinimizeOperation;
  readonly minimizing: Minimizing;
}

/** Only from links that are due for planning anyway, so that the cycles do the rest. */
function minimizingsOf(context: Context): readonly MinimizeRequest[] {
  const { store, route } = context;
  const made = madeByMigration(context);
  const ids: LinkId[] = [];
  for (const { id, hasIssue } of store.links.eachWanting(route.name)) if (hasIssue && made.has(id)) ids.push(id);
  return ids.filter((id) => mayWant(context, id)).flatMap((id) => minimizeRequestsOf(context, id));
}

/** A quick check before planning. If anything else is in the outbox, the cycles do it all in order. */
const mayWant = ({ store }: RouteState, id: LinkId): boolean =>
  store.commentLinks
    .ofLink(id)
    .some(({ minimize, copy }) => minimize !== null && minimize !== (copy?.minimize ?? null)) &&
  store.outbox.ofLink(id).length === 0;

function minimizeRequestsOf(context: Context, id: LinkId): readonly MinimizeRequest[] {
  const { commentLinks, links } = context.store;
  const issue = links.byId(id)?.issue ?? null;
  return planOf(context, id).wanted.ready.flatMap((operation): readonly MinimizeRequest[] => {
    if (operation.kind !== 'minimize' || operation.minimize === null || issue === null) return [];
    const copy = commentLinks.byId(operation.commentLink)?.copy?.id ?? null;
    return copy === null ? [] : [{ operation, minimizing: { issue, comment: copy, minimize: operation.minimize } }];
  });
}

interface SentMinimize {
  readonly row: OutboxRow;
  readonly operation: MinimizeOperation;
}

/** Stores the whole batch before its request leaves. */
function markAllSent(
  context: Context,
  requests: readonly MinimizeRequest[],
): readonly (SentMinimize & MinimizeRequest)[] {
  const { store, route } = context;
  const links = [...new Set(requests.map(({ operation }) => operation.link))];
  return store.transaction(() => {
    store.outbox.replace(
      route.name,
      links,
      requests.map(({ operation }) => operation),
    );
    return requests.flatMap((request) => {
      const row = store.outbox.get(request.operation.key);
      if (row === null) return [];
      markSent(context, row);
      return [{ ...request, row }];
    });
  });
}

/**
 * Records only outcomes that are certain, or known to be in doubt: a refused operation is tried again alone, which
 * shows why. Some operations of a batch may be put off, or in doubt, although the rest was done.
 */
async function recordBatched(
  context: Context,
  { row, operation }: SentMinimize,
  { done, failure }: Batch,
  ms: number,
): Promise<void> {
  const { commentLinks, outbox } = context.store;
  if (done.has(commentLinks.byId(operation.commentLink)?.copy?.id ?? 0)) {
    recordMinimize(context, operation);
    tellDone(context, row, { kind: 'applied', why: null }, ms);
  } else if (failure?.kind === 'unknown' || failure?.kind === 'later') {
    const { result } = await recordFailure(context, row, failure);
    tellDone(context, row, result, ms);
  } else outbox.mark(operation.key, { state: 'planned', sentAt: null, attempts: row.attempts });
}

/**
 * Items that no list shows, looked up by number: issues in doubt, issues that bugs name, bugs that are hidden or may
 * be, and originals of issues that people closed as duplicates.
 */

import { marginMs } from '../../kernel/backoff.ts';
import type { Context, RouteState } from '../../kernel/context.ts';
import { linkOf, repoOf } from '../../kernel/linked.ts';
import { eachSpared, isLeftAlone, setAsideUnmapped, spare, spareAsync, workOn } from '../../kernel/set-aside.ts';
import { ofIssue } from '../../kernel/unread.ts';
import { bugId, issueNumber, type LinkId } from '../../model/ids.ts';
import type { Bug, Item } from '../../model/item.ts';
import type { Link } from '../../model/link.ts';
import { issueNumberIn, sameName } from '../../model/named.ts';
import { type Gone, type IssuePlace, SideError } from '../../model/outcome.ts';
import { isLogin } from '../../model/people.ts';
import type { OutboxRow } from '../../model/plan/outbox.ts';
import type { PastChange } from '../../model/receipt.ts';
import type { MadeSince } from '../../model/replica.ts';
import { duplicateNamed } from '../../rules/fields/relations.ts';
import { patienceMs } from '../../rules/limits/backoff.ts';
import { isMadeByUs, mayBind, whyNotSelected } from '../../rules/links/match.ts';
import { holdsNumber } from '../../rules/links/placeholder.ts';
import { whyHidden } from '../../rules/privacy/gate.ts';
import { saysMoved } from '../../text/marker.ts';
import { withSeenWithdrawal } from '../withdraw/seen-withdrawal.ts';
import { bindEnds } from './bind-ends.ts';
import { observeItem } from './observe-items.ts';
import { bury, freeze } from './persist-plan.ts';
import { lookAtBug } from './read-threads.ts';
import { leaveBehind } from './take-moved.ts';

/**
 * Looks by number for issues whose creation is in doubt, as lists may not show them yet. Returns the doubts that can be
 * settled: an issue that is still unseen may be one of the numbers that GitHub did not show, and is looked for again.
 * Throws `SideError`.
 */
export async function findMade(context: Context, doubts: readonly OutboxRow[]): Promise<readonly OutboxRow[]> {
  const { store, clock } = context;
  const unseen = doubts.filter((row) => isUnseenIssue(context, row));
  if (unseen.length === 0) return doubts;
  const { unread, isWhole } = await search(context, unseen);
  // A number that is not shown for hours is not ours: GitHub shows us what we made.
  const isOpen = (row: OutboxRow): boolean =>
    !isWhole || (unread.length > 0 && clock.now() < (row.sentAt ?? 0) + patienceMs);
  const open = unseen.filter((row) => isUnseenIssue(context, row) && isOpen(row));
  const why = unread.length > 0 ? unread.join(' ') : 'GitHub has more new numbers than one cycle looks at.';
  store.transaction(() => {
    for (const { operation } of open) store.outbox.mark(operation.key, { why });
  });
  return doubts.filter((row) => !open.includes(row));
}

/**
 * Looks for the issues of bugs that were hidden while the creation is in doubt. They do not wait until the doubt is
 * due: whatever stands on GitHub of such a bug is withdrawn in this cycle. Throws `SideError`.
 */
export async function findMadeOfHidden(context: Context): Promise<void> {
  const { store, route } = context;
  const isHidden = (row: OutboxRow): boolean => {
    const link = isUnseenIssue(context, row) ? store.links.byId(row.operation.link) : null;
    return link !== null && whyHidden(route, link) !== null;
  };
  const hidden = [...store.outbox.eachSent(route.name).filter(isHidden)];
  if (hidden.length > 0) await search(context, hidden);
}

async function search(context: Context, rows: readonly OutboxRow[]): Promise<MadeSince> {
  const { store, github } = context;
  const sinceAt = Math.min(...rows.map(({ sentAt }) => sentAt ?? 0)) - marginMs;
  const made = await github.madeSince(
    sinceAt,
    (number) => store.links.byIssue(repoOf(context), issueNumber(number)) !== null,
  );
  store.transaction(() => {
    for (const issue of made.issues) observeItem(context, issue, 'live');
  });
  return made;
}

/** Imported issues have the dates of their bugs, so no search by date finds them. */
function isUnseenIssue({ store }: RouteState, row: OutboxRow): boolean {
  const { kind, on, link } = row.operation;
  return kind === 'create' && on === 'github' && !isImport(row) && store.links.byId(link)?.issue === null;
}

/**
 * Finds out what became of the issues that bugs without a counterpart name, and whether the bridge said so. An issue
 * that no read has shown may be outside the selection, or have been deleted while the state database was lost: a
 * deleted one is not created again. What others wrote into See Also pairs nothing. Reads throw `SideError`.
 */
export async function chaseClaims(context: Context, links: readonly Link[]): Promise<void> {
  const untold: Waiting[] = [];
  const deleted = new Map<LinkId, string>();
  const all = eachSpared(context, links, (link) => [link, ...claimantsOf(context, link)]);
  for (const link of new Map(all.map((each) => [each.id, each])).values()) {
    const rest = await spareAsync(context, workOn(context, link, 'read'), () => chaseClaim(context, link.id, deleted));
    if (rest !== null) untold.push(rest);
  }
  await settleClaims(context, untold, deleted);
}

/** Returns what is left to find out of it: who wrote into the bug that it names the issue. */
async function chaseClaim(context: Context, id: LinkId, deleted: Map<LinkId, string>): Promise<Waiting | null> {
  const { store, route, github, session } = context;
  const waiting = waitingOf(store.links.byId(id));
  if (waiting === null) return null;
  if (linkOf(context, 'github', waiting.claim) === null) {
    if (store.cursors.get(route.name, 'github')?.isComplete !== true) return null;
    const probe = await github.probe(waiting.claim).catch(ofIssue);
    if (probe instanceof SideError) {
      // Nobody knows whether the bug has this issue, so it gets no other.
      setAsideUnmapped(context, 'github', { ref: waiting.claim, why: probe.message });
      return null;
    }
    const isDeleted = probe.kind === 'gone' && probe.gone.kind === 'deleted';
    if (isDeleted && !isMadeByUs(waiting.bug, session.own)) deleted.set(waiting.link.id, probe.gone.why);
    else
      store.transaction(() =>
        probe.kind === 'there' ? observeItem(context, probe.item, 'live') : giveUp(context, waiting, probe.gone),
      );
  }
  const rest = waitingOf(store.links.byId(id));
  return rest !== null && !isMadeByUs(rest.bug, session.own) ? rest : null;
}

/** A bug without an issue, and the number of the issue that it names. */
interface Waiting {
  readonly link: Link;
  readonly bug: Bug;
  readonly claim: number;
}

function waitingOf(link: Link | null): Waiting | null {
  if (link === null || link.tracker === null || link.github !== null || link.claim === null || link.state !== 'live')
    return null;
  return { link, bug: link.tracker, claim: link.claim };
}

/** The bugs that name an issue without a bug: none is filed from it before it is known who wrote that. */
const claimantsOf = ({ store }: RouteState, { repo, bug, issue }: Link): readonly Link[] =>
  bug === null && issue !== null ? store.links.claiming(repo, 'tracker', issue) : [];

function giveUp(context: RouteState, { link, bug }: Waiting, gone: Gone): void {
  const { store, route } = context;
  if (gone.kind === 'deleted') bury(context, link, gone.why);
  else if (whyNotSelected(route, bug) !== null) store.links.remove(link.id);
  else store.links.save({ ...link, claim: null });
}

/**
 * Bugs that others filed: See Also counts if, according to the bug's history, the bridge wrote it.
 * @param deleted links whose bugs name an issue that was deleted, and what GitHub said
 */
async function settleClaims(
  context: Context,
  untold: readonly Waiting[],
  deleted: ReadonlyMap<LinkId, string>,
): Promise<void> {
  const { store, route, session } = context;
  const changes = await seeAlsoOf(context, untold);
  store.transaction(() => {
    for (const { link, bug, claim } of untold) {
      const issueLink = linkOf(context, 'github', claim);
      const isSaid = changes.some((change) => change.ref === bug.id && isPointedByUs(context, change, claim));
      const whyDeleted = isSaid ? deleted.get(link.id) : undefined;
      if (isSaid && issueLink === null && isLeftAlone(context, link)) continue;
      if (whyDeleted !== undefined) bury(context, link, whyDeleted);
      else if (isSaid && issueLink !== null && mayBind(route, issueLink, bug, session.own))
        bindEnds(context, issueLink, link, bug);
      else if (whyNotSelected(route, bug) !== null) store.links.remove(link.id);
      else store.links.save({ ...link, claim: null });
    }
  });
}

/** A tracker that does not tell its history must not stop the route: then nobody knows that we wrote it. */
async function seeAlsoOf({ tracker, session }: Context, untold: readonly Waiting[]): Promise<readonly PastChange[]> {
  if (untold.length === 0 || session.own.tracker === null) return [];
  try {
    return (
      await tracker.history(
        untold.map(({ bug }) => bug.id),
        0,
      )
    ).changes;
  } catch (failure) {
    if (failure instanceof SideError && failure.kind === 'refused') return [];
    throw failure;
  }
}

const isPointedByUs = ({ route, session: { own } }: RouteState, { login, what }: PastChange, claim: number): boolean =>
  own.tracker !== null &&
  isLogin(login, own.tracker) &&
  (what.seeAlso ?? []).some((added) => added.split(/[\s,]+/u).some((url) => issueNumberIn(route, url) === claim));

/**
 * Has GitHub read completely again before anything is created there. Imported issues have the dates of their bugs, so
 * no list of changes ever shows them.
 */
export function rereadGithub({ store, route }: Pick<Context, 'store' | 'route'>): void {
  const row = store.cursors.get(route.name, 'github');
  if (row !== null)
    store.cursors.put(route.name, 'github', { ...row, changes: null, listing: null, isComplete: false });
}

/** How long GitHub may take over an import before the import is treated as lost. */
export const importMs = 3_600_000;

/** Whether the request left as an import: until `notBeforeAt`, only `migrate` finds out its outcome. */
export const isImport = ({ operation, state, notBeforeAt }: OutboxRow): boolean =>
  operation.kind === 'create' && state === 'sent' && notBeforeAt !== null;

/**
 * Checks bugs that our issues name and that no reading has shown: such a bug may have been hidden, or have left the
 * selection, while the state database was lost. It still belongs to its issue; what is hidden must be withdrawn from
 * GitHub.
 */
export async function chaseHidden(context: Context, links: readonly Link[]): Promise<void> {
  const { store, route, tracker } = context;
  if (route.direction === 'to-tracker' || !store.cursors.get(route.name, 'tracker')?.isComplete) return;
  for (const { id } of links) {
    const link = store.links.byId(id);
    if (link === null || link.bug !== null || link.claim === null || link.state !== 'live') continue;
    // A placeholder shows nothing of any bug, and must not reveal why its number is unused.
    if (link.github === null || holdsNumber(link.github)) continue;
    // The claim of a new issue: its bug may already have a link.
    if (linkOf(context, 'tracker', link.claim) !== null) {
      if (saysMoved(route.instance, link.github.body)) leaveBehind(context, link);
      continue;
    }
    const { claim } = link;
    const probe = await tracker.probe(claim);
    spare(context, workOn(context, link, 'read'), () => {
      if (probe.kind === 'there') observeItem(context, probe.item, 'live');
      else if (probe.gone.kind === 'hidden') {
        const whole = withSeenWithdrawal(context, null, { ...link, bug: bugId(claim), claim: null });
        freeze(context, whole, 'tracker', probe.gone.why);
      }
    });
  }
}

/**
 * Checks bugs that a list shows as private although the stored version is public. The list lags, and may show the
 * version before our own write; but the answer to a write does not say who may see the bug, which may have been hidden
 * just before.
 */
export async function lookAtHidden(context: Context, items: readonly Item[]): Promise<void> {
  for (const item of items) {
    const link = item.kind === 'bug' && item.isPrivate ? linkOf(context, 'tracker', item.id) : null;
    if (link?.tracker?.isPrivate !== false) continue;
    const { id } = link.tracker;
    await spareAsync(context, workOn(context, link, 'read'), () => lookAtBug(context, id));
  }
}

/**
 * The originals of issues that people closed as duplicates, as links. GitHub's lists do not show them, so each costs a
 * request: only until the tracker has the status, and only if no comment names the original. A link of which GitHub
 * cannot say it just now is null: the bug must not be closed for another reason. Reads throw `SideError`.
 */
export async function readOriginals(
  context: Context,
  links: readonly Link[],
): Promise<ReadonlyMap<LinkId, Link | null>> {
  const found = new Map<LinkId, Link | null>();
  const asks = eachSpared(context, links, ({ id }) => {
    const link = context.store.links.byId(id);
    return link === null || link.issue === null || !isNewDuplicate(context, link) ? [] : [{ id, issue: link.issue }];
  });
  for (const { id, issue } of asks) {
    const place = await originalOf(context, issue);
    if (place === 'unknown') found.set(id, null);
    if (place === null || place === 'unknown') continue;
    const repo = sameName(place.repo, repoOf(context)) ? repoOf(context) : place.repo;
    const original = context.store.links.byIssue(repo, issueNumber(place.number));
    if (original !== null) found.set(id, original);
  }
  return found;
}

/** A question that GitHub fails on concerns one issue; a pause that it asks for concerns all. */
async function originalOf({ github }: Context, issue: number): Promise<IssuePlace | null | 'unknown'> {
  try {
    return await github.original(issue);
  } catch (failure) {
    if (failure instanceof SideError && failure.kind === 'later' && failure.at === null) return 'unknown';
    throw failure;
  }
}

/** Whether the issue was closed as a duplicate, and the tracker does not say so yet. */
function isNewDuplicate(context: RouteState, { id, state, base, tracker, github }: Link): boolean {
  if (context.route.direction === 'to-github' || state !== 'live' || github?.reason !== 'duplicate') return false;
  if (tracker?.dupeOf != null || base?.github['status'] === 'duplicate') return false;
  return duplicateNamed(repoOf(context), context.store.commentLinks.ofLink(id)) === null;
}

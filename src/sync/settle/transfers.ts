/** Issues that people transfer between repositories of the bridge's routes: a pair goes with its issue. */

import type { Context, KnownPlace, RouteState } from '../../kernel/context.ts';
import { markDirty } from '../../kernel/dirty.ts';
import { comesFrom, repoOf } from '../../kernel/linked.ts';
import { lineOf } from '../../kernel/outbox.ts';
import { spareAsync, workOn } from '../../kernel/set-aside.ts';
import { bugId, type LinkId, linkId } from '../../model/ids.ts';
import type { Issue } from '../../model/item.ts';
import { aboutOf, type CommentLink, type FormerPlace, isFormer, type Link } from '../../model/link.ts';
import { sameName } from '../../model/named.ts';
import type { IssuePlace } from '../../model/outcome.ts';
import type { Thread } from '../../model/replica.ts';
import type { Route } from '../../model/route.ts';
import { attachmentAfter } from '../../rules/attachments/life.ts';
import { withIdsThere } from '../../rules/comments/join.ts';
import { baseElsewhere } from '../../rules/fields/move-base.ts';
import { linkAfter } from '../../rules/links/life.ts';
import { claimOf, whyNotSelected } from '../../rules/links/match.ts';
import { takeUntransferred } from '../observe/observe-items.ts';
import { observeThread } from '../observe/observe-thread.ts';
import { wholeThread } from './first-texts.ts';
import { recallPair } from './recalled.ts';

/**
 * Asks GitHub whether new issues were transferred from pairs of other repositories, before a bug is filed from one.
 * Throws `SideError`.
 * @returns the links without those that are gone, or have to wait for the next cycle
 */
export async function followTransfers(context: Context, links: readonly Link[]): Promise<readonly Link[]> {
  const { route, lookTurns } = context;
  const asked: Asked = { before: lookTurns.places.get(route.name) ?? new Map(), now: new Map() };
  lookTurns.places.set(route.name, asked.now);
  const followed: Link[] = [];
  for (const each of links) {
    const link = context.store.links.byId(each.id);
    if (link === null || link.state !== 'live' || link.bug !== null || link.github === null) {
      followed.push(each);
      continue;
    }
    const { github } = link;
    const found = await spareAsync(context, workOn(context, link, 'read'), () =>
      follow(context, { link, issue: github }, asked),
    );
    if (found !== null) followed.push(found);
  }
  return followed;
}

/** By link, where GitHub said that its issue is: of the cycle before, and of this one. */
interface Asked {
  readonly before: ReadonlyMap<LinkId, KnownPlace>;
  readonly now: Map<LinkId, KnownPlace>;
}

/** Null if the link is gone, or has to wait. */
async function follow(
  context: Context,
  { link, issue }: { readonly link: Link; readonly issue: Issue },
  asked: Asked,
): Promise<Link | null> {
  const { route, store, github, session } = context;
  const like = comesFrom(context, issue);
  const newest = linkId(Math.max(link.id, ...like.map(({ id }) => id)));
  const here = { repo: repoOf(context), number: issue.number };
  let hasLeft = false;
  for (const from of like) {
    const known = asked.now.get(from.id) ?? asked.before.get(from.id);
    const was = { repo: from.repo, number: from.issue ?? 0 };
    const isOlder = known !== undefined && link.id <= known.newest;
    const said = isOlder ? known : { place: await github.placeOf(was), newest };
    if (!isAt(said.place, here)) {
      asked.now.set(from.id, said);
      hasLeft ||= !isOlder && said.place !== null && !isAt(said.place, was);
      continue;
    }
    // What a request without an answer did stands in the thread or in a list, once its side shows it.
    const holder = holderOf(context, from);
    const rows = [from, ...(holder === null ? [] : [holder])].flatMap(({ id }) => store.outbox.ofLink(id, 'sent'));
    if (rows.length > 0) return null;
    const thread = await wholeThread(context, issue);
    if (thread === null) return null;
    store.transaction(() => goWith(context, { there: link, issue, thread }, from));
    return null;
  }
  // People may have transferred it on since it was listed: the route of its new repository takes it with its pair.
  if (hasLeft && !isAt(await github.placeOf(here), here)) {
    store.links.remove(link.id);
    return null;
  }
  const recalled = await recallPair(context, link, issue);
  if (recalled !== null) return recalled === 'later' ? null : recalled;
  const said = claimOf(route, issue, session.own);
  if (link.claim === null && said !== null) return store.transaction(() => takeUntransferred(context, link, issue));
  const asking = link.claim !== null && said === null ? store.links.byBug(bugId(link.claim)) : null;
  const claim = asking === null || asking.route === route.name ? link.claim : null;
  if (claim !== link.claim) store.links.save({ ...link, claim });
  if (claim !== null || whyNotSelected(route, issue) === null) return { ...link, claim };
  // The route takes it only as the issue of a pair.
  store.links.remove(link.id);
  return null;
}

const isAt = (place: IssuePlace | null, { repo, number }: IssuePlace): boolean =>
  place !== null && place.number === number && sameName(place.repo, repo);

/** The link that has the bug of an issue that it left. */
const holderOf = ({ store }: RouteState, from: Link): Link | null =>
  isFormer(from) && from.claim !== null ? store.links.byBug(bugId(from.claim)) : null;

interface Found {
  readonly there: Link;
  readonly issue: Issue;
  readonly thread: Thread;
}

/** The pair goes on with the issue at its new place. */
function goWith(context: Context, { there, issue, thread }: Found, from: Link): void {
  const { store, route, session, clock } = context;
  const holder = holderOf(context, from);
  // No bug was filed yet: the issue begins anew.
  if (from.bug === null && !isFormer(from)) {
    store.links.remove(from.id);
    return;
  }
  const known = store.commentLinks.ofLink(from.id);
  const reader = { instance: route.instance, own: session.own.github };
  const after = withIdsThere(known, thread.comments, reader);
  const formerly = leftBehind(from, known, after);
  const placed = { ...from, route: route.name, repo: repoOf(context), issue: issue.number, github: issue, formerly };
  for (const each of [from, ...(holder === null ? [] : [holder])]) store.outbox.replace(each.route, [each.id], []);
  store.findings.replace(from.id, [], [], clock.now());
  store.looks.settle(from.id);
  // A second issue of the bug, which stays, is one of another route by now.
  for (const each of store.links.claiming(from.repo, 'github', from.bug ?? 0)) markDirty(context, each.id);
  store.links.remove(there.id);
  if (isFormer(from) && (holder === null || holder.issue !== null)) {
    store.links.save({ ...placed, urgency: 'live' });
  } else {
    if (holder !== null) store.links.remove(holder.id);
    store.links.save(wholeAgain(route, placed, holder));
  }
  for (const each of after) store.commentLinks.save(each);
  // Copies of files stay in the store of the other repository, so this one gets its own.
  for (const each of store.attachmentLinks.ofLink(from.id))
    if (each.origin === 'tracker') store.attachmentLinks.save(attachmentAfter(each, { kind: 'lost' }));
  const now = store.links.byId(from.id) ?? placed;
  if (!isFormer(now)) observeThread(context, now, 'github', { ...thread, isWhole: false }, 'live');
  store.ledger.add(lineOf(context, now, 'bind', { bug: now.bug, issue: now.issue, was: aboutOf(from, 'github') }));
}

/**
 * The places that the issue had: the thread of the bug names them, and may not have been read since.
 * @param after the comment links with the ids that they have now
 */
function leftBehind(
  { formerly, github }: Link,
  known: readonly CommentLink[],
  after: readonly CommentLink[],
): readonly FormerPlace[] {
  const ids = known.map(({ source }, at): readonly [number, number] => [source, after[at]?.source ?? source]);
  const now: FormerPlace['comments'] = Object.fromEntries(ids.filter(([was, id]) => was !== id));
  const moved = formerly.map(({ url, comments }) => ({
    url,
    comments: { ...now, ...Object.fromEntries(Object.entries(comments).map(([was, id]) => [was, now[id] ?? id])) },
  }));
  return github === null ? moved : [...moved, { url: github.url, comments: now }];
}

/** @param holder the link that took the bug before it was known that its issue had come along, too */
function wholeAgain(route: Route, link: Link, holder: Link | null): Link {
  const shown = link.frozenBy === 'github' || holder !== null ? linkAfter(link, { kind: 'shown' }) : link;
  const whole = holder === null ? shown : { ...shown, bug: holder.bug, tracker: holder.tracker, visibility: null };
  const product = whole.tracker?.product ?? null;
  return {
    ...whole,
    ...{ claim: null, movedTo: null, takenFrom: product === route.selection.product ? null : product },
    // What was in doubt stands in the thread of the bug.
    threadReadAt: null,
    base: baseElsewhere(link.base),
    pointed: { ...link.pointed, tracker: false },
    urgency: 'live',
  };
}

/** The issues that bugs name, and the bugs that issues name: who wrote the name, and what became of the other end. */

import type { Context, RouteState } from '../../kernel/context.ts';
import { linkOf, repoOf } from '../../kernel/linked.ts';
import { eachSpared, isLeftAlone, spare, spareAsync, workOn } from '../../kernel/set-aside.ts';
import { ofIssue, probeItem, setItemUnread } from '../../kernel/unread.ts';
import { bugId, issueNumber, type LinkId } from '../../model/ids.ts';
import type { Bug, Comment, Item } from '../../model/item.ts';
import type { Link } from '../../model/link.ts';
import { issueNumberIn, sameName } from '../../model/named.ts';
import { type Gone, type IssuePlace, type Probe, SideError } from '../../model/outcome.ts';
import { isBy } from '../../model/people.ts';
import type { PastChange } from '../../model/receipt.ts';
import { filedFrom } from '../../rules/comments/provenance.ts';
import { isArriving, isMadeByUs, isWhole, mayBind, whyNotSelected } from '../../rules/links/match.ts';
import { holdsNumber } from '../../rules/links/placeholder.ts';
import { saysMoved } from '../../text/marker.ts';
import { isAsked, mayStillPair, waitsForReading } from '../settle/awaited.ts';
import { observeFound } from '../settle/first-texts.ts';
import { addressesIn, addressesMax, issuesIn, type NamedIssue } from '../settle/recalled.ts';
import { bindEnds, waitingFor } from './bind-ends.ts';
import { bury, freeze } from './persist-plan.ts';
import { leaveBehind } from './take-moved.ts';
import { unlessAnew } from './went-back.ts';

/**
 * Finds out what became of the issues that bugs without a counterpart name, and whether the bridge said so. An issue
 * that no read has shown may be outside the selection, or have been deleted while the state database was lost: a
 * deleted one is not created again. What others wrote into See Also pairs nothing. Reads throw `SideError`.
 */
export async function judgeClaimsOfBugs(context: Context, links: readonly Link[]): Promise<void> {
  const untold: Waiting[] = [];
  const gone = new Map<LinkId, Left>();
  const all = eachSpared(context, links, (link) => [link, ...claimantsOf(context, link)]);
  for (const link of new Map(all.map((each) => [each.id, each])).values()) {
    const rest = await spareAsync(context, workOn(context, link, 'read'), () =>
      judgeClaimOfBug(context, link.id, gone),
    );
    if (rest !== null) untold.push(rest);
  }
  await settleClaims(context, untold, gone);
}

/** Returns what is left to find out of it: who wrote into the bug that it names the issue. */
async function judgeClaimOfBug(context: Context, id: LinkId, gone: Map<LinkId, Left>): Promise<Waiting | null> {
  const { store, route, session } = context;
  const waiting = waitingOf(store.links.byId(id));
  if (waiting === null) return null;
  const { claim } = waiting;
  const isOurs = isMadeByUs(waiting.bug, session.own);
  if (linkOf(context, 'github', claim) === null) {
    if (store.cursors.get(route.name, 'github')?.isComplete !== true || isAsked(context, claim)) return null;
    const probe = await probeItem(context, 'github', claim);
    const place = probe instanceof SideError ? probe : await placeNow(context, probe);
    if (probe instanceof SideError || place instanceof SideError) {
      // Nobody knows whether the bug has this issue, so it gets no other.
      for (const each of [probe, place]) if (each instanceof SideError) setItemUnread(context, 'github', claim, each);
      return null;
    }
    if (probe.kind === 'there') {
      if ((await observeFound(context, [probe.item], 'live')).length > 0) return null;
    } else if (!isOurs) gone.set(id, { ...probe.gone, now: place });
    else if (!mayStillPair(context, claim, place))
      store.transaction(() => giveUp(context, waiting, { ...probe.gone, now: place }));
  }
  const rest = waitingOf(store.links.byId(id));
  return rest !== null && !isOurs ? rest : null;
}

/** Where an issue is now that people transferred, maybe more than once. */
const placeNow = async ({ github }: Context, probe: Probe<Item>): Promise<IssuePlace | SideError | null> =>
  probe.kind === 'gone' && probe.gone.kind === 'moved' && probe.gone.place !== undefined
    ? await github.placeOf(probe.gone.place).catch(ofIssue)
    : null;

/** What GitHub said of an issue that a bug names, and where it is now, if anywhere. */
interface Left extends Gone {
  readonly now: IssuePlace | null;
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
export const claimantsOf = ({ store }: RouteState, { repo, bug, issue }: Link): readonly Link[] =>
  bug === null && issue !== null ? store.links.claiming(repo, 'tracker', issue) : [];

/** An issue that was transferred out of all routes takes its bug out of them, as it does while its pair is known. */
function giveUp(context: Context, { link, bug }: Waiting, { kind, why, now }: Left): void {
  if (kind === 'deleted') bury(context, link, why);
  else if (now !== null && context.lookTurns.routesOf(now.repo).length === 0) freeze(context, link, 'github', why);
  else dropClaim(context, link, bug);
}

function dropClaim({ store, route }: RouteState, link: Link, bug: Bug): void {
  // Issues that the bug left are hidden with it, and learn of that from its link.
  const isFollowed = (): boolean => store.links.former(bug.id).length > 0;
  if (whyNotSelected(route, bug) !== null && !isFollowed()) store.links.remove(link.id);
  else store.links.save({ ...link, claim: null });
}

/**
 * Bugs that others filed: See Also counts if, according to the bug's history, the bridge wrote it.
 */
async function settleClaims(
  context: Context,
  untold: readonly Waiting[],
  gone: ReadonlyMap<LinkId, Left>,
): Promise<void> {
  const { store, route, session } = context;
  const changes = await seeAlsoOf(
    context,
    untold.map(({ bug }) => bug.id),
  );
  store.transaction(() => {
    for (const each of untold) spare(context, workOn(context, each.link, 'read'), () => settleClaim(each));
  });

  function settleClaim({ link, bug, claim }: Waiting): void {
    const issueLink = linkOf(context, 'github', claim);
    const isSaid = changes.some((change) => change.ref === bug.id && isPointedByUs(context, change, claim));
    const left = gone.get(link.id);
    if (isSaid && left !== undefined && mayStillPair(context, claim, left.now)) return;
    if (isSaid && left === undefined && issueLink === null && isLeftAlone(context, link)) return;
    if (isSaid && left !== undefined) giveUp(context, { link, bug, claim }, left);
    else if (isSaid && issueLink !== null && mayBind(route, issueLink, bug, session.own)) {
      if (unlessAnew(context, issueLink, bug, () => link)) bindEnds(context, issueLink, link, bug);
    } else dropClaim(context, link, bug);
  }
}

/** A tracker that does not tell its history must not stop the route: then nobody knows that we wrote it. */
async function seeAlsoOf({ tracker, session }: Context, bugs: readonly number[]): Promise<readonly PastChange[]> {
  if (bugs.length === 0 || session.own.tracker === null) return [];
  try {
    return (await tracker.history(bugs, 0)).changes;
  } catch (failure) {
    if (failure instanceof SideError && failure.kind === 'refused') return [];
    throw failure;
  }
}

const isPointedByUs = (context: RouteState, change: PastChange, claim: number): boolean =>
  isAddedByUs(context, change, (url) => issueNumberIn(context.route, url) === claim);

const isAddedByUs = (
  { session: { own } }: RouteState,
  change: PastChange,
  isMeant: (url: string) => boolean,
): boolean =>
  isBy(change, own.tracker) && (change.what.seeAlso ?? []).some((added) => added.split(/[\s,]+/u).some(isMeant));

/**
 * Whether another route has yet to read the issue of a bug that no link has: we filed the bug from there, or wrote on
 * it where it is mirrored, before it moved to the product of this route. Throws `SideError`.
 */
export async function isAwaitedElsewhere(context: Context, link: Link, comments: readonly Comment[]): Promise<boolean> {
  const { tracker: bug, issue, claim } = link;
  if (bug === null || issue !== null || claim !== null || link.state !== 'live') return false;
  // Its thread, which was just read, pairs the two.
  if (waitingFor(context, bug, comments) !== null) return false;
  const isOurs = isMadeByUs(bug, context.session.own);
  const said = [...(isOurs ? [filedFrom(comments) ?? ''] : []), ...addressesIn(context, comments, null)];
  const listed = elsewhereIn(context, bug.seeAlso);
  const changes = listed.length === 0 ? [] : await seeAlsoOf(context, [bug.id]);
  const written = listed.filter(({ url }) =>
    changes.some((each) => isAddedByUs(context, each, (added) => added === url)),
  );
  const places = new Map(
    [...elsewhereIn(context, said), ...written].map(({ place }) => [`${place.repo}#${place.number}`, place]),
  );
  return waitsForReading(context, bug.id, [...places.values()].slice(0, addressesMax));
}

/** Those of the addresses that name issues of other routes, as long as these know no bug of theirs. */
const elsewhereIn = (context: Context, urls: readonly string[]): readonly NamedIssue[] =>
  issuesIn(context, urls).filter(
    ({ place: { repo, number } }) =>
      !sameName(repo, repoOf(context)) &&
      context.lookTurns.routesOf(repo).length > 0 &&
      (context.store.links.byIssue(repo, issueNumber(number))?.bug ?? null) === null,
  );

/**
 * Checks bugs that our issues name and that no reading has shown: such a bug may have been hidden, or have left the
 * selection, while the state database was lost. It still belongs to its issue; what is hidden must be withdrawn from
 * GitHub.
 */
export async function judgeClaimsOfIssues(context: Context, links: readonly Link[]): Promise<void> {
  const { store, route } = context;
  if (route.direction === 'to-tracker' || !store.cursors.get(route.name, 'tracker')?.isComplete) return;
  for (const { id } of links) {
    const link = store.links.byId(id);
    if (link !== null) await spareAsync(context, workOn(context, link, 'read'), () => judgeClaimOfIssue(link));
  }

  async function judgeClaimOfIssue(link: Link): Promise<void> {
    const { bug, claim, state, github } = link;
    if (bug !== null || claim === null || state !== 'live') return;
    // A placeholder shows nothing of any bug, and must not reveal why its number is unused.
    if (github === null || holdsNumber(github)) return;
    // The claim of a new issue: its bug may already have a link.
    if (linkOf(context, 'tracker', claim) !== null) {
      if (saysMoved(route.instance, github.body) || goesOnElsewhere(context, claim)) leaveBehind(context, link);
      return;
    }
    const probe = await probeItem(context, 'tracker', claim);
    if ('item' in probe) {
      await observeFound(context, [probe.item], 'live');
      return;
    }
    store.transaction(() => {
      if (probe instanceof SideError) setItemUnread(context, 'tracker', claim, probe);
      else if (probe.gone.kind === 'hidden')
        freeze(context, { ...link, bug: bugId(claim), claim: null }, 'tracker', probe.gone.why);
    });
  }
}

/** Whether a bug that one of our issues names has its pair in another route, and is not about to come to this one. */
function goesOnElsewhere({ route, store }: RouteState, claim: number): boolean {
  const holder = store.links.byBug(bugId(claim));
  return holder !== null && holder.route !== route.name && isWhole(holder) && !isArriving(route, holder);
}

/** The issues that bugs name, and the bugs that issues name: who wrote the name, and what became of the other end. */

import type { Context, RouteState } from '../../kernel/context.ts';
import { linkOf } from '../../kernel/linked.ts';
import { eachSpared, isLeftAlone, spare, spareAsync, workOn } from '../../kernel/set-aside.ts';
import { ofIssue, probeItem, setItemUnread } from '../../kernel/unread.ts';
import { bugId, issueNumber, type LinkId } from '../../model/ids.ts';
import type { Bug } from '../../model/item.ts';
import { isFormer, type Link } from '../../model/link.ts';
import { issueNumberIn } from '../../model/named.ts';
import { type Gone, SideError } from '../../model/outcome.ts';
import { isLogin } from '../../model/people.ts';
import type { PastChange } from '../../model/receipt.ts';
import { isMadeByUs, mayBind, whyNotSelected } from '../../rules/links/match.ts';
import { holdsNumber } from '../../rules/links/placeholder.ts';
import { saysMoved } from '../../text/marker.ts';
import { withSeenWithdrawal } from '../withdraw/seen-withdrawal.ts';
import { bindEnds } from './bind-ends.ts';
import { observeItem } from './observe-items.ts';
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
  const gone: GoneIssues = { deleted: new Map(), moved: new Set() };
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
async function judgeClaimOfBug(context: Context, id: LinkId, gone: GoneIssues): Promise<Waiting | null> {
  const { store, route, session } = context;
  const waiting = waitingOf(store.links.byId(id));
  if (waiting === null) return null;
  if (linkOf(context, 'github', waiting.claim) === null) {
    if (store.cursors.get(route.name, 'github')?.isComplete !== true) return null;
    const probe = await probeItem(context, 'github', waiting.claim);
    if (probe instanceof SideError) {
      // Nobody knows whether the bug has this issue, so it gets no other.
      setItemUnread(context, 'github', waiting.claim, probe);
      return null;
    }
    const isDeleted = probe.kind === 'gone' && probe.gone.kind === 'deleted';
    if (probe.kind === 'gone' && (await mayBePaired(context, probe.gone))) gone.moved.add(waiting.link.id);
    else if (isDeleted && !isMadeByUs(waiting.bug, session.own)) gone.deleted.set(waiting.link.id, probe.gone.why);
    else
      store.transaction(() =>
        probe.kind === 'there' ? observeItem(context, probe.item, 'live') : giveUp(context, waiting, probe.gone),
      );
  }
  const rest = waitingOf(store.links.byId(id));
  return rest !== null && !isMadeByUs(rest.bug, session.own) ? rest : null;
}

/** Whether the route of the repository to which people transferred the issue may pair it with the bug. */
async function mayBePaired({ store, github, lookTurns }: Context, { kind, place: next }: Gone): Promise<boolean> {
  // People may have transferred it on.
  const place = kind === 'moved' && next !== undefined ? await github.placeOf(next).catch(ofIssue) : null;
  // As long as nobody knows where it is, the bug gets no other.
  if (place instanceof SideError) return true;
  if (place === null || !lookTurns.isRouted(place.repo)) return false;
  const there = store.links.byIssue(place.repo, issueNumber(place.number));
  return there === null || (there.bug === null && !isFormer(there));
}

/** Links whose bugs name an issue that was deleted, with what GitHub said, or that another route may pair with them. */
interface GoneIssues {
  readonly deleted: Map<LinkId, string>;
  readonly moved: Set<LinkId>;
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
 */
async function settleClaims(
  context: Context,
  untold: readonly Waiting[],
  { deleted, moved }: GoneIssues,
): Promise<void> {
  const { store, route, session } = context;
  const changes = await seeAlsoOf(context, untold);
  store.transaction(() => {
    for (const each of untold) spare(context, workOn(context, each.link, 'read'), () => settleClaim(each));
  });

  function settleClaim({ link, bug, claim }: Waiting): void {
    const issueLink = linkOf(context, 'github', claim);
    const isSaid = changes.some((change) => change.ref === bug.id && isPointedByUs(context, change, claim));
    const whyDeleted = isSaid ? deleted.get(link.id) : undefined;
    // The route of the repository to which it was transferred pairs the two.
    if (isSaid && issueLink === null && (moved.has(link.id) || isLeftAlone(context, link))) return;
    if (whyDeleted !== undefined) bury(context, link, whyDeleted);
    else if (isSaid && issueLink !== null && mayBind(route, issueLink, bug, session.own)) {
      if (unlessAnew(context, issueLink, bug, () => link)) bindEnds(context, issueLink, link, bug);
    } else if (whyNotSelected(route, bug) !== null) store.links.remove(link.id);
    else store.links.save({ ...link, claim: null });
  }
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
      if (saysMoved(route.instance, github.body)) leaveBehind(context, link);
      return;
    }
    const probe = await probeItem(context, 'tracker', claim);
    store.transaction(() => {
      if (probe instanceof SideError) setItemUnread(context, 'tracker', claim, probe);
      else if (probe.kind === 'there') observeItem(context, probe.item, 'live');
      else if (probe.gone.kind === 'hidden') {
        const whole = withSeenWithdrawal(context, null, { ...link, bug: bugId(claim), claim: null });
        freeze(context, whole, 'tracker', probe.gone.why);
      }
    });
  }
}

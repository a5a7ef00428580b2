import type { Context, RouteState } from '../kernel/context.ts';
import { repoOf } from '../kernel/linked.ts';
import { spare, spareAsync, workOn } from '../kernel/set-aside.ts';
import { type LeftOut, leavingOut, spareComments } from '../kernel/spare-comments.ts';
import { ofIssue } from '../kernel/unread.ts';
import { type CommentLinkId, issueNumber, type LinkId, type Side, sides } from '../model/ids.ts';
import type { Link } from '../model/link.ts';
import { sameName } from '../model/named.ts';
import { type IssuePlace, SideError } from '../model/outcome.ts';
import type { Authors, OwnAccounts } from '../model/people.ts';
import type { Plan } from '../model/plan/operation.ts';
import type { CyclePlan, PlanContext, PlanInput } from '../model/plan/plan-input.ts';
import { duplicateNamed } from '../rules/fields/relations.ts';
import { brake, changesMirrored, order, partHeld, type Refusal } from '../rules/limits/brake-and-budget.ts';
import { isMadeByUs } from '../rules/links/match.ts';
import { joinedPlans, plan, policy } from '../rules/plan/plan.ts';
import { isHiddenSince } from '../rules/privacy/gate.ts';
import { askForNewValues, missingFields } from './observe/read-offered.ts';
import { inputWithout, planContextOf, planInputIn } from './observe/select.ts';
import { takeTurns } from './perform/perform.ts';
import { isToBeMade, paceOf } from './perform/share.ts';
import { findCutoversShownAgain, type KnownBefore, settleOlder } from './settle/settle-older.ts';
import { spaceReports } from './space-reports.ts';
import { findEndedWithdrawals } from './withdraw/ended-withdrawals.ts';
import { isOpenAgain } from './withdraw/seen-withdrawal.ts';
import { withdrawals } from './withdraw/withdraw.ts';

/**
 * Plans links: first the withdrawals of all links, then the operations of those that have none. Throws `SideError`.
 * @param before what was known of both sides before this cycle read them
 */
export async function planLinks(context: Context, links: readonly Link[], before: KnownBefore): Promise<CyclePlan> {
  const { store, route } = context;
  const missing = await missingFields(context, links);
  await askForNewValues(context, links);
  const originals = await readOriginals(context, links);
  const isReopened = (link: Link) => spare(context, workOn(context, link, 'plan'), () => isOpenAgain(context, link));
  const reopened = store.links.withdrawing(route.name).filter((link) => isReopened(link) === true);
  if (reopened.length > 0) await findEndedWithdrawals(context, reopened);
  await findCutoversShownAgain(context);
  const known = withdrawals(context);
  const { untold, opened } = context.lookTurns;
  const isLeft = (id: LinkId): boolean => known.has(id) || untold.has(id) || opened.get(id) === null;
  const open = links.filter(({ id }) => !isLeft(id) && originals.get(id) !== null);
  const waits = await settleOlder(context, open, missing, before);
  // Settling reads bugs once more, which may have become private meanwhile.
  const isFoundHidden = (link: Link) => isHiddenSince(route, link, store.links.byId(link.id));
  const isNews = open.some((link) => spare(context, workOn(context, link, 'plan'), () => isFoundHidden(link)) === true);
  const withdrawing = isNews ? withdrawals(context) : known;
  const settled = open.filter(({ id }) => !waits.has(id) && !withdrawing.has(id));
  const { due, ...planned } = planEach(context, missing, settled, originals);
  const { ready, operations } = await takeTurns(context, due);
  context.tell({ kind: 'planned', route: route.name, plan: planned.plan });
  // Counting takes longer the more links there are, so a quiet cycle does without.
  const count = operations.length === 0 ? 0 : store.links.count(route.name).whole;
  return { ...planned, ready, operations, links: count, withdrawals: withdrawing };
}

/**
 * Plans each link by itself, so that one whose planning fails costs no other its turn. Once there is as much to write
 * as a cycle may, the rest of the backfill waits for the next one.
 */
function planEach(
  context: Context,
  missing: readonly string[],
  links: readonly Link[],
  originals: ReadonlyMap<Link['id'], Link | null>,
): Planned {
  const planContext = planContextOf(context, missing);
  const inputOf = planInputIn(context, originals);
  const most = paceOf(context);
  let ready = 0;
  const parts = links.flatMap((each) => {
    if (ready >= most && isToBeMade(each)) return [];
    const input = inputOf(each);
    if (input === null) return [];
    const part = spareComments(context, input.link, 'plan', (left) =>
      planOne(context, planContext, inputWithout(input, left)),
    );
    ready += part?.ready.length ?? 0;
    return part ?? [];
  });
  return {
    selected: parts.map(({ link }) => link),
    plan: joinedPlans(parts.map((part) => part.plan)),
    changed: parts.flatMap(({ link, changedBy }) => (changedBy === null ? [] : [{ ...changedBy, link: link.id }])),
    due: parts.flatMap(({ ready }) => ready),
    held: parts.flatMap(({ held }) => held),
    spaced: new Map(parts.flatMap(({ spaced }) => [...spaced])),
  };
}

interface Planned extends Pick<CyclePlan, 'selected' | 'plan' | 'changed' | 'held' | 'spaced'> {
  /** The operations that need not wait, in order. */
  readonly due: Plan['operations'];
}

/** Everything that is decided of a link by itself: what becomes of it with others is only a matter of turns. */
function planOne(context: Context, planContext: PlanContext, input: PlanInput) {
  const { store, clock, route } = context;
  const allowed = policy(plan(planContext, [input]), route.direction);
  const spaced = spaceReports(context, allowed.operations);
  const parts = partHeld(order(allowed.operations), store.outbox.get, clock.now(), spaced);
  const { own } = planContext;
  const madeOn = sideMadeOn(input.link, own, clock.now());
  const changedBy = changesMirrored(allowed, authorsOf(input.link, own), commentAuthors(input), madeOn);
  return { link: input.link, plan: allowed, changedBy, spaced, ...parts };
}

const newMs = 3_600_000;

/** The side on which the bridge has just made an end of the pair. */
const sideMadeOn = (link: Link, own: OwnAccounts, now: number): Side | null =>
  sides.find((side) => {
    const end = link[side];
    return end !== null && isMadeByUs(end, own) && Math.abs(now - end.createdAt) < newMs;
  }) ?? null;

/** Threads are long, and few plans edit anything: each thread is looked through once at most. */
function commentAuthors({ commentLinks }: PlanInput): (id: CommentLinkId) => string | null {
  let logins: ReadonlyMap<CommentLinkId, string> | null = null;
  return (id) => {
    logins ??= new Map(commentLinks.map((each) => [each.id, each.author.login]));
    return logins.get(id) ?? null;
  };
}

function authorsOf({ tracker, github }: Link, own: OwnAccounts): Authors {
  return {
    tracker: tracker === null || isMadeByUs(tracker, own) ? null : tracker.creator.login,
    github: github === null || isMadeByUs(github, own) ? null : github.author.login,
  };
}

/**
 * Whether the brake refuses the plan.
 * @param madeNow links that the work in hand has made: they count for nothing, neither as changed nor as there
 */
export function refusalOf(
  { store, route, limits }: RouteState,
  { changed, links }: Pick<CyclePlan, 'changed' | 'links'>,
  madeNow: () => ReadonlySet<LinkId> = () => new Set(),
): Refusal | null {
  if (changed.length === 0) return null;
  const made = madeNow();
  const others = changed.filter(({ link }) => !made.has(link));
  return brake(others, links - made.size, limits.brakeShare, (authors) => store.links.madeBy(route.name, authors));
}

/**
 * The originals of issues that people closed as duplicates, as links. GitHub's lists do not show them, so each costs a
 * request: only until the tracker has the status, and only if no comment names the original. A link of which GitHub
 * cannot say it just now is null: the bug must not be closed for another reason. Reads throw `SideError`.
 */
async function readOriginals(context: Context, links: readonly Link[]): Promise<ReadonlyMap<LinkId, Link | null>> {
  const found = new Map<LinkId, Link | null>();
  const asks = links.flatMap(({ id }) => {
    const link = context.store.links.byId(id);
    const isNew = link && spareComments(context, link, 'plan', (left) => isNewDuplicate(context, link, left));
    return isNew === true && link?.issue != null ? [{ link, issue: link.issue }] : [];
  });
  for (const { link, issue } of asks) {
    const work = async () => ({ place: await originalOf(context, issue) });
    const { place } = (await spareAsync(context, workOn(context, link, 'plan'), work)) ?? { place: 'unknown' };
    if (place === 'unknown') found.set(link.id, null);
    if (place === null || place === 'unknown') continue;
    const repo = sameName(place.repo, repoOf(context)) ? repoOf(context) : place.repo;
    const original = context.store.links.byIssue(repo, issueNumber(place.number));
    if (original !== null) found.set(link.id, original);
  }
  return found;
}

/** A question that GitHub fails on concerns one issue; a pause that it asks for concerns all. */
async function originalOf({ github }: Context, issue: number): Promise<IssuePlace | null | 'unknown'> {
  const place = await github.original(issue).catch(ofIssue);
  return place instanceof SideError ? 'unknown' : place;
}

/** Whether the issue was closed as a duplicate, and the tracker does not say so yet. */
function isNewDuplicate(context: RouteState, link: Link, left: LeftOut): boolean {
  const { id, state, base, tracker, github } = link;
  if (context.route.direction === 'to-github' || state !== 'live' || github?.reason !== 'duplicate') return false;
  const isKnown = base?.github['status'] === 'duplicate' && context.store.olderPairs.get(id) === null;
  if (tracker?.dupeOf != null || isKnown) return false;
  return duplicateNamed(repoOf(context), leavingOut(context.store.commentLinks.ofLink(id), left)) === null;
}

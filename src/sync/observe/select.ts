import type { Context, RouteState } from '../../kernel/context.ts';
import { markDirty } from '../../kernel/dirty.ts';
import { isShutAway, linkOf, repoOf } from '../../kernel/linked.ts';
import { isLate } from '../../kernel/patience.ts';
import { isLeftAlone, isThreadWanted, partOf, spare, spareOf, workOn } from '../../kernel/set-aside.ts';
import { type LeftOut, leavingOut, none, spareComments } from '../../kernel/spare-comments.ts';
import { isLeft } from '../../kernel/unread.ts';
import type { AttachmentLink } from '../../model/attachment.ts';
import { bugId, issueNumber, type LinkId } from '../../model/ids.ts';
import type { CommentLink, Link } from '../../model/link.ts';
import type { SetAside } from '../../model/outcome.ts';
import type { OutboxRow } from '../../model/plan/outbox.ts';
import type { PlanContext, PlanInput, TextInput } from '../../model/plan/plan-input.ts';
import type { PublicTarget } from '../../model/plan/public.ts';
import { leftAside } from '../../rules/comments/life.ts';
import { expectedCommentCount } from '../../rules/comments/missing.ts';
import { lacksParts } from '../../rules/comments/parts.ts';
import { correctedIn, correctionsMs, mirrorOf } from '../../rules/fields/merge.ts';
import { duplicateNamed } from '../../rules/fields/relations.ts';
import { stampsMs } from '../../rules/limits/backoff.ts';
import { numbersIn, type Referred, referredIn } from '../../rules/links/targets.ts';
import { isNameable, publicTarget } from '../../rules/privacy/gate.ts';
import { isToBeMade, paceOf, urgentInTurns } from '../perform/share.ts';
import { isContradicted, refusedOf } from './fields-on.ts';
import { isOriginalUnnamed, neighboursOf } from './mentions.ts';
import { doubleOf } from './take-moved.ts';

/** How many times as many links are planned as one cycle may write while GitHub's limits hold up that many. */
export const pileMax = 5;

/** The links that this cycle may plan: what changed, then the backfill, with all pairs, as the brake counts changes. */
export function select(context: Context): readonly Link[] {
  const { store, route, limits, clock, lookTurns } = context;
  store.transaction(() => {
    // The link of an operation that has become due is planned again.
    for (const { operation } of store.outbox.due(route.name, clock.now())) markDirty(context, operation.link);
    for (const row of store.setAside.ofRoute(route.name)) reviewUnread(context, row);
    const now = clock.now();
    for (const row of store.outbox.parked(route.name))
      if (row.notBeforeAt !== null && row.notBeforeAt <= now)
        spareOf(context, row.operation.link, 'read', () => givePlaceAway(context, row));
  });
  // Bugs that a look missed, and what is set aside, are not planned, and take no other's turn.
  const unplanned =
    store.looks.missed(route.name).length + lookTurns.moved.size + store.setAside.ofRoute(route.name).length;
  const most = limits.writesPerCycle + unplanned;
  const first = store.links.wanting(route.name, most);
  // Links that wait for a limit would else be in the way of all that changes meanwhile.
  const isPile = first.length === most && first.at(-1)?.urgency === 'live';
  const pile = isPile
    ? store.links.wanting(route.name, most * pileMax).filter(({ urgency }) => urgency === 'live')
    : first;
  // Nobody is in the way of others with what is more than that.
  const due = pile.length < most * pileMax ? pile : urgentInTurns(context, most * pileMax);
  // The bug that an issue names may be hidden: what is withdrawn waits for no turn.
  const unmet = store.cursors.get(route.name, 'tracker')?.isComplete ? store.links.unmet(route.name) : [];
  const inTime = due.filter((link, index) => !isToBeMade(link) || index < paceOf(context) + unplanned);
  return [...new Map([...inTime, ...unmet].map((link) => [link.id, link])).values()].filter(
    (link) => spare(context, workOn(context, link, 'read'), () => isLeft(context, link)) === false,
  );
}

/**
 * What GitHub fails on is asked for again, also if the bug was hidden and withdrawn meanwhile. Of a hidden bug, nobody
 * reads the comments, files and public view that the tracker failed on, until it is shown again; and nobody reads the
 * comments of an issue that the route does not take, or takes no longer.
 */
function reviewUnread(context: RouteState, row: SetAside): void {
  const link = linkOf(context, row.side, row.ref);
  if (link === null && (row.comment !== undefined || (row.side === 'github' && partOf(row) === 'thread')))
    context.store.setAside.remove(row.route, row.side, row.ref, row.comment);
  if (link === null || row.cause !== 'side') return;
  const isHidden = link.frozenBy === 'tracker' || link.tracker?.isPrivate === true;
  if (row.side === 'tracker' && isHidden && ['thread', 'files', 'public'].includes(partOf(row)))
    context.store.setAside.remove(row.route, row.side, row.ref);
  if (row.side === 'github' && isThreadWanted(context, row.side, row.ref)) markDirty(context, link.id);
}

/** What waits behind a parked comment goes on without it. */
function givePlaceAway(context: RouteState, { operation }: OutboxRow): void {
  context.store.outbox.mark(operation.key, { notBeforeAt: null });
  markDirty(context, operation.link);
}

/** @param missing the organisation's fields that rules name and GitHub does not have: those rules are inactive */
export function planContextOf(context: RouteState, missing: readonly string[] = []): PlanContext {
  const { store, route, session } = context;
  const isComplete = (side: 'tracker' | 'github') => store.cursors.get(route.name, side)?.isComplete ?? false;
  const labels = route.labels.filter(({ field }) => field === undefined || !missing.includes(field));
  return {
    route: missing.length === 0 ? route : { ...route, labels },
    missing,
    vocabulary: session.vocabulary,
    own: session.own,
    isComplete: { tracker: isComplete('tracker'), github: isComplete('github') },
  };
}

/**
 * The current links, with everything that planning needs. Links in doubt are left out until they are settled, and so
 * are bugs that a look missed, or that seem to have moved: nobody knows whether they may still be shown.
 */
export function planInputsOf(context: Context, selected: readonly Link[], left = none): readonly PlanInput[] {
  const inputOf = planInputIn(context);
  const inputs = selected.flatMap((link) => inputOf(link) ?? []);
  return left.size === 0 ? inputs : inputs.map((input) => inputWithout(input, left));
}

/** The same for one link after the other; null for those that are left out. */
export function planInputIn(
  context: Context,
  originals: ReadonlyMap<LinkId, Link | null> = new Map(),
): (link: Link) => PlanInput | null {
  const missed = new Set(context.store.looks.missed(context.route.name));
  const isInDoubt = (id: LinkId): boolean =>
    missed.has(id) || isLate(context, id) || context.store.outbox.ofLink(id, 'sent').length > 0;
  return ({ id }) => {
    const link = context.store.links.byId(id);
    if (link === null) return null;
    return spareComments(context, link, 'plan', (left) =>
      isLeftAlone(context, link) || seemsMoved(context, link) || isInDoubt(id) || isContradicted(context, link)
        ? null
        : inputWithout(planInputOf(context, link, originals.get(id), left), left),
    );
  };
}

/**
 * Whether its last look showed the bug in another product. What is known to be hidden by now is withdrawn whatever that
 * said.
 */
const seemsMoved = ({ lookTurns }: Context, { id, state, tracker, visibility }: Link): boolean =>
  state === 'live' &&
  tracker?.isPrivate === false &&
  visibility?.isShown !== false &&
  lookTurns.moved.get(id) === tracker.product;

/** The input for planning only the fields of a link, without its texts. */
export const fieldInputOf = (context: Context, link: Link): PlanInput => ({
  link,
  commentLinks: [],
  attachmentLinks: [],
  targets: [],
  duplicateOf: null,
  refused: refusedOf(context.store, link.id),
  neighbours: neighboursOf(context, link),
  ...correctedOf(context, link),
  ...settledOf(context, link),
});

/** @param original the link of the issue that this one duplicates, if GitHub says so */
export function planInputOf(context: RouteState, link: Link, original: Link | null = null, left = none): PlanInput {
  const { store } = context;
  const commentLinks = leavingOut(store.commentLinks.ofLink(link.id), left);
  const target = link.github?.reason === 'duplicate' ? duplicateNamed(repoOf(context), commentLinks) : null;
  const twin = target === null ? original : linkOf(context, 'github', target);
  return {
    link,
    commentLinks,
    attachmentLinks: store.attachmentLinks.ofLink(link.id),
    targets: targetsOf(context, link, commentLinks),
    refused: refusedOf(store, link.id),
    ...doubleOf(context, link),
    duplicateOf: twin?.state === 'live' ? twin.bug : null,
    isToName: isOriginalUnnamed(context, link) && hasNameableOriginal(context, link),
    neighbours: neighboursOf(context, link),
    ...correctedOf(context, link),
    ...settledOf(context, link),
    ...(context.route.pulls === undefined ? {} : { pulls: store.pulls.ofLink(link.id) }),
    ...(context.route.commits === undefined ? {} : { pushes: store.pushes.ofLink(link.id) }),
    takesMarkdown: context.session.vocabulary.takesMarkdown === true,
    ...(mayBePreceded(context, link, commentLinks) ? { isOutrun: true } : {}),
  };
}

/** How long a comment without a copy waits for an earlier one that GitHub counts. */
const outrunMs = 120_000;

/**
 * Whether a comment may still be listed that precedes a recent one without a copy: GitHub counts more comments on the
 * issue than it has listed, or the issue as we know it is older than the recent one, so that it may not count both.
 */
function mayBePreceded({ clock }: RouteState, { github }: Link, commentLinks: readonly CommentLink[]): boolean {
  const recent = commentLinks.filter(
    ({ origin, state, createdAt }) =>
      origin === 'github' && state === 'pending' && Math.abs(clock.now() - createdAt) < outrunMs,
  );
  if (github === null || recent.length === 0) return false;
  const isNewer = ({ createdAt }: CommentLink): boolean => createdAt > github.changedAt + stampsMs;
  return recent.some(isNewer) || github.commentCount > expectedCommentCount(commentLinks);
}

/** Whether an issue of the route may name the issue of a link. */
export const mayName = (context: Pick<Context, 'store' | 'route'>, link: Link): boolean =>
  isNameable(context.route, link) && !isShutAway(context, link);

function hasNameableOriginal({ store, route }: RouteState, { tracker }: Link): boolean {
  const original = tracker?.dupeOf == null ? null : store.links.byBug(tracker.dupeOf);
  return original !== null && original.github !== null && mayName({ store, route }, original);
}

function settledOf({ store }: RouteState, { id }: Link): Pick<PlanInput, 'settled'> {
  const older = store.olderPairs.get(id);
  return older === null ? {} : { settled: older.settled };
}

/** Recent corrections, on a route that has a mirror. */
function correctedOf({ store, route, clock }: RouteState, { id }: Link): Pick<PlanInput, 'corrected'> {
  if (mirrorOf(route.direction) === null) return {};
  const sinceAt = clock.now() - correctionsMs;
  const corrected = store.ledger.ofLink(id).flatMap((line) => (line.at > sinceAt ? correctedIn(line) : []));
  return corrected.length === 0 ? {} : { corrected };
}

/**
 * The part of a link that one of its texts is written from: its own comment, and what the text refers to. A long thread
 * is read as a whole only where the rest of it decides whether the text may be written.
 */
export function textInputOf(context: RouteState, link: Link, commentLink: CommentLink): TextInput {
  const { store, route } = context;
  const isHeld = route.attachments !== null && store.attachmentLinks.isWaiting(link.id);
  const isOfRest = isHeld || link.github === null;
  const own = partsOf(context, commentLink);
  const numbers = isOfRest ? null : numbersIn(own.flatMap(({ text }) => text ?? []));
  return {
    link,
    commentLinks: isOfRest ? store.commentLinks.ofLink(link.id) : own,
    attachmentLinks: filesNamed(store, link.id, own, numbers?.files ?? null),
    targets: targetsOf(context, link, own),
    takesMarkdown: context.session.vocabulary.takesMarkdown === true,
  };
}

/** The first part is written from itself alone, each other also from the first. */
const partsOf = ({ store }: Pick<RouteState, 'store'>, commentLink: CommentLink): readonly CommentLink[] =>
  commentLink.part === 1
    ? [commentLink]
    : store.commentLinks.ofSource(commentLink.link, commentLink.origin, commentLink.source);

/**
 * The targets of references in the texts that have to be written for a link: its own comments, and bugs and issues of
 * any route, as far as they are public. This sends no request: items that are not in the database are no targets.
 */
function targetsOf(
  { store, route }: RouteState,
  link: Link,
  commentLinks: readonly CommentLink[],
): readonly PublicTarget[] {
  const waiting = commentLinks.filter((commentLink) => isToWrite(commentLink, commentLinks));
  if (waiting.length === 0) return [];
  const links = new Map<number, Link>([[link.id, link]]);
  for (const { text, origin } of waiting)
    for (const found of linksIn(referredIn(text ?? '', origin)))
      if (found !== null && !links.has(found.id)) links.set(found.id, found);
  const numbers = numbersIn(waiting.flatMap(({ text, before }) => [text ?? '', before ?? '']));
  return [...links.values()].map((each) => targetNamed(each)).filter((target) => target !== null);

  function targetNamed(each: Link): PublicTarget | null {
    const named = numbers === null ? store.commentLinks.ofLink(each.id) : store.commentLinks.named(each.id, numbers);
    // Whether a file elsewhere is still public is seen at night only.
    const files = each.movedTo === null ? filesNamed(store, each.id, named, numbers?.files ?? null) : [];
    return publicTarget(route, each, named, files, isShutAway({ store, route }, each));
  }

  function linksIn({ bugs, attachments, issues }: Referred): readonly (Link | null)[] {
    const byFile = [...attachments]
      .map((id) => store.attachmentLinks.byAttachment(id))
      .map((file) => file && store.links.byId(file.link));
    const byBug = [...bugs].map((id) => store.links.byBug(bugId(id)));
    return [
      ...byBug,
      ...byFile,
      ...issues.map(({ repo, number }) => store.links.byIssue(repo ?? link.repo, issueNumber(number))),
    ];
  }
}

/** The files of these ids, and those that came with these comments; all files if the ids are unknown. */
const filesNamed = (
  { attachmentLinks }: RouteState['store'],
  link: LinkId,
  commentLinks: readonly CommentLink[],
  ids: readonly number[] | null,
): readonly AttachmentLink[] =>
  ids === null
    ? attachmentLinks.ofLink(link)
    : attachmentLinks.named(link, [...ids, ...commentLinks.flatMap(({ attachment }) => attachment ?? [])]);

/** Whether the text has to be written. A tracker text is stored only as long as it does. */
function isToWrite(commentLink: CommentLink, commentLinks: readonly CommentLink[]): boolean {
  const { text, state, digest, mirrored, origin } = commentLink;
  return (
    text !== null &&
    (origin === 'tracker' || state === 'pending' || digest !== mirrored || lacksParts(commentLink, commentLinks))
  );
}

/** The input for a plan that neither writes nor renews anything of these comments. */
export const inputWithout = (input: PlanInput, left: LeftOut): PlanInput =>
  left.size === 0 ? input : { ...input, commentLinks: leavingOut(input.commentLinks, left, leftAside) };

/**
 * Pairs bugs with issues, and joins two links that turn out to be the same. Anyone can name an issue in a bug, or a bug
 * in an issue, so a name counts only if the bridge wrote it: in a bug that our account filed, or in an issue that our
 * account opened. For bugs that other people filed, `sync/observe/claims.ts` asks who wrote the name.
 */

import { type LinkId, type Side, sides } from '../../model/ids.ts';
import { type Bug, type Issue, type Item, refOf, sideOf } from '../../model/item.ts';
import { aboutOf, isFormer, type Link } from '../../model/link.ts';
import { issueNumberIn } from '../../model/named.ts';
import { isBy, type OwnAccounts } from '../../model/people.ts';
import type { PointOperation, UpdateOperation } from '../../model/plan/operation.ts';
import type { Route } from '../../model/route.ts';
import { hasRoomForFooter, issueFooter } from '../../text/footer.ts';
import {
  bugOver,
  isDashboard,
  mirroredLine,
  movedBugIn,
  otherInstanceIn,
  parseGithubMarker,
  saysMoved,
} from '../../text/marker.ts';
import { isOpenView, statusView } from '../fields/status.ts';

/**
 * What an observation means for the links. The state database decides first, then the names that the bridge wrote;
 * otherwise a new link begins, whose other end is planned later.
 *
 *   observe  the item is linked already: store what was seen
 *   bind     it is the other end of a one-ended link; `absorb` is its own one-ended link, if it has one
 *   begin    a new one-ended link; `claim` is the number of the end that it names
 *   ignore   it is not mirrored
 */
export type Match =
  | { readonly kind: 'observe'; readonly link: Link }
  | { readonly kind: 'bind'; readonly keep: Link; readonly absorb: Link | null }
  | { readonly kind: 'begin'; readonly claim: number | null }
  | { readonly kind: 'ignore'; readonly reason: string };

/** The links that concern an item, before it is matched. */
export interface RelatedLinks {
  /** The link that it belongs to. */
  readonly own: Link | null;
  /** The link of the other end that the item names. */
  readonly named: Link | null;
  /** One-ended links on the other side that name this item, lowest id first. */
  readonly claimants: readonly Link[];
}

/** The other end that an item names. */
export interface Claim {
  readonly ref: number;
  /** Whether the bridge wrote it. Names that others wrote pair nothing. */
  readonly isOurs: boolean;
}

export function match(
  route: Route,
  item: Item,
  claim: Claim | null,
  { own, named, claimants }: RelatedLinks,
  accounts: OwnAccounts,
): Match {
  // Only the route of its product is shown the changes of a bug whose issue people transferred.
  if (own !== null && own.route !== route.name && own.takenFrom !== null && own.takenFrom === route.selection.product)
    return { kind: 'observe', link: own };
  if (own !== null && own.route !== route.name) return { kind: 'ignore', reason: `it belongs to route ${own.route}` };
  if (own !== null && (isWhole(own) || own.state === 'tombstone')) return { kind: 'observe', link: own };
  const said = [claim?.isOurs === true ? named : null, ...claimants.filter((link) => isClaimOurs(link, accounts))];
  const partner = said.find((link) => link !== null && mayBind(route, link, item, accounts));
  if (partner) return { kind: 'bind', keep: partner, absorb: own };
  if (own !== null)
    return { kind: 'observe', link: claim === null || named !== null ? own : withClaim(route, own, item, claim.ref) };
  // An end that already belongs to another link is no claim: waiting for it would be in vain. But an issue that its bug
  // left is to show nothing of it either once it is hidden.
  const isLeft = item.kind === 'issue' && saysMoved(route.instance, item.body);
  const open = claim !== null && (named === null || isLeft || lacksEnd(route, named, item)) ? claim : null;
  const reason = whyNotSelected(route, item);
  if (reason !== null && !(open?.isOurs === true && mayWait(route, item))) return { kind: 'ignore', reason };
  return { kind: 'begin', claim: open?.ref ?? null };
}

/**
 * A bug that waits for its issue, and names one since that nobody knows: the bridge may have made that one, which an
 * older state does not know. No list of changes shows an import.
 */
function withClaim(route: Route, own: Link, item: Item, ref: number): Link {
  if (item.kind !== 'bug' || own.state !== 'live' || own.issue !== null || own.claim !== null) return own;
  const isNew = own.tracker?.seeAlso.some((url) => issueNumberIn(route, url) === ref) === false;
  return isNew ? { ...own, claim: ref } : own;
}

/**
 * A bug that left the selection, or became private, still belongs to the issue that it was filed from; otherwise that
 * issue would get a second bug. An issue that we opened waits for its bug whatever became of it: what it shows has to
 * go if its bug is hidden.
 */
const mayWait = (route: Route, item: Item): boolean =>
  item.kind === 'issue' || item.product === route.selection.product;

/**
 * The number of the other end that an item names: a bug names its issue in see_also, an issue its bug in the marker
 * under its body, and before that in our line over it. Both count only in an issue opened by our own account. If See
 * Also names several issues, only the description of a bug of ours tells which one it was filed from.
 */
export function claimOf(route: Route, item: Item, accounts: OwnAccounts): Claim | null {
  const isOurs = isMadeByUs(item, accounts);
  if (item.kind === 'bug') {
    const [ref = null, ...others] = new Set(item.seeAlso.flatMap((url) => issueNumberIn(route, url) ?? []));
    return ref === null || (isOurs && others.length > 0) ? null : { ref, isOurs };
  }
  if (!isOurs) return null;
  const moved = movedBugIn(route.instance, item.body);
  if (moved !== null) return { ref: moved, isOurs };
  const marker = parseGithubMarker(route.instance, item.body);
  return marker === null || marker.comment !== null ? null : { ref: bugOver(item.body)?.bug ?? marker.bug, isOurs };
}

/**
 * Whether our own account filed the bug, or opened the issue. If a side does not name our account, no account counts as
 * ours. GitHub hides the account only from an installed app, and shows its items as a bot's.
 */
export function isMadeByUs(item: Item, accounts: OwnAccounts): boolean {
  const person = item.kind === 'bug' ? item.creator : item.author;
  const ours = accounts[sideOf(item)];
  return ours === null ? person.isBot === true : isBy(person, ours);
}

/** Whether the bridge made the only end of a link, and so wrote the name of the other end. */
function isClaimOurs({ tracker, github }: Link, accounts: OwnAccounts): boolean {
  const end = tracker ?? github;
  return end !== null && isMadeByUs(end, accounts);
}

/** Whether a bug that another route has moved to the product of this one, which takes it once its issue is left. */
export const isArriving = ({ name, selection: { product } }: Route, { route, tracker, takenFrom }: Link): boolean =>
  route !== name && tracker?.product === product && takenFrom !== product;

/** Whether the link has both ends. */
export const isWhole = (link: Link): boolean => link.bug !== null && link.issue !== null;

/**
 * Whether the link lacks exactly the end that the item would be. A private bug's link is frozen, but its issue still
 * belongs to it.
 */
export function lacksEnd(route: Route, link: Link, item: Item): boolean {
  const isOpen = link.state === 'live' || (link.state === 'frozen' && link.frozenBy === 'tracker');
  if (link.route !== route.name || !isOpen || isWhole(link) || isFormer(link)) return false;
  return item.kind === 'bug' ? link.bug === null : link.issue === null;
}

/** Whether the item may become the other end of the link, once a trusted source says that it is. */
export function mayBind(route: Route, link: Link, item: Item, accounts: OwnAccounts): boolean {
  if (!lacksEnd(route, link, item)) return false;
  const [bug, issue] = item.kind === 'bug' ? [refOf(item), link.github] : [Number(link.bug), item];
  return issue !== null && isFreeFor(route, bug, issue, accounts);
}

/**
 * The route has to select an issue that people opened, unless the bug left it and came back. An issue that we opened
 * for another bug stays with that bug.
 */
function isFreeFor(route: Route, bug: number, issue: Issue, accounts: OwnAccounts): boolean {
  if (!isMadeByUs(issue, accounts)) return whyNotIssue(route, issue, bug) === null;
  const said = claimOf(route, issue, accounts);
  return !isDashboard(issue.body) && (said === null || said.ref === bug);
}

/**
 * Why an unlinked item is not mirrored; null when it may be.
 * A linked bug keeps its link whatever changes.
 */
export function whyNotSelected(route: Route, item: Item): string | null {
  return item.kind === 'bug' ? whyNotBug(route, item) : whyNotIssue(route, item);
}

function whyNotBug(route: Route, bug: Bug): string | null {
  const { product, components, keyword, createdSinceAt, openOnly } = route.selection;
  const component = bug.values.component ?? '';
  if (bug.product !== product) return `the route takes product ${product}`;
  if (bug.isPrivate) return 'the bug is private';
  if (components !== null && !components.includes(component)) return `the route does not take component ${component}`;
  if (keyword !== null && !bug.keywords.some((each) => each.toLowerCase() === keyword.toLowerCase())) {
    return `the route takes bugs with the keyword ${keyword}`;
  }
  if (createdSinceAt !== null && bug.createdAt < createdSinceAt) return 'the bug is older than the route takes';
  if (openOnly && !isOpenView(statusView(route.status, bug.status, bug.resolution) ?? ''))
    return 'the route takes open bugs';
  return null;
}

function whyNotIssue(route: Route, issue: Issue, bug: number | null = null): string | null {
  if (isDashboard(issue.body)) return 'it is the dashboard of the bridge';
  const { label, instance } = route;
  const moved = movedBugIn(instance, issue.body);
  if (moved !== null && moved !== bug) return 'its bug moved to another product';
  // Whoever writes such a line under an issue of their own keeps that one out, and nothing else.
  const other = otherInstanceIn(instance, issue.body);
  if (other !== null) return `the bridge ${other} mirrors it`;
  if (label === null || issue.labels.some((each) => each.toLowerCase() === label.toLowerCase())) return null;
  return `the route takes issues with the label "${label}"`;
}

/** Joins two one-ended links that turn out to be the same. The older one stays. */
export function joinedLinks(keep: Link, absorb: Link): Link {
  return {
    ...keep,
    bug: keep.bug ?? absorb.bug,
    issue: keep.issue ?? absorb.issue,
    tracker: keep.tracker ?? absorb.tracker,
    github: keep.github ?? absorb.github,
    threadReadAt: keep.threadReadAt ?? absorb.threadReadAt,
    claim: null,
    urgency: keep.urgency === 'live' || absorb.urgency === 'live' ? 'live' : 'backfill',
  };
}

/** Updates which ends name the other. Once recorded, a pointer stays recorded. */
export function withPointers(route: Route, link: Link): Link {
  const { bug, github, pointed } = link;
  const isNamed = github !== null && bug !== null && parseGithubMarker(route.instance, github.body)?.bug === bug;
  return {
    ...link,
    pointed: { tracker: pointed.tracker || namesIssue(route, link), github: pointed.github || isNamed },
  };
}

/** Whether the bug, as last seen, names its issue in See Also. */
export const namesIssue = (route: Route, { tracker, issue }: Link): boolean =>
  tracker?.seeAlso.some((url) => issue !== null && issueNumberIn(route, url) === issue) ?? false;

/** Plans the pointers that are still missing; an end that is about to be created can be named after that. */
export function planPointers({ pointer }: Route, link: Link): readonly PointOperation[] {
  return sides
    .filter(
      (on) => !link.pointed[on] && (on === 'tracker' ? pointer === 'now' : hasRoomForFooter(link.github?.body ?? '')),
    )
    .map((on) => ({ kind: 'point', key: pointKey(link.id, on), link: link.id, about: aboutOf(link, on), on }));
}

/** Names the issue in a request that the bug's fields need anyway, so that no mail is sent for the name alone. */
export const withPointer = ({ pointer }: Route, { pointed }: Link, operation: UpdateOperation): UpdateOperation =>
  pointer === 'with-next-change' && operation.on === 'tracker' && !pointed.tracker
    ? { ...operation, isPointing: true }
    : operation;

export const pointKey = (link: LinkId, on: Side): string => `${link}:${on}:point`;

/**
 *   see-also  the URL goes into the bug's See Also field
 *   comment   that field does not accept the URL, so it goes into a comment
 *   footer    a line under the body of the issue
 */
export type Pointer =
  | { readonly how: 'see-also'; readonly url: string }
  | { readonly how: 'comment'; readonly text: string }
  | { readonly how: 'footer'; readonly footer: string };

/** How the end on `on` names the other; null while the link is not whole. */
export function pointerOf(route: Route, { tracker: bug, github: issue }: Link, on: Side): Pointer | null {
  if (bug === null || issue === null) return null;
  if (on === 'github') return { how: 'footer', footer: issueFooter(route, bug.id, bug.url) };
  return seeAlsoTakes(issue.url)
    ? { how: 'see-also', url: issue.url }
    : { how: 'comment', text: mirroredLine(issue.url) };
}

/** Stock trackers accept the URLs of github.com issues in see_also, and refuse those of other hosts. */
export const seeAlsoTakes = (url: string): boolean => url.startsWith('https://github.com/');

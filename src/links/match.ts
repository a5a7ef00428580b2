import { isOpenView, statusView } from '../fields/status.ts';
import type { Bug, Issue, Item } from '../model/item.ts';
import type { Link } from '../model/link.ts';
import type { Route } from '../model/route.ts';
import { isLogin } from '../people/people.ts';
import { parseGithubMarker } from '../text/marker.ts';

/**
 * What an observation means for the links. The state database decides first; then the pointers of the two ends;
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
export interface Known {
  /** The link that it belongs to. */
  readonly own: Link | null;
  /** The link of the other end that the item names. */
  readonly named: Link | null;
  /** One-ended links on the other side that name this item, lowest id first. */
  readonly claimants: readonly Link[];
}

export function match(route: Route, item: Item, claim: number | null, { own, named, claimants }: Known): Match {
  if (own !== null && own.route !== route.name) return { kind: 'ignore', reason: `it belongs to route ${own.route}` };
  if (own !== null && (isWhole(own) || own.state === 'tombstone')) return { kind: 'observe', link: own };
  const partner = [named, ...claimants].find((link) => link !== null && mayBind(route, link, item));
  if (partner) return { kind: 'bind', keep: partner, absorb: own };
  if (own !== null) return { kind: 'observe', link: own };
  // An end that already belongs to another link is no claim: waiting for it would be in vain.
  const open = named === null ? claim : null;
  const reason = whyNotSelected(route, item);
  if (reason !== null && !(open !== null && mayWait(route, item))) return { kind: 'ignore', reason };
  return { kind: 'begin', claim: open };
}

/** A bug that left the selection, or became private, still belongs to the issue that it names; otherwise that issue would get a second bug. */
const mayWait = (route: Route, item: Item): boolean => item.kind === 'bug' && item.product === route.selection.product;

/**
 * The number of the other end that an item names: a bug names its issue in see_also, an issue its bug in the marker under its body.
 * A marker counts only in an issue opened by our own account; any other issue is found by its bug's see_also.
 * @param ownLogin our account on GitHub; null when GitHub does not say, and then any author counts
 */
export function claimOf(route: Route, item: Item, ownLogin: string | null): number | null {
  if (item.kind === 'bug') return item.seeAlso.map((url) => issueNumberIn(route, url)).find((ref) => ref !== null) ?? null;
  if (ownLogin !== null && !isLogin(item.author.login, ownLogin)) return null;
  const marker = parseGithubMarker(route.instance, item.body);
  return marker === null || marker.comment !== null ? null : marker.bug;
}

/** The number in the URL of an issue of the route's repository, or null for any other URL. */
export function issueNumberIn(route: Route, url: string): number | null {
  const match = /^https?:\/\/[^/]+\/([^/]+)\/([^/]+)\/issues\/(\d+)(?:[?#].*)?$/u.exec(url);
  if (match === null) return null;
  const isOurs = `${match[1]}/${match[2]}`.toLowerCase() === `${route.owner}/${route.repo}`.toLowerCase();
  return isOurs ? Number(match[3]) : null;
}

const isWhole = (link: Link): boolean => link.bug !== null && link.issue !== null;

/** Whether the link lacks exactly the end that the item would be. A private bug's link is frozen, but its issue still belongs to it. */
function mayBind(route: Route, link: Link, item: Item): boolean {
  const isOpen = link.state === 'live' || (link.state === 'frozen' && link.frozenBy === 'tracker');
  if (link.route !== route.name || !isOpen || isWhole(link)) return false;
  return item.kind === 'bug' ? link.bug === null : link.issue === null;
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
  if (openOnly && !isOpenView(statusView(route.status, bug.status, bug.resolution) ?? '')) return 'the route takes open bugs';
  return null;
}

function whyNotIssue(route: Route, issue: Issue): string | null {
  const { label } = route;
  if (label === null || issue.labels.some((each) => each.toLowerCase() === label.toLowerCase())) return null;
  return `the route takes issues with the label "${label}"`;
}

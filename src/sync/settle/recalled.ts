/**
 * What a state that was put back, or lost, does not know of issues that people transferred: which bug an issue has, and
 * where it was before. The bug still names an address of the issue, and GitHub says where that leads.
 */

import type { Context, RouteState } from '../../kernel/context.ts';
import { repoOf, withItem } from '../../kernel/linked.ts';
import { spareAsync, workOn } from '../../kernel/set-aside.ts';
import { ofIssue, probeItem } from '../../kernel/unread.ts';
import { bugId, issueNumber } from '../../model/ids.ts';
import type { Bug, Comment, Issue } from '../../model/item.ts';
import type { FormerPlace, Link } from '../../model/link.ts';
import { namedIn, sameName } from '../../model/named.ts';
import { type IssuePlace, SideError } from '../../model/outcome.ts';
import { isBy } from '../../model/people.ts';
import { filedFrom } from '../../rules/comments/provenance.ts';
import { isMadeByUs } from '../../rules/links/match.ts';
import { parseGithubMarker, parseTrackerMarker, saysMoved } from '../../text/marker.ts';
import { bindFiled } from '../observe/bind-ends.ts';
import { oneEnded } from '../observe/observe-items.ts';
import { observeThread } from '../observe/observe-thread.ts';
import { wholeThread } from './first-texts.ts';

/**
 * Pairs an issue with the bug that it names, or that is said to be its own, if the bug names the issue, or an address
 * that leads to it, and we made one of the two: a name alone is anyone's. Throws `SideError`.
 * @returns the pair; `later` if a side does not tell now, or requests for the bug are in doubt
 */
export async function recallPair(context: Context, link: Link, issue: Issue): Promise<Link | 'later' | null> {
  const { store, route, session, tracker } = context;
  const marker = parseGithubMarker(route.instance, issue.body);
  const ref = marker?.comment === null ? marker.bug : link.claim;
  if (ref === null || saysMoved(route.instance, issue.body)) return null;
  const own = store.links.byBug(bugId(ref));
  if (own !== null && (own.issue !== null || own.state === 'tombstone')) return null;
  const probe = await probeItem(context, 'tracker', ref);
  if (probe instanceof SideError) return 'later';
  if (probe.kind !== 'there' || probe.item.kind !== 'bug') return null;
  const bug = probe.item;
  const threads = await tracker.threads([{ ref: bug.id, sinceAt: null }]);
  const comments = threads.flatMap((thread) => thread.comments);
  const said = isMadeByUs(bug, session.own) ? [filedFrom(comments) ?? ''] : [];
  const named = addressesIn(context, comments, isMadeByUs(issue, session.own) ? bug : null);
  const here = { repo: repoOf(context), number: issue.number };
  const formerly = await leadingTo(context, here, unknownIn(context, link, [...new Set([...said, ...named])]));
  if (formerly === null) return 'later';
  const isOurs = isMadeByUs(issue, session.own);
  // Of a bug that moved to the product of another route, no list of this one says that it names the issue.
  const leading = [issue.url, ...formerly.map(({ url }) => url)];
  const isNamed = (isOurs ? [...said, ...named] : said).some((url) => leading.some((each) => sameName(each, url)));
  if (!isNamed) return null;
  if (own !== null && store.outbox.ofLink(own.id, 'sent').length > 0) return 'later';
  const thread = await wholeThread(context, issue);
  if (thread === null) return 'later';
  const isTransferred = formerly.length > 0 && bug.product !== route.selection.product;
  return store.transaction(() => {
    // What the thread of an issue without a bug was taken for may be copies of that bug.
    store.links.remove(link.id);
    const begun = {
      ...oneEnded(context, isOurs ? 'tracker' : 'github'),
      formerly,
      takenFrom: isTransferred ? bug.product : null,
    };
    bindFiled(context, store.links.add(withItem(begun, issue, 'live')), bug);
    const pair = store.links.byBug(bug.id);
    if (pair !== null) observeThread(context, pair, 'github', { ...thread, isWhole: false }, 'live');
    return pair ?? 'later';
  });
}

/**
 * Adds to a pair the places that its issue had, by the addresses in what we wrote on the bug. Each is asked about once.
 * Throws `SideError`.
 */
export async function recallPlaces(context: Context, link: Link, comments: readonly Comment[]): Promise<Link> {
  const work = () => placesOf(context, link, comments);
  return (await spareAsync(context, workOn(context, link, 'read'), work)) ?? link;
}

async function placesOf(context: Context, link: Link, comments: readonly Comment[]): Promise<Link> {
  const { asked } = context.lookTurns;
  const keyOf = ({ url }: NamedIssue): string => `${link.id} ${url}`;
  const unknown = unknownIn(context, link, addressesIn(context, comments, null)).filter(
    (each) => !asked.has(keyOf(each)),
  );
  if (unknown.length === 0 || link.issue === null) return link;
  // The issue of a pair may be elsewhere by now.
  const now = await context.github.placeOf({ repo: link.repo, number: link.issue }).catch(ofIssue);
  const formerly = now === null || now instanceof SideError ? [] : await leadingTo(context, now, unknown);
  if (now instanceof SideError || formerly === null) return link;
  for (const each of unknown) asked.add(keyOf(each));
  return formerly.length === 0 ? link : { ...link, formerly: [...link.formerly, ...formerly] };
}

/** The issues that our comments on a bug name, and with the bug those in See Also; each once. */
export function addressesIn({ session }: Context, comments: readonly Comment[], bug: Bug | null): readonly string[] {
  const own = session.own.tracker;
  const ours = comments.filter(({ author }) => own === null || isBy(author, own));
  const named = ours.flatMap(({ text }) => parseTrackerMarker(text)?.url.split('#', 1) ?? []);
  return [...new Set([...named, ...(bug?.seeAlso ?? [])])];
}

/** The address of an issue, and the place that it names. */
export interface NamedIssue {
  readonly url: string;
  readonly place: IssuePlace;
}

/** Those of the addresses that name issues on the host of the route which no pair has or had. */
function unknownIn(context: Context, { id, formerly }: Link, urls: readonly string[]): readonly NamedIssue[] {
  const isFree = ({ repo, number }: IssuePlace): boolean => {
    const there = context.store.links.byIssue(repo, issueNumber(number));
    return there === null || (there.bug === null && there.id !== id);
  };
  return issuesIn(context, urls).filter(
    ({ url, place }) => !formerly.some((each) => sameName(each.url, url)) && isFree(place),
  );
}

/** Those of the addresses that name issues on the host of the route. */
export function issuesIn({ route }: RouteState, urls: readonly string[]): readonly NamedIssue[] {
  return urls.flatMap((url) => {
    const place = namedIn(url);
    const isThere = URL.canParse(url) && sameName(new URL(url).host, route.webHost) && url.includes('/issues/');
    return place?.kind === 'issue' && isThere ? [{ url, place }] : [];
  });
}

/** How many addresses of a bug are asked about, the oldest: anyone who may edit it can write thousands into it. */
export const addressesMax = 100;

/** Those that lead to where the issue is now; null if GitHub does not say where each leads. */
async function leadingTo(
  { github }: Context,
  now: IssuePlace,
  named: readonly NamedIssue[],
): Promise<readonly FormerPlace[] | null> {
  const found: FormerPlace[] = [];
  for (const { url, place } of named.slice(0, addressesMax)) {
    const at = await github.placeOf(place).catch(ofIssue);
    if (at instanceof SideError) return null;
    if (at?.number === now.number && sameName(at.repo, now.repo)) found.push({ url, comments: {} });
  }
  return found;
}

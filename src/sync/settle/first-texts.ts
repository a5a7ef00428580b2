/**
 * Copies that people wrote over, marker and all, before the state knew them, as after a backup was put back: what our
 * account wrote at first says what they are. Else they would cross as words of our account, and be written again.
 */

import type { Context, RouteState } from '../../kernel/context.ts';
import { markDirty } from '../../kernel/dirty.ts';
import { linkOf } from '../../kernel/linked.ts';
import { spare, spareAsync, type Work, workOn } from '../../kernel/set-aside.ts';
import { ofIssue, setItemUnread } from '../../kernel/unread.ts';
import type { LinkId } from '../../model/ids.ts';
import { type Comment, type Issue, type Item, refOf, sideOf } from '../../model/item.ts';
import type { CommentLink, Link } from '../../model/link.ts';
import { SideError } from '../../model/outcome.ts';
import { isBy } from '../../model/people.ts';
import type { Thread } from '../../model/replica.ts';
import { isOfBody } from '../../rules/comments/body.ts';
import { claimOf, isMadeByUs } from '../../rules/links/match.ts';
import { githubMarker, otherInstanceIn, parseGithubMarker, parseRemarkMarker, saysMoved } from '../../text/marker.ts';
import { observeItem } from '../observe/observe-items.ts';
import { type AsksLeft, asksMax } from './missing-copies.ts';

/**
 * The comments, with what our account wrote where only that says what they are. One request for each comment of our
 * account that the state does not know, that was edited, and that is not marked as the copy of a text: people may also
 * have pasted one copy over another. Those of which GitHub does not
 * say it now are left out, and their threads are read again: they may be copies. Throws `SideError`.
 */
export async function withFirstTexts(
  context: Context,
  comments: readonly Comment[],
  asks: AsksLeft,
): Promise<readonly Comment[]> {
  const found: Comment[] = [];
  for (const comment of comments) {
    const work: Work = { side: 'github', ref: comment.ref, stage: 'read', of: 'thread', content: () => undefined };
    const isOwn = isEditedOwn(context, comment);
    const others = isOwn ? comments.filter(({ id, ref }) => ref === comment.ref && id !== comment.id) : [];
    const ask = () => firstTextIn(context, comment, others, asks);
    const firstText = isOwn ? await spareAsync(context, work, ask) : null;
    if (firstText instanceof SideError) waitFor(context, linkOf(context, 'github', comment.ref));
    else found.push(firstText === null ? comment : { ...comment, firstText });
  }
  return found;
}

/** Likewise for a thread: one that lacks comments is not whole. Throws `SideError`. */
export async function threadWithFirstTexts(context: Context, thread: Thread, asks: AsksLeft): Promise<Thread> {
  const comments = await withFirstTexts(context, thread.comments, asks);
  return { ...thread, comments, isWhole: thread.isWhole && comments.length === thread.comments.length };
}

/** The whole thread of an issue; null if GitHub does not show it now. Throws `SideError`. */
export async function wholeThread(context: Context, { number, commentCount }: Issue): Promise<Thread | null> {
  const [read] = await context.github.threads([{ ref: number, sinceAt: null }]);
  const thread = read && (await threadWithFirstTexts(context, read, { left: asksMax }));
  return thread?.isWhole && thread.comments.length >= commentCount ? thread : null;
}

/** What a link has copies of is not known before they are. */
function waitFor({ store, lookTurns }: Context, link: Link | null): void {
  if (link === null) return;
  lookTurns.untold.add(link.id);
  store.transaction(() => markDirty({ store }, link.id));
}

const isEditedOwn = ({ session: { own } }: Context, { side, author, createdAt, changedAt }: Comment): boolean =>
  side === 'github' && changedAt > createdAt && isBy(author, own.github);

async function firstTextIn(
  context: Context,
  comment: Comment,
  others: readonly Comment[],
  asks: AsksLeft,
): Promise<First> {
  const { store, route } = context;
  const { ref, id, text } = comment;
  const link = linkOf(context, 'github', ref);
  // What a comment was taken for before the issue had a bug says nothing.
  const isKnown =
    link !== null && link.bug !== null && store.commentLinks.named(link.id, { counts: [], ids: [id] }).length > 0;
  const isMarked = parseRemarkMarker(route.instance, text) !== null || isOnlyCopy(context, link, comment, others);
  if (isKnown || isMarked) return null;
  if (asks.left === 0) return new SideError('later', 'GitHub was asked about enough texts', { side: 'github' });
  asks.left -= 1;
  return firstTextOf(context, ref, id);
}

/** Whether a comment is marked as the copy of a text of its bug that has no other copy. */
function isOnlyCopy(
  { store, route }: RouteState,
  link: Link | null,
  { id, text }: Comment,
  others: readonly Comment[],
): boolean {
  const marker = parseGithubMarker(route.instance, text);
  if (marker === null || marker.comment === null || link === null) return marker !== null;
  const part = marker.part?.index ?? 1;
  const isOther = ({ copy, ...row }: CommentLink): boolean => row.part === part && copy !== null && copy.id !== id;
  return (
    marker.bug === (link.bug ?? link.claim) &&
    !store.commentLinks.ofSource(link.id, 'tracker', marker.comment).some(isOther) &&
    !others.some((other) => other.text.trimEnd().endsWith(githubMarker(route.instance, marker)))
  );
}

/**
 * Stores items that were read by their numbers, with what our account wrote first. Throws `SideError`.
 * @returns those of which GitHub does not say that now: they are read later
 */
export async function observeFound(
  context: Context,
  items: readonly Item[],
  urgency: 'live' | 'backfill',
): Promise<readonly Item[]> {
  const { store, session } = context;
  const news = items.filter((item) => linkOf(context, sideOf(item), refOf(item)) === null);
  const told = await withFirstIssues(context, items);
  store.transaction(() => {
    for (const item of told) observeItem(context, item, urgency);
  });
  // A cycle that has read threads before knows neither what of it is on these issues, nor what of theirs is on it.
  for (const item of news) {
    const side = sideOf(item);
    const work: Work = { side, ref: refOf(item), stage: 'read', of: 'item', content: () => item };
    spare(context, work, () => {
      const link = linkOf(context, side, refOf(item));
      const isUnclear = side === 'github' ? isMadeByUs(item, session.own) : link !== null && link.issue !== null;
      if (isUnclear) waitFor(context, link);
    });
  }
  return items.filter((item) => !told.includes(item));
}

/**
 * The items, and before each issue of our account that is new and names no bug the issue as it was at first: that names
 * the bug, and what people made of it since is an edit. An issue of which GitHub does not say it now is read later.
 * Throws `SideError`.
 */
export async function withFirstIssues(context: Context, items: readonly Item[]): Promise<readonly Item[]> {
  const found: Item[] = [];
  for (const item of items) {
    const work: Work = { side: sideOf(item), ref: refOf(item), stage: 'read', of: 'item', content: () => item };
    const body = item.kind === 'issue' ? await spareAsync(context, work, () => newBodyOf(context, item)) : null;
    if (body instanceof SideError) setItemUnread(context, 'github', refOf(item), body);
    else found.push(...(body === null || item.kind === 'bug' ? [] : [{ ...item, body }]), item);
  }
  return found;
}

async function newBodyOf(context: Context, issue: Issue): Promise<First> {
  const isNew =
    linkOf(context, 'github', issue.number) === null && claimOf(context.route, issue, context.session.own) === null;
  const isOfOther = otherInstanceIn(context.route.instance, issue.body) !== null;
  return isNew && !isOfOther && mayBeEdited(context, issue) ? firstTextOf(context, issue.number, null) : null;
}

/**
 * The bodies of issues as our account wrote them, where only that says what they are; null if GitHub does not say it
 * now. Throws `SideError`.
 */
export async function firstBodies(
  context: Context,
  links: readonly Link[],
): Promise<ReadonlyMap<LinkId, string | null>> {
  const found = new Map<LinkId, string | null>();
  for (const link of links) {
    const body = await spareAsync(context, workOn(context, link, 'read'), () => firstBodyOf(context, link.id));
    if (body instanceof SideError) waitFor(context, link);
    if (body !== null) found.set(link.id, body instanceof SideError ? null : body);
  }
  return found;
}

async function firstBodyOf(context: Context, id: LinkId): Promise<First> {
  const issue = issueInQuestion(context, id);
  if (issue === null) return null;
  const body = await firstTextOf(context, issue.number, null);
  return typeof body !== 'string' || isCopyOf(context, id, body) ? body : null;
}

/** The issue of the link, if only its first body says whose its body is; null otherwise. */
export function issueInQuestion(context: Context, id: LinkId): Issue | null {
  const { store, session } = context;
  const { tracker: bug = null, github: issue = null } = store.links.byId(id) ?? {};
  if (bug === null || issue === null || isMadeByUs(bug, session.own) || !mayBeEdited(context, issue)) return null;
  const isKnown = store.commentLinks.ofLink(id).some(isOfBody);
  return isKnown || isCopyOf(context, id, issue.body) ? null : issue;
}

const isCopyOf = ({ route, store }: Context, id: LinkId, body: string): boolean =>
  parseGithubMarker(route.instance, body)?.bug === store.links.byId(id)?.bug;

/** Whether it is an issue of our account whose body may be the words of others, also in the second of its creation. */
const mayBeEdited = ({ route, session: { own } }: Context, issue: Issue): boolean =>
  own.github !== null && isMadeByUs(issue, own) && !saysMoved(route.instance, issue.body);

/** Null if GitHub never says it, the failure if it does not now. */
type First = string | null | SideError;

async function firstTextOf({ github }: Context, ref: number, comment: number | null): Promise<First> {
  const text = await github.firstText(ref, comment).catch(ofIssue);
  return text instanceof SideError && text.kind !== 'later' ? null : text;
}

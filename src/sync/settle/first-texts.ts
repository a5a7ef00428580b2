/**
 * Copies that people wrote over, marker and all, before the state knew them, as after a backup was put back: what our
 * account wrote at first says what they are. Else they would cross as words of our account, and be written again.
 */

import type { Context } from '../../kernel/context.ts';
import { linkOf } from '../../kernel/linked.ts';
import { spareAsync, type Work, workOn } from '../../kernel/set-aside.ts';
import { ofIssue } from '../../kernel/unread.ts';
import type { LinkId } from '../../model/ids.ts';
import { type Comment, type Issue, type Item, refOf, sideOf } from '../../model/item.ts';
import { bodyId, type Link } from '../../model/link.ts';
import { isLogin } from '../../model/people.ts';
import { claimOf, isMadeByUs } from '../../rules/links/match.ts';
import { parseGithubMarker, parseRemarkMarker, saysMoved } from '../../text/marker.ts';
import type { AsksLeft } from './missing-copies.ts';

/**
 * The comments, with what our account wrote where only that says what they are. One request for each comment of our
 * account that the state does not know, that was edited, and that is not marked as ours. Throws `SideError`.
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
    const firstText = isOwn ? await spareAsync(context, work, () => firstTextIn(context, comment, asks)) : null;
    found.push(firstText === null ? comment : { ...comment, firstText });
  }
  return found;
}

const isEditedOwn = ({ session: { own } }: Context, { side, author, createdAt, changedAt }: Comment): boolean =>
  side === 'github' && changedAt > createdAt && own.github !== null && isLogin(author.login, own.github);

async function firstTextIn(context: Context, { ref, id, text }: Comment, asks: AsksLeft): Promise<string | null> {
  const { store, route } = context;
  const link = linkOf(context, 'github', ref);
  const isKnown = link !== null && store.commentLinks.named(link.id, { counts: [], ids: [id] }).length > 0;
  const isMarked = parseGithubMarker(route.instance, text) ?? parseRemarkMarker(route.instance, text);
  if (isKnown || isMarked !== null || asks.left === 0) return null;
  asks.left -= 1;
  return firstTextOf(context, ref, id);
}

/**
 * The items, and before each issue of our account that is new and names no bug the issue as it was at first: that names
 * the bug, and what people made of it since is an edit. Throws `SideError`.
 */
export async function withFirstIssues(
  context: Context,
  items: readonly Item[],
  asks: AsksLeft,
): Promise<readonly Item[]> {
  const found: Item[] = [];
  for (const item of items) {
    const work: Work = { side: sideOf(item), ref: refOf(item), stage: 'read', of: 'item', content: () => item };
    const body = item.kind === 'issue' ? await spareAsync(context, work, () => newBodyOf(context, item, asks)) : null;
    found.push(...(body === null || item.kind === 'bug' ? [] : [{ ...item, body }]), item);
  }
  return found;
}

async function newBodyOf(context: Context, issue: Issue, asks: AsksLeft): Promise<string | null> {
  const isNew =
    linkOf(context, 'github', issue.number) === null && claimOf(context.route, issue, context.session.own) === null;
  if (!isNew || asks.left === 0 || !isEditedByOthers(context, issue)) return null;
  asks.left -= 1;
  return firstTextOf(context, issue.number, null);
}

/** The bodies of issues as our account wrote them, where only that says what they are. Throws `SideError`. */
export async function firstBodies(context: Context, links: readonly Link[]): Promise<ReadonlyMap<LinkId, string>> {
  const found = new Map<LinkId, string>();
  for (const link of links) {
    const body = await spareAsync(context, workOn(context, link, 'read'), () => firstBodyOf(context, link.id));
    if (body !== null) found.set(link.id, body);
  }
  return found;
}

async function firstBodyOf(context: Context, id: LinkId): Promise<string | null> {
  const { route, store, session } = context;
  const { tracker: bug = null, github: issue = null } = store.links.byId(id) ?? {};
  if (bug === null || issue === null || isMadeByUs(bug, session.own) || !isEditedByOthers(context, issue)) return null;
  const isCopy = (body: string): boolean => parseGithubMarker(route.instance, body)?.bug === bug.id;
  const isKnown = store.commentLinks.ofLink(id).some(({ source, copy }) => source === bodyId || copy?.id === bodyId);
  if (isKnown || isCopy(issue.body)) return null;
  const body = await firstTextOf(context, issue.number, null);
  return body !== null && isCopy(body) ? body : null;
}

/** Whether others may have edited an issue of our account, as far as its stamps tell. */
const isEditedByOthers = ({ route, session: { own } }: Context, issue: Issue): boolean =>
  own.github !== null &&
  issue.changedAt > issue.createdAt &&
  isMadeByUs(issue, own) &&
  !saysMoved(route.instance, issue.body);

/** What GitHub does not say now is as if nobody had edited it. */
async function firstTextOf({ github }: Context, ref: number, comment: number | null): Promise<string | null> {
  const text = await github.firstText(ref, comment).catch(ofIssue);
  return typeof text === 'string' ? text : null;
}

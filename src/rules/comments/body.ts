/**
 * The body of an issue is part of its thread: either a person wrote it, and it becomes the bug's description; or the
 * bridge wrote it, as the copy of a description.
 */

import type { Issue } from '../../model/item.ts';
import { bodyId, type CommentCopy, type CommentLink, type Link, type NewCommentLink } from '../../model/link.ts';
import { type Account, isBy } from '../../model/people.ts';
import type { Route } from '../../model/route.ts';
import { canonicalText, digestOf } from '../../text/canonical.ts';
import { withoutFooter } from '../../text/footer.ts';
import { parseGithubMarker, saysMoved } from '../../text/marker.ts';
import { whyHidden } from '../privacy/gate.ts';
import { hasPointerUnder, saysNothing, saysWhoFiled } from '../privacy/neutral.ts';
import { isShort } from './changed-words.ts';
import { withText } from './known-comment.ts';
import { commentAfter, newCommentLink, originOn, withCopy } from './life.ts';

/**
 * The comment link of a body. Null if there is nothing to store, or not yet: with a marker, the tracker's description
 * must be read first. The description of a bug that is not public cannot be read, so the issue alone must decide.
 * @param own our login on GitHub; null if it is unknown
 */
export function readBody(
  route: Route,
  link: Link,
  issue: Issue,
  commentLinks: readonly CommentLink[],
  own: Account | null,
): NewCommentLink | CommentLink | null {
  const digest = bodyDigest(issue.body);
  const text = withoutFooter(issue.body);
  const source = commentLinks.find(
    (commentLink) => commentLink.origin === 'github' && commentLink.source === bodyId && commentLink.part === 1,
  );
  if (source) return source.digest === digest ? null : withText(source, text, digest);
  const copy = commentLinks.find((commentLink) => commentLink.copy?.id === bodyId);
  if (copy)
    return emptiedCopy(copy, text, digest) ?? filledCopy(copy, text, digest) ?? restoredCopy(route, copy, digest);
  const marker = parseGithubMarker(route.instance, issue.body);
  // A marker that people pasted names another bug.
  if (marker !== null && marker.bug === (link.bug ?? link.claim)) {
    const now = link.github === null ? digest : bodyDigest(link.github.body);
    const paired = pairedBody(commentLinks, { text, digest, now, parts: marker.part?.count ?? 1 });
    if (paired !== null || whyHidden(route, link) === null || !isPeoplesBody(issue, own)) return paired;
  }
  // What our account opened for a bug is a copy, whatever people made of it: in doubt nothing of a hidden bug may stay.
  const isForBug = link.claim !== null || (link.bug !== null && whyHidden(route, link) !== null);
  if (isForBug && isBy(issue.author, own)) return null;
  // The line of a move is ours, also where the body has no copy: a bug without a description.
  if (saysMoved(route.instance, issue.body) && !isPeoplesBody(issue, own)) return null;
  const { author, url, createdAt } = issue;
  const place = { link: link.id, source: bodyId, count: null, author, url, createdAt };
  return newCommentLink({ ...originOn('github'), ...place, text, digest }, null);
}

/** Whether it is the body of the issue, as an original or as a copy. */
export const isOfBody = ({ source, copy }: Pick<CommentLink, 'source' | 'copy'>): boolean =>
  source === bodyId || copy?.id === bodyId;

/** Digest of an issue's body as people edit it, without the lines that the bridge added below it. */
export const bodyDigest = (body: string): string => digestOf(canonicalText(withoutFooter(body)));

/**
 * Whether the copy of a tracker's comment would be left to people: it is not what we wrote, as far as the state knows,
 * or the state does not know what we wrote, and the tracker shows another text by now.
 */
export function isCopyLeft(route: Route, row: CommentLink, issue: Issue | null): boolean {
  const { origin, state, copy, wrote, digest, mirrored } = row;
  if (origin !== 'tracker' || state !== 'mirrored' || copy === null || copy.digest === null || issue === null)
    return false;
  if (copy.id === bodyId) return bodyDigest(issue.body) !== copy.digest;
  return copy.isEdited ? route.copies === 'leave' : wrote === null && mirrored !== null && digest !== mirrored;
}

/**
 * The copies of a tracker's comments whose edit the next plan judges as one by people: it tells the edit of a body, or
 * leaves a text that would be another one by now.
 */
export function editNews({ direction }: Route, rows: readonly CommentLink[], issue: Issue | null) {
  const stale = new Set(rows.flatMap((row) => (row.origin === 'tracker' && row.isStale ? [row.source] : [])));
  const unknown = new Set(unknownCopies(rows));
  return rows.filter((row) => {
    const { origin, state, copy, source } = row;
    if (origin !== 'tracker' || state !== 'mirrored' || copy === null || copy.digest === null || issue === null)
      return false;
    if (unknown.has(row)) return true;
    if (copy.id !== bodyId) return copy.isEdited && stale.has(source);
    return !copy.isEdited && bodyDigest(issue.body) !== copy.digest && (direction !== 'to-github' || stale.has(source));
  });
}

/** Copies of which the state only knows that they are there, as after an import, and whose texts were edited since. */
export function unknownCopies(rows: readonly CommentLink[]): readonly CommentLink[] {
  const edited = rows.flatMap(({ origin, part, isStale, source, mirrored, digest }) =>
    origin === 'tracker' && part === 1 && isStale && mirrored !== digest ? [source] : [],
  );
  return edited.length === 0
    ? []
    : rows.filter(
        ({ origin, state, source, copy, wrote }) =>
          origin === 'tracker' && state === 'mirrored' && copy !== null && wrote === null && edited.includes(source),
      );
}

/** The copy as the bridge wrote it, where the state is older than that. A mark is stored with the first part of a text. */
export function ownCopy(row: CommentLink, digest: string, rows: readonly CommentLink[]): readonly CommentLink[] {
  const own = { ...withCopy(row, { digest, isEdited: false }), wrote: digest };
  if (row.part === 1) return [{ ...own, isStale: true }];
  const first = rows.find(({ origin, source, part }) => origin === row.origin && source === row.source && part === 1);
  return first === undefined ? [own] : [own, { ...first, isStale: true }];
}

/**
 * A body that we emptied, if the answer to our request was lost: it is no edit by people. Null if that does not apply,
 * or is known.
 */
function emptiedCopy(commentLink: CommentLink, text: string, digest: string): CommentLink | null {
  const { state, copy, wrote } = commentLink;
  if (state !== 'mirrored' || copy?.digest === digest || wrote === digest || !saysNothing(text)) return null;
  return { ...withCopy(commentLink, { digest, isEdited: false }), wrote: digest, isStale: true };
}

/** A body that shows a description again which was withdrawn from it: an older state does not know that we filled it. */
function filledCopy(commentLink: CommentLink, text: string, digest: string): CommentLink | null {
  const { state, mirrored } = commentLink;
  if (state !== 'withdrawn' || mirrored !== null || !saysWhoFiled(text) || saysNothing(text)) return null;
  return { ...withCopy(commentLink, { digest, isEdited: false }), mirrored: digest };
}

/**
 * On a route to GitHub, an edited body is not reported; on other routes it is reported to the bug, and stays as edited.
 */
function restoredCopy({ direction, copies }: Route, commentLink: CommentLink, digest: string): CommentLink | null {
  const { copy } = commentLink;
  const isEdited = copy !== null && copy.digest !== null && copy.digest !== digest;
  if (direction !== 'to-github' || copies !== 'restore' || !isEdited || copy.isEdited) return null;
  return { ...withCopy(commentLink, { isEdited: true }), isStale: true };
}

/** An issue's body as it was read, without the lines that the bridge added below it. */
interface ReadBody {
  readonly text: string;
  readonly digest: string;
  /** That of what people made of it since. */
  readonly now: string;
  readonly parts: number;
}

/**
 * The description that a body with our marker is the copy of, paired with it; null if there is none yet. A body without
 * any text of the description is ours, and is rewritten once the text may be shown; a body with the text of a hidden
 * description must be withdrawn.
 */
function pairedBody(commentLinks: readonly CommentLink[], { text, digest, now, parts }: ReadBody): CommentLink | null {
  const ofBug = commentLinks.filter(({ origin, count, part }) => origin === 'tracker' && count === 0 && part === 1);
  const description = ofBug.find(({ state }) => state === 'pending');
  const empty = saysNothing(text) ? digest : null;
  const pair = (commentLink: CommentLink): CommentLink => {
    // The bug says already what people made of it (`reported`).
    const isTold = now !== digest && commentLink.mirrored === now;
    const copy: CommentCopy = { id: bodyId, digest: isTold ? now : digest, isEdited: isTold, minimize: null };
    // A body that no request of ours wrote may have words of people.
    const wrote = commentLink.wrote === digest ? digest : empty;
    return commentAfter(commentLink, {
      kind: 'copied',
      copy,
      parts,
      wrote,
      mirrored: (isTold ? null : commentLink.mirrored) ?? commentLink.digest,
      isStale: true,
    });
  };
  if (description !== undefined) return pair(description);
  const hidden = ofBug.find(({ state, copy }) => state === 'withdrawn' && copy === null);
  return hidden === undefined || empty !== null ? null : pair(hidden);
}

/**
 * Whether people wrote a body with our marker, judged by the issue alone, as after a lost database. All signs must
 * agree: another user opened the issue, it does not begin like our copies, and our line is below it, as it is below
 * texts that are not ours. In doubt it counts as a copy, so that nothing of the tracker stays: if our account is
 * unknown, or if people use it too.
 */
function isPeoplesBody({ author, body }: Issue, own: Account | null): boolean {
  return own !== null && !isBy(author, own) && !saysWhoFiled(body) && hasPointerUnder(body);
}

/**
 * The description whose copy was edited, with the previous text of the copy, so that the changes can be reported. Null
 * if there is none, if the previous text is already stored, or if it is too long to compare.
 * @param before the issue as last seen
 */
export function withBodyBefore(commentLinks: readonly CommentLink[], before: Issue, after: Issue): CommentLink | null {
  const copy = commentLinks.find(
    (commentLink) =>
      commentLink.origin === 'tracker' &&
      commentLink.part === 1 &&
      commentLink.state === 'mirrored' &&
      commentLink.copy?.id === bodyId,
  );
  const [was, is] = [bodyDigest(before.body), bodyDigest(after.body)];
  if (copy === undefined || copy.copy?.digest !== was || is === was || is === copy.wrote) return null;
  const text = withoutFooter(before.body);
  return isShort(text) && copy.before !== text ? { ...copy, before: text } : null;
}

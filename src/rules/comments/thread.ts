import { otherSide, type Side } from '../../model/ids.ts';
import type { Comment, Issue } from '../../model/item.ts';
import { bodyId, type CommentLink, type Link, type NewCommentLink } from '../../model/link.ts';
import { isLogin } from '../../model/people.ts';
import type { Thread } from '../../model/replica.ts';
import type { Route } from '../../model/route.ts';
import { canonicalText, digestOf } from '../../text/canonical.ts';
import { carries } from '../../text/kept-markdown.ts';
import { parseGithubMarker, saysMoved, withoutFooter } from '../../text/marker.ts';
import { isWordless, noText } from '../../text/to-tracker.ts';
import { headingIn, tagIn } from '../attachments/linked.ts';
import { duplicateNoteIn } from '../fields/relations.ts';
import { whyHidden } from '../privacy/gate.ts';
import { isShort } from './changed-words.ts';
import { hidden, isErasedByUs, withoutCopy } from './hide.ts';
import { commentAfter, newCommentLink, originOn, withCopy } from './life.ts';
import { type Provenance, provenanceOf } from './provenance.ts';
import {
  copyIn,
  emptied,
  foundAgain,
  isOutdated,
  isPeoplesBody,
  isSamePart,
  minimizeReasonOf,
  pairedBody,
  seenAgain,
  versionOf,
  withText,
} from './seen-again.ts';

/**
 * The result of reading a thread, for the comment links of its link.
 *
 *   a comment we know as a source       remember its text if it changed
 *   a comment we know as a copy         nothing; its marker is not even read
 *   unknown, with our marker            a copy whose creation was in doubt, or was forgotten: pair it with its source
 *   unknown                             a new comment link, pending
 *   known, not in a complete reading    gone: never recreated
 */
export interface ThreadReading {
  readonly add: readonly NewCommentLink[];
  readonly save: readonly CommentLink[];
  /** True if a comment of the bug names its issue. */
  readonly isPointed: boolean;
  /** The issue that a bug's description says it was filed from; null if there is none. */
  readonly claim: number | null;
}

export interface Reader {
  /** Our login on the side that was read; null if it is unknown. */
  readonly own: string | null;
  /**
   * Comments that this side reported as stored: if one does not show, it may still appear, or was never stored; it was
   * not deleted.
   */
  readonly reported?: readonly number[];
  /** Digests of texts that we sent for copies without an answer: one that shows up late is no edit by people. */
  readonly inDoubt?: readonly string[];
}

export function readThread(
  route: Route,
  link: Link,
  commentLinks: readonly CommentLink[],
  side: Side,
  thread: Thread,
  { own, reported = [], inDoubt = [] }: Reader,
): ThreadReading {
  const add: NewCommentLink[] = [];
  const save = new Map<number, CommentLink>();
  const now = (commentLink: CommentLink) => save.get(commentLink.id) ?? commentLink;
  let isPointed = false;
  let claim: number | null = null;
  for (const comment of thread.comments) {
    if (comment.isPrivate) {
      if (side === 'tracker')
        for (const commentLink of hidden(commentLinks.map(now), comment.id, 'it is private'))
          save.set(commentLink.id, commentLink);
      continue;
    }
    const known = commentLinks.find((commentLink) => idOn(side, commentLink) === comment.id);
    if (known && isOutdated(now(known), comment, thread.readAt)) continue;
    if (known) {
      for (const commentLink of seenAgain(route, now(known), side, comment, {
        commentLinks: commentLinks.map(now),
        inDoubt,
      }))
        save.set(commentLink.id, commentLink);
      continue;
    }
    const isOurs =
      own === null ||
      isLogin(comment.author.login, own) ||
      (comment.count === 0 && link.origin === 'github' && link.issue !== null);
    const provenance = isOurs ? provenanceOf(route, link, comment) : null;
    if (provenance === null) {
      add.push(
        commentLinkOf(
          link,
          side,
          comment,
          isOurs && isAboutOwnFile(comment) ? 'the bridge wrote it' : whyNotMirrored(side, comment),
        ),
      );
      continue;
    }
    if (provenance.kind === 'pointer') isPointed = true;
    if (provenance.kind === 'copy' && comment.count === 0) claim = provenance.issue;
    const remark = provenance.kind === 'remark' ? { remark: provenance.remark } : {};
    if (provenance.kind !== 'copy')
      add.push({ ...commentLinkOf(link, side, comment, 'the bridge wrote it'), ...remark });
    if (provenance.kind === 'copy' && provenance.part > 1) {
      const row = partRow(link, side, provenance, comment);
      const lost = commentLinks
        .map(now)
        .find((each) => each.copy === null && each.state !== 'gone' && isSamePart(each, row));
      if (lost !== undefined)
        for (const each of foundAgain(lost, row, comment, commentLinks.map(now))) save.set(each.id, each);
      else if (![...commentLinks, ...add].some((commentLink) => isSamePart(commentLink, row))) add.push(row);
      continue;
    }
    const source = commentLinks.map(now).find((commentLink) => isSourceOf(provenance, side, commentLink));
    const recovered = add.findIndex((commentLink) => isSourceOf(provenance, side, commentLink));
    if (source) save.set(source.id, withProvenance(source, provenance, comment));
    else if (recovered >= 0)
      add.splice(
        recovered,
        1,
        ...add.slice(recovered, recovered + 1).map((commentLink) => withProvenance(commentLink, provenance, comment)),
      );
    else if (provenance.kind === 'copy') add.push(recoveredCommentLink(link, side, provenance, comment));
  }
  if (thread.isWhole)
    for (const commentLink of missing(route, side, commentLinks, [...thread.comments.map(({ id }) => id), ...reported]))
      save.set(commentLink.id, commentLink);
  return { add, save: [...save.values()], isPointed, claim };
}

/**
 * The body of an issue is part of its thread: either a person wrote it, and it becomes the bug's description; or the
 * bridge wrote it, as the copy of a description. Null if there is nothing to store, or not yet: with a marker, the
 * tracker's description must be read first. The description of a bug that is not public cannot be read, so the issue
 * alone must decide.
 * @param own our login on GitHub; null if it is unknown
 */
export function readBody(
  route: Route,
  link: Link,
  issue: Issue,
  commentLinks: readonly CommentLink[],
  own: string | null,
): NewCommentLink | CommentLink | null {
  const digest = bodyDigest(issue.body);
  const text = withoutFooter(issue.body);
  const source = commentLinks.find(
    (commentLink) => commentLink.origin === 'github' && commentLink.source === bodyId && commentLink.part === 1,
  );
  if (source) return source.digest === digest ? null : withText(source, text, digest);
  const copy = commentLinks.find((commentLink) => commentLink.copy?.id === bodyId);
  if (copy) {
    const restored = () =>
      isToRestore(route, copy, digest) ? { ...withCopy(copy, { isEdited: true }), isStale: true } : null;
    return emptied(copy, text, digest) ?? restored();
  }
  const marker = parseGithubMarker(route.instance, issue.body);
  // A marker that people pasted names another bug.
  if (marker !== null && marker.bug === (link.bug ?? link.claim)) {
    const paired = pairedBody(commentLinks, { text, digest, parts: marker.part?.count ?? 1 });
    if (paired !== null || whyHidden(route, link) === null || !isPeoplesBody(issue, own)) return paired;
  }
  // The line of a move is ours, also where the body has no copy: a bug without a description.
  if (saysMoved(route.instance, issue.body) && !isPeoplesBody(issue, own)) return null;
  const { author, url, createdAt } = issue;
  const place = { link: link.id, source: bodyId, count: null, author, url, createdAt };
  return newCommentLink({ ...originOn('github'), ...place, text, digest }, null);
}

/**
 * On a route to GitHub, an edited body is not reported; on other routes it is reported to the bug, and stays as edited.
 */
const isToRestore = (route: Route, { copy }: CommentLink, digest: string): boolean =>
  route.direction === 'to-github' &&
  route.copies === 'restore' &&
  copy !== null &&
  !copy.isEdited &&
  copy.digest !== null &&
  copy.digest !== digest;

/** Digest of an issue's body as people edit it, without the lines that the bridge added below it. */
export const bodyDigest = (body: string): string => digestOf(canonicalText(withoutFooter(body)));

/**
 * The number of comments that an issue should show, as far as we know; a different number means that comments were
 * deleted or missed.
 */
export function expectedCommentCount(commentLinks: readonly CommentLink[]): number {
  return commentLinks.filter((commentLink) => {
    const id = idOn('github', commentLink);
    return id !== null && id !== bodyId && !(commentLink.state === 'gone' && commentLink.origin === 'github');
  }).length;
}

/** The comments that we know and an issue lacks: they were deleted, or the list lags behind. */
export const missingOf = (commentLinks: readonly CommentLink[], comments: readonly Comment[]): readonly CommentLink[] =>
  commentLinks.filter((commentLink) => {
    const id = commentLink.state === 'gone' ? null : idOn('github', commentLink);
    return id !== null && id !== bodyId && !comments.some((comment) => comment.id === id);
  });

/** The further parts of a text have their own copies; their source is the source of the first part. */
const idOn = (side: Side, commentLink: CommentLink): number | null =>
  commentLink.origin !== side ? (commentLink.copy?.id ?? null) : commentLink.part === 1 ? commentLink.source : null;

function commentLinkOf(link: Link, side: Side, comment: Comment, reason: string | null): NewCommentLink {
  const text = canonicalText(comment.text);
  const { author, url, createdAt, count, id: source } = comment;
  const style = comment.isMarkdown ? { isMarkdown: true as const } : {};
  const ofTracker = {
    ...style,
    attachment: headingIn(text)?.attachment ?? null,
    minimize: minimizeReasonOf(comment.tags ?? []),
  };
  const place = { link: link.id, source, count, author, url, createdAt, ...versionOf(comment) };
  return newCommentLink({ ...originOn(side, ofTracker), ...place, text, digest: digestOf(text) }, reason);
}

function whyNotMirrored(side: Side, comment: Comment): string | null {
  if (side === 'github') return isWordless(comment.text) ? noText : null;
  if (comment.count === 0) return null;
  if (comment.text.trim() === '') return noText;
  const { words, note } = duplicateNoteIn(comment.text);
  return note !== null && words.trim() === '' ? 'the tracker wrote it' : null;
}

/** The tracker itself reports that a file was attached, including the files of the issue. */
const isAboutOwnFile = ({ side, text }: Comment): boolean =>
  side === 'tracker' && tagIn(headingIn(text)?.summary ?? '') !== null;

/** A report about the body of an issue that mirrors a bug belongs to the bug's description. */
function isSourceOf(provenance: Provenance, side: Side, commentLink: NewCommentLink): boolean {
  if (commentLink.part > 1) return false;
  if (commentLink.origin === otherSide(side)) return commentLink.source === provenance.source;
  return provenance.kind === 'report' && provenance.source === bodyId && commentLink.copy?.id === bodyId;
}

function withProvenance(source: CommentLink, provenance: Provenance, comment: Comment): CommentLink;
function withProvenance(source: NewCommentLink, provenance: Provenance, comment: Comment): NewCommentLink;
function withProvenance(source: NewCommentLink, provenance: Provenance, comment: Comment): NewCommentLink {
  if (provenance.kind === 'deletion')
    return commentAfter(source, { kind: 'deleted', reason: goneFrom('github'), isCopyLeft: true, isToReport: false });
  if (source.state === 'gone') return source;
  if (provenance.kind === 'report') {
    const { revision, parts } = provenance;
    return source.copy?.id === bodyId
      ? { ...withCopy(source, { digest: revision }), before: null }
      : { ...source, mirrored: revision, parts, before: null };
  }
  if (provenance.kind === 'pointer' || provenance.kind === 'remark' || source.copy !== null) return source;
  const copy = copyIn(comment);
  // A copy in doubt whose original is no longer public becomes known now, so that it can be erased.
  const { mirrored: was, parts: known } = source;
  if (source.state === 'withdrawn')
    return commentAfter(source, { kind: 'copied', copy, mirrored: was, parts: known, isStale: false });
  const isCurrent = isCarried(provenance, source);
  const mirrored = was ?? (isCurrent ? source.digest : provenance.digest);
  const parts = Math.max(known, provenance.parts);
  // A copy that was in doubt, or forgotten, is compared with the text that would be written now: that takes no reading,
  // as the text is present.
  const isStale = source.origin === 'tracker' && source.text !== null;
  return commentAfter(source, { kind: 'copied', copy, mirrored, parts, isStale });
}

/** Whether a copy has the current text of its source; on GitHub this is assumed. */
function isCarried(
  { carried, digest }: Provenance & { kind: 'copy' },
  { text, digest: current, origin }: NewCommentLink,
): boolean {
  return origin === 'tracker' || digest === current || (carried !== null && carries(carried, text ?? ''));
}

/** The database lost the source, but its copy exists: the comment link is rebuilt from the copy. */
function recoveredCommentLink(
  link: Link,
  side: Side,
  provenance: Provenance & { kind: 'copy' },
  comment: Comment,
): NewCommentLink {
  const { author, createdAt } = comment;
  const { digest, parts, carried: before } = provenance;
  const place = { link: link.id, source: provenance.source, count: null, author, url: provenance.url, createdAt };
  const forgotten = newCommentLink({ ...originOn(otherSide(side)), ...place, text: null, digest }, null);
  const copied = commentAfter(forgotten, {
    kind: 'copied',
    copy: copyIn(comment),
    mirrored: digest,
    parts,
    isStale: false,
  });
  return { ...copied, before };
}

/** A further part of a text, with its own copy. The text itself is stored with the first part. */
function partRow(link: Link, side: Side, provenance: Provenance & { kind: 'copy' }, comment: Comment): NewCommentLink {
  return { ...recoveredCommentLink(link, side, provenance, comment), part: provenance.part, before: null };
}

function missing(
  route: Route,
  side: Side,
  commentLinks: readonly CommentLink[],
  ids: readonly number[],
): readonly CommentLink[] {
  const present = new Set(ids);
  const isToReport = (commentLink: CommentLink) =>
    commentLink.origin === 'github' && side === 'github' && commentLink.copy !== null && reportsDeletions(route);
  const lost = commentLinks.filter((commentLink) => {
    const id = idOn(side, commentLink);
    return id !== null && id !== bodyId && !present.has(id) && commentLink.state !== 'gone';
  });
  return lost.flatMap((commentLink): readonly CommentLink[] => {
    // Trackers do not delete comments: a missing one is hidden.
    if (side === 'tracker' && commentLink.origin === 'tracker')
      return hidden(commentLinks, commentLink.source, 'the tracker no longer shows it');
    if (commentLink.state === 'withdrawn' || (side === 'github' && isErasedByUs(commentLink)))
      return [withoutCopy(commentLink)];
    const isCopyLeft = commentLink.origin === side;
    return [
      commentAfter(commentLink, {
        kind: 'deleted',
        reason: goneFrom(side),
        isCopyLeft,
        isToReport: isToReport(commentLink),
      }),
    ];
  });
}

const goneFrom = (side: Side): string => `deleted or hidden on ${side === 'github' ? 'GitHub' : 'the tracker'}`;

const reportsDeletions = ({ deletions, direction }: Route): boolean =>
  deletions === 'note' && direction !== 'to-github';

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

import type { Side } from '../../model/ids.ts';
import type { Comment } from '../../model/item.ts';
import type { CommentLink, Link, NewCommentLink } from '../../model/link.ts';
import type { Account } from '../../model/people.ts';
import type { Thread } from '../../model/replica.ts';
import type { Route } from '../../model/route.ts';
import { canonicalText, digestOf } from '../../text/canonical.ts';
import { headingIn } from '../attachments/linked.ts';
import { hiddenParts } from './hide.ts';
import { copyAfter, sourceAfter } from './known-comment.ts';
import { newCommentLink, originOn } from './life.ts';
import { minimizeReasonOf } from './minimizing.ts';
import { missingComments } from './missing.ts';
import { deleted, paired, recovered, reported, restored } from './our-comment.ts';
import { isStored, ThreadRows } from './rows.ts';
import { lacksCopy, type Reading, type Verdict, verdictOn } from './verdict.ts';
import { versionOf } from './version.ts';

/**
 * Reads the thread of a bug or an issue. `verdictOn` says what each comment is to the pair, and `rowsFor` which comment
 * links follow from that. The database decides first: the marker of a known comment is not even read.
 *
 *   verdict       | the comment                                         | comment links
 *   --------------+-----------------------------------------------------+----------------------------------------
 *   private       | is private on the tracker                           | those of its text are hidden
 *   outdated      | is known; a replica shows an earlier version        | stay
 *   source        | is known as a source                                | saved if it was edited
 *   copy          | is known as a copy                                  | saved if people edited it
 *   new           | is unknown, and not ours                            | added, pending or skipped
 *   own line      | explains an action of ours, or copies a comment     |
 *                 | of another bug                                      | added, skipped
 *   pointer       | is ours, and names the issue                        | added, skipped
 *   report        | is ours, and reports an edit of its source          | added, skipped; the source is reported
 *   deletion      | is ours, and reports that its source was deleted    | added, skipped; the source is gone
 *   paired        | is ours, the copy of a known source                 | the source gets its copy
 *   restored part | is ours, a further part that had lost its copy      | the part gets its copy
 *   repeated part | is ours, a further part that is known elsewhere     | stay
 *   recovered     | is ours, the copy of an unknown source              | added, rebuilt from the copy
 *   missing       | is known, and a whole thread lacks it               | hidden, gone or without a copy (missing.ts)
 */
export function readThread(
  route: Route,
  link: Link,
  commentLinks: readonly CommentLink[],
  side: Side,
  thread: Thread,
  { own, reported: reportedIds = [], inDoubt = [], hasGoneBack = false }: Reader,
): ThreadReading {
  const rows = new ThreadRows(side, commentLinks);
  const shown = new Set(thread.comments.map(({ id }) => id));
  const present = new Set([...shown, ...reportedIds, ...(thread.unshown ?? [])]);
  // A report about a missing comment changes nothing any more, so what follows from the absence is saved last.
  const lost = thread.isWhole ? missingComments(route, link, side, rows, present, hasGoneBack) : [];
  const reading: Reading = {
    ...{ route, link, side, rows, readAt: thread.readAt, own, inDoubt },
    present: thread.isWhole ? present : null,
    unseen: new Set(reportedIds.filter((id) => !shown.has(id))),
  };
  const found = new Set<number>();
  const copies: Comment[] = [];
  let isPointed = false;
  let claim: number | null = null;
  for (const comment of thread.comments) {
    const verdict = verdictOn(reading, comment);
    const copied = copiedIn(verdict);
    if (copied !== null && isStored(copied) && lacksCopy(reading, copied)) found.add(copied.id);
    for (const row of rowsFor(reading, comment, verdict)) rows.put(row);
    if (verdict.kind === 'pointer') isPointed = true;
    if (isUnknownCopy(verdict, comment)) copies.push(comment);
    claim = claimIn(verdict, comment) ?? claim;
  }
  // A copy that another comment replaced since is not missing.
  for (const row of lost) if (!found.has(row.id)) rows.put(row);
  return { ...rows.changes(), copies, isPointed, claim };
}

/** The comment link whose copy a comment is found to be. */
function copiedIn(verdict: Verdict): NewCommentLink | null {
  if (verdict.kind === 'paired') return verdict.source;
  return verdict.kind === 'restored part' ? verdict.lost : null;
}

/** The description of a bug is written with the bug. */
const isUnknownCopy = (verdict: Verdict, { count }: Comment): boolean =>
  count !== 0 &&
  (verdict.kind === 'recovered' ||
    (verdict.kind === 'paired' && (verdict.source.state === 'pending' || verdict.source.state === 'mirrored')));

/** The comment links that a comment adds, and those that it changes. */
function rowsFor(reading: Reading, comment: Comment, verdict: Verdict): readonly NewCommentLink[] {
  const { link, side, rows } = reading;
  const ownLine = () => newRow(link, comment, 'the bridge wrote it');
  switch (verdict.kind) {
    case 'private':
      return side === 'tracker' ? hiddenParts(rows.storedParts(side, comment.id), comment.id, 'it is private') : [];
    case 'source':
      return sourceAfter(reading, verdict.known, comment);
    case 'copy':
      return copyAfter(reading, verdict.known, comment);
    case 'new':
      return [newRow(link, comment, verdict.reason)];
    case 'pointer':
      return [ownLine()];
    case 'own line':
      return [{ ...ownLine(), ...(verdict.remark === undefined ? {} : { remark: verdict.remark }) }];
    case 'report':
      return [ownLine(), ...(verdict.source === null ? [] : [reported(verdict.source, verdict.ours)])];
    case 'deletion':
      return [ownLine(), ...(verdict.source === null ? [] : [deleted(verdict.source)])];
    case 'paired':
      return [paired(verdict.source, comment, verdict.ours, lacksCopy(reading, verdict.source))];
    case 'restored part':
      return restored(verdict.lost, comment, verdict.ours, rows.storedParts(verdict.lost.origin, verdict.lost.source));
    case 'recovered':
      return [recovered(link, comment, verdict.ours)];
    case 'outdated':
    case 'repeated part':
      return [];
  }
}

export interface ThreadReading {
  readonly add: readonly NewCommentLink[];
  readonly save: readonly CommentLink[];
  /** Copies by our own account that the state did not know. */
  readonly copies: readonly Comment[];
  /** True if a comment of the bug names its issue. */
  readonly isPointed: boolean;
  /** The issue that a bug's description says it was filed from; null if there is none. */
  readonly claim: number | null;
}

export interface Reader {
  /** Our account on the side that was read; null if it is unknown. */
  readonly own: Account | null;
  /**
   * Comments that this side reported as stored: if one does not show, it may still appear, or was never stored; it was
   * not deleted.
   */
  readonly reported?: readonly number[];
  /** Digests of texts that we sent for copies without an answer: one that shows up late is no edit by people. */
  readonly inDoubt?: readonly string[];
  /** Whether the side went back: it has lost comments that nobody deleted. */
  readonly hasGoneBack?: boolean;
}

/** The comment link of a comment that is not known yet. With a reason, it is not mirrored. */
function newRow(link: Link, comment: Comment, reason: string | null): NewCommentLink {
  const text = canonicalText(comment.text);
  const { side, author, url, createdAt, count, id: source } = comment;
  const ofTracker = {
    ...(comment.isMarkdown ? { isMarkdown: true as const } : {}),
    attachment: headingIn(text)?.attachment ?? null,
    minimize: minimizeReasonOf(comment.tags ?? []),
  };
  const facts = { link: link.id, source, count, author, url, createdAt, ...versionOf(comment) };
  return newCommentLink({ ...originOn(side, ofTracker), ...facts, text, digest: digestOf(text) }, reason);
}

/** The issue that the description of a bug says it was filed from. */
const claimIn = (verdict: Verdict, { count }: Comment): number | null =>
  count === 0 && 'ours' in verdict && verdict.ours.kind === 'copy' ? verdict.ours.issue : null;

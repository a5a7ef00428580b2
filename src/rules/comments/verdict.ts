import { otherSide, type Side } from '../../model/ids.ts';
import type { Comment } from '../../model/item.ts';
import { bodyId, type CommentLink, type Link, type NewCommentLink } from '../../model/link.ts';
import { type Account, isBy } from '../../model/people.ts';
import type { Route } from '../../model/route.ts';
import { isWordless, noText } from '../../text/to-tracker.ts';
import { headingIn, tagIn } from '../attachments/linked.ts';
import { duplicateNoteIn } from '../fields/relations.ts';
import { isSamePart } from './parts.ts';
import { type Provenance, provenanceOf } from './provenance.ts';
import type { ThreadRows } from './rows.ts';
import { isOutdated } from './version.ts';

/** A thread while it is read. */
export interface Reading {
  readonly route: Route;
  readonly link: Link;
  readonly side: Side;
  readonly readAt: number;
  readonly rows: ThreadRows;
  /** Our account on the side that is read; null if it is unknown. */
  readonly own: Account | null;
  /** Digests of texts that we sent for copies without an answer. */
  readonly inDoubt: readonly string[];
  /** The ids of the comments that exist; null if only a part of the thread was read. */
  readonly present: ReadonlySet<number> | null;
  /** Ids with which the side answered, and which the thread does not show: they may be of something else. */
  readonly unseen: ReadonlySet<number>;
}

/**
 * Whether the thread lacks the copy of a comment, or may show it under another number. The body of an issue is no
 * comment.
 */
export const lacksCopy = ({ present, unseen }: Reading, { copy }: NewCommentLink): boolean =>
  copy !== null && copy.id !== bodyId && (unseen.has(copy.id) || present?.has(copy.id) === false);

type Ours<Kind extends Provenance['kind']> = Extract<Provenance, { readonly kind: Kind }>;

/** What a comment is to the pair whose thread it belongs to. The table is in `thread.ts`. */
export type Verdict =
  | { readonly kind: 'private' }
  | { readonly kind: 'outdated' }
  | { readonly kind: 'source' | 'copy'; readonly known: CommentLink }
  /** `reason` says why it is not mirrored; null if it is. */
  | { readonly kind: 'new'; readonly reason: string | null }
  | { readonly kind: 'own line'; readonly remark?: string }
  | { readonly kind: 'pointer' }
  | { readonly kind: 'report'; readonly source: NewCommentLink | null; readonly ours: Ours<'report'> }
  | { readonly kind: 'deletion'; readonly source: NewCommentLink | null }
  | { readonly kind: 'paired'; readonly source: NewCommentLink; readonly ours: Ours<'copy'> }
  | { readonly kind: 'restored part'; readonly lost: CommentLink; readonly ours: Ours<'copy'> }
  | { readonly kind: 'repeated part' }
  | { readonly kind: 'recovered'; readonly ours: Ours<'copy'> };

export function verdictOn(reading: Reading, comment: Comment): Verdict {
  const { route, link, side, rows, readAt } = reading;
  const known = rows.ofComment(comment.id);
  if (known !== undefined) {
    if (comment.isPrivate) return { kind: 'private' };
    if (isOutdated(known, comment, readAt)) return { kind: 'outdated' };
    return { kind: known.origin === side ? 'source' : 'copy', known };
  }
  const isByUs = isOurs(reading, comment);
  const ours = isByUs ? provenanceOf(route, link, comment) : null;
  // A copy that people hid before the bridge knew that it had arrived is a copy all the same.
  if (comment.isPrivate && ours === null) return { kind: 'private' };
  if (!isByUs) return { kind: 'new', reason: whyNotMirrored(side, comment) };
  switch (ours?.kind) {
    case undefined:
      return isAboutOwnFile(comment) || isOverwritten(reading, comment)
        ? { kind: 'own line' }
        : { kind: 'new', reason: whyNotMirrored(side, comment) };
    case 'stray':
      // Where we do not know ourselves, people may have pasted the marker.
      return reading.own === null ? { kind: 'new', reason: whyNotMirrored(side, comment) } : { kind: 'own line' };
    case 'pointer':
      return { kind: 'pointer' };
    case 'remark':
      return { kind: 'own line', remark: ours.remark };
    case 'report':
      return { kind: 'report', ours, source: sourceOf(reading, ours) };
    case 'deletion':
      return { kind: 'deletion', source: sourceOf(reading, ours) };
    case 'copy':
      return ours.part > 1 ? verdictOnPart(reading, ours) : verdictOnCopy(reading, ours);
  }
}

function verdictOnCopy(reading: Reading, ours: Ours<'copy'>): Verdict {
  const source = sourceOf(reading, ours);
  return source === null ? { kind: 'recovered', ours } : { kind: 'paired', source, ours };
}

/** A further part of a text has its own comment link. */
function verdictOnPart(reading: Reading, ours: Ours<'copy'>): Verdict {
  const { side, rows } = reading;
  const part = { ...ours, origin: otherSide(side) };
  const lost = rows
    .storedParts(part.origin, part.source)
    .find(
      (each) => (each.copy === null || lacksCopy(reading, each)) && each.state !== 'gone' && isSamePart(each, part),
    );
  if (lost !== undefined) return { kind: 'restored part', lost, ours };
  const isRepeated = rows.parts(part.origin, part.source).some((each) => isSamePart(each, part));
  return isRepeated ? { kind: 'repeated part' } : { kind: 'recovered', ours };
}

/**
 * The text that our comment copies or reports about; null if it is unknown. A report about the body of an issue that
 * mirrors a bug belongs to the bug's description.
 */
function sourceOf({ side, rows }: Reading, ours: Ours<'copy' | 'report' | 'deletion'>): NewCommentLink | null {
  const source = rows.parts(otherSide(side), ours.source).find(({ part }) => part === 1);
  const described = ours.kind === 'report' && ours.source === bodyId ? rows.description : undefined;
  return source ?? described ?? null;
}

/** The description of a bug that we filed is ours, whatever name the tracker shows. */
const isOurs = ({ own, link }: Reading, { author, count }: Comment): boolean =>
  own === null || isBy(author, own) || (count === 0 && link.origin === 'github' && link.issue !== null);

/** The tracker itself reports that a file was attached, including the files of the issue. */
const isAboutOwnFile = ({ side, text }: Comment): boolean =>
  side === 'tracker' && tagIn(headingIn(text)?.summary ?? '') !== null;

/**
 * Whether people wrote over a copy before any read showed it: our account made it while the answer to a copy was lost,
 * and somebody edited it since. If it was no copy, it is left out all the same, as everything would be that is ours.
 */
const isOverwritten = ({ side, rows }: Reading, { createdAt, changedAt }: Comment): boolean =>
  side === 'github' &&
  changedAt > createdAt &&
  rows.stored.some(({ origin, state, wrote }) => origin === 'tracker' && state === 'pending' && wrote !== null);

function whyNotMirrored(side: Side, comment: Comment): string | null {
  if (side === 'github') return isWordless(comment.text) ? noText : null;
  if (comment.count === 0) return null;
  if (comment.text.trim() === '') return noText;
  const { words, note } = duplicateNoteIn(comment.text);
  return note !== null && words.trim() === '' ? 'the tracker wrote it' : null;
}

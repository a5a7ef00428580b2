import type { Side } from '../../model/ids.ts';
import type {
  CommentCopy,
  CommentLink,
  CommentOrigin,
  CommentState,
  CommentStatus,
  NewCommentLink,
} from '../../model/link.ts';
import { noText } from '../../text/to-tracker.ts';

/** An event in a comment's life, on either side or through our own action. */
export type CommentEvent =
  /** Its copy exists. If we filed the bug, the description's copy is known only once the thread is read. */
  | ({ readonly kind: 'copied'; readonly copy: CommentCopy | null; readonly wrote?: string | null } & Carried)
  /** One side deleted it. `isToReport`: the deletion must still be reported to the other side. */
  | { readonly kind: 'deleted'; readonly reason: string; readonly isCopyLeft: boolean; readonly isToReport: boolean }
  /** It is private, or no longer public. */
  | { readonly kind: 'hidden'; readonly reason: string }
  /** It is public, or public again, with this text. */
  | ({ readonly kind: 'shown' } & TextVersion)
  /** We are about to erase its copy, because the original is not public. */
  | { readonly kind: 'condemned' }
  /** The copy is erased. */
  | { readonly kind: 'cleared' }
  /**
   * The body, which is its copy, now says something neutral; `digest` is the digest of the body, null if the
   * answer did not show it.
   */
  | { readonly kind: 'redacted'; readonly digest: string | null }
  /** The copy of a further part is erased: the text has become shorter, or is written again from its first part. */
  | { readonly kind: 'erased'; readonly reason: string }
  /** Its copy is missing although no one removed it: it is written again. */
  | { readonly kind: 'lost' }
  /** It was empty, and now has text. */
  | ({ readonly kind: 'worded' } & TextVersion)
  /** It became empty before it was copied. */
  | ({ readonly kind: 'emptied' } & TextVersion);

interface TextVersion {
  readonly text: string;
  readonly digest: string;
}

/** The copy's content: digest and number of parts. */
interface Carried {
  readonly mirrored: string | null;
  readonly parts: number;
  readonly isStale: boolean;
}

/**
 * The next state; `stays` leaves the comment link unchanged; `returns` restores the state from before the withdrawal.
 */
type Cell = CommentState | 'stays' | 'returns';

/** Every event meets every state: a new event or state does not compile until its row or column is written. */
const life: Readonly<Record<CommentEvent['kind'], Readonly<Record<CommentState, Cell>>>> = {
  // A copy in doubt may turn up late: if its original is hidden by now, the copy becomes known so that it can be
  // erased; a deleted comment never comes back.
  copied: { pending: 'mirrored', mirrored: 'mirrored', skipped: 'mirrored', gone: 'stays', withdrawn: 'withdrawn' },
  // Final, in any state.
  deleted: { pending: 'gone', mirrored: 'gone', skipped: 'gone', gone: 'gone', withdrawn: 'gone' },
  // A comment that is not mirrored need not be hidden.
  hidden: { pending: 'withdrawn', mirrored: 'withdrawn', skipped: 'stays', gone: 'stays', withdrawn: 'stays' },
  // The only way back from a withdrawal.
  shown: { pending: 'stays', mirrored: 'stays', skipped: 'stays', gone: 'stays', withdrawn: 'returns' },
  // Without a copy there is nothing to erase.
  condemned: { pending: 'stays', mirrored: 'withdrawn', skipped: 'stays', gone: 'stays', withdrawn: 'withdrawn' },
  // The original may have become public again while we erased the copy: it counts as hidden until it is read again.
  cleared: { pending: 'stays', mirrored: 'withdrawn', skipped: 'stays', gone: 'stays', withdrawn: 'withdrawn' },
  // As with `cleared`.
  redacted: { pending: 'stays', mirrored: 'withdrawn', skipped: 'stays', gone: 'stays', withdrawn: 'withdrawn' },
  // If our answer was lost, the part that we erased is found missing, and so counts as gone.
  erased: { pending: 'stays', mirrored: 'skipped', skipped: 'stays', gone: 'skipped', withdrawn: 'skipped' },
  // A hidden or deleted comment is not written again; it only loses its copy.
  lost: { pending: 'stays', mirrored: 'pending', skipped: 'stays', gone: 'gone', withdrawn: 'withdrawn' },
  // Only comments that are skipped because they are empty get here.
  worded: { pending: 'stays', mirrored: 'stays', skipped: 'pending', gone: 'stays', withdrawn: 'stays' },
  // Once there is a copy, the other side is informed of the empty text.
  emptied: { pending: 'skipped', mirrored: 'stays', skipped: 'stays', gone: 'stays', withdrawn: 'stays' },
};

const neverCopied = { wrote: null, part: 1, parts: 1, before: null, mirrored: null, isStale: false } as const;

/** The facts about a comment that was never copied. */
type NewComment = Omit<NewCommentLink, keyof typeof neverCopied | keyof CommentStatus | keyof CommentOrigin> &
  CommentOrigin;

/** A new comment. With a reason, it is not mirrored, and its text is not kept. */
export function newCommentLink(seen: NewComment, reason: string | null): NewCommentLink {
  return reason === null
    ? { ...seen, ...neverCopied, state: 'pending', reason, copy: null }
    : { ...seen, ...neverCopied, text: null, state: 'skipped', reason, copy: null };
}

/** How a plan sees a comment that it has to do without: no state stores that. */
export const leftAside = (seen: CommentLink): CommentLink => ({
  ...seen,
  ...{ text: null, before: null, isStale: false },
  ...{ state: 'skipped', reason: 'it is set aside', copy: null },
});

/** The properties that only tracker comments have, for a new comment of either side. */
export function originOn(side: Side, { attachment = null, minimize = null, ...style }: OfTracker = {}): CommentOrigin {
  const unchecked = { checkedDigest: null, attachment: null, minimize: null };
  return side === 'tracker'
    ? { ...style, origin: side, checkedDigest: null, attachment, minimize }
    : { origin: side, ...unchecked };
}

type OfTracker = Partial<
  Pick<Extract<CommentOrigin, { readonly origin: 'tracker' }>, 'isMarkdown' | 'attachment' | 'minimize'>
>;

/** The comment link after the event; the same object if the table says that nothing changes. */
export function commentAfter(link: CommentLink, event: CommentEvent): CommentLink;
export function commentAfter(link: NewCommentLink, event: CommentEvent): NewCommentLink;
export function commentAfter(link: NewCommentLink, event: CommentEvent): NewCommentLink {
  const cell = life[event.kind][link.state];
  if (cell === 'stays') return link;
  const state = cell === 'returns' ? (link.copy === null ? 'pending' : 'mirrored') : cell;
  const { reason, copy = link.copy, checkedDigest = link.checkedDigest, ...facts } = changes(link, event, state);
  const status = statusOf(state, reason ?? link.reason, copy);
  return link.origin === 'tracker' ? { ...link, ...facts, ...status, checkedDigest } : { ...link, ...facts, ...status };
}

/** The comment link with a changed copy; a comment link without a copy stays unchanged. */
export function withCopy(link: CommentLink, change: Partial<CommentCopy>): CommentLink;
export function withCopy(link: NewCommentLink, change: Partial<CommentCopy>): NewCommentLink;
export function withCopy(link: NewCommentLink, change: Partial<CommentCopy>): NewCommentLink {
  return link.copy === null ? link : { ...link, copy: { ...link.copy, ...change } };
}

type Facts = Partial<
  Pick<
    NewCommentLink,
    'text' | 'digest' | 'mirrored' | 'parts' | 'before' | 'wrote' | 'isStale' | 'checkedDigest' | 'copy'
  >
>;
type Changes = Facts & { readonly reason?: string };

const notPublic = 'its original is not public';
const nothingKnown = { text: null, before: null, mirrored: null, checkedDigest: null, isStale: false } as const;
const noCopy = { copy: null, wrote: null } as const;

/** The changes that an event makes in addition to the state. */
function changes(link: NewCommentLink, event: CommentEvent, state: CommentState): Changes {
  switch (event.kind) {
    case 'copied': {
      const { mirrored, parts, copy, wrote = link.wrote } = event;
      return { mirrored, parts, copy, wrote, isStale: state === 'withdrawn' ? link.isStale : event.isStale };
    }
    case 'deleted':
      return {
        reason: event.reason,
        text: null,
        isStale: event.isToReport,
        ...(event.isCopyLeft ? {} : { copy: null }),
      };
    case 'hidden':
      return { reason: event.reason, text: null, before: null, checkedDigest: null, isStale: false };
    case 'shown':
      return { text: event.text, digest: event.digest, checkedDigest: null, isStale: state === 'mirrored' };
    case 'condemned':
      return { reason: notPublic, text: null, mirrored: null };
    case 'cleared':
      return { reason: notPublic, ...nothingKnown, ...noCopy };
    case 'redacted':
      return { reason: notPublic, ...nothingKnown, wrote: event.digest, ...neutral(link.copy, event.digest) };
    case 'erased':
      return { reason: event.reason, ...nothingKnown, ...noCopy };
    case 'lost':
      return { mirrored: null, isStale: false, ...noCopy };
    case 'worded':
      return { text: event.text, digest: event.digest };
    case 'emptied':
      return { reason: noText, text: event.text, digest: event.digest };
  }
}

const neutral = (copy: CommentCopy | null, digest: string | null): Facts =>
  copy === null ? {} : { copy: { ...copy, digest, isEdited: false } };

function statusOf(state: CommentState, reason: string | null, copy: CommentCopy | null): CommentStatus {
  if (state === 'pending') return { state, reason: null, copy: null };
  if (state === 'mirrored') return { state, reason: null, copy };
  if (state === 'skipped') return { state, reason: reason ?? '', copy: null };
  return { state, reason: reason ?? '', copy };
}

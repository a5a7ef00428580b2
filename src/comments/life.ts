import type { Side } from '../model/ids.ts';
import type { CommentCopy, CommentLink, CommentOrigin, CommentStanding, CommentState, NewCommentLink } from '../model/link.ts';
import { noText } from '../text/to-tracker.ts';

/** What happens to a comment, on either side or by our own hand. */
export type CommentEvent =
  /** Its copy stands. Of a bug that we filed, the description's copy is known only once the thread is read. */
  | ({ readonly kind: 'copied'; readonly copy: CommentCopy | null; readonly wrote?: string | null } & Carried)
  /** One side deleted it. `isToTell`: the other side is still to be told. */
  | { readonly kind: 'deleted'; readonly reason: string; readonly isCopyLeft: boolean; readonly isToTell: boolean }
  /** It is not public (any more). */
  | { readonly kind: 'hidden'; readonly reason: string }
  /** It is public (again), and says this. */
  | ({ readonly kind: 'shown' } & Words)
  /** We are about to erase its copy, because the original is not public. */
  | { readonly kind: 'condemned' }
  /** That copy is erased. */
  | { readonly kind: 'cleared' }
  /** The body, which is its copy, says something neutral; `digest` is that of the body, null when the answer did not show it. */
  | { readonly kind: 'redacted'; readonly digest: string | null }
  /** The copy of a further part is erased: the text has become shorter, or is written again from its first part on. */
  | { readonly kind: 'erased'; readonly reason: string }
  /** Its copy is not there although nobody took it away: it is written again. */
  | { readonly kind: 'lost' }
  /** It was without words, and has some now. */
  | ({ readonly kind: 'worded' } & Words)
  /** Nothing is left of its words, before there was a copy. */
  | ({ readonly kind: 'emptied' } & Words);

interface Words {
  readonly text: string;
  readonly digest: string;
}

/** What the copy carries: digest and number of parts. */
interface Carried {
  readonly mirrored: string | null;
  readonly parts: number;
  readonly isStale: boolean;
}

/** A state to change to; `stays` leaves the comment link as it is; `returns` goes where it was before it was withdrawn. */
type Cell = CommentState | 'stays' | 'returns';

/** Every event meets every state: a new event or state does not compile until its row or column is written. */
const life: Readonly<Record<CommentEvent['kind'], Readonly<Record<CommentState, Cell>>>> = {
  // A copy in doubt may turn up late: one that is hidden by now is known, so that it can be erased; one that was deleted never comes back.
  copied: { pending: 'mirrored', mirrored: 'mirrored', skipped: 'mirrored', gone: 'stays', withdrawn: 'withdrawn' },
  // For good, whatever it was.
  deleted: { pending: 'gone', mirrored: 'gone', skipped: 'gone', gone: 'gone', withdrawn: 'gone' },
  // What is not mirrored anyway need not be hidden.
  hidden: { pending: 'withdrawn', mirrored: 'withdrawn', skipped: 'stays', gone: 'stays', withdrawn: 'stays' },
  // The only way back from being withdrawn.
  shown: { pending: 'stays', mirrored: 'stays', skipped: 'stays', gone: 'stays', withdrawn: 'returns' },
  // Without a copy there is nothing to erase.
  condemned: { pending: 'stays', mirrored: 'withdrawn', skipped: 'stays', gone: 'stays', withdrawn: 'withdrawn' },
  // Its original may have become public again while we erased the copy: then it is hidden until it is seen anew.
  cleared: { pending: 'stays', mirrored: 'withdrawn', skipped: 'stays', gone: 'stays', withdrawn: 'withdrawn' },
  // As with `cleared`.
  redacted: { pending: 'stays', mirrored: 'withdrawn', skipped: 'stays', gone: 'stays', withdrawn: 'withdrawn' },
  // A part that we erased is found missing, and so gone, where our answer was lost.
  erased: { pending: 'stays', mirrored: 'skipped', skipped: 'stays', gone: 'skipped', withdrawn: 'skipped' },
  // What is hidden or deleted is not written again; it only has no copy any more.
  lost: { pending: 'stays', mirrored: 'pending', skipped: 'stays', gone: 'gone', withdrawn: 'withdrawn' },
  // One that is skipped for another reason than having no words never gets here.
  worded: { pending: 'stays', mirrored: 'stays', skipped: 'pending', gone: 'stays', withdrawn: 'stays' },
  // Once there is a copy, the other side is told what became of the words.
  emptied: { pending: 'skipped', mirrored: 'stays', skipped: 'stays', gone: 'stays', withdrawn: 'stays' },
};

const neverCopied = { wrote: null, part: 1, parts: 1, before: null, mirrored: null, isStale: false } as const;

/** What is known of a comment that was never copied. */
type Seen = Omit<NewCommentLink, keyof typeof neverCopied | keyof CommentStanding | keyof CommentOrigin> & CommentOrigin;

/** A comment that is new to us. With a reason it is not mirrored, and its text not kept. */
export function newCommentLink(seen: Seen, reason: string | null): NewCommentLink {
  return reason === null
    ? { ...seen, ...neverCopied, state: 'pending', reason, copy: null }
    : { ...seen, ...neverCopied, text: null, state: 'skipped', reason, copy: null };
}

/** What only comments of a tracker have, for a comment of either side that is new to us. */
export function originOn(side: Side, { attachment = null, minimize = null, ...style }: OfTracker = {}): CommentOrigin {
  const unproven = { checkedDigest: null, attachment: null, minimize: null };
  return side === 'tracker' ? { ...style, origin: side, checkedDigest: null, attachment, minimize } : { origin: side, ...unproven };
}

type OfTracker = Partial<Pick<Extract<CommentOrigin, { readonly origin: 'tracker' }>, 'isMarkdown' | 'attachment' | 'minimize'>>;

/** The comment link after the event; the very same object where the table says that nothing changes. */
export function commentAfter(link: CommentLink, event: CommentEvent): CommentLink;
export function commentAfter(link: NewCommentLink, event: CommentEvent): NewCommentLink;
export function commentAfter(link: NewCommentLink, event: CommentEvent): NewCommentLink {
  const cell = life[event.kind][link.state];
  if (cell === 'stays') return link;
  const state = cell === 'returns' ? (link.copy === null ? 'pending' : 'mirrored') : cell;
  const { reason, copy = link.copy, checkedDigest = link.checkedDigest, ...facts } = changes(link, event, state);
  const standing = statusOf(state, reason ?? link.reason, copy);
  return link.origin === 'tracker' ? { ...link, ...facts, ...standing, checkedDigest } : { ...link, ...facts, ...standing };
}

/** The comment link with something else known of its copy; one without a copy stays as it is. */
export function withCopy(link: CommentLink, change: Partial<CommentCopy>): CommentLink;
export function withCopy(link: NewCommentLink, change: Partial<CommentCopy>): NewCommentLink;
export function withCopy(link: NewCommentLink, change: Partial<CommentCopy>): NewCommentLink {
  return link.copy === null ? link : { ...link, copy: { ...link.copy, ...change } };
}

type Facts = Partial<
  Pick<NewCommentLink, 'text' | 'digest' | 'mirrored' | 'parts' | 'before' | 'wrote' | 'isStale' | 'checkedDigest' | 'copy'>
>;
type Changes = Facts & { readonly reason?: string };

const notPublic = 'its original is not public';
const nothingKnown = { text: null, before: null, mirrored: null, checkedDigest: null, isStale: false } as const;
const noCopy = { copy: null, wrote: null } as const;

/** What an event changes besides the state. */
function changes(link: NewCommentLink, event: CommentEvent, state: CommentState): Changes {
  switch (event.kind) {
    case 'copied': {
      const { mirrored, parts, copy, wrote = link.wrote } = event;
      return { mirrored, parts, copy, wrote, isStale: state === 'withdrawn' ? link.isStale : event.isStale };
    }
    case 'deleted':
      return { reason: event.reason, text: null, isStale: event.isToTell, ...(event.isCopyLeft ? {} : { copy: null }) };
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

function statusOf(state: CommentState, reason: string | null, copy: CommentCopy | null): CommentStanding {
  if (state === 'pending') return { state, reason: null, copy: null };
  if (state === 'mirrored') return { state, reason: null, copy };
  if (state === 'skipped') return { state, reason: reason ?? '', copy: null };
  return { state, reason: reason ?? '', copy };
}

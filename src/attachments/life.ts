import type { AttachedCopy, AttachmentLink, AttachmentStanding, AttachmentState, StoredCopy } from '../model/attachment.ts';

/** What happens to a file, on either side or by our own hand. */
export type AttachmentEvent =
  /** Its copy stands. */
  | { readonly kind: 'copied'; readonly copy: StoredCopy | AttachedCopy }
  /** It is not public (any more). */
  | { readonly kind: 'hidden' }
  /** It is public again, and is to be carried over. */
  | { readonly kind: 'shown' }
  /** It stays where it is and is only linked to; its content was deleted, for instance. */
  | { readonly kind: 'left'; readonly reason: string | null }
  /** This attempt to carry it over was refused. */
  | { readonly kind: 'refused'; readonly reason: string }
  /** Its copy is not there although nobody took it away: it is carried over again. */
  | { readonly kind: 'lost' };

type Cell = AttachmentState | 'stays';

/** Every event meets every state: a new event or state does not compile until its row or column is written. */
const life: Readonly<Record<AttachmentEvent['kind'], Readonly<Record<AttachmentState, Cell>>>> = {
  // A copy in doubt may turn up late. That of what is hidden by now is taken away by its path.
  copied: { pending: 'mirrored', mirrored: 'mirrored', linked: 'mirrored', withdrawn: 'stays' },
  // Whatever it was.
  hidden: { pending: 'withdrawn', mirrored: 'withdrawn', linked: 'withdrawn', withdrawn: 'withdrawn' },
  // Contents never change, so what stands is right.
  shown: { pending: 'stays', mirrored: 'stays', linked: 'stays', withdrawn: 'pending' },
  // Also a file that is public again, and one whose content was deleted after it was copied.
  left: { pending: 'linked', mirrored: 'linked', linked: 'linked', withdrawn: 'linked' },
  // It waits for the next sweep.
  refused: { pending: 'pending', mirrored: 'stays', linked: 'stays', withdrawn: 'stays' },
  // Only a file that had a copy can lose it.
  lost: { pending: 'stays', mirrored: 'pending', linked: 'stays', withdrawn: 'stays' },
};

/** How a new file begins: to be carried over, left where it is, or known by its copy alone. */
export const waiting = { state: 'pending', reason: null, copy: null } as const;
export const leftAlone = (reason: string | null) => ({ state: 'linked', reason, copy: null }) as const;
export const knownBy = (copy: AttachedCopy) => ({ state: 'mirrored', reason: null, copy }) as const;

/** The attachment link after the event; the very same object where the table says that nothing changes. */
export function attachmentAfter(link: AttachmentLink, event: AttachmentEvent): AttachmentLink {
  const state = life[event.kind][link.state];
  if (state === 'stays') return link;
  const reason = 'reason' in event ? event.reason : null;
  if (link.origin === 'github') {
    const copy = event.kind === 'copied' && 'id' in event.copy ? event.copy : link.copy;
    return { ...link, ...statusOf<AttachedCopy>(state, reason, copy) };
  }
  const copy = event.kind === 'copied' && !('id' in event.copy) ? event.copy : link.copy;
  const checkedDigest = state === 'withdrawn' ? null : link.checkedDigest;
  return { ...link, ...statusOf<StoredCopy>(state, reason, copy), checkedDigest };
}

/** Nothing of its copy is left. */
export const withoutPath = (link: AttachmentLink): AttachmentLink => (link.origin === 'tracker' ? { ...link, path: null } : link);

function statusOf<Copy>(state: AttachmentState, reason: string | null, copy: Copy | null): AttachmentStanding<Copy> {
  if (state === 'mirrored' && copy !== null) return { state, reason: null, copy };
  if (state === 'withdrawn') return { state, reason: null, copy: null };
  return { state: state === 'linked' ? 'linked' : 'pending', reason, copy: null };
}

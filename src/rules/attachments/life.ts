import type {
  AttachedCopy,
  AttachmentLink,
  AttachmentState,
  AttachmentStatus,
  StoredCopy,
} from '../../model/attachment.ts';

/** An event in a file's life, on either side or through our own action. */
export type AttachmentEvent =
  /** Its copy exists. */
  | { readonly kind: 'copied'; readonly copy: StoredCopy | AttachedCopy }
  /** It is private, or no longer public. */
  | { readonly kind: 'hidden' }
  /** It is public again, and is carried over. */
  | { readonly kind: 'shown' }
  /** It stays in its place and is only linked to, for instance because its content was deleted. */
  | { readonly kind: 'left'; readonly reason: string | null }
  /** This attempt to carry it over was refused. */
  | { readonly kind: 'refused'; readonly reason: string }
  /** Its copy is missing although no one removed it: it is carried over again. */
  | { readonly kind: 'lost' };

type Cell = AttachmentState | 'stays';

/** Every event meets every state: a new event or state does not compile until its row or column is written. */
const life: Readonly<Record<AttachmentEvent['kind'], Readonly<Record<AttachmentState, Cell>>>> = {
  // A copy in doubt may turn up late. If the file is hidden by now, the copy is removed by its path.
  copied: { pending: 'mirrored', mirrored: 'mirrored', linked: 'mirrored', withdrawn: 'stays' },
  // In any state.
  hidden: { pending: 'withdrawn', mirrored: 'withdrawn', linked: 'withdrawn', withdrawn: 'withdrawn' },
  // Contents never change, so an existing copy is correct.
  shown: { pending: 'stays', mirrored: 'stays', linked: 'stays', withdrawn: 'pending' },
  // Includes files that are public again, and files whose content was deleted after copying.
  left: { pending: 'linked', mirrored: 'linked', linked: 'linked', withdrawn: 'linked' },
  // It waits for the next sweep.
  refused: { pending: 'pending', mirrored: 'stays', linked: 'stays', withdrawn: 'stays' },
  // Only a file with a copy can lose it.
  lost: { pending: 'stays', mirrored: 'pending', linked: 'stays', withdrawn: 'stays' },
};

/** Initial states of a file: to be carried over, left in its place, or known only by its copy. */
export const waiting = { state: 'pending', reason: null, copy: null } as const;
export const leftAlone = (reason: string | null) => ({ state: 'linked', reason, copy: null }) as const;
export const knownBy = (copy: AttachedCopy) => ({ state: 'mirrored', reason: null, copy }) as const;

/** The attachment link after the event; the same object if the table says that nothing changes. */
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
export const withoutPath = (link: AttachmentLink): AttachmentLink =>
  link.origin === 'tracker' ? { ...link, path: null } : link;

function statusOf<Copy>(state: AttachmentState, reason: string | null, copy: Copy | null): AttachmentStatus<Copy> {
  if (state === 'mirrored' && copy !== null) return { state, reason: null, copy };
  if (state === 'withdrawn') return { state, reason: null, copy: null };
  return { state: state === 'linked' ? 'linked' : 'pending', reason, copy: null };
}

import { bodyId, type Entry } from '../model/link.ts';

/** The rows of one comment of the tracker that is not for other eyes (any more): its text is forgotten, and its copies are to go. */
export function hidden(entries: readonly Entry[], source: number, reason: string): readonly Entry[] {
  const rows = entries.filter((entry) => entry.origin === 'tracker' && entry.source === source && hidable.includes(entry.state));
  return rows.map((entry) => ({ ...entry, state: 'withdrawn', reason, text: null, before: null, proven: null, isStale: false }));
}

const hidable: readonly Entry['state'][] = ['pending', 'mirrored'];

/** Everybody may see it again: it is copied anew, or put back into the copy that still stands. */
export const shownAgain = (known: Entry, text: string, digest: string): Entry => {
  const state = known.copy === null ? 'pending' : 'mirrored';
  return { ...known, state, reason: null, text, digest, proven: null, isStale: known.copy !== null };
};

/** Whether a copy that is missing was erased by us: that was begun, and nobody heard how it ended, before everybody saw the original again. */
export const isErasedByUs = ({ origin, state, mirrored, copy }: Entry): boolean =>
  origin === 'tracker' && state === 'mirrored' && mirrored === null && copy !== null && copy !== bodyId;

/** What an entry remembers of its copy, when there is none. */
export const noCopy = { copy: null, copyDigest: null, wrote: null, copyFold: null } as const;

/** It is copied anew. A further part is made again with the first. */
export const withoutCopy = (entry: Entry): Entry => ({
  ...entry,
  state: entry.part > 1 ? 'skipped' : 'pending',
  ...noCopy,
  isEdited: false,
  isStale: false,
});

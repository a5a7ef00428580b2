/** A comment with what the tracker itself wrote under it when the bug was marked as a duplicate, or another as one of it. */
export interface Noted {
  /** What the person wrote; empty when the tracker wrote all of it. */
  readonly words: string;
  /** `This bug has been marked as a duplicate of bug 7`; null when there is no such note. */
  readonly note: string | null;
}

/** Source: Bugzilla 5.2, which ends one of its two sentences with a full stop; others differ in that. */
const pattern =
  /(?:^|\n\s*)\*\*\* (This bug has been marked as a duplicate of bug \d+|Bug \d+ has been marked as a duplicate of this bug)\.? \*\*\*\s*$/u;

export function duplicateNoteIn(text: string): Noted {
  const match = pattern.exec(text);
  return match === null ? { words: text, note: null } : { words: text.slice(0, match.index), note: match[1] ?? null };
}

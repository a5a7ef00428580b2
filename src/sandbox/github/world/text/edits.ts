import type { User } from '../records.ts';

/** The last edit of a text, and what the text was before the first; null before the first. */
export type LastEdit = {
  readonly by: User;
  readonly at: number;
  readonly first: string;
  /** The newest first, with the one from before the first edit. */
  readonly versions: readonly Version[];
} | null;

export interface Version {
  readonly by: User;
  readonly text: string;
}

/** A text after an edit. @param before who wrote it, and what it was if nobody had edited it */
export function edited(last: LastEdit, before: Version, edit: Version, at: number): LastEdit {
  const versions = last?.versions ?? [before];
  return { by: edit.by, at, first: last?.first ?? before.text, versions: [edit, ...versions] };
}

import { TrackerError } from './errors.ts';

/** How a bug is named in a request: its number, or one of its aliases. */
export type BugName = number | string;

/**
 * A bug's name as a part of an address. Throws `TrackerError` of kind `invalid` for one that would lead elsewhere: an empty name
 * leads to the search, which finds everything.
 */
export function inPath(name: BugName): BugName {
  if (name === '' || name === '.' || name === '..') throw new TrackerError('invalid', `"${name}" names nothing on the tracker`);
  return name;
}

/** The first of several names stands in the address, the others join it. Null for none. */
export function apart<Name extends BugName>(names: readonly Name[]): { readonly first: BugName; readonly others: readonly Name[] } | null {
  const [first, ...others] = [...new Set(names)];
  return first === undefined ? null : { first: inPath(first), others };
}

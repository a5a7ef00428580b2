import { aboutOf } from '../kernel/about.ts';
import { otherSide, type Side } from '../model/ids.ts';
import type { Entry, Link } from '../model/link.ts';
import type { CommentOperation } from '../model/operation.ts';

/** Whether some parts of a long text have not been written yet. One that was deleted counts as written. */
export function lacksParts(entry: Entry, entries: readonly Entry[]): boolean {
  return entry.part === 1 && entry.parts > 1 && entry.state === 'mirrored' && partsThere(entry, entries).size < entry.parts - 1;
}

/** The numbers of the parts beyond the first that have been written, of the text that the other side last got. */
export function partsThere({ origin, source, mirrored }: Entry, entries: readonly Entry[]): ReadonlySet<number> {
  // One that was taken away when the text became shorter is `skipped`.
  const own = entries.filter((each) => each.part > 1 && each.state !== 'skipped' && each.origin === origin && each.source === source);
  return new Set(own.filter(({ digest }) => origin === 'tracker' || digest === mirrored).map(({ part }) => part));
}

/** Whether the part of a text that an operation is to write has its copy. */
export function isPartThere({ part, digest }: CommentOperation, entry: Entry, entries: readonly Entry[]): boolean {
  return partsThere({ ...entry, mirrored: digest }, entries).has(part);
}

/** Parts follow the first one; when that was given up, or has made place for a later text, they are no longer wanted. */
export function isPartWanted(operation: CommentOperation, entry: Entry, entries: readonly Entry[]): boolean {
  if (entry.state !== 'mirrored' || (entry.origin === 'github' && entry.mirrored !== operation.digest)) return false;
  return !isPartThere(operation, entry, entries);
}

/** The parts beyond the first. They are known by the text that they belong to, so that a later text is another wish. */
export function furtherParts(link: Link, entry: Entry, parts: number): readonly CommentOperation[] {
  const key = `${link.id}:${sideOfCopy(entry)}:comment:${entry.source}:${entry.digest}`;
  return Array.from({ length: parts - 1 }, (_, index) => operationFor(link, entry, { key, parts, tells: 'copy', part: index + 2 }));
}

export interface Writing {
  readonly key: string;
  /** How many parts the text has. */
  readonly parts: number;
  readonly tells: CommentOperation['tells'];
  readonly part?: number;
  readonly on?: Side;
}

export function operationFor(link: Link, entry: Entry, { key, parts, tells, part = 1, on = sideOfCopy(entry) }: Writing): CommentOperation {
  const place = { key: part === 1 ? key : `${key}:${part}`, link: link.id, about: aboutOf(link, on), entry: entry.id };
  return { kind: 'comment', on, ...place, digest: entry.digest, tells, part, parts };
}

export const sideOfCopy = ({ origin }: Entry): Side => otherSide(origin);

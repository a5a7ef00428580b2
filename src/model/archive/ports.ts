/** A tracker as everyone may read it, for an archive of it, and the folder that the archive is written to. */

/** What the list of all bugs says about one of them. Texts are as the tracker shows them. */
export interface ListedBug {
  readonly id: number;
  readonly summary: string;
  readonly aliases: readonly string[];
  readonly product: string;
  readonly component: string;
  readonly status: string;
  readonly resolution: string;
  readonly isOpen: boolean;
  /** Epoch milliseconds. */
  readonly createdAt: number | null;
  readonly changedAt: number | null;
  readonly reporter: string;
  readonly assignee: string;
  /** Other fields, in the order of their display, without empty ones. */
  readonly fields: readonly ListedField[];
  /** Fields that name bugs, hidden ones included: trackers do not filter them. */
  readonly relations: readonly { readonly name: string; readonly label: string; readonly bugs: readonly number[] }[];
  readonly dupeOf: number | null;
  readonly seeAlso: readonly string[];
}

/** What lists, addresses and the search show of a bug. This is in memory for all bugs at once. */
export type Headline = Pick<
  ListedBug,
  'id' | 'summary' | 'aliases' | 'product' | 'component' | 'status' | 'resolution' | 'isOpen' | 'changedAt' | 'dupeOf'
>;

export interface ListedField {
  readonly name: string;
  readonly label: string;
  readonly values: readonly string[];
}

/** A public comment. */
export interface ReadComment {
  readonly id: number;
  /** The description is 0. Hidden comments leave gaps. */
  readonly count: number | null;
  readonly author: string;
  /** Epoch milliseconds. */
  readonly at: number;
  readonly text: string;
  readonly isMarkdown: boolean;
  readonly attachment: number | null;
  readonly tags: readonly string[];
}

/** One field that one person changed at one time. */
export interface ReadChange {
  /** Epoch milliseconds. */
  readonly at: number;
  readonly author: string;
  readonly field: string;
  readonly removed: string;
  readonly added: string;
  readonly attachment: number | null;
}

/** A public attachment. */
export interface ReadFile {
  readonly id: number;
  readonly name: string;
  readonly summary: string;
  readonly type: string;
  /** Null if the content was deleted. */
  readonly size: number | null;
  readonly isPatch: boolean;
  readonly isObsolete: boolean;
  readonly flags: readonly string[];
  readonly author: string;
  /** Epoch milliseconds. */
  readonly at: number;
}

export interface Thread {
  readonly comments: readonly ReadComment[];
  readonly changes: readonly ReadChange[];
  readonly files: readonly ReadFile[];
}

/** Why a bug that was announced as public is left out. */
export const hiddenSince = 'it is not public any more';

/** Called for a bug that is left out, with the reason. */
export type LeaveOut = (bug: number, why: string) => void;

/** Does the work on one bug by itself; the answer is the reason if that fails. */
export type Apart = <T extends object>(bug: number, make: () => T) => T | string;

/** The same for a bug that is listed, in the version of which the list says when it was made. */
export type ListedApart = <T extends object>(bug: Pick<ListedBug, 'id' | 'changedAt'>, make: () => T) => T | string;

/** The tracker without an account. Every method throws `SideError`. */
export interface PublicReader {
  /** False if the tracker shows nothing without an account. */
  isServed(): Promise<boolean>;
  /** Bugs with an id above `after`, ascending. `next` is the id to continue from; null on the last page. */
  bugs(
    after: number,
    left: LeaveOut,
    apart: ListedApart,
  ): Promise<{ readonly bugs: readonly ListedBug[]; readonly next: number | null }>;
  /** Those missing from the answer are not public any more, or the tracker fails on them. */
  threads(bugs: readonly number[], left: LeaveOut, apart: Apart): Promise<ReadonlyMap<number, Thread>>;
  /**
   * Empty if it was deleted; null if it is not public any more. Throws also if it has another size than the tracker
   * said.
   */
  content(file: number, bytes: number): Promise<Uint8Array | null>;
  /** How many requests were sent. */
  requests(): { readonly lists: number; readonly contents: number };
}

/** A folder that holds nothing but an archive. Paths are relative and use `/`. */
export interface ArchiveFolder {
  /** All files of the archive. */
  paths(): Iterable<string>;
  read(path: string): Uint8Array | null;
  /** The size in bytes; null if there is no such file. */
  size(path: string): number | null;
  /** Writes the whole file or, if the process dies, nothing. */
  write(path: string, content: Uint8Array): void;
  remove(path: string): void;
}

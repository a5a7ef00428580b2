import type { AttachmentLinkId, LinkId } from './ids.ts';
import type { Person } from './item.ts';
import type { Outcome } from './outcome.ts';
import type { InTime } from './runtime.ts';

/** The type of an attachment that is a pull request: its content is the address. */
export const pullType = 'text/x-github-pull-request';

/** A file on a bug, as the tracker shows it without its content. All times are epoch milliseconds. */
export interface Attachment {
  readonly id: number;
  readonly bug: number;
  /** The file name. Trackers cut folders off; nothing else about it is certain. */
  readonly name: string;
  readonly summary: string;
  readonly type: string;
  /** Bytes; null when an administrator has deleted the content. */
  readonly size: number | null;
  readonly isPrivate: boolean;
  readonly isObsolete: boolean;
  readonly isPatch: boolean;
  /** Its flags as text, without names: `review+`. */
  readonly flags: readonly string[];
  readonly author: Person;
  /** The attachment's page. */
  readonly url: string;
  readonly createdAt: number;
}

/** A file to attach to a bug. The tracker adds a comment about it. */
export interface AttachmentDraft {
  readonly name: string;
  readonly summary: string;
  readonly type: string;
  readonly isPatch: boolean;
  /** Extra text for that comment. */
  readonly comment: string;
  readonly bytes: Uint8Array;
}

/** Access to one tracker's files. Reads of lists throw `SideError`; everything about a single file is an outcome. */
export interface AttachmentClient {
  /** Without contents. Bugs that cannot be reached are left out; private attachments may be listed. */
  list(bugs: readonly number[], inTime?: InTime): Promise<ReadonlyMap<number, readonly Attachment[]>>;
  /** The content of a public attachment; refused if the attachment has become private. */
  content(id: number): Promise<Outcome<Uint8Array>>;
  /** The largest content that the tracker accepts, in bytes; null when it does not say. */
  bytesMax(): Promise<number | null>;
  attach(bug: number, draft: AttachmentDraft): Promise<Outcome<Attachment>>;
}

/** A file for the attachment store. `open` fetches its content, which is held only until it is passed on. */
export interface Upload {
  /**
   * Folders and a name, such as `0-999/12/34-crash.log`. Its last part alone is unique: it begins with the attachment's
   * number.
   */
  readonly path: string;
  /** The content type, as the tracker reports it. */
  readonly type: string;
  open(): Promise<Outcome<Uint8Array>>;
}

/** A file in the attachment store. */
export interface StoredFile {
  /** The page or address at which people open it. */
  readonly url: string;
  readonly sha256: string;
  /** The beginning of the content, for an excerpt; at most `headBytesMax` bytes. */
  readonly head: Uint8Array;
  /** Whether a release was made for it, which GitHub counts as content. */
  readonly isFirst?: true;
}

export const headBytesMax = 8_192;

/**
 * Where copies of the tracker's attachments are kept. `put` and `remove` read before they write, so repeating them
 * changes nothing.
 */
export interface AttachmentStore {
  /**
   * One outcome for each upload, in their order. Several uploads are one change in a store that has changes. None for
   * those behind one that a side answered for all: they were not tried.
   */
  put(uploads: readonly Upload[]): Promise<readonly Outcome<StoredFile>[]>;
  /** Removes files. */
  remove(paths: readonly string[]): Promise<Outcome<Removal>>;
  /** The paths of all files there, also those of others; a store that names files only lists names. */
  list(): Promise<Outcome<readonly string[]>>;
  /** Passes the content at each path to `show`, one after the other; null for a path without a file. */
  read(paths: readonly string[], show: (path: string, bytes: Uint8Array | null) => void): Promise<Outcome<null>>;
}

export interface Removal {
  /** Where the contents can still be found, as text for people; null when nowhere. */
  readonly left: string | null;
}

/** A file that was added to an issue. */
export interface LinkedFile {
  readonly name: string;
  readonly type: string;
  readonly bytes: Uint8Array;
}

/** Fetches files that texts on GitHub link to, from GitHub's own hosts only. */
export interface LinkedFiles {
  fetch(url: string, bytesMax: number): Promise<Outcome<LinkedFile>>;
}

/** The ports that files pass through. */
export interface FilePorts {
  readonly attachmentClient: AttachmentClient;
  /** Null when the route only links to files. */
  readonly attachmentStore: AttachmentStore | null;
  readonly linked: LinkedFiles;
}

/**
 *   pending    to be mirrored; with a reason, the attempt was refused and waits for the next sweep
 *   mirrored   has its copy
 *   linked     stays where it is and is only linked to, for a reason
 *   withdrawn  not public: never shown, and its copy is removed
 */
export type AttachmentState = 'pending' | 'mirrored' | 'linked' | 'withdrawn';

/** The copy of a tracker's file in the attachment store. */
export interface StoredCopy {
  /** The address at which people open it. */
  readonly url: string;
  readonly sha256: string | null;
  /** The whole content if it is a short text. */
  readonly excerpt: string | null;
}

/** The attachment that is the copy of a file in an issue. */
export interface AttachedCopy {
  readonly id: number;
  /** The address at which people open it; null when only the id is known. */
  readonly url: string | null;
}

/** The state of a file: a mirrored one has its copy, and no other has one. */
export type AttachmentStatus<Copy> =
  | { readonly state: 'pending' | 'linked'; readonly reason: string | null; readonly copy: null }
  | { readonly state: 'mirrored'; readonly reason: null; readonly copy: Copy }
  | { readonly state: 'withdrawn'; readonly reason: null; readonly copy: null };

interface TrackersFile {
  readonly origin: 'tracker';
  /** The path of the copy in the attachment store, also before it is written; null once no copy can be there. */
  readonly path: string | null;
  /** Digest of the file as the anonymous reader saw it; a file that looks different has to be checked again. */
  readonly checkedDigest: string | null;
}

interface IssuesFile {
  readonly origin: 'github';
  readonly path: null;
  readonly checkedDigest: null;
}

interface AttachmentFacts {
  readonly link: LinkId;
  /**
   * The attachment's id; for a file in an issue the digest of its address, which identifies its copy on the tracker.
   */
  readonly source: string;
  /** The address at which people open the original. Empty when only the copy is known. */
  readonly url: string;
  readonly name: string;
  readonly summary: string;
  readonly type: string;
  /** Bytes; null when unknown, or when the content was deleted. */
  readonly size: number | null;
  readonly isPatch: boolean;
  readonly isObsolete: boolean;
  /** The attachment's flags. */
  readonly flags: readonly string[];
  readonly createdAt: number;
}

export type NewTrackerAttachmentLink = AttachmentFacts & TrackersFile & AttachmentStatus<StoredCopy>;
type NewIssueAttachmentLink = AttachmentFacts & IssuesFile & AttachmentStatus<AttachedCopy>;
export type NewAttachmentLink = NewTrackerAttachmentLink | NewIssueAttachmentLink;

/** A file and its copy on the other side. */
export type AttachmentLink = NewAttachmentLink & { readonly id: AttachmentLinkId };

export interface AttachmentLinks {
  /** The pair (origin, source) is unique within a link: a second one throws. */
  add(attachmentLink: NewAttachmentLink): AttachmentLink;
  save(attachmentLink: AttachmentLink): void;
  byId(id: AttachmentLinkId): AttachmentLink | null;
  /** The tracker's attachment of this id. */
  byAttachment(id: number): AttachmentLink | null;
  /** In the order in which they were created. */
  ofLink(link: LinkId): readonly AttachmentLink[];
  /** The tracker's files of these ids, and those of GitHub whose copies have them. */
  named(link: LinkId, ids: readonly number[]): readonly AttachmentLink[];
  /** Whether a file of the tracker is still to be carried over. */
  isWaiting(link: LinkId): boolean;
  /** How many files are to be copied for links that are due for planning. */
  waiting(route: string): readonly { readonly link: LinkId; readonly files: number }[];
  /** Moves all attachment links of one link to another; if both have the same file, the one with a copy stays. */
  move(from: LinkId, to: LinkId): void;
  /** How many files of a route are no longer public. */
  withdrawn(route: string): number;
  /** The `threadReadAt` with which the bug's files were last read; null before the first time. */
  readAt(link: LinkId): number | null;
  markRead(link: LinkId, threadReadAt: number): void;
}

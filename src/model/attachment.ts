import type { AttachmentLinkId, LinkId } from './ids.ts';
import type { Person } from './item.ts';
import type { Outcome } from './outcome.ts';

/** A file on a bug, as the tracker shows it without its content. All times are epoch milliseconds. */
export interface Attachment {
  readonly id: number;
  readonly bug: number;
  /** Its name as a file; trackers cut folders off, and nothing else is certain about it. */
  readonly name: string;
  readonly summary: string;
  readonly type: string;
  /** Bytes; null when an administrator has deleted the content. */
  readonly size: number | null;
  readonly isPrivate: boolean;
  readonly isObsolete: boolean;
  readonly isPatch: boolean;
  /** Its flags in words, without people: `review+`. */
  readonly flags: readonly string[];
  readonly author: Person;
  /** The page that people open. */
  readonly url: string;
  readonly createdAt: number;
}

/** A file to attach to a bug. The tracker writes a comment about it by itself. */
export interface AttachmentDraft {
  readonly name: string;
  readonly summary: string;
  readonly type: string;
  readonly isPatch: boolean;
  /** What that comment says besides. */
  readonly comment: string;
  readonly bytes: Uint8Array;
}

/** The files of one tracker. Reads of lists throw `SideError`; everything about a single file is an outcome. */
export interface AttachmentClient {
  /** Without contents. Bugs that cannot be reached are left out; private attachments are not always. */
  list(bugs: readonly number[]): Promise<ReadonlyMap<number, readonly Attachment[]>>;
  /** The content of a public attachment; one that is private by now is refused. */
  content(id: number): Promise<Outcome<Uint8Array>>;
  /** The largest content that the tracker takes, in bytes; null when it does not tell. */
  bytesMax(): Promise<number | null>;
  attach(bug: number, draft: AttachmentDraft): Promise<Outcome<Attachment>>;
}

/** A file that is to stand on the shelf. `open` fetches its content, which nobody holds for longer than it takes to pass it on. */
export interface Upload {
  /** Folders and a name, such as `0-999/12/34-crash.log`. Its last part alone is unique: it begins with the attachment's number. */
  readonly path: string;
  /** What the tracker takes the content for. */
  readonly type: string;
  open(): Promise<Outcome<Uint8Array>>;
}

/** A file on the shelf: what it weighs, and where people see it. */
export interface StoredFile {
  readonly url: string;
  readonly sha256: string;
  /** The beginning of the content, for showing it; at most `headBytesMax` of it. */
  readonly head: Uint8Array;
}

export const headBytesMax = 8_192;

/** Where copies of the tracker's attachments stand. Both verbs look before they write, so that doing them again changes nothing. */
export interface AttachmentStore {
  /** One outcome for each parcel, in their order. Several parcels are one change where the shelf knows changes. */
  put(uploads: readonly Upload[]): Promise<readonly Outcome<StoredFile>[]>;
  /** Takes files away. */
  remove(paths: readonly string[]): Promise<Outcome<Removal>>;
  /** Shows what stands at these paths, one content after the other; null where nothing stands. */
  read(paths: readonly string[], show: (path: string, bytes: Uint8Array | null) => void): Promise<Outcome<null>>;
}

export interface Removal {
  /** Where the contents can still be found by those who know how, in words for people; null when nowhere. */
  readonly left: string | null;
}

/** A file that people put into an issue. */
export interface LinkedFile {
  readonly name: string;
  readonly type: string;
  readonly bytes: Uint8Array;
}

/** Fetches files that texts on GitHub link to, from GitHub's own hosts and from no other. */
export interface LinkedFiles {
  fetch(url: string, bytesMax: number): Promise<Outcome<LinkedFile>>;
}

/** The doors through which files pass. */
export interface FilePorts {
  readonly attachmentClient: AttachmentClient;
  /** Null when the route only links to files. */
  readonly attachmentStore: AttachmentStore | null;
  readonly linked: LinkedFiles;
}

/**
 *   pending    to be carried over; with a reason, the attempt was refused and waits for the next sweep
 *   mirrored   its copy stands
 *   linked     stays where it is and is only linked to, for a reason
 *   withdrawn  not for other eyes: never shown, and its copy is taken away
 */
export type AttachmentState = 'pending' | 'mirrored' | 'linked' | 'withdrawn';

/** The copy of a tracker's file in the attachment store. */
export interface StoredCopy {
  /** Where people open it. */
  readonly url: string;
  readonly sha256: string | null;
  /** The whole content, where it is a short text. */
  readonly excerpt: string | null;
}

/** The attachment that is the copy of a file in an issue. */
export interface AttachedCopy {
  readonly id: number;
  /** Where people open it; null when only the id is known. */
  readonly url: string | null;
}

/** How a file stands: one that is mirrored has its copy, and no other has one. */
export type AttachmentStanding<Copy> =
  | { readonly state: 'pending' | 'linked'; readonly reason: string | null; readonly copy: null }
  | { readonly state: 'mirrored'; readonly reason: null; readonly copy: Copy }
  | { readonly state: 'withdrawn'; readonly reason: null; readonly copy: null };

interface TrackersFile {
  readonly origin: 'tracker';
  /** Where the copy stands in the attachment store, or is to stand; null once nothing of it can be there. */
  readonly path: string | null;
  /** Digest of what a reader without credentials was shown of the file; a file that shows otherwise has to be proved again. */
  readonly checkedDigest: string | null;
}

interface IssuesFile {
  readonly origin: 'github';
  readonly path: null;
  readonly checkedDigest: null;
}

interface AttachmentFacts {
  readonly link: LinkId;
  /** The attachment's id; or for a file in an issue the digest of its address, by which its copy on the tracker is known. */
  readonly source: string;
  /** Where people open the original. Empty when only the copy is known. */
  readonly url: string;
  readonly name: string;
  readonly summary: string;
  readonly type: string;
  /** Bytes; null when it is not known, or the content was deleted. */
  readonly size: number | null;
  readonly isPatch: boolean;
  readonly isObsolete: boolean;
  /** As those of the attachment. */
  readonly flags: readonly string[];
  readonly createdAt: number;
}

export type NewTrackerAttachmentLink = AttachmentFacts & TrackersFile & AttachmentStanding<StoredCopy>;
export type NewIssueAttachmentLink = AttachmentFacts & IssuesFile & AttachmentStanding<AttachedCopy>;
export type NewAttachmentLink = NewTrackerAttachmentLink | NewIssueAttachmentLink;

/** A file and its copy on the other side. */
export type AttachmentLink = NewAttachmentLink & { readonly id: AttachmentLinkId };

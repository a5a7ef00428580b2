import type { Attachment, AttachmentLink } from '../../model/attachment.ts';
import type { Side } from '../../model/ids.ts';
import type { Bug, Comment, Issue, MinimizeReason } from '../../model/item.ts';
import type { CommentLink, Link } from '../../model/link.ts';
import type { Route, Vocabulary } from '../../model/route.ts';
import type { SeenText } from './seen-text.ts';

/** Of a comment and its copy: which they are, and whether the bridge has given them up, and why. What they say is read anew. */
export type KnownComment = Pick<CommentLink, 'origin' | 'source' | 'part' | 'state' | 'reason'> & {
  readonly copy: number | null;
  readonly copyMinimized: MinimizeReason | null;
};
/** Of a file and its copy. */
export type KnownFile = Pick<AttachmentLink, 'origin' | 'source' | 'path' | 'state' | 'reason' | 'url' | 'name'> & {
  readonly copy: number | null;
  readonly copyUrl: string | null;
};

/** An issue without its body, which is a text like the comments. */
export type SeenIssue = Omit<Issue, 'body'>;

/** A bug and its issue, as both sides show them now, and all that is needed to compare them. */
export interface Pair {
  readonly route: Route;
  readonly vocabulary: Vocabulary;
  readonly own: Readonly<Record<Side, string | null>>;
  readonly link: Pick<Link, 'origin' | 'repo' | 'base'>;
  readonly bug: Bug;
  /** All comments of the bug that our account may see. */
  readonly thread: readonly Comment[];
  /** Null where the route leaves files alone. */
  readonly attachments: readonly Attachment[] | null;
  readonly issue: SeenIssue;
  /** The body first, then the comments in their order. */
  readonly texts: readonly SeenText[];
  readonly commentLinks: readonly KnownComment[];
  readonly files: readonly KnownFile[];
  readonly places: Places;
  /** The bugs of the issues that block this one, and of those that it waits for, as far as they are mirrored and public. */
  readonly mirrored: ReadonlySet<number>;
  /** When the bridge last looked at each side, by that side's clock: what was written later is still to come. */
  readonly lookedAt: Readonly<Record<Side, number>>;
}

/** Where texts may lead: who is whose counterpart, by ids alone. */
export interface Places {
  /** Pages that may be meant by a bug: its issue, and its own page. None for one that is hidden. */
  bug(id: number): readonly string[];
  /** Pages that may be meant by a comment of a bug, by its number there. */
  comment(bug: number, count: number): readonly string[];
  attachment(id: number): readonly string[];
  /**
   * Issues in which something stood once that is hidden or deleted now, so that links to it lead nowhere: a bug that became private, or
   * with a number one of its comments. None for what stands, or never did.
   */
  formerly(bug: number, count: number | null): readonly string[];
  /** The bug that an issue mirrors; the repository is null for the route's own. Null when there is none. */
  bugOf(repo: string | null, issue: number): number | null;
}

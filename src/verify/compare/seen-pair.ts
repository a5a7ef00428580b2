import type { Attachment, AttachmentLink } from '../../model/attachment.ts';
import type { Side } from '../../model/ids.ts';
import type { Bug, Comment, Issue, MinimizeReason } from '../../model/item.ts';
import type { CommentLink, Link } from '../../model/link.ts';
import type { OwnAccounts } from '../../model/people.ts';
import type { Route, Vocabulary } from '../../model/route.ts';
import type { SeenText } from './seen-text.ts';

/**
 * The identity of a comment and its copy, its author as first seen, and whether the bridge has given them up, and why.
 * Their texts are read again.
 */
export type KnownComment = Pick<CommentLink, 'origin' | 'source' | 'part' | 'author' | 'state' | 'reason'> & {
  readonly copy: number | null;
  readonly copyMinimized: MinimizeReason | null;
};
/** The same for a file and its copy. */
export type KnownFile = Pick<AttachmentLink, 'origin' | 'source' | 'path' | 'state' | 'reason' | 'url' | 'name'> & {
  readonly copy: number | null;
};

/** An issue without its body, which is treated as a text like the comments. */
export type SeenIssue = Omit<Issue, 'body'>;

/** A bug and its issue, as both sides show them now, with all data for the comparison. */
export interface Pair {
  readonly route: Route;
  readonly vocabulary: Vocabulary;
  readonly own: OwnAccounts;
  readonly link: Pick<Link, 'origin' | 'repo' | 'base'>;
  readonly bug: Bug;
  /** All comments of the bug that our account can see. */
  readonly thread: readonly Comment[];
  /** Null if the route leaves files alone. */
  readonly attachments: readonly Attachment[] | null;
  readonly issue: SeenIssue;
  /** The body, followed by the comments in their order. */
  readonly texts: readonly SeenText[];
  readonly commentLinks: readonly KnownComment[];
  readonly files: readonly KnownFile[];
  readonly places: Places;
  /** The bugs of the issues that block this one, and of this bug's dependencies, if they are mirrored and public. */
  readonly mirrored: ReadonlySet<number>;
  /** When the bridge last read each side, by that side's clock: newer items are still to come. */
  readonly lookedAt: Readonly<Record<Side, number>>;
}

/** Possible targets of texts: pairs of counterparts, by ids alone. */
export interface Places {
  /** Pages that a bug may link to: its issue, and its own page. None for a hidden bug. */
  bug(id: number): readonly string[];
  /** Pages that a comment of a bug may link to, by its number there. */
  comment(bug: number, count: number): readonly string[];
  attachment(id: number): readonly string[];
  /**
   * Issues that once contained an item which is hidden or deleted now, so that links to it lead nowhere: a bug that
   * became private, or, with a number, one of its comments. None for an item that is visible, or never was.
   */
  formerly(bug: number, count: number | null): readonly string[];
  /**
   * The addresses that the issue of a bug had before people transferred it, from which GitHub leads on, and those of
   * issues that the bug left, which say where it goes on.
   */
  before(bug: number): readonly string[];
  /** The bug that an issue mirrors; the repository is null for the route's own. Null if there is none. */
  bugOf(repo: string | null, issue: number): number | null;
}

/** The comment link of a comment, followed by those of the further parts of its copy. */
export function commentLinksOf({ commentLinks }: Pair, { id }: Comment): readonly KnownComment[] {
  return commentLinks
    .filter(({ origin, source }) => origin === 'tracker' && source === id)
    .sort((one, other) => one.part - other.part);
}

/** The name of a comment for people. */
export const commentName = ({ count, id }: Comment): string =>
  count === 0 ? 'description' : count === null ? `comment ${id}` : `comment ${count}`;

import type { Attachment, Enclosure } from '../../model/attachment.ts';
import type { Bug, Comment, Issue } from '../../model/item.ts';
import type { Entry, Link } from '../../model/link.ts';
import type { Route, Vocabulary } from '../../model/route.ts';
import type { Side } from '../../model/side.ts';
import type { Places } from './places.ts';
import type { SeenText } from './seen-text.ts';

/** Of a comment and its copy: which they are, and whether the bridge has given them up, and why. What they say is read anew. */
export type KnownEntry = Pick<Entry, 'origin' | 'source' | 'copy' | 'part' | 'state' | 'reason' | 'copyFold'>;
/** Of a file and its copy. */
export type KnownFile = Pick<Enclosure, 'origin' | 'source' | 'path' | 'copy' | 'copyUrl' | 'state' | 'reason' | 'url' | 'name'>;

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
  readonly entries: readonly KnownEntry[];
  readonly files: readonly KnownFile[];
  readonly places: Places;
  /** The bugs of the issues that block this one, and of those that it waits for, as far as they are mirrored and public. */
  readonly mirrored: ReadonlySet<number>;
  /** When the bridge last looked at each side, by that side's clock: what was written later is still to come. */
  readonly lookedAt: Readonly<Record<Side, number>>;
}

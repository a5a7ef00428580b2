import type { AttachmentLinkId, CommentLinkId, LinkId } from './ids.ts';
import type { FieldName, Value } from './item.ts';
import type { CommentCopy, CommentLink } from './link.ts';
import type { CommentOperation } from './plan/operation.ts';
import type { ShownPull } from './pulls/pull.ts';

/**
 * Writes to one link's bug that the tracker reported as stored and that no read has shown yet. Some trackers roll a
 * write back and answer as if it were done; so the bridge looks for every reported write, and plans those again that
 * are missing.
 */
export interface Receipt {
  readonly link: LinkId;
  /** When the tracker last reported a write to the bug itself, by our clock. */
  readonly answeredAt: number;
  /** Whether the bug has been read since then. */
  readonly isRead: boolean;
  readonly fields: readonly ReportedField[];
  /** The write that made the bug name its issue in See Also. */
  readonly pointer: Reported | null;
  readonly comments: readonly ReportedComment[];
  readonly files: readonly ReportedFile[];
  readonly pulls: readonly ReportedPull[];
  /** How often a reported write turned out to be lost, by the key of its operation. */
  readonly vain: Readonly<Record<string, number>>;
}

export interface Reported {
  /** The key of the operation. */
  readonly key: string;
  /** The `last_change_time` of the answer, or the tracker's time when it answered; 0 when unknown. */
  readonly at: number;
}

export interface ReportedField extends Reported {
  readonly field: FieldName;
  /** The value in the answer; absent for a field that is not compared. */
  readonly expected?: Value;
  /** The base from before the write. */
  readonly before: { readonly tracker?: Value; readonly github?: Value };
  /** The values from before our writes, the oldest first: if one of them shows again, nobody has edited the field. */
  readonly replaced: readonly Value[];
}

export interface ReportedComment extends Reported {
  /** Null for a comment that went with a change of the bug, or with an attachment: the answer does not name it. */
  readonly id: number | null;
  readonly answeredAt: number;
  /** How often it was looked for and not found. */
  readonly looks: number;
  /** `news` reports a pull request or a push. */
  readonly tells: CommentOperation['tells'] | 'pointer' | 'news';
  /** The key of the news, as the comment link of such a comment has it; absent for all else. */
  readonly remark?: string;
  /** Null for the comment that names the issue, and for news. */
  readonly commentLink: CommentLinkId | null;
  readonly part: number;
  /** Digest of the source text that it carries. */
  readonly digest: string;
  /** The comment link from before; null for a copy. */
  readonly was: (Pick<CommentLink, 'mirrored' | 'parts' | 'before'> & { readonly copy: Partial<CommentCopy> }) | null;
}

export interface ReportedFile extends Reported {
  readonly id: number;
  readonly answeredAt: number;
  readonly attachmentLink: AttachmentLinkId;
}

/** A change of the attachment that represents a pull request, without a comment. */
export interface ReportedPull extends Reported {
  readonly answeredAt: number;
  /** The number of the pull request. */
  readonly pull: number;
  readonly attachment: number;
  readonly expected: ShownPull;
  /** What it showed before our writes, the oldest first, as far as that is known. */
  readonly replaced: readonly ShownPull[];
}

/** A change to a bug, as the bug's history records it. */
export interface PastChange {
  readonly ref: number;
  /** Whole seconds, in epoch milliseconds. */
  readonly at: number;
  readonly login: string;
  /** The fields that changed, with the new texts of each; a status has several. */
  readonly what: Readonly<Partial<Record<FieldName | 'seeAlso', readonly string[]>>>;
  /** The texts that those replaced. */
  readonly was: PastChange['what'];
  /** Comments that became public, where the tracker names them. */
  readonly shown?: readonly number[];
}

/** At most one receipt for each link. */
export interface Receipts {
  get(link: LinkId): Receipt | null;
  save(receipt: Receipt): void;
  remove(link: LinkId): void;
  /** In the order of the links. */
  ofRoute(route: string): readonly Receipt[];
}

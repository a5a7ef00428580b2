import type { AttachmentLinkId, CommentLinkId, LinkId } from './ids.ts';
import type { FieldName, Value } from './item.ts';
import type { CommentCopy, CommentLink } from './link.ts';
import type { CommentOperation } from './operation.ts';

/**
 * What the tracker said that it stored of one link and no reading has shown yet. Some trackers roll a write back and answer as if it were
 * done; so what is not shown is looked for, and planned again where it is not there.
 */
export interface Receipt {
  readonly link: LinkId;
  /** When the tracker last said so of the bug itself, by our clock. */
  readonly answeredAt: number;
  /** Whether the bug was read since then. */
  readonly isRead: boolean;
  readonly fields: readonly ReportedField[];
  /** That the bug names its issue in See Also. */
  readonly pointer: Reported | null;
  readonly comments: readonly ReportedComment[];
  readonly files: readonly ReportedFile[];
  /** How often the same was said in vain, by the key of the operation. */
  readonly vain: Readonly<Record<string, number>>;
}

export interface Reported {
  /** Of the operation. */
  readonly key: string;
  /** The `last_change_time` of the answer, or the tracker's time when it answered; 0 where that is not known. */
  readonly at: number;
}

export interface ReportedField extends Reported {
  readonly field: FieldName;
  /** As the answer showed it; absent for what takes no part. */
  readonly expected?: Value;
  /** What both sides had agreed on before. */
  readonly before: { readonly tracker?: Value; readonly github?: Value };
  /** What showed before our writes, the oldest first: where that shows again, it is not somebody's edit. */
  readonly replaced: readonly Value[];
}

export interface ReportedComment extends Reported {
  readonly id: number;
  readonly answeredAt: number;
  /** How often it was looked for in vain. */
  readonly looks: number;
  readonly tells: CommentOperation['tells'] | 'pointer';
  /** Null for a comment that names the issue. */
  readonly commentLink: CommentLinkId | null;
  readonly part: number;
  /** Digest of the source text that it carries. */
  readonly digest: string;
  /** What the comment link said before; null for a copy. */
  readonly was: (Pick<CommentLink, 'mirrored' | 'parts' | 'before'> & { readonly copy: Partial<CommentCopy> }) | null;
}

export interface ReportedFile extends Reported {
  readonly id: number;
  readonly answeredAt: number;
  readonly attachmentLink: AttachmentLinkId;
}

/** Something that an account changed of a bug, as the bug's history has it. */
export interface PastChange {
  readonly ref: number;
  /** Whole seconds, in epoch milliseconds. */
  readonly at: number;
  readonly login: string;
  readonly what: readonly (FieldName | 'seeAlso')[];
}

/** One receipt for a link at most. */
export interface Receipts {
  get(link: LinkId): Receipt | null;
  save(receipt: Receipt): void;
  remove(link: LinkId): void;
  /** In the order of the links. */
  ofRoute(route: string): readonly Receipt[];
}

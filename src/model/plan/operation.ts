import type { AttachmentLinkId, BugId, CommentLinkId, LinkId, Side } from '../ids.ts';
import type { FieldName, Fields, MinimizeReason, Value } from '../item.ts';
import type { WrongLabel } from '../label-event.ts';
import type { Base } from '../link.ts';
import type { TellsOfPull } from '../pulls/pull.ts';
import type { TellsOfPush } from '../pulls/push.ts';
import type { BugDraft, IssueDraft } from './draft.ts';

interface Planned {
  /** Identifies the intention, not the attempt: the same wish has the same key in the next cycle. */
  readonly key: string;
  readonly link: LinkId;
  /** The item it concerns, for people: `bug 12`, `owner/repo#5`. */
  readonly about: string;
}

/** The fields that an operation carries. */
export interface Carried {
  /** The values that the target side should show afterwards. */
  readonly target: Fields;
  /** The values that they come from, as the other side shows them. */
  readonly source: Fields;
}

export type CreateOperation = Planned &
  Carried & {
    readonly kind: 'create';
    /** The comment link whose text becomes the description or body; null when there is none. */
    readonly commentLink: CommentLinkId | null;
    /** How many parts that text has; all but the first follow as comments. */
    readonly parts: number;
    /** What earlier tries sent that have not arrived so far, but still may; absent if there are none. */
    readonly tried?: readonly Fields[];
  } & ({ readonly on: 'tracker'; readonly draft: BugDraft } | { readonly on: 'github'; readonly draft: IssueDraft });

/**
 * `rules/fields/plan.ts` decides how the values are written: in one request, or in several when the server forbids the
 * direct way.
 */
export type UpdateOperation = Planned &
  Carried & {
    readonly kind: 'update';
    readonly on: Side;
    /** The bug that this one duplicates, if the target status says that it is a duplicate. */
    readonly duplicateOf: BugId | null;
    /** Intermediate status views. If one of them shows, it is ours and no edit by a person. */
    readonly via: readonly string[];
    /** The current values of the fields that change. */
    readonly replaces: Fields;
    /** The conflicts whose losing value this write replaces. */
    readonly overruled: readonly Conflict[];
    /** Fields that were edited on the mirror of a one-way route and that this corrects; absent if there are none. */
    readonly corrects?: readonly FieldName[];
    /** On GitHub: it notifies people and counts as content, as dependencies and values of issue fields do. */
    readonly isContent?: true;
    /**
     * On the tracker: the bug also gets the address of its issue, in the same request; absent if it has that already.
     */
    readonly isPointing?: true;
  };

/**
 * Says which comment to write. `rules/comments/render.ts` renders the text when it is sent, or when a plan is printed.
 */
export type CommentOperation = Planned & {
  readonly kind: 'comment';
  readonly on: Side;
  readonly commentLink: CommentLinkId;
  /** Digest of the source text that this carries. */
  readonly digest: string;
  /** Whether it copies the source, reports an edit of it, or reports its deletion. */
  readonly tells: 'copy' | 'edit' | 'deletion';
  /** This part's position among the comments that hold the text, counted from 1. */
  readonly part: number;
  readonly parts: number;
};

/** Rewrites a copy on GitHub, rendered as for a comment. The copy of a description is the body of its issue. */
export type RewriteOperation = Planned & {
  readonly kind: 'rewrite';
  readonly on: 'github';
  /** The comment link whose copy it is; each further part of a text has a comment link of its own. */
  readonly commentLink: CommentLinkId;
  /** Digest of the source text that this carries, and how many parts that has. */
  readonly digest: string;
  readonly parts: number;
  /** True if the source was edited; false if only something that it refers to looks different. */
  readonly isEdit: boolean;
  /**
   * Given for copies that people changed: their words stay, and only the addresses of these files' copies go, in all
   * parts of the text. Absent if the bridge's text replaces the whole copy.
   */
  readonly hides?: readonly HiddenFile[];
};

/** Deletes a copy on GitHub. */
export type EraseOperation = Planned & {
  readonly kind: 'erase';
  readonly on: 'github';
  readonly commentLink: CommentLinkId;
  /** The reason, for people; it is kept with the comment link. */
  readonly reason: string;
};

/** A file of the tracker that GitHub may not show, or no longer. */
export interface HiddenFile {
  /** The attachment's id. */
  readonly id: number;
  /** The attachment's page on the tracker, which takes the place of the address of its copy. */
  readonly url: string;
}

/** Minimizes a copy on GitHub, or shows it again if `minimize` is null. Each part of a text has its own copy. */
export type MinimizeOperation = Planned & {
  readonly kind: 'minimize';
  readonly on: 'github';
  readonly commentLink: CommentLinkId;
  readonly minimize: MinimizeReason | null;
};

/** Makes one end name the other. `rules/links/match.ts` decides how: see_also, a comment, or a line under the issue. */
export type PointOperation = Planned & { readonly kind: 'point'; readonly on: Side };

/**
 * A write for one file. How files are laid out in the attachment store is the store's own affair.
 *
 *   store     put a copy of the attachment at `path`
 *   withdraw  remove the copy at `path`
 *   attach    attach the file of the issue to the bug
 */
export type FileOperation = Planned & {
  readonly kind: 'file';
  readonly attachmentLink: AttachmentLinkId;
  readonly name: string;
} & (
    | { readonly on: 'github'; readonly act: 'store' | 'withdraw'; readonly path: string }
    | { readonly on: 'tracker'; readonly act: 'attach' }
  );

/** The bridge's own comment, which explains a decision of the bridge. It is not mirrored, and each is made once. */
export type RemarkOperation = Planned & {
  readonly kind: 'remark';
  readonly on: 'github';
  /** The key of what it explains. */
  readonly remark: string;
  /**
   * The label, type or field event that it answers; events by bots and by our own account get no answer. Null for the
   * remark that sends people to the tracker.
   */
  readonly answers: WrongLabel | null;
};

/**
 * Keeps a mirror read-only.
 *
 *   lock   locks an issue that mirrors a bug
 *   close  closes an issue opened by a visitor, after a remark said where to file bugs; that ends its link
 */
export type LockOperation = Planned & { readonly kind: 'lock'; readonly on: 'github'; readonly act: 'lock' | 'close' };

/**
 * The kinds of operations. What the program knows of a kind is in `rules/operations`, and how it is performed in
 * `sync/perform`, in a file of its name: both collections are records over these names, so that a new kind does not
 * compile without its two files.
 */
interface OperationKinds {
  readonly create: CreateOperation;
  readonly update: UpdateOperation;
  readonly comment: CommentOperation;
  readonly rewrite: RewriteOperation;
  readonly erase: EraseOperation;
  readonly minimize: MinimizeOperation;
  readonly point: PointOperation;
  readonly file: FileOperation;
  readonly remark: RemarkOperation;
  readonly pull: Planned & TellsOfPull;
  readonly push: Planned & TellsOfPush;
  readonly lock: LockOperation;
}

export type OperationKind = keyof OperationKinds;

/** A request to a side; `Operation<'update'>` is one of that kind. */
export type Operation<Kind extends OperationKind = OperationKind> = {
  readonly [Each in Kind]: { readonly kind: Each } & OperationKinds[Each];
}[Kind];

/** A decision that only changes our own state. */
export type Note =
  | { readonly kind: 'agree'; readonly link: LinkId; readonly base: Base }
  | { readonly kind: 'freeze'; readonly link: LinkId; readonly reason: string }
  /** The copy is up to date, or is left as it was edited; its mentions are kept with it. */
  | {
      readonly kind: 'fresh';
      readonly link: LinkId;
      readonly commentLink: CommentLinkId;
      readonly mentions: readonly string[];
      /** True if the copy is what we would write, and so is ours. */
      readonly isRight: boolean;
    };

/** Both sides changed a field since they last agreed. `kept` is null while a person has to decide. */
export interface Conflict {
  readonly link: LinkId;
  readonly field: FieldName;
  readonly tracker: Value;
  readonly github: Value;
  readonly kept: Side | null;
  /** Who set the value of an end, and when, for the ends that say; absent before they were asked. */
  readonly changed?: Readonly<Partial<Record<Side, ChangedBy>>>;
}

export interface ChangedBy {
  /** A login, without the host of an e-mail address. */
  readonly by: string;
  readonly at: number;
}

/** Something left undone on purpose, and why. */
export interface Skip {
  readonly link: LinkId;
  readonly about: string;
  readonly reason: string;
  /** True when a person has to act (an unmapped value); shown by `status`. */
  readonly needsPerson: boolean;
  /** True if the link is planned again with the next cycle, although nothing may mark it until then. */
  readonly isToRetry?: true;
}

export interface Plan {
  readonly operations: readonly Operation[];
  readonly notes: readonly Note[];
  readonly conflicts: readonly Conflict[];
  readonly skips: readonly Skip[];
}

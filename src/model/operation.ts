import type { AttachmentLinkId, BugId, CommentLinkId, LinkId, Side } from './ids.ts';
import type { BugValues, CloseReason, CustomValues, FieldName, Fields, FieldValues, MinimizeReason, Value } from './item.ts';
import type { WrongLabel } from './label-event.ts';
import type { Base } from './link.ts';
import type { FurtherValues } from './route.ts';

/** A bug to file. */
export interface BugDraft {
  readonly product: string;
  readonly summary: string;
  readonly description: string;
  /** The description is Markdown, for a tracker that takes it. */
  readonly isMarkdown?: true;
  readonly values: BugValues;
  /** What the route says of every new bug; everything else of the draft wins over it. */
  readonly further?: FurtherValues;
  readonly keywords: readonly string[];
  readonly whiteboard?: string;
  readonly customs?: CustomValues;
  /** A login; absent leaves the choice to the tracker. */
  readonly assignee?: string;
  /** Absent leaves the choice to the tracker. */
  readonly milestone?: string;
  /** The issue's URL, by which the bug is found again; null when the tracker does not take it there. */
  readonly seeAlso: string | null;
}

/** One PUT. Absent means unchanged. */
export interface BugPatch {
  readonly summary?: string;
  readonly status?: string;
  readonly resolution?: string;
  readonly dupeOf?: BugId;
  readonly values?: BugValues;
  readonly keywords?: SetPatch;
  /** The whole of it, although only tags in it change. */
  readonly whiteboard?: string;
  readonly customs?: CustomValues;
  /** A login; null gives the bug back to whom its component belongs. */
  readonly assignee?: string | null;
  readonly milestone?: string;
  readonly dependsOn?: SetPatch;
  /** A URL to add. */
  readonly seeAlso?: string;
  /** A comment that goes with it, in the same request and the same e-mail. */
  readonly comment?: string;
}

/** An issue to open. */
export interface IssueDraft {
  readonly title: string;
  readonly body: string;
  readonly labels: readonly string[];
  readonly assignees?: readonly string[];
  /** A title. */
  readonly milestone?: string;
  /** The name of a type; one that the organisation does not have is left out. */
  readonly type?: string;
  /** By name; fields and options that the organisation does not have are left out. */
  readonly fields?: FieldValues;
}

/** One PATCH, but for what says otherwise. Absent means unchanged. */
export interface IssuePatch {
  readonly title?: string;
  readonly state?: 'open' | 'closed';
  /** Goes with `state: 'closed'`. */
  readonly reason?: CloseReason;
  /** The database id of the issue that this one duplicates. */
  readonly duplicateOfId?: number;
  readonly labels?: SetPatch;
  readonly assignees?: SetPatch;
  /** A title, which is made where the repository does not have it; null takes the milestone away. */
  readonly milestone?: string | null;
  /** The name of a type, null for none; one that the organisation does not have is left out. */
  readonly type?: string | null;
  /**
   * The organisation's fields that change, by name; null empties one. Fields and options that the organisation does not have are left out.
   * They are no part of the PATCH, which would empty all others: one request sets values, and one each empties a field.
   */
  readonly fields?: Readonly<Record<string, string | readonly string[] | null>>;
  /** The whole body anew; `stale` when the body is no longer as seen. */
  readonly body?: string;
  /** A passage of the body to replace where it stands last; `stale` when it no longer stands there. */
  readonly passage?: { readonly was: string; readonly becomes: string };
  /** One issue more or less that blocks this one. It is no part of the PATCH, so it goes alone. */
  readonly blocker?: BlockerPatch;
  /** Text to put at the end of the body, once, and after an empty line where there is a body. */
  readonly footer?: string;
}

/** `issueId` is the database id of the issue that blocks. */
export interface BlockerPatch {
  readonly change: 'add' | 'remove';
  readonly issueId: number;
}

export interface SetPatch {
  readonly add: readonly string[];
  readonly remove: readonly string[];
}

interface Planned {
  /** Names the intention, not the attempt: the same wish in the next cycle has the same key. */
  readonly key: string;
  readonly link: LinkId;
  /** What it is about, for people: `bug 12`, `owner/repo#5`. */
  readonly about: string;
}

/** What an operation says of the fields it carries. */
export interface Carried {
  /** Values as the side written to should show them afterwards. */
  readonly target: Fields;
  /** The values they come from, as the other side shows them. */
  readonly source: Fields;
}

export type CreateOperation = Planned &
  Carried & {
    readonly kind: 'create';
    /** The commentLink whose text becomes the description or body; null when there is none. */
    readonly commentLink: CommentLinkId | null;
    /** How many parts that text has; the others follow as comments. */
    readonly parts: number;
  } & ({ readonly on: 'tracker'; readonly draft: BugDraft } | { readonly on: 'github'; readonly draft: IssueDraft });

/** How the values are written (one request, or several when the server forbids the direct way) is fields/steps.ts. */
export type UpdateOperation = Planned &
  Carried & {
    readonly kind: 'update';
    readonly on: Side;
    /** The bug that this one duplicates, when the target status says so. */
    readonly duplicateOf: BugId | null;
    /** Status views that may show on the way; they are ours, not somebody's edit. */
    readonly via: readonly string[];
    /** What the side shows now of the fields that change. */
    readonly replaces: Fields;
    /** What loses by this write. */
    readonly overruled: readonly Conflict[];
    /** Fields that somebody changed on the mirror of a one-way route, and that this puts right; absent where there are none. */
    readonly corrects?: readonly FieldName[];
  };

/** Names what is to be shown. The words are written when it is sent, and when a plan is printed, by comments/render.ts. */
export type CommentOperation = Planned & {
  readonly kind: 'comment';
  readonly on: Side;
  readonly commentLink: CommentLinkId;
  /** Digest of the source text that this carries. */
  readonly digest: string;
  /** What it says of its source: the text, how that was edited since it was copied, or that it was deleted. */
  readonly tells: 'copy' | 'edit' | 'deletion';
  /** Which of how many comments that hold the text, counted from 1. */
  readonly part: number;
  readonly parts: number;
};

/** Changes what a copy on GitHub says, rendered as that of a comment; the copy of a description is the body of its issue. */
export type RewriteOperation = Planned & {
  readonly kind: 'rewrite';
  readonly on: 'github';
  /** The commentLink whose copy it is; a further part of a text is an commentLink of its own. */
  readonly commentLink: CommentLinkId;
  /** Digest of the source text that this carries, and how many parts that has. */
  readonly digest: string;
  readonly parts: number;
  /** True when the source was edited, false when only what it refers to looks different. */
  readonly isEdit: boolean;
};

/** Takes a copy on GitHub away. */
export type EraseOperation = Planned & {
  readonly kind: 'erase';
  readonly on: 'github';
  readonly commentLink: CommentLinkId;
  /** Why, for people: it is kept with the commentLink. */
  readonly reason: string;
};

/** Folds a copy on GitHub away, or shows it again where `fold` is null. A part of a text has a copy of its own. */
export type MinimizeOperation = Planned & {
  readonly kind: 'minimize';
  readonly on: 'github';
  readonly commentLink: CommentLinkId;
  readonly minimize: MinimizeReason | null;
};

/** Makes one end name the other. How (see_also, a comment, a line under the issue) is links/pointers.ts. */
export type PointOperation = Planned & { readonly kind: 'point'; readonly on: Side };

/**
 * What becomes of one file. How files stand on the shelf is the shelf's own affair.
 *
 *   shelve    put a copy of the attachment at `path`
 *   withdraw  take the copy at `path` away
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

/** A comment of the bridge's own, which explains what it did. It crosses to no side, and each is made once. */
export type RemarkOperation = Planned & {
  readonly kind: 'remark';
  readonly on: 'github';
  /** What it explains, by which it is known. */
  readonly remark: string;
  /** What somebody did to a label, the type or a field, which it answers: to a program's deed, and to our own, nothing is said. Null sends people to the tracker. */
  readonly answers: WrongLabel | null;
};

/**
 * Keeps a mirror for reading only.
 *
 *   lock   an issue that mirrors a bug
 *   close  an issue that people opened, after they were told where to go; its link ends with that
 */
export type LockOperation = Planned & { readonly kind: 'lock'; readonly on: 'github'; readonly act: 'lock' | 'close' };

/**
 * The kinds of operations. Whatever treats them differently is a record over these names (`PerKind`) or a switch without a default, so that a new kind
 * does not compile until every place has said what becomes of it.
 */
export interface OperationKinds {
  readonly create: CreateOperation;
  readonly update: UpdateOperation;
  readonly comment: CommentOperation;
  readonly rewrite: RewriteOperation;
  readonly erase: EraseOperation;
  readonly minimize: MinimizeOperation;
  readonly point: PointOperation;
  readonly file: FileOperation;
  readonly remark: RemarkOperation;
  readonly lock: LockOperation;
}

export type OperationKind = keyof OperationKinds;

/** Operations that are requests to a side; `Operation<'fold'>` is one of a kind. */
export type Operation<Kind extends OperationKind = OperationKind> = {
  readonly [Each in Kind]: { readonly kind: Each } & OperationKinds[Each];
}[Kind];

/** Decisions that only touch our own state. */
export type Note =
  | { readonly kind: 'agree'; readonly link: LinkId; readonly base: Base }
  | { readonly kind: 'freeze'; readonly link: LinkId; readonly reason: string }
  /** The copy says what it should, or is left as somebody made it; what it refers to is kept with it. */
  | {
      readonly kind: 'fresh';
      readonly link: LinkId;
      readonly commentLink: CommentLinkId;
      readonly mentions: readonly string[];
      /** True when what stands is what we would write, and so is ours. */
      readonly isRight: boolean;
    };

/** Both sides changed one field since they last agreed. `kept` is null while a person has to decide. */
export interface Conflict {
  readonly link: LinkId;
  readonly field: FieldName;
  readonly tracker: Value;
  readonly github: Value;
  readonly kept: Side | null;
}

/** Something that was left undone on purpose, and why. */
export interface Skip {
  readonly link: LinkId;
  readonly about: string;
  readonly reason: string;
  /** True when a person has to act (an unmapped value); shown by `status`. */
  readonly needsPerson: boolean;
}

export interface Plan {
  readonly operations: readonly Operation[];
  readonly notes: readonly Note[];
  readonly conflicts: readonly Conflict[];
  readonly skips: readonly Skip[];
}

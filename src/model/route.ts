import type { BugValueName, CloseReason, CustomName } from './item.ts';
import type { People } from './people.ts';

export const directions = ['both', 'to-github', 'to-tracker'] as const;
export type Direction = (typeof directions)[number];
export type ConflictPolicy = 'newest' | 'tracker' | 'github' | 'ask';

/**
 * What becomes of visitors where only the bridge should write. Only on routes to GitHub.
 *
 *   welcome   their issues and comments are left alone
 *   lock      issues that mirror bugs are locked, and kept so
 *   redirect  whoever opens an issue is told once where bugs are filed, and the issue is closed
 */
export type Visitors = 'welcome' | 'lock' | 'redirect';

/** Which bugs a route takes. Only the product is asked of the tracker; the rest is checked here. */
export interface Selection {
  readonly product: string;
  /** Null takes every component. */
  readonly components: readonly string[] | null;
  readonly keyword: string | null;
  /** Epoch milliseconds. */
  readonly createdSinceAt: number | null;
  readonly openOnly: boolean;
}

/** How one status (and resolution) looks on GitHub. */
export interface StatusView {
  readonly state: 'open' | CloseReason;
  /** A label that carries what the state cannot; only on open views. */
  readonly label: string | null;
}

/** A closed status shows by resolution; `*` stands for every resolution not named. */
export type ToGithub = Readonly<Record<string, StatusView | Readonly<Record<string, StatusView>>>>;

export interface StatusMap {
  readonly toGithub: ToGithub;
  /** What a GitHub state asks of the tracker: the open status for a reopened bug, [status, resolution] for a closed one. */
  readonly reopened: string;
  readonly completed: readonly [status: string, resolution: string];
  readonly notPlanned: readonly [status: string, resolution: string];
}

/** A field whose values labels may show. */
export type LabelSource = BugValueName | 'keywords' | 'whiteboard' | CustomName;

/** Shows a bug's field as labels: `as` holds `{value}` once. */
export interface LabelRule {
  readonly from: LabelSource;
  readonly as: string;
  /** Whether a label changed on GitHub travels back. */
  readonly both: boolean;
  /** The value shows as the type of the issue, and `as` makes the type's name. One rule of a route at most. */
  readonly isType?: true;
  /** The value shows in this field of the organisation's issues, as it is: `as` is `{value}`. */
  readonly field?: string;
}

/** What a bug filed from an issue gets besides its text. */
export interface CreateValues {
  readonly component: string;
  readonly version: string;
  readonly op_sys: string;
  readonly platform: string;
  readonly severity: string;
  readonly priority: string;
}

/** What else it gets, by the names that the tracker's interface has for it: `type`, `cf_...`. Nothing the tracker does not ask for. */
export type FurtherValues = Readonly<Record<string, string | readonly string[]>>;

/**
 * Where copies of attachments stand.
 *
 *   branch   on a branch of the route's repository that has nothing to do with its code
 *   repo     on a branch of another repository
 *   release  as assets of releases
 *   upload   where GitHub keeps what people drop into texts; pictures and films only, everything else is linked to
 *   link     nowhere: the issue links to the tracker
 */
export type StoreKind = 'branch' | 'repo' | 'release' | 'upload' | 'link';

export interface AttachmentRule {
  readonly store: StoreKind;
  /** The repository of the shelf; for `link` it is of no use. */
  readonly owner: string;
  readonly repo: string;
  readonly branch: string;
  /** The tag of the first release; further ones add a number to it. */
  readonly tag: string;
  /** A larger file stays on its side, and a link to it says so. */
  readonly bytesMax: number;
}

/** What becomes of a copy on GitHub that somebody changed there: it is put right, or left, and then later changes do not show in it. */
export type CopyPolicy = 'restore' | 'leave';
/** What the bug hears when a comment that was copied to it is deleted on GitHub. */
export type DeletionPolicy = 'note' | 'nothing';
/**
 * What counts as public.
 *
 *   anonymous  only what a reader without credentials is shown, read before it is first published
 *   none       what the tracker does not call private
 */
export type VisibilityCheck = 'anonymous' | 'none';

export interface Route {
  readonly name: string;
  /** Goes into markers, so that several bridges can share a repository. */
  readonly instance: string;
  readonly selection: Selection;
  readonly owner: string;
  readonly repo: string;
  /** Where the pages of its GitHub are: `github.com`, or the host of an Enterprise Server, with its port where it has one. */
  readonly webHost: string;
  /** Only issues with this label cross; null takes every issue. */
  readonly label: string | null;
  readonly direction: Direction;
  readonly visitors: Visitors;
  /** Where people file a bug for what the route takes, on the tracker's own pages. */
  readonly newBugUrl: string;
  readonly conflicts: ConflictPolicy;
  readonly copies: CopyPolicy;
  readonly deletions: DeletionPolicy;
  readonly create: CreateValues;
  readonly createFurther: FurtherValues;
  readonly status: StatusMap;
  readonly labels: readonly LabelRule[];
  /** Null leaves files where they are and comments about them as they stand. */
  readonly attachments: AttachmentRule | null;
  readonly people: People;
  /** Whether assignees cross, through `people`. */
  readonly assignee: boolean;
  readonly milestones: boolean;
  /** Whether people of `people` are mentioned in texts, which notifies them. */
  readonly mentions: boolean;
  /** Whether bugs that wait for others show so on GitHub, and the other way. */
  readonly dependencies: boolean;
  /** Names of fields that a folded table in the issue shows, by the names of the tracker. */
  readonly table: readonly string[];
  readonly visibilityCheck: VisibilityCheck;
  /** Whether a private repository may be written to the tracker. */
  readonly privateRepository: 'refuse' | 'mirror';
}

/** Limits that keep a cycle small and a mistake harmless. */
export interface Limits {
  readonly writesPerCycle: number;
  /** The share of a route's links that one plan may change, between 0 and 1. */
  readonly brakeShare: number;
  /** How long a write may take to show up in the lists of its side. */
  readonly settleMs: number;
  readonly attempts: number;
}

/** The values that the tracker accepts, as far as it tells; an absent name was not told. */
export interface Vocabulary {
  readonly values: Readonly<Partial<Record<LabelSource | 'milestone', readonly string[]>>>;
  /** What each custom field takes: one of its values, several of them, or something that is no choice; absent when the tracker does not tell. */
  readonly customs?: Readonly<Record<CustomName, 'one' | 'several' | 'other'>>;
  /** From each status to those it may move to, by the account's rights; null when the tracker does not tell. */
  readonly workflow: Readonly<Record<string, readonly string[]>> | null;
  /** The tracker reads texts as Markdown, and takes such from us; absent for plain text, and where it is not told. */
  readonly takesMarkdown?: true;
}

import type { BugValueName, CloseReason, CustomName } from './item.ts';
import type { People } from './people.ts';

export const directions = ['both', 'to-github', 'to-tracker'] as const;
export type Direction = (typeof directions)[number];
type ConflictPolicy = 'newest' | 'tracker' | 'github' | 'ask';

/**
 * How visitors are treated where only the bridge should write. Only on routes to GitHub.
 *
 *   welcome   their issues and comments are left alone
 *   lock      issues that mirror bugs are locked, and stay locked
 *   redirect  a new issue gets one comment that says where to file bugs, and is closed
 */
export type Visitors = 'welcome' | 'lock' | 'redirect';

/** Which bugs a route takes. The tracker is only asked for the product; the rest is checked here. */
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
  /** A label for the part of the status that the state cannot express; only on open views. */
  readonly label: string | null;
}

/** A closed status is shown by resolution; `*` means every resolution not named. */
type ToGithub = Readonly<Record<string, StatusView | Readonly<Record<string, StatusView>>>>;

export interface StatusMap {
  readonly toGithub: ToGithub;
  /**
   * What each GitHub state sets on the tracker: the open status for a reopened bug, [status, resolution] for a closed
   * one.
   */
  readonly reopened: string;
  readonly completed: readonly [status: string, resolution: string];
  readonly notPlanned: readonly [status: string, resolution: string];
}

/** A field whose values may show as labels. */
export type LabelSource = BugValueName | 'keywords' | 'whiteboard' | CustomName;

/** Shows a bug's field as labels: `as` contains `{value}` once. */
export interface LabelRule {
  readonly from: LabelSource;
  readonly as: string;
  /** Whether a label changed on GitHub is carried back. */
  readonly both: boolean;
  /** The value shows as the type of the issue, and `as` makes the type's name. At most one such rule in a route. */
  readonly isType?: true;
  /** The value shows in this field of the organisation's issues, as it is: `as` is `{value}`. */
  readonly field?: string;
}

/** Values for a bug filed from an issue. */
export interface CreateValues {
  readonly component: string;
  readonly version: string;
  readonly op_sys: string;
  readonly platform: string;
  readonly severity: string;
  readonly priority: string;
}

/**
 * Further values for such a bug, by the names of the tracker's API: `type`, `cf_...`. Only fields that the tracker asks
 * for.
 */
export type FurtherValues = Readonly<Record<string, string | readonly string[]>>;

/**
 * Where copies of attachments are kept.
 *
 *   branch   on a branch of the route's repository that is separate from its code
 *   repo     on a branch of another repository
 *   release  as assets of releases
 *   link     nowhere: the issue links to the tracker
 */
export type StoreKind = 'branch' | 'repo' | 'release' | 'link';

export interface AttachmentRule {
  readonly store: StoreKind;
  /** The repository of the attachment store; unused for `link`. */
  readonly owner: string;
  readonly repo: string;
  readonly branch: string;
  /** The tag of the first release; further releases add a number to it. */
  readonly tag: string;
  /** A larger file stays on its side, and the link to it says so. */
  readonly bytesMax: number;
}

/**
 * Whether a copy that was edited on GitHub is restored, or left as it is; a copy that is left gets no later changes.
 */
type CopyPolicy = 'restore' | 'leave';
/** Whether the bug gets a note when a comment that was copied to it is deleted on GitHub. */
type DeletionPolicy = 'note' | 'nothing';
/**
 * Which content counts as public.
 *
 *   anonymous  only content that the anonymous reader was shown before it is first published
 *   none       all content that the tracker does not mark as private
 */
export type VisibilityCheck = 'anonymous' | 'none';

/**
 * When a bug gets the address of its issue, which is one mail to those who follow it: in a request of its own, together
 * with the next change of its fields, or never. A bug that is filed from an issue names it from the start.
 */
export type PointerPolicy = 'now' | 'with-next-change' | 'never';

export interface Route {
  readonly name: string;
  /** A route that is off is neither read nor written. */
  readonly isEnabled: boolean;
  /** A side that was last read longer ago counts as not read. */
  readonly lagMaxMs: number;
  /** Whom to ask about the route. */
  readonly contact: string | null;
  /** Goes into markers, so that several bridges can share a repository. */
  readonly instance: string;
  readonly selection: Selection;
  readonly owner: string;
  readonly repo: string;
  /** The host of GitHub's pages: `github.com`, or that of an Enterprise Server, with its port if it has one. */
  readonly webHost: string;
  /** Only issues with this label are mirrored; null takes every issue. */
  readonly label: string | null;
  readonly direction: Direction;
  readonly visitors: Visitors;
  /** The tracker's page for filing a bug in the route's product. */
  readonly newBugUrl: string;
  /** Where the tracker was before: addresses of bugs there name bugs of this tracker. Absent if nowhere. */
  readonly formerUrls?: readonly string[];
  /**
   * How pull requests name bugs, besides the bug's address: with `{bug}` for its number. Absent if bugs are not told of
   * pull requests.
   */
  readonly pulls?: readonly string[];
  /** Which commits bugs are told of. Absent if of none. */
  readonly commits?: CommitRule;
  /** Whether an issue lists what needs a person; absent if not. */
  readonly dashboard?: true;
  readonly conflicts: ConflictPolicy;
  readonly pointer: PointerPolicy;
  readonly copies: CopyPolicy;
  readonly deletions: DeletionPolicy;
  readonly create: CreateValues;
  readonly createFurther: FurtherValues;
  readonly status: StatusMap;
  readonly labels: readonly LabelRule[];
  /** Null leaves files where they are, and comments about them unchanged. */
  readonly attachments: AttachmentRule | null;
  readonly people: People;
  /** Whether assignees are mirrored, through `people`. */
  readonly assignee: boolean;
  readonly milestones: boolean;
  /** Whether texts mention the users listed in `people`, which notifies them. */
  readonly mentions: boolean;
  /** Whether "depends on" and "blocked by" are mirrored. */
  readonly dependencies: boolean;
  /** Fields that a collapsed table in the issue shows, by the tracker's names. */
  readonly table: readonly string[];
  /** Whether the bug's whiteboard shows how many thumbs up the issue has. */
  readonly thumbsUp: boolean;
  readonly visibilityCheck: VisibilityCheck;
  /** Whether a private repository may be written to the tracker. */
  readonly privateRepository: 'refuse' | 'mirror';
}

/** Of which branch, null for the default one, and how its commits name bugs, as in `pulls`. */
export interface CommitRule {
  readonly branch: string | null;
  readonly patterns: readonly string[];
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

/** The values that the tracker accepts, as far as it says; an absent name was not reported. */
export interface Vocabulary {
  readonly values: Readonly<Partial<Record<LabelSource | 'milestone', readonly string[]>>>;
  /**
   * Whether each custom field takes one of its values, several of them, a day, a whole number, or other input; absent
   * when the tracker does not say.
   */
  readonly customs?: Readonly<Partial<Record<CustomName, 'one' | 'several' | 'day' | 'number' | 'other'>>>;
  /** For each status, those that the account may move it to; null when the tracker does not say. */
  readonly workflow: Readonly<Record<string, readonly string[]>> | null;
  /**
   * The components of the product, with those that are closed to new bugs; null if our account sees no such product,
   * absent if the tracker does not say.
   */
  readonly components?: readonly string[] | null;
  /** The tracker renders texts as Markdown, and accepts it from us; absent for plain text, and when unknown. */
  readonly takesMarkdown?: true;
  /** Whether it reads every text as Markdown, also one that is not marked as such. */
  readonly readsAllMarkdown?: true;
}

/** Where on GitHub each field of a route's bugs was shown when the bases were last stored. */
export interface Places {
  /** Replaces everything known about the route. */
  save(route: string, places: Readonly<Record<string, Place>>): void;
  ofRoute(route: string): Readonly<Record<string, Place>>;
}

export interface Place {
  /** A name in the bridge's own words. */
  readonly name: string;
  /**
   * The id of the organisation's field, which distinguishes it from one created again under the same name; 0 while
   * there is none, null before the first read.
   */
  readonly fieldId: number | null;
}

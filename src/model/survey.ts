import type { BugId, LinkId, Side } from './ids.ts';
import type { Comment } from './item.ts';
import type { AttachmentRule, Route, Vocabulary } from './route.ts';

/**
 * The surroundings of a route, for `check`: rights, settings and clocks. Mirroring needs none of it. Null means that
 * the side does not say, which `check` does not complain about.
 */
export interface TrackerSurvey {
  /** The groups of our account. */
  readonly groups: readonly string[] | null;
  /** Whether the product accepts new bugs from us. */
  readonly takesBugs: boolean | null;
  /** Parameters by the installation's own names. */
  readonly parameters: Readonly<Record<string, string>> | null;
  /** The fields of a new bug. */
  readonly creationFields: readonly CreationField[] | null;
  /** The tracker's clock, which stamps bugs, at `askedAt` by ours. Both epoch milliseconds. */
  readonly clockAt: number | null;
  readonly askedAt: number;
  /** As the tracker names it. */
  readonly timeZone: string | null;
}

/** A field that a new bug may have. */
export interface CreationField {
  /** Its name in Create Bug: `severity`, `type`, `cf_...`. */
  readonly name: string;
  /** Its name on the tracker's pages. */
  readonly label: string;
  /** Whether the tracker refuses a new bug without it. */
  readonly isMandatory: boolean;
  /** Whether it takes several values. */
  readonly isList: boolean;
  /** The possible values; null for free input. */
  readonly values: readonly string[] | null;
  /** The field exists only on bugs whose `field` has one of these values; null means on every bug. */
  readonly shownWhere: { readonly field: string; readonly values: readonly string[] } | null;
}

/** The rights of an account in a repository; each includes those before it. */
export const repositoryRights = ['pull', 'triage', 'push', 'maintain', 'admin'] as const;
export type RepositoryRight = (typeof repositoryRights)[number];

/** The end of the interface version that we use, as GitHub announces it. Both epoch milliseconds; null if unknown. */
export interface Retirement {
  readonly sinceAt: number | null;
  readonly endsAt: number | null;
}

export interface RepositorySurvey {
  /** `owner/name`, as GitHub writes it now: a renamed repository answers with its new name. */
  readonly name: string;
  /** GitHub's number of it, which it keeps under any name; null if GitHub does not say. */
  readonly id: number | null;
  /** The host of its pages, with its port if it has one; null if GitHub does not say. */
  readonly webHost: string | null;
  /** The highest right of our account; null for an App, which GitHub does not tell. */
  readonly right: RepositoryRight | null;
  readonly isPrivate: boolean | null;
  readonly isArchived: boolean;
  readonly hasIssues: boolean;
  /** The scopes of a classic token. */
  readonly scopes: readonly string[] | null;
  /** When the token expires. Epoch milliseconds. */
  readonly tokenEndsAt: number | null;
  /** Null if GitHub announces no end. */
  readonly retirement: Retirement | null;
  /** GitHub's clock at `askedAt` by ours. Both epoch milliseconds. */
  readonly clockAt: number | null;
  readonly askedAt: number;
}

/** `login` and `id` are our own account; null and absent when the side has no way to say. */
export interface Hello {
  readonly login: string | null;
  readonly id?: number;
  readonly version: string;
}

/** The repository is as it was when asked, never as it was kept. */
export interface GithubHello extends Hello {
  readonly repository: RepositorySurvey;
}

/** The place configured for the attachment store. */
export interface AttachmentStoreSurvey {
  /** True before the first commit; until then GitHub accepts no files. */
  readonly isEmpty: boolean;
  /** True if the branch for files is the repository's default branch. */
  readonly isCode: boolean;
  /** True if the release for files accepts no more assets. */
  readonly isSealed: boolean;
}

/** An issue field of an organisation. */
export interface IssueField {
  readonly id: number;
  readonly name: string;
  /** Its kind, in GitHub's words: `text`, `single_select`, `multi_select`, `number`, `date`. */
  readonly kind: string;
  /** The names of its options; empty if it has none. */
  readonly options: readonly string[];
  /** Whether only members of the organisation see it. */
  readonly isForMembers: boolean;
}

/** Reads the surroundings of routes for `check`; mirroring needs none of it. Throws `SideError`. */
export interface Survey {
  /** What the route names and the tracker does not have, in words for the operator. */
  unknownNames(vocabulary: Vocabulary): Promise<readonly string[]>;
  /** Why the label that chooses issues chooses none; null if it may. Throws `SideError`. */
  whyNoLabel(): Promise<string | null>;
  /** Why the repository of the route is not that of its pairs; null if it is. */
  whyAnotherRepository(): Promise<string | null>;
  /** `login` is our tracker account; null when unknown. */
  tracker(login: string | null): Promise<TrackerSurvey>;
  repository(place: Pick<Route, 'owner' | 'repo'>): Promise<RepositorySurvey>;
  /** Why the commits of a branch cannot be read; null if they can. The branch is null for the default one. */
  whyUnread(place: Pick<Route, 'owner' | 'repo'>, branch: string | null): Promise<string | null>;
  /** Whether only collaborators may create issues; null if GitHub does not say. */
  isRestricted(place: Pick<Route, 'owner' | 'repo'>): Promise<boolean | null>;
  /** Names of the available issue types; empty if GitHub offers none. */
  types(place: Pick<Route, 'owner' | 'repo'>): Promise<readonly string[]>;
  /** The fields of the repository's issues; empty if GitHub offers none. */
  fields(place: Pick<Route, 'owner' | 'repo'>): Promise<readonly IssueField[]>;
  /**
   * Whether the tracker shows anything to readers without an account; null on a route that does not check visibility.
   * Throws `SideError`.
   */
  isServed(): Promise<boolean | null>;
  /** The place for the attachment store. */
  place(rule: AttachmentRule): Promise<AttachmentStoreSurvey>;
}

/** The end of the interface version that we use, as each side announces it. */
export interface Retirements {
  /** Null when the side announces none, or none any more. */
  save(side: Side, retirement: Retirement | null): void;
  ofSide(side: Side): Retirement | null;
}

/**
 * Answers of the sides that stay valid for long, by name. None of them decides whether something is public: that is
 * asked every time.
 */
export interface Greetings {
  /** Null if there is none. */
  get(name: string): Greeting | null;
  /** The time of the answer in epoch milliseconds; null if there is none. */
  toldAt(name: string): number | null;
  /** Replaces an earlier one of that name. */
  save(name: string, greeting: Greeting): void;
  /** Makes the next greeting ask everything again. */
  clear(): void;
}

/** When GitHub's token expires. It survives `clear`, as it may be why a side refuses us. */
export const tokenEnd = 'github token end';

/** The answer as JSON, and its time in epoch milliseconds. */
export interface Greeting {
  readonly at: number;
  readonly content: unknown;
}

/** The greetings of one account on one side, as its edge keeps and uses them. */
export interface Kept {
  /** The stored answer if it is young enough to be used without a request; null otherwise. */
  recent<T>(name: string): T | null;
  /** The stored answer of any age: only for a request that asks whether it is still valid. */
  last<T>(name: string): T | null;
  /** The stored answer if it was given at that moment or later. Epoch milliseconds. */
  since<T>(name: string, at: number): T | null;
  keep(name: string, content: unknown): void;
  /** Tells people that the last answer holds, because the side does not answer now. */
  unanswered?(name: string, failure: unknown): void;
}

/** Keeps nothing, so everything is asked every time. */
export const nothingKept: Kept = { recent: () => null, last: () => null, since: () => null, keep: () => undefined };

/** Who is asked: the anonymous reader, or our own account where a route does without. */
export type LookReader = 'anonymous' | 'account';

/** The bugs of one request. */
export interface LookAsk {
  /** Those whose turn it is; as many of them as one request takes. */
  readonly inTurn: readonly number[];
  /** Bugs that every request includes; a small share of it. */
  readonly fresh: readonly number[];
}

/** The result of a look. */
export interface Look {
  /** How many of `inTurn` it covers. */
  readonly reached: number;
  readonly asked: ReadonlySet<number>;
  /** The bugs that every reader is shown. `changedAt`: null if the tracker does not say. */
  readonly shown: ReadonlyMap<number, { readonly product: string; readonly changedAt: number | null }>;
}

/** A bug that is mirrored or waits to be, and counts as public, as it was last seen. */
export interface MirroredBug {
  readonly id: LinkId;
  readonly route: string;
  readonly bug: BugId;
  readonly product: string;
  /** When it changed last; absent where nobody asks. */
  readonly changedAt?: number;
}

/**
 * The progress of the look at mirrored bugs. It runs in laps, and each lap covers all of them.
 */
export interface Looks {
  /** The bugs that come next, by their number from where the last look ended, all of them once at most. */
  inTurn(reader: LookReader, routes: readonly string[], limit: number): readonly MirroredBug[];
  /** The bugs that changed last. */
  fresh(routes: readonly string[], limit: number): readonly MirroredBug[];
  /** The bugs with the highest numbers, highest first. */
  newest(routes: readonly string[], limit: number): readonly MirroredBug[];
  /** The look went on to this bug; null when that was a whole lap. */
  moveOn(reader: LookReader, last: BugId | null, at: number): void;
  /** The time since which every bug was looked at; null before the first lap ends. */
  oldestAt(reader: LookReader): number | null;
  /** Remembers a link whose bug was not shown as it was. */
  miss(link: Pick<MirroredBug, 'id' | 'route'>): void;
  missed(route: string): readonly LinkId[];
  settle(link: LinkId): void;
}

/** How far one side of a route was read. */
export interface CursorRow {
  /** Handed to `changes`; null before the first poll. */
  readonly changes: string | null;
  /** The next page of the first full read, handed to `list`. */
  readonly listing: string | null;
  /** True once the first full read is complete. */
  readonly isComplete: boolean;
  /** Whether the last call of `changes` left some to the next ones. */
  readonly hasMore?: boolean;
  /** The time of the last read, by our clock and by the side's own. */
  readonly polledAt: number;
  readonly readAt: number;
  /** The start of the last finished sweep, or the end of the first full read; null before both. */
  readonly sweptAt: number | null;
  /** Comments that `changes` or `listing` covers, on items that no page has shown yet; at most ten minutes old. */
  readonly early: readonly Comment[];
  /** GitHub's number of the repository, and whether it is private, as it said last; absent while it has not. */
  readonly repository?: number;
  readonly isPrivate?: boolean;
}

export interface Cursors {
  get(route: string, side: Side): CursorRow | null;
  put(route: string, side: Side, row: CursorRow): void;
}

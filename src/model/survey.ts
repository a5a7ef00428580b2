import type { AttachmentRule, Route } from './route.ts';

/**
 * What a look at the surroundings of a route found, for `check`: rights, settings and clocks. Nothing of it is needed to mirror. What a
 * side does not tell is null, which is no reason to complain.
 */
export interface TrackerSurvey {
  /** The groups of our account. */
  readonly groups: readonly string[] | null;
  /** Whether the product takes new bugs of ours. */
  readonly takesBugs: boolean | null;
  /** By the installation's own names. */
  readonly parameters: Readonly<Record<string, string>> | null;
  /** What a new bug can say. */
  readonly creationFields: readonly CreationField[] | null;
  /** The tracker's clock, the one that stamps bugs, at the moment of `askedAt` of ours. Both epoch milliseconds. */
  readonly clockAt: number | null;
  readonly askedAt: number;
  /** As the tracker names it. */
  readonly timeZone: string | null;
}

/** A field of bugs as it concerns a new one. */
export interface CreationField {
  /** As Create Bug takes it: `severity`, `type`, `cf_...`. */
  readonly name: string;
  /** As people read it. */
  readonly label: string;
  /** Whether the tracker refuses a new bug that does not say it. */
  readonly isMandatory: boolean;
  /** Whether it takes several values. */
  readonly isList: boolean;
  /** What may be chosen; null for what is no choice. */
  readonly values: readonly string[] | null;
  /** It is there only on bugs whose `field` has one of these values; null for every bug. */
  readonly shownWhere: { readonly field: string; readonly values: readonly string[] } | null;
}

/** What an account may do in a repository; each right includes those before it. */
export const repositoryRights = ['pull', 'triage', 'push', 'maintain', 'admin'] as const;
export type RepositoryRight = (typeof repositoryRights)[number];

export interface RepositorySurvey {
  /** `owner/name`, as GitHub writes it now: a renamed repository answers with its new name. */
  readonly name: string;
  /** The highest right of our account; an App is not told. */
  readonly right: RepositoryRight | null;
  readonly isPrivate: boolean | null;
  readonly isArchived: boolean;
  /** Of a token of the classic kind. */
  readonly scopes: readonly string[] | null;
  /** When the token stops being valid. Epoch milliseconds. */
  readonly tokenEndsAt: number | null;
  /** GitHub's clock at the moment of `askedAt` of ours. Both epoch milliseconds. */
  readonly clockAt: number | null;
  readonly askedAt: number;
}

/** The place in which files are to stand. */
export interface AttachmentStoreSurvey {
  /** True before the first commit, until which GitHub takes no files. */
  readonly isEmpty: boolean;
  /** The branch for files is the one that people work on. */
  readonly isCode: boolean;
  /** The release for files takes no more of them. */
  readonly isSealed: boolean;
}

/** A field that issues of an organisation have. */
export interface IssueField {
  readonly id: number;
  readonly name: string;
  /** What it holds, in GitHub's words: `text`, `single_select`, `multi_select`, `number`, `date`. */
  readonly kind: string;
  /** Names of what may be chosen; none where nothing is chosen. */
  readonly options: readonly string[];
  /** Whether only members of the organisation see it. */
  readonly isForMembers: boolean;
}

/** Looks around for `check`; nothing of it is needed to mirror. Throws `SideError`. */
export interface Survey {
  /** `login` is our tracker account; null when it is not known. */
  tracker(login: string | null): Promise<TrackerSurvey>;
  repository(place: Pick<Route, 'owner' | 'repo'>): Promise<RepositorySurvey>;
  /** Names of the types that issues may have; none where GitHub offers none. */
  types(place: Pick<Route, 'owner' | 'repo'>): Promise<readonly string[]>;
  /** The fields that its issues may have; none where GitHub offers none. */
  fields(place: Pick<Route, 'owner' | 'repo'>): Promise<readonly IssueField[]>;
  /** Whether the tracker shows anything to readers without an account; null on a route that asks for no proof. Throws `SideError`. */
  isServed(): Promise<boolean | null>;
  /** Where files are to stand. */
  place(rule: AttachmentRule): Promise<AttachmentStoreSurvey>;
}

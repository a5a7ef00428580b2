/**
 * The records of the sandbox GitHub. Stamps (`...At`) are epoch milliseconds cut to whole seconds, like GitHub's; only
 * `madeAt` is exact, because it is not a stamp: it decides when a list that lags shows the record.
 */

import type { Closer, Merge } from './git/closer.ts';
import type { Git } from './git/git.ts';
import type { LastEdit } from './text/edits.ts';

export type Permission = 'read' | 'write' | 'admin';
export type StateReason = 'completed' | 'not_planned' | 'duplicate' | 'reopened';

export interface User {
  readonly id: number;
  login: string;
  readonly name: string;
  /** The credential for the HTTP server; null once it is revoked. */
  token: string | null;
  /** The scopes of a classic token; null for other tokens, which do not show theirs. */
  tokenScopes: readonly string[] | null;
  /** When the token expires; null for never. */
  tokenEndsAt: number | null;
  readonly createdAt: number;
}

export interface Label {
  readonly id: number;
  readonly name: string;
  readonly color: string;
  readonly description: string | null;
  readonly madeAt: number;
}

export interface Milestone {
  readonly id: number;
  /** Counts from 1 within the repository. */
  readonly number: number;
  readonly title: string;
  readonly creator: User;
  readonly createdAt: number;
  readonly madeAt: number;
}

export interface CommentRecord {
  readonly id: number;
  readonly author: User;
  body: string;
  /** Why it is minimised, as REST spells it; null if it is not. */
  minimized: string | null;
  lastEdit: LastEdit;
  readonly createdAt: number;
  updatedAt: number;
  readonly madeAt: number;
}

interface EventFacts {
  readonly id: number;
  readonly actor: User;
  readonly at: number;
}

/** A label was added to an issue, or removed. */
export interface LabelEvent extends EventFacts {
  readonly action: 'labeled' | 'unlabeled';
  readonly label: Label;
}

/** The type of an issue was set, changed or removed, in one event. */
export interface TypeEvent extends EventFacts {
  readonly action: 'typed';
  readonly type: string | null;
  readonly was: string | null;
}

/** The value of an organisation's field was set, changed or removed. */
export interface FieldEvent extends EventFacts {
  readonly action: 'added' | 'changed' | 'removed';
  /** The field's name. */
  readonly field: string;
}

/** Something else of an issue was changed; the event names what, as far as there is something to name. */
export interface ChangeEvent extends EventFacts {
  readonly action:
    | 'renamed'
    | 'closed'
    | 'reopened'
    | 'locked'
    | 'unlocked'
    | 'assigned'
    | 'unassigned'
    | 'milestoned'
    | 'demilestoned';
  readonly rename?: { readonly from: string; readonly to: string };
  readonly assignee?: User;
  readonly milestone?: { readonly title: string };
  /** What closed the issue; null if a person did. */
  readonly closer?: Closer | null;
}

export type IssueEvent = LabelEvent | TypeEvent | FieldEvent | ChangeEvent;

export type FieldKind = 'text' | 'date' | 'number' | 'single_select' | 'multi_select';

/** A field that an organisation defined for all its issues. */
export interface IssueField {
  readonly id: number;
  readonly name: string;
  readonly kind: FieldKind;
  /** Not shown to those who do not belong to the organisation. */
  readonly isForMembers: boolean;
  /** The options; none for the other kinds. */
  readonly options: readonly FieldOption[];
}

export interface FieldOption {
  readonly id: number;
  readonly name: string;
}

/** A date is a text such as `2026-01-31`; the value of a field with options is the chosen ones. */
export type FieldValue = string | number | readonly FieldOption[];

/** By the field's id. */
export type ValuesById = ReadonlyMap<number, FieldValue>;

/** An owner of repositories that is not a person, and has fields for issues. */
export interface Organisation {
  /** Whether it is a personal account, which has no list for others. */
  readonly isPersonal: boolean;
  readonly fields: readonly IssueField[];
  /** Logins that do not belong to it. */
  readonly outsiders: ReadonlySet<string>;
  /** Logins whose credentials may not list fields; they still see values. */
  readonly unlisted: ReadonlySet<string>;
}

export interface IssueRecord {
  /** The database id, unique in the whole world and different from the number. */
  readonly id: number;
  readonly number: number;
  readonly isPull: boolean;
  /** Null for an issue, and for a pull request that is not merged. */
  readonly merge: Merge | null;
  readonly author: User;
  title: string;
  body: string | null;
  /** Of the body. */
  lastEdit: LastEdit;
  state: 'open' | 'closed';
  stateReason: StateReason | null;
  duplicateOfId: number | null;
  labels: readonly Label[];
  /** In the order in which they happened. */
  readonly events: IssueEvent[];
  assignees: readonly User[];
  milestone: Milestone | null;
  /** The name of one of the repository's types. */
  type: string | null;
  /** Values of the organisation's fields. */
  fieldValues: ValuesById;
  blockedBy: readonly IssueRecord[];
  /** Those that it blocks: `blockedBy` the other way round. */
  readonly blocks: Set<IssueRecord>;
  comments: CommentRecord[];
  thumbsUp: readonly User[];
  readonly createdAt: number;
  updatedAt: number;
  closedAt: number | null;
  closedBy: User | null;
  isLocked: boolean;
  readonly madeAt: number;
  fate: Fate;
}

/** The fate of an issue: a deleted one answers 410, a hidden one 404, a moved one 301 if its new place is readable. */
export type Fate =
  | { readonly kind: 'there' }
  | { readonly kind: 'deleted' }
  | { readonly kind: 'hidden' }
  | { readonly kind: 'moved'; readonly repo: Repo; readonly number: number };

export interface ReleaseRecord {
  readonly id: number;
  readonly tag: string;
  readonly name: string;
  readonly body: string;
  readonly isDraft: boolean;
  readonly isPrerelease: boolean;
  readonly isImmutable: boolean;
  readonly author: User;
  readonly assets: AssetRecord[];
  readonly createdAt: number;
}

export interface AssetRecord {
  readonly id: number;
  readonly name: string;
  readonly label: string | null;
  readonly type: string;
  readonly bytes: Uint8Array;
  /** An interrupted upload leaves an `open` asset. */
  readonly state: 'uploaded' | 'open';
  readonly uploader: User;
  readonly createdAt: number;
}

/** A webhook. Nothing is sent: only its list of deliveries shows what would have been. */
export interface HookRecord {
  readonly id: number;
  readonly url: string;
  readonly events: readonly string[];
  readonly deliveries: DeliveryRecord[];
  readonly createdAt: number;
}

export interface DeliveryRecord {
  readonly id: number;
  readonly event: string;
  readonly action: string;
  readonly payload: Readonly<Record<string, unknown>>;
  readonly at: number;
}

export interface Repo {
  readonly id: number;
  readonly owner: User;
  name: string;
  isPrivate: boolean;
  isArchived: boolean;
  hasIssues: boolean;
  restrictsIssues: boolean;
  /** By login. Every signed-in user may read a public repository and write issues and comments there. */
  readonly permissions: Map<string, Permission>;
  readonly issues: Map<number, IssueRecord>;
  /** Issues and pull requests share one sequence, and a number is never reused. */
  lastNumber: number;
  /** By lower-case name: GitHub's names are unique ignoring case. */
  readonly labels: Map<string, Label>;
  readonly milestones: Milestone[];
  /** The organisation's types; none if the owner is a person. */
  types: readonly string[];
  readonly git: Git;
  defaultBranch: string;
  /** In the order of the requests. */
  readonly imports: ImportRecord[];
  readonly pendingImports: ImportRecord[];
  readonly releases: ReleaseRecord[];
  readonly hooks: HookRecord[];
  /** Whether published releases refuse more files. */
  hasImmutableReleases: boolean;
  readonly createdAt: number;
}

export const fullName = (repo: Repo): string => `${repo.owner.login}/${repo.name}`;

export const mayRead = (user: User, repo: Repo): boolean => !repo.isPrivate || repo.permissions.has(user.login);

export function mayPush(user: User, repo: Repo): boolean {
  const permission = repo.permissions.get(user.login);
  return permission === 'write' || permission === 'admin';
}

/** The body of POST .../import/issues. Times are epoch milliseconds. */
export interface ImportRequest {
  readonly title: string;
  readonly body: string;
  readonly createdAt: number | null;
  readonly updatedAt: number | null;
  readonly closedAt: number | null;
  readonly isClosed: boolean;
  readonly assignee: string | null;
  readonly milestone: number | null;
  readonly labels: readonly string[];
  readonly comments: readonly { readonly body: string; readonly createdAt: number | null }[];
}

/** One element of the `errors` of a failed import. */
export interface ImportFlaw {
  readonly location: string;
  readonly resource: string;
  readonly field: string;
  readonly value: string | null;
  readonly code: string;
}

/** A running import. The first access to the world after `doneAt` finishes it: nothing runs in the background. */
export interface ImportRecord {
  readonly id: number;
  readonly user: User;
  readonly request: ImportRequest;
  readonly createdAt: number;
  readonly doneAt: number;
  status: 'pending' | 'imported' | 'failed';
  issue: number | null;
  errors: readonly ImportFlaw[];
  updatedAt: number;
}

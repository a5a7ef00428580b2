/**
 * The things the sandbox GitHub keeps. Stamps (`...At`) are epoch milliseconds cut to whole seconds, as GitHub's are;
 * only `madeAt` is exact, because it is no stamp: a list that lags shows what was made by the moment that it shows.
 */

import type { Git } from './git.ts';

export type Permission = 'read' | 'write' | 'admin';
export type StateReason = 'completed' | 'not_planned' | 'duplicate' | 'reopened';

export interface User {
  readonly id: number;
  readonly login: string;
  readonly name: string;
  /** What the HTTP door takes as a credential; null once it is revoked. */
  token: string | null;
  /** What a token of the classic kind may do; null for any other kind, which does not tell. */
  tokenScopes: readonly string[] | null;
  /** When the token stops being valid; null for never. */
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
  /** Why it is minimised, as answers of REST spell it; null when it is not. */
  minimized: string | null;
  readonly createdAt: number;
  updatedAt: number;
  readonly madeAt: number;
}

/** Somebody put a label on an issue, or took it off. */
export interface LabelEvent {
  readonly id: number;
  readonly deed: 'labeled' | 'unlabeled';
  readonly label: Label;
  readonly actor: User;
  readonly at: number;
}

/** Somebody gave an issue this type, or took it away; a type in the place of another is both in one event. */
export interface TypeEvent {
  readonly id: number;
  readonly deed: 'typed';
  readonly type: string | null;
  readonly was: string | null;
  readonly actor: User;
  readonly at: number;
}

/** Somebody gave a field of the organisation a value, another one, or none. */
export interface FieldEvent {
  readonly id: number;
  readonly deed: 'added' | 'changed' | 'removed';
  /** The field's name. */
  readonly field: string;
  readonly actor: User;
  readonly at: number;
}

export type IssueEvent = LabelEvent | TypeEvent | FieldEvent;

export type FieldKind = 'text' | 'date' | 'number' | 'single_select' | 'multi_select';

/** A field that an organisation defined for all its issues. */
export interface IssueField {
  readonly id: number;
  readonly name: string;
  readonly kind: FieldKind;
  /** Not shown to those who do not belong to the organisation. */
  readonly isForMembers: boolean;
  /** What may be chosen; none for the kinds that are written freely. */
  readonly options: readonly FieldOption[];
}

export interface FieldOption {
  readonly id: number;
  readonly name: string;
}

/** A date is a text such as `2026-01-31`; of a field with options, it is those that are chosen. */
export type FieldValue = string | number | readonly FieldOption[];

/** By the field's id. */
export type ValuesById = ReadonlyMap<number, FieldValue>;

/** An owner of repositories that is no person, and has fields for issues. */
export interface Organisation {
  readonly fields: readonly IssueField[];
  /** Logins that do not belong to it. */
  readonly outsiders: ReadonlySet<string>;
  /** Logins whose credentials do not reach to the list of fields; values they see all the same. */
  readonly unlisted: ReadonlySet<string>;
}

export interface IssueRecord {
  /** The database id, unique in the whole world and different from the number. */
  readonly id: number;
  readonly number: number;
  readonly isPull: boolean;
  readonly author: User;
  title: string;
  body: string | null;
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
  /** The issues that block this one. */
  blockedBy: readonly IssueRecord[];
  comments: CommentRecord[];
  readonly createdAt: number;
  updatedAt: number;
  closedAt: number | null;
  closedBy: User | null;
  isLocked: boolean;
  readonly madeAt: number;
  fate: Fate;
}

/** What became of an issue: a deleted one answers 410, a hidden one 404, a moved one 301 where its new place can be read. */
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
  /** What an upload that broke off leaves behind is open. */
  readonly state: 'uploaded' | 'open';
  readonly uploader: User;
  readonly createdAt: number;
}

export interface Repo {
  readonly id: number;
  readonly owner: User;
  readonly name: string;
  isPrivate: boolean;
  /** Can be read and not written. */
  isArchived: boolean;
  hasIssues: boolean;
  /** By login. Everybody who is signed in may read a public repository and write issues and comments there. */
  readonly permissions: Map<string, Permission>;
  readonly issues: Map<number, IssueRecord>;
  /** Issues and pull requests share one sequence, and a number is never given twice. */
  lastNumber: number;
  /** By lower-case name: GitHub keeps names unique without regard to case. */
  readonly labels: Map<string, Label>;
  readonly milestones: Milestone[];
  /** Names of the types that its organisation has; none where a person owns it. */
  types: readonly string[];
  readonly git: Git;
  /** In the order in which they were asked for. */
  readonly imports: ImportRecord[];
  readonly pendingImports: ImportRecord[];
  readonly releases: ReleaseRecord[];
  /** Whether releases, once published, take no more files. */
  hasImmutableReleases: boolean;
  readonly createdAt: number;
}

/** Tests may change any of these while the world runs. */
export interface Limits {
  /** Older servers know no dependencies between issues: they neither tell of them nor take any. */
  hasDependencies: boolean;
  /** Requests an account may make within an hour that begins with its first request. */
  primaryPerHour: number;
  /** Issues and comments an account may create through the API; null is off. */
  creationsPerMinute: number | null;
  creationsPerHour: number | null;
  /** For how long writes to a new issue meet a replica that has not heard of it, issue by issue in turn. */
  replicaLagsMs: readonly number[];
  /** How GraphQL tells limits: with this type and status 200, or as REST does. */
  graphqlLimits: 'RATE_LIMIT' | 'RATE_LIMITED' | 'as-rest';
  /** How too much content is refused. */
  refusalStatus: 403 | 429;
  sendsRetryAfter: boolean;
  /** Whether whole issues can be imported. */
  hasImports: boolean;
  /** How long imports take, in turn. */
  importDelaysMs: readonly number[];
  /** Imports fail whose title begins so; null is none. */
  refusedImports: string | null;
  /** What issues may not be given, by a rule of the house that the refusal does not name; null is none. */
  refusesUnnamed: 'labels' | 'assignees' | 'milestone' | 'type' | null;
  /** How far `page` reaches in a list. */
  pagedItemsMax: number;
  assetsPerRelease: number;
  /** Older servers tell no digests of assets. */
  hasDigests: boolean;
}

export const fullName = (repo: Repo): string => `${repo.owner.login}/${repo.name}`;

export function mayRead(user: User, repo: Repo): boolean {
  return !repo.isPrivate || repo.permissions.has(user.login);
}

export function mayPush(user: User, repo: Repo): boolean {
  const permission = repo.permissions.get(user.login);
  return permission === 'write' || permission === 'admin';
}

/** What POST .../import/issues takes. Times are epoch milliseconds. */
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

/** One entry of the `errors` of a failed import. */
export interface ImportFlaw {
  readonly location: string;
  readonly resource: string;
  readonly field: string;
  readonly value: string | null;
  readonly code: string;
}

/** An import on its way. It is done when the world is looked at after `doneAt`: nothing happens in the sandbox by itself. */
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

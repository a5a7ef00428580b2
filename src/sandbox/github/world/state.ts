import { badCredentials, notFound } from '../server/errors.ts';
import type { Limits } from '../server/limits.ts';
import type { App } from './apps.ts';
import {
  type CommentRecord,
  fullName,
  type IssueRecord,
  mayRead,
  type Organisation,
  type Repo,
  type User,
} from './records.ts';
import type { Versions } from './versions.ts';

/** A file that a person uploaded into a text on the website. */
export interface Upload {
  readonly name: string;
  readonly type: string;
  readonly bytes: Uint8Array;
}

/** One request that reached the HTTP server, for oracles. Status 0 means a connection that died without an answer. */
export interface RequestLine {
  readonly at: number;
  readonly login: string | null;
  readonly method: string;
  /** Without the query. */
  readonly path: string;
  readonly query: string;
  readonly status: number;
}

/** One issue or comment created over HTTP; actions on the website do not count. */
export interface CreationLine {
  readonly at: number;
  readonly login: string;
  readonly kind: 'issue' | 'comment' | 'dependency' | 'field value' | 'release';
}

/** The whole state of the world; the files next to this one change it, the HTTP server shows it. */
export interface GithubState {
  /** The address of the API and the pages, without a slash at the end. */
  url: string;
  /** The address in `html_url` if it differs: the real GitHub has its pages on another host than its API. */
  readonly webUrl: string | null;
  readonly now: () => number;
  /** How late a list shows new rows, called for each list. */
  listLagMs: () => number;
  /** Earlier versions of rows, for replicas that lag; null if none does. */
  versions: Versions | null;
  readonly limits: Limits;
  /** When all replicas know an issue, by its id; issues without a time are known to all. */
  readonly heardAt: Map<number, number>;
  /** By login. */
  readonly users: Map<string, User>;
  /** People by logins that they had before. */
  readonly renamed: Map<string, User>;
  readonly apps: App[];
  /** By `owner/name` in lower case. */
  readonly repos: Map<string, Repo>;
  /** By names that repositories had before, in lower case. */
  readonly formerRepos: Map<string, Repo>;
  /** By the owner's login in lower case; other owners have no fields for issues. */
  readonly organisations: Map<string, Organisation>;
  /** Requests already made in the current hour, by login. */
  readonly hours: Map<string, { readonly startedAt: number; used: number }>;
  readonly requests: RequestLine[];
  readonly creations: CreationLine[];
  /** Uploads into texts, by address. */
  readonly uploads: Map<string, Upload>;
  lastId: number;
}

/** Ids grow in steps, so that they differ from every issue's number. */
export function freshId(state: GithubState): number {
  state.lastId += 7;
  return state.lastId;
}

/** GitHub's stamps have whole seconds. */
export const stamp = (state: GithubState): number => Math.floor(state.now() / 1000) * 1000;

/** The records that a lagging list shows now. */
export function listedNow<T extends { readonly madeAt: number }>({
  now,
  listLagMs,
}: GithubState): (made: T) => boolean {
  const shownAt = now() - listLagMs();
  return ({ madeAt }) => madeAt <= shownAt;
}

export function userNamed(state: GithubState, login: string): User {
  const user = state.users.get(login);
  if (user === undefined) throw new Error(`The sandbox GitHub has no user ${login}; add one with addUser.`);
  return user;
}

export function userWithToken(state: GithubState, token: string): User {
  const user = [...state.users.values()].find((known) => known.token === token);
  if (user === undefined) throw badCredentials();
  return user;
}

export function repoNamed(state: GithubState, name: string): Repo {
  const repo = state.repos.get(name.toLowerCase());
  if (repo === undefined) throw new Error(`The sandbox GitHub has no repository ${name}; add one with addRepo.`);
  return repo;
}

/** A repository that the user may not read answers exactly like a missing one. */
export function readableRepo(user: User, repo: Repo | undefined): Repo {
  if (repo === undefined || !mayRead(user, repo)) throw notFound();
  return repo;
}

/** A comment and its issue; a comment disappears with its issue. */
export function commentWithId(
  repo: Repo,
  id: number,
): { readonly issue: IssueRecord; readonly comment: CommentRecord } {
  for (const issue of repo.issues.values()) {
    if (issue.fate.kind !== 'there') continue;
    const comment = issue.comments.find((candidate) => candidate.id === id);
    if (comment !== undefined) return { issue, comment };
  }
  throw notFound();
}

/** The page of an issue or a pull request. */
export function pageUrl(state: GithubState, repo: Repo, issue: IssueRecord): string {
  return `${state.webUrl ?? state.url}/${fullName(repo)}/${issue.isPull ? 'pull' : 'issues'}/${issue.number}`;
}

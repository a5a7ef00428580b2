import { badCredentials, notFound } from '../server/errors.ts';
import {
  type CommentRecord,
  fullName,
  type IssueRecord,
  type Limits,
  mayRead,
  type Organisation,
  type Repo,
  type User,
} from './records.ts';

/** A file that somebody dropped into a text on the website. */
export interface Upload {
  readonly name: string;
  readonly type: string;
  readonly bytes: Uint8Array;
}

/** One request that reached a door, for oracles. Status 0 stands for a connection that died without an answer. */
export interface RequestLine {
  readonly at: number;
  readonly login: string | null;
  readonly method: string;
  /** Without the query. */
  readonly path: string;
  readonly query: string;
  readonly status: number;
}

/** One issue or comment created through a door; what people do on the website is not counted. */
export interface CreationLine {
  readonly at: number;
  readonly login: string;
  readonly kind: 'issue' | 'comment';
}

/** Everything the world remembers; the verbs beside this file change it, the doors show it. */
export interface GithubState {
  /** Where the API and the pages are reached, without a slash at the end. */
  url: string;
  /** Where `html_url` points when that is not here: the real GitHub has its pages on another host than its API. */
  readonly webUrl: string | null;
  readonly now: () => number;
  /** How far behind a list lags, asked anew for each: single looks never do. */
  listLagMs: () => number;
  readonly limits: Limits;
  /** When every replica has heard of an issue, by its id; an issue that is not named is known to all. */
  readonly heardAt: Map<number, number>;
  /** By login. */
  readonly users: Map<string, User>;
  /** By `owner/name` in lower case. */
  readonly repos: Map<string, Repo>;
  /** By the owner's login in lower case; an owner who is not here has no fields for issues. */
  readonly organisations: Map<string, Organisation>;
  /** Requests already made in the current hour, by login. */
  readonly hours: Map<string, { readonly startedAt: number; used: number }>;
  readonly requests: RequestLine[];
  readonly creations: CreationLine[];
  /** What people dropped into texts, by address. */
  readonly uploads: Map<string, Upload>;
  lastId: number;
}

/** Ids grow in steps that make them unlike any issue's number. */
export function freshId(state: GithubState): number {
  state.lastId += 7;
  return state.lastId;
}

/** GitHub's stamps have whole seconds. */
export const stamp = (state: GithubState): number => Math.floor(state.now() / 1000) * 1000;

/** What the list that is read now shows by its age. */
export function listedNow<T extends { readonly madeAt: number }>({ now, listLagMs }: GithubState): (made: T) => boolean {
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

/** A repository the user may not read looks exactly like one that does not exist. */
export function readableRepo(user: User, repo: Repo | undefined): Repo {
  if (repo === undefined || !mayRead(user, repo)) throw notFound();
  return repo;
}

/** A comment and the issue it stands on; comments of issues that are gone are gone with them. */
export function commentWithId(repo: Repo, id: number): { readonly issue: IssueRecord; readonly comment: CommentRecord } {
  for (const issue of repo.issues.values()) {
    if (issue.fate.kind !== 'there') continue;
    const comment = issue.comments.find((candidate) => candidate.id === id);
    if (comment !== undefined) return { issue, comment };
  }
  throw notFound();
}

/** Where people see an issue or a pull request. */
export function pageUrl(state: GithubState, repo: Repo, issue: IssueRecord): string {
  return `${state.webUrl ?? state.url}/${fullName(repo)}/${issue.isPull ? 'pull' : 'issues'}/${issue.number}`;
}

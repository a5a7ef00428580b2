/**
 * A GitHub in memory: the truth behind the HTTP server (server.ts), with actions for people and readers for
 * oracles. It keeps GitHub's rules, the inconvenient ones included.
 */

import type { Limits } from '../server/limits.ts';
import type { App } from './apps.ts';
import { filesOn } from './git/git.ts';
import { runImports } from './imports.ts';
import { type FieldAudience, type FieldDraft, organisationWith } from './issue-fields.ts';
import { type CommentView, commentViews, type IssueView, issuesThere, issueView } from './oracle-view.ts';
import { type GithubPerson, personNamed } from './people.ts';
import type { Permission, Repo, User } from './records.ts';
import { assetsOf } from './releases.ts';
import { renameUser } from './rename-user.ts';
import {
  addRepo,
  addUser,
  emptyState,
  type GithubWorldOptions,
  type NewRepo,
  type NewUser,
  renameRepo,
} from './setup.ts';
import { type CreationLine, freshId, type GithubState, type RequestLine, repoNamed, userNamed } from './state.ts';
import { type Behind, upToDate, versionsFrom } from './versions.ts';

export interface GithubWorld {
  /** For the HTTP server; others use the members below. */
  readonly state: GithubState;
  /** May be changed while the world runs. */
  readonly limits: Limits;
  readonly requests: readonly RequestLine[];
  readonly creations: readonly CreationLine[];
  addUser(login: string, options?: NewUser): void;
  /** Somebody takes another login and keeps everything else; the old one is nobody's. */
  renameUser(from: string, to: string): void;
  /** Adds a GitHub App, installed everywhere, and its account `<slug>[bot]`. */
  addApp(slug: string, app: Pick<App, 'id' | 'installationId' | 'publicKey'>): void;
  /** `name` is `owner/name`; the owner becomes a user if there is none. */
  addRepo(name: string, options?: NewRepo): void;
  /** Gives a repository another name below its owner. */
  renameRepo(from: string, name: string): void;
  /** Null removes the permission. */
  allow(repo: string, login: string, permission: Permission | null): void;
  /** Makes a repository private or public. */
  setPrivate(repo: string, isPrivate: boolean): void;
  /** Archives a repository, switches its issues off, or names another default branch. */
  setRepo(
    repo: string,
    change: Partial<Pick<Repo, 'isArchived' | 'hasIssues' | 'restrictsIssues' | 'defaultBranch'>>,
  ): void;
  /** Names of the types that issues may have. */
  setTypes(repo: string, types: readonly string[]): void;
  /**
   * The fields for issues of a repository's owner, which makes it an organisation; null for none. Fields and options
   * that keep their names keep their values.
   */
  setFields(repo: string, fields: readonly FieldDraft[] | null, input?: FieldAudience): void;
  /** From now on lists lag; `lagMs` is called for every list that is read. */
  setListLag(lagMs: () => number): void;
  /**
   * How late lists show a change, called for each change from now on; null shows everything at once, as does
   * `setBehind(null)`.
   */
  setChangeLag(lagMs: (() => number) | null): void;
  /** How far behind the replicas are that answer reads from now on; null for not at all. */
  setBehind(behind: Partial<Behind> | null): void;
  /** Replaces a user's token; null revokes it. */
  setToken(login: string, token: string | null, about?: Partial<Pick<User, 'tokenScopes' | 'tokenEndsAt'>>): void;
  /** Hides an issue like GitHub hides those of flagged accounts (404, and in no list), or shows it again. */
  setHidden(repo: string, number: number, isHidden: boolean): void;
  /** By the login that the person has, or had. */
  as(login: string): GithubPerson;
  /** Null if there is none, or no longer. */
  issue(repo: string, number: number): IssueView | null;
  /** Existing issues and pull requests, ordered by number. */
  issues(repo: string): readonly IssueView[];
  /** The files on a branch, by path; none if the branch is missing. */
  files(repo: string, branch: string): ReadonlyMap<string, Uint8Array>;
  /** The files of all releases, by tag and name (`attachments/34-crash.log`). */
  assets(repo: string): ReadonlyMap<string, Uint8Array>;
  /** In the order of writing; none if the issue is gone. */
  commentsOf(repo: string, number: number): readonly CommentView[];
}

export function createGithubWorld(options: GithubWorldOptions): GithubWorld {
  const state = emptyState(options);
  /** Its present state, including finished imports. */
  const repoNow = (name: string): Repo => {
    runImports(state);
    return repoNamed(state, name);
  };
  return {
    state,
    limits: state.limits,
    requests: state.requests,
    creations: state.creations,
    addUser: (login, user = {}) => void addUser(state, login, user),
    renameUser: (from, to) => renameUser(state, from, to),
    addApp: (slug, app) => void state.apps.push({ ...app, slug, user: addUser(state, `${slug}[bot]`, {}) }),
    addRepo: (name, repo = {}) => addRepo(state, name, repo),
    renameRepo: (from, name) => renameRepo(state, from, name),
    allow(repo, login, permission) {
      const { permissions } = repoNamed(state, repo);
      if (permission === null) permissions.delete(userNamed(state, login).login);
      else permissions.set(userNamed(state, login).login, permission);
    },
    setPrivate(repo, isPrivate) {
      repoNamed(state, repo).isPrivate = isPrivate;
    },
    setRepo: (repo, change) => void Object.assign(repoNamed(state, repo), change),
    setTypes: (repo, types) => void Object.assign(repoNamed(state, repo), { types }),
    setFields(repo, fields, input = {}) {
      const owner = repoNamed(state, repo).owner.login.toLowerCase();
      const before = state.organisations.get(owner);
      if (fields === null) state.organisations.delete(owner);
      else state.organisations.set(owner, organisationWith(fields, input, { before, nextId: () => freshId(state) }));
    },
    setListLag(lagMs) {
      state.listLagMs = lagMs;
    },
    setChangeLag(lagMs) {
      state.versions = lagMs === null ? null : versionsFrom(state, lagMs, state.versions?.behind ?? upToDate);
    },
    setBehind(behind) {
      state.versions =
        behind === null ? null : versionsFrom(state, state.versions?.lagMs ?? (() => 0), { ...upToDate, ...behind });
    },
    setToken(login, token, about = {}) {
      Object.assign(userNamed(state, login), { token, ...about });
    },
    setHidden(repo, number, isHidden) {
      const issue = repoNamed(state, repo).issues.get(number);
      if (issue?.fate.kind === 'there' || issue?.fate.kind === 'hidden')
        issue.fate = { kind: isHidden ? 'hidden' : 'there' };
      else throw new Error(`${repo}#${number} does not exist in the sandbox, so it cannot be hidden.`);
    },
    as(login) {
      runImports(state);
      return personNamed(state, login);
    },
    issue(repo, number) {
      const home = repoNow(repo);
      const issue = home.issues.get(number);
      return issue?.fate.kind === 'there' ? issueView(state, home, issue) : null;
    },
    issues(repo) {
      const home = repoNow(repo);
      return issuesThere(home).map((issue) => issueView(state, home, issue));
    },
    files: (repo, branch) => filesOn(repoNamed(state, repo).git, branch),
    assets: (repo) => assetsOf(repoNamed(state, repo)),
    commentsOf: (repo, number) => commentViews(repoNow(repo).issues.get(number)),
  };
}

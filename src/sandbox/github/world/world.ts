import { renameUser } from './rename-user.ts';
/**
 * A GitHub in memory: the truth behind the HTTP server (server.ts), with actions for people and readers for
 * oracles. It keeps GitHub's rules, the inconvenient ones included.
 */

import type { FieldValues } from '../../../model/item.ts';
import { usualLimits } from '../server/limits.ts';
import type { App } from './apps.ts';
import { blockersOf } from './dependencies.ts';
import { emptyGit, filesOn, startedGit } from './git.ts';
import { runImports } from './imports.ts';
import { type FieldAudience, type FieldDraft, namedValues, organisationWith } from './issue-fields.ts';
import { type GithubPerson, personNamed } from './people.ts';
import {
  fullName,
  type IssueRecord,
  type Limits,
  type Permission,
  type Repo,
  type StateReason,
  type User,
} from './records.ts';
import { assetsOf } from './releases.ts';
import {
  type CreationLine,
  freshId,
  type GithubState,
  type RequestLine,
  repoNamed,
  stamp,
  userNamed,
} from './state.ts';
import { type Behind, upToDate, versionsFrom } from './versions.ts';

export interface GithubWorldOptions {
  /** Epoch milliseconds; the world has no clock of its own. */
  readonly now: () => number;
  /** Where the API and the pages are; `serveGithub` replaces it by the address it listens on. */
  readonly url: string;
  /**
   * Where `html_url` points, such as `https://github.com`, whose issues a tracker takes in see_also; `url` when absent.
   */
  readonly webUrl?: string;
  /**
   * New issues, comments, labels and milestones show up in lists only after this long; single reads show them at once.
   */
  readonly listLagMs?: number;
}

/** An issue for oracles: as stored, without permissions and without lag. */
export interface IssueSeen {
  readonly number: number;
  readonly id: number;
  readonly isPull: boolean;
  readonly isMerged: boolean;
  readonly title: string;
  readonly body: string;
  readonly state: 'open' | 'closed';
  readonly stateReason: StateReason | null;
  readonly isLocked: boolean;
  readonly duplicateOfId: number | null;
  /** Numbers of the issues of this repository that block it. */
  readonly blockedBy: readonly number[];
  readonly labels: readonly string[];
  readonly assignees: readonly string[];
  readonly milestone: string | null;
  readonly type: string | null;
  /** Values of the organisation's fields by name; none if there are no fields. */
  readonly fields: FieldValues;
  readonly author: string;
  readonly createdAt: number;
  readonly updatedAt: number;
}

export interface CommentSeen {
  readonly id: number;
  readonly body: string;
  /** Why it is minimised; null if it is not. */
  readonly minimized: string | null;
  readonly author: string;
  readonly createdAt: number;
  readonly updatedAt: number;
}

export interface GithubWorld {
  /** For the HTTP server; others use the members below. */
  readonly state: GithubState;
  /** May be changed while the world runs. */
  readonly limits: Limits;
  readonly requests: readonly RequestLine[];
  readonly creations: readonly CreationLine[];
  /** `token` is the credential for the HTTP server; `token-of-<login>` by default. */
  addUser(login: string, options?: { readonly name?: string; readonly token?: string }): void;
  /** Somebody takes another login and keeps everything else; the old one is nobody's. */
  renameUser(from: string, to: string): void;
  /** Adds a GitHub App, installed everywhere, and its account `<slug>[bot]`. */
  addApp(slug: string, app: Pick<App, 'id' | 'installationId' | 'publicKey'>): void;
  /** `name` is `owner/name`; the owner becomes a user if there is none. */
  addRepo(
    name: string,
    options?: {
      readonly isPrivate?: boolean;
      readonly isEmpty?: boolean;
      readonly permissions?: Readonly<Record<string, Permission>>;
    },
  ): void;
  /** Null removes the permission. */
  allow(repo: string, login: string, permission: Permission | null): void;
  /** Makes a repository private or public. */
  setPrivate(repo: string, isPrivate: boolean): void;
  /** Archives a repository, switches its issues off, or names another default branch. */
  setRepo(repo: string, change: Partial<Pick<Repo, 'isArchived' | 'hasIssues' | 'defaultBranch'>>): void;
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
  issue(repo: string, number: number): IssueSeen | null;
  /** Existing issues and pull requests, ordered by number. */
  issues(repo: string): readonly IssueSeen[];
  /** The files on a branch, by path; none if the branch is missing. */
  files(repo: string, branch: string): ReadonlyMap<string, Uint8Array>;
  /** The files of all releases, by tag and name (`attachments/34-crash.log`). */
  assets(repo: string): ReadonlyMap<string, Uint8Array>;
  /** In the order of writing; none if the issue is gone. */
  commentsOf(repo: string, number: number): readonly CommentSeen[];
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
    allow(repo, login, permission) {
      const { permissions } = repoNamed(state, repo);
      if (permission === null) permissions.delete(userNamed(state, login).login);
      else permissions.set(userNamed(state, login).login, permission);
    },
    setPrivate(repo, isPrivate) {
      repoNamed(state, repo).isPrivate = isPrivate;
    },
    setRepo(repo, change) {
      Object.assign(repoNamed(state, repo), change);
    },
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
      return issue?.fate.kind === 'there' ? seen(state, home, issue) : null;
    },
    issues(repo) {
      const home = repoNow(repo);
      return issuesThere(home).map((issue) => seen(state, home, issue));
    },
    files: (repo, branch) => filesOn(repoNamed(state, repo).git, branch),
    assets: (repo) => assetsOf(repoNamed(state, repo)),
    commentsOf: (repo, number) => commentsSeen(repoNow(repo).issues.get(number)),
  };
}

function emptyState({ now, url, webUrl, listLagMs = 0 }: GithubWorldOptions): GithubState {
  return {
    url,
    webUrl: webUrl ?? null,
    now,
    listLagMs: () => listLagMs,
    versions: null,
    limits: usualLimits(),
    heardAt: new Map(),
    users: new Map(),
    renamed: new Map(),
    apps: [],
    repos: new Map(),
    organisations: new Map(),
    hours: new Map(),
    requests: [],
    creations: [],
    uploads: new Map(),
    lastId: 90_000,
  };
}

function addUser(
  state: GithubState,
  login: string,
  options: { readonly name?: string; readonly token?: string },
): User {
  const { name = login, token = `token-of-${login}` } = options;
  const user: User = {
    id: freshId(state),
    login,
    name,
    token,
    tokenScopes: null,
    tokenEndsAt: null,
    createdAt: stamp(state),
  };
  state.users.set(login, user);
  return user;
}

function addRepo(
  state: GithubState,
  name: string,
  options: {
    readonly isPrivate?: boolean;
    readonly isEmpty?: boolean;
    readonly permissions?: Readonly<Record<string, Permission>>;
  },
): void {
  const [ownerLogin = '', repoName = ''] = name.split('/');
  const owner = state.users.get(ownerLogin) ?? addUser(state, ownerLogin, {});
  const repo: Repo = {
    id: freshId(state),
    owner,
    name: repoName,
    isPrivate: options.isPrivate ?? false,
    isArchived: false,
    hasIssues: true,
    permissions: new Map([[ownerLogin, 'admin'], ...Object.entries(options.permissions ?? {})]),
    issues: new Map(),
    git: options.isEmpty === true ? emptyGit() : startedGit(stamp(state)),
    defaultBranch: 'main',
    imports: [],
    pendingImports: [],
    releases: [],
    hasImmutableReleases: false,
    lastNumber: 0,
    labels: new Map(),
    milestones: [],
    types: [],
    createdAt: stamp(state),
  };
  state.repos.set(fullName(repo).toLowerCase(), repo);
}

function issuesThere(repo: Repo): readonly IssueRecord[] {
  return [...repo.issues.values()]
    .filter((issue) => issue.fate.kind === 'there')
    .sort((left, right) => left.number - right.number);
}

function seen({ organisations }: GithubState, { owner }: Repo, issue: IssueRecord): IssueSeen {
  const { number, id, isPull, isLocked, title, state, stateReason, duplicateOfId, createdAt, updatedAt } = issue;
  const labels = issue.labels.map((label) => label.name);
  const assignees = issue.assignees.map(({ login }) => login);
  const blockedBy = blockersOf(issue).map((blocker) => blocker.number);
  const shown = {
    labels,
    assignees,
    blockedBy,
    isMerged: issue.merge !== null,
    milestone: issue.milestone?.title ?? null,
    type: issue.type,
    fields: namedValues(organisations.get(owner.login.toLowerCase())?.fields ?? [], issue),
    author: issue.author.login,
    body: issue.body ?? '',
  };
  return { number, id, isPull, isLocked, title, state, stateReason, duplicateOfId, createdAt, updatedAt, ...shown };
}

function commentsSeen(issue: IssueRecord | undefined): readonly CommentSeen[] {
  if (issue?.fate.kind !== 'there') return [];
  return issue.comments.map(({ id, body, minimized, author, createdAt, updatedAt }) => ({
    ...{ id, body, minimized, author: author.login, createdAt, updatedAt },
  }));
}

import { usualLimits } from '../server/limits.ts';
import { emptyGit, startedGit } from './git/git.ts';
import { fullName, type Permission, type Repo, type User } from './records.ts';
import { freshId, type GithubState, repoNamed, stamp } from './state.ts';

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

export function emptyState({ now, url, webUrl, listLagMs = 0 }: GithubWorldOptions): GithubState {
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
    formerRepos: new Map(),
    organisations: new Map(),
    hours: new Map(),
    requests: [],
    creations: [],
    uploads: new Map(),
    lastId: 90_000,
  };
}

/** `token` is the credential for the HTTP server; `token-of-<login>` by default. */
export interface NewUser {
  readonly name?: string;
  readonly token?: string;
}

export interface NewRepo {
  readonly isPrivate?: boolean;
  readonly isEmpty?: boolean;
  readonly permissions?: Readonly<Record<string, Permission>>;
}

export function addUser(state: GithubState, login: string, options: NewUser): User {
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

export function addRepo(state: GithubState, name: string, options: NewRepo): void {
  const [ownerLogin = '', repoName = ''] = name.split('/');
  const owner = state.users.get(ownerLogin) ?? addUser(state, ownerLogin, {});
  const repo: Repo = {
    id: freshId(state),
    owner,
    name: repoName,
    isPrivate: options.isPrivate ?? false,
    isArchived: false,
    hasIssues: true,
    restrictsIssues: false,
    permissions: new Map([[ownerLogin, 'admin'], ...Object.entries(options.permissions ?? {})]),
    issues: new Map(),
    git: options.isEmpty === true ? emptyGit() : startedGit(stamp(state)),
    defaultBranch: 'main',
    imports: [],
    pendingImports: [],
    releases: [],
    hooks: [],
    hasImmutableReleases: false,
    lastNumber: 0,
    labels: new Map(),
    milestones: [],
    types: [],
    createdAt: stamp(state),
  };
  state.repos.set(fullName(repo).toLowerCase(), repo);
  state.formerRepos.delete(fullName(repo).toLowerCase());
}

/** The repository keeps its id and all that it has; the old name redirects until another repository takes it. */
export function renameRepo(state: GithubState, from: string, to: string): void {
  const repo = repoNamed(state, from);
  if (state.repos.has(`${repo.owner.login}/${to}`.toLowerCase())) throw new Error(`The name ${to} is taken.`);
  state.repos.delete(from.toLowerCase());
  state.formerRepos.set(from.toLowerCase(), repo);
  repo.name = to;
  state.repos.set(fullName(repo).toLowerCase(), repo);
  state.formerRepos.delete(fullName(repo).toLowerCase());
}

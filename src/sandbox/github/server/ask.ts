import type { HalfDone } from '../../server/faults.ts';
import { findIssue } from '../world/issues.ts';
import type { IssueRecord, Repo, User } from '../world/records.ts';
import { type CreationLine, type GithubState, readableRepo } from '../world/state.ts';
import { invalid, moved, notFound } from './errors.ts';

/** One authenticated request to the HTTP server. */
export interface Ask {
  readonly state: GithubState;
  readonly caller: User;
  readonly params: Readonly<Record<string, string>>;
  readonly path: string;
  readonly query: URLSearchParams;
  /** The parsed JSON; an empty object if the request has none. */
  readonly body: unknown;
  /** The requested media type. */
  readonly accept: string;
  /** The media type of the body. */
  readonly type: string;
  /** The raw body for a route that takes contents; empty for other routes. */
  readonly bytes: Uint8Array;
  /** Why only the first of several actions is done; null for all. */
  readonly halfDone: HalfDone | null;
}

export interface Answer {
  readonly status: 200 | 201 | 202 | 204 | 302;
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Route {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';
  /** Below the repository for the routes of repositories, whole for the others. */
  readonly path: string;
  /** What it creates; that counts against the content limits. */
  readonly creates?: CreationLine['kind'];
  /** True if only an App itself may ask, with an assertion instead of a token. */
  readonly isForApps?: boolean;
  /** True if it takes raw content instead of JSON. */
  readonly takesBytes?: boolean;
  answer(ask: Ask): Answer;
}

export const ok = (body: unknown, headers: Readonly<Record<string, string>> = {}): Answer => ({
  status: 200,
  body,
  headers,
});
export const created = (body: unknown): Answer => ({ status: 201, body });
export const accepted = (body: unknown): Answer => ({ status: 202, body });

/** The repository the path names, by owner and name or by its id. */
export function repoOf({ state, caller, params, path }: Ask): Repo {
  const byName = state.repos.get(`${params['owner']}/${params['repo']}`.toLowerCase());
  const former = state.formerRepos.get(`${params['owner']}/${params['repo']}`.toLowerCase());
  if (former !== undefined)
    throw moved([state.url, 'repositories', readableRepo(caller, former).id, ...path.split('/').slice(4)].join('/'));
  const byId = [...state.repos.values()].find((repo) => String(repo.id) === params['repoId']);
  return readableRepo(caller, byName ?? byId);
}

export function issueOf(ask: Ask): { readonly repo: Repo; readonly issue: IssueRecord } {
  const repo = repoOf(ask);
  return { repo, issue: findIssue(ask.state, ask.caller, repo, numberParam(ask, 'number')) };
}

export function numberParam({ params }: Ask, name: string): number {
  const number = Number(params[name]);
  if (!Number.isInteger(number)) throw notFound();
  return number;
}

/** Undefined if the body does not have it; throws 422 if it is not a text. */
export function textIn(ask: Ask, key: string, resource: string): string | undefined {
  const value = valueIn(ask.body, key);
  if (value === undefined || typeof value === 'string') return value;
  if (typeof value === 'number') return String(value);
  throw invalid({ resource, code: 'invalid', field: key });
}

/** Names of labels, as texts or as objects with a name. */
export function labelNamesIn(ask: Ask): readonly string[] | undefined {
  const value = Array.isArray(ask.body) ? ask.body : valueIn(ask.body, 'labels');
  if (value === undefined || value === null) return undefined;
  if (!Array.isArray(value)) throw invalid({ resource: 'Issue', code: 'invalid', field: 'labels' });
  return value.map((item: unknown) => {
    const name = typeof item === 'string' ? item : valueIn(item, 'name');
    if (typeof name !== 'string') throw invalid({ resource: 'Label', code: 'invalid', field: 'name' });
    return name;
  });
}

export function valueIn(body: unknown, key: string): unknown {
  if (typeof body !== 'object' || body === null) return undefined;
  return Object.entries(body).find(([name]) => name === key)?.[1];
}

/** Epoch milliseconds of the `since` parameter; null if there is none. Throws 422 if it is not a time. */
export function sinceOf({ query }: Ask): number | null {
  const since = query.get('since');
  if (since === null || since === '') return null;
  const sinceAt = Date.parse(since);
  if (Number.isNaN(sinceAt)) throw invalid({ resource: 'Issue', code: 'invalid', field: 'since' });
  return sinceAt;
}

import type { User } from '../world/records.ts';
import type { GithubState } from '../world/state.ts';
import { primaryLimit, secondaryLimit } from './errors.ts';

/** Tests may change any of these while the world runs. */
export interface Limits {
  /** Older servers have no dependencies between issues: they neither show nor accept them. */
  hasDependencies: boolean;
  /** Requests an account may make within an hour that begins with its first request. */
  primaryPerHour: number;
  /** Issues and comments an account may create through the API; null is off. */
  creationsPerMinute: number | null;
  creationsPerHour: number | null;
  /** How long writes to a new issue meet a replica that does not know it, for one issue after the other. */
  replicaLagsMs: readonly number[];
  /** How GraphQL reports limits: with this type and status 200, or like REST. */
  graphqlLimits: 'RATE_LIMIT' | 'RATE_LIMITED' | 'as-rest';
  /** The status that refuses too much content. */
  refusalStatus: 403 | 429;
  sendsRetryAfter: boolean;
  /** Whether whole issues can be imported. */
  hasImports: boolean;
  /** The duration of imports, for one after the other. */
  importDelaysMs: readonly number[];
  /** Imports whose title begins like this fail; null for none. */
  refusedImports: string | null;
  /** An attribute of issues that the server refuses by an unknown rule, without naming it; null for none. */
  refusesUnnamed: 'labels' | 'assignees' | 'milestone' | 'type' | null;
  /** Refuses every request of an account, whatever it may do; null for none. */
  bar: 'sso' | 'allow-list' | 'terms' | null;
  commentsPerIssue: number;
  /** Whether GraphQL has the schema of 2025: neither what was added nor what was changed since. */
  isOlderGraphql: boolean;
  /** The versions of the interface that the server knows. */
  apiVersions: readonly string[];
  /** The headers that announce the end of the interface version; none by default. */
  retirement: { readonly deprecation: string; readonly sunset: string } | null;
  /** The limit of `page` in a list. */
  pagedItemsMax: number;
  assetsPerRelease: number;
  /** Older servers show no digests of assets. */
  hasDigests: boolean;
}

export const usualLimits = (): Limits => ({
  hasDependencies: true,
  primaryPerHour: 5000,
  creationsPerMinute: null,
  creationsPerHour: null,
  replicaLagsMs: [0],
  graphqlLimits: 'RATE_LIMIT',
  refusalStatus: 403,
  sendsRetryAfter: true,
  bar: null,
  commentsPerIssue: 2_500,
  isOlderGraphql: false,
  apiVersions: ['2022-11-28', '2026-03-10'],
  retirement: null,
  pagedItemsMax: 10_000,
  hasImports: true,
  importDelaysMs: [0],
  refusedImports: null,
  refusesUnnamed: null,
  assetsPerRelease: 1_000,
  hasDigests: true,
});

export interface Allowance {
  readonly limit: number;
  readonly used: number;
  readonly remaining: number;
  readonly resetAt: number;
}

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

export function allowanceOf(state: GithubState, user: User): Allowance {
  const hour = state.hours.get(user.login);
  const isCurrent = hour !== undefined && state.now() < hour.startedAt + hourMs;
  const used = isCurrent ? hour.used : 0;
  const limit = state.limits.primaryPerHour;
  const startedAt = isCurrent ? hour.startedAt : state.now();
  return { limit, used, remaining: Math.max(0, limit - used), resetAt: Math.ceil((startedAt + hourMs) / 1000) * 1000 };
}

/** Throws if the account has no requests left in this hour. */
export function checkRequest(state: GithubState, user: User): void {
  if (allowanceOf(state, user).remaining === 0) throw primaryLimit(user);
}

export function countRequest(state: GithubState, user: User): void {
  const hour = state.hours.get(user.login);
  if (hour !== undefined && state.now() < hour.startedAt + hourMs) hour.used += 1;
  else state.hours.set(user.login, { startedAt: state.now(), used: 1 });
}

/** Throws if the account has recently created too much content. */
export function checkCreation(state: GithubState, user: User): void {
  const { creationsPerMinute, creationsPerHour, refusalStatus, sendsRetryAfter } = state.limits;
  const waits = [waitMs(state, user, creationsPerMinute, minuteMs), waitMs(state, user, creationsPerHour, hourMs)];
  const longestMs = Math.max(...waits);
  if (longestMs === 0) return;
  throw secondaryLimit(refusalStatus, sendsRetryAfter ? Math.ceil(longestMs / 1000) : null, 'content creation');
}

/** How long until one more creation fits into the sliding window; 0 if it fits now. */
function waitMs(state: GithubState, user: User, limit: number | null, windowMs: number): number {
  if (limit === null) return 0;
  if (limit === 0) return windowMs;
  const blocking = state.creations.filter((creation) => creation.login === user.login).at(-limit);
  return blocking === undefined ? 0 : Math.max(0, blocking.at + windowMs - state.now());
}

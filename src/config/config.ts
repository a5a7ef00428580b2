import type { PeopleSource } from './people-book.ts';
import type { WrittenConfig } from './schema.ts';

export type GithubCredential =
  | { readonly kind: 'token'; readonly token: string }
  | { readonly kind: 'app'; readonly id: number; readonly installationId: number; readonly privateKey: string };

export interface TrackerAccess {
  /** Without a slash at the end. */
  readonly url: string;
  readonly apiKey: string;
  readonly auth: 'auto' | 'query' | 'header' | 'bearer';
  /** Our own account, when the file names it. */
  readonly login: string | null;
}

export interface GithubAccess {
  /** Of the API, without a slash at the end. */
  readonly url: string;
  readonly credential: GithubCredential;
}

/** The door for people, monitoring and webhooks. */
export interface HttpAccess {
  readonly host: string;
  /** 0 takes a free one. */
  readonly port: number;
  /** Null where nobody but this machine can come in, and may do without. */
  readonly token: string | null;
  /** The secrets of webhooks; null for a side whose webhooks are not taken. */
  readonly githubSecret: string | null;
  readonly trackerSecret: string | null;
  readonly readyLagMs: number;
}

/** The configuration, checked and with its secrets. Never log it: log nothing that has passed no scrubber. */
export interface Config extends Omit<WrittenConfig, 'tracker' | 'github' | 'people' | 'peopleFile' | 'http'> {
  readonly tracker: TrackerAccess;
  readonly github: GithubAccess;
  readonly people: PeopleSource;
  /** Null opens no port. */
  readonly http: HttpAccess | null;
}

/** What no output may show. */
export function secretsOf(config: Config): string[] {
  const { credential } = config.github;
  const { token = null, githubSecret = null, trackerSecret = null } = config.http ?? {};
  const own = [token, githubSecret, trackerSecret].filter((secret) => secret !== null);
  return [config.tracker.apiKey, credential.kind === 'token' ? credential.token : credential.privateKey, ...own];
}

/**
 * What a route does when it does not say otherwise. Statuses of both of the tracker's stock workflows (NEW, ASSIGNED and REOPENED are
 * the older one) are mapped, so that a default map fits either.
 */
const closedByResolution = { FIXED: 'completed', DUPLICATE: 'duplicate', '*': 'not_planned' } as const;

export const defaultToGithub = {
  UNCONFIRMED: 'open',
  NEW: 'open',
  CONFIRMED: 'open',
  ASSIGNED: 'open',
  IN_PROGRESS: 'open',
  REOPENED: 'open',
  RESOLVED: { ...closedByResolution },
  VERIFIED: { ...closedByResolution },
  CLOSED: { ...closedByResolution },
} as const;

export const defaultToTracker = {
  reopened: 'CONFIRMED',
  completed: ['RESOLVED', 'FIXED'],
  not_planned: ['RESOLVED', 'WONTFIX'],
} as const;

export const defaultLabels = [
  { from: 'component', as: 'component: {value}', both: false },
  { from: 'severity', as: 'severity: {value}', both: true },
  { from: 'keywords', as: '{value}', both: true },
] as const;

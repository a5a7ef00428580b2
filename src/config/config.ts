import type { PeopleSource } from './people-book.ts';
import type { WrittenConfig } from './schema.ts';

export type GithubCredential =
  | { readonly kind: 'token'; readonly token: string }
  | { readonly kind: 'app'; readonly id: number; readonly installationId: number; readonly privateKey: string };

export interface TrackerAccess {
  /** Without a trailing slash. */
  readonly url: string;
  readonly apiKey: string;
  readonly auth: 'auto' | 'query' | 'header' | 'bearer';
  /** Our own account, if the file names it. */
  readonly login: string | null;
}

export interface GithubAccess {
  /** The address of the API, without a trailing slash. */
  readonly url: string;
  readonly credential: GithubCredential;
}

/** The HTTP server for the dashboard, monitoring and webhooks. */
export interface HttpAccess {
  readonly host: string;
  /** 0 selects a free port. */
  readonly port: number;
  /** Null if only this machine can connect, without a token. */
  readonly token: string | null;
  /** The secrets of webhooks; null for a side whose webhooks are not accepted. */
  readonly githubSecret: string | null;
  readonly trackerSecret: string | null;
  readonly readyLagMs: number;
}

/** The checked configuration with its secrets. Never log it: log only text that has passed a scrubber. */
export interface Config extends Omit<WrittenConfig, 'tracker' | 'github' | 'people' | 'peopleFile' | 'http'> {
  readonly tracker: TrackerAccess;
  readonly github: GithubAccess;
  readonly people: PeopleSource;
  /** Null if there is no HTTP server. */
  readonly http: HttpAccess | null;
}

/** Values that must not appear in any output. */
export function secretsOf(config: Config): string[] {
  const { credential } = config.github;
  const { token = null, githubSecret = null, trackerSecret = null } = config.http ?? {};
  const own = [token, githubSecret, trackerSecret].filter((secret) => secret !== null);
  return [config.tracker.apiKey, credential.kind === 'token' ? credential.token : credential.privateKey, ...own];
}

/**
 * The defaults of a route. They map the statuses of both stock workflows of the tracker (NEW, ASSIGNED and REOPENED are the older one),
 * so that the default map fits either.
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

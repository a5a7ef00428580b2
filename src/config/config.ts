import type { PeopleSource } from './people-book.ts';
import type { WrittenConfig } from './schema/schema.ts';
import type { Reread } from './secret-book.ts';

export type GithubCredential =
  | { readonly kind: 'token'; readonly token: string }
  | { readonly kind: 'app'; readonly id: number; readonly installationId: number; readonly privateKey: string };

interface TrackerAccess {
  /** Without a trailing slash. */
  readonly url: string;
  /** The addresses that it had before. */
  readonly formerUrls: readonly string[];
  readonly apiKey: string;
  readonly auth: 'auto' | 'query' | 'header' | 'bearer';
  /** Our own account, if the file names it. */
  readonly login: string | null;
}

interface GithubAccess {
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
}

/** Whom to tell that a route needs somebody; null for a way that is not configured. */
export interface NotifyAccess {
  readonly command: readonly string[] | null;
  readonly webhook: {
    readonly address: string;
    readonly token: string | null;
    readonly body: Readonly<Record<string, unknown>>;
  } | null;
  readonly mail: { readonly to: readonly string[]; readonly from: string | null; readonly sendmail: string } | null;
  readonly pauseMs: number;
  /** What programs get of the environment: nothing in which a secret of the bridge could be. */
  readonly env: Readonly<Record<string, string>>;
}

/**
 * The checked configuration without its secrets: enough to read the state, and to queue commands for the bridge.
 */
export interface Settings
  extends Omit<WrittenConfig, 'tracker' | 'github' | 'people' | 'peopleFile' | 'http' | 'notify'> {
  readonly tracker: Pick<TrackerAccess, 'url' | 'formerUrls'>;
  readonly github: Pick<GithubAccess, 'url'>;
  readonly people: PeopleSource;
  /** A side that was last read longer ago counts as not read. */
  readonly lagMaxMs: number;
  /** Secrets that are present nevertheless, to keep them out of the output. */
  readonly secrets: readonly string[];
}

/** The checked configuration with its secrets. Never log it: log only text that has passed a scrubber. */
export interface Config extends Omit<Settings, 'tracker' | 'github' | 'secrets'> {
  readonly tracker: TrackerAccess;
  readonly github: GithubAccess;
  /** Null if there is no HTTP server. */
  readonly http: HttpAccess | null;
  /** Null if nobody is told. */
  readonly notify: NotifyAccess | null;
  /** Values that must not appear in any output; secrets that are read again join them. */
  readonly secrets: string[];
  /** Reads the secrets again where they are in files. */
  readonly reread: {
    readonly apiKey: () => Reread<string>;
    readonly credential: () => Reread<GithubCredential>;
  };
}

export function secretsIn(
  apiKey: string | undefined,
  credential: GithubCredential | undefined,
  http: Pick<HttpAccess, 'token' | 'githubSecret' | 'trackerSecret'> | null | undefined,
  notify: NotifyAccess | null | undefined,
): string[] {
  const { token = null, githubSecret = null, trackerSecret = null } = http ?? {};
  const github = credential?.kind === 'app' ? credential.privateKey : credential?.token;
  const { webhook } = notify ?? {};
  return [apiKey, github, token, githubSecret, trackerSecret, webhook?.address, webhook?.token].filter(
    (secret) => typeof secret === 'string',
  );
}

/**
 * The defaults of a route. They map the statuses of both stock workflows of the tracker (NEW, ASSIGNED and REOPENED are
 * the older one), so that the default map fits either.
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

import { createAppAuth } from '@octokit/auth-app';
import type { Octokit } from '@octokit/rest';
import { assertionOf } from './assertion.ts';

type Secret = string | (() => string);

const secretNow = (secret: Secret): string => (typeof secret === 'function' ? secret() : secret);

/** A GitHub App, as one of its installations. */
export interface GithubApp {
  readonly id: number | string;
  readonly installationId: number;
  /** PEM; asked each time if it may be rotated. */
  readonly privateKey: Secret;
}

/** `installation` acts in repositories; `app` only reads the App itself. A plain token serves both. */
export type Role = 'installation' | 'app';

export interface Credentials {
  readonly isApp: boolean;
  /** The value of the authorization header. May request a token from GitHub, about once an hour at most. */
  authorization(role: Role): Promise<string>;
  /**
   * GitHub refused the value of `authorization`: drop a cached token.
   * @param dateAt GitHub's clock at that answer, epoch milliseconds; null if it did not say
   * @returns whether the clocks differ in a way that was not known before, so that the same request may succeed now
   */
  rejected(dateAt: number | null): boolean;
  /** How far our clock is ahead of GitHub's, as far as that explains a refusal; 0 while no request was refused. */
  aheadMs(): number;
  /** The secrets to remove from all output. */
  secrets(): readonly string[];
}

/** @param token asked before each request if it may be rotated */
export function tokenCredentials(token: Secret): Credentials {
  const used = new Set<string>();
  return {
    isApp: false,
    async authorization() {
      const current = secretNow(token);
      used.add(current);
      return `Bearer ${current}`;
    },
    rejected: () => false,
    aheadMs: () => 0,
    secrets: () => [...used],
  };
}

/** `Date` has whole seconds, and an answer takes some time. */
const noticeableMs = 5_000;

/**
 * Installation tokens are valid for an hour and are cached that long, because ETags are valid for one token only. An
 * App identifies itself with the time of day; if GitHub refuses that and its clock differs from ours, its clock counts
 * from then on. Source: POST /app/installations/{installation_id}/access_tokens.
 */
export function appCredentials(app: GithubApp, octokit: Octokit, now: () => number): Credentials {
  let aheadMs = 0;
  const auth = createAppAuth({
    appId: app.id,
    createJwt: async (id) => assertionOf(id, secretNow(app.privateKey), now() - aheadMs),
    installationId: app.installationId,
    request: octokit.request,
    log: octokit.log,
  });
  let issued: string | null = null;
  let refresh = false;
  return {
    isApp: true,
    async authorization(role) {
      if (role === 'app') return `Bearer ${(await auth({ type: 'app' })).token}`;
      const { token } = await auth({ type: 'installation', refresh });
      refresh = false;
      issued = token;
      return `Bearer ${token}`;
    },
    rejected(dateAt) {
      refresh = true;
      const foundMs = dateAt === null ? aheadMs : now() - dateAt;
      const isNews = Math.abs(foundMs - aheadMs) > noticeableMs;
      if (isNews) aheadMs = foundMs;
      return isNews;
    },
    aheadMs: () => aheadMs,
    secrets: () => [secretNow(app.privateKey), ...(issued === null ? [] : [issued])],
  };
}

/**
 * Removes secrets from text for users or logs: our own by value, and unknown ones by form (another tool's token in a
 * proxy's error). GitHub's tokens have no fixed length, so the prefix decides.
 */
const secretForms = [
  /\bgh[pousr]_[A-Za-z0-9_.-]+/gu,
  /\bgithub_pat_[A-Za-z0-9_]+/gu,
  /\beyJ[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+/gu,
  /-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/gu,
];

export function withoutSecrets(text: string, values: readonly string[]): string {
  let clean = text;
  for (const value of values) if (value.trim() !== '') clean = clean.replace(anyLayout(value), '[secret]');
  for (const form of secretForms) clean = clean.replace(form, '[secret]');
  return clean;
}

/** A message may have been joined into one line, including a key with several lines. */
function anyLayout(value: string): RegExp {
  const parts = value.trim().split(/\s+/u);
  return new RegExp(parts.map((part) => part.replace(/[\\^$.*+?()[\]{}|/]/gu, '\\$&')).join('\\s+'), 'gu');
}

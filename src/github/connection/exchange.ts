/** One exchange with GitHub, as Octokit sends it and as it answers. */

import { Octokit } from '@octokit/rest';
import type { Fetch } from '../../model/runtime.ts';
import type { RawAnswer } from './classify-answer.ts';
import type { Ask } from './client.ts';

/**
 * Octokit without its retry and throttling plugins: the first repeats a POST after a dropped connection, the second
 * would be another limiter beside the lane. Redirects are never followed, because a PATCH would edit the issue in the
 * target repository, and a POST would become a GET that creates nothing.
 */
export function silentOctokit(baseUrl: string, timeoutMs: number, send: Fetch): Octokit {
  const silence = () => {};
  const log = { debug: silence, info: silence, warn: silence, error: silence };
  const sendWithin: Fetch = (url, init) =>
    send(url, { ...init, redirect: 'manual', signal: AbortSignal.timeout(timeoutMs) });
  return new Octokit({ baseUrl, userAgent: 'bugferry', log, request: { fetch: sendWithin, log } });
}

export function exchange(octokit: Octokit, ask: Ask, authorization: string): Promise<RawAnswer> {
  return octokit.request({
    method: ask.method,
    url: literal(ask.path),
    headers: {
      authorization,
      accept: ask.accept ?? 'application/vnd.github+json',
      ...(ask.version ? { 'x-github-api-version': ask.version } : {}),
      ...(ask.etag ? { 'if-none-match': ask.etag } : {}),
      ...(ask.sinceAt ? { 'if-modified-since': new Date(ask.sinceAt).toUTCString() } : {}),
      ...(ask.content ? { 'content-type': ask.content.type } : {}),
    },
    ...(ask.content ? { data: ask.content.bytes } : ask.body ? { data: ask.body } : {}),
  });
}

/** Octokit reads `:name` and `{name}` in a URL as placeholders; a URL from GitHub has none. */
const literal = (url: string): string =>
  url
    .replace(/:(?=[a-z]\w)/gu, '%3A')
    .replaceAll('{', '%7B')
    .replaceAll('}', '%7D');

/** Octokit throws answers from 304 on, and turns "no answer" into status 500 without a response. */
export function answerIn(error: unknown): RawAnswer | null {
  if (!(error instanceof Error) || !('response' in error)) return null;
  const { response } = error;
  if (typeof response !== 'object' || response === null) return null;
  if (!('status' in response && 'headers' in response && 'data' in response)) return null;
  const { status, headers, data } = response;
  if (typeof status !== 'number' || typeof headers !== 'object' || headers === null) return null;
  return { status, headers: Object.fromEntries(Object.entries(headers)), data };
}

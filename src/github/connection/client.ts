import { Octokit } from '@octokit/rest';
import type { Cost, Lane } from '../../model/runtime.ts';
import type { Retirement } from '../../model/survey.ts';
import { classifyAnswer, classifyNoAnswer, type RawAnswer } from './classify-answer.ts';
import {
  appCredentials,
  type Credentials,
  type GithubApp,
  type Role,
  tokenCredentials,
  withoutSecrets,
} from './credentials.ts';
import { download } from './download.ts';
import { type Failure, inSentences, whyOf } from './failure.ts';
import { hostOf, isOwnAddress } from './upload-host.ts';

export const apiVersion = '2022-11-28';
const whyLengthMax = 1_000;
const faultLengthMax = 100;

export type GithubClientOptions = {
  /** The root of the REST interface, such as `https://api.github.com`. */
  readonly url: string;
  readonly lane: Lane;
  readonly timeoutMs: number;
  /** Our clock, epoch milliseconds. */
  readonly now: () => number;
  readonly fetch?: typeof fetch;
} & ({ readonly token: string } | { readonly app: GithubApp });

export interface Ask {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';
  /**
   * A path below the root with a leading slash, sent unchanged; or a full address, which must be one of GitHub's own.
   */
  readonly path: string;
  readonly cost: Cost;
  /** Describes the request to users; follows the words "when asked to". */
  readonly about: string;
  readonly body?: Readonly<Record<string, unknown>>;
  /** Binary content instead of a body. */
  readonly content?: Content;
  /** Answer only if the content has changed. */
  readonly etag?: string | null;
  /** Answer only if it was changed after this second, epoch milliseconds. */
  readonly sinceAt?: number | null;
  /** The media type of the answer, if not the usual one. */
  readonly accept?: string;
  readonly role?: Role;
}

export interface Content {
  readonly type: string;
  readonly bytes: Uint8Array;
}

export interface Answer {
  readonly kind: 'answered';
  readonly data: unknown;
  readonly headers: RawAnswer['headers'];
  /** GitHub's clock at the answer, epoch milliseconds. */
  readonly readAt: number;
}

export type Reply =
  | Answer
  | { readonly kind: 'unchanged'; readonly headers: RawAnswer['headers']; readonly readAt: number }
  | { readonly kind: 'failed'; readonly failure: Failure };

export type ContentReply =
  | { readonly kind: 'content'; readonly bytes: Uint8Array }
  | { readonly kind: 'failed'; readonly failure: Failure };

export interface GithubClient {
  readonly root: URL;
  readonly isApp: boolean;
  /** Our clock, epoch milliseconds. */
  readonly now: () => number;
  /** Sends one request, once, through the lane. Never throws for external failures. */
  send(ask: Ask): Promise<Reply>;
  /** Downloads the raw content of an address, wherever GitHub stores it. */
  content(ask: Pick<Ask, 'path' | 'about'>): Promise<ContentReply>;
  /**
   * Several requests in one turn of the lane, so that nothing queues between a read and the write that depends on it.
   */
  within<T>(cost: Cost, work: (send: GithubClient['send']) => Promise<T>): Promise<T>;
}

export function createGithubClient(options: GithubClientOptions): GithubClient {
  const root = new URL(options.url);
  const octokit = silentOctokit(options.url.replace(/\/+$/u, ''), options.timeoutMs, options.fetch ?? fetch);
  const credentials =
    'token' in options ? tokenCredentials(options.token) : appCredentials(options.app, octokit, options.now);
  const sender: Sender = { octokit, credentials, root, now: options.now };
  const watched = watchLimits(options.now);
  return {
    root,
    isApp: credentials.isApp,
    now: options.now,
    send: (ask) => {
      const send = watched((each) => sendOnce(sender, each));
      return options.lane.run(ask.cost, () => send(ask));
    },
    content: (ask) => options.lane.run('read', () => contentOf(sender, options, ask)),
    within: (cost, work) => {
      const send = watched((ask) => sendOnce(sender, ask));
      return options.lane.run(cost, () => work(send));
    },
  };
}

type Limited = Extract<Failure, { readonly kind: 'limited' }>;

/**
 * A request that was waiting for its turn when GitHub asked for a pause is not sent: "continuing to make requests while
 * you are rate limited may result in the banning of your integration". Source: docs.github.com, "Rate limits for the
 * REST API".
 */
function watchLimits(now: () => number): (send: GithubClient['send']) => GithubClient['send'] {
  let seen = 0;
  let last: Limited | null = null;
  return (send) => {
    const seenBefore = seen;
    return async (ask) => {
      if (last !== null && seen > seenBefore && last.at > now()) {
        return {
          kind: 'failed',
          failure: { kind: 'limited', at: last.at, why: `${last.why}; the request to ${ask.about} was not sent` },
        };
      }
      const reply = await send(ask);
      if (reply.kind === 'failed' && reply.failure.kind === 'limited') {
        seen += 1;
        last = reply.failure;
      }
      return reply;
    };
  };
}

interface Sender {
  readonly octokit: Octokit;
  readonly credentials: Credentials;
  readonly root: URL;
  readonly now: () => number;
}

/**
 * Octokit without its retry and throttling plugins: the first repeats a POST after a dropped connection, the second
 * would be another limiter beside the lane. Redirects are never followed, because a PATCH would edit the issue in the
 * target repository, and a POST would become a GET that creates nothing.
 */
function silentOctokit(baseUrl: string, timeoutMs: number, send: typeof fetch): Octokit {
  const silence = () => {};
  const log = { debug: silence, info: silence, warn: silence, error: silence };
  const sendWithin: typeof fetch = (url, init) =>
    send(url, { ...init, redirect: 'manual', signal: AbortSignal.timeout(timeoutMs) });
  return new Octokit({ baseUrl, userAgent: 'bugferry', log, request: { fetch: sendWithin, log } });
}

async function sendOnce(sender: Sender, ask: Ask, isSecond = false): Promise<Reply> {
  if (!ask.path.startsWith('/') && !isOwnAddress(sender.root, ask.path)) {
    const why = `GitHub named ${hostOf(ask.path)} as the host to ${ask.about}, which is not its own: our credentials are not sent there`;
    return { kind: 'failed', failure: { kind: 'refused', why } };
  }
  const authorization = await authorize(sender, ask);
  if (typeof authorization !== 'string') return { kind: 'failed', failure: clean(sender, authorization) };
  const response = await exchange(sender.octokit, ask, authorization).catch(
    (error: unknown) => answerIn(error) ?? { error },
  );
  if ('error' in response)
    return { kind: 'failed', failure: clean(sender, classifyNoAnswer(response.error, ask.about)) };
  const isClockNews = response.status === 401 && sender.credentials.rejected(dateOf(response));
  // Nothing took effect. Only the App itself is identified by an assertion, which the time of day decides.
  if (isClockNews && ask.role === 'app' && !isSecond) return sendOnce(sender, ask, true);
  const readAt = dateOf(response) ?? sender.now();
  if (response.status === 304) return { kind: 'unchanged', headers: response.headers, readAt };
  if (response.status >= 200 && response.status < 300) {
    return { kind: 'answered', data: response.data, headers: response.headers, readAt };
  }
  return { kind: 'failed', failure: clean(sender, classifyAnswer(response, { about: ask.about, now: sender.now() })) };
}

/** GitHub's clock at an answer, epoch milliseconds; null if it does not say. */
function dateOf({ headers }: RawAnswer): number | null {
  const dateAt = Date.parse(String(headers['date'] ?? ''));
  return Number.isNaN(dateAt) ? null : dateAt;
}

async function contentOf(
  sender: Sender,
  { url, timeoutMs, fetch: send = fetch }: Pick<GithubClientOptions, 'url' | 'timeoutMs' | 'fetch'>,
  ask: Pick<Ask, 'path' | 'about'>,
): Promise<ContentReply> {
  const authorization = await authorize(sender, { ...ask, method: 'GET', cost: 'read' });
  if (typeof authorization !== 'string') return { kind: 'failed', failure: clean(sender, authorization) };
  const headers = {
    authorization,
    accept: 'application/octet-stream',
    'x-github-api-version': apiVersion,
    'user-agent': 'bugferry',
  };
  try {
    const found = await download({ url: url.replace(/\/+$/u, '') + ask.path, headers, timeoutMs, fetch: send });
    if (found.kind === 'content') return found;
    return {
      kind: 'failed',
      failure: clean(sender, classifyAnswer(found.answer, { about: ask.about, now: sender.now() })),
    };
  } catch (error) {
    return { kind: 'failed', failure: clean(sender, classifyNoAnswer(error, ask.about)) };
  }
}

function exchange(octokit: Octokit, ask: Ask, authorization: string): Promise<RawAnswer> {
  return octokit.request({
    method: ask.method,
    url: literal(ask.path),
    headers: {
      authorization,
      accept: ask.accept ?? 'application/vnd.github+json',
      'x-github-api-version': apiVersion,
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
function answerIn(error: unknown): RawAnswer | null {
  if (!(error instanceof Error) || !('response' in error)) return null;
  const { response } = error;
  if (typeof response !== 'object' || response === null) return null;
  if (!('status' in response && 'headers' in response && 'data' in response)) return null;
  const { status, headers, data } = response;
  if (typeof status !== 'number' || typeof headers !== 'object' || headers === null) return null;
  return { status, headers: Object.fromEntries(Object.entries(headers)), data };
}

/** While a token is being fetched, the request itself has not been sent, so no failure here leaves a doubt. */
async function authorize(sender: Sender, ask: Ask, isSecond = false): Promise<string | Failure> {
  try {
    return await sender.credentials.authorization(ask.role ?? 'installation');
  } catch (error) {
    if (!(error instanceof Error && 'request' in error)) {
      return {
        kind: 'unauthorized',
        why: `The App's private key cannot be used: ${error instanceof Error ? error.message : String(error)}`,
      };
    }
    const about = `issue a token to the App to ${ask.about}`;
    const answer = answerIn(error);
    if (answer?.status === 401 && sender.credentials.rejected(dateOf(answer)) && !isSecond)
      return authorize(sender, ask, true);
    const failure = answer ? classifyAnswer(answer, { about, now: sender.now() }) : classifyNoAnswer(error, about);
    if (failure.kind === 'limited' || failure.kind === 'unreached') return failure;
    if (failure.kind === 'unknown' && failure.at !== undefined)
      return { kind: 'limited', at: failure.at, why: failure.why };
    if (failure.kind === 'unknown' || failure.kind === 'notYet') return { kind: 'unreached', why: failure.why };
    return { kind: 'unauthorized', why: inSentences(whyOf(failure), adviceOnApp(sender.credentials.aheadMs())) };
  }
}

function adviceOnApp(aheadMs: number): string {
  const advice = 'Check the id, key and installation of the App';
  if (aheadMs === 0) return advice;
  const seconds = Math.round(Math.abs(aheadMs) / 1000);
  return `${advice}, and the clock of this machine: it is ${seconds} seconds ${aheadMs > 0 ? 'ahead of' : 'behind'} GitHub's`;
}

/** Scrubs before cutting: a cut could leave part of a secret that is no longer recognised. */
function clean(sender: Sender, failure: Failure): Failure {
  const cleaned = (words: string, lengthMax: number): string => {
    const text = withoutSecrets(words, sender.credentials.secrets());
    return text.length > lengthMax ? `${text.slice(0, lengthMax)}...` : text;
  };
  const why = cleaned(whyOf(failure), whyLengthMax);
  if (failure.kind === 'gone') return { kind: 'gone', gone: { kind: failure.gone.kind, why } };
  if (failure.kind !== 'refused' || failure.faults === undefined) return { ...failure, why };
  return { ...failure, why, faults: failure.faults.map((fault) => cleaned(fault, faultLengthMax)) };
}

/**
 * What an answer says of the end of the interface version that it serves: `Deprecation` (RFC 9745, `@` and seconds;
 * older servers write a date) and `Sunset` (RFC 8594, a date). Null if it says nothing.
 */
export function retirementIn(headers: RawAnswer['headers']): Retirement | null {
  const [since, ends] = [headers['deprecation'], headers['sunset']];
  return since === undefined && ends === undefined ? null : { sinceAt: timeOf(since), endsAt: timeOf(ends) };
}

function timeOf(header: string | number | undefined): number | null {
  const text = String(header ?? '');
  const at = /^@\d+$/u.test(text) ? Number(text.slice(1)) * 1000 : Date.parse(text);
  return Number.isNaN(at) ? null : at;
}

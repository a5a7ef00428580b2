import type { Octokit } from '@octokit/rest';
import { pauses } from '../../model/answers/pauses.ts';
import { withoutSlash } from '../../model/named.ts';
import { type Cost, type Fetch, type Lane, type RowReader, unwatchedRows } from '../../model/runtime.ts';
import { httpFetch } from '../../runtime/http-fetch.ts';
import { unlessAtOne } from './asked-at-one.ts';
import { classifyAnswer, classifyNoAnswer, dateOf, type RawAnswer } from './classify-answer.ts';
import {
  appCredentials,
  type Credentials,
  type GithubApp,
  type Role,
  tokenCredentials,
  withoutSecrets,
} from './credentials.ts';
import { type DownloadOptions, download } from './download.ts';
import { answerIn, exchange, silentOctokit } from './exchange.ts';
import { type Failure, inSentences, whyOf } from './failure.ts';
import { hostOf, isOfGithubCom, isOwnAddress } from './upload-host.ts';
import { type ApiVersion, type VersionInUse, versionInUse } from './version.ts';

const whyLengthMax = 1_000;
const faultLengthMax = 100;

type GithubClientOptions = {
  /** The root of the REST interface, such as `https://api.github.com`. */
  readonly url: string;
  readonly lane: Lane;
  readonly timeoutMs: number;
  /** Our clock, epoch milliseconds. */
  readonly now: () => number;
  readonly fetch?: Fetch;
  /** When the last pause ends or ended that GitHub asked for, perhaps in an earlier process. */
  readonly lastPause?: () => number | null;
} & ({ readonly token: string | (() => string) } | { readonly app: GithubApp });

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
  /** The version of the interface to ask for, if not the one in use. */
  readonly version?: ApiVersion;
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

type ContentReply =
  | { readonly kind: 'content'; readonly bytes: Uint8Array }
  | { readonly kind: 'failed'; readonly failure: Failure };

export interface GithubClient {
  readonly root: URL;
  /** Reads what concerns one issue of an answer. */
  readonly rows: RowReader;
  readonly isApp: boolean;
  readonly version: Pick<VersionInUse, 'current' | 'begin'>;
  /** Whether the server is known to have GraphQL. */
  readonly graphql: { isThere: boolean };
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
  const storage = options.fetch ?? httpFetch;
  const version = versionInUse(storage);
  const octokit = silentOctokit(withoutSlash(options.url), options.timeoutMs, version.fetch);
  const credentials =
    'token' in options ? tokenCredentials(options.token) : appCredentials(options.app, octokit, options.now);
  const sender: Sender = { octokit, credentials, root, now: options.now };
  const reach = { api: version.fetch, storage };
  const watched = watchLimits(options.now);
  const lastPauses = pauses(options.now, options.lastPause ?? (() => null));
  const judged = unlessAtOne(lastPauses, (ask) => sendOnce(sender, ask));
  const send = async (ask: Ask): Promise<Reply> => {
    const reply = await sendOnce(sender, ask);
    return reply.kind === 'failed' ? judged(ask, reply) : reply;
  };
  return {
    root,
    rows: unwatchedRows,
    isApp: credentials.isApp,
    version,
    graphql: { isThere: isOfGithubCom(root) },
    now: options.now,
    send: (ask) => {
      const sendWatched = watched(send);
      return options.lane.run(ask.cost, () => sendWatched(ask));
    },
    content: (ask) => options.lane.run('read', () => contentOf(sender, { ...options, reach }, ask)),
    within: (cost, work) => {
      const sendWatched = watched(send);
      return options.lane.run(cost, () => work(sendWatched));
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
  const failure = clean(sender, classifyAnswer(response, { about: ask.about, now: sender.now() }));
  // A read that GitHub did not hear out.
  if (failure.kind === 'refused' && failure.isOfTime && ask.cost === 'read')
    return { kind: 'failed', failure: { kind: 'unknown', why: failure.why } };
  return { kind: 'failed', failure };
}

async function contentOf(
  sender: Sender,
  { url, timeoutMs, reach }: Pick<GithubClientOptions, 'url' | 'timeoutMs'> & Pick<DownloadOptions, 'reach'>,
  ask: Pick<Ask, 'path' | 'about'>,
): Promise<ContentReply> {
  const authorization = await authorize(sender, { ...ask, method: 'GET', cost: 'read' });
  if (typeof authorization !== 'string') return { kind: 'failed', failure: clean(sender, authorization) };
  const headers = { authorization, accept: 'application/octet-stream', 'user-agent': 'bugferry' };
  try {
    const found = await download({ url: withoutSlash(url) + ask.path, headers, timeoutMs, reach });
    if (found.kind === 'content') return found;
    return {
      kind: 'failed',
      failure: clean(sender, classifyAnswer(found.answer, { about: ask.about, now: sender.now() })),
    };
  } catch (error) {
    return { kind: 'failed', failure: clean(sender, classifyNoAnswer(error, ask.about)) };
  }
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
  if (failure.kind === 'gone') {
    const { kind, address } = failure.gone;
    return {
      kind: 'gone',
      gone: { kind, why, ...(address === undefined ? {} : { address: cleaned(address, whyLengthMax) }) },
    };
  }
  if (failure.kind !== 'refused' || failure.faults === undefined) return { ...failure, why };
  return { ...failure, why, faults: failure.faults.map((fault) => cleaned(fault, faultLengthMax)) };
}

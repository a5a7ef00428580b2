/** Builds a rehearsal at GitHub from the configuration. */

import type { Config } from '../config/config.ts';
import { githubFiles } from '../github/attachments/linked-files.ts';
import { createGithubClient, type GithubClient, type Reply } from '../github/connection/client.ts';
import { type Failure, whyOf } from '../github/connection/failure.ts';
import { askGraphql, type GraphqlReply } from '../github/connection/graphql.ts';
import { uploadRoot } from '../github/connection/upload-host.ts';
import { refusedParts } from '../github/writing/refused-part.ts';
import { githubHint } from '../http/hooks.ts';
import { durationOf } from '../model/duration.ts';
import type { Fetch } from '../model/runtime.ts';
import type { Answer, RehearsalPort, Taken, TokenKind } from '../rehearse/port.ts';
import type { Exchange } from '../rehearse/recording.ts';
import { openRehearsal, type Rehearsal, type RehearsalOptions } from '../rehearse/rehearsal.ts';
import { families } from '../rehearse/table.ts';
import { systemClock } from '../runtime/clock.ts';
import { addressesOf, steadyFetch } from '../runtime/fetch.ts';
import { httpFetch } from '../runtime/http-fetch.ts';
import { githubLane } from '../runtime/rate-limit.ts';
import { allowancesOf } from './view.ts';

export { UnsuitableRepository } from '../rehearse/home.ts';
export { begunProgress } from '../rehearse/progress.ts';
export { type Exchange, recordingOf } from '../rehearse/recording.ts';
export type { RehearsalEvent } from '../rehearse/rehearsal.ts';

export type RehearseOptions = Pick<RehearsalOptions, 'owner' | 'repo' | 'second' | 'progress' | 'save' | 'tell'> & {
  readonly signal: AbortSignal;
  readonly record: (exchange: Exchange) => void;
};

/**
 * What a whole rehearsal took against the sandbox; a test measures it again. `waits` are for a write to be seen
 * everywhere.
 */
export const usualWork = { reads: 255, writes: 376, creations: 114, waits: 64 };

/** The least time for that, at the rate of creations that a new configuration begins with. */
export function usualMs({ limits }: Pick<Config, 'limits'>): number {
  const { waits, ...requests } = usualWork;
  const creations = allowancesOf({ limits }).github.map(({ pointsMax, windowMs }) => ({
    left: pointsMax,
    max: pointsMax,
    windowMs,
  }));
  const pace = { ...limits.github, trackerRequestsPerSecond: limits.tracker.requestsPerSecond, creations };
  return durationOf({ ...requests, trackerRequests: 0 }, pace).ms + waits * limits.settleSeconds * 1000;
}

/** How many cases there are. */
export const caseCount = families.reduce((count, { cases }) => count + cases.length, 0);

/** Epoch milliseconds. */
export const now = systemClock(new AbortController().signal).now;

/** Looks at the repository and writes nothing. Throws `UnsuitableRepository`, and `SideError` if it cannot be read. */
export function openRehearsalAt(config: Config, { signal, record, ...options }: RehearseOptions): Promise<Rehearsal> {
  const clock = systemClock(signal);
  const send: Fetch = (address, init) => {
    signal.throwIfAborted();
    return steadyFetch(httpFetch)(address, init);
  };
  const port = rehearsalPort(config, { now: clock.now, sleep: clock.sleep, fetch: send, record, resolve: addressesOf });
  const { github: allowances } = allowancesOf(config);
  return openRehearsal({
    ...options,
    signal,
    port,
    families,
    allowances,
    settleMs: config.limits.settleSeconds * 1000,
  });
}

interface PortOptions {
  readonly now: () => number;
  readonly sleep: (delayMs: number) => Promise<void>;
  readonly fetch: Fetch;
  /** Reads a file that somebody linked to. */
  readonly fetchLinked?: typeof fetch;
  readonly record: (exchange: Exchange) => void;
  /** All addresses of a host. */
  readonly resolve: (host: string) => Promise<readonly string[]>;
}

const timeoutMs = 60_000;
const linkedBytesMax = 10_000_000;

/** The bridge's own client, watched: a case also sees status and headers. Requests go one at a time. */
export function rehearsalPort(
  { github: { url, credential }, limits }: Pick<Config, 'github' | 'limits'>,
  options: PortOptions,
): RehearsalPort {
  const { now, sleep, record } = options;
  let last: Exchange['response'] = nothing;
  const watched: Fetch = async (address, init) => {
    last = nothing;
    const answer = await options.fetch(address, init);
    const content = await answer.arrayBuffer();
    const text = new TextDecoder().decode(content);
    last = { status: answer.status, headers: Object.fromEntries(answer.headers), body: parsed(text) };
    const { pathname, search } = new URL(String(address));
    record({
      request: { method: init?.method ?? 'GET', path: pathname + search, body: parsed(textOf(init?.body)) },
      response: last,
    });
    return { status: answer.status, headers: answer.headers, text: async () => text, arrayBuffer: async () => content };
  };
  const login = credential.kind === 'token' ? { token: credential.token } : { app: credential };
  const client = createGithubClient({ url, lane: githubLane(limits.github), timeoutMs, now, fetch: watched, ...login });
  const { resolve, fetchLinked } = options;
  const files = githubFiles({ resolve, timeoutMs, ...(fetchLinked === undefined ? {} : { fetch: fetchLinked }) });
  return {
    async send({ creates, ...request }) {
      if (request.path === '/graphql') return graphqlAnswer(client, request, () => last);
      const cost = request.method === 'GET' ? 'read' : creates === true ? 'create' : 'edit';
      return answerOf(await client.send({ ...request, cost }), last, now());
    },
    async content(path, about) {
      const reply = await client.content({ path, about });
      return reply.kind === 'content' ? reply.bytes : null;
    },
    async linked(url) {
      const found = await files.fetch(url, linkedBytesMax);
      return found.kind === 'applied' ? 'readable' : 'why' in found ? found.why : found.kind;
    },
    hinted(event, payload) {
      const read = githubHint(event, payload);
      return read.kind === 'hint' ? read.hint : read.kind === 'refused' ? read.why : read.kind;
    },
    uploads: uploadRoot(client.root),
    isApp: client.isApp,
    tokenKind: credential.kind === 'token' ? kindOf(credential.token) : 'app',
    now,
    sleep,
  };
}

const nothing: Exchange['response'] = { status: 0, headers: {}, body: null };

const textOf = (body: unknown): string => (typeof body === 'string' ? body : '');

function parsed(text: string): unknown {
  try {
    return text === '' ? null : JSON.parse(text);
  } catch {
    return text;
  }
}

const kindOf = (token: string): TokenKind =>
  token.startsWith('ghp_') ? 'classic' : token.startsWith('github_pat_') ? 'fine-grained' : 'other';

async function graphqlAnswer(
  client: GithubClient,
  { body, about }: { readonly body?: Readonly<Record<string, unknown>>; readonly about: string },
  last: () => Exchange['response'],
): Promise<Answer> {
  const query = String(body?.['query'] ?? '');
  const reply = await askGraphql(client, query, query.startsWith('query') ? 'read' : 'edit', about);
  return { ...answerOf(asReply(reply), last(), client.now()), data: last().body };
}

const asReply = (reply: GraphqlReply): Reply =>
  reply.failure === null
    ? { kind: 'answered', data: null, headers: {}, readAt: 0 }
    : { kind: 'failed', failure: reply.failure };

function answerOf(reply: Reply, { status, headers, body }: Exchange['response'], now: number): Answer {
  const dateAt = Date.parse(headers['date'] ?? '');
  const readAt = Number.isNaN(dateAt) ? now : dateAt;
  const seen = { status, headers, data: body, readAt };
  if (reply.kind !== 'failed')
    return { ...seen, taken: reply.kind, parts: [], faults: [], why: null, backoffUntil: null };
  const { failure } = reply;
  const faults = failure.kind === 'refused' ? (failure.faults ?? []) : [];
  return {
    ...seen,
    taken: takenOf(failure),
    parts: refusedParts(faults),
    faults,
    why: whyOf(failure),
    backoffUntil: backoffOf(failure),
  };
}

function takenOf(failure: Failure): Taken {
  if (failure.kind === 'notYet') return 'not yet';
  if (failure.kind !== 'gone') return failure.kind;
  return failure.gone.kind === 'hidden' ? 'missing' : failure.gone.kind;
}

const backoffOf = (failure: Failure): number | null => ('at' in failure ? (failure.at ?? null) : null);

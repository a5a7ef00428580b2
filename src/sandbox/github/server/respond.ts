/**
 * Handles every request to the HTTP server, in the order of the real one: faults, credentials, limits, effect, ETag,
 * log.
 */

import type { Cost } from '../../../model/runtime.ts';
import { type FaultSource, isHarmless, type Trouble } from '../../server/faults.ts';
import { limitAnswer, outOfTime } from '../routes/graphql.ts';
import { deliver } from '../routes/hooks.ts';
import { signerOf } from '../world/apps.ts';
import { runImports } from '../world/imports.ts';
import type { User } from '../world/records.ts';
import { type GithubState, userWithToken } from '../world/state.ts';
import { keepVersions } from '../world/versions.ts';
import { type Answer, type Ask, type Route, repoOf } from './ask.ts';
import { archived, badJson, barred, limitAs, needsCredentials, Refusal, unknownVersion } from './errors.ts';
import { checkHeardOf } from './lag.ts';
import { allowanceOf, checkCreation, checkRequest, countRequest } from './limits.ts';
import { etagOf, isUnchanged, isUnmodified } from './paging.ts';

export interface HttpServer {
  readonly state: GithubState;
  readonly faults: FaultSource;
  /** Delays a slow answer. */
  readonly sleep: (delayMs: number) => Promise<void>;
}

/** A request before authentication. */
export interface IncomingRequest {
  readonly route: Route;
  readonly request: Request;
  readonly params: Readonly<Record<string, string>>;
}

/** Null means: drop the connection without an answer. */
export async function serveRequest(server: HttpServer, incoming: IncomingRequest): Promise<Response | null> {
  const sent = new Uint8Array(await incoming.request.arrayBuffer());
  const fault = server.faults('github', costOf(incoming.route));
  const response = isHarmless(fault)
    ? respond(server.state, incoming, { sent, halfDone: fault.kind === 'half-done' ? fault.why : null })
    : disturbed(server.state, incoming, sent, fault);
  log(server.state, incoming, response?.status ?? 0);
  // Only the answer is late: a client that dies meanwhile never sees the effect.
  if (fault.kind === 'slow') await server.sleep(fault.delayMs);
  return response;
}

function costOf(route: Route): Cost {
  if (route.method === 'GET') return 'read';
  return route.creates === undefined ? 'edit' : 'create';
}

function disturbed(state: GithubState, incoming: IncomingRequest, sent: Uint8Array, fault: Trouble): Response | null {
  if (fault.kind === 'limited') return refused(state, incoming, null, limitAs(fault));
  if (fault.after) respond(state, incoming, { sent, halfDone: null });
  if (fault.kind === 'error-body' && isGraphql(incoming))
    return inJson(state, null, { data: null, errors: [{ message: outOfTime }] });
  if (fault.kind !== 'status') return null;
  const headers = {
    date: new Date(state.now()).toUTCString(),
    'content-type': fault.isHtml ? 'text/html' : 'application/json; charset=utf-8',
    ...(fault.retryAfterSeconds === undefined ? {} : { 'retry-after': String(fault.retryAfterSeconds) }),
  };
  const page = `<html><head><title>${fault.status}</title></head><body><h1>${fault.status}</h1><p>nginx</p></body></html>`;
  return new Response(fault.isHtml ? page : JSON.stringify({ message: 'Server Error' }), {
    status: fault.status,
    headers,
  });
}

/** The body of a request, and how much of the request to do. */
interface Load extends Pick<Ask, 'halfDone'> {
  readonly sent: Uint8Array;
}

function respond(state: GithubState, incoming: IncomingRequest, load: Load): Response {
  runImports(state);
  // What people did since the last request.
  keepVersions(state);
  try {
    return answerOf(state, incoming, load);
  } finally {
    keepVersions(state);
  }
}

function answerOf(state: GithubState, incoming: IncomingRequest, load: Load): Response {
  const token = tokenOf(incoming.request);
  const version = versionOf(incoming.request);
  let caller: User | null = null;
  try {
    if (!state.limits.apiVersions.includes(version)) throw unknownVersion(version);
    if (token === null) throw needsCredentials();
    caller = incoming.route.isForApps === true ? signerOf(state, token) : userWithToken(state, token);
    if (incoming.route.path !== '/rate_limit') checkRequest(state, caller);
    if (state.limits.bar !== null && incoming.params['repo'] !== undefined) throw barred(state.limits.bar);
    const answer = perform(state, caller, incoming, load);
    const body = answer.status === 204 ? null : inVersion(version, answer.body);
    const etag = etagOf(token, incoming.request.url, body ?? '');
    const isRead = incoming.route.method === 'GET';
    const { headers: sent } = incoming.request;
    const isSame = sent.has('if-none-match')
      ? isUnchanged(sent.get('if-none-match'), etag)
      : isUnmodified(sent.get('if-modified-since'), answer.headers?.['last-modified']);
    if (isRead && isSame) {
      return new Response(null, { status: 304, headers: { ...usualHeaders(state, caller, version), etag } });
    }
    if (incoming.route.path !== '/rate_limit') countRequest(state, caller);
    const headers = { ...usualHeaders(state, caller, version), ...answer.headers, ...(isRead ? { etag } : {}) };
    return new Response(body, { status: answer.status, headers });
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    if (caller !== null && !error.isLimit) countRequest(state, caller);
    return refused(state, incoming, caller, error);
  }
}

function perform(
  state: GithubState,
  caller: User,
  { route, request, params }: IncomingRequest,
  { sent, halfDone }: Load,
): Answer {
  const content =
    route.takesBytes === true
      ? { body: {}, bytes: sent }
      : { body: parsed(new TextDecoder().decode(sent)), bytes: new Uint8Array() };
  const [type, accept] = [request.headers.get('content-type') ?? '', request.headers.get('accept') ?? ''];
  const { searchParams: query, pathname: path } = new URL(request.url);
  const ask = { state, caller, params, path, query, type, accept, halfDone, ...content };
  if (route.method !== 'GET' && params['repo'] !== undefined && repoOf(ask).isArchived) throw archived();
  if (route.method !== 'GET' && params['number'] !== undefined)
    checkHeardOf(state, repoOf(ask).issues.get(Number(params['number'])));
  if (route.creates !== undefined) checkCreation(state, caller);
  const answer = route.answer(ask);
  if (route.creates !== undefined) state.creations.push({ at: state.now(), login: caller.login, kind: route.creates });
  deliver(ask, route, answer);
  return answer;
}

/** What a request without a version gets, and the version that leaves some fields out. */
const versions = { oldest: '2022-11-28', newest: '2026-03-10' };

const versionOf = (request: Request): string => request.headers.get('x-github-api-version') ?? versions.oldest;

/** Where the newest version differs in what we show. Source: GitHub's OpenAPI description, `x-github-breaking-changes`. */
function inVersion(version: string, body: unknown): string {
  if (version !== versions.newest) return JSON.stringify(body);
  return JSON.stringify(body, (_key, value: unknown) => {
    if (typeof value !== 'object' || value === null) return value;
    if ('assignees' in value && 'assignee' in value) return { ...value, assignee: undefined };
    return 'resources' in value && 'rate' in value ? { ...value, rate: undefined } : value;
  });
}

const isGraphql = ({ route }: IncomingRequest): boolean => route.path === '/graphql';

function refused(state: GithubState, incoming: IncomingRequest, caller: User | null, refusal: Refusal): Response {
  if (refusal.isLimit && isGraphql(incoming) && state.limits.graphqlLimits !== 'as-rest')
    return inJson(state, caller, limitAnswer(state.limits, refusal), refusal.headers);
  return new Response(JSON.stringify(refusal.body), {
    status: refusal.status,
    headers: { ...usualHeaders(state, caller), ...refusal.headers },
  });
}

function inJson(
  state: GithubState,
  caller: User | null,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): Response {
  return new Response(JSON.stringify(body), { status: 200, headers: { ...usualHeaders(state, caller), ...headers } });
}

function parsed(text: string): unknown {
  if (text === '') return {};
  try {
    return JSON.parse(text);
  } catch {
    throw badJson();
  }
}

function usualHeaders(state: GithubState, caller: User | null, version = versions.oldest): Record<string, string> {
  const headers = {
    date: new Date(state.now()).toUTCString(),
    'content-type': 'application/json; charset=utf-8',
    'x-github-api-version-selected': version,
    'x-github-request-id': `C0DE:5A17:${state.requests.length.toString(16).toUpperCase()}`,
  };
  if (caller === null) return headers;
  const { limit, used, remaining, resetAt } = allowanceOf(state, caller);
  return {
    ...headers,
    ...state.limits.retirement,
    ...tokenHeaders(caller),
    'x-ratelimit-limit': String(limit),
    'x-ratelimit-remaining': String(remaining),
    'x-ratelimit-used': String(used),
    'x-ratelimit-reset': String(resetAt / 1000),
    'x-ratelimit-resource': 'core',
  };
}

function tokenHeaders({ tokenScopes, tokenEndsAt }: User): Record<string, string> {
  const ends = tokenEndsAt === null ? null : new Date(tokenEndsAt).toISOString().slice(0, 19).replace('T', ' ');
  return {
    ...(tokenScopes === null ? {} : { 'x-oauth-scopes': tokenScopes.join(', ') }),
    ...(ends === null ? {} : { 'github-authentication-token-expiration': `${ends} UTC` }),
  };
}

function tokenOf(request: Request): string | null {
  return /^(?:bearer|token) (.+)$/i.exec(request.headers.get('authorization') ?? '')?.[1] ?? null;
}

function log(state: GithubState, { request, route }: IncomingRequest, status: number): void {
  const { pathname, search } = new URL(request.url);
  const token = tokenOf(request);
  const login = [...state.users.values()].find((user) => user.token !== null && user.token === token)?.login ?? null;
  state.requests.push({
    at: state.now(),
    login,
    method: route.method,
    path: decodeURIComponent(pathname),
    query: search,
    status,
  });
}

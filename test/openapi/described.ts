/**
 * The sandbox GitHub, held to GitHub's own descriptions: every request that a test sends there, and every answer. What is
 * wrong is kept until the file ends, because a program that is refused in the middle may hide it.
 */

import { hash } from 'node:crypto';
import type { Http2Bindings, HttpBindings } from '@hono/node-server';
import { type GithubServerOptions, githubServer } from '../../src/sandbox/github/server/server.ts';
import type { GithubWorld } from '../../src/sandbox/github/world/world.ts';
import { listen } from '../../src/sandbox/server/listen.ts';
import { validateRequest, validateResponse } from './openapi.ts';
import { undescribed } from './undescribed.ts';

/** Undocumented, or no part of the API. */
const isOutside = (path: string): boolean =>
  /\/import\/issues/u.test(path) ||
  !/^\/(?:repos|repositories|orgs|app|user|rate_limit|versions|graphql|uploads)(?:\/|$)/u.test(path);

/** Numbers apart, the same exchange was checked before. */
const seen = new Set<string>();

function isNew(exchange: readonly string[]): boolean {
  const key = hash('sha1', exchange.join('\n').replace(/\d/gu, '0'));
  if (seen.has(key)) return false;
  seen.add(key);
  return true;
}

export interface DescribedServer {
  fetch(request: Request, bindings?: Partial<HttpBindings | Http2Bindings>): Promise<Response>;
  request(place: string | Request, init?: RequestInit): Promise<Response>;
}

export function describedServer(world: GithubWorld, options: GithubServerOptions = {}): DescribedServer {
  const app = githubServer(world, options);
  const fetch: DescribedServer['fetch'] = async (request, bindings) => {
    const { pathname, search, searchParams } = new URL(request.url);
    if (isOutside(pathname)) return app.fetch(request, bindings as Partial<HttpBindings>);
    const isUpload = pathname.startsWith('/uploads/');
    const text = isUpload ? '' : await request.clone().text();
    const response = await app.fetch(request, bindings as Partial<HttpBindings>);
    const path = isUpload ? pathname.slice('/uploads'.length) : pathname;
    const sent = { method: request.method, path, searchParams, text };
    const got = await shownIn(response);
    if (!isNew([sent.method, path, search, text, `${got.status} ${got.version}`, got.text ?? ''])) return response;
    const { asked, answered } = await problemsIn(sent, got);
    for (const problem of [...asked, ...answered]) undescribed.add(problem);
    return response;
  };
  return {
    fetch,
    request: (place, init) =>
      fetch(typeof place === 'string' ? new Request(new URL(place, 'http://localhost'), init) : place),
  };
}

/** As `serveGithub`. */
export async function serveDescribed(
  world: GithubWorld,
  { port, ...options }: GithubServerOptions & { readonly port: number },
): Promise<{ readonly url: string; close(): Promise<void> }> {
  const { port: taken, close } = await listen(describedServer(world, options).fetch, port);
  world.state.url = `http://127.0.0.1:${taken}`;
  return { url: world.state.url, close };
}

function parsed(text: string): unknown {
  try {
    return text === '' ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}

interface Sent {
  readonly method: string;
  readonly path: string;
  readonly searchParams: URLSearchParams;
  readonly text: string;
}

interface Shown {
  readonly status: number;
  readonly version: string | undefined;
  /** Null for what is no JSON. */
  readonly text: string | null;
}

export async function shownIn(response: Response): Promise<Shown> {
  const isJson = response.headers.get('content-type')?.startsWith('application/json') === true;
  const version = response.headers.get('x-github-api-version-selected') ?? undefined;
  const hasText = isJson || response.status === 204;
  return { status: response.status, version, text: hasText ? await response.clone().text() : null };
}

interface Problems {
  readonly asked: readonly string[];
  readonly answered: readonly string[];
}

/** What GitHub does not describe in a request and in its answer. */
export async function problemsIn(sent: Sent, got: Shown): Promise<Problems> {
  if (sent.path === '/graphql') return graphqlProblems(sent.text, got);
  const { method, path, searchParams, text } = sent;
  const isUpload = /\/releases\/\d+\/assets$/u.test(path) && method === 'POST';
  return {
    asked: isUpload ? [] : validateRequest(method, path, searchParams, parsed(text)),
    answered:
      got.text === null || got.status >= 500
        ? []
        : validateResponse(method, path, got.status, parsed(got.text), got.version),
  };
}

async function graphqlProblems(text: string, got: Shown): Promise<Problems> {
  const query = (parsed(text) as { readonly query?: unknown } | undefined)?.query;
  if (typeof query !== 'string') return { asked: ['a request to GraphQL has no query'], answered: [] };
  const { validateGraphql, validateGraphqlAnswer } = await import('./graphql.ts');
  const asked = validateGraphql(query);
  const answer = got.status === 200 && asked.length === 0 ? parsed(got.text ?? '') : undefined;
  // A limit may come in the form of REST.
  const isGraphql = typeof answer === 'object' && answer !== null && !('message' in answer);
  return { asked, answered: isGraphql ? await validateGraphqlAnswer(query, answer) : [] };
}

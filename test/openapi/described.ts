/**
 * The sandbox GitHub, held to GitHub's own descriptions: every request that a test sends there, and every answer. What is
 * wrong is kept until the file ends, because a program that is refused in the middle may hide it.
 */

import type { Http2Bindings, HttpBindings } from '@hono/node-server';
import { type GithubServerOptions, githubServer } from '../../src/sandbox/github/server/server.ts';
import type { GithubWorld } from '../../src/sandbox/github/world/world.ts';
import { listen } from '../../src/sandbox/server/listen.ts';
import { validateGraphql, validateGraphqlAnswer } from './graphql.ts';
import { validateRequest, validateResponse } from './openapi.ts';
import { undescribed } from './undescribed.ts';

/** Undocumented, or no part of the API. */
const isOutside = (path: string): boolean =>
  /\/import\/issues/u.test(path) ||
  !/^\/(?:repos|repositories|orgs|app|user|rate_limit|versions|graphql|uploads)(?:\/|$)/u.test(path);

/** A request like these was checked so often that another one tells nothing new; later ones are looked at now and then. */
const oftenMin = 5;
const nowAndThen = 50;
const seen = new Map<string, number>();

function isWorthIt(kind: string): boolean {
  const count = (seen.get(kind) ?? 0) + 1;
  seen.set(kind, count);
  return count <= oftenMin || count % nowAndThen === 0;
}

export interface DescribedServer {
  fetch(request: Request, bindings?: Partial<HttpBindings | Http2Bindings>): Promise<Response>;
  request(place: string | Request, init?: RequestInit): Promise<Response>;
}

export function describedServer(world: GithubWorld, options: GithubServerOptions = {}): DescribedServer {
  const app = githubServer(world, options);
  const fetch: DescribedServer['fetch'] = async (request, bindings) => {
    const { pathname, searchParams } = new URL(request.url);
    const path = pathname.replace(/^\/uploads(?=\/)/u, '');
    if (isOutside(pathname)) return app.fetch(request, bindings as Partial<HttpBindings>);
    const text = path === pathname ? await request.clone().text() : '';
    const response = await app.fetch(request, bindings as Partial<HttpBindings>);
    const kind = [
      request.method,
      path.replace(/\d+/gu, '0').slice(0, 80),
      [...searchParams.keys()],
      response.status,
    ].join(' ');
    if (!isWorthIt(`${kind} ${keysOf(text)}`)) return response;
    const problems =
      path === '/graphql'
        ? await graphqlProblems(text, response)
        : await restProblems({ method: request.method, path, searchParams, text }, response);
    for (const problem of problems) undescribed.add(problem);
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

const keysOf = (text: string): string => (text.match(/"\w+":|\b[a-z]\w*\(|\{ \w+/giu) ?? []).slice(0, 40).join('');

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

async function restProblems(
  { method, path, searchParams, text }: Sent,
  response: Response,
): Promise<readonly string[]> {
  const version = response.headers.get('x-github-api-version-selected') ?? undefined;
  const isJson = response.headers.get('content-type')?.startsWith('application/json') === true;
  const body = isJson ? parsed(await response.clone().text()) : undefined;
  const isUpload = /\/releases\/\d+\/assets$/u.test(path) && method === 'POST';
  return [
    ...(isUpload ? [] : validateRequest(method, path, searchParams, parsed(text))),
    ...(isJson && response.status < 500 ? validateResponse(method, path, response.status, body ?? null, version) : []),
  ];
}

async function graphqlProblems(text: string, response: Response): Promise<readonly string[]> {
  const query = (parsed(text) as { readonly query?: unknown } | undefined)?.query;
  if (typeof query !== 'string') return ['a request to GraphQL has no query'];
  const wrong = validateGraphql(query);
  const answer = response.status === 200 && wrong.length === 0 ? parsed(await response.clone().text()) : undefined;
  // A limit may come in the form of REST.
  const isRest = typeof answer === 'object' && answer !== null && 'message' in answer;
  return [...wrong, ...(answer === undefined || isRest ? [] : validateGraphqlAnswer(query, answer))];
}

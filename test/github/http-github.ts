import { type HttpBindings, serve } from '@hono/node-server';
import { createGithubClient } from '../../src/github/connection/client.ts';
import { githubReplica } from '../../src/github/replica.ts';
import type { GithubReplica } from '../../src/model/replica.ts';
import { githubServer } from '../../src/sandbox/github/server/server.ts';
import type { GithubWorld } from '../../src/sandbox/github/world/world.ts';
import { type FaultSource, noFaults } from '../../src/sandbox/server/faults.ts';
import { type OpenLane, openLane } from './open-lane.ts';

/** The adapter in front of the sandbox GitHub, with HTTP between them, and what passed there. */
export interface HttpGithub {
  readonly replica: GithubReplica;
  readonly lane: OpenLane;
  /** `METHOD path?query status` of each request since the last call. */
  newRequests(): readonly string[];
  /** Bodies of all POST and PATCH requests. */
  readonly bodies: readonly unknown[];
  /** Called before each request is served, to let the world change in between. */
  before: (method: string, address: string) => void;
  close(): Promise<void>;
}

export interface HttpGithubOptions {
  readonly world: GithubWorld;
  readonly now: () => number;
  readonly login: string;
  readonly pageSize?: number;
  readonly faults?: FaultSource;
  /** GitHub fails on a read whose answer has this text. */
  readonly poison?: string;
  /** How far the clock of the `Date` header runs ahead of the one that stamps. */
  readonly dateAheadMs?: number;
  /** The adapter itself; with a fault planted into it, for tests that must see that found out. */
  readonly adapter?: typeof githubReplica;
  /** The same for what sends its requests. */
  readonly connect?: typeof createGithubClient;
}

export async function httpGithub(options: HttpGithubOptions): Promise<HttpGithub> {
  const {
    world,
    now,
    login,
    pageSize = 100,
    faults = noFaults,
    poison,
    dateAheadMs = 0,
    adapter = githubReplica,
    connect = createGithubClient,
  } = options;
  const lane = openLane();
  const bodies: unknown[] = [];
  const hook = { before: (_method: string, _address: string): void => {} };
  const app = githubServer(world, { faults });
  const watched = async (request: Request, bindings: HttpBindings): Promise<Response> => {
    const { pathname, search } = new URL(request.url);
    const text = await request.clone().text();
    const body: unknown = text === '' ? undefined : JSON.parse(text);
    if (body !== undefined) bodies.push(body);
    hook.before(request.method, `${pathname}${search}`);
    const answer = await app.fetch(request, bindings);
    const isFailing =
      poison !== undefined && request.method === 'GET' && (await answer.clone().text()).includes(poison);
    const response = isFailing ? new Response('{"message":"Server Error"}', { status: 500 }) : answer;
    response.headers.set('date', new Date(now() + dateAheadMs).toUTCString());
    return response;
  };
  const server = await new Promise<ReturnType<typeof serve>>((resolve) => {
    const listening = serve(
      { fetch: watched as Parameters<typeof serve>[0]['fetch'], hostname: '127.0.0.1', port: 0 },
      ({ port }) => {
        world.state.url = `http://127.0.0.1:${port}`;
        resolve(listening);
      },
    );
  });
  const client = connect({ url: world.state.url, token: `token-of-${login}`, lane, timeoutMs: 5_000, now });
  let counted = 0;
  return Object.assign(hook, {
    replica: adapter({ client, owner: 'acme', repo: 'widget', pageSize, dependencies: true }),
    lane,
    bodies,
    newRequests() {
      const fresh = world.requests
        .slice(counted)
        .map((line) => `${line.method} ${line.path}${line.query} ${line.status}`);
      counted = world.requests.length;
      return fresh;
    },
    async close() {
      await new Promise<void>((resolve) => {
        server.close(() => resolve());
        if ('closeAllConnections' in server) server.closeAllConnections();
      });
    },
  });
}

import { type HttpBindings, serve } from '@hono/node-server';
import { createGithubClient } from '../../src/github/client.ts';
import { githubReplica } from '../../src/github/replica.ts';
import type { GithubReplica } from '../../src/model/replica.ts';
import type { FaultSource } from '../../src/sandbox/faults.ts';
import { githubServer } from '../../src/sandbox/github/server.ts';
import { createGithubWorld, type GithubWorld } from '../../src/sandbox/github/world.ts';
import { validateRequest } from '../support/openapi.ts';
import { type OpenLane, openLane } from './open-lane.ts';

/** The sandbox GitHub behind HTTP, the adapter in front of it, and what passed between them. */
export interface HttpGithub {
  readonly world: GithubWorld;
  readonly replica: GithubReplica;
  readonly lane: OpenLane;
  readonly clock: { at: number };
  /** `METHOD path?query status` of each request since the last call. */
  newRequests(): readonly string[];
  /** Bodies of all POST and PATCH requests. */
  readonly bodies: unknown[];
  /** Requests that GitHub does not describe so; none, if the adapter is right. */
  readonly problems: string[];
  /** Called before each request is served, to let the world change in between. */
  before: (method: string, url: string) => void;
  faults: FaultSource;
  close(): Promise<void>;
}

export interface HttpGithubOptions {
  readonly pageSize?: number;
  readonly listLagMs?: number;
  /** Whose token the adapter uses. */
  readonly login?: string;
}

export const repo = 'acme/widget';
export const startAt = Date.UTC(2026, 0, 10, 12, 0, 0);

export async function httpGithub({ pageSize = 100, listLagMs = 0, login = 'bot' }: HttpGithubOptions = {}): Promise<HttpGithub> {
  const clock = { at: startAt };
  const world = createGithubWorld({ now: () => clock.at, url: 'http://127.0.0.1', listLagMs });
  world.addUser('bot');
  world.addUser('mona');
  world.addRepo(repo, { permissions: { bot: 'write', mona: 'write' } });
  const lane = openLane();
  const problems: string[] = [];
  const bodies: unknown[] = [];
  const shared = { before: (_method: string, _url: string): void => {}, faults: (() => ({ kind: 'none' })) as FaultSource };
  const app = githubServer(world, { faults: (side, cost) => shared.faults(side, cost) });
  const watched = async (request: Request, bindings: HttpBindings): Promise<Response> => {
    const url = new URL(request.url);
    const text = await request.clone().text();
    const body: unknown = text === '' ? undefined : JSON.parse(text);
    if (body !== undefined) bodies.push(body);
    problems.push(...validateRequest(request.method, url.pathname, url.searchParams, body));
    shared.before(request.method, `${url.pathname}${url.search}`);
    return app.fetch(request, bindings);
  };
  const server = await new Promise<ReturnType<typeof serve>>((resolve) => {
    const listening = serve({ fetch: watched as Parameters<typeof serve>[0]['fetch'], hostname: '127.0.0.1', port: 0 }, (address) => {
      world.state.url = `http://127.0.0.1:${address.port}`;
      resolve(listening);
    });
  });
  const client = createGithubClient({ url: world.state.url, token: `token-of-${login}`, lane, timeoutMs: 5_000, now: () => clock.at });
  let counted = 0;
  return Object.assign(shared, {
    world,
    replica: githubReplica({ client, owner: 'acme', repo: 'widget', pageSize }),
    lane,
    clock,
    bodies,
    problems,
    newRequests() {
      const fresh = world.requests.slice(counted).map((line) => `${line.method} ${line.path}${line.query} ${line.status}`);
      counted = world.requests.length;
      return fresh;
    },
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        if ('closeAllConnections' in server) server.closeAllConnections();
      }),
  });
}

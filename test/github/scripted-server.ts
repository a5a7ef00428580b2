import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createGithubClient } from '../../src/github/connection/client.ts';
import { githubReplica } from '../../src/github/replica.ts';
import type { GithubReplica } from '../../src/model/replica.ts';
import { openLane } from './open-lane.ts';

/** One request as it came over the wire. */
export interface Arrival {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

export type Script = (arrival: Arrival, response: ServerResponse) => void;

export interface ScriptedServer {
  readonly url: string;
  readonly arrivals: Arrival[];
  script: Script;
  close(): Promise<void>;
}

/** A server on the loopback interface that answers as its script says, for answers that a sandbox does not give. */
export async function scriptedServer(script: Script): Promise<ScriptedServer> {
  const arrivals: Arrival[] = [];
  const scripted = { script };
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    const arrival = { method: request.method ?? '', url: request.url ?? '', headers: request.headers, body };
    arrivals.push(arrival);
    scripted.script(arrival, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return Object.assign(scripted, {
    url: `http://127.0.0.1:${port}`,
    arrivals,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  });
}

/** A script that gives the same JSON answer every time. */
export function answering(status: number, body: unknown, headers: Readonly<Record<string, string>> = {}): Script {
  return (_arrival, response) => {
    response.writeHead(status, { 'content-type': 'application/json; charset=utf-8', ...headers });
    response.end(JSON.stringify(body));
  };
}

/** Answers by `METHOD path`, with or without a query; what is not named is 404. */
export type Answers = Record<string, Script>;

/** The edge of acme/widget in front of a server that answers so, on 10 January 2026 at noon. */
export async function scriptedReplica(
  answers: () => Answers,
): Promise<{ readonly server: ScriptedServer; readonly replica: GithubReplica }> {
  const missing = answering(404, { message: 'Not Found' });
  const server = await scriptedServer((arrival, response) => {
    const [path] = arrival.url.split('?');
    const named = answers()[`${arrival.method} ${arrival.url}`] ?? answers()[`${arrival.method} ${path}`];
    (named ?? missing)(arrival, response);
  });
  const client = createGithubClient({
    url: server.url,
    token: 'secret-token',
    lane: openLane(),
    timeoutMs: 2_000,
    now: () => Date.UTC(2026, 0, 10, 12),
  });
  return { server, replica: githubReplica({ client, owner: 'acme', repo: 'widget' }) };
}

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

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

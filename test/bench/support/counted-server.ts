import type { Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { createAdaptorServer, type HttpBindings } from '@hono/node-server';

/** What went over the wire: bytes of both directions, with all heads. */
export interface Traffic {
  readonly requests: number;
  readonly bytes: number;
}

/** One request, and how it was answered. */
export interface Line {
  /** `QUERY` for a query in GraphQL, which is sent as a POST. */
  readonly method: string;
  /** With its query. */
  readonly path: string;
  readonly status: number;
}

export interface CountedServer {
  readonly url: string;
  /** All traffic so far. */
  traffic(): Traffic;
  /** All requests so far that were answered, in that order. */
  readonly lines: readonly Line[];
  close(): Promise<void>;
}

/** A server on the loopback interface, which counts where nobody who asks can miscount. */
export async function serveCounted(
  fetch: (request: Request, env: HttpBindings) => Response | Promise<Response>,
): Promise<CountedServer> {
  const queries = new WeakSet<object>();
  const watched = async (request: Request, env: HttpBindings): Promise<Response> => {
    if (await isQuery(request)) queries.add(env.incoming);
    return fetch(request, env);
  };
  const server = createAdaptorServer({
    fetch: watched as Parameters<typeof createAdaptorServer>[0]['fetch'],
  }) as Server;
  // A benchmark may compute for long between two readings, and its connection should then still be there.
  server.keepAliveTimeout = 0;
  const sockets: Socket[] = [];
  const lines: Line[] = [];
  let requests = 0;
  server.on('connection', (socket) => sockets.push(socket));
  server.on('request', (request, answer) => {
    const { method = '', url: path = '' } = request;
    requests += 1;
    answer.on('finish', () =>
      lines.push({ method: queries.has(request) ? 'QUERY' : method, path, status: answer.statusCode }),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    traffic: () => ({
      requests,
      bytes: sockets.reduce((bytes, { bytesRead, bytesWritten }) => bytes + bytesRead + bytesWritten, 0),
    }),
    lines,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

export const trafficBetween = (before: Traffic, after: Traffic): Traffic => ({
  requests: after.requests - before.requests,
  bytes: after.bytes - before.bytes,
});

export const isQuery = async (request: Request): Promise<boolean> =>
  new URL(request.url).pathname === '/graphql' && (await request.clone().text()).startsWith('{"query":"query');

import type { Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { createAdaptorServer } from '@hono/node-server';

/** What went over the wire: bytes of both directions, with all heads. */
export interface Traffic {
  readonly requests: number;
  readonly bytes: number;
}

/** One request, and how it was answered. */
export interface Line {
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
export async function serveCounted(fetch: (request: Request, env: object) => Response | Promise<Response>): Promise<CountedServer> {
  const server = createAdaptorServer({ fetch }) as Server;
  // A benchmark may compute for long between two readings, and its connection should then still be there.
  server.keepAliveTimeout = 0;
  const sockets: Socket[] = [];
  const lines: Line[] = [];
  let requests = 0;
  server.on('connection', (socket) => sockets.push(socket));
  server.on('request', ({ method = '', url: path = '' }, answer) => {
    requests += 1;
    answer.on('finish', () => lines.push({ method, path, status: answer.statusCode }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    traffic: () => ({ requests, bytes: sockets.reduce((bytes, { bytesRead, bytesWritten }) => bytes + bytesRead + bytesWritten, 0) }),
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

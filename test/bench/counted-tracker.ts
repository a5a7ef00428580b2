import type { Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { createAdaptorServer } from '@hono/node-server';
import { trackerServer } from '../../src/sandbox/tracker/server.ts';
import type { TrackerWorld } from '../../src/sandbox/tracker/world.ts';

/** What went over the wire: bytes of both directions, with all heads. */
export interface Traffic {
  readonly requests: number;
  readonly bytes: number;
}

export interface CountedTracker {
  readonly url: string;
  /** All traffic so far. */
  traffic(): Traffic;
  close(): Promise<void>;
}

/** The embedded tracker behind a real HTTP server on the loopback interface, which counts where nobody who reads can miscount. */
export async function serveCounted(world: TrackerWorld): Promise<CountedTracker> {
  const server = createAdaptorServer({ fetch: trackerServer(world).fetch }) as Server;
  // A benchmark may compute for long between two readings, and its connection should then still be there.
  server.keepAliveTimeout = 0;
  const sockets: Socket[] = [];
  let requests = 0;
  server.on('connection', (socket) => sockets.push(socket));
  server.on('request', () => {
    requests += 1;
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    traffic: () => ({ requests, bytes: sockets.reduce((bytes, { bytesRead, bytesWritten }) => bytes + bytesRead + bytesWritten, 0) }),
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

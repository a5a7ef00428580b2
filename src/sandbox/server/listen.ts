import { type ServerType, serve } from '@hono/node-server';

export interface Listening {
  readonly port: number;
  /** Ends every connection, and resolves when the port is free. */
  close(): Promise<void>;
}

/**
 * How long an idle connection stays open. Long enough that a busy client never sends a request into a connection that
 * is just being closed: such a request fails, and a client cannot know whether it was answered.
 */
const idleMs = 75_000;

/** Listens on the loopback interface; port 0 takes a free one. Rejects when the port is taken. */
export function listen(fetch: Parameters<typeof serve>[0]['fetch'], port: number): Promise<Listening> {
  return new Promise((resolve, reject) => {
    const server = serve(
      { fetch, port, hostname: '127.0.0.1', serverOptions: { keepAliveTimeout: idleMs } },
      (address) => resolve({ port: address.port, close: () => closed(server) }),
    );
    server.on('error', reject);
  });
}

/** Closing once more does no harm. */
const closed = (server: ServerType): Promise<void> =>
  new Promise((resolve) => {
    server.close(() => resolve());
    if ('closeAllConnections' in server) server.closeAllConnections();
  });

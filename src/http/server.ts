import { type ServerType, serve } from '@hono/node-server';
import type { Hono } from 'hono';
import { ListenError } from './listen-error.ts';

export interface HttpServer {
  /** Its address, without a trailing slash. */
  readonly url: string;
  close(): Promise<void>;
}

/** Listens until closed. Throws `ListenError` if the address is not available. */
export function openServer(
  app: Hono,
  { host, port }: { readonly host: string; readonly port: number },
): Promise<HttpServer> {
  return new Promise((resolve, reject) => {
    const server: ServerType = serve({ fetch: app.fetch, hostname: host, port }, (address) => {
      const name = host.includes(':') ? `[${host}]` : host;
      resolve({ url: `http://${name}:${address.port}`, close: () => closed(server) });
    });
    // Whoever sends slowly must not take every descriptor of the process.
    server.maxConnections = connectionsMax;
    server.on('error', (cause: Error) => reject(new ListenError(wordsOf(cause, host, port), { cause })));
  });
}

/** Enough for dashboards, scrapes and webhooks; further connections are closed at once. */
const connectionsMax = 500;

function wordsOf(cause: Error, host: string, port: number): string {
  const code = 'code' in cause ? String(cause.code) : cause.message;
  const place = `http.host ${host}, http.port ${port}`;
  if (code === 'EADDRINUSE')
    return `Another program already listens there (${place}). Stop it, or choose another port.`;
  if (code === 'EACCES') return `This user may not listen there (${place}). Choose a port above 1023.`;
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
    return `This machine has no such address (${place}). Use 127.0.0.1, or 0.0.0.0 for all.`;
  return `The HTTP server cannot be started (${place}): ${code}`;
}

/** Closes open event streams instead of waiting for them. */
const closed = (server: ServerType): Promise<void> =>
  new Promise((resolve) => {
    server.close(() => resolve());
    if ('closeAllConnections' in server) server.closeAllConnections();
  });

import { type ServerType, serve } from '@hono/node-server';
import type { Hono } from 'hono';

/** The door cannot be opened, and the operator can do something about it. */
export class ServerStuck extends Error {
  override readonly name = 'ServerStuck';
}

export interface HttpServer {
  /** Where it is, without a slash at the end. */
  readonly url: string;
  close(): Promise<void>;
}

/** Listens until it is closed. Throws `ServerStuck` when the address cannot be had. */
export function openServer(app: Hono, { host, port }: { readonly host: string; readonly port: number }): Promise<HttpServer> {
  return new Promise((resolve, reject) => {
    const server: ServerType = serve({ fetch: app.fetch, hostname: host, port }, (address) => {
      const name = host.includes(':') ? `[${host}]` : host;
      resolve({ url: `http://${name}:${address.port}`, close: () => closed(server) });
    });
    server.on('error', (cause: Error) => reject(new ServerStuck(wordsOf(cause, host, port), { cause })));
  });
}

function wordsOf(cause: Error, host: string, port: number): string {
  const code = 'code' in cause ? String(cause.code) : cause.message;
  const place = `http.host ${host}, http.port ${port}`;
  if (code === 'EADDRINUSE') return `Another program listens there already (${place}). Stop it, or choose another port.`;
  if (code === 'EACCES') return `This user may not listen there (${place}). Choose a port above 1023.`;
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
    return `This machine has no such address (${place}). Use 127.0.0.1, or 0.0.0.0 for all.`;
  return `The door over HTTP cannot be opened (${place}): ${code}`;
}

/** Pages that are still listening for news are cut off; whoever closes the door does not wait for them. */
const closed = (server: ServerType): Promise<void> =>
  new Promise((resolve) => {
    server.close(() => resolve());
    if ('closeAllConnections' in server) server.closeAllConnections();
  });

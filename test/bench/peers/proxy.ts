import { createServer, request as plainRequest } from 'node:http';
import { request as secureRequest } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import type { Traffic } from '../support/counted-server.ts';

export interface CountingProxy {
  /** Where to ask instead of at the tracker. */
  readonly url: string;
  /** What went between readers and this proxy so far. */
  traffic(): Traffic;
  close(): Promise<void>;
}

/**
 * Stands before a tracker on the loopback interface and passes everything on as it is, so that all readers are counted
 * alike.
 */
export async function countingProxy(tracker: string): Promise<CountingProxy> {
  const target = new URL(tracker);
  const request = target.protocol === 'https:' ? secureRequest : plainRequest;
  const sockets: Socket[] = [];
  let requests = 0;
  const server = createServer((incoming, answer) => {
    requests += 1;
    const { method, headers, url = '/' } = incoming;
    const outgoing = request(new URL(url, target), { method, headers: { ...headers, host: target.host } }, (given) => {
      answer.writeHead(given.statusCode ?? 502, given.rawHeaders);
      given.pipe(answer);
    });
    outgoing.on('error', () => answer.destroy());
    incoming.pipe(outgoing);
  });
  server.keepAliveTimeout = 0;
  server.on('connection', (socket) => sockets.push(socket));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}${target.pathname.replace(/\/$/u, '')}`,
    traffic: () => ({
      requests,
      bytes: sockets.reduce((bytes, { bytesRead, bytesWritten }) => bytes + bytesRead + bytesWritten, 0),
    }),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

export interface Echo {
  readonly url: string;
  /** Which requests are answered with themselves, and with which status; null lets all pass. */
  answers: { readonly to: 'all' | 'writes'; readonly status: number } | null;
  /** How many were. */
  count: number;
}

/** A proxy that repeats what it was sent, key and all, instead of passing it on: debugging pages do that. */
export async function openEcho(target: string): Promise<Echo> {
  const server = createServer(async (request, response) => {
    const body = await bodyOf(request);
    const path = request.url ?? '/';
    if (echo.answers !== null && (echo.answers.to === 'all' || request.method !== 'GET')) {
      echo.count += 1;
      const words = `${request.method} ${path} ${JSON.stringify(request.headers)} ${body.toString()}`;
      response.writeHead(echo.answers.status, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ error: true, code: 51, message: words, errors: [{ message: words }] }));
      return;
    }
    const { host: _host, connection: _connection, 'content-length': _length, ...headers } = request.headers;
    const own = Object.entries(headers).map(([name, value]): [string, string] => [name, String(value)]);
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    const answer = await fetch(target + path, {
      method: request.method ?? 'GET',
      headers: own,
      body: isRead ? null : body,
      redirect: 'manual',
    });
    const kept = [...answer.headers].filter(
      ([name]) => !['content-length', 'content-encoding', 'transfer-encoding', 'connection'].includes(name),
    );
    response.writeHead(answer.status, kept.flat());
    response.end(Buffer.from(await answer.arrayBuffer()));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const echo: Echo = { url: `http://127.0.0.1:${port}`, answers: null, count: 0 };
  return echo;
}

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(Buffer.from(part));
  return Buffer.concat(parts);
}

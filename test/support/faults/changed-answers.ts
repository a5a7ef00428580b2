import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

export interface Changed {
  readonly status?: number;
  readonly type?: string;
  readonly text: string;
}

/** Decides what reaches the client instead of this answer; null leaves the answer as it is. */
export type Change = (
  asked: { path: string; method: string; headers: IncomingMessage['headers'] },
  text: string,
) => Changed | null;

/** A server in front of another, which changes its answers. Answers its address. */
export async function changingAnswers(upstream: string, change: Change): Promise<string> {
  const server = createServer(async (request, response) => {
    const { method = 'GET', url: path = '', headers } = request;
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const { host: _host, connection: _connection, 'content-length': _length, ...kept } = headers;
    const answer = await fetch(`${upstream}${path}`, {
      method,
      headers: kept as Record<string, string>,
      body: method === 'GET' ? null : Buffer.concat(chunks),
      redirect: 'manual',
    });
    const text = await answer.text();
    const changed = change({ path, method, headers }, text);
    const {
      'content-encoding': _encoding,
      'content-length': _size,
      'transfer-encoding': _transfer,
      ...shown
    } = Object.fromEntries(answer.headers);
    response.writeHead(changed?.status ?? answer.status, {
      ...shown,
      ...(changed?.type === undefined ? {} : { 'content-type': changed.type }),
    });
    response.end(changed?.text ?? text);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** An answer in JSON with a changed content. */
// biome-ignore lint/suspicious/noExplicitAny: a test changes whatever it likes in the answer.
export function changedJson(text: string, change: (body: any) => void): Changed {
  const body = JSON.parse(text);
  change(body);
  return { text: JSON.stringify(body) };
}

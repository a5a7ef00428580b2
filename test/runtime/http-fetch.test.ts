import { createServer, type RequestListener } from 'node:http';
import { type AddressInfo, createServer as createPlainServer } from 'node:net';
import { gzipSync } from 'node:zlib';
import { expect, test, vi } from 'vitest';
import type { Fetch, Sent } from '../../src/model/runtime.ts';
import { httpFetch } from '../../src/runtime/http-fetch.ts';
import { type Case, testCases } from '../support/faults/scenarios.ts';

const clientOf = async (src: string): Promise<Fetch> =>
  ((await import(`${src}/runtime/http-fetch.ts`)) as typeof import('../../src/runtime/http-fetch.ts')).httpFetch;

/** Asks a server that answers so, and ends it. */
async function asking<T>(answer: RequestListener, ask: (url: string) => Promise<T>): Promise<T> {
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    return await ask(`http://127.0.0.1:${(server.address() as AddressInfo).port}/rest/bug?id=1`);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

/** What a client says of an answer, or of its failure. */
async function toldBy(client: Fetch, url: string, init: Sent = {}): Promise<unknown> {
  try {
    const response = await client(url, { redirect: 'manual', ...init });
    const { date, connection, 'keep-alive': keepAlive, ...headers } = Object.fromEntries(response.headers);
    return { status: response.status, headers, bytes: Buffer.from(await response.arrayBuffer()).toString('latin1') };
  } catch (failure) {
    return failure instanceof TypeError && failure.cause instanceof Error ? 'no complete answer' : failure;
  }
}

const huge = gzipSync(Buffer.alloc(160 * 2 ** 20, ' '));

test.each<[string, RequestListener]>([
  ['a compressed answer', (_request, response) => response.setHeader('content-encoding', 'gzip').end(huge)],
  [
    'an answer without an end',
    (_request, response) => {
      const part = Buffer.alloc(2 ** 20, ' ');
      const send = () => {
        while (!response.destroyed && response.write(part));
        if (!response.destroyed) response.once('drain', send);
      };
      send();
    },
  ],
])('%s above the limit ends with its reason, and not with the memory', async (_name, answer) => {
  const failure = await asking(answer, (url) =>
    httpFetch(url, { redirect: 'manual' }).catch((error: unknown) => error),
  );
  expect(failure).toMatchObject({ cause: { code: 'ERR_BODY_TOO_LARGE', message: 'the answer is larger than 150 MB' } });
});

const text = 'It fails, エラー. '.repeat(1_000);

const answers: Readonly<Record<string, RequestListener>> = {
  'a text': (_request, response) => response.setHeader('content-type', 'text/plain; charset=utf-8').end(text),
  bytes: (_request, response) => response.end(Buffer.from([0, 255, 128, 10])),
  'nothing at all': (_request, response) => response.end(),
  'a part at a time': (_request, response) => {
    response.write('one ');
    setTimeout(() => response.end('two'), 20);
  },
  'compressed text': (_request, response) => response.setHeader('content-encoding', 'gzip').end(gzipSync(text)),
  'compressed nothing': (_request, response) => response.setHeader('content-encoding', 'gzip').end(),
  'no change': (_request, response) => response.writeHead(304, { etag: '"1"' }).end(),
  'no content': (_request, response) => response.writeHead(204).end(),
  'a redirect': (_request, response) => response.writeHead(301, { location: '/elsewhere' }).end('gone'),
  'a refusal': (_request, response) => response.writeHead(422, 'No').end('{"message":"No"}'),
  'a failure of its own': (_request, response) => response.writeHead(502).end('<html>'),
  'a header twice': (_request, response) =>
    response.writeHead(200, { link: ['<a>; rel="next"', '<b>; rel="last"'] }).end(),
  'a header beyond ASCII': (_request, response) => response.setHeader('x-name', 'J\u00fcrgen').end(),
  'half of what it announced': (request, response) => {
    response.writeHead(200, { 'content-length': 100 }).write('half');
    setTimeout(() => request.socket.destroy(), 20);
  },
  'a cut connection': (request) => request.socket.destroy(),
};

test.each(Object.entries(answers))('it says of an answer what the built-in one says: %s', async (_what, answer) => {
  const [own, builtIn] = await asking(answer, async (url) => [await toldBy(httpFetch, url), await toldBy(fetch, url)]);
  expect(own).toEqual(builtIn);
});

/** What arrives at the server. */
const arriving = (client: Fetch, init: Sent): Promise<unknown> =>
  asking(
    (request, response) => {
      const parts: Buffer[] = [];
      request.on('data', (part) => parts.push(part));
      request.on('end', () => {
        const {
          authorization,
          'content-length': length,
          'content-type': type,
          'transfer-encoding': parted,
        } = request.headers;
        const body = Buffer.concat(parts).toString('latin1');
        response.end(
          JSON.stringify({ method: request.method, url: request.url, authorization, length, type, parted, body }),
        );
      });
    },
    async (url) => JSON.parse(await (await client(url, { redirect: 'manual', ...init })).text()),
  );

const requests: readonly Sent[] = [
  {},
  { headers: { authorization: 'Bearer k' } },
  { method: 'POST', body: 'エラー', headers: { 'content-type': 'application/json' } },
  { method: 'PUT', body: new Uint8Array([0, 255, 128]), headers: { 'Content-Type': 'image/png' } },
  { method: 'PATCH', body: null, headers: { 'content-type': ' a ' } },
  { method: 'POST' },
  { method: 'DELETE' },
];

test.each(requests)('a request arrives as that of the built-in one does: %j', async (init) => {
  const sent = (client: Fetch) =>
    arriving(client, init.body === 'エラー' ? { ...init, headers: { 'content-type': 'a' } } : init);
  expect(await sent(httpFetch)).toEqual(await sent(fetch));
});

test('it follows no redirect behind anybody’s back', async () => {
  await expect(httpFetch('http://127.0.0.1:1/')).rejects.toThrow('redirects are not followed');
});

const compressed = (src: string) =>
  asking(
    ({ headers }, response) => {
      if (headers['accept-encoding'] === 'gzip') response.setHeader('content-encoding', 'gzip').end(gzipSync('short'));
      else response.end('long');
    },
    async (url) => (await (await clientOf(src))(url, { redirect: 'manual' })).text(),
  );

/** The end of a compressed answer is missing, and nothing else says so. */
const cutShort = (src: string) =>
  asking(
    (_request, response) => response.setHeader('content-encoding', 'gzip').end(gzipSync(text).subarray(0, 60)),
    async (url) => toldBy(await clientOf(src), url),
  );

/** Somebody who ends the wait hears the own reason, before an answer and in the middle of it. */
const ended = async (src: string) => {
  const client = await clientOf(src);
  const reason = new Error('enough');
  const waits: readonly RequestListener[] = [() => undefined, (_request, response) => void response.write('half')];
  return Promise.all(
    waits.map((answer) =>
      asking(answer, (url) => {
        const stop = new AbortController();
        setTimeout(() => stop.abort(reason), 50);
        return toldBy(client, url, { signal: stop.signal });
      }),
    ),
  );
};

/** A server that takes connections, and never greets. */
async function neverGreeted(src: string): Promise<unknown> {
  const client = await clientOf(src);
  const server = createPlainServer(() => undefined);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const stop = new AbortController();
  const connected = new Promise((resolve) => server.once('connection', resolve));
  try {
    const url = `https://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    const answer = client(url, { redirect: 'manual', signal: stop.signal }).catch(
      (failure: Error) => (failure.cause as { code?: string })?.code,
    );
    await connected;
    vi.advanceTimersByTime(10_000);
    setImmediate(() => setImmediate(() => stop.abort()));
    return await answer;
  } finally {
    vi.useRealTimers();
    server.close();
  }
}

const file = 'runtime/http-fetch.ts';
const cases: readonly Case[] = [
  {
    name: 'it takes compressed answers',
    ...{ file, from: "'accept-encoding': 'gzip', ", to: '', scenario: compressed, right: 'short' },
  },
  {
    name: 'a compressed answer without its end is none',
    ...{ file, from: 'promisify(gunzip)', to: '(bytes: Buffer) => promisify(gunzip)(bytes, { finishFlush: 2 })' },
    ...{ scenario: cutShort, right: 'no complete answer' },
  },
  {
    name: 'who ends the wait hears the own reason',
    ...{ file, from: 'if (signal?.aborted) throw signal.reason;', to: '' },
    ...{ scenario: ended, right: [new Error('enough'), new Error('enough')] },
  },
  {
    name: 'it waits ten seconds for a connection',
    ...{
      file,
      from: 'request.destroy(notConnected(url))',
      to: 'undefined',
      scenario: neverGreeted,
      right: 'UND_ERR_CONNECT_TIMEOUT',
    },
  },
];

testCases(cases);

test('it makes no Headers and no Response, which would load the client that they belong to', async () => {
  const answer = await asking(
    (_request, response) => response.setHeader('content-type', 'text/plain').end(text),
    async (url) => {
      for (const name of ['Headers', 'Request', 'Response', 'fetch']) vi.stubGlobal(name, undefined);
      try {
        const { headers, ...received } = await httpFetch(url, {
          redirect: 'manual',
          headers: { Accept: 'text/plain' },
        });
        return [received.status, headers.get('content-type'), await received.text()];
      } finally {
        vi.unstubAllGlobals();
      }
    },
  );
  expect(answer).toEqual([200, 'text/plain', text]);
});

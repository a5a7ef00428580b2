import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { countedFetch, steadyFetch } from '../../src/runtime/fetch.ts';
import { httpFetch } from '../../src/runtime/http-fetch.ts';

let server: Server | null = null;
afterEach(() => {
  server?.closeAllConnections();
  server?.close();
});

/** A server that drops the connection of the first so many requests. */
async function dropping(count: number): Promise<{ url: string; methods: string[] }> {
  const methods: string[] = [];
  const dropper = createServer((request, response) => {
    methods.push(request.method ?? '');
    if (methods.length <= count) request.socket.destroy();
    else response.end('here');
  });
  server = dropper;
  await new Promise<void>((resolve) => dropper.listen(0, '127.0.0.1', resolve));
  const { port } = dropper.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/`, methods };
}

const manual = { redirect: 'manual' } as const;

describe.each([
  ['of our own', httpFetch],
  ['that is built in', fetch],
])('over a client %s', (_whose, direct) => {
  test.each([0, 1, 2])('a question whose connection is lost %i times is answered', async (count) => {
    const { url, methods } = await dropping(count);
    const answer = await steadyFetch(direct)(url, manual);
    expect(await answer.text()).toBe('here');
    expect(methods).toHaveLength(count + 1);
  });

  test('a question whose connection is always lost fails after three', async () => {
    const { url, methods } = await dropping(Number.POSITIVE_INFINITY);
    await expect(steadyFetch(direct)(url, manual)).rejects.toThrow('fetch failed');
    expect(methods).toHaveLength(3);
  });

  test.each(['POST', 'PATCH', 'PUT', 'DELETE'])(
    'a %s is sent once, whatever becomes of its connection',
    async (method) => {
      const { url, methods } = await dropping(1);
      await expect(steadyFetch(direct)(url, { ...manual, method })).rejects.toThrow('fetch failed');
      expect(methods).toEqual([method]);
    },
  );

  test('a server that is down is asked once', async () => {
    const { url } = await dropping(0);
    await new Promise<void>((resolve) => server?.close(() => resolve()));
    const statuses: (number | null)[] = [];
    await expect(steadyFetch(countedFetch(direct, (status) => statuses.push(status)))(url, manual)).rejects.toThrow(
      'fetch failed',
    );
    expect(statuses).toEqual([null]);
  });

  test('a program that was busy while servers closed their connections does not notice it', async () => {
    const { url } = await dropping(0);
    if (server !== null) server.keepAliveTimeout = 1;
    const send = steadyFetch(direct);
    for (let turn = 0; turn < 5; turn += 1) {
      const answers = await Promise.all(Array.from({ length: 8 }, () => send(url, manual)));
      await Promise.all(answers.map((answer) => answer.text()));
      server?.closeIdleConnections();
    }
  });
});

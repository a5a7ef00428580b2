import { spawn } from 'node:child_process';
import { createServer, type Socket } from 'node:net';
import { resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

/**
 * Timers that let the process end (test/architecture.test.ts lists them), in processes that have nothing else to do:
 * whoever waits for one is served, and one that nobody waits for keeps no process alive.
 */
const source = (path: string): string => JSON.stringify(resolve(import.meta.dirname, '../../src', path));

interface Ended {
  readonly code: number | null;
  readonly output: string;
}

/** Runs a module as a process of its own, and waits until it ends by itself. */
function ended(code: string): Promise<Ended> {
  const child = spawn(process.execPath, ['--input-type=module', '--eval', code], { stdio: ['ignore', 'pipe', 'pipe'] });
  const parts: string[] = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (part: Buffer) => parts.push(part.toString()));
  return new Promise((done) => child.on('close', (code) => done({ code, output: parts.join('') })));
}

describe.concurrent('the rest of a slow tracker', () => {
  const lane = (concurrency: number): string => `
    import { trackerLane } from ${source('runtime/rate-limit.ts')};
    const lane = trackerLane({ requestsPerSecond: 100, concurrency: ${concurrency} });
    const ask = (name, ms) => lane.run('read', () => new Promise((done) => setTimeout(() => { console.log(name); done(); }, ms)));
  `;

  test.each([1, 2])('is waited for by requests that came before it began, with %i at a time', async (concurrency) => {
    const names = ['one', 'two', 'three', 'four'];
    const { code, output } = await ended(
      `${lane(concurrency)}; await Promise.all(${JSON.stringify(names)}.map((name) => ask(name, 1_050)));`,
    );
    expect({ code, said: output.trim().split('\n') }).toEqual({ code: 0, said: names });
  });

  test('is waited for by a request that comes while it lasts', async () => {
    const { code, output } = await ended(`${lane(1)}; await ask('one', 1_050); await ask('two', 0);`);
    expect({ code, output }).toEqual({ code: 0, output: 'one\ntwo\n' });
  });

  /** Says which timers keep the process alive, once whoever was answered has gone on. */
  const tellTimers =
    "; await new Promise(setImmediate); console.log('timers', process.getActiveResourcesInfo().filter((each) => each === 'Timeout').length);";

  test('keeps no process alive once everything is answered', async () => {
    const { code, output } = await ended(`${lane(1)}; await ask('one', 1_050)${tellTimers}`);
    expect({ code, output }).toEqual({ code: 0, output: 'one\ntimers 0\n' });
  });

  test('keeps no process alive after somebody waited for it and was served elsewhere', async () => {
    const { code, output } = await ended(
      `${lane(2)}; await ask('slow', 3_000); await Promise.all([ask('next', 500), ask('last', 0)])${tellTimers}`,
    );
    expect({ code, output }).toEqual({ code: 0, output: 'slow\nnext\nlast\ntimers 0\n' });
  });

  test('would be seen if it did', async () => {
    const { output } = await ended(`setTimeout(() => {}, 1_000)${tellTimers}`);
    expect(output).toBe('timers 1\n');
  });
});

/** What a request may take is a timer of this kind; the connection has to hold the process until it is over. */
describe.concurrent('a server that never ends its answer', () => {
  let port = 0;
  const sockets: Socket[] = [];
  const server = createServer((socket) => {
    sockets.push(socket);
    socket.on('error', () => {});
    socket.on('data', (request) => {
      if (request.includes('half'))
        socket.write('HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n{"');
    });
  });
  beforeAll(async () => {
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    const address = server.address();
    if (typeof address === 'object' && address !== null) port = address.port;
  });
  afterAll(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });

  const openLane = 'const lane = { run: (_cost, request) => request() }; const timeoutMs = 500;';
  const tell = ".then(() => 'answered', (error) => error.name).then(console.log);";

  test.each(['none', 'half'])('of the tracker: %s of it', async (part) => {
    const { code, output } = await ended(`
      import { createTrackerClient } from ${source('bugzilla/connection/client.ts')};
      import { z } from ${JSON.stringify(import.meta.resolve('zod'))};
      ${openLane}
      const client = createTrackerClient({ url: 'http://127.0.0.1:${port}', apiKey: null, auth: 'query', lane, timeoutMs });
      await client.read(['${part}'], {}, z.unknown())${tell}`);
    expect({ code, output }).toEqual({ code: 0, output: 'TrackerError\n' });
  });

  test.each(['none', 'half'])('of a host of files: %s of it', async (part) => {
    const { code, output } = await ended(`
      import { download } from ${source('github/connection/download.ts')};
      ${openLane}
      await download({ url: 'http://127.0.0.1:${port}/${part}', headers: {}, timeoutMs, reach: { api: fetch, storage: fetch } })${tell}`);
    expect({ code, output }).toEqual({ code: 0, output: 'TimeoutError\n' });
  });
});

import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';

/** Containers ask for health every half minute, on shares of a processor at which a whole start would take longer than they wait. */
const main = resolve(import.meta.dirname, '../../dist/main.js');
const folder = mkdtempSync(join(tmpdir(), 'bugferry-health-'));
const [config, meter] = [join(folder, 'bridge.yaml'), join(folder, 'meter.mjs')];
const server = createServer((request, response) =>
  response.end(request.url === '/healthz' ? '{"alive":true}' : '{"ready":true,"routes":[]}'),
);
let url: string;

beforeAll(async () => {
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  url = `http://127.0.0.1:${port}/healthz`;
  writeFileSync(config, JSON.stringify({ ...whole, http: { port } }));
  writeFileSync(meter, "process.on('exit', () => { const { user, system } = process.cpuUsage(); console.error(`cost`, user + system); });");
});
afterAll(() => {
  server.close();
  rmSync(folder, { recursive: true });
});

const whole = {
  instance: 'acme',
  tracker: { url: 'https://bugs.example.org', apiKey: 'key-of-a-test' },
  github: { token: 'token-of-a-test' },
  people: Object.fromEntries(Array.from({ length: 200 }, (_, index) => [`user-${index}@example.org`, `user-${index}`])),
  routes: [{ name: 'widget', tracker: { product: 'Widget' }, github: { repo: 'acme/widget' } }],
};

interface Ran {
  readonly code: number;
  readonly out: string;
  readonly err: string;
  /** Processor time, in microseconds. */
  readonly cost: number;
}

const ran = (args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Ran> =>
  new Promise((done) => {
    execFile(
      process.execPath,
      ['--import', meter, ...args],
      { env: { ...process.env, NODE_COMPILE_CACHE: undefined, ...env } },
      (error, out, err) => done({ code: error === null ? 0 : Number(error.code), out, err, cost: Number(/^cost (\d+)$/mu.exec(err)?.[1]) }),
    );
  });
const health = (...args: readonly string[]) => ran([main, 'health', '--config', config, ...args]);
const median = (numbers: readonly number[]): number => [...numbers].sort((one, other) => one - other)[numbers.length >> 1] ?? Number.NaN;

test('health takes at most twice the processor time of a request from Node.js without a program', async () => {
  const [asked, bare]: [number[], number[]] = [[], []];
  // In turns, so that a busy machine is busy for both.
  for (let turn = 0; turn < 7; turn += 1) {
    const own = await health();
    expect(own).toMatchObject({ code: 0, out: 'the process is alive; --ready checks its routes\n' });
    asked.push(own.cost);
    bare.push((await ran(['-e', `fetch('${url}').then((answer) => answer.text())`])).cost);
  }
  expect(median(asked) / median(bare)).toBeLessThan(2);
});

test('it asks this machine directly, also where a proxy is set for the sides', async () => {
  const proxy = { NODE_USE_ENV_PROXY: '1', HTTP_PROXY: 'http://127.0.0.1:9', http_proxy: 'http://127.0.0.1:9' };
  expect(await ran([main, 'health', '--ready', '--config', config], proxy)).toMatchObject({ code: 0, out: 'healthy\n' });
});

test('what it cannot do quickly, the full command does and says', async () => {
  expect(await health('--help')).toMatchObject({ code: 0, out: expect.stringContaining('Usage: bugferry health') });
  expect(await health('--redy')).toMatchObject({ code: 2, err: expect.stringContaining("unknown option '--redy'") });
  const broken = join(folder, 'broken.yaml');
  writeFileSync(broken, 'http: { port: 99999 }\n');
  expect(await ran([main, 'health', '--config', broken])).toMatchObject({ code: 2, err: expect.stringContaining('broken.yaml:1:') });
  const missing = join(folder, 'missing.yaml');
  expect(await ran([main, 'health', '--config', missing])).toMatchObject({ code: 2, err: expect.stringContaining('does not exist') });
});

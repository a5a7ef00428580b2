import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openCostMeter } from './cost-meter.ts';

/**
 * Containers ask for health every half minute, on shares of a processor at which a whole start would take longer than
 * they wait.
 */
const main = resolve(import.meta.dirname, '../../dist/main.js');
const meter = openCostMeter();
const { config } = meter;
const server = createServer((request, response) =>
  response.end(request.url === '/healthz' ? '{"alive":true}' : '{"ready":true,"routes":[]}'),
);
let url: string;

beforeAll(async () => {
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  url = `http://127.0.0.1:${port}/healthz`;
  meter.configure({ people, http: { port } });
});
afterAll(() => {
  server.close();
  meter.close();
});

const people = Object.fromEntries(
  Array.from({ length: 200 }, (_, index) => [`user-${index}@example.org`, `user-${index}`]),
);

const health = (...args: readonly string[]) => meter.run([main, 'health', '--config', config, ...args]);

test('health takes at most twice the processor time of a request from Node.js without a program', async () => {
  let [asked, bare] = [0, 0];
  // In turns, so that a busy machine is busy for both.
  for (let turn = 0; turn < 9; turn += 1) {
    const own = await health();
    expect(own).toMatchObject({ code: 0, out: 'the process is alive; --ready checks its routes\n' });
    asked += own.cpu;
    bare += (await meter.run(['-e', `fetch('${url}').then((answer) => answer.text())`])).cpu;
  }
  expect(asked / bare).toBeLessThan(2);
});

test('it asks this machine directly, also where a proxy is set for the sides', async () => {
  const proxy = { NODE_USE_ENV_PROXY: '1', HTTP_PROXY: 'http://127.0.0.1:9', http_proxy: 'http://127.0.0.1:9' };
  expect(await meter.run([main, 'health', '--ready', '--config', config], proxy)).toMatchObject({
    code: 0,
    out: 'ready\n',
  });
});

test('what it cannot do quickly, the full command does and says', async () => {
  expect(await health('--help')).toMatchObject({ code: 0, out: expect.stringContaining('Usage: bugferry health') });
  expect(await health('--redy')).toMatchObject({ code: 2, err: expect.stringContaining("unknown option '--redy'") });
  const broken = join(meter.folder, 'broken.yaml');
  writeFileSync(broken, 'http: { port: 99999 }\n');
  expect(await meter.run([main, 'health', '--config', broken])).toMatchObject({
    code: 2,
    err: expect.stringContaining('broken.yaml:1:'),
  });
  const missing = join(meter.folder, 'missing.yaml');
  expect(await meter.run([main, 'health', '--config', missing])).toMatchObject({
    code: 2,
    err: expect.stringContaining('does not exist'),
  });
});

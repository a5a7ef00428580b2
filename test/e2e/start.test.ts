import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openStore } from '../../src/store/open.ts';
import { read, root } from '../docs/documents.ts';
import { scrub } from '../support/scrub.ts';

/**
 * What a start costs, as a multiple of what Node.js costs without a program. Both are measured in turns and the least of several counts, so
 * that a busy machine is busy for both.
 */
const folder = mkdtempSync(join(tmpdir(), 'bugferry-start-'));
const [config, meter] = [join(folder, 'bridge.yaml'), join(folder, 'meter.cjs')];
const server = createServer((_request, response) => response.end('{"alive":true}'));
const turns = 7;

const built = [join(root, 'dist/main.js')];
/** As `npm run bugferry` starts it. */
const source = String(JSON.parse(read('package.json')).scripts.bugferry)
  .split(' ')
  .slice(1);

beforeAll(async () => {
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  const state = join(folder, 'state.db');
  openStore(state, { mode: 'write', now: () => Date.UTC(2026, 10, 22), scrub }).close();
  writeFileSync(config, JSON.stringify({ ...whole, state, http: { port } }));
  writeFileSync(
    meter,
    `process.on('exit', () => {
      const { user, system } = process.cpuUsage();
      console.error('cost', user + system, process.resourceUsage().maxRSS);
    });`,
  );
});
afterAll(() => {
  server.close();
  rmSync(folder, { recursive: true });
});

const whole = {
  instance: 'acme',
  tracker: { url: 'https://bugs.example.org', apiKey: 'key-of-a-test' },
  github: { token: 'token-of-a-test' },
  routes: [{ name: 'widget', tracker: { product: 'Widget' }, github: { repo: 'acme/widget' }, create: { component: 'Core' } }],
};

interface Cost {
  /** Processor time in microseconds, that of the system included. */
  readonly cpu: number;
  /** The most memory at a time, in kilobytes. */
  readonly memory: number;
}

const costOf = (args: readonly string[]): Promise<Cost> =>
  new Promise((done) => {
    execFile(
      process.execPath,
      ['--require', meter, ...args],
      { cwd: root, env: { ...process.env, NODE_COMPILE_CACHE: undefined } },
      (_error, out, err) => {
        const [, cpu, memory] = /^cost (\d+) (\d+)$/mu.exec(err) ?? [];
        expect(out.length + (args[0] === '-e' ? 1 : 0)).toBeGreaterThan(0);
        done({ cpu: Number(cpu), memory: Number(memory) });
      },
    );
  });

/** How many times as much a start costs as one of Node.js alone. */
async function ratioOf(args: readonly string[]): Promise<Cost> {
  const [own, bare]: [Cost[], Cost[]] = [[], []];
  for (let turn = 0; turn < turns; turn += 1) {
    own.push(await costOf(args));
    bare.push(await costOf(['-e', '0']));
  }
  const least = (costs: readonly Cost[], of: keyof Cost) => Math.min(...costs.map((cost) => cost[of]));
  return { cpu: least(own, 'cpu') / least(bare, 'cpu'), memory: least(own, 'memory') / least(bare, 'memory') };
}

const few = { cpu: 4, memory: 1.6 };
const isWithin = ({ cpu, memory }: Cost, limits: Cost, times = 1) => cpu <= limits.cpu * times && memory <= limits.memory * times;

test.each([
  ['--help', [], few],
  ['health', ['--config', config], few],
  // It reads and checks the whole configuration, and opens the state. Measured are 3.8 times.
  ['status', ['--config', config], { cpu: 5, memory: 1.6 }],
])('%s costs little', async (command, options, limits) => {
  const [program, fromSource] = [await ratioOf([...built, command, ...options]), await ratioOf([...source, command, ...options])];
  expect({ program, isWithin: isWithin(program, limits) }).toMatchObject({ isWithin: true });
  expect({ fromSource, isWithin: isWithin(fromSource, limits, 2) }).toMatchObject({ isWithin: true });
});

test('a command that loads the whole bridge is noticed', async () => {
  expect(isWithin(await ratioOf([...built, 'once', '--help']), few)).toBe(false);
});

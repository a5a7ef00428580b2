import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openStore } from '../../src/store/open.ts';
import { type Measured, openCostMeter } from '../deploy/cost-meter.ts';
import { read, root } from '../docs/documents.ts';
import { scrub } from '../support/scrub.ts';

/**
 * What a start costs, as a multiple of what Node.js costs without a program. Both are measured in turns, so that a busy
 * machine is busy for both.
 */
const meter = openCostMeter();
const { config } = meter;
const server = createServer((_request, response) => response.end('{"alive":true}'));
// Linux tells time in hundredths of a second, of which Node.js alone takes three: few turns are off by five per cent.
const turns = 25;

const built = [join(root, 'dist/main.js')];
/** As `npm run bugferry` starts it. */
const source = String(JSON.parse(read('package.json')).scripts.bugferry)
  .split(' ')
  .slice(1);

beforeAll(async () => {
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  const state = join(meter.folder, 'state.db');
  openStore(state, { mode: 'write', now: () => Date.UTC(2026, 10, 22), scrub }).close();
  meter.configure({ state, http: { port } });
});
afterAll(() => {
  server.close();
  meter.close();
});

type Cost = Pick<Measured, 'cpu' | 'memory'>;

async function costOf(args: readonly string[]): Promise<Cost> {
  const { out, cpu, memory } = await meter.run(args);
  expect(out.length + (args[0] === '-e' ? 1 : 0)).toBeGreaterThan(0);
  return { cpu, memory };
}

/** How many times as much a start costs as one of Node.js alone. */
async function ratioOf(args: readonly string[]): Promise<Cost> {
  const [own, bare]: [Cost[], Cost[]] = [[], []];
  for (let turn = 0; turn < turns; turn += 1) {
    own.push(await costOf(args));
    bare.push(await costOf(['-e', '0']));
  }
  const all = (costs: readonly Cost[]): number => costs.reduce((sum, { cpu }) => sum + cpu, 0);
  const least = (costs: readonly Cost[]): number => Math.min(...costs.map(({ memory }) => memory));
  return { cpu: all(own) / all(bare), memory: least(own) / least(bare) };
}

// `status` takes 3.0 to 3.8 times as long as Node.js alone, depending on the machine and the hour; a command that loads
// the whole bridge, 9.
const limits = { cpu: 4.5, memory: 1.5 };
const isWithin = ({ cpu, memory }: Cost, times = 1) => cpu <= limits.cpu * times && memory <= limits.memory * times;

test.each([
  ['--help', []],
  ['health', ['--config', config]],
  // It reads and checks the whole configuration, and opens the state.
  ['status', ['--config', config]],
])('%s costs little', async (command, options) => {
  const [program, fromSource] = [
    await ratioOf([...built, command, ...options]),
    await ratioOf([...source, command, ...options]),
  ];
  expect({ program, isWithin: isWithin(program) }).toMatchObject({ isWithin: true });
  // Types are stripped at each start.
  expect({ fromSource, isWithin: isWithin(fromSource, 2.4) }).toMatchObject({ isWithin: true });
});

test('a command that loads the whole bridge is noticed', async () => {
  expect(isWithin(await ratioOf([...built, 'once', '--help']))).toBe(false);
});

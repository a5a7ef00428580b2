import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { trackerServer } from '../../src/sandbox/tracker/server/server.ts';
import { root } from '../docs/documents.ts';
import { memoryOf, stateNumbers } from './state.ts';
import { serveCounted } from './support/counted-server.ts';
import { largeWorld } from './support/large-world.ts';
import { mostMemoryIn, mostMemoryModule } from './support/most-memory.ts';

/** What long commands hold in memory, against Node.js without a program. */

/** Node.js, which waits. */
async function bareMb(): Promise<number> {
  const child = spawn(process.execPath, ['-e', 'console.log(1); setInterval(() => {}, 1e6)'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    await once(child.stdout, 'data');
    return memoryOf(child) / 1e6;
  } finally {
    child.kill();
    await once(child, 'close');
  }
}

const restMb = async (links: number): Promise<number> =>
  (await stateNumbers(links, () => undefined))['rssMb'] ?? Number.NaN;

test('run needs less than three times as much at rest, and a million links add little', async () => {
  const few = await restMb(1);
  // Measured are 2.5 times, 116 MB: the thread of the watchdog is 11 MB of that.
  expect(few / (await bareMb())).toBeLessThan(2.75);
  // Measured are 11 MB: pages of the state, and the 550 mirrored bugs at which each cycle looks. With SQLite's usual 16
  // MB of pages, 20.
  expect((await restMb(1_000_000)) - few).toBeLessThan(18);
});

test('archive needs less than five times as much for a thousand bugs', async () => {
  const { world } = largeWorld(1_000, 10_000);
  const server = await serveCounted(trackerServer(world).fetch);
  const folder = mkdtempSync(join(tmpdir(), 'bugferry-archive-'));
  try {
    const config = join(folder, 'bridge.json');
    const whole = {
      instance: 'acme',
      tracker: { url: server.url, apiKey: 'key-of-a-test' },
      github: { token: 'token-of-a-test' },
      state: join(folder, 'state.db'),
      limits: { tracker: { requestsPerSecond: 500 } },
      routes: [
        {
          name: 'widget',
          tracker: { product: 'Widget' },
          github: { repo: 'acme/widget' },
          create: { component: 'Core' },
        },
      ],
    };
    writeFileSync(config, JSON.stringify(whole));
    const program = ['--import', mostMemoryModule, join(root, 'dist/main.js')];
    const { stderr } = await promisify(execFile)(process.execPath, [
      ...program,
      'archive',
      join(folder, 'site'),
      '--config',
      config,
    ]);
    const mostMb = mostMemoryIn(stderr) / 1000;
    // Measured are 4.7 times: V8 takes room as it likes, with no flag set. With flags, 3.2.
    expect(mostMb / (await bareMb())).toBeLessThan(5);
  } finally {
    await server.close();
    rmSync(folder, { recursive: true });
  }
});

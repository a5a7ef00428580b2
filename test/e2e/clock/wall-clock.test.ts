import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { repo } from '../../simulation/stage.ts';
import { pause, type Running, start } from '../process.ts';
import { type Served, serve } from '../world.ts';
import { skippedWithoutFaketime, wallClock } from './faketime.ts';

/** The daemon as it is built, on a machine whose wall clock is set while it runs. */
const daySeconds = 86_400;
const since1970 = -Math.floor(Date.now() / 1_000) + 3_600;

let served: Served | null = null;
let running: Running | null = null;
let folder = '';

afterEach(async () => {
  running?.child.kill('SIGKILL');
  await running?.ended;
  await served?.close();
  rmSync(folder, { recursive: true, force: true });
  [running, served] = [null, null];
});

async function daemonAt(options: { readonly aheadSeconds: number; readonly zone?: string; readonly sweep?: string }) {
  folder = mkdtempSync(join(tmpdir(), 'bugferry-clock-'));
  served = await serve({ http: { http: { port: 0 } } });
  const { configFile } = served;
  const config = JSON.parse(readFileSync(configFile, 'utf8'));
  writeFileSync(
    configFile,
    JSON.stringify({ ...config, schedule: { ...config.schedule, sweep: options.sweep ?? '17 3 * * *' } }),
  );
  const { tracker, github, store } = served.stage();
  store.close();
  const clock = wallClock(folder, options);
  const daemon = start(['run', '--config', configFile], clock);
  running = daemon;
  const arrives = async (summary: string): Promise<number> => {
    const begin = performance.now();
    tracker.as('alice').file({ summary, description: 'Always.' });
    while (!github.issues(repo).some(({ title }) => title === summary)) {
      if (performance.now() - begin > 40_000)
        throw new Error(`"${summary}" does not arrive: ${daemon.output().slice(-2_000)}`);
      await pause(100);
    }
    return performance.now() - begin;
  };
  const ready = async (): Promise<boolean> => {
    const port = /"page":"http:\/\/127\.0\.0\.1:(\d+)/.exec(daemon.output())?.[1];
    return (await fetch(`http://127.0.0.1:${port}/readyz`)).ok;
  };
  const requests = () => github.requests.length;
  return { daemon, clock, arrives, ready, requests };
}

describe.skipIf(skippedWithoutFaketime !== '')(`a daemon whose wall clock is set${skippedWithoutFaketime}`, () => {
  test.each([
    ['two hours ahead, then right', 7_200, 0],
    ['right, then a second back', 0, -1],
    ['right, then a year back', 0, -365 * daySeconds],
    ['right, then 30 days ahead', 0, 30 * daySeconds],
    ['right, then 400 days ahead', 0, 400 * daySeconds],
    ['in 1970, then right', since1970, 0],
  ])(
    'goes on as before, is ready and obeys SIGTERM: %s',
    async (_what, before, after) => {
      const { daemon, clock, arrives, ready } = await daemonAt({ aheadSeconds: before });
      await arrives('before');
      clock.set(after);
      await pause(1_500);
      await arrives('after');
      await arrives('later');
      expect(await ready()).toBe(true);
      const begin = performance.now();
      expect(await daemon.end('SIGTERM')).toBe(0);
      expect(performance.now() - begin).toBeLessThan(10_000);
    },
    120_000,
  );

  test('back and forth by years, it carries everything over and obeys SIGTERM', async () => {
    const { daemon, clock, arrives } = await daemonAt({ aheadSeconds: 0 });
    await arrives('before');
    for (const days of [1, -1, 400, -400, 0]) {
      clock.set(days * daySeconds);
      await arrives(`after ${days} days`);
    }
    expect(await daemon.end('SIGTERM')).toBe(0);
  }, 300_000);

  test.each([
    ['Europe/Berlin', '2026-10-25T00:59:55Z'],
    ['America/New_York', '2026-11-01T05:59:55Z'],
    ['Australia/Lord_Howe', '2026-04-04T14:59:55Z'],
  ])(
    'goes on where summer time ends: %s',
    async (zone, at) => {
      const { arrives } = await daemonAt({ aheadSeconds: (Date.parse(at) - Date.now()) / 1_000, zone });
      await arrives('before');
      await pause(6_000);
      expect(await arrives('in the hour that comes twice')).toBeLessThan(8_000);
    },
    120_000,
  );
});

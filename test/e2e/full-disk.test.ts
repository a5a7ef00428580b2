import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freePort } from '../../src/sandbox/server/free-port.ts';
import { beside, ownDisk, type ReadOnlyRoot, whyNoReadOnlyRoot } from '../support/read-only-root.ts';
import { pause, type Running, start } from './process.ts';
import { type Served, serve } from './world.ts';

/** A disk that fills up under a daemon: what it can no longer keep is told by everybody who is asked, until there is room again. */
let served: Served;
let daemon: Running | null = null;
let there: ReadOnlyRoot;
let server: string;
let disk: string;

beforeAll(async () => {
  const port = await freePort();
  served = await serve({ http: { http: { port } } });
  server = `http://127.0.0.1:${port}`;
  disk = join(dirname(served.configFile), 'disk');
  mkdirSync(disk);
  const config = JSON.parse(readFileSync(served.configFile, 'utf8'));
  writeFileSync(served.configFile, JSON.stringify({ ...config, state: join(disk, 'bugferry.db') }));
});
afterAll(async () => {
  await daemon?.end('SIGKILL');
  await served.close();
});

async function status() {
  const running = start(['status', '--config', served.configFile], there);
  return { code: await running.ended, out: running.output() };
}

const page = async () => (await fetch(server)).text();

async function until(isSo: () => Promise<boolean>): Promise<void> {
  const giveUpAt = Date.now() + 240_000;
  while (!(await isSo())) {
    if (Date.now() > giveUpAt) throw new Error(`It did not come to that in 240 s. It said: ${daemon?.output().slice(-2_000)}`);
    await pause(200);
  }
}

function ran(script: string): void {
  const [program, args] = there.command('sh', ['-c', script]);
  spawnSync(program, args);
}

test('a state on a full disk is told by status, page, metrics and health, and forgotten once there is room', async ({ skip }) => {
  const whyNot = whyNoReadOnlyRoot(disk);
  if (whyNot !== null) return skip(whyNot);
  daemon = start(['run', '--config', served.configFile], ownDisk(disk, 24));
  await until(async () => (await fetch(`${server}/readyz`).catch(() => null))?.ok === true);
  there = beside(daemon.child.pid ?? 0);
  await until(async () => (await status()).code === 0);

  ran(`cat /dev/zero > ${join(disk, 'ballast')}`);
  const words = /Cannot write to the state file .* \(ENOSPC\)\. .*free some space/u;
  expect(await status()).toEqual({ code: 1, out: expect.stringMatching(words) });
  expect(await page()).toMatch(words);
  expect(await (await fetch(`${server}/metrics`)).text()).toContain('bugferry_in_step{route="widget"} 0\n');
  const ready = await fetch(`${server}/readyz`);
  expect([ready.status, await ready.text()]).toEqual([503, expect.stringMatching(words)]);

  ran(`rm ${join(disk, 'ballast')}`);
  await until(async () => (await status()).code === 0);
  // A cycle that failed just before there was room is forgotten by the next one.
  await until(async () => (await page()).includes('Everything is in step'));
  await until(async () => (await fetch(`${server}/readyz`)).status === 200);
  expect(await daemon.end('SIGTERM')).toBe(0);
  daemon = null;
});

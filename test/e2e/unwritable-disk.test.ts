import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freePort } from '../../src/sandbox/server/free-port.ts';
import { beside, ownDisk, type ReadOnlyRoot, whyNoReadOnlyRoot } from '../support/read-only-root.ts';
import { pause, type Running, start } from './process.ts';
import { type Served, serve } from './world.ts';

/**
 * A disk that fills up or becomes read-only under a daemon: what it can no longer keep is told by everybody who is
 * asked, until it can again.
 */
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

async function bugferry(...args: readonly string[]) {
  const running = start([...args, '--config', served.configFile], there);
  return { code: await running.ended, out: running.output() };
}

const page = async () => (await fetch(server)).text();

async function until(isSo: () => Promise<boolean>): Promise<void> {
  const giveUpAt = Date.now() + 240_000;
  while (!(await isSo())) {
    if (Date.now() > giveUpAt)
      throw new Error(`It did not come to that in 240 s. It said: ${daemon?.output().slice(-2_000)}`);
    await pause(200);
  }
}

function ran(script: string): void {
  const [program, args] = there.command('sh', ['-c', script, 'sh', disk]);
  spawnSync(program, args);
}

/** What becomes of the disk, in the words of a shell, and how it is undone. */
const disks = [
  {
    name: 'full',
    spoil: 'cat /dev/zero > "$1/ballast"',
    mend: 'rm "$1/ballast"',
    code: 'ENOSPC',
    advice: 'free some space',
  },
  // A second mount of the same folder: a disk with open files refuses to become read-only.
  {
    name: 'read-only',
    spoil: 'mount --bind "$1" "$1" && mount -o remount,bind,ro "$1"',
    mend: 'umount "$1"',
    code: 'EROFS',
    advice: 'Check that the disk is writable',
  },
];

test('status, page, metrics and health tell of a disk that is full or read-only, and forget it once it is neither', async ({
  skip,
}) => {
  const whyNot = whyNoReadOnlyRoot(disk);
  if (whyNot !== null) return skip(whyNot);
  daemon = start(['run', '--config', served.configFile], ownDisk(disk, 24));
  await until(async () => (await fetch(`${server}/readyz`).catch(() => null))?.ok === true);
  there = beside(daemon.child.pid ?? 0);
  for (const { name, spoil, mend, code, advice } of disks) {
    await until(async () => (await bugferry('status')).code === 0);

    ran(spoil);
    const words = new RegExp(`Cannot write to the state file .* \\(${code}\\)\\. .*${advice}`, 'u');
    expect([name, await bugferry('status')]).toEqual([name, { code: 1, out: expect.stringMatching(words) }]);
    expect([name, await bugferry('check')]).toEqual([name, { code: 2, out: expect.stringMatching(words) }]);
    const { code: ended, out } = await bugferry('status', '--json');
    expect([ended, JSON.parse(out).routes]).toEqual([
      1,
      [expect.objectContaining({ standing: 'failed', isHalted: true })],
    ]);
    expect(await page()).toMatch(words);
    const refused = expect.stringMatching(new RegExp(`refuses a file \\(${code}.*${advice}`, 'u'));
    expect([name, await bugferry('pause', 'widget')]).toEqual([name, { code: 2, out: refused }]);
    const metrics = await (await fetch(`${server}/metrics`)).text();
    expect(metrics).toContain('bugferry_in_step{route="widget"} 0\n');
    expect(metrics).toContain('bugferry_halted{route="widget"} 1\n');
    const ready = await fetch(`${server}/readyz`);
    expect([ready.status, await ready.text()]).toEqual([503, expect.stringMatching(words)]);
    expect(await bugferry('health', '--ready')).toEqual({ code: 4, out: expect.stringMatching(words) });

    ran(mend);
    await until(async () => (await bugferry('status')).code === 0);
    // A cycle that failed just before is forgotten by the next one.
    await until(async () => (await page()).includes('Nothing to mirror yet'));
    await until(async () => (await fetch(`${server}/readyz`)).status === 200);
  }
  expect(await daemon.end('SIGTERM')).toBe(0);
  daemon = null;
});

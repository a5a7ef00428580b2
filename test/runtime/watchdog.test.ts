/** The thread that ends a process which is blocked, and no other. */

import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { openWatchdog } from '../../src/runtime/watchdog.ts';

const folder = mkdtempSync(join(tmpdir(), 'bugferry-watchdog-'));
afterAll(() => rmSync(folder, { recursive: true }));

const source = new URL('../../src/runtime/watchdog.ts', import.meta.url).href;
const bug = { route: 'widget', side: 'tracker', ref: 12, stage: 'plan', of: 'link' } as const;
const other = { ...bug, ref: 13 };

/** Runs this code in a process of its own, which ignores SIGTERM, with a limit of 400 ms. */
async function run(code: string): Promise<{ signal: string | null; noted: unknown; err: string }> {
  const file = join(folder, `${Math.random()}`);
  const program = `
    import { openWatchdog } from '${source}';
    process.on('SIGTERM', () => {});
    const pause = (ms) => new Promise((done) => setTimeout(done, ms));
    const block = (ms = Infinity) => { const end = Date.now() + ms; while (Date.now() < end); };
    const watchdog = openWatchdog({ file: ${JSON.stringify(file)}, limitMs: 400 });
    const bug = ${JSON.stringify(bug)}, other = ${JSON.stringify(other)};
    ${code}
    watchdog.close();`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let err = '';
  child.stderr.on('data', (part) => {
    err += part;
  });
  const signal = await new Promise<string | null>((done) => child.on('close', (_code, by) => done(by)));
  return { signal, noted: existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : null, err };
}

/** Work that waits and then blocks, while other work waits and goes on. */
const beside = (wait: string): string => `
  await Promise.all([
    watchdog.during(other, async () => { for (;;) await pause(10); }),
    watchdog.during(bug, async () => { ${wait}; block(); }),
  ])`;

test.each([
  ['a step', 'watchdog.during(bug, block)', bug],
  ['a step within another one', 'watchdog.during(other, () => watchdog.during(bug, block))', bug],
  ['the rest of a step', 'watchdog.during(bug, () => { watchdog.during(other, () => 1); block(); })', bug],
  ['the beginning of work that waits', 'await watchdog.during(bug, async () => block())', bug],
  ['work after a timer, beside other work', beside('await pause(100)'), bug],
  ['work after no wait at all, beside other work', beside('await null'), bug],
  ['work after an answer, beside other work', beside('await new Promise((done) => setImmediate(done))'), bug],
  ['a timer that work began', 'await watchdog.during(bug, () => new Promise(() => setTimeout(block, 100)))', bug],
  ['what comes after work that waited', 'await watchdog.during(bug, () => pause(100)); block()', null],
  [
    'a step after the watch was closed',
    'watchdog.during(other, () => 1); watchdog.close(); watchdog.during(bug, block)',
    bug,
  ],
  ['something without a name', 'watchdog.during(bug, () => 1); await pause(1); block()', null],
])('%s that does not end ends the process, which notes its item', async (_name, code, noted) => {
  expect(await run(code)).toMatchObject({
    signal: 'SIGKILL',
    noted,
    err: expect.stringContaining(noted === null ? 'Please report it' : 'sets that item aside'),
  });
});

test.each([
  [
    'short steps without a turn of the loop',
    'for (let step = 0; step < 30; step += 1) watchdog.during(bug, () => block(50))',
  ],
  [
    'turns of the loop with one item',
    'await watchdog.during(bug, async () => { for (let turn = 0; turn < 30; turn += 1) { block(50); await pause(1); } })',
  ],
  [
    'a long wait without work',
    'watchdog.during(bug, () => 1); Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2_500)',
  ],
])('%s is no hang', async (_name, code) => {
  expect(await run(code)).toEqual({ signal: null, noted: null, err: '' });
});

test('the item is answered until it is forgotten, and a damaged note is none', () => {
  const file = join(folder, 'noted');
  writeFileSync(file, JSON.stringify(bug));
  const watchdog = openWatchdog({ file, limitMs: 400 });
  expect([watchdog.blocked(), watchdog.blocked()]).toEqual([bug, bug]);
  watchdog.forgetBlocked();
  expect(watchdog.blocked()).toBe(null);
  for (const damaged of ['', '{', 'null', JSON.stringify({ ...bug, ref: 'x' })]) {
    writeFileSync(file, damaged);
    expect(watchdog.blocked()).toBe(null);
  }
  watchdog.close();
});

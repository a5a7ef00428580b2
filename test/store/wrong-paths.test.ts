/** A lock or a state that is something else: the message says which file is wrong, and nothing else is touched. */

import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openStore } from '../../src/store/open.ts';
import { StateUnusable } from '../../src/store/trouble.ts';
import { scrub } from '../support/scrub.ts';

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'bugferry-test-'));
  file = join(folder, 'state.db');
});
afterEach(() => rmSync(folder, { recursive: true }));

const open = (mode: 'write' | 'read' | 'copy' = 'write') => openStore(file, { mode, now: () => 1, scrub });

function messageOf(work: () => unknown): string {
  try {
    work();
  } catch (error) {
    expect(error).toBeInstanceOf(StateUnusable);
    return error instanceof Error ? error.message : '';
  }
  throw new Error('It was opened');
}

test.each<[string, (lock: string) => void]>([
  ['text', (lock) => writeFileSync(lock, 'not a database, but long enough to look like one '.repeat(40))],
  ['a folder', (lock) => mkdirSync(lock)],
  ['half a database', (lock) => writeFileSync(lock, readFileSync(file).subarray(0, 700))],
])('a lock that is %s is not taken for a broken state', (_name, make) => {
  open().close();
  const before = readFileSync(file);
  rmSync(`${file}.lock`);
  make(`${file}.lock`);
  const message = messageOf(open);
  expect(message).toContain(`The lock file ${file}.lock cannot be used`);
  expect(message).toContain('delete the lock file');
  expect(message).not.toMatch(/backup|adopt/u);
  expect(readFileSync(file).equals(before)).toBe(true);
  rmSync(`${file}.lock`, { recursive: true });
  open().close();
});

test.each(['write', 'read', 'copy'] as const)('a folder as state keeps its rights, opened to %s', (mode) => {
  mkdirSync(file, { mode: 0o755 });
  expect(messageOf(() => open(mode))).toContain(`The state file ${file} is a folder.`);
  expect(statSync(file).mode & 0o777).toBe(0o755);
});

test('a folder with the name of a log keeps its rights', () => {
  open().close();
  mkdirSync(`${file}.version-1`, { mode: 0o755 });
  open().close();
  expect(statSync(`${file}.version-1`).mode & 0o777).toBe(0o755);
});

// Nothing ever ends in some of these folders if Node makes all of a path at once, so another process tries.
test.runIf(process.platform === 'linux').each(['/proc/foo/state.db', '/proc/foo/bar/state.db'])(
  'a state in %s is refused at once',
  (place) => {
    const script = `import { lockState } from '${join(import.meta.dirname, '../../src/store/lock.ts')}'; lockState('${place}');`;
    const { status, stderr, signal } = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
      encoding: 'utf8',
      timeout: 20_000,
      killSignal: 'SIGKILL',
    });
    expect({ status, signal }).toEqual({ status: 1, signal: null });
    expect(stderr).toContain("ENOENT: no such file or directory, mkdir '/proc/foo'");
  },
);

test('a state in a file is refused with the path to check', () => {
  writeFileSync(join(folder, 'file'), '');
  file = join(folder, 'file', 'state.db');
  expect(messageOf(open)).toMatch(/\((?:ENOTDIR|EEXIST): [^()]*\)\. Check/u);
  expect(messageOf(open)).not.toMatch(/(E[A-Z]+): \1/u);
});

import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readlinkSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Scratch } from '../../src/model/store.ts';
import { type Case, testCases } from '../support/faults/scenarios.ts';

type Opened = typeof import('../../src/store/scratch.ts');

const textOf = (item: number) => ({
  author: 'bugferry-bot',
  text: `**Alice ${item}** wrote, エラー ${'\ud800'}`,
  item,
});

/** Works with a scratch beside a state file, and ends it. */
async function beside(src: string, work: (scratch: Scratch<unknown>, folder: string) => unknown): Promise<unknown> {
  const { openScratch } = (await import(`${src}/store/scratch.ts`)) as Opened;
  const state = join(mkdtempSync(join(tmpdir(), 'bugferry-scratch-')), 'state.db');
  const scratch = openScratch<unknown>(state);
  try {
    return await work(scratch, dirname(state));
  } finally {
    scratch.close();
    rmSync(dirname(state), { recursive: true });
  }
}

const held = (src: string) =>
  beside(src, (scratch) => {
    for (const item of [3, 1, 2, 1]) scratch.put(7, item, textOf(item));
    scratch.put(8, 1, textOf(4));
    return [scratch.of(7), scratch.of(8), scratch.of(9)];
  });

const newest = (src: string) =>
  beside(src, (scratch) => {
    for (const text of ['first', 'second']) scratch.put(7, 1, { text });
    return scratch.of(7);
  });

const remaining = (src: string) => beside(src, (scratch, folder) => [scratch.of(1), readdirSync(folder)]);

/** The bytes of the files of this process that have no name any more, in the folder. */
const onDisk = (src: string) =>
  beside(src, (scratch, folder) => {
    for (let item = 0; item < 200; item += 1) scratch.put(1, item, randomBytes(48 * 1024).toString('base64'));
    const files = readdirSync('/proc/self/fd').filter((fd) => linkOf(fd).startsWith(join(folder, 'state.db.scratch-')));
    return files.reduce((sum, fd) => sum + statSync(join('/proc/self/fd', fd)).size, 0) > 5e6;
  });

function linkOf(fd: string): string {
  try {
    return readlinkSync(join('/proc/self/fd', fd));
  } catch {
    return '';
  }
}

/** Texts that are alike; a thousand bytes and more each as they are. */
const small = (src: string) =>
  beside(src, (scratch, folder) => {
    const long = 'It fails as soon as the window is closed while a download is under way. '.repeat(20);
    for (let item = 0; item < 5_000; item += 1) scratch.put(1, item, { ...textOf(item), long });
    const [file] = readdirSync('/proc/self/fd').filter((fd) => linkOf(fd).startsWith(folder));
    return file !== undefined && statSync(join('/proc/self/fd', file)).size < 1e6;
  });

/** Nobody may make files in this folder of Linux. */
async function unwritable(src: string): Promise<unknown> {
  const { openScratch } = (await import(`${src}/store/scratch.ts`)) as Opened;
  try {
    const scratch = openScratch<unknown>('/sys/state.db');
    scratch.put(1, 1, 'kept');
    const found = scratch.of(1);
    scratch.close();
    return found;
  } catch (error) {
    return error;
  }
}

async function noFolder(src: string): Promise<unknown> {
  const { openScratch } = (await import(`${src}/store/scratch.ts`)) as Opened;
  const folder = mkdtempSync(join(tmpdir(), 'bugferry-scratch-'));
  mkdirSync(join(folder, 'gone'));
  rmSync(folder, { recursive: true });
  try {
    openScratch(join(folder, 'gone', 'state.db'));
    return 'it opened';
  } catch (error) {
    return error instanceof Error
      ? error.message.replace(/file \S+ cannot/u, 'file cannot').replace(/\(ENOENT: .*?\)\./u, '(ENOENT).')
      : null;
  }
}

const file = 'store/scratch.ts';
const cases: readonly Case[] = [
  {
    name: 'what is put comes back in the order of the items, for its owner alone',
    ...{ file, from: 'where owner = ? order by item', to: 'where owner >= ? order by item', scenario: held },
    right: [[textOf(1), textOf(2), textOf(3)], [textOf(4)], []],
  },
  {
    name: 'what is put again is replaced',
    ...{ file, from: 'insert or replace', to: 'insert or ignore', scenario: newest, right: [{ text: 'second' }] },
  },
  {
    name: 'its file has no name, so that nothing remains after a kill',
    ...{
      file,
      from: '    rmSync(file);\n    return true;',
      to: '    return true;',
      scenario: remaining,
      right: [[], []],
    },
  },
  {
    name: 'much is on disk',
    ...{
      file,
      from: 'beside === null ? null : createdBeside(beside)',
      to: 'beside === null ? null : null',
      scenario: onDisk,
      right: true,
    },
  },
  {
    name: 'texts that are alike are kept small',
    ...{
      file,
      from: 'return deflateRawSync(bytes, { dictionary: first });',
      to: 'return deflateRawSync(bytes, { level: 0, dictionary: first });',
    },
    ...{ scenario: small, right: true },
  },
  {
    name: 'whoever may only read the folder has it in memory',
    ...{ file, from: 'EACCES|EPERM|EROFS', to: 'ENXIO', scenario: unwritable, right: ['kept'] },
  },
  {
    name: 'any other trouble is told to people',
    ...{ file, from: '/^(?:EACCES|EPERM|EROFS)$/u.test(String(error.code))', to: 'true', scenario: noFolder },
    right:
      'The temporary file cannot be used (ENOENT). Check the path: its folder does not exist, and cannot be made there.',
  },
];

testCases(cases);

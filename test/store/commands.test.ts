/** Files in the folder of commands that are no commands: they stop nothing, and the operator learns of them. */

import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { fileControlQueue } from '../../src/store/control-queue.ts';
import { type House, openHouse } from '../support/bugferry.ts';

const good = JSON.stringify({ kind: 'retry', route: 'widget', numbers: [7] });

const broken: readonly (readonly [string, (file: string) => void, string])[] = [
  ['empty', (file) => writeFileSync(file, ''), 'it is empty'],
  ['of NUL only, as after a power cut', (file) => writeFileSync(file, '\0\0\0\0'), 'it is not complete JSON'],
  ['cut off', (file) => writeFileSync(file, good.slice(0, 20)), 'it is not complete JSON'],
  ['null', (file) => writeFileSync(file, 'null'), 'it is not a command'],
  ['a list', (file) => writeFileSync(file, '[]'), 'it is not a command'],
  ['a folder', (file) => mkdirSync(file), 'it is a folder'],
  ['a link', (file) => symlinkSync('/dev/zero', file), 'it is not a file'],
  ['very long', (file) => writeFileSync(file, ' '.repeat(1_000_001)), 'it is too long'],
  [
    'a command of a later version',
    (file) => writeFileSync(file, '{"kind":"fly","route":"widget"}'),
    'it is not a command',
  ],
  ['a retry of words', (file) => writeFileSync(file, good.replace('[7]', '["7"]')), 'it is not a command'],
  [
    'half a decision',
    (file) => writeFileSync(file, '{"kind":"decide","route":"widget","decision":{"link":1,"field":"title"}}'),
    'it is not a command',
  ],
  [
    'a pair without an issue',
    (file) => writeFileSync(file, '{"kind":"pair","route":"widget","pair":{"bug":1}}'),
    'it is not',
  ],
];

describe('the queue', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'bugferry-test-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  test('stops nothing if something else has the name of its folder', () => {
    const state = join(folder, 'state.db');
    const queue = fileControlQueue(state, () => 5);
    writeFileSync(`${state}.commands`, 'x');
    expect(queue.of('widget')).toEqual([]);
    expect(queue.broken()).toEqual([{ file: `${state}.commands`, why: 'it is not a folder' }]);
    expect(() => queue.add({ kind: 'retry', route: 'widget', numbers: [7] })).toThrow(/not a folder. Move it away/u);
  });

  test.each(broken)('puts aside what is %s, and goes on', (_name, make, why) => {
    const state = join(folder, 'state.db');
    const queue = fileControlQueue(state, () => 5);
    mkdirSync(`${state}.commands`);
    make(join(`${state}.commands`, '0000000000000001-first.json'));
    queue.add({ kind: 'retry', route: 'widget', numbers: [7] });
    expect(queue.of('widget').map(({ command }) => command)).toEqual([
      { kind: 'retry', route: 'widget', numbers: [7] },
    ]);
    expect(queue.broken()).toEqual([
      { file: join(`${state}.commands`, '0000000000000001-first.json.broken'), why: expect.stringContaining(why) },
    ]);
    for (const { done } of queue.of('widget')) done();
    expect([queue.of('widget'), queue.broken().length]).toEqual([[], 1]);
  });
});

describe('the program', () => {
  let house: House;
  beforeEach(async () => {
    house = await openHouse((tracker) => {
      tracker.as('alice').file({ summary: 'It fails', description: 'Always.' });
    });
    for (const _time of [1, 2]) await house.run('once');
    mkdirSync(`${house.state}.commands`, { recursive: true, mode: 0o700 });
  });
  afterEach(() => house.close());

  test('goes on beside broken commands, and status names them until they are deleted', async () => {
    for (const [index, [, make]] of broken.entries()) make(join(`${house.state}.commands`, `${index}.json`));
    house.github.as('mona').comment('acme/widget', 1, 'It goes on.');
    expect(await house.run('once')).toMatchObject({ code: 0 });
    expect(house.tracker.commentsOf(1).at(-1)?.text).toContain('It goes on.');
    const { code, out } = await house.run('status');
    expect(code).toBe(1);
    expect(out).toContain('0.json.broken was put aside: it is empty. Delete it, and give the command again.');
    expect(
      (await house.run('status', '--json')).json<{ brokenCommands: readonly unknown[] }>()[0]?.brokenCommands,
    ).toHaveLength(broken.length);
    for (const name of readdirSync(`${house.state}.commands`))
      rmSync(join(`${house.state}.commands`, name), { recursive: true });
    expect(await house.run('status')).toMatchObject({ code: 0 });
  });

  test('lets nobody else into the folder of commands', async () => {
    chmodSync(`${house.state}.commands`, 0o777);
    expect((await house.run('check')).out).toContain('it contains commands for the bridge');
    expect((await house.run('once')).err).toContain('Other users of this machine could reach the commands');
    expect(statSync(`${house.state}.commands`).mode & 0o777).toBe(0o700);
  });

  test.each([
    ['in a new file', false],
    ['in a file that others could read', true],
  ])('writes pages and reports for their owner alone, %s', async (_name, isThere) => {
    for (const args of [
      ['plan', '--html', 'plan.html'],
      ['verify', '--html', 'verify.html'],
      ['migrate', '--dry-run', '--preview', 'preview.html'],
    ]) {
      const file = join(house.folder, args.at(-1) ?? '');
      if (isThere) writeFileSync(file, 'before', { mode: 0o644 });
      await house.run(...args.slice(0, -1), file);
      expect([file, statSync(file).mode & 0o777]).toEqual([file, 0o600]);
    }
  });
});

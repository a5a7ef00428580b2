import { copyFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { saidNothing } from '../simulation/restores/crowd.ts';
import { dumpOf, loadDump } from '../simulation/restores/tracker-dump.ts';
import { type House, openHouse } from '../support/bugferry.ts';
import { read } from './documents.ts';

/** Each line of docs/operating.md on what comes back, done as an operator does it. */
const repo = 'acme/widget';
let house: House;
const backup = () => join(house.folder, 'old.db');

beforeEach(async () => {
  house = await openHouse((tracker) => {
    for (let number = 1; number <= 3; number += 1)
      tracker.as('alice').file({ summary: `Bug ${number}`, description: 'It fails.' });
    tracker.as('alice').comment(1, 'one');
  });
  house.github.allow(repo, 'bugferry-bot', 'admin');
  house.configure((config) => {
    config.routes[0].attachments = { store: 'branch' };
  });
});
afterEach(() => house.close());

async function once(count = 1, ...args: readonly string[]): Promise<void> {
  for (let turn = 0; turn < count; turn += 1)
    expect((await house.run('once', ...args)).code, args.join()).toBeLessThan(2);
}

async function backedUp(): Promise<void> {
  await once(3);
  expect(await house.run('state', 'backup', backup())).toMatchObject({ code: 0 });
}

async function restored(): Promise<void> {
  expect(await house.run('state', 'restore', backup())).toMatchObject({ code: 0 });
}

function lose(): void {
  for (const rest of ['', '-wal', '-shm']) rmSync(`${house.state}${rest}`, { force: true });
}

const alice = () => house.tracker.as('alice');
const hide = (bug: number, how: 'add' | 'remove') =>
  house.tracker.as('admin').change(bug, { groups: { [how]: ['security'] } });
const copies = (number: number) => house.github.commentsOf(repo, number).map(({ body }) => body);
const both = (number: number) => [house.tracker.bug(number)?.status, house.github.issue(repo, number)?.state];
const titles = () => house.github.issues(repo).map(({ title }) => title);

/** Alice closes a bug and reopens it, and only the closing crosses before the state comes back. */
async function reopened(comesBack: () => Promise<void>): Promise<void> {
  alice().change(1, { status: 'RESOLVED', resolution: 'FIXED' });
  await once(2);
  expect(both(1)).toEqual(['RESOLVED', 'closed']);
  await pause(1_100);
  alice().change(1, { status: 'CONFIRMED' });
  await comesBack();
  await once(3);
  expect(both(1)).toEqual(['CONFIRMED', 'open']);
}

const runs: Readonly<Record<string, () => Promise<void>>> = {
  async 'A backup'() {
    await backedUp();
    await reopened(restored);
  },
  async Copies() {
    await backedUp();
    const [, comment] = house.tracker.commentsOf(1);
    for (const [version, comesBack] of [['second', restored] as const, ['third', async () => undefined] as const]) {
      house.tracker.editComment(comment?.id ?? 0, `${version} version`);
      alice().comment(1, `Edited: ${version}`);
      await once(1);
      await once(2, '--sweep');
      await comesBack();
      await once(2);
      expect(copies(1).join()).toContain(`${version} version`);
    }
    expect(copies(1)).toHaveLength(3);
  },
  async 'What became private'() {
    await backedUp();
    await pause(1_100);
    alice().attach(2, { bytes: new Uint8Array([1, 2]), file_name: 'a.log', summary: 'The log' });
    await once(3);
    expect(house.github.files(repo, 'attachments').size).toBe(1);
    hide(2, 'add');
    await restored();
    await once(1);
    expect(titles()[1]).toBe('Bug 2 is not public');
    await once(1, '--sweep');
    expect([copies(2), house.github.files(repo, 'attachments').size]).toEqual([[], 0]);
  },
  async 'What was withdrawn'() {
    await backedUp();
    hide(2, 'add');
    await once(2);
    await restored();
    await once(2);
    expect(titles()[1]).toBe('Bug 2 is not public');
    hide(2, 'remove');
    await once(4);
    expect([titles()[1], house.tracker.bug(2)?.summary, ...both(2)]).toEqual(['Bug 2', 'Bug 2', 'CONFIRMED', 'open']);
  },
  async 'An end that left'() {
    await backedUp();
    await pause(1_100);
    house.github.as('mona').close(repo, 2);
    await once(3);
    const closed = house.tracker.bug(2);
    expect(closed?.status).toBe('RESOLVED');
    house.github.as('mona').deleteIssue(repo, 2);
    await restored();
    await once(3);
    expect(house.tracker.bug(2)).toEqual(closed);
    expect(titles()).toEqual(['Bug 1', 'Bug 3']);
  },
  async 'A backup of a migration'() {
    house.github.limits.importDelaysMs = [2_000];
    const migration = house.start('migrate', '--no-verify');
    const sent = () =>
      house.github.requests.filter(({ path, method }) => method === 'POST' && path.endsWith('/issues'));
    for (let tries = 0; tries < 400 && sent().length < 3; tries += 1) await pause(25);
    await pause(300);
    await house.run('state', 'backup', backup());
    migration.child.kill('SIGKILL');
    await migration.ended;
    await pause(2_000);
    await restored();
    await once(2);
    expect(titles()).toEqual(['Bug 1', 'Bug 2', 'Bug 3']);
    expect(await house.run('migrate')).toMatchObject({ code: 0 });
    expect(titles()).toHaveLength(3);
  },
  async 'A backup from before the cutover'() {
    await backedUp();
    expect(await house.run('cutover', '--yes', 'comment,close')).toMatchObject({ code: 0 });
    await restored();
    await once(2);
    expect([1, 2, 3].map((number) => both(number).join())).toEqual(Array(3).fill('RESOLVED,open'));
    expect(await house.run('cutover', '--undo')).toMatchObject({ code: 0 });
    await once(2);
    expect([1, 2, 3].map((number) => both(number).join())).toEqual(Array(3).fill('CONFIRMED,open'));
  },
  async 'No state'() {
    await once(3);
    const before = house.writes();
    lose();
    expect(await house.run('adopt')).toMatchObject({ code: 0, out: expect.stringContaining('3 pairs restored') });
    await once(2);
    expect(house.writes()).toEqual(before);
  },
  async 'A state file without `state restore`'() {
    await backedUp();
    alice().file({ summary: 'Since the backup', description: 'It fails.' });
    await reopened(async () => {
      lose();
      copyFileSync(backup(), house.state);
    });
    expect(titles()).toHaveLength(4);
  },
  async 'A copied state'() {
    await backedUp();
    const other = join(house.folder, 'other.yaml');
    const config = JSON.parse(readFileSync(join(house.folder, 'bridge.yaml'), 'utf8'));
    writeFileSync(other, JSON.stringify({ ...config, state: backup() }));
    const codes: number[] = [];
    for (let turn = 0; turn < 3; turn += 1) {
      alice().file({ summary: `New ${turn}`, description: 'It fails.' });
      await once(1);
      await pause(1_100);
      codes.push((await house.run('once', '--config', other)).code);
    }
    expect(codes.at(-1)).toBe(3);
    expect(new Set(titles()).size).toBe(titles().length);
  },
  async 'An older tracker'() {
    await once(3);
    const said = saidNothing();
    const dump = dumpOf(house.tracker, said);
    // What is a second apart may have been committed in another order.
    await pause(2_100);
    alice().change(1, { summary: 'Bug 1, since' });
    house.github.as('mona').edit(repo, 2, { title: 'Bug 2, since' });
    house.github.as('mona').comment(repo, 3, 'Said since.');
    await once(3);
    await pause(3_000);
    loadDump(house.tracker, dump, said);
    await once(3, '--sweep');
    const summaries = ['Bug 1, since', 'Bug 2, since', 'Bug 3'];
    expect(house.tracker.bugs().map(({ summary }) => summary)).toEqual(summaries);
    expect(titles()).toEqual(summaries);
    expect(house.tracker.commentsOf(3).filter(({ text }) => text.includes('Said since.'))).toHaveLength(1);
  },
  async 'An older tracker without bugs that it had, a new repository'() {
    await once(3);
    const said = saidNothing();
    const dump = dumpOf(house.tracker, said);
    for (const number of [4, 5]) alice().file({ summary: `Bug ${number}`, description: 'It fails.' });
    await once(3);
    loadDump(house.tracker, dump, said);
    house.github.as('mona').open(repo, { title: 'After it', body: 'Steps' });
    const before = house.writes();
    expect(await house.run('once')).toMatchObject({ code: 3, err: expect.stringContaining('once --force') });
    expect(house.writes()).toEqual(before);
    await once(1, '--force');
    await once(2);
    const summaries = ['Bug 1', 'Bug 2', 'Bug 3', 'After it'];
    expect(house.tracker.bugs().map(({ summary }) => summary)).toEqual(summaries);
    house.github.state.repos.delete(repo);
    house.github.addRepo(repo, { permissions: { 'bugferry-bot': 'write', mona: 'admin' } });
    house.github.as('mona').open(repo, { title: 'In the new one', body: 'Steps' });
    expect(await house.run('once')).toMatchObject({ code: 3, err: expect.stringContaining('once --force') });
    expect(house.tracker.bugs()).toHaveLength(4);
    await once(1, '--force');
    await once(2);
    expect(house.tracker.bugs().map(({ summary }) => summary)).toEqual([...summaries, 'In the new one']);
    expect(titles()).toEqual(['In the new one']);
  },
};

test('every line on what comes back is run here', () => {
  const [, list = ''] = read('docs/operating.md').split('After something came back:');
  expect([...(list.split('\n## ')[0] ?? '').matchAll(/^- \*\*(.+?)\*\*/gmu)].map(([, name]) => name)).toEqual(
    Object.keys(runs),
  );
});

test.each(Object.entries(runs))('%s', (_line, run) => run());

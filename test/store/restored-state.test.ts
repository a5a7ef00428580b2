import { copyFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { FaultSource } from '../../src/sandbox/server/faults.ts';
import { type House, openHouse } from '../support/bugferry.ts';

/** What an operator finds after an older state came back in each of its ways, or was lost. */
const repo = 'acme/widget';
let house: House;
let failsWrites: 'no' | 'before' | 'after' = 'no';
const faults: FaultSource = (_side, cost) =>
  failsWrites === 'no' || cost === 'read' ? { kind: 'none' } : { kind: 'drop', after: failsWrites === 'after' };
const backup = () => join(house.folder, 'old.db');

beforeEach(async () => {
  house = await openHouse(
    (tracker) => {
      const alice = tracker.as('alice');
      for (let number = 1; number <= 4; number += 1) alice.file({ summary: `Bug ${number}`, description: 'It fails.' });
      alice.comment(1, 'one');
      alice.comment(1, 'see comment 4, please');
    },
    { faults },
  );
  failsWrites = 'no';
  house.configure((config) => {
    config.routes[0].attachments = { store: 'branch' };
  });
  house.github.as('mona').open(repo, { title: 'By a person', body: 'Steps' });
  await turns(4);
});
afterEach(() => house.close());

async function turns(count: number, ...args: readonly string[]): Promise<void> {
  for (let turn = 0; turn < count; turn += 1) {
    const { code, err } = await house.run('once', ...args);
    expect({ code, err }).toEqual({ code: expect.any(Number), err: '' });
  }
}

const ways = ['restored', 'put back', 'lost'] as const;
async function comesBack(way: (typeof ways)[number]): Promise<void> {
  if (way === 'restored') expect(await house.run('state', 'restore', backup())).toMatchObject({ code: 0 });
  else for (const rest of ['', '-wal', '-shm']) rmSync(`${house.state}${rest}`, { force: true });
  if (way === 'put back') copyFileSync(backup(), house.state);
  if (way === 'lost') expect(await house.run('adopt')).toMatchObject({ code: 0 });
}

const copies = (number: number): readonly string[] => house.github.commentsOf(repo, number).map(({ body }) => body);
const issueOf = (title: string): number => house.github.issues(repo).find((each) => each.title === title)?.number ?? 0;

describe.each(ways)('where the state is %s', (way) => {
  test('copies that the bridge itself rewrote since are its own, and later edits cross', async () => {
    await house.run('state', 'backup', backup());
    const [, one] = house.tracker.commentsOf(1);
    house.tracker.editComment(one?.id ?? 0, 'one, second version');
    house.tracker.as('alice').comment(1, 'three');
    house.tracker.as('alice').comment(1, 'four');
    await turns(2, '--sweep');
    await turns(1);
    const number = issueOf('Bug 1');
    expect(copies(number).join()).toContain('second version');
    const before = copies(number);
    await comesBack(way);
    await turns(3);
    expect(copies(number)).toEqual(before);
    house.tracker.editComment(one?.id ?? 0, 'one, third version');
    house.tracker.as('alice').comment(1, 'five');
    await turns(2, '--sweep');
    await turns(1);
    expect(copies(number).join()).toContain('third version');
    expect(copies(number).join()).not.toContain('second version');
    expect((await house.run('verify')).out).toContain('no differences');
  });

  test('so is a description that became long since, and nothing of that is reported to the bug', async () => {
    // A lost state leaves the parts of a long text as they are.
    const more = way === 'lost' ? '' : ' Many words.'.repeat(7_000);
    await house.run('state', 'backup', backup());
    const [description] = house.tracker.commentsOf(2);
    const number = issueOf('Bug 2');
    house.tracker.editComment(description?.id ?? 0, `It fails often.${more}`);
    house.tracker.as('alice').comment(2, 'a word');
    await turns(3, '--sweep');
    expect(house.github.issue(repo, number)?.body).toContain('It fails often.');
    const before = [copies(number), house.tracker.commentsOf(2).map(({ text }) => text)];
    await comesBack(way);
    await turns(3);
    expect([copies(number), house.tracker.commentsOf(2).map(({ text }) => text)]).toEqual(before);
    house.tracker.editComment(description?.id ?? 0, 'It fails seldom.');
    house.tracker.as('alice').comment(2, 'another word');
    await turns(3, '--sweep');
    expect(house.github.issue(repo, number)?.body).toContain('It fails seldom.');
    expect(await house.run('verify')).toMatchObject({ code: 0 });
  });

  test('a copy that people changed since stays as they want it', async () => {
    await house.run('state', 'backup', backup());
    const number = issueOf('Bug 1');
    const [copy] = house.github.commentsOf(repo, number);
    house.github.as('mona').editComment(repo, copy?.id ?? 0, `By mona. ${copy?.body}`);
    await turns(2);
    await comesBack(way);
    house.tracker.editComment(house.tracker.commentsOf(1)[1]?.id ?? 0, 'one, second version');
    house.tracker.as('alice').comment(1, 'two');
    await turns(3, '--sweep');
    expect(copies(number)[0]).toContain('By mona.');
    expect(copies(number)).toHaveLength(3);
  });

  test('an audit raises no alarm for what was withdrawn since, before and after the next cycle', async () => {
    await house.run('state', 'backup', backup());
    house.tracker.as('admin').change(2, { groups: { add: ['security'] } });
    await turns(3);
    await comesBack(way);
    expect((await house.run('audit')).out).toContain('Everything published is allowed to be.');
    await turns(2);
    expect(await house.run('audit')).toMatchObject({ code: 0 });
    expect(await house.run('verify')).toMatchObject({ code: 0 });
    house.tracker.as('admin').change(2, { groups: { remove: ['security'] } });
    await turns(4, '--sweep');
    expect(house.github.issues(repo).map(({ title, state }) => [title, state])).toContainEqual(['Bug 2', 'open']);
    expect(await house.run('verify')).toMatchObject({ code: 0 });
  });

  test('an issue of a person keeps its title while its bug is hidden', async () => {
    await house.run('state', 'backup', backup());
    house.tracker.as('admin').change(5, { groups: { add: ['security'] } });
    await turns(2);
    expect(issueOf('By a person')).toBe(1);
    await comesBack(way);
    await turns(3, '--sweep');
    expect(issueOf('By a person')).toBe(1);
    house.tracker.as('admin').change(5, { groups: { remove: ['security'] } });
    await turns(3, '--sweep');
    expect(house.github.issue(repo, 1)).toMatchObject({ title: 'By a person', state: 'open', isLocked: false });
    expect(house.tracker.bug(5)).toMatchObject({ summary: 'By a person' });
  });

  test.each(['before', 'after'] as const)(
    'writes that were planned then are not made again, nor undo what people did since (%s)',
    async (when) => {
      house.tracker.as('alice').change(3, { summary: 'Bug 3, renamed' });
      house.tracker.as('alice').comment(3, 'said in time');
      house.tracker.as('alice').attach(3, { bytes: new Uint8Array([1, 2]), file_name: 'a.log', summary: 'a' });
      house.github.as('mona').comment(repo, 1, 'said in time, too');
      failsWrites = when;
      await house.run('once');
      failsWrites = 'no';
      await house.run('state', 'backup', backup());
      await turns(3);
      const three = issueOf('Bug 3, renamed');
      house.github.as('mona').edit(repo, three, { title: 'Bug 3, renamed again' });
      house.tracker.as('admin').changeAttachment(1, { is_private: true });
      await turns(3);
      await comesBack(way);
      await turns(3);
      expect(house.tracker.bug(3)?.summary).toBe('Bug 3, renamed again');
      expect(copies(three).filter((body) => body.includes('said in time'))).toHaveLength(1);
      expect(house.tracker.commentsOf(5).filter(({ text }) => text.includes('said in time, too'))).toHaveLength(1);
      await turns(1, '--sweep');
      expect([...house.github.files(repo, 'attachments').keys()]).toEqual([]);
      expect(await house.run('verify')).toMatchObject({ code: 0 });
    },
  );
});

test('before a cycle has read after a restore, nothing counts as in step, nor as confirmed public', async () => {
  await house.run('state', 'backup', backup());
  house.tracker.as('alice').file({ summary: 'Bug 6' });
  await turns(2);
  expect(await house.run('status')).toMatchObject({ code: 0 });
  await comesBack('restored');
  const status = await house.run('status');
  expect(status).toMatchObject({
    code: 1,
    out: expect.stringContaining('not all mirrored bugs were confirmed public'),
  });
  expect(status.out).not.toContain('all mirrored bugs were confirmed public;');
  await turns(2);
  expect(await house.run('status')).toMatchObject({
    code: 0,
    out: expect.stringContaining('all mirrored bugs were confirmed public; the oldest check was'),
  });
});

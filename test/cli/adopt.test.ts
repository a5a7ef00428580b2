import { existsSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type House, openHouse } from '../support/bugferry.ts';

/** I4 and I5 as an operator meets them: the state is lost in the middle of life. */
let house: House;

beforeEach(async () => {
  house = await openHouse((tracker) => {
    const alice = tracker.as('alice');
    for (let index = 1; index <= 6; index += 1) {
      const bug = alice.file({ summary: `Bug ${index}`, description: 'It fails.' });
      alice.comment(bug, `Comment on ${index}`);
    }
    alice.change(2, { status: 'RESOLVED', resolution: 'FIXED' });
  });
  const mona = house.github.as('mona');
  mona.comment('acme/widget', mona.open('acme/widget', { title: 'Opened on GitHub', body: 'Steps' }), 'A thought');
  for (let cycle = 0; cycle < 3; cycle += 1) await house.run('once');
});
afterEach(() => house.close());

const lose = (): void => {
  for (const rest of ['', '-wal', '-shm']) rmSync(`${house.state}${rest}`, { force: true });
};

interface Route {
  readonly adoption: {
    readonly pairs: number;
    readonly operations: readonly { readonly kind: string; readonly on: string }[];
  } | null;
}

async function adopted(): Promise<Route['adoption']> {
  const { code, json } = await house.run('adopt', '--json');
  expect(code).toBe(0);
  return json<{ routes: readonly Route[] }>()[0]?.routes[0]?.adoption ?? null;
}

describe('adopt', () => {
  test('finds all pairs again without writing anything, and the next cycles are quiet', async () => {
    lose();
    const before = house.writes();
    const { code, out } = await house.run('adopt');
    expect({ code, out }).toEqual({ code: 0, out: expect.stringContaining('7 pairs restored; nothing to write') });
    for (let cycle = 0; cycle < 3; cycle += 1) expect(await house.run('once')).toMatchObject({ code: 0 });
    expect(house.writes()).toBe(before);
    expect(await house.run('status')).toMatchObject({ code: 0, out: expect.stringContaining('in step: 7 pairs') });
  });

  test('leaves changes since then to the next cycle, and reports them', async () => {
    lose();
    house.tracker.as('alice').comment(1, 'Said while nobody remembered');
    house.tracker.as('alice').file({ summary: 'Filed while nobody remembered', description: '' });
    const before = house.writes();
    const adoption = await adopted();
    expect(adoption?.pairs).toBe(7);
    expect(adoption?.operations.map(({ kind, on }) => `${kind} ${on}`).sort()).toEqual([
      'comment github',
      'create github',
      'point tracker',
    ]);
    expect(house.writes()).toBe(before);
    await house.run('once');
    await house.run('once');
    expect(
      house.github.commentsOf('acme/widget', 2).filter(({ body }) => body.includes('nobody remembered')),
    ).toHaveLength(1);
    expect(house.github.issues('acme/widget').map(({ title }) => title)).toHaveLength(8);
  });

  test('counts what plan counts, also what has to wait there for the creations that are allowed', async () => {
    lose();
    for (const bug of [1, 2, 3]) house.tracker.as('alice').comment(bug, 'Said while nobody remembered');
    for (const createsPerMinute of [5000, 2]) {
      house.configure((config) => {
        config.limits.github.createsPerMinute = createsPerMinute;
      });
      if (createsPerMinute > 2) expect((await house.run('adopt')).out).toContain('3 operations for the next cycles');
      const sum = createsPerMinute > 2 ? '  3 writes.' : '  2 writes, and 1 that has to wait.';
      expect((await house.run('plan')).out.trimEnd().split('\n').at(-1)).toBe(sum);
    }
  });

  test('recreates nothing that was deleted since', async () => {
    lose();
    const victim = house.github.issues('acme/widget').find(({ title }) => title === 'Bug 3');
    house.github.as('mona').deleteIssue('acme/widget', victim?.number ?? 0);
    expect((await house.run('adopt')).out).toMatch(/6 pairs restored, 1 with a deleted or hidden end/);
    await house.run('once');
    expect(house.github.issues('acme/widget')).toHaveLength(6);
  });

  test('pairs everything again in the place of a state file from before the first release, which nothing else touches', async () => {
    const db = new Database(house.state);
    db.pragma('user_version = 4');
    db.close();
    for (const command of ['once', 'status', 'plan', 'adopt'])
      expect(await house.run(command)).toMatchObject({
        code: 2,
        err: expect.stringMatching(/before the first release .*Move it away.*bugferry adopt/),
      });
    renameSync(house.state, `${house.state}.old`);
    lose();
    const before = house.writes();
    expect((await adopted())?.pairs).toBe(7);
    expect(house.writes()).toBe(before);
  });

  test('leaves a state that knows its pairs as it is', async () => {
    expect(await house.run('adopt')).toMatchObject({ code: 0, out: expect.stringContaining('nothing to adopt') });
  });

  test('resumes after an interruption', async () => {
    lose();
    house.github.setToken('bugferry-bot', null);
    expect(await house.run('adopt')).toMatchObject({ code: 4 });
    house.github.setToken('bugferry-bot', house.token);
    expect((await adopted())?.pairs).toBe(7);
  });
});

describe('state', () => {
  test('a backup that is put back after a day of work neither doubles nor loses anything', async () => {
    const backup = join(house.folder, 'bugferry.backup');
    expect(await house.run('state', 'backup', backup)).toMatchObject({
      code: 0,
      out: expect.stringMatching(/version \d+, 7 pairs/u),
    });
    expect(await house.run('state', 'backup', backup)).toMatchObject({
      code: 2,
      err: expect.stringContaining('overwrites nothing'),
    });
    house.tracker.as('alice').comment(1, 'After the backup');
    house.tracker.as('alice').file({ summary: 'After the backup', description: '' });
    house.github.as('mona').comment('acme/widget', 3, 'After the backup, too');
    await house.run('once');
    await house.run('once');
    const before = {
      issues: house.github.issues('acme/widget').length,
      bugs: house.tracker.bugs().length,
      writes: house.writes(),
    };
    const { code, out } = await house.run('state', 'restore', backup);
    expect({ code, out }).toEqual({
      code: 0,
      out: expect.stringMatching(/7 pairs.*\n.*The previous state is in \S+replaced/),
    });
    for (let cycle = 0; cycle < 3; cycle += 1) expect(await house.run('once')).toMatchObject({ code: 0 });
    expect({
      issues: house.github.issues('acme/widget').length,
      bugs: house.tracker.bugs().length,
      writes: house.writes(),
    }).toEqual(before);
    expect(await house.run('state', 'verify')).toMatchObject({ code: 0, out: expect.stringContaining('8 pairs') });
  });

  test('verify says what is wrong, and restore asks for a file', async () => {
    renameSync(house.state, `${house.state}.away`);
    expect(existsSync(house.state)).toBe(false);
    expect(await house.run('state', 'verify')).toMatchObject({
      code: 2,
      err: expect.stringContaining('does not exist'),
    });
    expect(await house.run('state', 'restore')).toMatchObject({
      code: 2,
      err: expect.stringContaining('Name the file'),
    });
    expect(await house.run('state', 'polish')).toMatchObject({
      code: 2,
      err: expect.stringContaining('Allowed choices are backup'),
    });
  });
});

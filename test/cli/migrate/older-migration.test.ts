import { copyFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type House, openHouse } from '../../support/bugferry.ts';

/**
 * A state from the middle of a migration comes back, and the operator starts the mirror instead of another migration:
 * what its imports made is found at once, and nothing waits for the hour that an import may take.
 */
const repo = 'acme/widget';
let house: House;
const backup = () => join(house.folder, 'old.db');

beforeEach(async () => {
  house = await openHouse((tracker) => {
    for (let number = 1; number <= 12; number += 1)
      tracker.as('alice').file({ summary: `Problem ${number}`, description: 'It fails.' });
    tracker.as('alice').change(3, { status: 'RESOLVED', resolution: 'FIXED' });
  });
  house.github.allow(repo, 'bugferry-bot', 'admin');
});
afterEach(() => house.close());

const titles = () => house.github.issues(repo).map(({ title }) => title);

/** Ends with imports on their way, and a backup of that moment. */
async function migrateHalf(): Promise<void> {
  house.github.limits.importDelaysMs = [4_000];
  const migration = house.start('migrate', '--no-verify');
  const imports = () =>
    house.github.requests.filter(({ method, path }) => method === 'POST' && path.endsWith('/import/issues'));
  for (let tries = 0; tries < 400 && imports().length < 12; tries += 1) await pause(25);
  await pause(300);
  await house.run('state', 'backup', backup());
  migration.child.kill('SIGKILL');
  await migration.ended;
  await pause(4_000);
}

describe.each(['restored', 'put back', 'kept'])('a state that is %s', (how) => {
  const comesBack = async (): Promise<void> => {
    if (how === 'restored') expect(await house.run('state', 'restore', backup())).toMatchObject({ code: 0 });
    if (how === 'put back') {
      for (const rest of ['-wal', '-shm']) rmSync(`${house.state}${rest}`, { force: true });
      copyFileSync(backup(), house.state);
    }
  };

  test('is in step with the second cycle, and makes no issue again', async () => {
    await migrateHalf();
    await comesBack();
    expect(await house.run('once')).toMatchObject({ code: 0 });
    const { code, out } = await house.run('once');
    expect({ code, out }).toEqual({ code: 0, out: expect.stringContaining('in step: 12 pairs') });
    expect(titles()).toHaveLength(12);
    expect(house.github.issue(repo, 3)?.state).toBe('closed');
    expect(await house.run('verify')).toMatchObject({ code: 0 });
  });

  test('withdraws what became private meanwhile, and carries over what people did', async () => {
    await migrateHalf();
    house.tracker.as('admin').change(2, { groups: { add: ['security'] } });
    house.tracker.as('alice').change(5, { summary: 'Another problem' });
    house.github.as('mona').comment(repo, 7, 'I have seen it.');
    await comesBack();
    for (let cycle = 0; cycle < 3; cycle += 1) expect(await house.run('once')).toMatchObject({ code: 0 });
    expect([titles()[1], titles()[4]]).toEqual(['Bug 2 is not public', 'Another problem']);
    expect(house.tracker.commentsOf(7).some(({ text }) => text.includes('I have seen it.'))).toBe(true);
    expect((await house.run('status')).out).not.toContain('in doubt');
  });

  test('goes on with another migration, too', async () => {
    await migrateHalf();
    await comesBack();
    expect(await house.run('migrate')).toMatchObject({ code: 0 });
    expect(titles()).toHaveLength(12);
    expect(await house.run('verify')).toMatchObject({ code: 0 });
  });
});

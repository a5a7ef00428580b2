import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type House, openHouse } from '../../support/bugferry.ts';

/** A backup of before the cutover comes back: the closings of the cutover are no edits by people, and can be undone. */
const repo = 'acme/widget';
let house: House;
const backup = () => join(house.folder, 'old.db');

beforeEach(async () => {
  house = await openHouse((tracker) => {
    const alice = tracker.as('alice');
    for (let number = 1; number <= 12; number += 1)
      alice.file({ summary: `Problem ${number}`, description: 'It fails.' });
    alice.change(3, { status: 'IN_PROGRESS' });
  });
});
afterEach(() => house.close());

const statuses = () => house.tracker.bugs().map(({ status, resolution }) => `${status} ${resolution}`.trim());
const open = () => house.github.issues(repo).filter(({ state }) => state === 'open').length;

async function cutOver(direction: string, steps: string): Promise<readonly string[]> {
  house.configure((config) => {
    config.routes[0].direction = direction;
  });
  for (let cycle = 0; cycle < 3; cycle += 1) await house.run('once');
  const before = statuses();
  expect(await house.run('state', 'backup', backup())).toMatchObject({ code: 0 });
  expect(await house.run('cutover', '--yes', steps)).toMatchObject({ code: 0 });
  expect(new Set(statuses()).size).toBe(1);
  return before;
}

const restored = () => house.run('state', 'restore', backup());

describe.each([
  ['to-github', 'comment,close'],
  ['to-github', 'close'],
  ['both', 'comment,close'],
])('after a cutover on a route %s with %s', (direction, steps) => {
  test('an older state leaves the issues open and the bugs closed, and advises nothing', async () => {
    await cutOver(direction, steps);
    const closed = statuses();
    await restored();
    for (let cycle = 0; cycle < 3; cycle += 1) {
      const { code, err } = await house.run('once');
      expect({ code, err }).toEqual({ code: 0, err: expect.not.stringContaining('--force') });
    }
    expect([open(), statuses()]).toEqual([12, closed]);
  });

  test('an older state undoes it at once', async () => {
    const before = await cutOver(direction, steps);
    await restored();
    expect(await house.run('cutover', '--undo')).toMatchObject({ code: 0, out: expect.stringContaining('12 bugs') });
    expect(statuses()).toEqual(before);
    for (let cycle = 0; cycle < 3; cycle += 1) expect(await house.run('once')).toMatchObject({ code: 0 });
    expect([open(), statuses()]).toEqual([12, before]);
  });

  test('an older state undoes it after some cycles, and leaves what people closed since', async () => {
    const before = await cutOver(direction, steps);
    house.tracker.as('alice').change(4, { resolution: 'FIXED' });
    await restored();
    for (let cycle = 0; cycle < 3; cycle += 1) expect(await house.run('once')).toMatchObject({ code: 0 });
    await house.run('cutover', '--undo');
    expect(statuses()).toEqual(before.map((status, index) => (index === 3 ? 'RESOLVED FIXED' : status)));
    expect(open()).toBe(11);
  });
});

test('an issue that people closed, with its bug, is no cutover', async () => {
  house.configure(() => {});
  for (let cycle = 0; cycle < 3; cycle += 1) await house.run('once');
  await house.run('state', 'backup', backup());
  house.github.as('mona').close(repo, 1, 'completed');
  await house.run('once');
  await restored();
  for (let cycle = 0; cycle < 2; cycle += 1) await house.run('once');
  expect(await house.run('cutover', '--undo')).toMatchObject({ code: 0, out: expect.stringContaining('0 bugs') });
  expect(statuses()[0]).toBe('RESOLVED FIXED');
});

import { afterEach, expect, test } from 'vitest';
import { noFaults } from '../../src/sandbox/server/faults.ts';
import { type House, openHouse } from '../support/bugferry.ts';

/** `once` reads back what it wrote, so that it ends with what is true: in step, or what is left. */
const repo = 'acme/widget';
let house: House;
afterEach(() => house.close());

/** @param written called before each write is answered, with the number of writes so far */
async function opened(bugs: number, written: (writes: number) => void = () => {}): Promise<void> {
  let writes = 0;
  house = await openHouse(
    (tracker) => {
      for (let number = 1; number <= bugs; number += 1)
        tracker.as('alice').file({ summary: `Problem ${number}`, description: 'It fails.', stampedMsAgo: 86_400_000 });
    },
    {
      faults(side, cost) {
        if (cost !== 'read') {
          writes += 1;
          written(writes);
        }
        return noFaults(side, cost);
      },
    },
  );
}

const inStep = (bugs: number) => ({ code: 0, out: expect.stringContaining(`in step: ${bugs} pairs`) });

test.each([12, 60])('once that mirrored %i bugs ends in step, for a handful of requests more', async (bugs) => {
  const asked = { tracker: 0, github: 0 };
  await opened(bugs, () => {
    asked.tracker = house.requests();
    asked.github = house.github.requests.length;
  });
  expect(await house.run('once')).toMatchObject(inStep(bugs));
  expect(await house.run('status')).toMatchObject(inStep(bugs));
  // What it asked after the last write, which is counted before it is stored.
  expect(house.requests() - asked.tracker).toBeLessThanOrEqual(6);
  expect(house.github.requests.length - asked.github).toBeLessThanOrEqual(5);
});

test('so does one that wrote a change, and one that compared in full before', async () => {
  await opened(3);
  await house.run('once');
  house.tracker.as('alice').change(3, { summary: 'It fails again' });
  expect(await house.run('once')).toMatchObject(inStep(3));
  expect(house.github.issue(repo, 3)?.title).toBe('It fails again');
  house.github.as('mona').edit(repo, 3, { title: 'It fails each time' });
  expect(await house.run('once', '--sweep')).toMatchObject(inStep(3));
  expect(await house.run('status')).toMatchObject({ code: 0 });
});

test('it is one cycle more: what people changed meanwhile crosses, and is said to be read back', async () => {
  await opened(12, (writes) => {
    const summary = writes === 12 ? 'Worse' : writes > 24 ? `Worse still, ${writes}` : null;
    if (summary !== null) house.tracker.as('alice').change(2, { summary });
  });
  const behind = { code: 0, out: expect.stringContaining('catching up: 12 pairs, 1 to be read back') };
  expect(await house.run('once')).toMatchObject(behind);
  expect(house.github.issue(repo, 2)?.title).toBe('Worse');
  expect(await house.run('status')).toMatchObject({ code: 1 });
});

test('what needs a person keeps nothing else from being read back', async () => {
  await opened(3);
  house.configure((config) => {
    config.routes[0].conflicts = 'ask';
  });
  await house.run('once');
  house.tracker.as('alice').change(1, { summary: 'By the tracker' });
  house.github.as('mona').edit(repo, 1, { title: 'By GitHub' });
  house.tracker.as('alice').change(2, { summary: 'Crosses' });
  house.tracker.as('alice').change(3, { summary: 'Crosses, too' });
  const { code, out } = await house.run('once', '--force');
  expect(code).toBe(1);
  expect(out).toContain('needs you: 3 pairs, 1 conflict to decide');
  expect(house.github.issue(repo, 3)?.title).toBe('Crosses, too');
});

test('nothing is read back while writes are left', async () => {
  await opened(12);
  house.configure((config) => {
    config.limits.github.createsPerMinute = 5;
  });
  expect(await house.run('once')).toMatchObject({ code: 0, out: expect.stringContaining('5 of 12 mirrored') });
  expect(house.github.requests.at(-1)).toMatchObject({ method: 'POST' });
});

test('a side that is gone by then is said to be gone', async () => {
  await opened(2, (writes) => {
    if (writes === 4) setImmediate(() => void house.stopTracker());
  });
  expect(await house.run('once')).toMatchObject({
    code: 4,
    err: expect.stringContaining('The tracker cannot be reached'),
  });
});

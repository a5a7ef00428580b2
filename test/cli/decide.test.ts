import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type House, openHouse } from '../support/bugferry.ts';

/** Conflicts decided from the command line. */
let house: House;

beforeEach(async () => {
  house = await openHouse((tracker) => {
    tracker.as('alice').file({ summary: 'It fails', description: 'Always.' });
    tracker.as('alice').file({ summary: 'It hangs', description: 'Sometimes.' });
  });
  house.configure((config) => {
    config.routes[0].conflicts = 'ask';
  });
  await house.run('once');
  await tear();
});
afterEach(() => house.close());

/** Makes the titles of the first pair differ, and its severity too. */
async function tear(): Promise<void> {
  house.tracker.as('alice').change(1, { summary: 'It fails on Mondays' });
  house.github.as('mona').edit('acme/widget', 1, { title: 'It fails at night' });
  expect(await house.run('once')).toMatchObject({ code: 1 });
}

const titles = () => [house.tracker.bug(1)?.summary, house.github.issue('acme/widget', 1)?.title];

test('lists both values, and nothing when there is nothing', async () => {
  const { code, out } = await house.run('decide');
  expect(code).toBe(0);
  const at = '\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d UTC';
  expect(out).toMatch(
    new RegExp(
      `^bug 1 = acme/widget#1  title\n  tracker  "It fails on Mondays"  by alice, ${at}\n  github   "It fails at night"  by mona, ${at}\n$`,
      'u',
    ),
  );
  expect((await house.run('status')).out).toMatch(
    new RegExp(
      `title is "It fails on Mondays" on the tracker \\(by alice, ${at}\\) and "It fails at night" on GitHub \\(by mona, ${at}\\)`,
      'u',
    ),
  );
  expect((await house.run('decide', '--json')).json()).toMatchObject([
    { conflicts: [{ route: 'widget', field: 'title', kept: null }] },
  ]);
  await house.run('decide', 'bug', '1', '--keep', 'tracker');
  expect((await house.run('decide')).out).toBe('There is no conflict to decide.\n');
});

test.each([
  ['tracker', 'It fails on Mondays', ['bug', '1']],
  ['github', 'It fails at night', ['acme/widget#1', '--field', 'title']],
] as const)('keeps the value of the %s, and writes it to the other side', async (side, title, args) => {
  const { code, err, out } = await house.run('decide', ...args, '--keep', side);
  expect(code).toBe(0);
  expect(err).toContain(`title "${title}" of ${side === 'tracker' ? 'the tracker' : 'GitHub'} wins over`);
  expect(out).toContain('a person decided that the title of');
  expect(titles()).toEqual([title, title]);
  expect((await house.run('explain', 'bug', '1')).out).toContain('a person decided: title');
});

test('is left for the bridge that runs', async () => {
  house.configure((config) => {
    config.routes[0].conflicts = 'ask';
    config.schedule = { poll: '* * * * * *' };
  });
  const running = house.start('run');
  await running.says('started');
  expect(await house.run('decide', 'bug', '1', '--keep', 'github')).toMatchObject({
    code: 0,
    out: expect.stringContaining('Queued for'),
  });
  await running.says('a person decided that the title of GitHub wins');
  await running.says('set to');
  running.child.kill('SIGTERM');
  expect((await running.ended).code).toBe(0);
  expect(titles()).toEqual(['It fails at night', 'It fails at night']);
});

test('says so when a value has changed meanwhile, and leaves the conflict open', async () => {
  await house.run('pause', 'widget');
  await house.run('decide', 'bug', '1', '--keep', 'github');
  await house.run('resume', 'widget');
  // The decision waits, and the values that it was about no longer stand when its turn comes.
  const folder = `${house.state}.commands`;
  const [name = ''] = readdirSync(folder);
  const file = join(folder, name);
  writeFileSync(file, readFileSync(file, 'utf8').replace('It fails at night', 'It fails at noon'));
  const { out } = await house.run('once');
  expect(out).toContain('not decided: the values have changed meanwhile');
  expect(titles()).toEqual(['It fails on Mondays', 'It fails at night']);
});

test.each([
  ['without a side', ['bug', '1'], 'Say which side wins'],
  ['of a pair without a conflict', ['bug', '2', '--keep', 'tracker'], 'There is no conflict on bug 2 = acme/widget#2'],
  ['of another field', ['bug', '1', '--field', 'status', '--keep', 'tracker'], 'There is no conflict of the status on'],
  ['of what is not mirrored', ['bug', '99', '--keep', 'tracker'], 'Bug 99 is not mirrored'],
  ['of nothing in particular', ['--keep', 'tracker'], 'Name the bug or the issue'],
])('%s is wrong usage', async (_name, args, words) => {
  expect(await house.run('decide', ...args)).toMatchObject({ code: 2, err: expect.stringContaining(words) });
});

import { afterEach, beforeEach, expect, test } from 'vitest';
import type { ControlCommand } from '../../src/model/control.ts';
import { linkId, type Side } from '../../src/model/ids.ts';
import { fileControlQueue } from '../../src/store/control-queue.ts';
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

/** As a shell leaves it for the running bridge. */
const titleDecision = (keep: Side, github = 'It fails at night'): ControlCommand => ({
  kind: 'decide',
  route: 'widget',
  decision: { link: linkId(1), field: 'title', tracker: 'It fails on Mondays', github, keep },
});

const titles = () => [house.tracker.bug(1)?.summary, house.github.issue('acme/widget', 1)?.title];

test('lists both values, and nothing when there is nothing', async () => {
  const { code, out } = await house.run('decide');
  expect(code).toBe(0);
  const at = '\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d UTC';
  expect(out).toMatch(
    new RegExp(
      `^bug 1 = acme/widget#1  title\n  tracker  "It fails on Mondays"  by alice, ${at}\n  github   "It fails at night"  by mona, ${at}\n  before   "It fails"\n  bugferry decide bug 1 --keep tracker \\(or github\\)\n$`,
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

test('decides all conflicts at once, or all of one field', async () => {
  house.tracker.as('alice').change(2, { summary: 'It hangs on Mondays', severity: 'major' });
  house.github.as('mona').edit('acme/widget', 2, { title: 'It hangs at night' });
  expect(await house.run('once')).toMatchObject({ code: 1 });
  expect(await house.run('decide', '--all')).toMatchObject({
    code: 2,
    err: expect.stringContaining('which side wins'),
  });
  for (const args of [
    ['bug', '1', '--all', '--keep', 'github'],
    ['--keep', 'github'],
  ])
    expect(await house.run('decide', ...args)).toMatchObject({ code: 2, err: expect.stringContaining('--all') });
  const none = await house.run('decide', '--all', '--field', 'severity', '--keep', 'github');
  expect(none).toMatchObject({ code: 0, out: 'There is no conflict to decide.\n' });
  expect(await house.run('decide', '--all', '--field', 'title', '--keep', 'github')).toMatchObject({ code: 0 });
  expect(house.tracker.bugs().map(({ summary }) => summary)).toEqual(['It fails at night', 'It hangs at night']);
  expect(house.github.issues('acme/widget').map(({ title }) => title)).toEqual([
    'It fails at night',
    'It hangs at night',
  ]);
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
  fileControlQueue(house.state, Date.now).add(titleDecision('github', 'It fails at noon'));
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

/** What each place says of the conflict. */
async function asked(): Promise<readonly unknown[]> {
  const [status, list] = [await house.run('status'), await house.run('decide')];
  const json = await house.run('status', '--json');
  const [{ routes } = { routes: [] }] = json.json<{ routes: readonly { open: unknown; standing: string }[] }>();
  return [/conflicts? to decide/u.test(status.out), list.out === 'There is no conflict to decide.\n', routes[0]?.open];
}

const decided = [false, true, { conflicts: 0, skips: 0 }];

test.each(['tracker', 'github'] as const)(
  'counts at once while the %s is down, and a second one is refused',
  async (down) => {
    house.configure((config) => {
      config.routes[0].conflicts = 'ask';
      config[down].url = 'http://127.0.0.1:9';
    });
    expect(await asked()).toEqual([true, false, { conflicts: 1, skips: 0 }]);
    expect(await house.run('decide', 'bug', '1', '--keep', 'tracker')).toMatchObject({ code: 4 });
    expect(await asked()).toEqual(decided);
    for (const keep of ['tracker', 'github'])
      expect(await house.run('decide', 'bug', '1', '--keep', keep)).toMatchObject({
        code: 2,
        err: expect.stringMatching(/There is no conflict .* a person decided: title .* on the tracker wins/u),
      });
    house.configure((config) => {
      config.routes[0].conflicts = 'ask';
    });
    await house.run('once');
    expect(titles()).toEqual(['It fails on Mondays', 'It fails on Mondays']);
  },
);

test('counts at once while the route is paused, or the running bridge has not taken it', async () => {
  fileControlQueue(house.state, Date.now).add(titleDecision('github'));
  expect(await asked()).toEqual(decided);
  expect((await house.run('status')).out).toContain('a person chose GitHub, and the next cycle carries that over');
  expect(await house.run('decide', 'bug', '1', '--keep', 'tracker')).toMatchObject({
    code: 2,
    err: expect.stringContaining('is decided already: GitHub wins'),
  });
  // The same decision again is none, and --all decides what is left.
  for (const again of [['bug', '1'], ['--all']] as const)
    expect(await house.run('decide', ...again, '--keep', 'github')).toMatchObject({ code: 0 });
  expect(await house.run('decide', '--all', '--keep', 'tracker')).toMatchObject({
    code: 0,
    out: 'There is no conflict to decide.\n',
  });
  expect(fileControlQueue(house.state, Date.now).of('widget')).toHaveLength(1);
  await house.run('pause', 'widget');
  expect(await asked()).toEqual(decided);
  await house.run('resume', 'widget');
  await house.run('once');
  expect(titles()).toEqual(['It fails at night', 'It fails at night']);
});

test('of two that were left for the bridge, the second is refused', async () => {
  for (const [index, keep] of (['tracker', 'github'] as const).entries())
    fileControlQueue(house.state, () => Date.now() + index).add(titleDecision(keep));
  expect((await house.run('once')).out).toContain('not decided: this conflict is no longer open');
  expect(titles()).toEqual(['It fails on Mondays', 'It fails on Mondays']);
});

test('conflicts are listed by bug, whichever was found last', async () => {
  house.tracker.as('alice').change(2, { summary: 'It hangs on Mondays' });
  house.github.as('mona').edit('acme/widget', 2, { title: 'It hangs at night' });
  await house.run('once');
  const bugsIn = (text: string): readonly string[] => text.match(/bug \d(?= = )/gu) ?? [];
  expect(bugsIn((await house.run('decide')).out)).toEqual(['bug 1', 'bug 2']);
  expect(bugsIn((await house.run('status')).out)).toEqual(['bug 1', 'bug 2']);
  const all = await house.run('decide', '--all', '--keep', 'github');
  expect(bugsIn(all.err).slice(0, 2)).toEqual(['bug 1', 'bug 2']);
});

import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { TrackerWorld } from '../../../src/sandbox/tracker/world/world.ts';
import { type House, openHouse } from '../../support/bugferry.ts';

let house: House;

beforeEach(async () => {
  house = await openHouse(fill);
  house.github.allow('acme/widget', 'bugferry-bot', 'admin');
  house.configure((config) => {
    config.routes[0].direction = 'to-github';
  });
  await house.run('migrate', '--no-verify');
});
afterEach(() => house.close());

function fill(tracker: TrackerWorld): void {
  const alice = tracker.as('alice');
  for (let number = 1; number <= 6; number += 1) alice.file({ summary: `Problem ${number}`, description: 'It fails.' });
  alice.change(2, { status: 'RESOLVED', resolution: 'FIXED' });
  alice.change(3, { status: 'IN_PROGRESS' });
  tracker.hide(5);
}

const statuses = () => house.tracker.bugs().map(({ status, resolution }) => `${status} ${resolution}`.trim());
const moved = (bug: number) =>
  house.tracker
    .commentsOf(bug)
    .map(({ text }) => text)
    .filter((text) => text.startsWith('This bug has moved'));
const open = () => house.github.issues('acme/widget').filter(({ state }) => state === 'open').length;

describe('cutover', () => {
  test('mirrors the rest and compares, and writes to bugs only if a step is named', async () => {
    house.tracker.as('alice').comment(1, 'Late.');
    const { code, out, err } = await house.run('cutover');
    expect(code, out + err).toBe(1);
    expect(out).toMatch(/5 pairs compared, no differences/);
    expect(err).toMatch(/name the steps with --yes/);
    // Readers are still on the tracker.
    expect(out).not.toMatch(/direction: to-tracker/);
    expect(moved(1)).toEqual([]);
  });

  test('--dry-run and --undo are refused as a pair', async () => {
    const before = house.writes();
    const { code, err } = await house.run('cutover', '--dry-run', '--undo');
    expect([code === 0, house.writes()]).toEqual([false, before]);
    expect(err).toContain("option '--undo' cannot be used with option '--dry-run'");
  });

  test('--dry-run says what it would carry over, and writes to neither side', async () => {
    house.tracker.as('alice').comment(1, 'Late.');
    const before = house.writes();
    const { code, out } = await house.run('cutover', '--dry-run');
    expect([code, house.writes()]).toEqual([0, before]);
    expect(out).toContain(
      'widget: this would be carried over first, without a question:\n  To GitHub: 1 comment to copy.',
    );
    expect(out).toMatch(/The steps comment and close concern the bugs of \d pairs/u);
    expect((await house.run('cutover', '--dry-run', '--json')).json()).toMatchObject([
      { kind: 'trial', route: 'widget', refusal: null },
    ]);
    expect((await house.run('status')).out).toContain('widget');
    await house.run('once');
    expect((await house.run('cutover', '--dry-run')).out).toContain('widget: nothing is left to carry over.');
  });

  test('comments and closes in one request for each bug, does neither twice, and no cycle closes an issue because of it', async () => {
    const before = house.requests();
    const first = await house.run('cutover', '--yes', 'comment,close');
    expect(first.code, first.out + first.err).toBe(0);
    expect(first.out).toMatch(/5 bugs updated, 0 were up to date/);
    expect(house.requests() - before).toBeLessThan(40);
    expect(moved(1)).toEqual([
      expect.stringMatching(/^This bug has moved to GitHub \(.*acme\/widget\/issues\/\d+\)\.$/),
    ]);
    expect(moved(5)).toEqual([]);
    expect(statuses()).toEqual([
      'RESOLVED WONTFIX',
      'RESOLVED FIXED',
      'RESOLVED WONTFIX',
      'RESOLVED WONTFIX',
      expect.not.stringMatching(/RESOLVED/),
      'RESOLVED WONTFIX',
    ]);
    expect(open()).toBe(4);
    expect(await house.run('once', '--sweep')).toMatchObject({ code: 0 });
    expect(open()).toBe(4);
    const second = await house.run('cutover', '--yes', 'comment,close');
    expect(second.out).toMatch(/4 bugs already closed[\s\S]*0 bugs updated, 5 were up to date/);
    expect(moved(1)).toHaveLength(1);
    for (const { number } of house.github.issues('acme/widget'))
      expect(house.github.commentsOf('acme/widget', number)).toEqual([]);
  });

  test('--undo restores each status, except where a person changed it since', async () => {
    const before = statuses();
    await house.run('cutover', '--yes', 'close');
    house.tracker.as('alice').change(4, { resolution: 'FIXED' });
    const { code, err } = await house.run('cutover', '--undo');
    expect(code).toBe(1);
    expect(err).toMatch(/bug 4: its status was changed since/);
    expect(statuses()).toEqual(before.map((status, index) => (index === 3 ? 'RESOLVED FIXED' : status)));
    expect(await house.run('cutover', '--undo')).toMatchObject({ code: 0, out: expect.stringContaining('0 bugs') });
  });

  test('a resolution that the tracker does not know is refused for three bugs, and the others are not asked', async () => {
    const before = house.writes();
    const { code, err } = await house.run('cutover', '--yes', 'comment,close', '--status', 'RESOLVED/GONEAWAY');
    expect(code).toBe(1);
    expect(err).toMatch(/first 3 bugs .* RESOLVED\/GONEAWAY, so no other was asked; pass another status with --status/);
    expect(err.split('\n').filter((line) => line.includes('bugferry: '))).toHaveLength(1);
    // Three were refused; bug 2 is closed already, and was told.
    expect(house.writes() - before).toBe(4);
    expect([1, 2, 6].map((bug) => moved(bug).length)).toEqual([0, 1, 0]);
    const better = await house.run('cutover', '--yes', 'comment,close');
    expect(better).toMatchObject({ code: 0, out: expect.stringMatching(/4 bugs updated, 1 was up to date/) });
  });

  test('shows its progress as text and as JSON', async () => {
    const words = await house.run('cutover', '--yes', 'comment');
    expect(words.out).toMatch(
      /carrying over the rest[\s\S]*writing to the bugs on the tracker\n.* 1 of 5 bugs\n.* 5 of 5 bugs\n/,
    );
    const { code, err, json } = await house.run('cutover', '--yes', 'comment,close', '--json');
    expect(code, err).toBe(0);
    const events = json<{ kind: string; phase?: string; done?: number; total?: number }>();
    expect(events.filter(({ kind }) => kind === 'phase').map(({ phase }) => phase)).toEqual(['remainder', 'leaving']);
    expect(
      events.filter(({ phase, kind }) => kind === 'progress' && phase === 'leaving').map(({ done }) => done),
    ).toEqual([1, 2, 3, 4, 5]);
    expect(events).toContainEqual(expect.objectContaining({ kind: 'verified' }));
    expect(events.at(-1)).toEqual({
      ...{ kind: 'left', route: 'widget', steps: ['comment', 'close'] },
      ...{ written: 4, already: 1, refused: [] },
    });
    const back = (await house.run('cutover', '--undo', '--json')).json<object>();
    expect(back.slice(0, 2)).toEqual([
      { kind: 'phase', route: 'widget', phase: 'returning' },
      expect.objectContaining({ kind: 'progress', phase: 'returning', done: 1, total: 4 }),
    ]);
    expect(back.at(-1)).toEqual({ kind: 'taken back', route: 'widget', reopened: 4, left: [] });
  });

  test.each([
    [['--yes', 'delete'], /steps are comment and close/],
    [['--yes', 'close', '--status', 'MOVED'], /STATUS\/RESOLUTION/],
    [['--yes', 'close', '--status', 'NEW/MOVED'], /not a closed status/],
    [['--yes', 'close', '--status', 'RESOLVED/DUPLICATE'], /needs the number of the other bug/],
  ])('%j is wrong usage', async (args, words) => {
    const { code, err } = await house.run('cutover', ...args);
    expect(code).toBe(2);
    expect(err).toMatch(words);
    expect(moved(1)).toEqual([]);
  });
});

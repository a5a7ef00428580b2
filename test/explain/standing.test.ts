import { describe, expect, test } from 'vitest';
import { adviceOn } from '../../src/explain/failure.ts';
import { standingOf } from '../../src/explain/standing.ts';
import { worstOf } from '../../src/explain/verdict.ts';
import { linkId } from '../../src/model/ids.ts';
import type { RouteStatus, Standing } from '../../src/model/route-status.ts';
import { failing, statusWith } from '../http/status.ts';

/** The status of a route in one word, if several conditions hold at once. */

const rest = { at: 0, why: null };
const refusals = [{ of: 'plan', at: 0, why: '32 of 50 pairs' }] as const;
const passing = failing({ kind: 'later', needsPerson: false });

const conflict = { link: linkId(1), field: 'title', tracker: 'a', github: 'b', kept: null, about: 'bug 1' } as const;
const aside = [{ about: 'bug 2', sinceAt: 0, advice: 'Try again.' }] as unknown as RouteStatus['setAside'];
const halves = {
  byState: { live: 3, frozen: 0, tombstone: 0 },
  whole: 0,
  wanting: 0,
  waiting: 0,
  alone: { tracker: 3, github: 0 },
  halves: { tracker: 0, github: 0 },
};
const conflicts = [conflict];
const queued = [{ at: 0, words: 'read bug 1 again' }];
const { tracker, github } = statusWith().sides;
const never = { tracker: { ...tracker, sweptAt: null }, github };

const rows: readonly (readonly [Standing, Parameters<typeof statusWith>[0]])[] = [
  ['off', { isEnabled: false, rest, isStale: true, failures: [failing()] }],
  ['failed', { failures: [failing()], refusals, conflicts }],
  ['failed', { rest, isStale: true, failures: [passing, failing()] }],
  ['failed', { failures: [passing], conflicts, rest, isStale: true }],
  ['refused', { refusals, conflicts, setAside: aside, rest, isStale: true }],
  ['not read lately', { isStale: true, conflicts, setAside: aside, rest }],
  ['needs you', { conflicts, setAside: aside, rest, queued }],
  ['needs you', { outbox: { planned: 0, sent: 0, parked: 1 } }],
  ['set aside', { setAside: aside, rest, queued }],
  ['paused', { rest, queued, links: halves }],
  ['catching up', { queued }],
  ['catching up', { outbox: { planned: 1, sent: 0, parked: 0 } }],
  ['catching up', { unshown: 1 }],
  ['catching up', { isUnchecked: true }],
  ['catching up', { sides: never, links: halves }],
  ['catching up', { sides: { tracker: { ...tracker, isComplete: false }, github } }],
  ['catching up', { sides: { tracker, github: { ...github, hasMore: true } } }],
  ['nothing mirrored', { links: halves }],
  ['nothing mirrored', { links: halves, direction: 'to-github' }],
  ['nothing mirrored', { links: { ...halves, alone: { tracker: 3, github: 1 } }, direction: 'to-tracker' }],
  ['in step', {}],
  ['in step', { failures: [{ ...passing, of: 'sweep' }] }],
  ['in step', { conflicts: [{ ...conflict, kept: 'tracker' }] }],
];

test('the most serious condition decides', () => {
  expect(rows.map(([, change]) => standingOf(statusWith(change)))).toEqual(rows.map(([standing]) => standing));
});

test('of several routes, the most serious one counts, and one that is switched off does not', () => {
  const all = rows.map(([, change], index) => statusWith({ ...change, route: `route ${index}` }));
  expect(worstOf(all)?.standing).toBe('failed');
  expect(worstOf(all.filter(({ standing }) => standing === 'off' || standing === 'in step'))?.standing).toBe('in step');
  expect(worstOf([])).toBeNull();
});

test('only a route in step with pairs is green, and everything that needs a person says what to do', () => {
  for (const [standing, change] of rows) {
    const { verdict, needsPerson } = statusWith(change);
    expect([standing, verdict.tone === 'good']).toEqual([standing, standing === 'in step']);
    expect([standing, standing === 'off' || verdict.todo !== null || !needsPerson]).toEqual([standing, true]);
  }
  expect(statusWith({ links: { ...halves, alone: { tracker: 0, github: 0 } } }).verdict).toMatchObject({
    standing: 'in step',
    tone: 'neutral',
  });
});

test('what a side lost is no wrong setup, and no check helps: the words name the command', () => {
  const why = 'bug 1 does not exist any more. To let go of it, run bugferry once --force.';
  const lost = { of: 'cycle', kind: 'refused', side: 'tracker', why } as const;
  const { verdict } = statusWith({ failures: [failing({ ...lost, advice: adviceOn(lost) })] });
  expect([verdict.headline, verdict.todo]).toEqual([
    'The tracker lacks what is mirrored',
    'The next cycle tries again.',
  ]);
});

// Nobody waits for them: what a one-way route leaves alone is not missing on its other side.
test.each([
  ['to-tracker', { tracker: 3, github: 0 }, 'The route takes no issue of acme/widget.'],
  ['to-github', { tracker: 0, github: 3 }, 'The route takes no bug of Widget.'],
  ['both', { tracker: 0, github: 0 }, 'The route takes no bug of Widget and no issue of acme/widget.'],
] as const)('a route %s without anything to take has nothing to mirror', (direction, alone, facts) => {
  const { standing, verdict, isInStep } = statusWith({ links: { ...halves, alone }, direction });
  expect({ standing, isInStep, tone: verdict.tone, facts: verdict.facts }).toEqual({
    ...{ standing: 'in step', isInStep: true, tone: 'neutral', facts },
  });
});

test('a route that stands still has no time at which it is done', () => {
  const behind = { catchUpMs: 60_000, progress: { mirrored: 8, total: 11, writes: 7 } };
  const counts = (change: Partial<RouteStatus>) => statusWith({ ...behind, ...change }).verdict.counts;
  expect(counts({})).toMatch(/^8 of 11 mirrored, 7 writes to go, done about /);
  for (const change of [{ failures: [failing()] }, { refusals }, { rest }])
    expect(counts(change)).toBe('8 of 11 mirrored, 7 writes to go');
});

describe('the clock of this machine is wrong', () => {
  const year = 365 * 86_400_000;
  const clock = failing({ of: 'clock', kind: 'refused', side: null, why: 'the clock of this machine is wrong' });
  const yesterday = (change: Parameters<typeof statusWith>[0]) => {
    const read = statusWith({ polledAt: { tracker: 4 * year, github: 4 * year } });
    const old = { tracker: { ...read.sides.tracker, sweptAt: 0 }, github: { ...read.sides.github, sweptAt: 0 } };
    return statusWith({ sides: old, lookedAt: 0, ...change, shownAt: 4 * year }).verdict;
  };

  test('what is years old only by it is not old: the clock is what is wrong', () => {
    expect(yesterday({}).standing).toBe('not read lately');
    expect(yesterday({ failures: [clock] })).toMatchObject({
      standing: 'needs you',
      headline: 'The clock of this machine is wrong',
    });
  });

  test("a side's wrong clock does not make old what is old", () => {
    for (const side of ['tracker', 'github'] as const)
      expect(yesterday({ failures: [{ ...clock, side }] }).standing).toBe('not read lately');
  });

  test('a side that is not read any more is named all the same', () => {
    expect(statusWith({ isStale: true, failures: [clock] }).standing).toBe('not read lately');
  });
});

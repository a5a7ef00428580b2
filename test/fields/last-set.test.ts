/** Whose value it is, where a state may be older than what both sides show. */

import { describe, expect, test } from 'vitest';
import { linkId } from '../../src/model/ids.ts';
import type { Base, OlderPair } from '../../src/model/link.ts';
import { type Difference, isCopyUnknown, type Setter, verdictOf } from '../../src/rules/fields/last-set.ts';
import { setterOnTracker } from '../../src/rules/fields/set-on-tracker.ts';
import { aBug } from '../planner/samples.ts';
import { widgetRoute } from '../support/routes.ts';

const open: Base = { tracker: { status: 'open' }, github: { status: 'open' } };
const closed: Base = { tracker: { status: 'completed' }, github: { status: 'completed' } };

/** People closed the bug, and the issue is open. */
const apart: Difference = { field: 'status', element: null, tracker: 'completed', github: 'open' };

const minute = 60_000;
const none = { isFirst: false, copiedAt: null, isCopyTold: false, agreedAt: null, origin: 'copy' } as const;
const person = (at: number, more: Partial<NonNullable<Setter>> = {}): Setter => ({
  ...none,
  isOurs: false,
  at,
  ...more,
});
const ours = (at: number): Setter => ({ ...none, isOurs: true, at });

/** The bug was closed, we closed its issue, and people opened that again. */
const takenBack = {
  tracker: person(10 * minute),
  github: person(12 * minute, { copiedAt: 11 * minute, isCopyTold: true, agreedAt: 12 * minute }),
};

/** The same of an issue that our account opened, of which no event tells. */
const made = { ...takenBack, github: person(12 * minute, { copiedAt: 11 * minute }) };

describe('a state that came back without a word', () => {
  test.each([
    ['is noticed by a copy that it does not know, and that people took back', open, takenBack, 9, false, true],
    ['is not noticed by a copy that it knows', closed, takenBack, 9, false, false],
    ['nor by a copy from before its last word', open, takenBack, 11, false, false],
    [
      'nor by what people did alone',
      open,
      { tracker: person(10 * minute), github: person(12 * minute) },
      9,
      false,
      false,
    ],
    ['nor by an item that our account made as a copy, whose stamp may be ahead', open, made, 9, false, false],
    ['nor by a value of ours, by that alone', closed, { tracker: null, github: ours(11 * minute) }, 9, false, false],
    ['but by that if it came back before', closed, { tracker: null, github: ours(11 * minute) }, 9, true, true],
  ] as const)('%s', (_what, base, setters, lastMinute, isMarked, isFound) => {
    expect(isCopyUnknown(base, apart, setters, lastMinute * minute, isMarked)).toBe(isFound);
  });
});

describe('what people took back from our copy', () => {
  const older = (until: number): OlderPair => ({
    link: linkId(1),
    at: 20 * minute,
    knownUntil: { tracker: until * minute, github: until * minute },
    agreed: {},
    settled: {},
    isTrackerOlder: false,
  });
  const changedAt = { tracker: 10 * minute, github: 12 * minute };

  test.each([9, 11, 13])('wins, also if the state has read both sides until minute %i', (until) => {
    expect(verdictOf(open, older(until), apart, takenBack, changedAt)).toEqual({ wins: 'github' });
  });

  test('loses to what people did on the other side after that', () => {
    const setters = { ...takenBack, tracker: person(14 * minute) };
    expect(verdictOf(open, older(13), apart, setters, { ...changedAt, tracker: 14 * minute })).toEqual({
      wins: 'tracker',
    });
  });
});

test('our copy of a closing is known by what the history says of status and resolution', () => {
  const own = { login: 'bridge@example.test', name: 'bridge' };
  const change = (minutes: number, login: string, what: readonly string[], was: readonly string[]) => ({
    ...{ ref: 1, at: minutes * minute, login, shown: [] },
    ...{ what: { status: what }, was: { status: was } },
  });
  const changes = [
    change(11, own.login, ['RESOLVED', 'FIXED'], ['CONFIRMED', '']),
    change(12, 'alice@example.test', ['CONFIRMED', ''], ['RESOLVED', 'FIXED']),
  ];
  const opened = { ...aBug, status: 'CONFIRMED', resolution: '' };
  const isOpen: Difference = { ...apart, tracker: 'open', github: 'completed' };
  expect(setterOnTracker(widgetRoute, opened, changes, isOpen, own)).toMatchObject({
    isOurs: false,
    at: 12 * minute,
    copiedAt: 11 * minute,
  });
  const isDeclined = { ...isOpen, github: 'not_planned' };
  expect(setterOnTracker(widgetRoute, opened, changes, isDeclined, own)).toMatchObject({ copiedAt: null });
});

import { expect, test } from 'vitest';
import { standingOf } from '../../src/explain/standing.ts';
import type { Standing } from '../../src/model/route-status.ts';
import { failing, statusWith } from '../http/status.ts';

/** The status of a route in one word, if several conditions hold at once. */

const rest = { at: 0, why: null };
const refusals = [{ of: 'plan', at: 0, why: '32 of 50 links' }] as const;
const passing = failing({ kind: 'later', needsPerson: false });
const busy = { isInStep: false };

const rows: readonly (readonly [Standing, Parameters<typeof statusWith>[0]])[] = [
  ['off', { isEnabled: false, rest, isStale: true, failures: [failing()] }],
  ['stopped', { ...busy, needsPerson: true, failures: [failing()] }],
  ['stopped', { ...busy, needsPerson: true, rest, isStale: true, failures: [passing, failing()] }],
  ['stopped', { ...busy, needsPerson: true, refusals }],
  ['needs you', { ...busy, needsPerson: true, failures: [failing({ of: 'sweep', count: 1 })] }],
  ['needs you', { ...busy, needsPerson: true, rest, failures: [passing] }],
  ['trying again', { ...busy, rest, isStale: true, failures: [passing] }],
  ['paused', { ...busy, rest, isStale: true }],
  ['not read lately', { ...busy, isStale: true }],
  ['catching up', busy],
  ['in step', {}],
];

test('the most serious condition decides', () => {
  expect(rows.map(([, change]) => standingOf(statusWith(change)))).toEqual(rows.map(([standing]) => standing));
});

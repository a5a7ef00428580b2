import { expect, test } from 'vitest';
import * as built from '../../src/explain/standing.ts';
import type { Standing } from '../../src/model/route-status.ts';
import { failing, statusWith } from '../http/status.ts';
import { type Fault, plant } from '../support/plant.ts';
import { sample } from '../tiers/depth.ts';

/** What sums up a route when several things are true of it at once. */

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

const told = ({ standingOf }: typeof built) => rows.map(([, change]) => standingOf(statusWith(change)));
const expected = rows.map(([standing]) => standing);

test('the weightiest thing sums up a route', () => {
  expect(told(built)).toEqual(expected);
});

const faults: readonly (readonly [name: string, from: string, to: string])[] = [
  ['a route that is off looks stopped', "if (!isEnabled) return 'off';", ''],
  ['the brake stops nothing', 'refusals.length > 0 || failures', 'failures'],
  ['one failed full comparison stops a route', 'isHalting(each) && each.needsPerson', 'each.needsPerson'],
  ['a side that is down needs a person', 'isHalting(each) && each.needsPerson', 'isHalting(each)'],
  ['nobody is asked for', "if (needsPerson) return 'needs you';", ''],
  ['a side that is down looks well', "if (failures.some(isHalting)) return 'trying again';", ''],
  ['a pause looks like a backlog', "if (rest !== null) return 'paused';", ''],
  ['an old reading looks well', "if (isStale) return 'not read lately';", ''],
];

test.each(
  sample(faults.map(([name, from, to]) => [name, { file: 'explain/standing.ts', from, to } satisfies Fault] as const)),
)('a planted fault is caught: %s', async (_name, fault) => {
  const planted = (await import(`${plant(fault)}/explain/standing.ts`)) as typeof built;
  expect(told(planted)).not.toEqual(expected);
});

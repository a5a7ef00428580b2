import { expect, test } from 'vitest';
import { type LastVisit, readinessOf } from '../../src/http/health.ts';
import { standingWith } from './standing.ts';

const now = 1_000_000_000;
const minuteMs = 60_000;
const well: LastVisit = { isRefused: false, why: null };

test.each<[string, LastVisit | null, number | null, number | null, string | null]>([
  ['that was read just now is ready', well, now - minuteMs, now, null],
  ['that was never visited is not', null, now, now, 'it has not been visited since the start'],
  [
    'whose credentials were refused is not',
    { isRefused: true, why: 'GitHub refused our credentials' },
    now,
    now,
    'GitHub refused our credentials',
  ],
  ['that failed once is ready as long as it is not behind', { isRefused: false, why: 'timeout' }, now, now, null],
  [
    'whose tracker lags says so',
    { isRefused: false, why: 'timeout' },
    now - 11 * minuteMs,
    now,
    'the tracker was last read 11 min ago: timeout',
  ],
  ['whose GitHub was never read says so', well, now, null, 'GitHub was never read'],
  ['that lags by exactly the limit is ready', well, now - 10 * minuteMs, now, null],
])('a route %s', (_name, visit, tracker, github, why) => {
  const visits = new Map(visit === null ? [] : [['widget', visit] as const]);
  const standings = [standingWith({ polledAt: { tracker, github } })];
  const readiness = readinessOf({ standings, visits, now, readyLagMs: 10 * minuteMs });
  expect(readiness).toEqual({ isReady: why === null, routes: [{ route: 'widget', isReady: why === null, why }] });
});

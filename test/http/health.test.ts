import { expect, test } from 'vitest';
import { haltsOf, readinessOf } from '../../src/http/health.ts';
import type { Failing, RouteStatus } from '../../src/model/route-status.ts';
import { failing, statusWith } from './status.ts';

const now = 1_000_000_000;
const minuteMs = 60_000;
const passing: Failing = failing({ kind: 'later', why: 'timeout', needsPerson: false });
const at = (tracker: number | null, github: number | null) => ({ polledAt: { tracker, github } });

type Row = readonly [
  name: string,
  isRun: boolean,
  status: Parameters<typeof statusWith>[0],
  isReady: boolean,
  why: string | null,
];

const rows: readonly Row[] = [
  ['that was read just now is ready', true, at(now - minuteMs, now), true, null],
  ['that never ran is not', false, at(now, now), false, 'It has not run since the start.'],
  [
    'whose credentials were refused is not',
    true,
    { ...at(now, now), failures: [failing()] },
    false,
    'Nothing crosses: the last cycle failed at GitHub: GitHub answered 401. Failing since 1970-01-01 00:00:00 UTC. Put that right.',
  ],
  [
    'that the brake holds back is not',
    true,
    { ...at(now, now), refusals: [{ of: 'plan', at: now, why: '32 of 50 pairs' }] },
    false,
    'Nothing crosses: the brake stopped the plan: 32 of 50 pairs. Check bugferry plan',
  ],
  [
    'that failed once is ready as long as it is not behind, and says so',
    true,
    { ...at(now, now), failures: [passing] },
    true,
    'Nothing crosses: the last cycle failed at GitHub: timeout. Failing since 1970-01-01 00:00:00 UTC. Put that right.',
  ],
  [
    'that failed twice is not ready',
    true,
    { ...at(now, now), failures: [{ ...passing, count: 2 }] },
    false,
    'the last 2 cycles failed, the latest at GitHub: timeout.',
  ],
  [
    'whose tracker lags says so',
    true,
    { ...at(now - 66 * minuteMs, now), isStale: true, failures: [passing] },
    false,
    'the last cycle failed at GitHub: timeout. Failing since 1970-01-01 00:00:00 UTC. Put that right.',
  ],
  [
    'whose tracker was read in the future says so',
    true,
    { ...at(now + 120 * minuteMs, now + 121 * minuteMs), shownAt: now, isStale: true },
    false,
    'The tracker was last read in the future (1970-01-12 15:46:40 UTC), because the clock of this machine was set back',
  ],
  ['whose GitHub was never read says so', true, { ...at(now, null), isStale: true }, false, 'GitHub was never read'],
];

test.each(rows)('a route %s', (_name, isRun, change, isReady, why) => {
  const ran = new Set(isRun ? ['widget'] : []);
  const readiness = readinessOf({ statuses: [statusWith(change)], ran });
  expect(readiness).toMatchObject({ isReady, routes: [{ route: 'widget', isReady }] });
  const said = readiness.routes[0]?.why ?? null;
  expect(why === null ? said : said?.includes(why)).toBe(why === null ? null : true);
});

const refused = (of: 'plan' | 'tracker') => ({ of, at: 0, why: '32 of 50 pairs' });

test.each<[string, Partial<RouteStatus>, readonly (readonly [boolean, RegExp])[]]>([
  ['nothing', {}, []],
  [
    'a plan that the brake refused',
    { refusals: [refused('plan')] },
    [[true, /^The brake stopped the plan: 32 of 50/u]],
  ],
  [
    'a full comparison that the brake refused',
    { refusals: [refused('tracker')] },
    [[true, /^The brake stopped the full comparison with the tracker: /u]],
  ],
  ['a side that is down, as passing', { failures: [passing] }, [[false, /timeout/u]]],
  [
    'refused credentials',
    { failures: [failing({ count: 3 })] },
    [[true, /^The last 3 cycles failed, the latest at GitHub: .*401/u]],
  ],
  ['no full comparison that failed once', { failures: [failing({ of: 'sweep' })] }, []],
  [
    'one that failed twice',
    { failures: [failing({ of: 'sweep', count: 2 })] },
    [[true, /^The last 2 full comparisons failed/u]],
  ],
  [
    'first what asks for a person',
    { failures: [passing, failing({ of: 'state', kind: 'state', side: null, why: 'the disk is read-only' })] },
    [
      [true, /^The disk is read-only\. /u],
      [false, /timeout/u],
    ],
  ],
])('what stops a route is %s', (_name, change, expected) => {
  const halts = haltsOf([statusWith(change)]);
  expect(halts.map(({ route, needsPerson }) => [route, needsPerson])).toEqual(
    expected.map(([needsPerson]) => ['widget', needsPerson]),
  );
  for (const [index, [, words]] of expected.entries()) expect(halts[index]?.why).toMatch(words);
});

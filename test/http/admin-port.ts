import type { AdminPort } from '../../src/http/admin-port.ts';
import type { Hint } from '../../src/model/control.ts';
import type { Clock } from '../../src/model/runtime.ts';

export const token = 'a-token-for-the-tests';
export const githubSecret = 'the-secret-of-github';
export const trackerSecret = 'the-secret-of-the-tracker';

/** A clock that stands still, except for those who sleep. */
export const clock: Clock = {
  now: () => Date.UTC(2026, 0, 5, 8),
  sleep: (ms) => new Promise((done) => setTimeout(done, ms)),
};

/** The admin port of a bridge that does nothing, and the calls to it. */
export function quietAdminPort(
  change: Partial<AdminPort> = {},
): AdminPort & { readonly hints: Hint[]; readonly hooks: string[] } {
  const [hints, hooks]: [Hint[], string[]] = [[], []];
  return {
    hints,
    hooks,
    now: clock.now,
    statuses: () => [],
    readiness: () => ({ isReady: true, routes: [] }),
    metrics: async () => ({ type: 'text/plain; version=0.0.4; charset=utf-8', text: 'bugferry_parked 0\n' }),
    hint: (hint) => void hints.push(hint),
    hinted: (side, outcome) => void hooks.push(`${side} ${outcome}`),
    link: () => null,
    story: () => ({ heading: '', present: [], past: [], needsPerson: false }),
    conflictsOf: () => [],
    find: () => null,
    whyNot: async () => [],
    moving: () => [],
    latest: () => [],
    pairs: () => ({ pairs: [], next: null }),
    planned: () => ({ operations: [], total: 0 }),
    homes: () => ({
      tracker: 'https://tracker.example/buglist.cgi?product=Widget',
      github: 'https://github.example/acme/widget/issues',
    }),
    about: () => ({ version: '1.2.3', startedAt: 0, next: { pollAt: null, sweepAt: null }, tokenEndsAt: null }),
    tally: () => [],
    act: async () => 'Done.',
    listen: () => () => undefined,
    ...change,
  };
}

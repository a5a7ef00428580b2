import { expect, test } from 'vitest';
import { statusOf } from '../../src/explain/route-status.ts';
import { SideError } from '../../src/model/outcome.ts';
import { cyclePass } from '../../src/sync/daemon.ts';
import type { RouteRunner } from '../../src/sync/route-runner.ts';
import { contextOn, stage } from '../simulation/stage.ts';
import { testLimits, widgetRoute } from '../support/routes.ts';

/** The status of a route that pauses, whose token is then revoked, and then restored. */
async function statuses() {
  const world = stage();
  const { store, clock } = world;
  const context = contextOn(world, widgetRoute, { limits: testLimits });
  let isRevoked = false;
  const runner: RouteRunner = {
    ...{
      name: 'widget',
      store,
      clock,
      tell: () => {},
      route: widgetRoute,
      isConcerned: () => true,
      known: () => context,
      renew: () => {},
    },
    async context() {
      if (isRevoked) throw new SideError('unauthorized', 'GitHub answered 401', { side: 'github' });
      return context;
    },
  };
  const seen: unknown[] = [];
  for (const revoked of [false, true, false]) {
    isRevoked = revoked;
    world.clock.advance(61_000);
    await cyclePass([runner], { isForced: () => false, signal: new AbortController().signal });
    const { isInStep, standing, needsPerson, failures } = statusOf(
      store,
      widgetRoute,
      { tracker: [], github: [] },
      clock.now(),
    );
    seen.push({ isInStep, standing, needsPerson, why: failures.map(({ why }) => why) });
  }
  return seen;
}

const well = { isInStep: true, standing: 'in step', needsPerson: false, why: [] };
const expected = [well, { isInStep: false, standing: 'failed', needsPerson: true, why: ['GitHub answered 401'] }, well];

test('a route with a revoked token is stopped from its first failure until its first success', async () => {
  expect(await statuses()).toEqual(expected);
});

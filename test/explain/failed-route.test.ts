import { expect, test } from 'vitest';
import * as explaining from '../../src/explain/route-status.ts';
import { SideError } from '../../src/model/outcome.ts';
import * as running from '../../src/sync/daemon.ts';
import { contextOn, stage } from '../simulation/stage.ts';
import { type Fault, plant } from '../support/plant.ts';
import { testLimits, widgetRoute } from '../support/routes.ts';
import { sample } from '../tiers/depth.ts';

/** What a status says of a route that rests, whose token is then revoked, and then given back. */
interface Parts extends Pick<typeof explaining, 'statusOf'>, Pick<typeof running, 'pass'> {
  readonly SideError: typeof SideError;
}

async function told({ statusOf, pass, SideError: Refused }: Parts) {
  const world = stage();
  const { store, clock } = world;
  const context = contextOn(world, widgetRoute, { limits: testLimits });
  let isRevoked = false;
  const runner: running.RouteRunner = {
    ...{ name: 'widget', store, clock, tell: () => {}, isConcerned: () => true, known: () => context, renew: () => {} },
    async context() {
      if (isRevoked) throw new Refused('unauthorized', 'GitHub answered 401', { side: 'github' });
      return context;
    },
  };
  const seen: unknown[] = [];
  for (const revoked of [false, true, false]) {
    isRevoked = revoked;
    world.clock.advance(61_000);
    await pass([runner], { isForced: () => false, signal: new AbortController().signal });
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
const expected = [
  well,
  { isInStep: false, standing: 'stopped', needsPerson: true, why: ['GitHub answered 401'] },
  well,
];

test('a route whose token is dead is stopped from its first failure until its first success', async () => {
  expect(await told({ ...explaining, ...running, SideError })).toEqual(expected);
});

const faults: readonly (readonly [name: string, fault: Fault])[] = [
  [
    'nobody keeps why a cycle failed',
    { file: 'sync/daemon.ts', from: 'keepFailure(runner, of, error);\n      keepPause', to: 'keepPause' },
  ],
  [
    'a failure is kept for ever',
    { file: 'sync/daemon.ts', from: 'runner.store.failures.remove(route, of)', to: 'void route' },
  ],
  [
    'a route that fails is in step',
    { file: 'explain/route-status.ts', from: '!isOpen && !isHalted && isDone', to: '!isOpen && isDone' },
  ],
  [
    'a status does not tell of failures',
    { file: 'explain/route-status.ts', from: '[...ofState, ...store.failures.ofRoute(route)]', to: 'ofState' },
  ],
  [
    'a dead token heals by itself',
    { file: 'explain/failure.ts', from: "|| failed.kind !== 'later'", to: "|| failed.kind === 'state'" },
  ],
];

test.each(sample(faults))('a planted fault is caught: %s', async (_name, fault) => {
  const folder = plant(fault);
  const parts: Parts = {
    ...(await import(`${folder}/explain/route-status.ts`)),
    ...(await import(`${folder}/sync/daemon.ts`)),
    ...(await import(`${folder}/model/outcome.ts`)),
  };
  expect(await told(parts)).not.toEqual(expected);
});

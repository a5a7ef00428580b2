/** I11: a write that is never answered takes the time of a cycle, and those of other items come before it then. */

import { expect, test } from 'vitest';
import type { Route } from '../../../src/model/route.ts';
import { cycle } from '../../../src/sync/cycle.ts';
import { contextOn, repo, type Stage, stage } from '../../simulation/stage.ts';
import { testLimits, widgetRoute } from '../../support/routes.ts';

const route: Route = widgetRoute;
const count = 8;

interface House {
  readonly world: Stage;
  /** Whether this write is never answered. */
  isLost: (method: string, path: string) => boolean;
  next(): Promise<unknown>;
}

async function mirrored(): Promise<House> {
  const world = stage();
  const { tracker, github } = world.servers;
  const slowly =
    (send: typeof fetch): typeof fetch =>
    async (input, init) => {
      if (!found.isLost(init?.method ?? 'GET', new URL(String(input)).pathname)) return send(input, init);
      world.clock.advance(60_000);
      throw Object.assign(new Error('The operation was aborted due to timeout'), { name: 'TimeoutError' });
    };
  Object.assign(world.servers, { tracker: slowly(tracker), github: slowly(github) });
  const context = contextOn(world, route, { limits: testLimits });
  const found: House = {
    world,
    isLost: () => false,
    async next() {
      world.clock.advance(61_000);
      return cycle(context, { isForced: true });
    },
  };
  for (let at = 1; at <= count; at += 1) world.tracker.as('alice').file({ summary: `Pan ${at}`, description: 'Hot.' });
  for (let at = 0; at < 4; at += 1) await found.next();
  expect(world.github.issues(repo)).toHaveLength(count);
  return found;
}

const last = 'Pot';

test.each([
  ['the tracker', (method: string, path: string) => method === 'PUT' && path.endsWith('/bug/1')],
  ['GitHub', (method: string, path: string) => method === 'PATCH' && path.endsWith('/issues/1')],
])('%s never answers the writes of one pair', async (side, isLost) => {
  const found = await mirrored();
  const { world } = found;
  found.isLost = isLost;
  const isTracker = side === 'the tracker';
  const rename = (ref: number, title: string): void => {
    if (isTracker) world.github.as('mona').edit(repo, ref, { title });
    else world.tracker.as('alice').change(ref, { summary: title });
  };
  const titleOf = (ref: number): string | undefined =>
    isTracker ? world.tracker.bug(ref)?.summary : world.github.issues(repo).find(({ number }) => number === ref)?.title;
  const waited: number[] = [];
  rename(1, last);
  await found.next();
  for (let round = 0; round < 6; round += 1) {
    for (let ref = 1; ref <= count; ref += 1) rename(ref, `${last} ${round}`);
    let cycles = 0;
    for (; titleOf(count) !== `${last} ${round}` && cycles < 9; cycles += 1) await found.next();
    waited.push(cycles);
  }
  expect(waited).toEqual([1, 1, 1, 1, 1, 1]);
  found.isLost = () => false;
  for (let at = 0; at < 15 && titleOf(1) !== `${last} 5`; at += 1) await found.next();
  expect(titleOf(1)).toBe(`${last} 5`);
});

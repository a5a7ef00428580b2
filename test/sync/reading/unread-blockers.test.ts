/** I11: an issue of which GitHub does not say what blocks it keeps no other issue and no bug waiting. */

import { expect, test } from 'vitest';
import type { Route } from '../../../src/model/route.ts';
import { cycle } from '../../../src/sync/cycle.ts';
import { sweep } from '../../../src/sync/sweep.ts';
import { contextOn, repo, type Stage, stage } from '../../simulation/stage.ts';
import { testLimits, widgetRoute } from '../../support/routes.ts';

const route: Route = { ...widgetRoute, dependencies: true };
const limits = { ...testLimits, writesPerCycle: 500 };

interface House {
  readonly world: Stage;
  /** What GitHub answers when asked what blocks an issue; null for the truth. */
  spoil: ((issue: number) => Response | null) | null;
  /** One cycle, or full comparison. Returns how many minutes it took. */
  next(run?: typeof cycle | typeof sweep): Promise<number>;
}

/** So many issues, of which all but the last are blocked by the last but one. */
async function house(count: number): Promise<House> {
  const world = stage();
  const { github } = world.servers;
  const asked = (url: string): number => Number(/\/issues\/(\d+)\/dependencies\/blocked_by/u.exec(url)?.[1] ?? 0);
  const spoiling: typeof fetch = async (input, init) => {
    const issue = asked(String(input));
    return (issue > 0 ? found.spoil?.(issue) : null) ?? github(input, init);
  };
  Object.assign(world.servers, { github: spoiling });
  const context = contextOn(world, route, { limits, edges: { pageSize: 100 } });
  const found: House = {
    world,
    spoil: null,
    async next(run = cycle) {
      world.clock.advance(61_000);
      const beganAt = world.clock.now();
      await run(context, { isForced: true });
      return (world.clock.now() - beganAt) / 60_000;
    },
  };
  for (let at = 1; at <= count; at += 1) world.tracker.as('alice').file({ summary: `Pan ${at}`, description: 'Hot.' });
  for (let at = 0; at < 6; at += 1) await found.next();
  for (let at = 1; at < count - 1; at += 1) world.github.as('mona').block(repo, at, count - 1);
  await found.next();
  expect(world.tracker.bug(1)?.depends_on).toEqual([count - 1]);
  return found;
}

const rename = ({ github }: Stage, count: number, to: string): void => {
  for (let at = 1; at <= count; at += 1) github.as('mona').edit(repo, at, { title: `${to} ${at}` });
};

const nameOf = ({ tracker }: Stage, bug: number): string | undefined => tracker.bug(bug)?.summary;

const isJson = { headers: { 'content-type': 'application/json' } };
const spoilt: Readonly<Record<string, (world: Stage) => Response>> = {
  'an error': () => Response.json({ message: 'Server Error' }, { status: 502 }),
  'no list': () => Response.json({}),
  'a cut list': () => new Response('[{"id": 1', isJson),
  'nothing in time': ({ clock }) => {
    clock.advance(60_000);
    throw Object.assign(new Error('The operation was aborted due to timeout'), { name: 'TimeoutError' });
  },
};

test.each(Object.keys(spoilt))('GitHub answers with %s about one issue: all others cross', async (name) => {
  const found = await house(4);
  const { world } = found;
  found.spoil = (issue) => (issue === 1 ? (spoilt[name]?.(world) ?? null) : null);
  rename(world, 4, 'Pot');
  await found.next();
  expect([3, 4].map((bug) => nameOf(world, bug))).toEqual(['Pot 3', 'Pot 4']);
  await found.next();
  expect([1, 2].map((bug) => nameOf(world, bug))).toEqual(['Pot 1', 'Pot 2']);
  rename(world, 1, 'Lid');
  world.tracker.as('alice').change(4, { summary: 'Tin 4' });
  world.tracker.as('admin').change(1, { groups: { add: ['security'] } });
  await found.next();
  const titleOf = (issue: number) => world.github.issues(repo).find(({ number }) => number === issue)?.title;
  expect([titleOf(1), titleOf(4)]).toEqual(['Bug 1 is not public', 'Tin 4']);
  await found.next(sweep);
});

test('its blockers cross once GitHub answers', async () => {
  const found = await house(4);
  const { world } = found;
  found.spoil = (issue) => (issue === 1 ? (spoilt['an error']?.(world) ?? null) : null);
  world.github.as('mona').block(repo, 1, 4);
  await found.next();
  expect(world.tracker.bug(1)?.depends_on).toEqual([3]);
  found.spoil = null;
  for (let at = 0; at < 2; at += 1) await found.next();
  expect(world.tracker.bug(1)?.depends_on).toEqual([3, 4]);
});

test('40 issues of which GitHub does not answer in time', async () => {
  const found = await house(42);
  const { world } = found;
  found.spoil = (issue) => (issue <= 40 ? (spoilt['nothing in time']?.(world) ?? null) : null);
  rename(world, 42, 'Pot');
  const minutes = [await found.next(), await found.next()];
  expect(nameOf(world, 42)).toBe('Pot 42');
  minutes.push(await found.next(sweep));
  expect(Math.max(...minutes)).toBeLessThan(5);
});

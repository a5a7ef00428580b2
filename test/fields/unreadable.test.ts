import { expect, test } from 'vitest';
import type { Route } from '../../src/model/route.ts';
import { cycle } from '../../src/sync/cycle.ts';
import { contextOn, repo, type Stage, stage } from '../simulation/stage.ts';
import { testLimits, widgetRoute } from '../support/routes.ts';

/**
 * A tracker may hold bytes that are no UTF-8, from before it knew of characters. They are read as U+FFFD: to write that
 * back would destroy what a person could still make out.
 */
const route: Route = {
  ...widgetRoute,
  thumbsUp: true,
  labels: [
    ...widgetRoute.labels,
    { from: 'whiteboard', as: 'tag: {value}', both: true },
    { from: 'cf_area', as: 'area: {value}', both: true },
  ],
};
const broken = 'caf\ufffd';

async function run(world: Stage): Promise<readonly string[]> {
  const reasons: string[] = [];
  for (let index = 0; index < 3; index += 1) {
    world.clock.advance(61_000);
    const { plan } = await cycle(contextOn(world, route, { limits: testLimits }), { isForced: false });
    reasons.push(...plan.skips.filter(({ needsPerson }) => needsPerson).map(({ reason }) => reason));
  }
  return [...new Set(reasons)];
}

async function mirrored(bug: { readonly summary: string; readonly whiteboard: string }): Promise<Stage> {
  const world = stage();
  world.tracker.as('alice').file(bug);
  await run(world);
  return world;
}

const lost = (field: string) => [expect.stringContaining(`characters in its ${field} that are no UTF-8`)];

test('a whiteboard with such bytes gets no tag, and a person is told', async () => {
  const world = await mirrored({ summary: 'A', whiteboard: `${broken} [easy]` });
  world.github.as('mona').label(repo, 1, 'tag: hard');
  expect(await run(world)).toEqual(lost('whiteboard'));
  expect(world.tracker.bug(1)?.whiteboard).toBe(`${broken} [easy]`);
  world.tracker.as('alice').change(1, { whiteboard: 'café [easy]' });
  expect(await run(world)).toEqual([]);
  expect(world.tracker.bug(1)?.whiteboard).toBe('café [easy] [hard]');
});

test('nor the number of thumbs up, while the change that it would go along with is made', async () => {
  const world = await mirrored({ summary: 'A', whiteboard: broken });
  world.github.as('mona').thumbUp(repo, 1);
  world.github.as('mona').edit(repo, 1, { title: 'B' });
  expect(await run(world)).toEqual([]);
  expect(world.tracker.bug(1)).toMatchObject({ summary: 'B', whiteboard: broken });
});

test('a title that still has them stays, with all other fields of the change made', async () => {
  const world = await mirrored({ summary: `${broken} is closed`, whiteboard: '' });
  world.github.as('mona').edit(repo, 1, { title: `${broken} is open` });
  world.github.as('mona').label(repo, 1, 'tag: easy');
  expect(await run(world)).toEqual(lost('title'));
  expect(world.tracker.bug(1)).toMatchObject({ summary: `${broken} is closed`, whiteboard: '[easy]' });
});

test('a title that a person wrote anew crosses, and so does the character itself', async () => {
  const world = await mirrored({ summary: `${broken} is closed`, whiteboard: '' });
  world.github.as('mona').edit(repo, 1, { title: 'The café is open' });
  expect(await run(world)).toEqual([]);
  expect(world.tracker.bug(1)?.summary).toBe('The café is open');
  world.github.as('mona').edit(repo, 1, { title: 'It shows \ufffd' });
  expect(await run(world)).toEqual([]);
  expect(world.tracker.bug(1)?.summary).toBe('It shows \ufffd');
});

test('control characters get into no field', async () => {
  const world = await mirrored({ summary: 'A', whiteboard: '[easy]' });
  for (const label of ['tag: ha\u001brd', 'tag: hard\u009b', 'area: \u0007', 'tag: harder'])
    world.github.as('mona').label(repo, 1, label);
  world.github.as('mona').edit(repo, 1, { title: 'A\u001bB\u009b' });
  await run(world);
  expect(world.tracker.bug(1)).toMatchObject({ summary: 'A B', whiteboard: '[easy] [harder]' });
  expect(JSON.stringify(world.tracker.bug(1))).not.toMatch(/\\u00[01189]/u);
});

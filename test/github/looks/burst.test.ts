/**
 * A burst of changes: how often the whole engine reads from GitHub before it writes, and what people change meanwhile.
 */

import { expect, test } from 'vitest';
import { cycle } from '../../../src/sync/cycle.ts';
import { contextOn, repo, type Stage, stage } from '../../simulation/stage.ts';
import { type Fault, plant } from '../../support/plant.ts';
import { testLimits, widgetRoute } from '../../support/routes.ts';

const second = 1_000;
const minute = 60 * second;

/** Mirrored bugs, all of which then get another summary. Each write takes a second, as GitHub asks. */
async function changed(count: number): Promise<Stage> {
  const world = stage();
  const alice = world.tracker.as('alice');
  const bugs = Array.from({ length: count }, (_, index) => alice.file({ summary: `Bug ${index}` }));
  await run(world);
  for (const bug of bugs) alice.change(bug, { summary: `Better ${bug}` });
  world.between = (side, method, when) => {
    if (side === 'github' && method === 'update' && when === 'after') world.clock.advance(second);
  };
  return world;
}

async function run(world: Stage, through: typeof cycle = cycle): Promise<void> {
  const context = contextOn(world, widgetRoute, { limits: testLimits });
  for (let planned = 1, cycles = 0; planned > 0 && cycles < 50; cycles += 1) {
    world.clock.advance(minute);
    planned = (await through(context, { isForced: true })).plan.operations.length;
  }
}

const betters = ({ github }: Stage): number =>
  github.issues(repo).filter(({ title }) => title.startsWith('Better')).length;

/** Requests that GitHub counts: queries, and reads of single issues that are answered in full. */
function looksOf({ github }: Stage): number {
  return github.requests.filter(
    ({ method, path, status }) =>
      path === '/graphql' || (method === 'GET' && status === 200 && /\/issues\/\d+$/u.test(path)),
  ).length;
}

const editsOf = ({ github }: Stage): number => github.requests.filter(({ method }) => method === 'PATCH').length;

test('two hundred changes at once take at most a tenth as many reads, and each is written once', async () => {
  const world = await changed(200);
  const [edits, looks] = [editsOf(world), looksOf(world)];
  await run(world);
  expect([betters(world), editsOf(world) - edits]).toEqual([200, 200]);
  expect(looksOf(world) - looks).toBeLessThanOrEqual(0.1 * 200);
});

test('what people change in the middle of a burst is not written over', async () => {
  const world = await changed(60);
  const mona = world.github.as('mona');
  const people = new Set([20, 21, 35, 50]);
  const pace = world.between;
  let writes = 0;
  world.between = (side, method, when) => {
    pace(side, method, when);
    if (side !== 'github' || method !== 'update' || when !== 'before') return;
    writes += 1;
    // Issues that were looked at already, and others.
    if (writes === 18) for (const issue of people) mona.edit(repo, issue, { title: `Of people ${issue}` });
  };
  world.clock.advance(minute);
  await cycle(contextOn(world, widgetRoute, { limits: testLimits }), { isForced: true });
  const kept = world.github
    .issues(repo)
    .filter(({ number, title }) => people.has(number) && title === `Of people ${number}`);
  expect([kept.length, betters(world)]).toEqual([people.size, 60 - people.size]);
});

test('a planted fault is caught: nobody says what will be written', async () => {
  const fault: Fault = {
    file: 'sync/perform/perform.ts',
    from: 'context.github.announce(',
    to: '((_refs: readonly number[]) => undefined)(',
  };
  const { cycle: through } = (await import(
    `${plant(fault)}/sync/cycle.ts`
  )) as typeof import('../../../src/sync/cycle.ts');
  const world = await changed(30);
  const looks = looksOf(world);
  await run(world, through);
  expect(looksOf(world) - looks).toBe(30);
});

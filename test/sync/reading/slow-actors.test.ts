/** I11: issues of which GitHub answers slowly who labelled them hold up no cycle for long, and nothing goes unexplained. */

import { expect, test } from 'vitest';
import type { Route } from '../../../src/model/route.ts';
import { cycle } from '../../../src/sync/cycle.ts';
import { contextOn, repo, type Stage, stage } from '../../simulation/stage.ts';
import { testLimits, widgetRoute } from '../../support/routes.ts';

const route: Route = widgetRoute;
const slowCount = 12;
const wrong = 'severity: huge';

const saidOn = ({ github }: Stage, number: number): boolean =>
  github.commentsOf(repo, number).some(({ body }) => body.includes('huge'));
const labelsOf = ({ github }: Stage, number: number): readonly string[] =>
  github.issues(repo).find((each) => each.number === number)?.labels ?? [];

test('labels that the tracker does not have, and nobody says in time who set them', async () => {
  const world = stage();
  const { github } = world.servers;
  let isSlow = false;
  const slowly: typeof fetch = async (input, init) => {
    if (isSlow && /\/issues\/\d+\/events/u.test(String(input))) world.clock.advance(60_000);
    return github(input, init);
  };
  Object.assign(world.servers, { github: slowly });
  const context = contextOn(world, route, { limits: { ...testLimits, writesPerCycle: 500 } });
  const next = async (): Promise<number> => {
    world.clock.advance(61_000);
    const beganAt = world.clock.now();
    await cycle(context, { isForced: true });
    return (world.clock.now() - beganAt) / 60_000;
  };
  for (let at = 1; at <= slowCount + 1; at += 1)
    world.tracker.as('alice').file({ summary: `Pan ${at}`, description: 'Hot.' });
  for (let at = 0; at < 4; at += 1) await next();
  isSlow = true;
  const numbers = Array.from({ length: slowCount }, (_none, at) => at + 1);
  for (const number of numbers) world.github.as('mona').label(repo, number, wrong);
  world.tracker.as('alice').change(slowCount + 1, { summary: 'A better pan' });
  const minutes = [await next()];
  expect(world.github.issue(repo, slowCount + 1)?.title).toBe('A better pan');
  // What waits for an answer is not corrected without a word.
  const waiting = numbers.filter((number) => !saidOn(world, number));
  expect(waiting.length).toBeGreaterThan(0);
  expect(waiting.filter((number) => !labelsOf(world, number).includes(wrong))).toEqual([]);
  while (numbers.some((number) => !saidOn(world, number)) && minutes.length < 30) minutes.push(await next());
  expect(numbers.filter((number) => !saidOn(world, number))).toEqual([]);
  expect(numbers.filter((number) => labelsOf(world, number).includes(wrong))).toEqual([]);
  expect(Math.max(...minutes)).toBeLessThan(5);
});

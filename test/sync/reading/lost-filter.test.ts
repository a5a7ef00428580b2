/** A keyword that chooses what crosses, and that people renamed: the full comparison says so. */

import { expect, test } from 'vitest';
import type { Route } from '../../../src/model/route.ts';
import { cycle } from '../../../src/sync/cycle.ts';
import { sweep } from '../../../src/sync/sweep.ts';
import { contextOn, repo, type Stage, stage } from '../../simulation/stage.ts';
import { testLimits, widgetRoute } from '../../support/routes.ts';

const byKeyword: Route = { ...widgetRoute, selection: { ...widgetRoute.selection, keyword: 'Crash' } };

async function mirrored(route: Route): Promise<Stage> {
  const world = stage();
  world.tracker.as('alice').file({ summary: 'It fails', description: 'Always.', keywords: ['crash'] });
  world.github.as('mona').open(repo, { title: 'T', body: 'b', labels: ['tracked'] });
  await turns(world, route);
  return world;
}

async function turns(world: Stage, route: Route): Promise<void> {
  for (let index = 0; index < 3; index += 1) {
    world.clock.advance(61_000);
    await cycle(contextOn(world, route, { limits: testLimits }), { isForced: false });
  }
}

const swept = (world: Stage, route: Route, keywords: readonly string[] = ['crash']) => {
  const context = contextOn(world, route, { limits: testLimits });
  const { vocabulary } = context.session;
  context.session.vocabulary = { ...vocabulary, values: { ...vocabulary.values, keywords } };
  return sweep(context, { isForced: false });
};

test('nothing is said where the keyword is there, in whatever case', async () => {
  await expect(swept(await mirrored(byKeyword), byKeyword)).resolves.toBeDefined();
});

test('a keyword that is gone is named by the full comparison, and pairs go on', async () => {
  const world = await mirrored(byKeyword);
  await expect(swept(world, byKeyword, ['boom'])).rejects.toThrow(/no keyword "Crash".* it has boom.*route widget/u);
  world.tracker.as('alice').change(1, { summary: 'It fails often' });
  await turns(world, byKeyword);
  expect(world.github.issues(repo).map(({ title }) => title)).toContain('It fails often');
});

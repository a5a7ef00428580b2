import { expect, test } from 'vitest';
import type { Route } from '../../src/model/route.ts';
import { contentIn } from '../../src/rules/fields/plan.ts';
import { costOf } from '../../src/rules/operations/operations.ts';
import { cycle } from '../../src/sync/cycle.ts';
import { contextOn, repo, stage } from '../simulation/stage.ts';
import { testLimits, widgetRoute } from '../support/routes.ts';

/** What GitHub counts as content although it creates no issue and no comment waits for the budget of creations. */
const route: Route = {
  ...widgetRoute,
  labels: [
    { from: 'severity', as: '{value}', both: true, field: 'Severity' },
    { from: 'priority', as: 'priority: {value}', both: true },
    { from: 'cf_impact', as: '{value}', both: true, isType: true },
  ],
};

test.each([
  ['dependencies', 'github', { dependsOn: ['3'] }, 'create'],
  ['values of issue fields', 'github', { severity: 'major' }, 'create'],
  ['an emptied field, with a title', 'github', { severity: null, title: 'B' }, 'create'],
  ['labels, types and the status', 'github', { priority: 'High', cf_impact: 'high', status: 'open' }, 'edit'],
  ['dependencies and values on the tracker', 'tracker', { dependsOn: ['3'], severity: 'major' }, 'edit'],
] as const)('%s on %s cost what they should', (_what, side, target, cost) => {
  const known = { key: 'k', link: 1, about: 'a', on: side, target, source: {}, duplicateOf: null, via: [] };
  const operation = { kind: 'update', ...known, replaces: {}, overruled: [], ...contentIn(route, side, target) };
  expect(costOf(operation as unknown as Parameters<typeof costOf>[0])).toBe(cost);
});

test('a change of fields spends the budget of creations, and a change of labels does not', async () => {
  const world = stage();
  world.github.setFields(repo, [{ name: 'Severity', kind: 'single_select', options: ['normal', 'major'] }]);
  const alice = world.tracker.as('alice');
  for (const summary of ['A', 'B', 'C']) alice.file({ summary, severity: 'normal' });
  const spent = () => world.store.budgets.since('github', ['create'], 0).length;
  const turns = async (): Promise<number> => {
    for (let index = 0; index < 4; index += 1) {
      world.clock.advance(61_000);
      await cycle(contextOn(world, route, { limits: testLimits }), { isForced: false });
    }
    return spent();
  };
  const created = await turns();
  for (const bug of [1, 2, 3]) alice.change(bug, { priority: 'High' });
  expect(await turns()).toBe(created);
  for (const bug of [1, 2]) alice.change(bug, { severity: 'major' });
  expect(await turns()).toBe(created + 2);
  expect(world.github.issues(repo).filter(({ fields }) => fields?.['Severity'] === 'major').length).toBe(2);
});

import { expect, test } from 'vitest';
import type { Route } from '../../src/model/route.ts';
import { contentIn } from '../../src/rules/fields/plan.ts';
import { costOf, creationsOf } from '../../src/rules/operations/operations.ts';
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

test('each dependency that is added or removed is a creation', () => {
  const known = { kind: 'update', key: 'k', link: 1, about: 'a', on: 'github', source: {}, duplicateOf: null, via: [] };
  const change = (target: object, replaces: object) =>
    creationsOf({ ...known, target, replaces, overruled: [], isContent: true } as unknown as Parameters<
      typeof creationsOf
    >[0]);
  expect(change({ dependsOn: ['2', '3', '4'] }, { dependsOn: ['4', '5'] })).toBe(3);
  expect(change({ severity: 'major' }, {})).toBe(1);
});

test('a bug with more dependencies than the allowance has room for gets the others later', async () => {
  const world = stage();
  const alice = world.tracker.as('alice');
  const blockers = ['A', 'B', 'C', 'D', 'E', 'F'].map((summary) => alice.file({ summary }));
  const waiting = alice.file({ summary: 'It waits' });
  const depending: Route = { ...widgetRoute, dependencies: true };
  const allowances = { github: [{ windowMs: 60_000, pointsMax: 2, name: 'creations a minute' }] };
  const turn = () => cycle(contextOn(world, depending, { limits: testLimits, allowances }), { isForced: false });
  const most = (): number => world.store.budgets.within('github', 'create', world.clock.now(), 60_000);
  const blocking = (): number =>
    world.github.issues(repo).find(({ title }) => title === 'It waits')?.blockedBy.length ?? 0;
  for (let index = 0; index < 6; index += 1) {
    world.clock.advance(61_000);
    await turn();
  }
  alice.change(waiting, { depends_on: { add: blockers } });
  const counts: number[] = [];
  for (let index = 0; index < 6; index += 1) {
    world.clock.advance(61_000);
    await turn();
    expect(most()).toBeLessThanOrEqual(2);
    counts.push(blocking());
  }
  expect(counts.at(-1)).toBe(6);
  expect(counts[0]).toBeLessThan(6);
});

test('the release of the first file is a creation, and those of others are none', async () => {
  const world = stage();
  const alice = world.tracker.as('alice');
  const bug = alice.file({ summary: 'It fails' });
  const rule = {
    store: 'release',
    owner: 'acme',
    repo: 'widget',
    branch: 'b',
    tag: 'attachments',
    bytesMax: 1_000,
  } as const;
  const spent = () => world.store.budgets.since('github', ['create'], 0).length;
  const attached = async (name: string): Promise<number> => {
    const before = spent();
    alice.attach(bug, { bytes: new TextEncoder().encode(name), file_name: name, content_type: 'text/plain' });
    for (let index = 0; index < 3; index += 1) {
      world.clock.advance(61_000);
      await cycle(contextOn(world, { ...widgetRoute, attachments: rule }, { limits: testLimits }), { isForced: false });
    }
    return spent() - before;
  };
  // The issue and the comment with the file count as well.
  expect([await attached('a.txt'), await attached('b.txt')]).toEqual([3, 1]);
});

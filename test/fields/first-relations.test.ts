/** I6: a first run is no mass change: naming items that have just got their counterparts changes nothing mirrored. */

import { expect, test } from 'vitest';
import type { EngineEvent } from '../../src/kernel/context.ts';
import type { Operation } from '../../src/model/plan/operation.ts';
import { brake, changesMirrored } from '../../src/rules/limits/brake-and-budget.ts';
import { cycle } from '../../src/sync/cycle.ts';
import { operationOn, planOf } from '../planner/operations.ts';
import { contextOn, repo, type Stage, stage } from '../simulation/stage.ts';
import { testLimits, widgetRoute } from '../support/routes.ts';

const limits = { ...testLimits, brakeShare: 0.3, writesPerCycle: 15 };

async function refusals(world: Stage, change: Partial<typeof widgetRoute>): Promise<readonly string[]> {
  const seen: string[] = [];
  const tell = (event: EngineEvent) => void (event.kind === 'refused' && seen.push(JSON.stringify(event)));
  for (let index = 0; index < 14; index += 1) {
    world.clock.advance(61_000);
    await cycle(contextOn(world, { ...widgetRoute, ...change }, { limits, tell }), { isForced: false });
  }
  return seen;
}

function filled(relate: (world: Stage, bug: number, other: number) => void): Stage {
  const world = stage();
  const bugs = Array.from({ length: 30 }, (_, index) =>
    world.tracker.as('alice').file({ product: 'Widget', summary: `Bug ${index + 1}` }),
  );
  for (const [index, bug] of bugs.entries()) if (index % 2 === 0) relate(world, bug, bugs[index + 1] ?? 0);
  return world;
}

test.each([{ direction: 'to-github' as const }, { direction: 'both' as const }])(
  'half of the bugs depend on others ($direction)',
  async (change) => {
    const world = filled(({ tracker }, bug, other) =>
      tracker.as('admin').change(bug, { depends_on: { add: [other] } }),
    );
    expect(await refusals(world, { ...change, dependencies: true })).toEqual([]);
    expect(world.github.issues(repo).filter(({ blockedBy }) => blockedBy.length > 0)).toHaveLength(15);
  },
);

test('half of the bugs are duplicates of others', async () => {
  const world = filled(({ tracker }, bug, other) => tracker.as('admin').change(bug, { dupe_of: other }));
  expect(await refusals(world, {})).toEqual([]);
  expect(world.github.issues(repo).filter(({ duplicateOfId }) => duplicateOfId !== null)).toHaveLength(15);
});

const updates = (change: Partial<Operation<'update'>>): readonly Operation[] =>
  Array.from({ length: 40 }, (_, index) => ({ ...operationOn(index + 1, 'update'), ...change }) as Operation);

test.each([
  ['relations that are added', { target: { dependsOn: ['1', '2'] }, replaces: { dependsOn: ['1'] } }, false],
  ['relations that are removed', { target: { dependsOn: [] }, replaces: { dependsOn: ['1'] } }, true],
  ['relations that are exchanged', { target: { dependsOn: ['2'] }, replaces: { dependsOn: ['1'] } }, true],
  ['a title with them', { target: { dependsOn: ['1'], title: 'x' }, replaces: { dependsOn: [] } }, true],
  ['originals that are named', { target: { status: 'duplicate' }, replaces: { status: 'duplicate' } }, false],
  ['bugs that become duplicates', { target: { status: 'duplicate' }, replaces: { status: 'open' } }, true],
  ['tables', { target: { table: 'x' }, replaces: { table: null } }, false],
  ['labels that are tidied', { target: {}, replaces: {} }, true],
] as const)('the brake and %s', (_name, change, isRefused) => {
  const nobody = { tracker: null, github: null };
  const changed = updates(change as never).flatMap(
    (each) => changesMirrored(planOf([each]), nobody, () => null, null) ?? [],
  );
  expect(brake(changed, 100, 0.3, () => 0) !== null).toBe(isRefused);
});

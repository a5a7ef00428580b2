/** Issues that are made without some of what they were to show, when nobody heard the answer. */

import { expect, test } from 'vitest';
import type { Context } from '../../src/kernel/context.ts';
import type { Route } from '../../src/model/route.ts';
import { cycle } from '../../src/sync/cycle.ts';
import { contextOn, repo, type Stage, stage } from '../simulation/stage.ts';
import { plant } from '../support/plant.ts';
import { testLimits, widgetRoute } from '../support/routes.ts';

const people = {
  github: new Map([['bob@example.test', 'octo']]),
  tracker: new Map([['octo', 'bob@example.test']]),
  nobody: [],
};
const route: Route = {
  ...widgetRoute,
  labels: [
    { from: 'severity', as: '{value}', both: true, isType: true },
    { from: 'keywords', as: '{value}', both: true, field: 'Keywords' },
  ],
  assignee: true,
  people,
};

/**
 * A bug with values that GitHub does not take, whose issue is made without an answer. `meanwhile` happens before
 * anybody looks.
 */
async function lost(meanwhile: (world: Stage) => void, run = cycle): Promise<Stage> {
  const world = stage();
  world.github.setTypes(repo, ['Normal']);
  world.github.setFields(repo, [{ name: 'Keywords', kind: 'multi_select', options: ['crash', 'security'] }]);
  world.github.allow(repo, 'octo', null);
  const draft = {
    description: 'It fails.',
    severity: 'major',
    keywords: ['crash', 'regression'],
    assigned_to: 'bob@example.test',
  };
  world.tracker.as('alice').file({ summary: 'Bug 1', ...draft });
  world.clock.advance(86_400_000);
  const context = contextOn(world, route, { limits: testLimits });
  let isLost = false;
  const create: Context['github']['create'] = async (made) => {
    const outcome = await context.github.create(made);
    if (isLost) return outcome;
    isLost = true;
    meanwhile(world);
    return { kind: 'unknown', why: 'no answer' };
  };
  for (let index = 0; index < 6; index += 1) {
    world.clock.advance(61_000);
    await run({ ...context, github: { ...context.github, create } }, { isForced: false });
  }
  expect(isLost).toBe(true);
  return world;
}

const bugOf = ({ tracker }: Stage) => {
  const { severity, keywords, assigned_to: assignee } = tracker.bug(1) ?? {};
  return { severity, keywords, assignee };
};
const remarksOf = ({ github }: Stage) => github.commentsOf(repo, 1).map(({ body }) => body);
const whole = { severity: 'major', keywords: ['crash', 'regression'], assignee: 'bob@example.test' };

test('what GitHub left out is taken from no bug, and nobody is told of it', async () => {
  const world = await lost(() => {});
  expect(world.github.issues(repo)).toMatchObject([{ type: null, assignees: [], fields: { Keywords: ['crash'] } }]);
  expect([bugOf(world), remarksOf(world)]).toEqual([whole, []]);
});

test('what people add in that moment reaches the bug', async () => {
  const world = await lost(({ github }) => github.as('mona').setField(repo, 1, 'Keywords', ['crash', 'security']));
  expect(bugOf(world)).toEqual({ ...whole, keywords: ['crash', 'regression', 'security'] });
});

test('a planted fault is caught: all of it counts as written', async () => {
  const folder = plant({
    file: 'sync/settle/settle.ts',
    from: 'withoutLeftOut(context.route, sent, shown)',
    to: 'withoutLeftOut(context.route, sent, {})',
  });
  const { cycle: run }: { cycle: typeof cycle } = await import(`${folder}/sync/cycle.ts`);
  expect(bugOf(await lost(() => {}, run))).not.toEqual(whole);
});

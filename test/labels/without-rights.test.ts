/** What people set on GitHub while the bridge's account may not change bugs waits for the right, and stays. */

import { describe, expect, test } from 'vitest';
import type { Route } from '../../src/model/route.ts';
import { cycle } from '../../src/sync/cycle.ts';
import { sweep } from '../../src/sync/sweep.ts';
import { contextOn, repo, type Stage, stage } from '../simulation/stage.ts';
import { plant } from '../support/plant.ts';
import { testLimits, widgetRoute } from '../support/routes.ts';

const route: Route = {
  ...widgetRoute,
  labels: [
    { from: 'component', as: 'component: {value}', both: true },
    { from: 'severity', as: 'severity: {value}', both: true },
    { from: 'version', as: 'version: {value}', both: true },
    { from: 'keywords', as: '{value}', both: true },
    { from: 'priority', as: '{value}', both: true, isType: true },
  ],
};
type Turn = typeof cycle;

async function turns(world: Stage, count = 3, turn: Turn = cycle): Promise<void> {
  for (let index = 0; index < count; index += 1) {
    world.clock.advance(61_000);
    await turn(contextOn(world, route, { limits: testLimits }), { isForced: false });
  }
}

function setRights({ tracker: { state } }: Stage, groups: readonly string[]): void {
  const index = state.users.findIndex(({ login }) => login === 'bridge@example.test');
  const user = state.users[index];
  if (user !== undefined) state.users[index] = { ...user, groups };
}

const acts = {
  severity: ({ github }: Stage) => {
    github.as('mona').unlabel(repo, 1, 'severity: normal');
    github.as('mona').label(repo, 1, 'severity: major');
  },
  component: ({ github }: Stage) => {
    github.as('mona').unlabel(repo, 1, 'component: Core');
    github.as('mona').label(repo, 1, 'component: UI');
  },
  keywords: ({ github }: Stage) => github.as('mona').label(repo, 1, 'crash'),
  priority: ({ github }: Stage) => github.as('mona').type(repo, 1, 'High'),
} as const;
const wanted = { severity: 'major', component: 'UI', keywords: ['crash'], priority: 'High' };

const shown = ({ github }: Stage) => {
  const issue = github.issue(repo, 1);
  return [[...(issue?.labels ?? [])].sort(), issue?.type, github.commentsOf(repo, 1).length];
};

/** Refused, and then the pair is read again, as its bug changed. Answers what the issue shows before and after. */
async function refused(act: (world: Stage) => void, turn: Turn = cycle) {
  const world = stage();
  world.github.setTypes(repo, ['---', 'High']);
  world.tracker.as('alice').file({ summary: 'It fails' });
  await turns(world, 3, turn);
  const rights = world.tracker.state.users.find(({ login }) => login === 'bridge@example.test')?.groups ?? [];
  setRights(world, []);
  act(world);
  const chosen = shown(world);
  await turns(world, 3, turn);
  world.tracker.as('alice').change(1, { whiteboard: 'seen' });
  await turns(world, 3, turn);
  return { world, rights, chosen };
}

describe.each(Object.entries(acts))('a %s that people chose', (field, act) => {
  test('stays while the account lacks the right, and arrives with it', async () => {
    const { world, rights, chosen } = await refused(act);
    expect(shown(world)).toEqual(chosen);
    expect(world.store.outbox.parked('widget')).toMatchObject([{ why: expect.stringContaining('code 115') }]);
    setRights(world, rights);
    await sweep(contextOn(world, route, { limits: testLimits }), { isForced: false });
    await turns(world);
    expect(world.tracker.bug(1)).toMatchObject({ [field]: wanted[field as keyof typeof wanted] });
    expect(shown(world)).toEqual(chosen);
  });
});

test('a value that the tracker refuses beside a change without the right is undone once the right is back', async () => {
  const { world, rights } = await refused((each) => {
    acts.severity(each);
    each.github.as('mona').unlabel(repo, 1, 'version: unspecified');
    each.github.as('mona').label(repo, 1, 'version: 99');
  });
  expect(shown(world)[0]).toEqual(['component: Core', 'severity: major', 'version: 99']);
  setRights(world, rights);
  await sweep(contextOn(world, route, { limits: testLimits }), { isForced: false });
  await turns(world, 5);
  expect(world.tracker.bug(1)?.severity).toBe('major');
  expect(shown(world)[0]).toEqual(['component: Core', 'severity: major', 'version: unspecified']);
});

test('a planted fault is caught: every refusal counts as one of the value', async () => {
  const fault = { file: 'sync/observe/fields-on.ts', from: "last?.detail['isOfValue'] === true", to: 'last !== null' };
  const { cycle: planted }: { cycle: Turn } = await import(`${plant(fault)}/sync/cycle.ts`);
  const { world, chosen } = await refused(acts.severity, planted);
  expect(shown(world)).not.toEqual(chosen);
});

/** What GitHub answers without an error and does not take: it drops labels of accounts that lack the right. */

import { describe, expect, test } from 'vitest';
import type { Route } from '../../src/model/route.ts';
import { cycle } from '../../src/sync/cycle.ts';
import { sweep } from '../../src/sync/sweep.ts';
import { bot, contextOn, repo, type Stage, stage } from '../simulation/stage.ts';
import { type Fault, plant } from '../support/plant.ts';
import { testLimits, widgetRoute } from '../support/routes.ts';

const route: Route = {
  ...widgetRoute,
  labels: [
    { from: 'severity', as: 'severity: {value}', both: true },
    { from: 'keywords', as: '{value}', both: true },
    { from: 'priority', as: '{value}', both: true, isType: true },
  ],
};

async function turns(world: Stage, count: number, run: typeof cycle = cycle): Promise<void> {
  for (let index = 0; index < count; index += 1) {
    world.clock.advance(61_000);
    await run(contextOn(world, route, { limits: testLimits }), { isForced: false });
  }
}

async function swept(world: Stage): Promise<void> {
  world.clock.advance(61_000);
  await sweep(contextOn(world, route, { limits: testLimits }), { isForced: false });
  await turns(world, 2);
}

const writes = ({ calls }: Stage): number =>
  calls.filter(({ side, method }) => side === 'github' && method === 'update').length;
const labels = ({ github }: Stage, number = 1) => [...(github.issue(repo, number)?.labels ?? [])].sort();
const parked = ({ store }: Stage): readonly string[] => store.outbox.parked('widget').flatMap(({ why }) => why ?? []);

/** A pair whose account may only read from now on. */
async function withoutRights(run: typeof cycle = cycle): Promise<Stage> {
  const world = stage();
  world.github.setTypes(repo, ['---', 'High', 'Low']);
  world.tracker.as('alice').file({ summary: 'It fails', description: 'Always.' });
  await turns(world, 2, run);
  world.github.allow(repo, bot, null);
  return world;
}

const changes = {
  'a label': [{ severity: 'major' }, 'severity'],
  'a label that is added': [{ keywords: { add: ['crash'] } }, 'keywords'],
  'a status that has a label': [{ status: 'IN_PROGRESS' }, 'status'],
  'a type': [{ priority: 'High' }, 'priority'],
} as const;
const shown = (world: Stage) => [...labels(world), world.github.issue(repo, 1)?.type];
const wanted = {
  'a label': ['severity: major', '---'],
  'a label that is added': ['crash', 'severity: normal', '---'],
  'a status that has a label': ['severity: normal', 'status: in progress', '---'],
  'a type': ['severity: normal', 'High'],
} as const;

describe.each(Object.entries(changes))('%s that GitHub drops', (name, [change, field]) => {
  test('is said, tried again with each sweep, and arrives once the account has the right', async () => {
    const world = await withoutRights();
    world.tracker.as('alice').change(1, change);
    await turns(world, 4);
    expect(parked(world)).toEqual([expect.stringContaining(`GitHub did not take ${field}`)]);
    expect(world.store.ledger.ofLink(1 as never).at(-1)).toMatchObject({ outcome: 'parked' });
    const before = writes(world);
    await turns(world, 3);
    expect(writes(world)).toBe(before);
    await swept(world);
    expect(writes(world)).toBe(before + 1);
    expect(parked(world)).toHaveLength(1);
    world.github.allow(repo, bot, 'write');
    await swept(world);
    expect(shown(world)).toEqual(wanted[name as keyof typeof wanted]);
    expect(parked(world)).toEqual([]);
  });
});

/** One issue whose pair is changed without the right, and what people see of it then. */
describe('what else GitHub drops', () => {
  test('labels of an issue that is made without the right come with it', async () => {
    const world = await withoutRights();
    world.tracker.as('alice').file({ summary: 'B', severity: 'major', keywords: ['crash'], priority: 'Low' });
    await turns(world, 4);
    const before = writes(world);
    await turns(world, 3);
    expect([labels(world, 2), parked(world).length, writes(world)]).toEqual([[], 1, before]);
    expect(world.tracker.bug(2)).toMatchObject({ severity: 'major', keywords: ['crash'], priority: 'Low' });
    world.github.allow(repo, bot, 'write');
    await swept(world);
    expect([labels(world, 2), parked(world)]).toEqual([['crash', 'severity: major'], []]);
  });

  test('a title that goes with a label arrives, and the label alone is left', async () => {
    const world = await withoutRights();
    world.tracker.as('alice').change(1, { severity: 'major', summary: 'It fails often' });
    await turns(world, 3);
    expect(world.github.issue(repo, 1)?.title).toBe('It fails often');
    const rows = world.store.outbox.parked('widget').map(({ operation }) => operation);
    expect(rows).toMatchObject([{ kind: 'update', target: { severity: 'major' }, source: { severity: 'major' } }]);
    expect(rows[0]).not.toMatchObject({ target: { title: expect.anything() } });
  });

  test('two labels of one field cost no write in each cycle', async () => {
    const world = await withoutRights();
    world.github.as('mona').label(repo, 1, 'severity: minor');
    await turns(world, 5);
    const before = writes(world);
    await turns(world, 3);
    expect(writes(world)).toBe(before);
  });

  test('what people choose on GitHub meanwhile counts', async () => {
    const world = await withoutRights();
    world.tracker.as('alice').change(1, { severity: 'major' });
    await turns(world, 3);
    world.github.as('mona').unlabel(repo, 1, 'severity: normal');
    world.github.as('mona').label(repo, 1, 'severity: minor');
    await turns(world, 3);
    expect(world.tracker.bug(1)?.severity).toBe('minor');
    expect(parked(world)).toEqual([]);
  });

  test('a value that the tracker takes back is wanted no more', async () => {
    const world = await withoutRights();
    world.tracker.as('alice').change(1, { severity: 'major' });
    await turns(world, 3);
    world.tracker.as('alice').change(1, { severity: 'normal' });
    await turns(world, 3);
    expect(parked(world)).toEqual([]);
  });
});

const fault: Fault = {
  file: 'sync/perform/operations/update.ts',
  from: 'ignored.push(...untaken);',
  to: 'ignored.push(...untaken.filter(() => false));',
};

test('a planted fault is caught: what GitHub dropped is not said', async () => {
  const { cycle: planted }: { cycle: typeof cycle } = await import(`${plant(fault)}/sync/cycle.ts`);
  const world = await withoutRights(planted);
  world.tracker.as('alice').change(1, { severity: 'major' });
  await turns(world, 4, planted);
  expect(parked(world)).toEqual([]);
});

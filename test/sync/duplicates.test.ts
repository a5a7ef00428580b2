import { beforeEach, describe, expect, test } from 'vitest';
import type { Route } from '../../src/model/route.ts';
import { cycle } from '../../src/sync/cycle.ts';
import { contextOn, repo, type Stage, stage } from '../simulation/stage.ts';
import { plant } from '../support/plant.ts';
import { testLimits, widgetRoute } from '../support/routes.ts';

/**
 * What is a duplicate of what, where one side does not tell it in its lists, or the other end belongs to another route.
 */
const gadget = 'acme/gadget';
const widgets: Route = { ...widgetRoute, visibilityCheck: 'anonymous' };
const gadgets: Route = {
  ...widgets,
  name: 'gadget',
  repo: 'gadget',
  selection: { ...widgets.selection, product: 'Gadget' },
};
let world: Stage;

beforeEach(() => {
  world = stage();
  world.tracker.addProduct('Gadget');
  world.github.addRepo(gadget, { permissions: { 'bugferry-bot': 'write', mona: 'admin' } });
});

type Turn = typeof cycle;

async function turns(count = 3, run: Turn = cycle): Promise<void> {
  for (let index = 0; index < count; index += 1) {
    for (const route of [gadgets, widgets]) {
      world.clock.advance(61_000);
      await run(contextOn(world, route, { limits: testLimits }), { isForced: false });
    }
  }
}

const file = (product: string, summary: string): number => world.tracker.as('alice').file({ product, summary });
const graphqlReads = (): number => world.github.requests.filter(({ path }) => path === '/graphql').length;

async function duplicateElsewhere(run: Turn = cycle): Promise<unknown> {
  const original = file('Gadget', 'The original');
  await turns(3, run);
  const bug = file('Widget', 'The same again');
  await turns(3, run);
  world.tracker.as('admin').change(bug, { dupe_of: original });
  await turns(3, run);
  const closed = world.github.issues(repo).find(({ title }) => title === 'The same again');
  return closed?.state === 'closed' && closed.stateReason === 'duplicate' ? closed.duplicateOfId : closed?.stateReason;
}

describe('a bug that duplicates one of another route', () => {
  test('closes its issue as a duplicate of the issue in the other repository', async () => {
    expect(await duplicateElsewhere()).toBe(world.github.issues(gadget)[0]?.id);
  });

  test('does not name an issue whose bug a reader without an account cannot see', async () => {
    const original = file('Widget', 'The original');
    await turns();
    const bug = file('Gadget', 'The same again');
    await turns();
    world.tracker.as('admin').change(original, { groups: { add: ['security'] } });
    world.tracker.as('admin').change(bug, { dupe_of: original });
    await turns();
    const closed = world.github.issues(gadget)[0];
    expect(closed).toMatchObject({
      title: 'The same again',
      state: 'closed',
      stateReason: 'duplicate',
      duplicateOfId: null,
    });
  });
});

/** A duplicate that is closed while its original has no issue. Returns both issues once that exists. */
async function originalLater(run: Turn = cycle) {
  const original = file('Gadget', 'The original');
  const bug = file('Widget', 'The same again');
  const only = async (route: Route, count: number): Promise<void> => {
    for (let index = 0; index < count; index += 1) {
      world.clock.advance(61_000);
      await run(contextOn(world, route, { limits: testLimits }), { isForced: false });
    }
  };
  world.tracker.as('admin').change(bug, { dupe_of: original });
  await only(widgets, 4);
  expect(world.github.issues(repo)[0]).toMatchObject({
    state: 'closed',
    stateReason: 'duplicate',
    duplicateOfId: null,
  });
  await only(gadgets, 4);
  await only(widgets, 4);
  return { closed: world.github.issues(repo)[0], issue: world.github.issues(gadget)[0], only };
}

describe('an original that has no issue yet', () => {
  test('is named once its issue exists, with one closing more, and then nothing follows', async () => {
    const { closed, issue, only } = await originalLater();
    expect(closed).toMatchObject({ state: 'closed', stateReason: 'duplicate', duplicateOfId: issue?.id });
    const before = world.github.requests.filter(({ method }) => method === 'PATCH').length;
    await only(widgets, 3);
    await only(gadgets, 3);
    expect(world.github.requests.filter(({ method }) => method === 'PATCH')).toHaveLength(before);
    expect(world.tracker.bug(2)).toMatchObject({ status: 'RESOLVED', resolution: 'DUPLICATE', dupe_of: 1 });
  });

  test('is left alone where somebody reopened the issue, or closed it for another reason', async () => {
    const { only } = await originalLater();
    world.github.as('mona').reopen(repo, 1);
    await only(widgets, 4);
    expect(world.github.issues(repo)[0]?.state).toBe('open');
  });

  test.each([
    [
      'nobody looks for duplicates',
      {
        file: 'sync/observe/mentions.ts',
        from: 'if (isOriginalUnnamed(context, each)) markDirty',
        to: 'if (bug === null) markDirty',
      },
    ],
    [
      'the ledger does not tell',
      {
        file: 'sync/perform/record.ts',
        from: '{ original: operation.duplicateOf }',
        to: '{ original: operation.link }',
      },
    ],
    ['the issue is not opened', { file: 'rules/fields/plan.ts', from: ' && !isNaming(operation)', to: '' }],
  ])('a planted fault is caught: %s', async (_name, fault) => {
    const { cycle: planted }: { cycle: Turn } = await import(`${plant(fault)}/sync/cycle.ts`);
    expect((await originalLater(planted)).closed?.duplicateOfId).toBeNull();
  });
});

describe("an issue that people close as a duplicate with GitHub's button", () => {
  test('closes its bug as a duplicate of the bug of the other issue, for one more request', async () => {
    const [original, bug] = [file('Widget', 'The original'), file('Widget', 'The same again')];
    await turns();
    const number = (title: string): number =>
      world.github.issues(repo).find((each) => each.title === title)?.number ?? 0;
    world.github.as('mona').close(repo, number('The same again'), 'duplicate', number('The original'));
    await turns(4);
    expect(world.tracker.bug(bug)).toMatchObject({ status: 'RESOLVED', resolution: 'DUPLICATE', dupe_of: original });
    expect(graphqlReads()).toBe(1);
  });

  test('of another route, too', async () => {
    const [original, bug] = [file('Gadget', 'The original'), file('Widget', 'The same again')];
    await turns();
    world.github.as('mona').close(repo, 1, 'duplicate', { repo: gadget, number: 1 });
    await turns(4);
    expect(world.tracker.bug(bug)).toMatchObject({ resolution: 'DUPLICATE', dupe_of: original });
  });

  test('of an issue that is not mirrored leaves it not planned', async () => {
    const bug = file('Widget', 'The same again');
    world.github.addRepo('acme/other');
    await turns();
    const other = world.github.as('mona').open('acme/other', { title: 'Elsewhere' });
    world.github.as('mona').close(repo, 1, 'duplicate', { repo: 'acme/other', number: other });
    await turns(4);
    expect(world.tracker.bug(bug)).toMatchObject({ status: 'RESOLVED', resolution: 'WONTFIX' });
  });

  test('a planted fault is caught: nobody asks GitHub', async () => {
    const fault = { file: 'sync/plan-links.ts', from: "github?.reason !== 'duplicate'", to: 'github !== null' };
    const { cycle: planted }: { cycle: Turn } = await import(`${plant(fault)}/sync/cycle.ts`);
    const bug = file('Widget', 'The original');
    file('Widget', 'The same again');
    await turns();
    world.github.as('mona').close(repo, 1, 'duplicate', 2);
    await turns(4, planted);
    expect(world.tracker.bug(bug)).toMatchObject({ resolution: 'WONTFIX' });
  });
});

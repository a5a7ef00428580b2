/** Copies of tagged comments, which a migration minimizes many at a time. */

import { expect, test } from 'vitest';
import { type Forecast, forecast } from '../../src/migrate/forecast.ts';
import { contextOn, repo, type Stage } from '../simulation/stage.ts';
import { testLimits } from '../support/routes.ts';
import { cyclesOn, importerOn, importStage, migrateOn, oneWay, writesOf } from './bench.ts';

const bugs = 30;

/** Bugs with a comment each that is tagged, and one that is not. */
function filled(tag = 'spam'): Stage {
  const world = importStage();
  const alice = world.tracker.as('alice');
  for (let index = 1; index <= bugs; index += 1) {
    const bug = alice.file({ summary: `Bug ${index}`, description: 'It fails.' });
    world.tracker.as('admin').tag(alice.comment(bug, 'Buy this'), { add: [tag] });
    alice.comment(bug, 'Me too');
  }
  world.clock.advance(86_400_000);
  return world;
}

function forecastOn(world: Stage): Promise<Forecast> {
  const importer = importerOn(world);
  const context = contextOn(world, oneWay, { limits: testLimits });
  return forecast({ context, importer, numbers: 'free', limit: null, tell: () => {} }, importer, 0);
}

const minimized = ({ github }: Stage) =>
  github.issues(repo).flatMap(({ number }) => github.commentsOf(repo, number).map(({ minimized }) => minimized));
const wanted = Array.from({ length: bugs }, () => ['spam', null]).flat();
const asked = (world: Stage) => world.github.requests.filter(({ path }) => path === '/graphql').length;
const alone = ({ calls }: Stage) => calls.filter(({ method }) => method === 'minimize').length;

test('are minimized in few requests, and nothing is left for the cycles', async () => {
  const world = filled();
  expect(await migrateOn(world)).toMatchObject({ imported: bugs, parked: 0 });
  expect(minimized(world)).toEqual(wanted);
  // A question and a change for each batch.
  expect([asked(world), alone(world)]).toEqual([4, 0]);
  expect(await cyclesOn(world, 3)).toEqual([]);
  const before = writesOf(world).length;
  await migrateOn(world);
  expect(writesOf(world)).toHaveLength(before);
});

test('are counted in the forecast, by both ways of writing', async () => {
  const [tagged, plain] = [filled(), filled('me-too')];
  const [one, other] = [await forecastOn(tagged), await forecastOn(plain)];
  expect([one.minimized, other.minimized]).toEqual([bugs, 0]);
  const { import: imported, api } = one.work;
  expect([imported.reads - other.work.import.reads, imported.writes - other.work.import.writes]).toEqual([2, 2]);
  expect([api.reads - other.work.api.reads, api.writes - other.work.api.writes]).toEqual([bugs, bugs]);
});

test('are told in the story of their bugs', async () => {
  const world = filled();
  await migrateOn(world);
  const link = world.store.links.after('widget', null, 1)[0];
  const lines = link === undefined ? [] : world.store.ledger.ofLink(link.id);
  expect(lines.filter(({ kind }) => kind === 'minimize')).toMatchObject([
    { outcome: 'applied', detail: { minimize: 'spam' } },
  ]);
});

test('stay as people minimize them in between, until the tags change', async () => {
  const world = filled();
  const direct = importerOn(world);
  let id = 0;
  const importer: typeof direct = {
    ...direct,
    minimize: (foldings) => {
      if (id === 0) {
        id = foldings[0]?.comment ?? 0;
        world.github.as('mona').minimize(repo, id, 'spam');
      }
      return direct.minimize(foldings);
    },
  };
  await migrateOn(world, { importer });
  expect([minimized(world), alone(world)]).toEqual([wanted, 0]);
  world.github.as('mona').minimize(repo, id, null);
  expect(await cyclesOn(world, 3)).toEqual([]);
  expect(minimized(world)[0]).toBeNull();
});

test.each([
  ['took effect', true],
  ['did not', false],
])('are read one by one if the answer was lost and it %s, and minimized once', async (_what, after) => {
  const world = filled();
  const direct = importerOn(world);
  let lost = 0;
  const importer: typeof direct = {
    ...direct,
    minimize: async (foldings) => {
      if (lost++ > 0) return direct.minimize(foldings);
      if (after) await direct.minimize(foldings);
      return { done: new Set(), failure: { kind: 'unknown', why: 'no answer' } };
    },
  };
  await migrateOn(world, { importer });
  expect([minimized(world), lost]).toEqual([wanted, 1]);
  expect(world.store.outbox.count('widget')).toEqual({ planned: 0, sent: 0, parked: 0 });
  expect(await cyclesOn(world, 3)).toEqual([]);
});

test.each([
  ['a process that dies before the answer', 'throws'],
  ['a server that takes none of them so', { kind: 'refused', why: 'no' }],
  ['a server that does none of them', null],
  ['a pause', { kind: 'later', at: null, wholeSide: true, why: 'slowly' }],
] as const)('end the same after %s', async (_what, failure) => {
  const world = filled();
  const direct = importerOn(world);
  const minimize: typeof direct.minimize = async () => {
    if (failure === 'throws') throw new Error('killed');
    return { done: new Set(), failure };
  };
  await migrateOn(world, { importer: { ...direct, minimize } }).catch(() => {});
  if (failure === 'throws') {
    expect(world.store.outbox.count('widget').sent).toBe(25);
    world.clock.advance(600_000);
    await migrateOn(world);
  }
  expect([minimized(world), world.store.outbox.count('widget')]).toEqual([wanted, { planned: 0, sent: 0, parked: 0 }]);
  expect(await cyclesOn(world, 3)).toEqual([]);
});

/** Bugs that are hidden after a cutover closed them: its closing never closes an issue. */

import { expect, test } from 'vitest';
import { writeCutoverNotices } from '../../src/migrate/cutover/notice.ts';
import { takeBack } from '../../src/migrate/cutover/take-back.ts';
import { migrate } from '../../src/migrate/migrate.ts';
import type { Migration } from '../../src/migrate/migration.ts';
import type { Route } from '../../src/model/route.ts';
import { statesOf } from '../simulation/restores/states.ts';
import { bot, contextOn, edgesOn, repo, type Stage, stage } from '../simulation/stage.ts';
import { testLimits, widgetRoute } from '../support/routes.ts';
import { scrub } from '../support/scrub.ts';
import { cyclesOn, oneWay } from './bench.ts';

const closing = { status: 'RESOLVED', resolution: 'WONTFIX' };
const user = 'bridge-insider';

const passing = (world: Stage, route: Route): Migration => ({
  context: contextOn(world, route, { limits: testLimits, user }),
  importer: null,
  numbers: 'free',
  limit: null,
  tell: () => undefined,
});

const change = (world: Stage, what: Readonly<Record<string, unknown>>): void =>
  void world.tracker.as('alice').change(1, what);
const hide = (world: Stage): void => change(world, { groups: { add: ['security'] } });
const show = (world: Stage): void => change(world, { groups: { remove: ['security'] } });
const shown = ({ tracker, github }: Stage) => [tracker.bug(1)?.status, github.issue(repo, 1)?.state];

interface Start {
  readonly world: Stage;
  cycles(count?: number): Promise<unknown>;
  leave(): Promise<unknown>;
  comeBack(): Promise<unknown>;
}

/** A pair of which the tracker's side, or GitHub's, is ours. */
async function mirrored(side: 'tracker' | 'github', route: Route): Promise<Start> {
  const world = stage();
  if (side === 'github') world.tracker.as('alice').file({ summary: 'It fails' });
  else world.github.as('mona').open(repo, { title: 'It fails' });
  const cycles = (count = 3) => cyclesOn(world, count, route, { user });
  await cycles();
  return {
    world,
    cycles,
    leave: () => writeCutoverNotices(passing(world, route), { addsComment: true, closing }),
    comeBack: () => takeBack(passing(world, route)),
  };
}

const pairs = [
  ['our issue', 'github', widgetRoute],
  ['our issue on a route to GitHub', 'github', oneWay],
  ['our issue where only the account looks', 'github', { ...widgetRoute, visibilityCheck: 'none' }],
  ['an issue of people', 'tracker', widgetRoute],
] as const;

test.each(pairs)('%s is open once its bug is shown again', async (_what, side, route) => {
  const { world, cycles, leave, comeBack } = await mirrored(side, route);
  await leave();
  await cycles();
  hide(world);
  await cycles();
  show(world);
  await cycles();
  expect(shown(world)).toEqual(['RESOLVED', 'open']);
  expect(await cycles(2)).toEqual([]);
  expect(await comeBack()).toEqual({ reopened: 1, left: [] });
  await cycles();
  expect(shown(world)).toEqual(['CONFIRMED', 'open']);
});

test.each(pairs)('%s is open if the cutover is taken back while its bug is hidden', async (_what, side, route) => {
  const { world, cycles, leave, comeBack } = await mirrored(side, route);
  await leave();
  await cycles();
  hide(world);
  await cycles();
  expect(await comeBack()).toEqual({ reopened: 1, left: [] });
  await cycles();
  show(world);
  await cycles();
  expect(shown(world)).toEqual(['CONFIRMED', 'open']);
});

test.each([
  ['hidden', true],
  ['shown again', false],
] as const)(
  'of a state from before the cutover, put back while its bug is %s, our issue is open',
  async (_when, isHidden) => {
    const bare = stage();
    bare.store.close();
    const states = statesOf(bare.clock.now, scrub);
    const world: Stage = { ...bare, store: states.store };
    world.tracker.as('alice').file({ summary: 'It fails' });
    const cycles = (count = 3) => cyclesOn(world, count, widgetRoute, { user });
    await cycles();
    const before = states.copy();
    world.clock.advance(5_000);
    await writeCutoverNotices(passing(world, widgetRoute), { addsComment: true, closing });
    await cycles();
    hide(world);
    await cycles();
    if (!isHidden) show(world);
    states.putBack(before, 'told');
    await cycles();
    if (isHidden) show(world);
    await cycles(4);
    expect(shown(world)).toEqual(['RESOLVED', 'open']);
    expect((await takeBack(passing(world, widgetRoute))).left).toEqual([]);
    await cycles();
    expect(shown(world)).toEqual(['CONFIRMED', 'open']);
    states.close();
  },
);

test('a migration by imports, on a state from before the cutover, closes no issue', async () => {
  const bare = stage();
  bare.store.close();
  const states = statesOf(bare.clock.now, scrub);
  const world: Stage = { ...bare, store: states.store };
  world.github.allow(repo, bot, 'admin');
  world.tracker.as('alice').file({ summary: 'It fails' });
  const importer = edgesOn(world, { user, isDead: () => false }).importer(oneWay);
  await cyclesOn(world, 3, oneWay, { user });
  const before = states.copy();
  world.clock.advance(5_000);
  await writeCutoverNotices(passing(world, oneWay), { addsComment: true, closing });
  states.putBack(before, 'told');
  await migrate({ ...passing(world, oneWay), importer });
  await cyclesOn(world, 3, oneWay, { user });
  expect(shown(world)).toEqual(['RESOLVED', 'open']);
  states.close();
});

test('a status that people give the hidden bug closes its issue', async () => {
  const { world, cycles, leave } = await mirrored('github', widgetRoute);
  await leave();
  await cycles();
  hide(world);
  await cycles();
  change(world, { resolution: 'FIXED' });
  show(world);
  await cycles();
  expect(shown(world)).toEqual(['RESOLVED', 'closed']);
});

test('an issue that people closed before stays closed', async () => {
  const { world, cycles, leave } = await mirrored('github', widgetRoute);
  await leave();
  await cycles();
  world.github.as('mona').close(repo, 1, 'not_planned');
  await cycles();
  hide(world);
  await cycles();
  show(world);
  await cycles();
  expect(shown(world)).toEqual(['RESOLVED', 'closed']);
});

test('a label of the status that the bug had before is on its issue again', async () => {
  const { world, cycles, leave } = await mirrored('github', widgetRoute);
  change(world, { status: 'IN_PROGRESS' });
  await cycles();
  const before = world.github.issue(repo, 1)?.labels.toSorted();
  await leave();
  await cycles();
  hide(world);
  await cycles();
  show(world);
  await cycles();
  expect(world.github.issue(repo, 1)?.labels.toSorted()).toEqual(before);
});

test('a bug that goes to another product and comes back opens its issue', async () => {
  const { world, cycles, leave } = await mirrored('github', widgetRoute);
  await leave();
  await cycles();
  change(world, { product: 'Gadget', component: 'Firmware', version: 'A1', target_milestone: '---' });
  await cycles(4);
  const away = shown(world);
  change(world, { product: 'Widget', component: 'Core', version: 'unspecified', target_milestone: '---' });
  await cycles(4);
  expect([away, shown(world)]).toEqual([
    ['RESOLVED', 'closed'],
    ['RESOLVED', 'open'],
  ]);
});

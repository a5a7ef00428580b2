/** A state from before a cutover knows nothing of its closings, whatever people made of the closed bugs since. */

import { expect, test } from 'vitest';
import { writeCutoverNotices } from '../../src/migrate/cutover/notice.ts';
import { takeBack } from '../../src/migrate/cutover/take-back.ts';
import { migrate } from '../../src/migrate/migrate.ts';
import type { Migration } from '../../src/migrate/migration.ts';
import type { Importer } from '../../src/model/migration.ts';
import type { Route } from '../../src/model/route.ts';
import { statesOf } from '../simulation/restores/states.ts';
import { bot, contextOn, repo, type Stage, stage } from '../simulation/stage.ts';
import { testLimits, widgetRoute } from '../support/routes.ts';
import { scrub } from '../support/scrub.ts';
import { cyclesOn, importerOn, oneWay } from './bench.ts';

const leave = { addsComment: true, closing: { status: 'RESOLVED', resolution: 'WONTFIX' } };
const routes = { 'two ways': widgetRoute, 'to GitHub': oneWay } as const;

/** A stage whose state may be put back, with two bugs in step. */
async function twoBugs(route: Route) {
  const bare = stage();
  bare.store.close();
  const states = statesOf(bare.clock.now, scrub);
  const world: Stage = { ...bare, store: states.store };
  world.github.allow(repo, bot, 'admin');
  for (const summary of ['It is slow', 'It hangs']) world.tracker.as('alice').file({ summary });
  const cycles = () => cyclesOn(world, 4, route);
  await cycles();
  const migration = (importer: Importer | null = null): Migration => ({
    ...{ context: contextOn(world, route, { limits: testLimits }), importer },
    ...{ numbers: 'free', limit: null, tell: () => undefined },
  });
  return { world, states, cycles, migration };
}

type Patch = Readonly<Record<string, unknown>>;

/** People change a bug that a cutover closed. @returns what both sides show when the older state has come back */
async function comeBack(route: keyof typeof routes, isRestored: boolean, patches: readonly Patch[]) {
  const { world, states, cycles, migration } = await twoBugs(routes[route]);
  const before = states.copy();
  world.clock.advance(61_000);
  await writeCutoverNotices(migration(), leave);
  for (const patch of patches) {
    await cycles();
    world.tracker.as('alice').change(1, patch);
  }
  if (isRestored) states.putBack(before, 'told');
  await cycles();
  const shown = () => {
    const [bug, issue] = [world.tracker.bug(1), world.github.issue(repo, 1)];
    return [bug?.status, bug?.resolution, issue?.state, issue?.stateReason];
  };
  const left = shown();
  await takeBack(migration());
  await cycles();
  const undone = shown();
  states.close();
  return { left, undone };
}

const cases: readonly (readonly [string, readonly Patch[], unknown])[] = [
  ['verified', [{ status: 'VERIFIED' }], ['VERIFIED', 'WONTFIX', 'open', null]],
  ['fixed, as people say', [{ resolution: 'FIXED' }], ['RESOLVED', 'FIXED', 'closed', 'completed']],
  ['opened', [{ status: 'CONFIRMED' }], ['CONFIRMED', '', 'open', null]],
  [
    'opened and closed again as it was',
    [{ status: 'CONFIRMED' }, { status: 'RESOLVED', resolution: 'WONTFIX' }],
    ['RESOLVED', 'WONTFIX', 'closed', 'not_planned'],
  ],
  ['left as it is', [], ['RESOLVED', 'WONTFIX', 'open', null]],
];

test.each((['two ways', 'to GitHub'] as const).flatMap((route) => cases.map((each) => [route, ...each] as const)))(
  '%s: a bug that a cutover closed and that is then %s is as if the state had not been restored',
  async (route, _what, patches, expected) => {
    const twin = await comeBack(route, false, patches);
    expect(twin.left).toEqual(expected);
    expect(await comeBack(route, true, patches)).toEqual(twin);
  },
);

test.each(['told', 'silent'] as const)(
  'a migration after the cutover closes no issue, although the state is older, and that was %s',
  async (how) => {
    const { world, states, cycles, migration } = await twoBugs(widgetRoute);
    const before = states.copy();
    world.clock.advance(61_000);
    await writeCutoverNotices(migration(), leave);
    states.putBack(before, how);
    world.clock.advance(61_000);
    await migrate(migration(importerOn(world)));
    await cycles();
    const open = world.github.issues(repo).map(({ state }) => state);
    await takeBack(migration());
    await cycles();
    expect([open, world.tracker.bugs().map(({ status }) => status)]).toEqual([
      ['open', 'open'],
      ['CONFIRMED', 'CONFIRMED'],
    ]);
    states.close();
  },
);

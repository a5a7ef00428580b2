/** Bugs that are hidden while a migration is under way, on a route that asks nobody else what is public. */

import { expect, test } from 'vitest';
import type { migrate } from '../../src/migrate/migrate.ts';
import type { Numbers } from '../../src/migrate/migration.ts';
import { repo, type Stage } from '../simulation/stage.ts';
import { plant } from '../support/plant.ts';
import { cyclesOn, importerOn, importStage, type MigrateOptions, migrateOn } from './bench.ts';

function filled(): Stage {
  const world = importStage();
  const alice = world.tracker.as('alice');
  for (let index = 1; index <= 6; index += 1) {
    const bug = alice.file({ summary: `Trouble ${index}`, description: `Words of ${index}` });
    alice.comment(bug, `Comment on ${index}`);
  }
  world.clock.advance(86_400_000);
  return world;
}

interface Moment {
  readonly user: 'bridge' | 'bridge-insider';
  readonly numbers: Numbers;
  /** The first call of a port at which bug 4 goes. */
  readonly at: string;
  readonly how: 'hide' | 'remove';
}

/** What was sent to GitHub of bug 4 after it went, in the migration and the cycles behind it. */
async function leakedAfter(
  { user, numbers, at, how }: Moment,
  options: MigrateOptions = {},
): Promise<readonly string[]> {
  const world = filled();
  const lines: string[] = [];
  let isGone = false;
  world.between = (side, method, when) => {
    if (isGone || `${side} ${method} ${when}` !== at) return;
    isGone = true;
    world.tracker[how](4);
  };
  const direct = importerOn(world);
  const importer: typeof direct = {
    ...direct,
    begin: (draft) => {
      if (isGone) lines.push(JSON.stringify(draft));
      return direct.begin(draft);
    },
  };
  await migrateOn(world, { numbers, importer, context: { user }, ...options });
  await cyclesOn(world, 4, undefined, { user });
  expect(isGone).toBe(true);
  lines.push(...world.calls.filter(({ side }) => side === 'github').map(({ args }) => JSON.stringify(args)));
  lines.push(...world.github.issues(repo).map((issue) => JSON.stringify(issue)));
  return lines.filter((each) => /Trouble 4|Words of 4|Comment on 4/u.test(each));
}

const read = 'github list after';
const moments: readonly Moment[] = [
  { user: 'bridge', numbers: 'keep', at: read, how: 'hide' },
  { user: 'bridge', numbers: 'keep', at: 'tracker threads before', how: 'hide' },
  { user: 'bridge', numbers: 'free', at: read, how: 'hide' },
  { user: 'bridge', numbers: 'free', at: 'tracker threads before', how: 'hide' },
  { user: 'bridge', numbers: 'keep', at: read, how: 'remove' },
  { user: 'bridge', numbers: 'keep', at: 'tracker threads before', how: 'remove' },
  { user: 'bridge-insider', numbers: 'keep', at: read, how: 'hide' },
  { user: 'bridge-insider', numbers: 'free', at: read, how: 'hide' },
];

test.each(moments)(
  'reports nothing of a bug that disappears after the tracker was read: $user, $numbers, $how, $at',
  async (moment) => {
    expect(await leakedAfter(moment)).toEqual([]);
  },
);

test('its number is held all the same, and shifts no other', async () => {
  const world = filled();
  world.between = (side, method, when) => {
    if (`${side} ${method} ${when}` === 'tracker threads before') world.tracker.hide(4);
  };
  expect(await migrateOn(world, { numbers: 'keep' })).toMatchObject({ imported: 5, placeholders: 1, stopped: null });
  expect(world.github.issues(repo).map(({ number, state }) => `${number} ${state}`)).toEqual([
    ...['1 open', '2 open', '3 open', '4 closed', '5 open', '6 open'],
  ]);
  world.between = () => {};
  world.tracker.unhide(4);
  await cyclesOn(world, 4);
  expect(world.github.issue(repo, 4)).toMatchObject({ title: 'Trouble 4', state: 'open' });
});

test.each([
  {
    file: 'migrate/import-bugs.ts',
    from: "  await patiently(migration, () => pollChanges(context, 'tracker'));\n  await withdrawSent(migration);\n",
    to: '',
  },
])('a planted fault is caught: $file: $from', async (fault) => {
  const folder = plant(fault);
  const { migrate: run }: { migrate: typeof migrate } = await import(`${folder}/migrate/migrate.ts`);
  const lines = await Promise.all(moments.map((moment) => leakedAfter(moment, { run })));
  expect(lines.flat()).not.toEqual([]);
});

/** A migration is at its end when nothing waits any more, and not when there was nothing to write for a while. */

import { describe, expect, test } from 'vitest';
import { readBoth } from '../../src/migrate/adopt.ts';
import { untilQuiet } from '../../src/migrate/until-quiet.ts';
import { openStore } from '../../src/store/open.ts';
import { contextOn, repo } from '../simulation/stage.ts';
import { testLimits } from '../support/routes.ts';
import { scrub } from '../support/scrub.ts';
import { importStage, type MigrateOptions, migrateOn, oneWay } from './bench.ts';

const bugs = 60;
const context = { limits: { ...testLimits, writesPerCycle: 5 } };

function filled() {
  const world = importStage();
  for (let index = 1; index <= bugs; index += 1)
    world.tracker.as('alice').file({ summary: `Bug ${index}`, description: 'It fails.' });
  world.clock.advance(86_400_000);
  return world;
}

describe('many pairs without anything to write are all looked at', () => {
  const cases: readonly (readonly [string, MigrateOptions])[] = [
    ['after an import', {}],
    ['with kept numbers', { numbers: 'keep' }],
    ['after the interface wrote them', { importer: null }],
  ];
  test.each(cases)('%s', async (_name, options) => {
    const world = filled();
    expect(await migrateOn(world, { context, ...options })).toMatchObject({ imported: bugs, stopped: null });
    expect(world.store.links.count('widget')).toMatchObject({ whole: bugs, wanting: 0 });
    expect(world.github.issues(repo)).toHaveLength(bugs);
  });

  test('before a cutover, and where the state was lost', async () => {
    const world = filled();
    await migrateOn(world);
    const store = openStore(':memory:', { mode: 'write', now: world.clock.now, scrub });
    const migration = {
      context: contextOn({ ...world, store }, oneWay, context),
      ...({ importer: null, numbers: 'free', limit: null } as const),
      tell: () => undefined,
    };
    await readBoth(migration);
    await untilQuiet(migration, (whole) => whole, 'remainder');
    expect(store.links.count('widget')).toMatchObject({ whole: bugs, wanting: 0 });
  });
});

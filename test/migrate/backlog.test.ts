/**
 * What was imported is looked at in turn: a cycle costs as much as it may write, and no more where the tracker is
 * larger.
 */

import { type Case, testCases } from '../support/faults/scenarios.ts';
import { importStage, migrateOn } from './bench.ts';

const bugs = 20;

/** The most links that a cycle after an import takes for changed, which it looks at before it plans. */
async function changedAtOnce(src: string): Promise<unknown> {
  const { migrate } = (await import(`${src}/migrate/migrate.ts`)) as typeof import('../../src/migrate/migrate.ts');
  const world = importStage();
  for (let index = 1; index <= bugs; index += 1)
    world.tracker.as('alice').file({ summary: `Bug ${index}`, description: 'It fails.' });
  world.clock.advance(86_400_000);
  const { links } = world.store;
  const { changed } = links;
  let most = 0;
  Object.assign(links, {
    changed(route: string) {
      const found = changed(route);
      most = Math.max(most, found.length);
      return found;
    },
  });
  const { imported } = await migrateOn(world, { run: migrate });
  return { imported, most };
}

const cases: readonly Case[] = [
  {
    name: 'what was imported counts as changed by people',
    ...{ file: 'sync/settle/settle.ts', from: "isImport(row) ? 'backfill' : 'live'", to: "'live'" },
    ...{ scenario: changedAtOnce, right: { imported: bugs, most: 0 } },
  },
];

testCases(cases);

/**
 * What was imported is looked at in turn: a cycle costs as much as it may write, and no more where the tracker is
 * larger.
 */

import { expect, test } from 'vitest';
import { importStage, migrateOn } from './bench.ts';

const bugs = 20;

test('a cycle after an import does not take the imported links for changed ones', async () => {
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
  expect(await migrateOn(world)).toMatchObject({ imported: bugs });
  expect(most).toBe(0);
});

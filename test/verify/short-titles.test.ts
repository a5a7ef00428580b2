import { expect, test } from 'vitest';
import { cycle } from '../../src/sync/cycle.ts';
import { contextOn, repo, stage } from '../simulation/stage.ts';
import { testLimits, widgetRoute } from '../support/routes.ts';
import { linesOf, verified } from './mirror.ts';

/** A tracker that keeps an emoji as `[U+1F41B]` has room for 28 of them in a summary; GitHub has room for all. */
const title = `${'🐛'.repeat(60)} everywhere`;

test('a title that was cut because its emoji take more room on the tracker is no difference', async () => {
  const world = stage();
  world.tracker.state.version = '5.0';
  world.github.as('mona').open(repo, { title });
  const context = contextOn(world, widgetRoute, { limits: testLimits });
  await context.tracker.hello();
  for (let turns = 0; turns < 6; turns += 1) {
    world.clock.advance(61_000);
    await cycle(context, { isForced: true });
  }
  expect(world.tracker.bugs()[0]?.summary).toMatch(/^(?:\[U\+1F41B\]){28}…$/u);
  expect(world.github.issue(repo, 1)?.title).toBe(title);
  expect(linesOf(await verified(context))).toEqual([]);
  world.tracker.as('admin').change(1, { summary: '[U+1F41B][U+1F41B]…' });
  expect(linesOf(await verified(context))).toEqual([expect.stringContaining('title')]);
});

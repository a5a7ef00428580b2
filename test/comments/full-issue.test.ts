/** What GitHub refuses for good is asked for once, and what it cannot answer just now is asked again. */

import { expect, test } from 'vitest';
import { cycle } from '../../src/sync/cycle.ts';
import { sweep } from '../../src/sync/sweep.ts';
import { contextOn, repo, type Stage, stage } from '../simulation/stage.ts';
import { testLimits, widgetRoute } from '../support/routes.ts';
import { verified } from '../verify/mirror.ts';

const route = { ...widgetRoute, visibilityCheck: 'anonymous' as const };

async function turns(world: Stage, count = 3, isSweep = false): Promise<void> {
  for (let index = 0; index < count; index += 1) {
    world.clock.advance(isSweep ? 86_400_000 : 61_000);
    const context = contextOn(world, route, { limits: testLimits });
    if (isSweep) await sweep(context, { isForced: false });
    await cycle(context, { isForced: false });
  }
}

/** A bug with more comments than its issue takes. */
async function crowded(): Promise<{ world: Stage; bug: number; sent(): number }> {
  const world = stage();
  Object.assign(world.github.state.limits, { commentsPerIssue: 5 });
  const bug = world.tracker.as('alice').file({ product: 'Widget', summary: 'Busy' });
  for (let index = 0; index < 12; index += 1) world.tracker.as('bob').comment(bug, `Word ${index}`);
  await turns(world, 4);
  return {
    world,
    bug,
    sent: () =>
      world.github.requests.filter(({ method, path }) => method === 'POST' && /\/comments$/u.test(path)).length,
  };
}

test('the limit of an issue is met once, not by each comment in each sweep', async () => {
  const { world, bug, sent } = await crowded();
  expect(world.github.commentsOf(repo, 1)).toHaveLength(5);
  const before = sent();
  expect(before).toBeLessThanOrEqual(7);
  await turns(world, 3, true);
  world.tracker.as('bob').comment(bug, 'One more');
  await turns(world, 3);
  expect(sent()).toBe(before);
  expect(world.store.outbox.parked('widget').map(({ why }) => why)).toEqual(
    Array.from({ length: 8 }, () => expect.stringMatching(/accepts no further comment/)),
  );
});

test('verify says once why comments of one issue were given up', async () => {
  const { world } = await crowded();
  const { pairs } = await verified(contextOn(world, route, { limits: testLimits }));
  expect(pairs.map(({ known }) => known)).toEqual([
    [expect.stringMatching(/^7 writes given up: .*accepts no further comment/u)],
  ]);
});

test('another issue takes its comments meanwhile, and so does the tracker', async () => {
  const { world, bug } = await crowded();
  const other = world.tracker.as('alice').file({ product: 'Widget', summary: 'Quiet' });
  world.tracker.as('bob').comment(other, 'A word');
  await turns(world, 3);
  expect(world.github.commentsOf(repo, 2)).toHaveLength(1);
  world.tracker.as('admin').change(bug, { summary: 'Very busy' });
  await turns(world, 3);
  expect(world.github.issue(repo, 1)?.title).toBe('Very busy');
});

test('there is room again once people delete comments', async () => {
  const { world } = await crowded();
  for (const { id } of world.github.commentsOf(repo, 1).slice(0, 2)) world.github.as('mona').deleteComment(repo, id);
  await turns(world, 2, true);
  await turns(world, 3);
  expect(world.github.commentsOf(repo, 1)).toHaveLength(5);
});

/** An issue that mona closed as a duplicate, while GitHub's GraphQL fails. */
test('a bug is not closed for another reason while GitHub does not say what its issue duplicates', async () => {
  const world = stage();
  for (const summary of ['The original', 'The same again', 'Another'])
    world.tracker.as('alice').file({ product: 'Widget', summary });
  await turns(world);
  const { github } = world.servers;
  let isFailing = true;
  const failing: typeof fetch = async (input, init) =>
    isFailing && String(input).endsWith('/graphql')
      ? Response.json({
          data: { repository: { issue: null } },
          errors: [{ message: 'Something went wrong while executing your query.' }],
        })
      : github(input, init);
  Object.assign(world.servers, { github: failing });
  world.github.as('mona').close(repo, 2, 'duplicate', 1);
  world.github.as('mona').edit(repo, 3, { title: 'Renamed' });
  await turns(world);
  expect(world.tracker.bug(2)).toMatchObject({ resolution: '' });
  expect(world.tracker.bug(3)?.summary, 'others go on').toBe('Renamed');
  isFailing = false;
  await turns(world);
  expect(world.tracker.bug(2)).toMatchObject({ resolution: 'DUPLICATE', dupe_of: 1 });
});

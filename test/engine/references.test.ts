import { expect, test } from 'vitest';
import { cycle } from '../../src/engine/cycle.ts';
import { openStore } from '../../src/store/open.ts';
import { contextOn, repo, type Stage, stage } from '../simulation/stage.ts';
import { testLimits, widgetRoute } from '../support/routes.ts';

/** What texts refer to, through the whole engine. */
async function run(world: Stage, count = 3): Promise<number> {
  const context = contextOn(world, widgetRoute, { limits: testLimits });
  let planned = 0;
  for (let index = 0; index < count; index += 1) {
    world.clock.advance(61_000);
    planned += (await cycle(context, { isForced: false })).plan.operations.length;
  }
  return planned;
}

const wordsOn = (world: Stage, issue: number) =>
  world.github.commentsOf(repo, issue).map(({ body }) => body.split('\n\n')[1]?.replaceAll('https://github.com/acme/widget/issues/', '…/'));

test('a comment leads to those before it that crossed in the same cycle, and to bugs that have their issue', async () => {
  const world = stage();
  const alice = world.tracker.as('alice');
  const first = alice.file({ summary: 'One' });
  await run(world);
  const bug = alice.file({ summary: 'Two', description: `Like bug ${first}?` });
  alice.comment(bug, 'First.');
  alice.comment(bug, `In reply to comment 1, and bug ${first} comment 0.`);
  await run(world);
  expect(world.github.issue(repo, 2)?.body).toContain(`Like [bug ${first}](https://github.com/acme/widget/issues/1)?`);
  const [copy] = world.github.commentsOf(repo, 2);
  expect(wordsOn(world, 2)).toEqual([
    'First.',
    `In reply to [comment 1](…/2#issuecomment-${copy?.id}), and [bug ${first} comment 0](…/1).`,
  ]);
  expect(await run(world)).toBe(0);
});

test('what is private is not referred to, whoever the bridge is', async () => {
  const world = stage();
  const alice = world.tracker.as('alice');
  const secret = alice.file({ summary: 'Secret', groups: ['security'] });
  const bug = alice.file({ summary: 'Open' });
  alice.comment(bug, 'Not for everybody', { isPrivate: true });
  alice.comment(bug, `See bug ${secret} and comment 1.`);
  const context = contextOn(world, widgetRoute, { limits: testLimits, user: 'bridge-insider' });
  for (let index = 0; index < 3; index += 1) {
    world.clock.advance(61_000);
    await cycle(context, { isForced: false });
  }
  expect(wordsOn(world, 1)).toEqual([`See bug ${secret} and comment 1.`]);
});

test('numbers of issues become bugs, and a lost database takes that for no edit', async () => {
  const world = stage();
  const mona = world.github.as('mona');
  const issue = mona.open(repo, { title: 'One', body: 'The first.' });
  await run(world);
  mona.comment(repo, issue, `Is this #${issue}, or #99, or https://github.com/acme/widget/issues/${issue}?`);
  await run(world);
  const [, copy] = world.tracker.commentsOf(1);
  expect(copy?.text).toContain('Is this bug 1, or #99, or bug 1?');
  expect(await run({ ...world, store: openStore(':memory:', { mode: 'write', now: world.clock.now }) }, 4)).toBe(0);
});

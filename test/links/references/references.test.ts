import { expect, test } from 'vitest';
import { openStore } from '../../../src/store/open.ts';
import { cycle } from '../../../src/sync/cycle.ts';
import { sweep } from '../../../src/sync/sweep.ts';
import { contextOn, repo, type Stage, stage } from '../../simulation/stage.ts';
import { testLimits, widgetRoute } from '../../support/routes.ts';
import { scrub } from '../../support/scrub.ts';

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

const swept = (world: Stage) => sweep(contextOn(world, widgetRoute, { limits: testLimits }), { isForced: true });

const wordsOn = (world: Stage, issue: number) =>
  world.github
    .commentsOf(repo, issue)
    .map(({ body }) => body.split('\n\n')[1]?.replaceAll('https://github.com/acme/widget/issues/', '…/'));

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
  expect(await run({ ...world, store: openStore(':memory:', { mode: 'write', now: world.clock.now, scrub }) }, 4)).toBe(
    0,
  );
});

test('a text of three parts leads to what is mirrored later, in whichever part it stands', async () => {
  const world = stage();
  const alice = world.tracker.as('alice');
  const mona = world.github.as('mona');
  const bug = alice.file({ summary: 'Long' });
  alice.comment(
    bug,
    `It is like bug ${bug + 1}.\n\n${'*'.repeat(52_000)}\n\nSee bug ${bug + 1} again, and bug ${bug}.`,
  );
  await run(world);
  const bodies = () => world.github.commentsOf(repo, 1).map(({ body }) => body);
  await swept(world);
  await run(world);
  expect(bodies()).toHaveLength(3);
  expect(bodies()[2]).toContain(`See bug ${bug + 1} again, and [bug ${bug}](https://github.com/acme/widget/issues/1).`);
  alice.file({ summary: 'Another' });
  await run(world);
  await swept(world);
  await run(world);
  const later = `[bug ${bug + 1}](https://github.com/acme/widget/issues/2)`;
  expect(bodies()[0]).toContain(`It is like ${later}.`);
  expect(bodies()[2]).toContain(`See ${later} again`);
  expect(await run(world)).toBe(0);
  const issue = mona.open(repo, { title: 'Wide', body: 'Look.' });
  await run(world);
  mona.comment(repo, issue, `See #1.\n\n${'🐛'.repeat(10_000)}\n\nAnd #1.`);
  await run(world, 5);
  const texts = world.tracker.commentsOf(bug + 2).map(({ text }) => text.split('\n\n').slice(1).join(' '));
  expect(texts.filter((text) => text.includes(`See bug ${bug}.`) || text.includes(`And bug ${bug}.`))).toHaveLength(2);
  expect(await run({ ...world, store: openStore(':memory:', { mode: 'write', now: world.clock.now, scrub }) }, 4)).toBe(
    0,
  );
});

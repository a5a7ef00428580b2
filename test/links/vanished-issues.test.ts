/** GitHub answers 404 for all issues of an account that it flagged: the route stops, and gives up few pairs. */

import { expect, test } from 'vitest';
import { SideError } from '../../src/model/outcome.ts';
import { cycle } from '../../src/sync/cycle.ts';
import { contextOn, repo, type Stage, stage } from '../simulation/stage.ts';
import { testLimits, widgetRoute } from '../support/routes.ts';

const bugs = 20;
const limits = { ...testLimits, brakeShare: 0.2 };

async function turn(world: Stage, isForced = false): Promise<string | null> {
  world.clock.advance(120_000);
  try {
    await cycle(contextOn(world, widgetRoute, { limits, user: 'bridge-insider' }), { isForced });
    return null;
  } catch (failure) {
    if (!(failure instanceof SideError)) throw failure;
    return `${failure.kind}: ${failure.message}`;
  }
}

async function mirrored(): Promise<Stage> {
  const world = stage();
  for (let bug = 1; bug <= bugs; bug += 1)
    world.tracker.as('alice').file({ summary: `Bug ${bug}`, description: 'Always.' });
  for (let count = 0; count < 3; count += 1) await turn(world, true);
  return world;
}

const hideIssues = ({ github }: Stage, isHidden: boolean): void => {
  for (let issue = 1; issue <= bugs; issue += 1) github.setHidden(repo, issue, isHidden);
};
const frozen = ({ store }: Stage) => store.links.count('widget').byState.frozen;
const comment = ({ tracker }: Stage, words: string, many = bugs): void => {
  for (let bug = 1; bug <= many; bug += 1) tracker.as('alice').comment(bug, words);
};

test('the route stops while GitHub shows none, and goes on by itself when it shows them again', async () => {
  const world = await mirrored();
  hideIssues(world, true);
  comment(world, 'Said meanwhile.');
  for (let count = 0; count < 4; count += 1)
    expect(await turn(world)).toMatch(/^refused: GitHub does not find \d of 20 issues .*once --force/u);
  expect(frozen(world)).toBeLessThan(5);
  // A bug that is hidden meanwhile stays to be withdrawn.
  world.tracker.hide(bugs);
  await turn(world);
  hideIssues(world, false);
  expect(await turn(world)).toBeNull();
  expect(world.github.issue(repo, bugs)?.title).toBe(`Bug ${bugs} is not public`);
  await turn(world);
  const copied = world.github.issues(repo).filter(({ number }) => world.github.commentsOf(repo, number).length > 0);
  expect(copied.length).toBeGreaterThan(bugs - 6);
});

test('the same if the pairs vanish one by one', async () => {
  const world = await mirrored();
  hideIssues(world, true);
  const said: (string | null)[] = [];
  for (let many = 1; many <= 8; many += 1) {
    world.tracker.as('alice').comment(many, 'Said meanwhile.');
    said.push(await turn(world));
  }
  expect(said.slice(0, 4)).toEqual([null, null, null, null]);
  expect(said.slice(4).every((words) => words?.startsWith('refused'))).toBe(true);
});

test('the same if withdrawals meet them: each is tried again', async () => {
  const world = await mirrored();
  hideIssues(world, true);
  for (let bug = 1; bug <= 8; bug += 1) world.tracker.hide(bug);
  await turn(world);
  await turn(world);
  hideIssues(world, false);
  await turn(world);
  const shown = world.github.issues(repo).filter(({ title }) => /^Bug [1-8]$/u.test(title));
  expect(shown.length).toBeLessThan(5);
});

test('a person lets go of them', async () => {
  const world = await mirrored();
  hideIssues(world, true);
  comment(world, 'Said meanwhile.');
  await turn(world);
  expect(await turn(world, true)).toBeNull();
  expect(frozen(world)).toBe(bugs);
});

test('a few issues that vanish stop nothing', async () => {
  const world = await mirrored();
  for (const issue of [3, 4]) world.github.setHidden(repo, issue, true);
  comment(world, 'Said meanwhile.');
  expect(await turn(world)).toBeNull();
  expect(frozen(world)).toBe(2);
});

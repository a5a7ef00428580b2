/** What was imported and not read back yet is neither missing nor surplus: a person would delete it. */

import { describe, expect, test } from 'vitest';
import type { Phase } from '../../src/migrate/migration.ts';
import { cyclesOn, importStage, migratedUntil, migrateOn, oneWay } from '../migrate/bench.ts';
import { contextOn, repo, type Stage } from '../simulation/stage.ts';
import { testLimits } from '../support/routes.ts';
import { linesOf, verified } from './mirror.ts';

const bugs = 6;

const contextOf = (world: Stage) => contextOn(world, oneWay, { limits: testLimits });

describe('a migration that was interrupted leaves no differences', () => {
  test.each<readonly [Phase, string]>([
    ['adopting', '#1 and 5 more'],
    ['finishing', 'bug 1 and 5 more'],
  ])('before the phase %s', async (phase, about) => {
    const world = await migratedUntil(phase, bugs);
    const report = await verified(contextOf(world));
    expect(linesOf(report)).toEqual([]);
    expect(report.notJudged).toMatchObject([{ about, why: expect.stringContaining('not read back') }]);
    await migrateOn(world);
    expect(await verified(contextOf(world))).toMatchObject({ notJudged: [], pairs: Array(bugs).fill({ waiting: [] }) });
  });
});

test('what must not be shown is a difference at once', async () => {
  const world = await migratedUntil('finishing', bugs);
  world.tracker.hide(2);
  expect(linesOf(await verified(contextOf(world))).join()).toMatch(/private/u);
});

test('a second issue for a bug is surplus still, and one for a bug that nobody knows is not', async () => {
  const world = importStage();
  world.tracker.as('alice').file({ summary: 'Bug 1', description: 'It fails.' });
  await cyclesOn(world, 3);
  const [first] = world.github.issues(repo);
  const bot = world.github.as('bugferry-bot');
  bot.open(repo, { title: 'Bug 1', body: first?.body ?? '' });
  bot.open(repo, { title: 'Bug 9', body: (first?.body ?? '').replaceAll('bug=1', 'bug=9') });
  const lines = linesOf(await verified(contextOf(world))).join('\n');
  expect(lines).toContain('#2 is a surplus issue for bug 1');
  expect(lines).not.toContain('surplus issue for bug 9');
  expect(lines).toContain('bug 9');
});

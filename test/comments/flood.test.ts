/** I11: one person writes on so many bugs that GitHub's limit of creations lasts for hours; nobody else waits for it. */

import { expect, test } from 'vitest';
import { cycle } from '../../src/sync/cycle.ts';
import { contextOn, repo, type Stage, stage } from '../simulation/stage.ts';
import { testLimits, widgetRoute } from '../support/routes.ts';

const bugs = 80;

/** @param creations what GitHub allows in a minute and in an hour */
async function turn(world: Stage, creations: readonly [number, number] | null): Promise<void> {
  const [perMinute = 0, perHour = 0] = creations ?? [];
  const github = [
    { windowMs: 60_000, pointsMax: perMinute, name: 'creations a minute' },
    { windowMs: 3_600_000, pointsMax: perHour, name: 'creations an hour' },
  ];
  const context = contextOn(world, widgetRoute, {
    limits: { ...testLimits, writesPerCycle: creations === null ? 500 : 50 },
    ...(creations === null ? {} : { allowances: { github } }),
  });
  world.clock.advance(61_000);
  await cycle(context, { isForced: false });
}

async function flooded(): Promise<{ world: Stage; flood: () => void }> {
  const world = stage();
  for (let at = 1; at <= bugs; at += 1) world.tracker.as('alice').file({ summary: `Pan ${at}`, description: 'Hot.' });
  for (let count = 0; count < 4; count += 1) await turn(world, null);
  world.clock.advance(3 * 3_600_000);
  const flood = (): void => {
    for (let bug = 1; bug < bugs; bug += 1) world.tracker.as('bob').comment(bug, 'Me too.');
  };
  return { world, flood };
}

const numberOf = ({ github }: Stage, title: string): number =>
  github.issues(repo).find((issue) => issue.title === title)?.number ?? 0;
const wordsOn = ({ github }: Stage, issue: number): string =>
  github
    .commentsOf(repo, issue)
    .map(({ body }) => body)
    .join('\n');

test('a change of a title, a comment and a new bug of others cross in the next cycle', async () => {
  const { world, flood } = await flooded();
  const [last, other] = [numberOf(world, `Pan ${bugs}`), numberOf(world, `Pan ${bugs - 1}`)];
  for (let minute = 1; minute <= 8; minute += 1) {
    flood();
    const alice = world.tracker.as('alice');
    alice.change(bugs, { summary: `Pot ${minute}` });
    alice.comment(bugs, `Word ${minute}.`);
    alice.file({ summary: `Kettle ${minute}`, description: 'Cold.' });
    world.github.as('mona').comment(repo, other, `Answer ${minute}.`);
    await turn(world, [10, 200]);
    expect(world.github.issue(repo, last)?.title).toBe(`Pot ${minute}`);
    expect(wordsOn(world, last)).toContain(`Word ${minute}.`);
    expect(numberOf(world, `Kettle ${minute}`)).toBeGreaterThan(0);
    expect(JSON.stringify(world.tracker.commentsOf(bugs - 1))).toContain(`Answer ${minute}.`);
  }
});

test.each(['comments', 'bugs'])('nobody waits although one person made more %s than are planned', async (what) => {
  const { world, flood } = await flooded();
  const last = numberOf(world, `Pan ${bugs}`);
  const few = { limits: { ...testLimits, writesPerCycle: 10 } };
  for (let minute = 1; minute <= 6; minute += 1) {
    const alice = world.tracker.as('alice');
    if (minute % 2 === 0) alice.comment(bugs, `Word ${minute}.`);
    if (what === 'comments') flood();
    else
      for (let count = 0; count < 60; count += 1)
        world.tracker.as('bob').file({ summary: `Bob's ${minute}.${count}`, description: 'Hot.' });
    alice.file({ summary: `Kettle ${minute}`, description: 'Cold.' });
    world.clock.advance(61_000);
    await cycle(contextOn(world, widgetRoute, few), { isForced: true });
    expect(numberOf(world, `Kettle ${minute}`)).toBeGreaterThan(0);
    if (minute % 2 === 0) expect(wordsOn(world, last)).toContain(`Word ${minute}.`);
  }
});

test('a comment of others crosses in the next cycle although the hour is used up', async () => {
  const { world, flood } = await flooded();
  const last = numberOf(world, `Pan ${bugs}`);
  for (let minute = 1; minute <= 16; minute += 1) {
    flood();
    const isHers = minute % 3 === 0;
    if (isHers) world.tracker.as('alice').comment(bugs, `Word ${minute}.`);
    await turn(world, [40, 100]);
    if (isHers) expect(wordsOn(world, last)).toContain(`Word ${minute}.`);
  }
});

test('a comment of others crosses in the next cycle although it follows many in its thread', async () => {
  const { world } = await flooded();
  const [first, last] = [numberOf(world, 'Pan 1'), numberOf(world, `Pan ${bugs}`)];
  for (let count = 0; count < 45; count += 1) world.tracker.as('bob').comment(1, `Me too ${count}.`);
  world.tracker.as('alice').comment(bugs, 'A word.');
  await turn(world, [10, 200]);
  expect(wordsOn(world, last)).toContain('A word.');
  expect(wordsOn(world, first)).toContain('Me too 3.');
});

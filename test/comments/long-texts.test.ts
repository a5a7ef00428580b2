import { beforeEach, describe, expect, test } from 'vitest';
import { openStore } from '../../src/store/open.ts';
import { cycle } from '../../src/sync/cycle.ts';
import { contextOn, repo, type Stage, stage } from '../simulation/stage.ts';
import { testLimits, widgetRoute } from '../support/routes.ts';
import { scrub } from '../support/scrub.ts';

/**
 * Texts of several parts, when something happens between two of them. A limit of one write a cycle makes room for that.
 */
async function run(world: Stage, count: number, writesPerCycle = 1): Promise<void> {
  const context = contextOn(world, widgetRoute, { limits: { ...testLimits, writesPerCycle } });
  for (let index = 0; index < count; index += 1) {
    world.clock.advance(61_000);
    await cycle(context, { isForced: false });
  }
}

/** Three parts each: escaped on GitHub; counted as older trackers store it. */
const long = (name: string) => `${name} begins\n\n${'*'.repeat(52_000)}\n\n${name} ends`;
const wide = (name: string) => `${name} begins\n\n${'🐛'.repeat(10_000)}\n\n${name} ends`;
const withoutMemory = (world: Stage): Stage => ({
  ...world,
  store: openStore(':memory:', { mode: 'write', now: world.clock.now, scrub }),
});
const partsOnGithub = (world: Stage) =>
  world.github.commentsOf(repo, 1).map(({ body }) => / part=(\d\/\d) -->$/u.exec(body)?.[1]);
const partsOnTracker = (world: Stage) =>
  world.tracker.commentsOf(1).map(({ text }) => /, part (\d of \d)\):$/mu.exec(text)?.[1]);

describe('a comment of the tracker in three parts', () => {
  let world: Stage;
  beforeEach(async () => {
    world = stage();
    const alice = world.tracker.as('alice');
    alice.comment(alice.file({ summary: 'Long' }), long('It'));
    await run(world, 2, 10);
    expect(partsOnGithub(world)).toEqual(['1/3', '2/3', '3/3']);
  });

  test('is written once', async () => {
    await run(world, 3, 10);
    expect(partsOnGithub(world)).toEqual(['1/3', '2/3', '3/3']);
  });

  test('keeps the gap that somebody made by deleting a part', async () => {
    const [, second] = world.github.commentsOf(repo, 1);
    world.github.as('mona').deleteComment(repo, second?.id ?? 0);
    world.github.as('mona').comment(repo, 1, 'I deleted something.');
    await run(world, 3, 10);
    expect(partsOnGithub(world)).toEqual(['1/3', '3/3', undefined]);
  });
});

test('what is missing when the database is lost is written by the next one', async () => {
  const world = stage();
  const alice = world.tracker.as('alice');
  const bug = alice.file({ summary: 'Long', description: long('The description') });
  alice.comment(bug, long('The comment'));
  await run(world, 3);
  const before = partsOnGithub(world);
  expect(before.length).toBeLessThan(5);
  await run(withoutMemory(world), 4, 10);
  expect(partsOnGithub(world).sort()).toEqual(['1/3', '2/3', '2/3', '3/3', '3/3']);
  expect(world.github.commentsOf(repo, 1).filter(({ body }) => body.includes('The comment ends'))).toHaveLength(1);
});

test('an edit between two parts is reported with all of the new text', async () => {
  const world = stage();
  const mona = world.github.as('mona');
  const issue = mona.open(repo, { title: 'Long', body: 'It fails.' });
  const comment = mona.comment(repo, issue, wide('The old text'));
  for (let cycles = 0; !partsOnTracker(world).includes('1 of 3'); cycles += 1) {
    expect(cycles).toBeLessThan(9);
    await run(world, 1);
  }
  mona.editComment(repo, comment, wide('The new text'));
  await run(world, 12);
  expect(partsOnTracker(world).filter((part) => part !== undefined)).toEqual(['1 of 3', '1 of 3', '2 of 3', '3 of 3']);
  expect(world.tracker.commentsOf(1).filter(({ text }) => text.includes('The new text ends'))).toHaveLength(1);
  const written = world.calls.length;
  await run(withoutMemory(world), 3, 10);
  expect(world.calls.slice(written).filter(({ method }) => method === 'comment' || method === 'create')).toEqual([]);
});

test.each([
  ['comment', 'It fails.'],
  ['description', wide('The issue')],
])(
  'a %s of GitHub in parts is read back at once: its parts are no comments that GitHub has to count',
  async (what, body) => {
    const world = stage();
    const mona = world.github.as('mona');
    const issue = mona.open(repo, { title: 'Long', body });
    await run(world, 2, 10);
    mona.comment(repo, issue, what === 'comment' ? wide('The comment') : 'short');
    await run(world, 3, 10);
    const read = () => world.calls.filter(({ method }) => method === 'threads').length;
    const before = read();
    await run(world, 3, 10);
    expect(world.store.links.wanting('widget', 10)).toEqual([]);
    expect(read()).toBe(before);
  },
);

import { describe, expect, test } from 'vitest';
import type { Route } from '../../src/model/route.ts';
import { openStore } from '../../src/store/open.ts';
import { cycle } from '../../src/sync/cycle.ts';
import { contextOn, repo, type Stage, stage } from '../simulation/stage.ts';
import { testLimits, widgetRoute } from '../support/routes.ts';
import { scrub } from '../support/scrub.ts';

/** I4 and I5 when the state database is gone: what stands on both sides is enough to know what belongs together. */
async function mirrored(): Promise<Stage> {
  const world = stage();
  const alice = world.tracker.as('alice');
  for (let index = 1; index <= 4; index += 1) {
    const bug = alice.file({ summary: `Bug ${index}`, description: 'It fails.' });
    alice.comment(bug, `Comment on ${index}`);
  }
  alice.change(2, { status: 'RESOLVED', resolution: 'FIXED' });
  const mona = world.github.as('mona');
  const issue = mona.open(repo, { title: 'Opened on GitHub', body: 'Steps' });
  await cycles(world, 2);
  mona.editComment(repo, mona.comment(repo, issue, 'First thought'), 'Second thought');
  await cycles(world, 3);
  return world;
}

async function cycles(world: Stage, count: number, route = widgetRoute): Promise<readonly string[]> {
  const context = contextOn(world, route, { limits: testLimits });
  const done: string[] = [];
  for (let index = 0; index < count; index += 1) {
    world.clock.advance(61_000);
    const { operations } = await cycle(context, { isForced: false });
    done.push(...operations.map(({ kind, on, about }) => `${kind} ${on} ${about}`));
  }
  return done;
}

const withoutMemory = (world: Stage): Stage => ({
  ...world,
  store: openStore(':memory:', { mode: 'write', now: world.clock.now, scrub }),
});

test('nothing is written when both sides stand as they were', async () => {
  const world = withoutMemory(await mirrored());
  expect(await cycles(world, 4)).toEqual([]);
  expect(world.store.links.count('widget').whole).toBe(5);
});

test('what changed meanwhile travels, and nothing else', async () => {
  const world = withoutMemory(await mirrored());
  world.tracker.as('alice').comment(1, 'Said while nobody remembered');
  expect(await cycles(world, 3)).toEqual([expect.stringMatching(/^comment github /)]);
});

describe('a title that somebody changed on a copy meanwhile', () => {
  const onGithub = (world: Stage) => world.github.issues(repo).find(({ title }) => title === 'Bug 1 is worse')?.number;
  const edited = async (conflicts: Route['conflicts']): Promise<Stage> => {
    const world = withoutMemory(await mirrored());
    const issue = world.github.issues(repo).find(({ title }) => title === 'Bug 1')?.number ?? 0;
    world.github.as('mona').edit(repo, issue, { title: 'Bug 1 is worse' });
    await cycles(world, 3, { ...widgetRoute, conflicts });
    return world;
  };

  test.each(['newest', 'github', 'tracker', 'ask'] as const)(
    'competes with nobody, and crosses with conflicts: %s',
    async (conflicts) => {
      const world = await edited(conflicts);
      expect([world.tracker.bug(1)?.summary, onGithub(world) !== undefined]).toEqual(['Bug 1 is worse', true]);
      expect(world.store.findings.ofRoute('widget', 10).conflicts).toEqual([]);
    },
  );
});

test('an issue that was deleted before is not made again', async () => {
  const before = await mirrored();
  const victim = before.github.issues(repo).find(({ title }) => title === 'Bug 3');
  before.github.as('mona').deleteIssue(repo, victim?.number ?? 0);
  const world = withoutMemory(before);
  expect(await cycles(world, 4)).toEqual([]);
  expect(world.store.links.count('widget').byState.tombstone).toBe(1);
});

test('a bug whose see_also names a pull request or nothing gets its issue', async () => {
  const world = stage();
  const pull = world.github.as('mona').openPull(repo, { title: 'A patch', body: '' });
  const alice = world.tracker.as('alice');
  for (const number of [pull, 4711])
    alice.file({ summary: `Names ${number}`, see_also: [`https://github.com/acme/widget/issues/${number}`] });
  await cycles(world, 3);
  expect(
    world.github
      .issues(repo)
      .filter(({ isPull }) => !isPull)
      .map(({ title }) => title),
  ).toEqual([`Names ${pull}`, 'Names 4711']);
});

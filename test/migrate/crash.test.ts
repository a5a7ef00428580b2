import { expect, test } from 'vitest';
import { repo, type Stage } from '../simulation/stage.ts';
import { random } from '../support/random.ts';
import { branchRule } from '../support/routes.ts';
import { someSeeds } from '../tiers/depth.ts';
import { cyclesOn, importerOn, importStage, migrateOn, oneWay } from './bench.ts';

const bugs = 70;

/** What the mirror may make in between: so little that most is left to the migration. */
const few = { allowances: { github: [{ windowMs: 3_600_000, pointsMax: 2, name: 'creations an hour' }] } };

function filled(): Stage {
  const world = importStage();
  const alice = world.tracker.as('alice');
  for (let index = 1; index <= bugs; index += 1) {
    const bug = alice.file({ summary: `Bug ${index}`, description: `It fails, see bug ${((index * 7) % bugs) + 1}.` });
    for (let count = 0; count < index % 4; count += 1) alice.comment(bug, `Comment ${count}`);
    if (index % 5 === 0) alice.change(bug, { status: 'RESOLVED', resolution: 'WONTFIX' });
  }
  Object.assign(world.github.limits, { importDelaysMs: [20_000, 500, 900_000, 3_000, 300_000] });
  world.clock.advance(3_600_000);
  return world;
}

/** What stands on GitHub, without numbers and ids. */
const issuesOf = ({ github }: Stage) =>
  github
    .issues(repo)
    .map(({ number, title, stateReason }) => ({ title, stateReason, comments: github.commentsOf(repo, number).length }))
    .sort((one, other) => one.title.localeCompare(other.title));

/** One run that dies at its `calls`-th call, before or after it took effect. Answers whether it got to its end. */
async function runUntil(world: Stage, calls: number, isAfter: boolean, route = oneWay): Promise<boolean> {
  let left = calls;
  let isDead = false;
  const never = new Promise<never>(() => undefined);
  let died = (): void => undefined;
  const death = new Promise<false>((resolve) => {
    died = () => resolve(false);
  });
  const tick = (when: 'before' | 'after') => {
    if (when === (isAfter ? 'after' : 'before')) left -= 1;
    if (left > 0 || isDead) return;
    isDead = true;
    died();
  };
  world.between = (_side, _method, when) => tick(when);
  const direct = importerOn(world);
  const importer = new Proxy(direct, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name);
      if (typeof member !== 'function') return member;
      return async (...args: unknown[]) => {
        if (!isDead) tick('before');
        if (isDead) return never;
        const answer: unknown = await member.apply(target, args);
        tick('after');
        return isDead ? never : answer;
      };
    },
  });
  const run = migrateOn(world, { route, importer, context: { isDead: () => isDead } }).then(() => true);
  const isDone = await Promise.race([run, death]);
  world.between = () => undefined;
  return isDone;
}

test.each(someSeeds(4, 1))('killed 20 times, it ends as if nothing had happened (seed %i)', async (seed) => {
  const calm = filled();
  await migrateOn(calm);
  const draw = random(seed);
  const world = filled();
  for (let kill = 0; kill < 20; kill += 1) {
    await runUntil(world, 1 + draw.below(kill % 2 === 0 ? 12 : 60), draw.chance(0.5));
    // Somebody starts the mirror in between, which must not take imports on their way for lost.
    if (draw.chance(0.3)) await cyclesOn(world, 1, oneWay, few);
    world.clock.advance(draw.below(20_000));
  }
  await migrateOn(world);
  expect(issuesOf(world)).toEqual(issuesOf(calm));
  expect(issuesOf(world)).toHaveLength(bugs);
  expect(await cyclesOn(world, 3)).toEqual([]);
  expect(world.store.links.count('widget')).toMatchObject({ whole: bugs, wanting: 0 });
});

const withFiles = { ...oneWay, attachments: branchRule };

test('killed while it stores files, it imports their bugs in the next run', async () => {
  let stored = 0;
  for (let calls = 5; ; calls += 3) {
    const world = importStage();
    const alice = world.tracker.as('alice');
    for (let index = 1; index <= 2; index += 1) {
      const bug = alice.file({ summary: `Bug ${index}`, description: 'It fails.' });
      alice.attach(bug, {
        bytes: new TextEncoder().encode(`output ${index}`),
        file_name: `${index}.txt`,
        content_type: 'text/plain',
      });
    }
    world.clock.advance(3_600_000);
    if (await runUntil(world, calls, true, withFiles)) break;
    stored += world.store.outbox.sent('widget').filter(({ operation }) => operation.kind === 'file').length;
    await migrateOn(world, { route: withFiles });
    expect(world.github.issues(repo), `killed at call ${calls}`).toHaveLength(2);
    expect(world.github.files(repo, 'attachments').size, `killed at call ${calls}`).toBe(2);
  }
  expect(stored, 'kills in the middle of storing').toBeGreaterThan(1);
});

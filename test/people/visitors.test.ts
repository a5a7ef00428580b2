import { describe, expect, test } from 'vitest';
import type { Route, Visitors } from '../../src/model/route.ts';
import { openStore } from '../../src/store/open.ts';
import { cycle } from '../../src/sync/cycle.ts';
import { contextOn, repo, type Stage, stage } from '../simulation/stage.ts';
import { plant } from '../support/plant.ts';
import { testLimits, widgetRoute } from '../support/routes.ts';
import { scrub } from '../support/scrub.ts';
import { sample } from '../tiers/depth.ts';

/** Mirrors that are there to be read, and people who write on them all the same. */
const routeFor = (visitors: Visitors): Route => ({ ...widgetRoute, direction: 'to-github', visitors });

type Cycle = typeof cycle;

/** How many writes five cycles made. */
async function run(world: Stage, visitors: Visitors, turn: Cycle = cycle): Promise<number> {
  const before = world.calls.length;
  for (let index = 0; index < 5; index += 1) {
    world.clock.advance(61_000);
    await turn(contextOn(world, routeFor(visitors), { limits: testLimits }), { isForced: false });
  }
  return world.calls.slice(before).filter(({ method }) => ['create', 'update', 'comment', 'lock'].includes(method))
    .length;
}

const withRobot = (): Stage => {
  const world = stage();
  world.github.addUser('robot[bot]');
  world.github.allow(repo, 'robot[bot]', 'write');
  return world;
};
const said = (world: Stage, issue: number) => world.github.commentsOf(repo, issue).map(({ body }) => body);
const open = (world: Stage, login = 'mona') =>
  world.github.as(login).open(repo, { title: 'Help', body: 'It crashes.' });

describe('welcome', () => {
  test('leaves issues and comments of people alone', async () => {
    const world = withRobot();
    const issue = open(world);
    expect(await run(world, 'welcome')).toBe(0);
    expect(world.github.issue(repo, issue)).toMatchObject({ state: 'open', isLocked: false });
  });
});

describe('lock', () => {
  test('locks every mirrored issue, keeps it locked, and leaves those of people alone', async () => {
    const world = withRobot();
    const issue = open(world);
    const bug = world.tracker.as('alice').file({ summary: 'A' });
    await run(world, 'lock');
    const mirror = Number(world.store.links.byBug(bug)?.issue);
    expect(world.github.issue(repo, mirror)?.isLocked).toBe(true);
    expect(world.github.issue(repo, issue)?.isLocked).toBe(false);
    world.tracker.as('alice').comment(bug, 'Said on the tracker');
    world.github.as('mona').lock(repo, mirror, false);
    await run(world, 'lock');
    expect(world.github.issue(repo, mirror)?.isLocked).toBe(true);
    expect(said(world, mirror)).toEqual([expect.stringContaining('Said on the tracker')]);
    expect(await run(world, 'lock')).toBe(0);
  });

  test('is done once, also when the answer was lost', async () => {
    const world = withRobot();
    const bug = world.tracker.as('alice').file({ summary: 'A' });
    await run(world, 'welcome');
    world.tracker.as('alice').change(bug, { summary: 'B' });
    let drops = 0;
    world.faults = (side, cost) =>
      side === 'github' && cost === 'edit' && drops++ < 3 ? { kind: 'drop', after: true } : { kind: 'none' };
    await run(world, 'lock');
    expect(world.github.issue(repo, 1)).toMatchObject({ isLocked: true, title: 'B' });
    expect(await run(world, 'lock')).toBe(0);
  });
});

describe('redirect', () => {
  test('tells who opens an issue once where bugs are filed, and closes it', async () => {
    const world = withRobot();
    const issue = open(world);
    await run(world, 'redirect');
    expect(said(world, issue)).toEqual([expect.stringContaining('enter_bug.cgi?product=Widget&component=Core')]);
    expect(world.github.issue(repo, issue)).toMatchObject({ state: 'closed', stateReason: 'not_planned' });
    expect(world.tracker.bugs()).toEqual([]);
    expect(await run(world, 'redirect')).toBe(0);
  });

  test('lets be who opens it again, and answers no more', async () => {
    const world = withRobot();
    const issue = open(world);
    await run(world, 'redirect');
    world.github.as('mona').reopen(repo, issue);
    world.github.as('mona').comment(repo, issue, 'But here I am');
    expect(await run(world, 'redirect')).toBe(0);
    expect(world.github.issue(repo, issue)?.state).toBe('open');
  });

  test('leaves alone programs, issues that are closed already, and mirrors', async () => {
    const world = withRobot();
    const robots = open(world, 'robot[bot]');
    const closed = open(world);
    world.github.as('mona').close(repo, closed);
    const bug = world.tracker.as('alice').file({ summary: 'A' });
    await run(world, 'redirect');
    const mirror = Number(world.store.links.byBug(bug)?.issue);
    expect([robots, closed, mirror].flatMap((each) => said(world, each))).toEqual([]);
    expect(world.github.issue(repo, robots)?.state).toBe('open');
    expect(world.github.issue(repo, mirror)).toMatchObject({ state: 'open', isLocked: false });
  });

  test('answers once, also when the answer was lost, and the database after it', async () => {
    const world = withRobot();
    const issue = open(world);
    let drops = 0;
    world.faults = (side, cost) =>
      side === 'github' && cost !== 'read' && drops++ < 2 ? { kind: 'drop', after: true } : { kind: 'none' };
    await run(world, 'redirect');
    expect(said(world, issue)).toHaveLength(1);
    expect(world.github.issue(repo, issue)?.state).toBe('closed');
    world.github.as('mona').reopen(repo, issue);
    const forgetful = { ...world, store: openStore(':memory:', { mode: 'write', now: world.clock.now, scrub }) };
    await run(forgetful, 'redirect');
    expect(said(world, issue)).toHaveLength(1);
  });

  test('is the route to GitHub alone that does so', async () => {
    const world = withRobot();
    const issue = open(world);
    for (let index = 0; index < 3; index += 1) {
      world.clock.advance(61_000);
      await cycle(contextOn(world, { ...widgetRoute, visitors: 'redirect' }, { limits: testLimits }), {
        isForced: false,
      });
    }
    expect(world.github.issue(repo, issue)?.state).toBe('open');
    expect(world.tracker.bugs()).toHaveLength(1);
  });
});

describe('a planted fault is caught', () => {
  const faults = [
    { name: 'programs are answered', file: 'rules/people/people.ts', from: '!issue.author.isBot && ', to: '' },
    {
      name: 'people are answered twice',
      file: 'rules/labels/wrong-labels.ts',
      from: 'commentLinks.some((commentLink) => commentLink.remark === remark)',
      to: 'commentLinks.length < 0 && remark !== null',
    },
    {
      name: 'what was reopened is closed for ever',
      file: 'sync/perform/operations/lock.ts',
      from: 'bury(context, {',
      to: '((..._all: readonly unknown[]) => undefined)(context, {',
    },
    {
      name: 'people are not heard',
      file: 'rules/people/people.ts',
      from: "issue.state === 'closed'",
      to: "issue.state === 'open'",
    },
  ] as const;
  test.each(sample(faults))('$name', async ({ name, ...fault }) => {
    const folder = plant(fault);
    const { cycle: turn }: { readonly cycle: Cycle } = await import(`${folder}/sync/cycle.ts`);
    const world = withRobot();
    const issue = open(world, name === 'programs are answered' ? 'robot[bot]' : 'mona');
    // The answer arrives and the closing does not, at first.
    world.faults = (side, cost) =>
      side === 'github' && cost === 'edit' ? { kind: 'drop', after: false } : { kind: 'none' };
    await run(world, 'redirect', turn);
    world.faults = () => ({ kind: 'none' });
    world.clock.advance(3_600_000);
    await run(world, 'redirect', turn);
    if (world.github.issue(repo, issue)?.state === 'closed') world.github.as('mona').reopen(repo, issue);
    await run(world, 'redirect', turn);
    const isAnswered = name !== 'programs are answered';
    const isRight =
      said(world, issue).length === (isAnswered ? 1 : 0) && world.github.issue(repo, issue)?.state === 'open';
    expect(isRight).toBe(false);
  });
});

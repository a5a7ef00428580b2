import { describe, expect, test } from 'vitest';
import type { Context } from '../../src/kernel/context.ts';
import { cycle } from '../../src/sync/cycle.ts';
import { markAssignedDirty } from '../../src/sync/observe/reassign.ts';
import { sweep } from '../../src/sync/sweep.ts';
import { contextOn, repo, type Stage, stage } from '../simulation/stage.ts';
import { withPeople } from '../simulation/world/assignments.ts';
import { testLimits, widgetRoute } from '../support/routes.ts';

const route = withPeople(widgetRoute, true);
const without = { ...route, people: { ...route.people, github: new Map(), tracker: new Map() } };

async function settle(world: Stage, context: Context): Promise<void> {
  for (let pass = 0; pass < 6; pass += 1) {
    world.clock.advance(61_000);
    await cycle(context, { isForced: false });
  }
}

/** A bug of this assignee, mirrored and quiet. */
async function mirrored(assignee: string, by = route) {
  const world = stage();
  const bug = world.tracker
    .as('alice')
    .file({ summary: 'It fails', assigned_to: `${assignee}@example.test`, target_milestone: '1.1' });
  const context = contextOn(world, by, { limits: testLimits });
  await settle(world, context);
  const issue = () => world.github.issues(repo)[0] ?? expect.unreachable('There is no issue.');
  const writes = () => world.calls.filter(({ method }) => ['create', 'update', 'comment'].includes(method)).length;
  return { world, bug, context, issue, writes };
}

describe('an assignee', () => {
  test('of the tracker is assigned on GitHub, with the milestone, by the one write that opens the issue', async () => {
    const { world, issue, writes } = await mirrored('alice');
    expect(issue()).toMatchObject({ assignees: ['mona'], milestone: '1.1' });
    // The other one is the see_also of the bug.
    expect(writes()).toBe(2);
    expect(world.github.creations).toHaveLength(1);
  });

  test('whom GitHub drops stays on the tracker, is told to people once, and is not tried again', async () => {
    const { world, bug, context, issue, writes } = await mirrored('carol');
    expect(issue().assignees).toEqual([]);
    expect(world.tracker.bug(bug)?.assigned_to).toBe('carol@example.test');
    const before = writes();
    world.tracker.as('alice').change(bug, { severity: 'major' });
    await settle(world, context);
    expect(writes() - before).toBe(1);
    const { skips } = context.store.findings.ofRoute('widget', 9);
    expect(skips).toMatchObject([
      { needsPerson: true, reason: expect.stringContaining('GitHub did not accept octo as its assignee') },
    ]);
  });

  test('taken away on GitHub leaves the bug to nobody, and others whom GitHub has alone', async () => {
    const { world, bug, context, issue } = await mirrored('alice');
    const mona = world.github.as('mona');
    mona.assign(repo, issue().number, 'hubot-two');
    mona.unassign(repo, issue().number, 'mona', 'hubot-two');
    await settle(world, context);
    expect(world.tracker.bug(bug)?.assigned_to).toBe('bridge-insider@example.test');
    mona.assign(repo, issue().number, 'hubot-two', 'hubot');
    await settle(world, context);
    expect(world.tracker.bug(bug)?.assigned_to).toBe('bob@example.test');
    world.tracker.as('alice').change(bug, { assigned_to: 'alice@example.test' });
    await settle(world, context);
    expect([...issue().assignees].sort()).toEqual(['hubot-two', 'mona']);
  });

  test('taken away on GitHub, where no account stands for nobody, is whoever the component belongs to', async () => {
    const { world, bug, context, issue } = await mirrored('bob', withPeople(widgetRoute, false));
    world.github.as('mona').unassign(repo, issue().number, 'hubot');
    await settle(world, context);
    expect(world.tracker.bug(bug)?.assigned_to).toBe('alice@example.test');
    expect(issue().assignees).toEqual(['mona']);
  });

  test('who is exchanged on the tracker is exchanged among several on GitHub', async () => {
    const { world, bug, context, issue } = await mirrored('bob');
    world.github.allow(repo, 'octo', 'write');
    const mona = world.github.as('mona');
    mona.assign(repo, issue().number, 'mona');
    await settle(world, context);
    expect(world.tracker.bug(bug)?.assigned_to).toBe('bob@example.test');
    world.tracker.as('alice').change(bug, { assigned_to: 'carol@example.test' });
    await settle(world, context);
    expect([...issue().assignees].sort()).toEqual(['mona', 'octo']);
    expect(context.store.findings.ofRoute('widget', 9).skips).toEqual([]);
    mona.unassign(repo, issue().number, 'octo');
    await settle(world, context);
    expect(world.tracker.bug(bug)?.assigned_to).toBe('alice@example.test');
  });

  test('of an issue is the assignee of its bug; without one, the component says whose both are', async () => {
    const { world, context } = await mirrored('alice');
    const mona = world.github.as('mona');
    const [his, nobodys] = [
      mona.open(repo, { title: 'His', assignees: ['hubot'] }),
      mona.open(repo, { title: "Nobody's" }),
    ];
    await settle(world, context);
    const bugOf = (title: string) => world.tracker.bugs().find(({ summary }) => summary === title)?.assigned_to;
    expect([bugOf('His'), bugOf("Nobody's")]).toEqual(['bob@example.test', 'alice@example.test']);
    expect([his, nobodys].map((number) => world.github.issue(repo, number)?.assignees)).toEqual([['hubot'], ['mona']]);
  });
});

describe('who comes onto the map', () => {
  test.each([
    ['with the next full comparison', async (context: Context) => void (await sweep(context, { isForced: false }))],
    ['at once when the map is read again', async (context: Context) => markAssignedDirty(context)],
  ])('is assigned %s', async (_, notice) => {
    const { world, issue, writes } = await mirrored('alice', without);
    expect(issue().assignees).toEqual([]);
    const context = contextOn(world, route, { limits: testLimits });
    await settle(world, context);
    expect(issue().assignees).toEqual([]);
    await notice(context);
    await settle(world, context);
    expect(issue().assignees).toEqual(['mona']);
    const before = writes();
    await notice(context);
    await settle(world, context);
    expect(writes()).toBe(before);
  });
});

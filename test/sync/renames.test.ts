import { describe, expect, test } from 'vitest';
import type { Context } from '../../src/kernel/context.ts';
import type { Hint } from '../../src/model/control.ts';
import type { Route } from '../../src/model/route.ts';
import { cycle } from '../../src/sync/cycle.ts';
import { isConcerned } from '../../src/sync/observe/reread.ts';
import { contextOn, repo, type Stage, stage } from '../simulation/stage.ts';
import { plant } from '../support/plant.ts';
import { testLimits, widgetRoute } from '../support/routes.ts';

const minuteMs = 60_000;
const renamed: Hint = { side: 'github', ref: null, repo };

/** A pair that agrees for an hour. */
async function pair(route: Route = { ...widgetRoute, milestones: true }, run = cycle) {
  const world = stage();
  world.tracker.as('alice').file({ summary: 'A bug', description: 'It fails.', severity: 'major' });
  const context = contextOn(world, route, { limits: testLimits });
  const pass = async (afterMs: number, ...hints: Hint[]) => {
    world.clock.advance(afterMs);
    return (await run(context, { isForced: false, hints })).operations;
  };
  for (let count = 0; count < 5; count += 1) await pass(20 * minuteMs);
  const issue = world.github.issues(repo)[0]?.number ?? 0;
  return { world, context, pass, issue };
}

const severity = ({ tracker }: Stage): string | undefined => tracker.bug(1)?.severity;

describe('a label that is renamed on GitHub', () => {
  test('changes the bug within ten minutes, although its issue does not become newer', async () => {
    const { world, pass, issue } = await pair();
    const before = world.github.issue(repo, issue)?.updatedAt;
    world.github.as('mona').renameLabel(repo, 'severity: major', 'severity: blocker');
    await pass(10 * minuteMs);
    expect(severity(world)).toBe('blocker');
    expect(world.github.issue(repo, issue)?.updatedAt).toBe(before);
    expect(await pass(20 * minuteMs)).toEqual([]);
  });

  test('changes it at once when a webhook says so', async () => {
    const { world, pass } = await pair();
    world.github.as('mona').renameLabel(repo, 'severity: major', 'severity: blocker');
    await pass(5_000);
    expect(severity(world)).toBe('major');
    await pass(5_000, renamed);
    expect(severity(world)).toBe('blocker');
  });

  test('comes back on a route to GitHub', async () => {
    const { world, pass, issue } = await pair({ ...widgetRoute, direction: 'to-github' });
    world.github.as('mona').renameLabel(repo, 'severity: major', 'severity: blocker');
    await pass(10 * minuteMs);
    expect(severity(world)).toBe('major');
    expect(world.github.issue(repo, issue)?.labels).toContain('severity: major');
    expect(world.github.issue(repo, issue)?.labels).not.toContain('severity: blocker');
  });
});

test('a milestone that is renamed on GitHub changes the bug', async () => {
  const { world, pass, issue } = await pair();
  const [first = '', second = ''] =
    world.tracker.state.products[0]?.milestones.map(({ name }) => name).filter((name) => name !== '---') ?? [];
  world.github.as('mona').milestone(repo, issue, first);
  for (let count = 0; count < 4; count += 1) await pass(20 * minuteMs);
  expect(world.tracker.bug(1)?.target_milestone).toBe(first);
  world.github.as('mona').renameMilestone(repo, first, second);
  await pass(10 * minuteMs);
  expect(world.tracker.bug(1)?.target_milestone).toBe(second);
});

test('a webhook about a name concerns the routes of its repository', async () => {
  const { context } = await pair();
  const concerned = (name: string): boolean => isConcerned(context, { ...renamed, repo: name });
  expect([concerned('acme/widget'), concerned('ACME/Widget'), concerned('acme/gadget')]).toEqual([true, true, false]);
});

test('a planted fault is noticed: a webhook about a name is not passed on', async () => {
  const folder = plant({
    file: 'sync/observe/poll.ts',
    from: 'hint.ref === null && hint.side === side',
    to: 'hint.ref === null && hint.side !== side',
  });
  const { cycle: planted } = (await import(`${folder}/sync/cycle.ts`)) as {
    cycle: (context: Context, options: Parameters<typeof cycle>[1]) => ReturnType<typeof cycle>;
  };
  const { world, pass } = await pair(undefined, planted);
  world.github.as('mona').renameLabel(repo, 'severity: major', 'severity: blocker');
  await pass(5_000, renamed);
  expect(severity(world)).toBe('major');
});

import { describe, expect, test } from 'vitest';
import type { Context } from '../../src/kernel/context.ts';
import type { Hint } from '../../src/model/control.ts';
import type { Route } from '../../src/model/route.ts';
import { cycle } from '../../src/sync/cycle.ts';
import { isConcerned } from '../../src/sync/observe/reread.ts';
import { followRepository, rememberRepository } from '../../src/sync/settle/renamed.ts';
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

/** Its pairs are in a repository that is renamed or deleted, and another one has its name by now. */
async function replaced(isDeleted: boolean) {
  const { world, context: first } = await pair();
  const { github, store } = world;
  const send = world.servers.github;
  const asked = { byNumber: (): Response | null => null };
  const answering: typeof send = async (input, init) => {
    const isByNumber = new URL(String(input)).pathname.startsWith('/repositories/');
    return (isByNumber ? asked.byNumber() : null) ?? send(input, init);
  };
  Object.assign(world.servers, { github: answering });
  const context = contextOn(world, first.route, { limits: testLimits });
  rememberRepository(context, await context.github.standing());
  if (isDeleted) github.state.repos.delete(repo);
  else github.renameRepo(repo, 'wonder');
  github.addRepo(repo, { permissions: { 'bugferry-bot': 'write', mona: 'admin' } });
  const hasLetGo = () => store.links.count('widget').whole === 0;
  return { asked, context, hasLetGo };
}

describe('a repository whose name another one has by now', () => {
  const page = () => new Response('<html>Sorry</html>', { status: 404, headers: { 'content-type': 'text/html' } });
  const json = (status: number, body: unknown) => () => Response.json(body, { status });
  test.each([
    ['500', json(500, { message: 'Server Error' })],
    ['a page', page],
    ['{}', json(200, {})],
    ['404 for every number', json(404, { message: 'Not Found' })],
  ])('is not let go of while GitHub answers %s about it', async (_name, answer) => {
    for (const isDeleted of [false, true]) {
      const { asked, context, hasLetGo } = await replaced(isDeleted);
      asked.byNumber = answer;
      const { id } = await context.github.standing();
      await expect(followRepository(context, id, true)).rejects.toMatchObject({ name: 'SideError', kind: 'later' });
      expect(hasLetGo()).toBe(false);
    }
  });

  test('is let go of by a person once GitHub says that it is gone, and not before', async () => {
    const [renamed, gone] = [await replaced(false), await replaced(true)];
    for (const { context } of [renamed, gone]) {
      const { id } = await context.github.standing();
      await expect(followRepository(context, id, false)).rejects.toMatchObject({ name: 'Halted' });
      await followRepository(context, id, true).catch(() => undefined);
    }
    expect([renamed.hasLetGo(), gone.hasLetGo()]).toEqual([false, true]);
  });
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

import { describe, expect, test } from 'vitest';
import { cycle } from '../../src/sync/cycle.ts';
import { markAssignedDirty } from '../../src/sync/observe/reassign.ts';
import { sweep } from '../../src/sync/sweep.ts';
import { bot, contextOn, repo, stage } from '../simulation/stage.ts';
import { withPeople } from '../simulation/world/assignments.ts';
import { testLimits, widgetRoute } from '../support/routes.ts';

const hourMs = 3_600_000;

/** A bug of alice's that mona has on GitHub, and an issue of mona's; both with comments from both sides, and quiet. */
async function mirrored(route = withPeople(widgetRoute, true)) {
  const world = stage();
  const { tracker, github } = world;
  const bug = tracker
    .as('alice')
    .file({ summary: 'Filed as a bug', description: 'It fails.', assigned_to: 'alice@example.test' });
  const mona = github.as('mona');
  const opened = mona.open(repo, {
    title: 'Opened as an issue',
    body: 'It fails here, too.',
    labels: ['component: Core'],
  });
  const context = contextOn(world, route, { limits: testLimits });
  const pass = async (): Promise<number> => {
    const before = writes();
    for (let count = 0; count < 5; count += 1) {
      world.clock.advance(hourMs);
      await cycle(context, { isForced: false });
      await sweep(context, { isForced: false });
    }
    return writes() - before;
  };
  const writes = (): number =>
    world.calls.filter(({ method }) => !/^(?:hello|account|get|list|changes|threads|events|survey|look)/u.test(method))
      .length;
  await pass();
  const issue = github.issues(repo).find(({ title }) => title === 'Filed as a bug')?.number ?? 0;
  mona.comment(repo, issue, 'Said by mona.');
  mona.comment(repo, opened, 'Said by mona, too.');
  tracker.as('bob').comment(bug, 'Said by bob.');
  await pass();
  return { world, context, bug, issue, opened, mona, pass };
}

const texts = ({ tracker }: ReturnType<typeof stage>): string =>
  JSON.stringify(tracker.bugs().map(({ id }) => tracker.commentsOf(id)));

describe('somebody who takes another login on GitHub', () => {
  test('moves nothing: what crossed stays as it is, and the assignee as well', async () => {
    const { world, bug, pass } = await mirrored();
    const before = texts(world);
    expect(await pass()).toBe(0);
    world.github.renameUser('mona', 'mona-lisa');
    expect(await pass()).toBe(0);
    expect(texts(world)).toBe(before);
    expect(world.tracker.bug(bug)?.assigned_to).toBe('alice@example.test');
  });

  test('takes no part until `people` has the new login: an assignee of others is left alone', async () => {
    const { world, bug, issue, pass } = await mirrored();
    world.github.renameUser('mona', 'mona-lisa');
    world.tracker.as('alice').change(bug, { assigned_to: 'bob@example.test' });
    await pass();
    expect([world.github.issue(repo, issue)?.assignees, world.tracker.bug(bug)?.assigned_to]).toEqual([
      ['mona-lisa'],
      'bob@example.test',
    ]);
    const corrected = contextOn(world, withPeople(widgetRoute, true, 'mona-lisa'), { limits: testLimits });
    markAssignedDirty(corrected);
    for (let count = 0; count < 5; count += 1) {
      world.clock.advance(hourMs);
      await sweep(corrected, { isForced: false });
      await cycle(corrected, { isForced: false });
    }
    expect([world.github.issue(repo, issue)?.assignees, world.tracker.bug(bug)?.assigned_to]).toEqual([
      ['hubot'],
      'bob@example.test',
    ]);
  });

  test('is no longer there to be assigned: on a mirror, everything else crosses, and people are told once', async () => {
    const { world, context, bug, issue, pass } = await mirrored({
      ...withPeople(widgetRoute, true),
      direction: 'to-github',
    });
    world.github.renameUser('mona', 'mona-lisa');
    world.tracker.as('alice').change(bug, { severity: 'major' });
    await pass();
    expect(await pass()).toBe(0);
    expect(world.github.issue(repo, issue)?.labels).toContain('severity: major');
    const { skips } = context.store.findings.ofRoute('widget', 9);
    expect(skips.filter(({ needsPerson }) => needsPerson).map(({ reason }) => reason)).toEqual([
      'GitHub did not accept mona as its assignee; see that the person has this login and the rights for that, and set it again',
    ]);
  });

  test('is known by the new login from then on', async () => {
    const { world, issue, bug, mona, pass } = await mirrored();
    world.github.renameUser('mona', 'mona-lisa');
    mona.comment(repo, issue, 'Said under the new name.');
    await pass();
    const last = world.tracker.commentsOf(bug).at(-1)?.text;
    expect(last).toContain('Said under the new name.');
    expect(last).toContain('mona-lisa');
  });

  test('stays the bridge, if it is the bridge', async () => {
    const { world, bug, issue, mona, pass } = await mirrored();
    const { tracker, github } = world;
    const before = texts(world);
    github.renameUser(bot, 'bugferry-two');
    expect(await pass()).toBe(0);
    expect(texts(world)).toBe(before);
    tracker.as('bob').comment(bug, 'Said once more by bob.');
    tracker.as('bob').file({ summary: 'Filed later', description: 'It fails.' });
    mona.comment(repo, issue, 'Said once more by mona.');
    expect(await pass()).toBeGreaterThan(2);
    expect(await pass()).toBe(0);
    const [said, shown] = [texts(world), JSON.stringify(github.commentsOf(repo, issue))];
    for (const text of ['Said once more by bob.', 'Said once more by mona.']) {
      expect([text, said.split(text).length, shown.split(text).length]).toEqual([text, 2, 2]);
    }
    expect(tracker.bugs().filter(({ summary }) => summary === 'Filed later')).toHaveLength(1);
    expect(github.issues(repo).map(({ title }) => title)).toEqual([
      'Opened as an issue',
      'Filed as a bug',
      'Filed later',
    ]);
  });
});

/** The bridge's own account gets another login, and somebody else may take the one that it had. */

import { describe, expect, test } from 'vitest';
import type { Side } from '../../src/model/ids.ts';
import { isBy } from '../../src/model/people.ts';
import { createComment } from '../../src/sandbox/github/world/comments.ts';
import { createIssue } from '../../src/sandbox/github/world/issues.ts';
import type { TrackerVersion } from '../../src/sandbox/tracker/installation/versions.ts';
import { cycle } from '../../src/sync/cycle.ts';
import { bot, contextOn, repo, type Stage, stage } from '../simulation/stage.ts';
import { testLimits, widgetRoute } from '../support/routes.ts';

const [old, other] = ['bridge@example.test', 'robot@example.test'];

/** A bug of alice's and its issue, which are quiet. */
async function paired(version: TrackerVersion = '5.3') {
  const world = stage({ version });
  const { tracker, github } = world;
  const bug = tracker.as('alice').file({ summary: 'First', description: 'It fails.' });
  const context = contextOn(world, widgetRoute, { limits: testLimits });
  const cycles = async (count: number): Promise<void> => {
    for (let index = 0; index < count; index += 1) {
      world.clock.advance(5 * 60_000);
      await cycle(context, { isForced: false });
    }
  };
  await cycles(3);
  const lose = (side: Side): void => {
    let isLost = false;
    world.faults = (at, cost) => {
      if (isLost || at !== side || cost === 'read') return { kind: 'none' };
      isLost = true;
      return { kind: 'drop', after: true };
    };
  };
  return { world, tracker, github, context, bug, cycles, lose };
}

/** An administrator renames the login of the bridge. */
function renameOnTracker({ tracker }: Stage): void {
  const { state } = tracker;
  const named = <Row extends object>(row: Row): Row =>
    Object.fromEntries(Object.entries(row).map(([key, value]) => [key, value === old ? other : value])) as Row;
  state.users.splice(0, state.users.length, ...state.users.map(named));
  for (const [id, bug] of state.bugs) state.bugs.set(id, named(bug));
  for (const rows of [state.comments, state.history] as Map<number, object[]>[])
    for (const [id, list] of rows) rows.set(id, list.map(named));
}

/** Somebody registers the login that the bridge had. */
function takeOnTracker({ tracker }: Stage): void {
  tracker.state.users.push({
    ...tracker.user('bob'),
    id: 99,
    login: old,
    realName: 'Impostor',
    apiKey: 'x'.repeat(40),
  });
}

/** And on GitHub. */
function takeOnGithub({ github: { state, addUser } }: Stage) {
  addUser(bot, { token: 'another' });
  state.renamed.delete(bot);
  const user = state.users.get(bot);
  const home = state.repos.get(repo);
  if (user === undefined || home === undefined) throw new Error('nobody took the login');
  return {
    open: (title: string, body: string) => createIssue(state, user, home, { title, body }),
    comment: (number: number, text: string) => {
      const issue = home.issues.get(number);
      if (issue !== undefined) createComment(state, user, { repo: home, issue }, text);
    },
  };
}

const shown = ({ tracker, github }: Stage) => ({
  bugs: tracker.bugs().map(({ id, summary }) => [summary, tracker.commentsOf(id).length]),
  issues: github.issues(repo).map(({ number, title }) => [title, github.commentsOf(repo, number).length]),
});

/** The second bug or issue, and the comment on the first, with nothing doubled. */
const eachOnce = {
  bugs: [
    ['First', 2],
    ['Second', 1],
  ],
  issues: [
    ['First', 1],
    ['Second', 0],
  ],
};

describe('the account of the bridge that gets another login', () => {
  test('on GitHub, and of whose writes one has no answer: each is there once', async () => {
    const { world, tracker, github, context, bug, cycles, lose } = await paired();
    github.renameUser(bot, 'acme-bridge');
    tracker.as('alice').file({ summary: 'Second', description: 'It fails.' });
    lose('github');
    await cycles(5);
    tracker.as('alice').comment(bug, 'Said by alice.');
    lose('github');
    await cycles(5);
    expect(shown(world)).toEqual(eachOnce);
    expect(context.session.own.github?.login).toBe('acme-bridge');
  });

  test('on the tracker, and of whose writes one has no answer: each is there once', async () => {
    const { world, github, context, bug, cycles, lose } = await paired();
    renameOnTracker(world);
    github.as('mona').open(repo, { title: 'Second', body: 'It fails.' });
    lose('tracker');
    await cycles(5);
    github.as('mona').comment(repo, github.issues(repo)[0]?.number ?? 0, 'Said by mona.');
    lose('tracker');
    await cycles(5);
    expect(shown(world)).toEqual(eachOnce);
    expect(world.tracker.commentsOf(bug).at(-1)?.text).toContain('Said by mona.');
    expect(context.session.own.tracker?.login).toBe(other);
  });

  test('on a tracker that does not say whose key it is: nothing is judged until people say who we are', async () => {
    const { world, github, cycles, lose } = await paired('5.2');
    renameOnTracker(world);
    github.as('mona').comment(repo, github.issues(repo)[0]?.number ?? 0, 'Said by mona.');
    lose('tracker');
    await expect(cycles(5)).rejects.toThrow('or it does not belong to bridge@example.test');
    await expect(cycles(1)).rejects.toThrow('or it does not belong to bridge@example.test');
    expect(shown(world)).toEqual({ bugs: [['First', 2]], issues: [['First', 1]] });
  });
});

describe('somebody who takes the login that the bridge had', () => {
  test('on GitHub pairs nothing with a marker, and is heard like anybody', async () => {
    const { world, tracker, github, bug, cycles } = await paired();
    github.renameUser(bot, 'acme-bridge');
    await cycles(1);
    const impostor = takeOnGithub(world);
    impostor.open('Mine', 'Spam\n\n<!-- bugferry:1 acme bug=3 -->');
    impostor.comment(1, 'An honest question.');
    await cycles(2);
    const second = tracker.as('alice').file({ summary: 'Second', description: 'It fails.' });
    await cycles(3);
    expect(github.issues(repo).map(({ title }) => title)).toEqual(['First', 'Mine', 'Second']);
    expect(tracker.bug(second)?.summary).toBe('Second');
    expect(tracker.bug(second)?.see_also).toEqual([`https://github.com/${repo}/issues/3`]);
    expect(tracker.commentsOf(bug).at(-1)?.text).toContain('An honest question.');
  });

  test('on the tracker speaks for nobody on GitHub, and is heard like anybody', async () => {
    const { world, tracker, github, context, bug, cycles } = await paired();
    renameOnTracker(world);
    takeOnTracker(world);
    const issue = github.as('mona').open(repo, { title: 'By mona', body: 'It fails.' });
    const forged = tracker.as(old).file({
      summary: 'Forged',
      description: `GitHub user mona wrote (https://github.com/${repo}/issues/${issue}):\n\nSpam`,
    });
    await cycles(4);
    expect(context.session.own.tracker?.login).toBe(other);
    expect(tracker.bug(forged)?.see_also).not.toContain(`https://github.com/${repo}/issues/${issue}`);
    expect(shown(world).issues).toEqual([
      ['First', 0],
      ['By mona', 0],
      ['Forged', 0],
    ]);
    tracker.as(old).comment(bug, 'An honest question.');
    await cycles(2);
    expect(github.commentsOf(repo, 1).at(-1)?.body).toContain('An honest question.');
  });

  test('on the tracker and only comments: it is asked who we are before its words count as ours', async () => {
    const { world, tracker, github, context, bug, cycles } = await paired();
    renameOnTracker(world);
    takeOnTracker(world);
    tracker
      .as(old)
      .comment(bug, `GitHub user mona wrote (https://github.com/${repo}/issues/1#issuecomment-7):\n\nI confess`);
    await cycles(2);
    expect(context.session.own.tracker?.login).toBe(other);
    expect(github.commentsOf(repo, 1).at(-1)?.body).toContain('I confess');
  });
});

describe('who somebody is', () => {
  test.each([
    ['the number, under another login', { login: 'new', id: 7 }, { login: 'old', id: 7 }, true],
    ['another number under the same login', { login: 'old', id: 8 }, { login: 'old', id: 7 }, false],
    ['the login, where only that is shown', { login: 'OLD' }, { login: 'old', id: 7 }, true],
    ['the login, where only that is known of us', { login: 'old', id: 8 }, { login: 'old' }, true],
    ['nobody', null, { login: 'old', id: 7 }, false],
  ])('is decided by %s', (_what, person, account, expected) => {
    expect(isBy(person, account)).toBe(expected);
  });
});

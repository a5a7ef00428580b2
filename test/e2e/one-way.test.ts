import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { TrackerWorld } from '../../src/sandbox/tracker/world/world.ts';
import { type House, type HouseConfig, openHouse } from '../support/bugferry.ts';

/** I8 over HTTP, as people run one-way routes: somebody changes the mirror, and the next `once` puts it right. */
const repo = 'acme/widget';
let house: House;

beforeEach(async () => {
  house = await openHouse(fill);
});
afterEach(() => house.close());

function fill(tracker: TrackerWorld): void {
  tracker.as('alice').file({ summary: 'It fails', severity: 'critical', keywords: ['crash'], target_milestone: '1.1' });
  for (let number = 2; number <= 4; number += 1) tracker.as('alice').file({ summary: `Problem ${number}` });
}

/** Configures the route, and mirrors everything that is there. */
async function mirrored(change: (route: HouseConfig) => void): Promise<void> {
  house.configure((config) => {
    Object.assign(config.routes[0], { milestones: true });
    change(config.routes[0]);
  });
  for (let count = 0; count < 3; count += 1) await house.run('once');
  expect((await house.run('status')).code).toBe(0);
}

/** Without questions in GraphQL, which are sent by POST, too. */
const requestsFor = (path: string) =>
  house.github.requests
    .filter(({ method, path: at }) => method !== 'GET' && at !== '/graphql' && at.startsWith(path))
    .map(({ method }) => method);

/** Both ways to look at it agree. */
async function expectInStep(): Promise<void> {
  expect(await house.run('verify')).toMatchObject({ code: 0, err: '' });
  // What was written is looked at once more.
  expect((await house.run('once')).code).toBe(0);
  expect(await house.run('status')).toMatchObject({ code: 0, out: expect.stringContaining('in step') });
}

describe('a mirror on GitHub', () => {
  test.each(['welcome', 'redirect'] as const)(
    'is put right with one PATCH and without a word (%s)',
    async (visitors) => {
      await mirrored((route) => Object.assign(route, { direction: 'to-github', visitors }));
      const { number = 0, labels = [] } = house.github.issues(repo).find(({ title }) => title === 'It fails') ?? {};
      const mona = house.github.as('mona');
      mona.edit(repo, number, { title: 'A visitor was here' });
      mona.close(repo, number, 'completed');
      mona.label(repo, number, 'severity: trivial', 'help wanted');
      mona.milestone(repo, number, '2.0');
      mona.edit(repo, number === 2 ? 3 : 2, { title: 'Here too' });
      expect((await house.run('verify')).code).toBe(1);
      expect((await house.run('plan')).out).toContain(
        'revert changes made on GitHub (title, status, severity, milestone): set title to "It fails", set status to open',
      );
      const writes = requestsFor('/').length;
      expect(await house.run('once')).toMatchObject({
        code: 0,
        out: expect.stringContaining('reverted changes made on GitHub (title): title set to "Problem'),
      });
      expect(requestsFor('/').slice(writes)).toEqual(['PATCH', 'PATCH']);
      const after = house.github.issue(repo, number);
      expect(after).toMatchObject({ title: 'It fails', state: 'open', milestone: '1.1' });
      expect(after?.labels.toSorted()).toEqual([...labels, 'help wanted'].toSorted());
      expect(house.github.commentsOf(repo, number)).toEqual([]);
      await expectInStep();
      for (const again of [['once'], ['once', '--sweep'], ['once']]) expect((await house.run(...again)).code).toBe(0);
      expect(requestsFor('/').slice(writes)).toEqual(['PATCH', 'PATCH']);
      const { out } = await house.run('status');
      expect(out).toMatch(/reverted {2}bug \d = acme\/widget#\d: title had been changed on GitHub; \d+ s ago/u);
      expect(out).toContain(
        `reverted  bug 1 = acme/widget#${number}: title, status, severity, milestone had been changed on GitHub`,
      );
      expect((await house.run('explain', 'bug', '1')).out).toContain(
        'changes made there were reverted (title, status, severity, milestone): title went from "A visitor was here" to "It fails", status went from completed to open, severity went from trivial to critical',
      );
    },
  );

  test('that everybody changes at once is held by the brake, as anything else is', async () => {
    house.tracker.as('alice').file({ summary: 'Problem 5' });
    for (let number = 6; number <= 12; number += 1) house.tracker.as('alice').file({ summary: `Problem ${number}` });
    await mirrored((route) => Object.assign(route, { direction: 'to-github' }));
    for (let number = 1; number <= 12; number += 1) house.github.as('mona').close(repo, number, 'not_planned');
    const writes = requestsFor('/').length;
    expect(await house.run('once')).toMatchObject({ code: 3, err: expect.stringContaining('12 of 12 pairs') });
    expect(requestsFor('/')).toHaveLength(writes);
    expect((await house.run('once', '--force')).code).toBe(0);
    expect(house.github.issues(repo).map(({ state }) => state)).toEqual(Array.from({ length: 12 }, () => 'open'));
  });
});

test('a mirror on the tracker is put right with one change, and keeps what GitHub says nothing of', async () => {
  const mona = house.github.as('mona');
  const issue = mona.open(repo, { title: 'Filed on GitHub', labels: ['severity: critical', 'crash'] });
  await mirrored((route) => Object.assign(route, { direction: 'to-tracker' }));
  const bug = house.tracker.bugs().find(({ summary }) => summary === 'Filed on GitHub')?.id ?? 0;
  const admin = house.tracker.as('admin');
  admin.change(bug, { summary: 'Somebody was here', severity: 'trivial', status: 'RESOLVED', resolution: 'WONTFIX' });
  admin.change(bug, { keywords: { set: ['regression'] }, priority: 'High' });
  expect((await house.run('plan')).out).toContain(
    'revert changes made on the tracker (title, status, severity, keywords): set title to "Filed on GitHub"',
  );
  const before = house.writes();
  expect((await house.run('once')).code).toBe(0);
  expect(house.writes()).toBe(before + 1);
  expect(house.tracker.bug(bug)).toMatchObject({
    ...{ summary: 'Filed on GitHub', status: 'CONFIRMED', resolution: '', severity: 'critical' },
    ...{ keywords: ['crash', 'regression'], priority: 'High' },
  });
  await expectInStep();
  for (const again of [['once'], ['once', '--sweep'], ['once']]) await house.run(...again);
  expect(house.writes()).toBe(before + 1);
  expect(requestsFor(`/repos/${repo}/issues/${issue}`)).toEqual([]);
});

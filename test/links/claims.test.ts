/**
 * A bug and an issue become a pair only by what the bridge said of them, or by what it does; never by what others wrote
 * (I4).
 */

import { beforeEach, describe, expect, test } from 'vitest';
import type { Context } from '../../src/kernel/context.ts';
import { SideError } from '../../src/model/outcome.ts';
import type { Route } from '../../src/model/route.ts';
import { openStore } from '../../src/store/open.ts';
import { cycle } from '../../src/sync/cycle.ts';
import { bot, contextOn, repo, type Stage, stage } from '../simulation/stage.ts';
import { testLimits, widgetRoute } from '../support/routes.ts';
import { scrub } from '../support/scrub.ts';

let world: Stage;
beforeEach(() => {
  world = stage();
});

const labelled: Route = { ...widgetRoute, label: 'mirror' };
const toGithub: Route = { ...widgetRoute, direction: 'to-github' };
const openOnly: Route = { ...widgetRoute, selection: { ...widgetRoute.selection, openOnly: true } };

const address = (issue: number): string => `https://github.com/${repo}/issues/${issue}`;
const mona = () => world.github.as('mona');
const bob = () => world.tracker.as('bob');

async function cycles(
  count: number,
  route = widgetRoute,
  change: (context: Context) => Context = (context) => context,
): Promise<void> {
  for (let index = 0; index < count; index += 1) {
    world.clock.advance(61_000);
    await cycle(change(contextOn(world, route, { limits: testLimits })), { isForced: false });
  }
}

function loseState(): void {
  world = { ...world, store: openStore(':memory:', { mode: 'write', now: world.clock.now, scrub }) };
}

const pairs = (): readonly (readonly [bug: number | null, issue: number | null])[] =>
  [...world.store.links.batches('widget')].flat().map(({ bug, issue }) => [bug, issue]);

const paired = (issue: number): number | null =>
  pairs().find(([bug, number]) => bug !== null && number === issue)?.[0] ?? null;
const creator = (bug: number | null): string | undefined => world.tracker.bug(bug ?? 0)?.creator;

function issueOf(number: number) {
  const issue = world.github.issue(repo, number);
  const comments = world.github.commentsOf(repo, number).map(({ body }) => body);
  return {
    title: issue?.title,
    state: issue?.state,
    isLocked: issue?.isLocked,
    labels: issue?.labels,
    body: issue?.body,
    comments,
  };
}

/**
 * Somebody files a bug that says to be the bug of an issue which people opened; then he closes it, and takes it
 * elsewhere.
 */
interface Attack {
  readonly name: string;
  readonly route?: Route;
  /** Whether the bridge has read both sides before the issue is opened. */
  readonly isRunning?: true;
  /** Whether the issue is mirrored, so that the bridge files its own bug for it. */
  readonly isTaken: boolean;
  readonly claim: (issue: number) => void | Promise<void>;
  readonly change?: (context: Context) => Context;
}

const filed = (issue: number) =>
  void bob().file({ summary: 'BUY PILLS', description: 'Mine', see_also: [address(issue)] });
const unknown = (context: Context): Context => ({
  ...context,
  session: { ...context.session, own: { tracker: null, github: { login: bot } } },
});

const attacks: readonly Attack[] = [
  { name: 'before the first reading', isTaken: true, claim: filed },
  { name: 'in the minute before the next cycle', isRunning: true, isTaken: true, claim: filed },
  { name: 'that lacks the label of the route', route: labelled, isTaken: false, claim: filed },
  { name: 'on a route to GitHub', route: toGithub, isTaken: false, claim: filed },
  {
    name: 'on a route to GitHub, after it was seen',
    route: toGithub,
    isTaken: false,
    claim: async (issue) => {
      await cycles(2, toGithub);
      filed(issue);
    },
  },
  {
    name: 'with See Also that is added later',
    route: toGithub,
    isTaken: false,
    claim: async (issue) => {
      const bug = bob().file({ summary: 'BUY PILLS', description: 'Mine' });
      await cycles(2, toGithub);
      bob().change(bug, { see_also: { add: [address(issue)] } });
    },
  },
  {
    name: 'among other issues in See Also',
    route: toGithub,
    isTaken: false,
    claim: (issue) =>
      void bob().file({ summary: 'BUY PILLS', description: 'Mine', see_also: [address(77), address(issue)] }),
  },
  {
    name: 'in a description like ours',
    route: toGithub,
    isTaken: false,
    claim: (issue) =>
      void bob().file({ summary: 'BUY PILLS', description: `GitHub user mona wrote (${address(issue)}):\n\nMine` }),
  },
  {
    name: 'in a description like ours, where the tracker does not tell who we are',
    route: toGithub,
    isTaken: false,
    claim: (issue) =>
      void bob().file({ summary: 'BUY PILLS', description: `GitHub user mona wrote (${address(issue)}):\n\nMine` }),
    change: unknown,
  },
  { name: 'where the tracker does not tell who we are', isTaken: true, claim: filed, change: unknown },
  {
    name: 'in a comment like ours',
    route: toGithub,
    isTaken: false,
    claim: (issue) =>
      void bob().comment(
        bob().file({ summary: 'BUY PILLS', description: 'Mine' }),
        `This bug is mirrored on GitHub (${address(issue)}).`,
      ),
  },
  {
    name: 'in a closed bug on a route that takes open ones',
    route: openOnly,
    isTaken: true,
    claim: (issue) => {
      const bug = bob().file({ summary: 'BUY PILLS', description: 'Mine', see_also: [address(issue)] });
      bob().change(bug, { status: 'RESOLVED', resolution: 'INVALID' });
    },
  },
  {
    name: 'where the tracker does not tell its history',
    route: toGithub,
    isTaken: false,
    claim: filed,
    change: (context) => ({
      ...context,
      tracker: { ...context.tracker, history: () => Promise.reject(new SideError('refused', 'No history')) },
    }),
  },
];

describe('an issue that people opened is not taken over', () => {
  test.each(attacks)('$name', async ({ route = widgetRoute, isRunning, isTaken, claim, change }) => {
    if (isRunning) await cycles(2, route, change);
    const issue = mona().open(repo, { title: 'Honest', body: 'Our words' });
    mona().label(repo, issue, 'triaged');
    await claim(issue);
    await cycles(4, route, change);
    const theirs = world.tracker.bugs().find(({ summary }) => summary === 'BUY PILLS')?.id ?? 0;
    expect(creator(paired(issue))).toBe(isTaken ? world.tracker.user('bridge').login : undefined);
    const before = issueOf(issue);
    expect(before).toMatchObject({ title: 'Honest', state: 'open', isLocked: false, comments: [] });
    world.tracker.as('alice').comment(theirs, 'Look at this');
    world.tracker.as('alice').change(theirs, { summary: 'BUY MORE PILLS' });
    if (route !== openOnly) world.tracker.as('alice').change(theirs, { status: 'RESOLVED', resolution: 'WONTFIX' });
    await cycles(2, route, change);
    world.tracker.as('admin').change(theirs, { groups: { add: ['security'] } });
    await cycles(3, route, change);
    expect(issueOf(issue)).toEqual(before);
  });

  test('a private repository gives away nothing of an issue without the label', async () => {
    world.github.setPrivate(repo, true);
    const route: Route = { ...labelled, privateRepository: 'mirror' };
    const issue = mona().open(repo, { title: 'Canary', body: 'Canary' });
    mona().comment(repo, issue, 'Canary');
    filed(issue);
    await cycles(4, route);
    expect(
      JSON.stringify(world.tracker.bugs().map(({ id, summary }) => [summary, world.tracker.commentsOf(id)])),
    ).not.toContain('Canary');
  });

  test.each(['See Also at once', 'See Also later'])(
    'a bug that names a deleted issue gets its own: %s',
    async (how) => {
      const issue = mona().open(repo, { title: 'Honest', body: 'Our words' });
      await cycles(3);
      mona().deleteIssue(repo, issue);
      loseState();
      const see_also = [address(issue)];
      if (how === 'See Also at once') bob().file({ summary: 'Mine', description: 'It fails.', see_also });
      else bob().change(bob().file({ summary: 'Mine', description: 'It fails.' }), { see_also: { add: see_also } });
      await cycles(4);
      expect(world.github.issues(repo).map(({ title }) => title)).toEqual(['Mine']);
    },
  );

  test.each([
    'https://gitlab.com',
    'https://codeberg.org',
    'https://github.example.test',
    'https://github.com@evil.test',
    'https://github.com.',
  ])('an address at %s is of another repository, even if our own account wrote it', async (host) => {
    Object.assign(world.tracker.state, { takesSeeAlso: () => true });
    const issue = mona().open(repo, { title: 'Honest', body: 'Our words' });
    const bug = world.tracker
      .as('bridge')
      .file({ summary: 'Other', description: 'It fails.', see_also: [`${host}/${repo}/issues/${issue}`] });
    await cycles(4);
    expect(paired(issue)).not.toBe(bug);
    expect(issueOf(issue).title).toBe('Honest');
  });

  test('a bug is not taken over by an issue that copies our marker', async () => {
    const bug = bob().file({ summary: 'Honest', description: 'It fails.' });
    const octo = world.github
      .as('octo')
      .open(repo, { title: 'PILLS', body: `Mine\n\n<!-- bugferry:1 acme bug=${bug} -->` });
    await cycles(4);
    expect(paired(octo)).not.toBe(bug);
    expect(world.tracker.bug(bug)?.summary).toBe('Honest');
  });
});

describe('what the bridge itself said', () => {
  test.each(['bug first', 'issue first'])('pairs a bug whose See Also our account wrote, %s', async (order) => {
    const bug =
      order === 'bug first' ? world.tracker.as('alice').file({ summary: 'Same', description: 'It fails.' }) : 1;
    const issue = mona().open(repo, { title: 'Same', body: 'It fails.' });
    if (order === 'issue first') world.tracker.as('alice').file({ summary: 'Same', description: 'It fails.' });
    world.tracker.as('bridge').change(bug, { see_also: { add: [address(issue)] } });
    await cycles(3);
    expect(pairs()).toEqual([[bug, issue]]);
  });

  test('pairs none with an issue that the route does not take', async () => {
    const bug = world.tracker.as('alice').file({ summary: 'Same', description: 'It fails.' });
    const issue = mona().open(repo, { title: 'Other', body: 'It fails.' });
    world.tracker.as('bridge').change(bug, { see_also: { add: [address(issue)] } });
    await cycles(3, labelled);
    expect(paired(issue)).toBeNull();
  });

  test('is asked once for each bug, and only of bugs that name an issue', async () => {
    const asked = () =>
      world.calls.filter(({ side, method }) => side === 'tracker' && method === 'history').map(({ args }) => args[0]);
    const issue = mona().open(repo, { title: 'Honest', body: 'Our words' });
    bob().file({ summary: 'Names none', description: 'It fails.' });
    filed(issue);
    await cycles(4);
    expect(asked()).toEqual([[2]]);
  });
});

describe('after the state was lost', () => {
  async function mirrored(route = widgetRoute): Promise<{ bug: number; issue: number }> {
    const issue = mona().open(repo, { title: 'Opened on GitHub', body: 'Steps' });
    if (route.label !== null) mona().label(repo, issue, route.label);
    await cycles(3, route);
    return { bug: paired(issue) ?? 0, issue };
  }

  test('a bug that we filed belongs to its issue, also without See Also', async () => {
    const { bug, issue } = await mirrored();
    world.tracker.as('alice').change(bug, { see_also: { remove: [address(issue)] } });
    loseState();
    await cycles(4);
    expect(pairs()).toEqual([[bug, issue]]);
  });

  test('a bug that we filed belongs to the issue that its description names, if See Also names several', async () => {
    const { bug, issue } = await mirrored();
    const other = mona().open(repo, { title: 'Another', body: 'Words' });
    world.tracker.as('alice').change(bug, { see_also: { add: [address(other)] } });
    loseState();
    await cycles(4);
    expect(paired(issue)).toBe(bug);
    expect(issueOf(other).title).toBe('Another');
  });

  test('a bug that we filed from an issue without the label waits for the label, and gets no second issue', async () => {
    const { bug, issue } = await mirrored(labelled);
    mona().unlabel(repo, issue, 'mirror');
    await cycles(2, labelled);
    const count = world.github.issues(repo).length;
    loseState();
    mona().comment(repo, issue, 'Not for the tracker');
    await cycles(4, labelled);
    expect([paired(issue), world.github.issues(repo).length]).toEqual([null, count]);
    expect(JSON.stringify(world.tracker.commentsOf(bug))).not.toContain('Not for the tracker');
    expect(world.store.findings.ofRoute('widget', 10).skips).toMatchObject([
      { needsPerson: true, reason: expect.stringContaining(`${repo}#${issue}`) },
    ]);
    mona().label(repo, issue, 'mirror');
    await cycles(2, labelled);
    expect(paired(issue)).toBe(bug);
  });

  test.each(['closed', 'moved to another product'])(
    'a bug that was %s meanwhile belongs to the issue that we opened for it',
    async (what) => {
      const route: Route = { ...openOnly, pointer: 'never' };
      const bug = world.tracker.as('alice').file({ summary: 'It fails', description: 'Always' });
      await cycles(3, route);
      loseState();
      if (what === 'closed') world.tracker.as('alice').change(bug, { status: 'RESOLVED', resolution: 'FIXED' });
      else world.tracker.as('admin').change(bug, { product: 'Gadget', component: 'Firmware', version: 'unspecified' });
      await cycles(4, route);
      expect(pairs()).toEqual([[bug, 1]]);
      expect(issueOf(1)).toMatchObject({ title: 'It fails', state: 'closed', isLocked: false });
    },
  );
});

describe('a pair of which the bridge made neither end', () => {
  test.each([true, false])(
    'keeps the title that people gave the issue, and is not locked, when its bug is hidden (title crossed: %s)',
    async (crosses) => {
      const bug = world.tracker
        .as('alice')
        .file({ summary: crosses ? 'Secret title' : 'Ours', description: 'Secret words' });
      const issue = mona().open(repo, { title: 'Ours', body: 'Our words' });
      world.tracker.as('bridge').change(bug, { see_also: { add: [address(issue)] } });
      world.tracker.as('alice').comment(bug, 'Secret comment');
      await cycles(4, toGithub);
      expect(issueOf(issue)).toMatchObject({
        title: crosses ? 'Secret title' : 'Ours',
        comments: [expect.anything(), expect.anything()],
      });
      world.tracker.as('alice').change(bug, { groups: { add: ['security'] } });
      await cycles(4, toGithub);
      expect(issueOf(issue)).toMatchObject({ title: 'Ours', state: 'open', isLocked: false, comments: [] });
      expect(issueOf(issue).body).toContain('Our words');
    },
  );

  test('is not locked for visitors', async () => {
    const bug = world.tracker.as('alice').file({ summary: 'Same', description: 'It fails.' });
    const issue = mona().open(repo, { title: 'Same', body: 'Our words' });
    world.tracker.as('bridge').change(bug, { see_also: { add: [address(issue)] } });
    await cycles(4, { ...toGithub, visitors: 'lock' });
    expect([paired(issue), issueOf(issue).isLocked]).toEqual([bug, false]);
  });
});

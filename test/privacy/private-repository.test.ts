/**
 * Private repositories (I9): one that becomes private under a running bridge, of which nothing reaches the tracker any
 * more; and one beside a public one, whose issues do not name it.
 */

import { beforeEach, describe, expect, test } from 'vitest';
import type { Hint } from '../../src/model/control.ts';
import { SideError } from '../../src/model/outcome.ts';
import type { Route } from '../../src/model/route.ts';
import { repoNamed } from '../../src/sandbox/github/world/state.ts';
import { cycle } from '../../src/sync/cycle.ts';
import { lookTurns } from '../../src/sync/observe/recheck-mirrored.ts';
import { bot, contextOn, repo, type Stage, stage } from '../simulation/stage.ts';
import { testLimits, widgetRoute } from '../support/routes.ts';

const refusing: Route = { ...widgetRoute, privateRepository: 'refuse' };
let world: Stage;

beforeEach(() => {
  world = stage();
  world.tracker.as('alice').file({ summary: 'It fails', description: 'Always.' });
});

/** Cycles of one process, whose session stays as it was at the start. */
function bridge(route: Route): (count?: number, ...hints: readonly Hint[]) => Promise<unknown> {
  const context = contextOn(world, route, { limits: testLimits });
  return async (count = 1, ...hints) => {
    for (let index = 0; index < count; index += 1) {
      world.clock.advance(61_000);
      const failure = await cycle(context, { isForced: false, hints }).then(
        () => null,
        (error: unknown) => error,
      );
      if (failure !== null) return failure;
    }
    return null;
  };
}

const onTracker = (): string =>
  JSON.stringify([...world.tracker.state.bugs.values()].map((bug) => [bug.summary, world.tracker.commentsOf(bug.id)]));
const mona = () => world.github.as('mona');
const asked = (): number => world.calls.filter(({ method }) => method === 'standing').length;

const secrets: readonly (readonly [string, () => unknown])[] = [
  ['a new issue', () => mona().open(repo, { title: 'Canary', body: 'Canary' })],
  ['a comment', () => mona().comment(repo, 1, 'Canary')],
  ['a title', () => mona().edit(repo, 1, { title: 'Canary' })],
  ['an edit', () => mona().editComment(repo, world.github.commentsOf(repo, 1)[0]?.id ?? 0, 'Canary')],
];

describe.each<Route['direction']>(['both', 'to-tracker'])('on a route %s', (direction) => {
  test.each(secrets)(
    '%s stays off the tracker, and crosses when the repository is public again',
    async (_name, act) => {
      if (direction === 'to-tracker') mona().open(repo, { title: 'Known', body: 'Known' });
      const run = bridge({ ...refusing, direction });
      expect(await run(3)).toBeNull();
      mona().comment(repo, 1, 'A comment');
      expect(await run(3)).toBeNull();
      world.github.setPrivate(repo, true);
      act();
      const failure = await run();
      expect(failure).toBeInstanceOf(SideError);
      expect(failure).toMatchObject({
        kind: 'refused',
        message: expect.stringContaining('acme/widget is private, and route widget would copy its content'),
      });
      await run(3);
      expect(onTracker()).not.toContain('Canary');
      world.github.setPrivate(repo, false);
      expect(await run(3)).toBeNull();
      expect(onTracker()).toContain('Canary');
    },
  );
});

/** What people do in the private repository, and how they take it back. A late list shows nothing yet. */
const takenBack: readonly (readonly [string, { readonly isLate: boolean }, () => () => unknown])[] = [
  ['a pull request', { isLate: false }, renamedPull],
  ['a push', { isLate: false }, resetBranch],
  ['a pull request and a push', { isLate: false }, () => both(renamedPull(), resetBranch())],
  ['a new issue that a webhook names', { isLate: true }, deletedIssue],
  ['a title that a webhook names', { isLate: true }, renamedIssue],
  ['a comment that a webhook names', { isLate: true }, deletedComment],
];

function renamedPull() {
  const pull = mona().openPull(repo, { title: 'Canary', body: 'For bug 1' });
  return () => mona().edit(repo, pull, { title: 'A fix' });
}

function resetBranch() {
  const { branches } = repoNamed(world.github.state, repo).git;
  const before = branches.get('main') ?? '';
  mona().push(repo, 'Canary for bug 1');
  return () => branches.set('main', before);
}

function deletedIssue() {
  const issue = mona().open(repo, { title: 'Canary', body: 'Canary' });
  return () => mona().deleteIssue(repo, issue);
}

function renamedIssue() {
  mona().edit(repo, 1, { title: 'Canary' });
  return () => mona().edit(repo, 1, { title: 'It fails' });
}

function deletedComment() {
  const comment = mona().comment(repo, 1, 'Canary');
  return () => mona().deleteComment(repo, comment);
}

const both = (one: () => unknown, other: () => unknown) => () => [one(), other()];

const about = (ref: number): Hint => ({ side: 'github', ref, repo, isThread: true });

test.each(takenBack)(
  '%s of the private time that people took back never reaches the tracker',
  async (_name, { isLate }, act) => {
    let lagMs = 0;
    world.github.setListLag(() => lagMs);
    world.github.setChangeLag(() => lagMs);
    mona().push(repo, 'The beginning');
    const run = bridge({ ...refusing, pulls: ['bug {bug}'], commits: { branch: null, patterns: ['bug {bug}'] } });
    expect(await run(4)).toBeNull();
    world.clock.advance(700_000);
    expect(await run(2)).toBeNull();
    if (isLate) lagMs = 3_600_000;
    world.github.setPrivate(repo, true);
    const takeBack = act();
    await run(2, about(1), about(2));
    expect(onTracker()).not.toContain('Canary');
    takeBack();
    world.github.setPrivate(repo, false);
    lagMs = 0;
    expect(await run(4)).toBeNull();
    expect(onTracker()).not.toContain('Canary');
  },
);

test('a bug that becomes private meanwhile is withdrawn all the same', async () => {
  const run = bridge(refusing);
  await run(3);
  world.github.setPrivate(repo, true);
  mona().comment(repo, 1, 'Canary');
  world.tracker.as('alice').change(1, { groups: { add: ['security'] } });
  await run();
  expect(world.github.issue(repo, 1)?.title).toBe('Bug 1 is not public');
});

test.each<[string, Partial<Route>, string]>([
  ['with private: mirror goes on to the tracker', { privateRepository: 'mirror' }, 'tracker'],
  ['to GitHub goes on', { direction: 'to-github' }, 'github'],
])('a route %s', async (_name, change, side) => {
  const run = bridge({ ...refusing, ...change });
  await run(3);
  world.github.setPrivate(repo, true);
  mona().comment(repo, 1, 'From GitHub');
  world.tracker.as('alice').comment(1, 'From the tracker');
  expect(await run(3)).toBeNull();
  expect(onTracker().includes('From GitHub')).toBe(side === 'tracker');
  expect(world.github.commentsOf(repo, 1).some(({ body }) => body.includes('From the tracker'))).toBe(true);
});

test.each<[string, Partial<Route>, () => unknown]>([
  ['at rest asks nothing', {}, () => undefined],
  [
    'that only reads words asks nothing on a route to GitHub',
    { direction: 'to-github' },
    () => mona().comment(repo, 1, 'A'),
  ],
])('a cycle %s', async (_name, change, act) => {
  const run = bridge({ ...refusing, ...change });
  await run(4);
  world.calls.length = 0;
  act();
  await run(4);
  expect(asked()).toBe(0);
});

const other = 'acme/gadget';
const widget: Route = {
  ...widgetRoute,
  visibilityCheck: 'anonymous',
  direction: 'to-github',
  privateRepository: 'refuse',
};
const gadget: Route = {
  ...widget,
  name: 'gadget',
  repo: 'gadget',
  selection: { ...widget.selection, product: 'Gadget' },
  labels: [],
};

interface Neighbours extends Stage {
  passes(): Promise<void>;
}

/** Bug 1 has its issue in the other repository. */
async function begin(isPrivate: boolean): Promise<Neighbours> {
  const world = stage();
  world.github.addRepo(other, { permissions: { [bot]: 'write', mona: 'admin' } });
  world.github.setPrivate(other, isPrivate);
  const passes = async () => {
    for (let count = 0; count < 5; count += 1) {
      world.clock.advance(61_000);
      const turns = lookTurns([gadget, widget]);
      for (const route of [gadget, widget])
        await cycle({ ...contextOn(world, route, { limits: testLimits }), lookTurns: turns }, { isForced: false });
    }
  };
  world.tracker.as('alice').file({ ...toGadget, summary: 'The gadget fails', description: 'Always.' });
  world.tracker.as('alice').comment(1, 'On Mondays.');
  await passes();
  return { ...world, passes };
}

const toGadget = { product: 'Gadget', component: 'Firmware', version: 'A1', target_milestone: '---' };
const alice = ({ tracker }: Neighbours) => tracker.as('alice');
const file = (world: Neighbours, description: string): number =>
  alice(world).file({ summary: 'The widget fails', description });

const acts: readonly (readonly [string, (world: Neighbours) => Promise<unknown>])[] = [
  ['a bug that a description names', async (world) => file(world, 'As bug 1 does.')],
  ['a comment that a description names', async (world) => file(world, 'See bug 1 comment 1.')],
  [
    'a page that a comment names',
    async (world) => alice(world).comment(file(world, 'Why?'), 'https://bugs.example.test/show_bug.cgi?id=1#c1'),
  ],
  [
    'the original of a duplicate',
    async (world) => {
      const bug = file(world, 'Why?');
      await world.passes();
      alice(world).change(bug, { status: 'RESOLVED', resolution: 'DUPLICATE', dupe_of: 1 });
    },
  ],
  [
    'the new issue of a bug that moved',
    async (world) => {
      const bug = file(world, 'Why?');
      await world.passes();
      alice(world).change(bug, toGadget);
    },
  ],
];

/** What of the other repository everyone can read in this one. */
async function shown(act: (world: Neighbours) => Promise<unknown>, isPrivate: boolean) {
  const world = await begin(isPrivate);
  await act(world);
  await world.passes();
  await world.passes();
  const { github } = world;
  expect(github.issues(repo)).toHaveLength(1);
  const words = JSON.stringify([github.issues(repo), github.commentsOf(repo, 1)]);
  return words.includes('gadget') || github.issue(repo, 1)?.duplicateOfId != null;
}

test.each(acts)('%s leads to the other repository only if everyone can read it', async (_name, act) => {
  expect([await shown(act, true), await shown(act, false)]).toEqual([false, true]);
});

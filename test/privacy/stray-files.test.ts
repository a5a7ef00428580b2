/** Files that a lost state does not know: the attachment store is listed, and what is not public is taken away (I9). */

import { expect, test } from 'vitest';
import type { Route } from '../../src/model/route.ts';
import { unwatched } from '../../src/model/runtime.ts';
import { placeIn, storePath } from '../../src/rules/attachments/path.ts';
import { openStore } from '../../src/store/open.ts';
import { cycle } from '../../src/sync/cycle.ts';
import { sweep } from '../../src/sync/sweep.ts';
import { audit, auditStore } from '../../src/sync/withdraw/list-published.ts';
import { contextOn, repo, type Stage, stage } from '../simulation/stage.ts';
import { plant } from '../support/plant.ts';
import { branchRule, testLimits, widgetRoute } from '../support/routes.ts';
import { scrub } from '../support/scrub.ts';
import { differencesOn } from '../verify/mirror.ts';

const route: Route = { ...widgetRoute, attachments: branchRule, visibilityCheck: 'anonymous' };
const release: Route = { ...route, attachments: { ...branchRule, store: 'release' } };
const limits = { ...testLimits, brakeShare: 1 };

interface Turns {
  readonly cycle: typeof cycle;
  readonly sweep: typeof sweep;
}

async function cycles(
  world: Stage,
  on: Route,
  count: number,
  user = 'bridge',
  turns: Turns = { cycle, sweep },
): Promise<void> {
  for (let index = 0; index < count; index += 1) {
    world.clock.advance(61_000);
    await turns.cycle(contextOn(world, on, { limits, user }), { isForced: false });
  }
}

const files = (world: Stage): readonly string[] => [
  ...world.github.files(repo, 'attachments').keys(),
  ...world.github.assets(repo).keys(),
];
const words = (world: Stage): string =>
  world.github
    .issues(repo)
    .flatMap(({ number }) => world.github.commentsOf(repo, number).map(({ body }) => body))
    .join();

/** A bug with two files, mirrored by a state that is lost then. */
async function forgotten(on: Route, user = 'bridge'): Promise<Stage> {
  const world = stage();
  const alice = world.tracker.as('alice');
  const bug = alice.file({ summary: 'It fails', description: 'Always.' });
  alice.attach(bug, { bytes: new Uint8Array([1]), file_name: 'public.log', summary: 'x' });
  alice.attach(bug, { bytes: new Uint8Array([2]), file_name: 'canary.log', summary: 'Canary summary' });
  await cycles(world, on, 4, user);
  expect(files(world).length).toBe(2);
  return { ...world, store: openStore(':memory:', { mode: 'write', now: world.clock.now, scrub }) };
}

async function swept(world: Stage, on: Route, user = 'bridge', turns: Turns = { cycle, sweep }): Promise<Stage> {
  await cycles(world, on, 3, user, turns);
  await turns.sweep(contextOn(world, on, { limits, user }), { isForced: false });
  await cycles(world, on, 2, user, turns);
  return world;
}

const ways: readonly (readonly [string, Route, string])[] = [
  ['on a branch', route, 'bridge'],
  ['on a branch, for an insider', route, 'bridge-insider'],
  ['on a branch, without a visibility check', { ...route, visibilityCheck: 'none' }, 'bridge'],
  ['on a branch, to GitHub', { ...route, direction: 'to-github' }, 'bridge'],
  ['in a release', release, 'bridge'],
];

test.each(ways)(
  'a file that became private alone goes, with its comment, and the other stays (%s)',
  async (_way, on, user) => {
    const world = await forgotten(on, user);
    world.tracker.as('admin').changeAttachment(2, { is_private: true });
    await swept(world, on, user);
    expect(files(world).map((path) => path.split('/').at(-1))).toEqual(['1-public.log']);
    expect(words(world)).not.toContain('anary');
    world.tracker.as('admin').changeAttachment(2, { is_private: false });
    await cycles(world, on, 4, user);
    expect([files(world).length, words(world).includes('Canary summary')]).toEqual([2, true]);
  },
);

test.each(ways)('both files of a bug that became hidden go, and return (%s)', async (_way, on, user) => {
  const world = await forgotten(on, user);
  world.tracker.hide(1);
  await swept(world, on, user);
  expect(files(world)).toEqual([]);
  world.tracker.unhide(1);
  await cycles(world, on, 5, user);
  expect(files(world).length).toBe(2);
});

test('the files of a hidden bug go in the cycle that withdraws it, and a quiet cycle lists nothing', async () => {
  const world = await forgotten(route);
  world.tracker.hide(1);
  await cycles(world, route, 2);
  expect(files(world)).toEqual([]);
  const trees = () => world.github.requests.filter(({ path }) => path.includes('/git/')).length;
  const before = trees();
  await cycles(world, route, 3);
  expect(trees()).toBe(before);
});

/** Puts files on the branch as another bridge or a person does. */
async function put(world: Stage, ...paths: readonly string[]): Promise<void> {
  const upload = (path: string) => ({
    path,
    type: 'text/plain',
    open: async () => ({ kind: 'applied', item: new Uint8Array([9]) }) as const,
  });
  await contextOn(world, route, { limits }).files?.attachmentStore?.put(paths.map(upload));
}

test('what others keep there stays: other forms, other bugs, attachments that the tracker does not have or shows', async () => {
  const world = await forgotten(route);
  const other = world.tracker.as('alice').file({ summary: 'Elsewhere', description: 'x' });
  const theirs = [
    'README.md',
    '2-notes.txt',
    '0-999/77/2-of-another-bug.log',
    '0-999/1/99-not-there.log',
    `0-999/${other}/1-x.log`,
    '0-99/1/2-x',
  ];
  await put(world, ...theirs);
  world.tracker.as('admin').changeAttachment(2, { is_private: true });
  await swept(world, route);
  expect(files(world).toSorted()).toEqual(['0-999/1/1-public.log', ...theirs].toSorted());
});

/** What an audit against the anonymous reader says must not be on GitHub. */
async function refuted(world: Stage, on: Route, user: string): Promise<readonly string[]> {
  const context = contextOn(world, { ...on, visibilityCheck: 'anonymous' }, { limits, user });
  const { files: ports, anonymousReader, tracker } = context;
  const { store } = world;
  const strays = await auditStore({ route: on, store, files: ports, watch: unwatched, anonymousReader, tracker });
  const found = strays.flatMap(({ published }) => published);
  for await (const pair of audit({ route: on, store, watch: unwatched, against: anonymousReader }))
    found.push(...pair.published);
  return found.flatMap(({ ground, name }) => (ground === 'refuted' ? [name] : []));
}

test.each(ways.slice(0, 4))(
  'an audit names a copy that an older bridge puts back, until it is gone (%s)',
  async (_way, on, user) => {
    const world = await forgotten(on, user);
    world.tracker.as('admin').changeAttachment(2, { is_private: true });
    await cycles(world, on, 3, user);
    expect([files(world).length, await refuted(world, on, user)]).toEqual([1, []]);
    await put(world, '0-999/1/2-canary.log');
    expect(await refuted(world, on, user)).toEqual(['a copy of attachment 2 that the state does not know']);
    await swept(world, on, user);
    expect([files(world).length, await refuted(world, on, user)]).toEqual([1, []]);
  },
);

test.each(ways.slice(0, 4))(
  'the file of a bug that was hidden before its issue was made goes (%s)',
  async (_way, on, user) => {
    const world = stage();
    const alice = world.tracker.as('alice');
    const bug = alice.file({ summary: 'It fails', description: 'Always.' });
    alice.attach(bug, { bytes: new Uint8Array([1]), file_name: 'canary.log', summary: 'x' });
    await put(world, storePath(bug, 1, 'canary.log', 0));
    world.tracker.hide(bug);
    expect(await differencesOn([contextOn(world, on, { limits, user })])).toMatchObject([{ aspect: 'private' }]);
    await swept(world, on, user);
    expect(files(world)).toEqual([]);
  },
);

test('an audit does not name what others keep there', async () => {
  const world = await forgotten(route);
  await cycles(world, route, 3);
  await put(world, 'README.md', '2-notes.txt', '0-999/77/2-of-another-bug.log', '0-999/1/99-not-there.log');
  expect(await refuted(world, route, 'bridge')).toEqual([]);
  expect(await differencesOn([contextOn(world, route, { limits })])).toEqual([]);
});

test('every path that the bridge gives is known again', () => {
  expect(placeIn(storePath(12_345, 67, 'a/b 1-2.log', 2_500))).toEqual({ bug: 12_345, attachment: 67 });
  expect(placeIn('67-b.log')).toEqual({ bug: null, attachment: 67 });
  for (const path of ['b.log', '0-999/1000/1-x', '0-999/1/x', 'a/0-999/1/1-x', '0-999/1/part-2/deep/1-x'])
    expect(placeIn(path)).toBeNull();
});

test.each([
  { file: 'sync/withdraw/stray-files.ts', from: 'if (strays.length === 0) return;', to: 'return;' },
  { file: 'sync/observe/read-files.ts', from: 'hideUnlisted(context, link);', to: '' },
])('a planted fault is caught: $from', async (fault) => {
  const folder = plant(fault);
  const [{ cycle: turn }, { sweep: whole }] = [
    await import(`${folder}/sync/cycle.ts`),
    await import(`${folder}/sync/sweep.ts`),
  ];
  const on: Route = { ...route, visibilityCheck: 'none' };
  const world = await forgotten(on);
  world.tracker.as('admin').changeAttachment(2, { is_private: true });
  await swept(world, on, 'bridge', { cycle: turn, sweep: whole });
  expect(files(world).length === 1 && !words(world).includes('anary')).toBe(false);
});

import { describe, expect, onTestFinished, test } from 'vitest';
import { branchStore } from '../../../src/github/attachments/branch-store.ts';
import { createGithubClient } from '../../../src/github/connection/client.ts';
import type { AttachmentStore, Upload } from '../../../src/model/attachment.ts';
import { serveGithub } from '../../../src/sandbox/github/server/server.ts';
import { addBlob, addCommit, addTree, commitOf, historyOf } from '../../../src/sandbox/github/world/git/git.ts';
import { repoNamed } from '../../../src/sandbox/github/world/state.ts';
import { createGithubWorld, type GithubWorld } from '../../../src/sandbox/github/world/world.ts';
import type { Fault } from '../../../src/sandbox/server/faults.ts';

const name = 'acme/widget';

interface Scenario {
  readonly world: GithubWorld;
  readonly attachmentStore: AttachmentStore;
  /** What happens to each request, by method and path. */
  on: (method: string, path: string) => Fault;
}

async function scenario(): Promise<Scenario> {
  const now = () => Date.UTC(2026, 0, 5);
  const world = createGithubWorld({ now, url: '', webUrl: 'https://github.com' });
  for (const login of ['bot', 'reader']) world.addUser(login);
  world.addRepo(name, { permissions: { bot: 'write' } });
  world.addRepo('acme/empty', { isEmpty: true, permissions: { bot: 'write' } });
  let asked = { method: '', path: '' };
  const set = { on: (_method: string, _path: string): Fault => ({ kind: 'none' }) };
  const server = await serveGithub(world, { port: 0, faults: () => set.on(asked.method, asked.path) });
  onTestFinished(() => server.close());
  const client = createGithubClient({
    url: server.url,
    token: 'token-of-bot',
    lane: { run: (_cost, request) => request() },
    timeoutMs: 5_000,
    now,
  });
  const watched: typeof client = {
    ...client,
    send(ask) {
      asked = ask;
      return client.send(ask);
    },
  };
  return Object.assign(set, {
    world,
    attachmentStore: branchStore({ client: watched, owner: 'acme', repo: 'widget', branch: 'attachments' }),
  });
}

const upload = (path: string, text: string): Upload => ({
  path,
  type: 'text/plain',
  open: async () => ({ kind: 'applied', item: new TextEncoder().encode(text) }),
});
const texts = (world: GithubWorld): Readonly<Record<string, string>> =>
  Object.fromEntries(
    [...world.files(name, 'attachments')].map(([path, bytes]) => [path, new TextDecoder().decode(bytes)]),
  );

/** Somebody else commits to the branch. */
function commitOfOthers(world: GithubWorld, path: string): void {
  const { git } = repoNamed(world.state, name);
  const tip = git.branches.get('attachments');
  const base = tip === undefined ? null : commitOf(git, tip).tree;
  const tree = addTree(git, base, [{ path, sha: addBlob(git, new TextEncoder().encode('theirs')) }]);
  const author = { name: 'Mona', email: 'mona@example.test' };
  git.branches.set(
    'attachments',
    addCommit(git, { tree, parents: tip === undefined ? [] : [tip], message: 'theirs', author, at: 0 }),
  );
}

test('the branch is made without a history of its repository, and grows by one commit for many files', async () => {
  const { world, attachmentStore } = await scenario();
  const outcomes = await attachmentStore.put([upload('0-999/1/1-ä b.txt', 'one'), upload('0-999/1/2-#?%.txt', 'two')]);
  expect(outcomes).toMatchObject([
    { kind: 'applied', item: { url: 'https://github.com/acme/widget/raw/attachments/0-999/1/1-%C3%A4%20b.txt' } },
    { kind: 'applied', item: { url: 'https://github.com/acme/widget/raw/attachments/0-999/1/2-%23%3F%25.txt' } },
  ]);
  await attachmentStore.put([upload('0-999/2/3-c.txt', 'three')]);
  expect(texts(world)).toEqual({ '0-999/1/1-ä b.txt': 'one', '0-999/1/2-#?%.txt': 'two', '0-999/2/3-c.txt': 'three' });
  const { git } = repoNamed(world.state, name);
  const tip = commitOf(git, git.branches.get('attachments') ?? '');
  expect(tip.parents.map((sha) => commitOf(git, sha).parents)).toEqual([[]]);
});

test('the digest that is kept is that of the content', async () => {
  const { attachmentStore } = await scenario();
  const [outcome] = await attachmentStore.put([upload('a', 'abc')]);
  expect(outcome).toMatchObject({
    item: { sha256: 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad' },
  });
});

test('a stored file is not written again', async () => {
  const { world, attachmentStore } = await scenario();
  await attachmentStore.put([upload('x/a', 'one')]);
  const before = world.requests.filter(({ method }) => method !== 'GET').length;
  expect(await attachmentStore.put([upload('x/a', 'one')])).toMatchObject([{ kind: 'applied' }]);
  expect(world.requests.filter(({ method }) => method !== 'GET').length).toBe(before);
  await attachmentStore.put([upload('x/a', 'two')]);
  expect(texts(world)).toEqual({ 'x/a': 'two' });
});

test.each([
  ['before there is a branch', false],
  ['on a branch that is there', true],
])('commits of others in between are kept, %s', async (_when, isThere) => {
  const set = await scenario();
  const { world, attachmentStore } = set;
  if (isThere) await attachmentStore.put([upload('x/first', 'one')]);
  let races = 0;
  set.on = (method, path) => {
    if (method !== 'GET' && /\/git\/refs/u.test(path) && races < 3) {
      races += 1;
      commitOfOthers(world, `theirs/${races}`);
    }
    return { kind: 'none' };
  };
  expect(await attachmentStore.put([upload('x/mine', 'mine')])).toMatchObject([{ kind: 'applied' }]);
  expect(races).toBe(3);
  expect(Object.keys(texts(world)).sort()).toEqual(
    [...['theirs/1', 'theirs/2', 'theirs/3'], ...(isThere ? ['x/first'] : []), 'x/mine'].sort(),
  );
});

test('an answer that is lost is in doubt only where it may have moved the branch', async () => {
  const set = await scenario();
  const drop = (what: RegExp): void => {
    set.on = (method, path) => (method !== 'GET' && what.test(path) ? { kind: 'drop', after: true } : { kind: 'none' });
  };
  for (const [what, kind] of [
    [/blobs$/u, 'later'],
    [/trees$/u, 'later'],
    [/commits$/u, 'later'],
    [/refs$/u, 'unknown'],
  ] as const) {
    drop(what);
    expect(await set.attachmentStore.put([upload('a', 'one')])).toMatchObject([{ kind }]);
  }
  set.on = () => ({ kind: 'none' });
  const before = set.world.requests.filter(({ method }) => method !== 'GET').length;
  expect(await set.attachmentStore.put([upload('a', 'one')])).toMatchObject([{ kind: 'applied' }]);
  expect(set.world.requests.filter(({ method }) => method !== 'GET').length).toBe(before);
});

test('a file that cannot be had keeps no other from its place', async () => {
  const { world, attachmentStore } = await scenario();
  const missing: Upload = { path: 'b', type: '', open: async () => ({ kind: 'refused', why: 'it is private' }) };
  expect(await attachmentStore.put([upload('a', 'one'), missing, upload('c', 'three')])).toMatchObject([
    { kind: 'applied' },
    { kind: 'refused' },
    { kind: 'applied' },
  ]);
  expect(texts(world)).toEqual({ a: 'one', c: 'three' });
});

test('GitHub asking for a pause ends the batch, and what was stored before it is committed', async () => {
  const set = await scenario();
  let blobs = 0;
  set.on = (method, path) => {
    if (method === 'POST' && path.endsWith('/blobs')) blobs += 1;
    return blobs === 2 && path.endsWith('/blobs')
      ? { kind: 'limited', status: 429, retryAfterSeconds: 60 }
      : { kind: 'none' };
  };
  const outcomes = await set.attachmentStore.put([upload('a', 'one'), upload('b', 'two'), upload('c', 'three')]);
  // What comes after it was not tried.
  expect(outcomes.map(({ kind }) => kind)).toEqual(['applied', 'later']);
  expect(texts(set.world)).toEqual({ a: 'one' });
});

describe('the history of the branch', () => {
  const historyWith = (world: GithubWorld, text: string): boolean => {
    const { git } = repoNamed(world.state, name);
    const wanted = addBlob(git, new TextEncoder().encode(text));
    const isIn = (tree: string): boolean =>
      (git.trees.get(tree) ?? []).some(({ type, sha }) => (type === 'tree' ? isIn(sha) : sha === wanted));
    return historyOf(git, git.branches.get('attachments') ?? '').some((sha) => isIn(commitOf(git, sha).tree));
  };

  test('does not show removed files', async () => {
    const { world, attachmentStore } = await scenario();
    await attachmentStore.put([upload('x/1-a', 'secret')]);
    await attachmentStore.put([upload('x/2-b', 'open')]);
    expect(historyWith(world, 'secret')).toBe(true);
    expect(await attachmentStore.remove(['x/1-a'])).toMatchObject({
      kind: 'applied',
      item: { left: expect.stringContaining('support') },
    });
    expect([historyWith(world, 'secret'), texts(world)]).toEqual([false, { 'x/2-b': 'open' }]);
  });

  test('ends with the last file, and begins again with the next', async () => {
    const { world, attachmentStore } = await scenario();
    await attachmentStore.put([upload('x/1-a', 'secret'), upload('y/2-b', 'secret as well')]);
    expect(await attachmentStore.remove(['x/1-a', 'y/2-b'])).toMatchObject({ kind: 'applied' });
    expect([...repoNamed(world.state, name).git.branches.keys()]).toEqual(['main']);
    await attachmentStore.put([upload('x/3-c', 'open')]);
    expect([historyWith(world, 'secret'), texts(world)]).toEqual([false, { 'x/3-c': 'open' }]);
  });

  test('is kept where others have committed, and the caller is informed', async () => {
    const { world, attachmentStore } = await scenario();
    await attachmentStore.put([upload('x/1-a', 'secret')]);
    commitOfOthers(world, 'theirs');
    await attachmentStore.put([upload('x/2-b', 'open')]);
    expect(await attachmentStore.remove(['x/1-a'])).toMatchObject({
      kind: 'applied',
      item: { left: expect.stringContaining('history of the branch') },
    });
    expect([historyWith(world, 'secret'), texts(world)]).toEqual([true, { 'x/2-b': 'open', theirs: 'theirs' }]);
  });

  test('is kept where GitHub protects the branch', async () => {
    const set = await scenario();
    await set.attachmentStore.put([upload('x/1-a', 'secret'), upload('x/2-b', 'open')]);
    repoNamed(set.world.state, name).git.protectedBranches.add('attachments');
    expect(await set.attachmentStore.remove(['x/1-a'])).toMatchObject({
      kind: 'applied',
      item: { left: expect.stringContaining('history') },
    });
    expect([historyWith(set.world, 'secret'), texts(set.world)]).toEqual([true, { 'x/2-b': 'open' }]);
  });

  test.each([
    ['while something is left', ['x/1-a', 'x/2-b'], { 'x/2-b': 'x/2-b', theirs: 'theirs' }],
    ['when nothing is left', ['x/1-a'], { theirs: 'theirs' }],
  ])('is not cut off by a commit in the last moment, %s', async (_when, paths, left) => {
    const set = await scenario();
    await set.attachmentStore.put(paths.map((path) => upload(path, path)));
    set.on = (_method, path) => {
      if (path.includes('recursive') && texts(set.world)['theirs'] === undefined) commitOfOthers(set.world, 'theirs');
      return { kind: 'none' };
    };
    expect(await set.attachmentStore.remove(['x/1-a'])).toMatchObject({ kind: 'applied' });
    expect(texts(set.world)).toEqual(left);
  });

  test('names nobody', async () => {
    const { world, attachmentStore } = await scenario();
    await attachmentStore.put([upload('x/1-mail to jo@example.test', 'one')]);
    await attachmentStore.remove(['x/1-mail to jo@example.test']);
    await attachmentStore.put([upload('x/2-a', 'one')]);
    const { git } = repoNamed(world.state, name);
    for (const sha of historyOf(git, git.branches.get('attachments') ?? '')) {
      const { author, message } = commitOf(git, sha);
      expect([author, message]).toEqual([
        { name: 'bugferry', email: 'bugferry@bugferry.invalid' },
        expect.not.stringContaining('@'),
      ]);
    }
  });
});

test('removal leaves other files, and removal of a missing file writes nothing', async () => {
  const { world, attachmentStore } = await scenario();
  await attachmentStore.put([upload('x/a', 'one'), upload('x/b', 'two'), upload('y/c', 'three')]);
  expect(await attachmentStore.remove(['x/a', 'y/c', 'z/none'])).toMatchObject({ kind: 'applied' });
  expect(texts(world)).toEqual({ 'x/b': 'two' });
  const before = world.requests.filter(({ method }) => method !== 'GET').length;
  expect(await attachmentStore.remove(['x/a', 'z/none'])).toEqual({ kind: 'applied', item: { left: null } });
  expect(world.requests.filter(({ method }) => method !== 'GET').length).toBe(before);
});

test.each([
  ['a repository without a commit', 'bot', 'empty', 'is not empty'],
  ['an account that may not write', 'reader', 'widget', 'Must have admin rights'],
])('%s is refused in words that help', async (_what, login, repo, words) => {
  const { world } = await scenario();
  const server = await serveGithub(world, { port: 0 });
  onTestFinished(() => server.close());
  const lane = { run: <T>(_cost: unknown, request: () => Promise<T>) => request() };
  const client = createGithubClient({
    url: server.url,
    token: `token-of-${login}`,
    lane,
    timeoutMs: 5_000,
    now: () => 0,
  });
  const [outcome] = await branchStore({ client, owner: 'acme', repo, branch: 'attachments' }).put([upload('a', 'one')]);
  expect(outcome).toMatchObject({ kind: 'refused', why: expect.stringContaining(words) });
});

test('a stored file is read byte for byte, and a missing file is null', async () => {
  const { world, attachmentStore } = await scenario();
  const bytes = Uint8Array.from({ length: 2_000 }, (_, index) => (index * 7) % 256);
  await attachmentStore.put([
    upload('x/a', 'one'),
    { path: 'y/b', type: 'image/png', open: async () => ({ kind: 'applied', item: bytes }) },
  ]);
  const before = world.requests.length;
  const shown = new Map<string, Uint8Array | null>();
  expect(await attachmentStore.read(['x/a', 'y/b', 'z/none'], (path, content) => shown.set(path, content))).toEqual({
    kind: 'applied',
    item: null,
  });
  expect([...shown]).toEqual([
    ['x/a', new TextEncoder().encode('one')],
    ['y/b', bytes],
    ['z/none', null],
  ]);
  // The branch, its commit, three folders and two contents.
  expect(world.requests.length - before).toBe(7);
});

import { describe, expect, onTestFinished, test } from 'vitest';
import { assetName, mediaType, releaseStore } from '../../../src/github/attachments/release-store.ts';
import { type Ask, createGithubClient } from '../../../src/github/connection/client.ts';
import { isOwnAddress, uploadRoot } from '../../../src/github/connection/upload-host.ts';
import type { AttachmentStore, Upload } from '../../../src/model/attachment.ts';
import { placeIn, storePath } from '../../../src/rules/attachments/path.ts';
import { serveGithub } from '../../../src/sandbox/github/server/server.ts';
import { createRelease } from '../../../src/sandbox/github/world/releases.ts';
import { repoNamed, userNamed } from '../../../src/sandbox/github/world/state.ts';
import type { GithubWorld } from '../../../src/sandbox/github/world/world.ts';
import { type FaultSource, noFaults } from '../../../src/sandbox/server/faults.ts';
import { attachmentStoreWorld, storeRepo, upload } from '../../contract/github/attachment-store.ts';
import { validateRequest } from '../../openapi/openapi.ts';

interface Scenario {
  readonly world: GithubWorld;
  /** Each with a memory of its own. */
  readonly attachmentStore: (assetsMax?: number) => AttachmentStore;
  readonly asked: Ask[];
  fail(faults: FaultSource): void;
  /** What becomes of a content on its way to GitHub. */
  pass: (bytes: Uint8Array) => Uint8Array;
}

async function scenario(): Promise<Scenario> {
  const world = attachmentStoreWorld();
  let faults = noFaults;
  const server = await serveGithub(world, { port: 0, faults: (side, cost) => faults(side, cost) });
  onTestFinished(() => server.close());
  const lane = { run: <T>(_cost: unknown, request: () => Promise<T>) => request() };
  const client = createGithubClient({
    url: server.url,
    token: 'token-of-bot',
    lane,
    timeoutMs: 5_000,
    now: world.state.now,
  });
  const asked: Ask[] = [];
  const way = { pass: (bytes: Uint8Array) => bytes };
  const watched: typeof client = {
    ...client,
    send(ask) {
      asked.push(ask);
      const { content } = ask;
      return client.send(
        content === undefined ? ask : { ...ask, content: { ...content, bytes: way.pass(content.bytes) } },
      );
    },
  };
  return Object.assign(way, {
    world,
    asked,
    attachmentStore: (assetsMax = 1_000) =>
      releaseStore({ client: watched, owner: 'acme', repo: 'widget', tag: 'attachments', assetsMax }),
    fail(next: FaultSource) {
      faults = next;
    },
  });
}

const uploads = (count: number, first = 1): readonly Upload[] =>
  Array.from({ length: count }, (_, index) => upload(`0-999/1/${first + index}-a.log`, `content ${first + index}`));
const kinds = async (attachmentStore: AttachmentStore, list: readonly Upload[]) =>
  (await attachmentStore.put(list)).map(({ kind }) => kind);
const releases = (world: GithubWorld) => repoNamed(world.state, storeRepo).releases;

test('the release is published, so that people see it, and is not the latest', async () => {
  const { world, attachmentStore, asked } = await scenario();
  const [outcome] = await attachmentStore().put([upload('0-999/1/34-Crash Übersicht.log', 'x', 'text/x-log')]);
  expect(outcome).toMatchObject({
    item: { url: 'https://github.com/acme/widget/releases/download/attachments/34-Crash_Ubersicht.log' },
  });
  expect(releases(world)).toMatchObject([{ tag: 'attachments', isDraft: false, isPrerelease: true }]);
  expect(releases(world)[0]?.assets).toMatchObject([{ label: '34-Crash Übersicht.log', type: 'text/x-log' }]);
  expect(asked.find(({ method, path }) => method === 'POST' && path.endsWith('/releases'))?.body).toMatchObject({
    make_latest: 'false',
  });
});

test('requests follow GitHub’s description', async () => {
  const { asked, attachmentStore, world } = await scenario();
  await attachmentStore().put(uploads(2));
  await attachmentStore().put(uploads(2));
  await attachmentStore().remove(['0-999/1/1-a.log']);
  expect(asked.length).toBeGreaterThan(8);
  for (const { method, path, body, content } of asked) {
    const { pathname, searchParams } = new URL(path, world.state.url);
    if (content !== undefined) expect(path).toMatch(/^http:.*\/api\/uploads\/repos\//u);
    else expect(validateRequest(method, pathname, searchParams, body)).toEqual([]);
  }
});

describe('a release that is full', () => {
  test('is followed by the next, and files are found in all of them', async () => {
    const { world, attachmentStore } = await scenario();
    await attachmentStore(3).put(uploads(8));
    expect(releases(world).map(({ tag, assets }) => [tag, assets.length])).toEqual([
      ['attachments', 3],
      ['attachments-2', 3],
      ['attachments-3', 2],
    ]);
    const before = world.requests.filter(({ method }) => method !== 'GET').length;
    expect(await kinds(attachmentStore(3), uploads(8))).toEqual(Array(8).fill('applied'));
    expect(world.requests.filter(({ method }) => method !== 'GET').length).toBe(before);
    await attachmentStore(3).remove(['0-999/1/2-a.log', '0-999/1/5-a.log']);
    await attachmentStore(3).put(uploads(2, 20));
    expect(releases(world).map(({ assets }) => assets.length)).toEqual([3, 3, 2]);
  });

  test('and one that people deleted, leave no name that is taken', async () => {
    const { world, attachmentStore } = await scenario();
    await attachmentStore(2).put(uploads(6));
    releases(world).splice(1, 1);
    await attachmentStore(2).put(uploads(6));
    expect(new Set(releases(world).map(({ tag }) => tag)).size).toBe(3);
    expect(world.assets(storeRepo).size).toBe(6);
  });

  test('because another process filled it, is noticed', async () => {
    const { world, attachmentStore } = await scenario();
    world.limits.assetsPerRelease = 3;
    const one = attachmentStore(3);
    await one.put(uploads(1));
    await attachmentStore(3).put(uploads(2, 10));
    expect(await kinds(one, uploads(1, 20))).toEqual(['refused']);
    expect(await kinds(one, uploads(1, 20))).toEqual(['applied']);
  });
});

test('releases of others are left alone, those with a similar name too', async () => {
  const { world, attachmentStore } = await scenario();
  const [mona, repo] = [userNamed(world.state, 'acme'), repoNamed(world.state, storeRepo)];
  for (const tag of ['v1', 'attachments-1', 'attachments-x', 'attachments-02'])
    createRelease(world.state, mona, repo, { tag, name: tag, body: '', isDraft: false, isPrerelease: false });
  await attachmentStore().put(uploads(2));
  await attachmentStore().remove(['0-999/1/1-a.log']);
  expect(releases(world).map(({ tag, assets }) => [tag, assets.length])).toEqual([
    ['v1', 0],
    ['attachments-1', 0],
    ['attachments-x', 0],
    ['attachments-02', 0],
    ['attachments', 1],
  ]);
});

test('a file that another process has stored meanwhile is found', async () => {
  const { world, attachmentStore } = await scenario();
  const one = attachmentStore();
  await one.put(uploads(1));
  await attachmentStore().put(uploads(3));
  expect(await kinds(one, uploads(4))).toEqual(['applied', 'applied', 'applied', 'applied']);
  expect(world.assets(storeRepo).size).toBe(4);
});

test('what an upload that broke off has left behind is replaced', async () => {
  const { world, attachmentStore } = await scenario();
  await attachmentStore().put(uploads(1));
  const [release] = releases(world);
  const [asset] = release?.assets ?? [];
  if (release === undefined || asset === undefined) throw new Error('nothing stands');
  // As long as the whole, so that only its state tells.
  world.limits.hasDigests = false;
  release.assets.splice(0, 1, { ...asset, bytes: asset.bytes.map(() => 0), state: 'open' });
  expect(await kinds(attachmentStore(), uploads(1))).toEqual(['applied']);
  expect(release.assets).toMatchObject([{ state: 'uploaded', bytes: new TextEncoder().encode('content 1') }]);
});

test('a deleted file is stored again, even if it was known', async () => {
  const { world, attachmentStore } = await scenario();
  const one = attachmentStore();
  await one.put(uploads(2));
  releases(world)[0]?.assets.splice(0, 1);
  expect(await kinds(one, uploads(2))).toEqual(['applied', 'applied']);
  expect(world.assets(storeRepo).size).toBe(2);
});

test.each([true, false])(
  'another content of the same length is told apart by its digest, where there are any: %s',
  async (hasDigests) => {
    const { world, attachmentStore } = await scenario();
    world.limits.hasDigests = hasDigests;
    await attachmentStore().put([upload('0-999/1/1-a', 'one')]);
    await attachmentStore().put([upload('0-999/1/1-a', 'two')]);
    expect(Buffer.from(world.assets(storeRepo).get('attachments/1-a') ?? []).toString()).toBe(
      hasDigests ? 'two' : 'one',
    );
  },
);

test('a content that arrives damaged is taken away again and refused', async () => {
  const set = await scenario();
  set.pass = (bytes) => bytes.map((byte) => byte ^ 1);
  const refusal = { kind: 'refused', why: expect.stringContaining('other content') };
  expect(await set.attachmentStore().put([upload('0-999/1/1-a', 'content')])).toMatchObject([refusal]);
  expect([...set.world.assets(storeRepo)]).toEqual([]);
});

test('immutable releases are refused in words that help, and tried again after an hour', async () => {
  const { world, attachmentStore } = await scenario();
  const repo = repoNamed(world.state, storeRepo);
  repo.hasImmutableReleases = true;
  const refused = { kind: 'refused', why: expect.stringContaining('its releases are not immutable') };
  const one = attachmentStore();
  expect(await one.put(uploads(20))).toMatchObject(Array(20).fill(refused));
  expect(await one.put(uploads(1))).toMatchObject([refused]);
  expect(await attachmentStore().put(uploads(1))).toMatchObject([refused]);
  expect(repo.releases.map(({ tag }) => tag)).toEqual(['attachments']);
  repo.hasImmutableReleases = false;
  for (const release of repo.releases) Object.assign(release, { createdAt: release.createdAt - 3_600_000 });
  expect(await attachmentStore().put(uploads(1))).toMatchObject([{ kind: 'applied' }]);
  expect(repo.releases.map(({ tag }) => tag)).toEqual(['attachments', 'attachments-2']);
});

test('many files need a look at the beginning and one request each', async () => {
  const { world, attachmentStore } = await scenario();
  const one = attachmentStore(200);
  await one.put(uploads(200));
  await one.put(uploads(50, 2_000));
  expect(world.assets(storeRepo).size).toBe(250);
  // The list of releases, two releases, and the files.
  expect(world.requests).toHaveLength(1 + 2 + 250);
});

test('credentials go to no host that is not GitHub’s own', async () => {
  const { world, attachmentStore } = await scenario();
  const one = attachmentStore();
  await one.put(uploads(1));
  world.state.url = 'http://evil.test';
  expect(await attachmentStore().put(uploads(1, 7))).toMatchObject([
    { kind: 'refused', why: expect.stringContaining('evil.test') },
  ]);
});

test.each([
  ['https://api.github.com', 'https://uploads.github.com', 'https://uploads.github.com/x', true],
  ['https://api.github.com', 'https://uploads.github.com', 'https://api.github.com/x', true],
  ['https://api.github.com', 'https://uploads.github.com', 'http://uploads.github.com/x', false],
  ['https://api.github.com', 'https://uploads.github.com', 'https://uploads.github.com.evil.test/x', false],
  ['https://api.github.com', 'https://uploads.github.com', 'https://uploads.github.com:8443/x', false],
  ['https://api.acme.ghe.com', 'https://uploads.acme.ghe.com', 'https://uploads.acme.ghe.com/x', true],
  ['https://api.acme.ghe.com', 'https://uploads.acme.ghe.com', 'https://uploads.github.com/x', false],
  ['https://git.acme.test/api/v3', 'https://git.acme.test/api/uploads', 'https://git.acme.test/api/uploads/x', true],
  ['https://git.acme.test/api/v3', 'https://git.acme.test/api/uploads', 'https://uploads.acme.test/x', false],
])('%s takes contents at %s; %s is its own: %s', (api, uploads, address, isOwn) => {
  expect(uploadRoot(new URL(api))).toBe(uploads);
  expect(isOwnAddress(new URL(api), address)).toBe(isOwn);
});

test.each([
  ['0-999/12/34-crash.log', '34-crash.log'],
  ['34-crash report (1).tar.gz', '34-crash_report_1_.tar.gz'],
  ['1-Übersicht 日本語 🫖.png', '1-Ubersicht_.png'],
  ['1-a..b', '1-a.b'],
  ['1-…', '1-file'],
  ['日本', 'file'],
])('%s is called %s in a release', (path, name) => {
  expect(assetName(path)).toBe(name);
});

test.each(['\u{1f408}', '___', '日本語', '-', ' ', '...', '.-.', '\u{301}', '9', '_9_', ''])(
  'a file of the name %j is known as one of the bridge',
  (name) => {
    expect(placeIn(assetName(storePath(12, 34, name, 0)))).toEqual({ bug: null, attachment: 34 });
  },
);

test.each([
  ['text/plain', 'text/plain'],
  ['image/svg+xml', 'image/svg+xml'],
  ['text/plain; charset=utf-8', 'application/octet-stream'],
  ['a\r\nX: y', 'application/octet-stream'],
  ['', 'application/octet-stream'],
])('%j is sent as %s', (type, sent) => {
  expect(mediaType(type)).toBe(sent);
});

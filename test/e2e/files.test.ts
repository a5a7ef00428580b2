import { createHash } from 'node:crypto';
import { describe, expect, onTestFinished, test } from 'vitest';
import { bugzillaAttachments } from '../../src/bugzilla/attachments.ts';
import { createTrackerClient } from '../../src/bugzilla/connection/client.ts';
import { bugzillaReplica } from '../../src/bugzilla/replica.ts';
import { githubFiles } from '../../src/github/attachments/linked-files.ts';
import { githubAttachmentStore } from '../../src/github/attachments/store.ts';
import { createGithubClient } from '../../src/github/connection/client.ts';
import { githubReplica } from '../../src/github/replica.ts';
import type { Context } from '../../src/kernel/context.ts';
import { unreadableBugs } from '../../src/kernel/unreadable.ts';
import { accountIn } from '../../src/model/people.ts';
import type { AttachmentRule, Route } from '../../src/model/route.ts';
import { type Lane, unwatched } from '../../src/model/runtime.ts';
import { serveGithub } from '../../src/sandbox/github/server/server.ts';
import { bucket } from '../../src/sandbox/github/world/uploads.ts';
import { createGithubWorld, type GithubWorld } from '../../src/sandbox/github/world/world.ts';
import { freePort } from '../../src/sandbox/server/free-port.ts';
import { serveTracker } from '../../src/sandbox/tracker/server/server.ts';
import { loadTrackerWorld } from '../../src/sandbox/tracker/world/load.ts';
import { createTrackerWorld, type TrackerWorld } from '../../src/sandbox/tracker/world/world.ts';
import { openStore } from '../../src/store/open.ts';
import { cycle } from '../../src/sync/cycle.ts';
import { lookTurns } from '../../src/sync/observe/recheck-mirrored.ts';
import { repo } from '../simulation/stage.ts';
import { testLimits, widgetRoute } from '../support/routes.ts';
import { scrub } from '../support/scrub.ts';
import { perTier } from '../tiers/depth.ts';

/** Files over real sockets: both edges, both sandbox servers, the whole engine. */
const lane: Lane = { run: (_cost, request) => request() };
const now = Date.now;
const rule: AttachmentRule = {
  store: 'branch',
  owner: 'acme',
  repo: 'widget',
  branch: 'attachments',
  tag: 'attachments',
  bytesMax: 25_000_000,
};

interface Scenario {
  readonly tracker: TrackerWorld;
  readonly github: GithubWorld;
  readonly context: Context;
}

async function scenario(
  attachments: AttachmentRule = rule,
  prepare: (tracker: TrackerWorld) => void = () => undefined,
): Promise<Scenario> {
  const port = await freePort();
  const tracker = createTrackerWorld({
    now,
    url: `http://127.0.0.1:${port}`,
    settings: { maxattachmentsize: '30000' },
  });
  prepare(tracker);
  const github = createGithubWorld({ now, url: '', webUrl: 'https://github.com' });
  for (const login of ['bugferry-bot', 'mona']) github.addUser(login);
  for (const name of [repo, 'acme/files'])
    github.addRepo(name, { permissions: { 'bugferry-bot': 'write', mona: 'admin' } });
  github.limits.primaryPerHour = 1_000_000;
  github.limits.creationsPerHour = null;
  github.limits.creationsPerMinute = null;
  const servers = [await serveTracker(tracker, { port }), await serveGithub(github, { port: 0 })];
  onTestFinished(async () => {
    for (const server of servers) await server.close();
  });
  const { apiKey, login } = tracker.user('bridge');
  const trackerClient = createTrackerClient({
    url: servers[0]?.url ?? '',
    apiKey,
    login,
    auth: 'auto',
    lane,
    timeoutMs: 60_000,
  });
  const client = createGithubClient({
    url: servers[1]?.url ?? '',
    token: 'token-of-bugferry-bot',
    lane,
    timeoutMs: 60_000,
    now,
  });
  const warn = (message: string) => expect.unreachable(message);
  const route: Route = { ...widgetRoute, attachments };
  const replica = bugzillaReplica({ client: trackerClient, product: 'Widget', url: tracker.url, pageSize: 200, warn });
  const side = githubReplica({ client, owner: 'acme', repo: 'widget' });
  const own = { tracker: accountIn(await replica.hello()), github: accountIn(await side.hello()) };
  const clock = { now, sleep: async () => undefined };
  const context: Context = {
    route,
    limits: { ...testLimits, writesPerCycle: 5_000, settleMs: 0 },
    allowances: { tracker: [], github: [] },
    tracker: replica,
    github: side,
    files: {
      attachmentClient: bugzillaAttachments({ client: trackerClient, url: tracker.url, warn }),
      attachmentStore: githubAttachmentStore(client, attachments),
      linked: githubFiles({
        resolve: async () => ['140.82.121.4'],
        timeoutMs: 5_000,
        fetch: mapped(servers[1]?.url ?? ''),
      }),
    },
    anonymousReader: null,
    store: openStore(':memory:', { mode: 'write', now, scrub }),
    clock,
    random: () => 0,
    tell: () => undefined,
    session: { own, vocabulary: await replica.vocabulary() },
    watch: unwatched,
    lookTurns: lookTurns([route]),
    version: '0.0.0',
    unreadable: unreadableBugs(),
  };
  return { tracker, github, context };
}

/** The hosts of files lead to the sandbox. */
const mapped =
  (server: string): typeof fetch =>
  (input, init) =>
    fetch(String(input).replace('https://github.com/', `${server}/`).replace(`${bucket}/`, `${server}/bucket/`), init);

async function cycles(context: Context, count = 4): Promise<void> {
  for (let index = 0; index < count; index += 1) await cycle(context, { isForced: false });
}

const digest = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');
const uploads = (github: GithubWorld): number =>
  github.requests.filter(({ path }) => /\/git\/blobs$|^\/api\/uploads\//u.test(path)).length;

/** Public files of public bugs of the route, by id. */
const wanted = ({ state }: TrackerWorld): readonly (readonly [number, string])[] =>
  [...state.attachments.values()]
    .filter(
      ({ bug, isPrivate, content }) =>
        !isPrivate && content !== null && (state.bugs.get(bug)?.groups ?? ['?']).length === 0,
    )
    .filter(({ bug }) => state.bugs.get(bug)?.product === 'Widget')
    .map(({ id, content }) => [id, digest(Buffer.from(content ?? '', 'base64'))]);

const stored = (github: GithubWorld, name = repo): readonly (readonly [number, string])[] =>
  [...github.files(name, 'attachments'), ...github.assets(name)].map(
    ([path, bytes]) => [Number(/\/(\d+)-[^/]*$/u.exec(path)?.[1]), digest(bytes)] as const,
  );

const textsOf = (github: GithubWorld): string =>
  github
    .issues(repo)
    .flatMap(({ number, body }) => [body, ...github.commentsOf(repo, number).map((comment) => comment.body)])
    .join('\n');

const byId = (list: readonly (readonly [number, string])[]) => [...list].sort(([one], [other]) => one - other);

describe('every file of the measured tracker', () => {
  test.each([
    ['branch', repo],
    ['repo', 'acme/files'],
    ['release', repo],
    ['release', 'acme/files'],
  ] as const)('crosses byte for byte to the store %s of %s, and a second run uploads nothing', async (store, name) => {
    const [, storeRepo = ''] = name.split('/');
    const { tracker, github, context } = await scenario({ ...rule, store, repo: storeRepo }, loadTrackerWorld);
    await cycles(context);
    expect(wanted(tracker).length).toBeGreaterThan(5);
    expect(byId(stored(github, name))).toEqual(byId(wanted(tracker)));
    const before = uploads(github);
    // Nothing is remembered, and what stands is enough to know that nothing has to be done.
    await cycles({ ...context, store: openStore(':memory:', { mode: 'write', now, scrub }) });
    expect(uploads(github)).toBe(before);
    expect(byId(stored(github, name))).toEqual(byId(wanted(tracker)));
  });

  test('is linked to with the store link', async () => {
    const { tracker, github, context } = await scenario({ ...rule, store: 'link' }, loadTrackerWorld);
    await cycles(context);
    const texts = textsOf(github);
    for (const [id] of wanted(tracker)) expect(texts).toContain(`(<${tracker.url}/attachment.cgi?id=${id}>)`);
    expect(stored(github)).toEqual([]);
  });
});

const many = perTier({ check: 200, test: 200, deep: 1_000 });

test(`${many} files cross, in few changes of the branch`, async () => {
  const { tracker, github, context } = await scenario();
  const alice = tracker.as('alice');
  const bugs = Array.from({ length: 50 }, (_, index) => alice.file({ summary: `Bug ${index}` }));
  for (let index = 0; index < many; index += 1) {
    alice.attach(bugs[index % bugs.length] ?? 0, {
      bytes: new TextEncoder().encode(`file ${index}`),
      file_name: 'same.log',
      summary: 'A log',
    });
  }
  await cycles(context, 3);
  expect(byId(stored(github))).toEqual(byId(wanted(tracker)));
  expect(
    github.requests.filter(({ method, path }) => method !== 'GET' && path.includes('/git/ref')).length,
  ).toBeLessThanOrEqual(20);
  const asked = github.requests.length;
  await cycles(context, 1);
  expect(github.requests.slice(asked).every(({ method }) => method === 'GET')).toBe(true);
});

test('a file of 9 megabytes crosses', async () => {
  const { tracker, github, context } = await scenario();
  const bytes = Uint8Array.from({ length: 9_000_000 }, (_, index) => (index * 31) % 251);
  const bug = tracker.as('alice').file({ summary: 'A large file' });
  tracker.as('alice').attach(bug, { bytes, file_name: 'core.gz' });
  await cycles(context);
  expect(stored(github)).toEqual([[1, digest(bytes)]]);
});

test('files of an issue reach the bug', async () => {
  const { tracker, github, context } = await scenario();
  const mona = github.as('mona');
  const bytes = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 1, 2, 3);
  mona.open(repo, { title: 'Look', body: `![shot](${mona.upload({ name: 'shot.png', type: 'image/png', bytes })})` });
  await cycles(context, 5);
  const [file, ...more] = [...tracker.state.attachments.values()];
  expect(more).toEqual([]);
  expect([file?.fileName, file?.contentType]).toEqual([expect.stringMatching(/^[0-9a-f]{8}\.png$/u), 'image/png']);
  expect(new Uint8Array(Buffer.from(file?.content ?? '', 'base64'))).toEqual(bytes);
});

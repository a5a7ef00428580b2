import { beforeEach, describe, expect, test } from 'vitest';
import { createGithubClient } from '../../src/github/connection/client.ts';
import * as real from '../../src/github/replica.ts';
import type { Kept } from '../../src/model/survey.ts';
import { githubServer } from '../../src/sandbox/github/server/server.ts';
import { createGithubWorld, type GithubWorld } from '../../src/sandbox/github/world/world.ts';
import { noFaults } from '../../src/sandbox/server/faults.ts';
import { restlessLane } from '../support/edges.ts';
import { type Fault, plant } from '../support/plant.ts';
import { sample } from '../tiers/depth.ts';

/** What is kept of a greeting, and what is asked every time, because it decides who may read what is mirrored. */
let world: GithubWorld;
let kept: Kept;
let told: Map<string, string>;

beforeEach(() => {
  world = createGithubWorld({ now: () => Date.UTC(2026, 0, 5, 8), url: 'https://github.com' });
  world.addUser('bot');
  world.addRepo('acme/widget', { permissions: { bot: 'write' } });
  told = new Map();
  const read = <T>(name: string): T | null => JSON.parse(told.get(name) ?? 'null');
  kept = {
    recent: read,
    last: read,
    since: read,
    keep: (name, content) => void told.set(name, JSON.stringify(content)),
  };
});

type GithubEdge = Pick<typeof real, 'githubReplica'>;

function replicaIn({ githubReplica }: GithubEdge) {
  const app = githubServer(world, { faults: noFaults, sleep: async () => undefined });
  const send: typeof fetch = async (input, { method = 'GET', headers = {}, body = null } = {}) =>
    app.fetch(new Request(String(input), { method, headers, body }), {});
  const token = world.state.users.get('bot')?.token ?? '';
  const client = createGithubClient({
    url: world.state.url,
    token,
    timeoutMs: 9_000,
    now: world.state.now,
    lane: restlessLane(),
    fetch: send,
  });
  return githubReplica({ client, owner: 'acme', repo: 'widget', kept });
}

const asked = (): readonly string[] => world.requests.map(({ path, status }) => `${path} ${status}`);

test('a second greeting only asks whether the repository has changed, which is free, and has the same result', async () => {
  const first = await replicaIn(real).hello();
  const second = await replicaIn(real).hello();
  expect(second).toEqual(first);
  expect(asked()).toEqual(['/user 200', '/repos/acme/widget 200', '/repos/acme/widget 304']);
});

test('the version of the interface is learnt once from an older server, and kept', async () => {
  world.state.limits.apiVersions = ['2022-11-28'];
  const first = await replicaIn(real).hello();
  expect(first.version).toBe('API 2022-11-28');
  expect(asked()).toEqual(['/user 400', '/user 200', '/repos/acme/widget 200']);
  expect((await replicaIn(real).hello()).version).toBe('API 2022-11-28');
  expect(asked().slice(3)).toEqual(['/repos/acme/widget 304']);
});

test('and once more from a server that was updated and knows that version no longer', async () => {
  world.state.limits.apiVersions = ['2022-11-28'];
  await replicaIn(real).hello();
  world.state.limits.apiVersions = ['2026-03-10'];
  expect((await replicaIn(real).hello()).version).toBe('API 2026-03-10');
  expect((await replicaIn(real).hello()).version).toBe('API 2026-03-10');
  expect(asked().slice(3)).toEqual(['/repos/acme/widget 400', '/repos/acme/widget 304', '/repos/acme/widget 304']);
});

const renewed = async (room: GithubEdge): Promise<boolean | null> => {
  await replicaIn(room).hello();
  const found = [...world.state.repos.values()].find(({ name }) => name === 'widget');
  if (found !== undefined) found.isPrivate = true;
  return (await replicaIn(room).hello()).repository.isPrivate;
};

test('a repository that became private is private in the next greeting', async () => {
  expect(await renewed(real)).toBe(true);
});

const fault: Fault = {
  file: 'github/survey.ts',
  from: "const reply = await client.send({ method: 'GET', path, cost: 'read', about, etag",
  to: "const same = { kind: 'unchanged', headers: {}, readAt: now() } as const;\n  const reply = known !== null ? same : await client.send({ method: 'GET', path, cost: 'read', about, etag",
};

describe('is found out:', () => {
  test.each(sample([['a repository that is taken as it was kept', fault] as const]))('%s', async (_name, planted) => {
    const source = plant(planted);
    expect(await renewed((await import(`${source}/github/replica.ts`)) as GithubEdge)).toBe(false);
  });
});

import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createGithubClient } from '../../src/github/connection/client.ts';
import { githubReplica } from '../../src/github/replica.ts';
import type { GithubReplica } from '../../src/model/replica.ts';
import { githubLane } from '../../src/runtime/rate-limit.ts';
import { serveGithub } from '../../src/sandbox/github/server/server.ts';
import { createGithubWorld, type GithubWorld } from '../../src/sandbox/github/world/world.ts';
import type { FaultSource } from '../../src/sandbox/server/faults.ts';
import { itemOf } from '../contract/github/bench.ts';

/** Milestones and labels that several issues want at once, over HTTP, with answers that take their time. */
const repo = 'acme/widget';
const slow: FaultSource = () => ({ kind: 'slow', delayMs: 20 });

let world: GithubWorld;
let served: Awaited<ReturnType<typeof serveGithub>>;

beforeEach(async () => {
  world = createGithubWorld({ now: Date.now, url: '' });
  for (const login of ['bugferry', 'mona']) world.addUser(login);
  world.addRepo(repo, { permissions: { bugferry: 'write', mona: 'admin' } });
  served = await serveGithub(world, { port: 0, faults: slow, sleep });
});
afterEach(() => served.close());

/** The edge as the bridge runs it, with a lane and a memory of its own. */
function replica(send: typeof fetch = fetch): GithubReplica {
  const lane = githubLane({ pointsPerMinute: 100_000, pauseBetweenWritesMs: 0 });
  const client = createGithubClient({
    url: served.url,
    token: 'token-of-bugferry',
    lane,
    timeoutMs: 5_000,
    now: Date.now,
    fetch: send,
  });
  return githubReplica({ client, owner: 'acme', repo: 'widget' });
}

const draft = (title: string) => ({ title, body: '', labels: ['new'], milestone: '1.0' });
const made = () =>
  world.requests
    .filter(({ method, path }) => method === 'POST' && path.endsWith('/milestones'))
    .map((line) => line.status);
const shown = () => world.issues(repo).map(({ milestone }) => milestone);

/** Four issues at once, from one edge or from several, and what milestones they show. */
async function crowd(replicas: readonly GithubReplica[]): Promise<readonly (string | null)[]> {
  const outcomes = await Promise.all(replicas.map((each, index) => each.create(draft(`Issue ${index}`))));
  expect(outcomes.map(({ kind }) => kind)).toEqual(replicas.map(() => 'applied'));
  return shown();
}

const four = <T>(of: () => T): T[] => [of(), of(), of(), of()];

/**
 * The bridge knows two milestones by number; then somebody renames one to the other's old name. What new issues and
 * updates get.
 */
async function renamed(): Promise<readonly (string | null)[]> {
  const mona = world.as('mona');
  const one = replica();
  const [first, second] = [
    itemOf(await one.create(draft('First'))),
    itemOf(await one.create({ ...draft('Second'), milestone: '2.0' })),
  ];
  mona.renameMilestone(repo, '2.0', '3.0');
  mona.renameMilestone(repo, '1.0', '2.0');
  await one.create({ ...draft('Third'), milestone: '2.0' });
  await one.update({ ...second, milestone: '3.0' }, { milestone: '2.0' });
  await one.update({ ...first, milestone: '2.0' }, { milestone: '1.0' });
  return shown();
}

test('a renamed milestone is not set under its old name', async () => {
  expect(await renamed()).toEqual(['1.0', '2.0', '2.0']);
});

test.each(['POST', 'PATCH'])('a milestone that people rename just before a %s is what they call it', async (method) => {
  const mona = world.as('mona');
  const before = itemOf(await replica().create(draft('First')));
  mona.milestone(repo, before.number, null);
  const one = replica(async (input, init) => {
    if (init?.method === method) mona.renameMilestone(repo, '1.0', '2.0');
    return fetch(input, init);
  });
  const asked = { ...before, milestone: null };
  const outcome = method === 'POST' ? one.create(draft('Second')) : one.update(asked, { milestone: '1.0' });
  expect(await outcome).toMatchObject({ kind: 'applied', item: { milestone: '2.0' }, foreign: ['milestone'] });
});

describe('a new milestone that four issues want at once', () => {
  test('is asked for once by one bridge', async () => {
    const one = replica();
    expect(await crowd(four(() => one))).toEqual(four(() => '1.0'));
    expect(made()).toEqual([201]);
  });

  test('is found by those who come too late with it, however far the lists lag behind', async () => {
    world.as('mona').milestone(repo, world.as('mona').open(repo, { title: 'Old' }), 'Sprint 1');
    for (const lagMs of [0, 600_000]) {
      world.setListLag(() => lagMs);
      world.addRepo(repo, { permissions: { bugferry: 'write', mona: 'admin' } });
      expect(await crowd(four(replica))).toEqual(four(() => '1.0'));
    }
    expect(made()).toEqual([201, 422, 422, 422, 201, 422, 422, 422]);
  });

  test('is no reason to wait for one another for ever: updates and new issues together', async () => {
    const one = replica();
    const existing = itemOf(await one.create({ title: 'Existing', body: '', labels: [] }));
    const outcomes = await Promise.all([
      one.update(existing, { milestone: '1.0' }),
      one.create(draft('New')),
      one.update(existing, { labels: { add: ['new'], remove: [] } }),
      one.create(draft('Newer')),
    ]);
    expect(outcomes.map(({ kind }) => kind)).toEqual(four(() => 'applied'));
    expect(shown()).toEqual(['1.0', '1.0', '1.0']);
  });
});

test('an issue waits for a milestone that is not visible yet, and is not created without it', async () => {
  const one = replica();
  // Somebody else's milestone, behind numbers that were deleted: no list shows it, and no number near by.
  world.as('mona').milestone(repo, world.as('mona').open(repo, { title: 'Old' }), '1.0');
  const [milestone] = world.state.repos.get(repo)?.milestones ?? [];
  world.state.repos.get(repo)?.milestones.splice(0, 1, { ...(milestone ?? expect.unreachable()), number: 9 });
  world.setListLag(() => 600_000);
  expect(await one.create(draft('Waits'))).toMatchObject({ kind: 'later', wholeSide: false });
  world.setListLag(() => 0);
  expect(itemOf(await one.create(draft('Waits'))).milestone).toBe('1.0');
});

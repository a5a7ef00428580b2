import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Context } from '../../src/kernel/context.ts';
import { bugId } from '../../src/model/ids.ts';
import { type Fault, noFaults } from '../../src/sandbox/server/faults.ts';
import { retry } from '../../src/sync/commands.ts';
import { cycle } from '../../src/sync/cycle.ts';
import { pass } from '../../src/sync/daemon.ts';
import { sweep } from '../../src/sync/sweep.ts';
import { type HttpGithub, httpGithub } from '../github/http-github.ts';
import { contextOn, repo, type Stage, stage } from '../simulation/stage.ts';
import { testLimits, widgetRoute } from '../support/routes.ts';

/** I14: GitHub answers "later", in all its ways: over HTTP, to the client that is shipped, and what stands on the issue in the end is looked at. */
const minuteMs = 60_000;
let world: Stage;
let github: HttpGithub;
let alice: ReturnType<Stage['tracker']['as']>;

beforeEach(async () => {
  world = stage();
  alice = world.tracker.as('alice');
  github = await httpGithub({
    world: world.github,
    now: world.clock.now,
    login: 'bugferry-bot',
    faults: (side, cost) => world.faults(side, cost),
  });
});
afterEach(() => github.close());

/** Each cycle has a context of its own, as a new process has: what is to last stands in the state. */
const context = (): Context => ({ ...contextOn(world, widgetRoute, { limits: { ...testLimits, attempts: 5 } }), github: github.replica });

/** As the daemon does it: a side that asked for a pause is left alone. */
async function turn(afterMs = minuteMs): Promise<void> {
  world.clock.advance(afterMs);
  const now = context();
  const runner = { ...now, name: 'widget', isConcerned: () => true, context: async () => now, known: () => now, renew: () => undefined };
  await pass([runner], { isForced: () => false, signal: new AbortController().signal });
}

async function turns(count: number, afterMs = minuteMs): Promise<void> {
  for (let index = 0; index < count; index += 1) await turn(afterMs);
}

/** What the copies on an issue say, from the first to the last. */
const thread = (issue = 1): readonly string[] =>
  world.github.commentsOf(repo, issue).map(({ body }) => /said \d+/u.exec(body)?.[0] ?? body);

/** Whatever the requests of the first cycles meet, five comments are to stand in the order in which they were said. */
const inOrder = ['said 1', 'said 2', 'said 3', 'said 4', 'said 5'];

function say(count: number, from = 1): void {
  for (let index = from; index < from + count; index += 1) {
    alice.comment(1, `said ${index}`);
    world.clock.advance(2_000);
  }
}

/** The nth creation from now on meets this, and so do those after it until `until`. */
function hinder(fault: Fault, nth = 1, until = nth): void {
  let creations = 0;
  world.faults = (_side, cost) => {
    if (cost !== 'create') return { kind: 'none' };
    creations += 1;
    return creations >= nth && creations <= until ? fault : { kind: 'none' };
  };
}

describe('the order of a thread', () => {
  test.each([
    ['heard of at once by the next cycle', [20_000]],
    ['heard of after minutes', [400_000]],
  ])('holds on an issue that replicas have %s', async (_what, lags) => {
    world.github.limits.replicaLagsMs = lags;
    alice.file({ summary: 'A bug' });
    say(3);
    await turns(2);
    say(2, 4);
    await turns(12);
    expect(thread()).toEqual(inOrder);
    expect(world.store.outbox.count('widget')).toEqual({ planned: 0, sent: 0, parked: 0 });
    expect(world.store.ledger.latest('widget', 100).map(({ outcome }) => outcome)).not.toContain('parked');
  });

  test('a replica that lags holds up its own issue and no other', async () => {
    world.github.limits.replicaLagsMs = [400_000, 0];
    alice.file({ summary: 'A bug' });
    alice.file({ summary: 'Another' });
    alice.comment(1, 'said 1');
    alice.comment(2, 'said 2');
    await turns(2);
    expect([thread(1), thread(2)]).toEqual([[], ['said 2']]);
    await turns(10);
    expect([thread(1), thread(2)]).toEqual([['said 1'], ['said 2']]);
  });

  test.each<readonly [string, Fault]>([
    ['submitted too quickly', { kind: 'limited', status: 422, retryAfterSeconds: null }],
    ['a secondary limit', { kind: 'limited', status: 403, retryAfterSeconds: null }],
    ['a secondary limit that says how long', { kind: 'limited', status: 429, retryAfterSeconds: 90 }],
    ['an allowance that was used up before', { kind: 'limited', status: 403, retryAfterSeconds: null, says: 'primary' }],
    ['the older words', { kind: 'limited', status: 403, retryAfterSeconds: null, says: 'abuse' }],
    ['a server that broke down before it was done', { kind: 'status', status: 502, isHtml: true, after: false }],
    ['a server that broke down after it was done', { kind: 'status', status: 504, isHtml: true, after: true }],
    ['the same with a time', { kind: 'status', status: 503, isHtml: false, after: false, retryAfterSeconds: 120 }],
  ])('holds behind %s', async (_what, fault) => {
    alice.file({ summary: 'A bug' });
    await turns(2);
    say(3);
    hinder(fault, 2);
    await turn();
    world.faults = noFaults;
    say(2, 4);
    await turns(10);
    expect(thread()).toEqual(inOrder);
    expect(world.store.outbox.count('widget')).toEqual({ planned: 0, sent: 0, parked: 0 });
  });

  test('holds when later never comes: people hear of it, and it goes on where it stood', async () => {
    alice.file({ summary: 'A bug' });
    await turns(2);
    world.github.state.heardAt.set(world.github.issue(repo, 1)?.id ?? 0, Number.MAX_SAFE_INTEGER);
    say(3);
    await turns(40, 4 * minuteMs);
    const [parked, ...others] = world.store.outbox.parked('widget');
    expect(others).toEqual([]);
    expect(parked).toMatchObject({ operation: { kind: 'comment' }, why: expect.stringMatching(/global id.*put off for 2 h/u) });
    alice.change(1, { summary: 'A better bug' });
    say(2, 4);
    world.github.state.heardAt.clear();
    await turns(5);
    expect(thread()).toEqual([]);
    expect(world.github.issue(repo, 1)?.title).toBe('A better bug');
    retry(context(), [parked?.number ?? 0]);
    await turns(3);
    expect(thread()).toEqual(inOrder);
  });

  test('holds when answers are lost for hours', async () => {
    alice.file({ summary: 'A bug' });
    await turns(2);
    say(3);
    hinder({ kind: 'drop', after: false }, 1, 1_000);
    await turns(60, 10 * minuteMs);
    expect(world.store.outbox.count('widget')).toMatchObject({ parked: 1 });
    world.faults = noFaults;
    say(2, 4);
    await turns(3);
    expect(thread()).toEqual([]);
    await sweep(context(), { isForced: false });
    await turns(3);
    expect(thread()).toEqual(inOrder);
  });
});

describe('the pause', () => {
  const pausedMs = (): number => Math.max(0, (world.store.budgets.lastPause('github')?.until ?? 0) - world.clock.now());

  /** Cycles that each begin when the pause before is over; how long each pause is. */
  async function pauses(count: number): Promise<readonly number[]> {
    const found: number[] = [];
    for (let index = 0; index < count; index += 1) {
      await turn(pausedMs() + 1_000);
      found.push(Math.round(pausedMs() / minuteMs));
    }
    return found;
  }

  beforeEach(async () => {
    alice.file({ summary: 'A bug' });
    await turns(2);
  });

  test.each<Fault>([
    { kind: 'limited', status: 403, retryAfterSeconds: null },
    { kind: 'limited', status: 422, retryAfterSeconds: null },
    { kind: 'limited', status: 429, retryAfterSeconds: 60 },
  ])('grows while the limit lasts, and is short again after a success: %j', async (fault) => {
    say(1);
    hinder(fault, 1, 1_000);
    expect(await pauses(8)).toEqual([1, 2, 4, 8, 16, 32, 60, 60]);
    world.faults = noFaults;
    await turn(pausedMs() + 1_000);
    expect(thread()).toEqual(['said 1']);
    say(1, 2);
    hinder(fault, 1, 1_000);
    expect(await pauses(2)).toEqual([1, 2]);
  });

  test('is kept to when a server that broke down asks for it, in reading and in writing', async () => {
    say(1);
    world.faults = (side, cost) =>
      side === 'github' && cost === 'read'
        ? { kind: 'status', status: 503, isHtml: false, after: false, retryAfterSeconds: 600 }
        : { kind: 'none' };
    await turn();
    expect(Math.round(pausedMs() / minuteMs)).toBe(10);
    const asked = world.github.requests.length;
    world.faults = noFaults;
    await turns(5);
    expect(world.github.requests.length).toBe(asked);
    await turns(8);
    expect(thread()).toEqual(['said 1']);
  });

  test('is requested by GraphQL in its own way, and the comment is minimized after it', async () => {
    for (const graphqlLimits of ['RATE_LIMIT', 'RATE_LIMITED', 'as-rest'] as const) {
      world.github.limits.graphqlLimits = graphqlLimits;
      const said = { RATE_LIMIT: 1, RATE_LIMITED: 2, 'as-rest': 3 }[graphqlLimits];
      say(1, said);
      await turns(2);
      const comment = world.tracker.commentsOf(1).at(-1)?.id ?? 0;
      alice.tag(comment, { add: ['spam'] });
      alice.change(1, { summary: `Title ${said}` });
      world.faults = (side, cost) =>
        side === 'github' && cost === 'edit' ? { kind: 'limited', status: 403, retryAfterSeconds: 300 } : { kind: 'none' };
      await turn();
      expect(Math.round(pausedMs() / minuteMs), graphqlLimits).toBe(5);
      expect(world.store.outbox.count('widget').parked).toBe(0);
      world.faults = noFaults;
      await turns(8);
      expect(world.github.commentsOf(repo, 1).at(-1)?.minimized, graphqlLimits).toBe('spam');
    }
  });
});

test('a cycle plans nothing for a link whose comment waits for its time', async () => {
  world.github.limits.replicaLagsMs = [400_000];
  alice.file({ summary: 'A bug' });
  say(2);
  await turns(2);
  const asked = world.github.requests.filter(({ method }) => method !== 'GET').length;
  world.clock.advance(1_000);
  await cycle(context(), { isForced: false });
  expect(world.github.requests.filter(({ method }) => method !== 'GET').length).toBe(asked);
  const link = world.store.links.byBug(bugId(1));
  expect(world.store.outbox.ofLink(link?.id ?? (0 as never))).toHaveLength(1);
});

test('a version from before our own write is no edit, even if a list shows it minutes later', async () => {
  alice.file({ summary: 'Old title' });
  await turns(3);
  world.clock.advance(3_600_000);
  await turns(2);
  const delays = [200_000, 590_000];
  world.github.setChangeLag(() => delays.shift() ?? 0);
  world.github.as('mona').label(repo, 1, 'of people');
  world.clock.advance(2_000);
  world.tracker.as('alice').change(1, { summary: 'New title' });
  await turns(8);
  expect([world.tracker.bug(1)?.summary, world.github.issue(repo, 1)?.title]).toEqual(['New title', 'New title']);
  expect(world.github.issue(repo, 1)?.labels).toContain('of people');
});

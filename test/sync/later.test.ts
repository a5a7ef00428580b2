import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createGithubClient } from '../../src/github/connection/client.ts';
import { githubReplica } from '../../src/github/replica.ts';
import type { Context } from '../../src/kernel/context.ts';
import { bugId } from '../../src/model/ids.ts';
import { noFaults, type Fault as Trouble } from '../../src/sandbox/server/faults.ts';
import { retry } from '../../src/sync/commands.ts';
import { cycle } from '../../src/sync/cycle.ts';
import { cyclePass } from '../../src/sync/daemon.ts';
import { sweep } from '../../src/sync/sweep.ts';
import { type HttpGithub, httpGithub } from '../github/http-github.ts';
import { contextOn, repo, type Stage, stage } from '../simulation/stage.ts';
import { type Fault, plant } from '../support/plant.ts';
import { testLimits, widgetRoute } from '../support/routes.ts';
import { sample } from '../tiers/depth.ts';

/**
 * I14: GitHub answers "later", in all its ways: over HTTP, to the client that is shipped, and what stands on the issue
 * in the end is looked at.
 */
const minuteMs = 60_000;
let world: Stage;
let github: HttpGithub;
let alice: ReturnType<Stage['tracker']['as']>;

/** What is tried: the bridge itself, or one with a fault. */
interface Bridge {
  readonly cyclePass: typeof cyclePass;
  readonly adapter: typeof githubReplica;
  readonly connect: typeof createGithubClient;
}
const ours: Bridge = { cyclePass, adapter: githubReplica, connect: createGithubClient };
let bridge: Bridge;

async function begin(tried: Bridge): Promise<void> {
  bridge = tried;
  world = stage();
  alice = world.tracker.as('alice');
  github = await httpGithub({
    world: world.github,
    now: world.clock.now,
    login: 'bugferry-bot',
    faults: (side, cost) => world.faults(side, cost),
    adapter: bridge.adapter,
    connect: bridge.connect,
  });
}

beforeEach(() => begin(ours));
afterEach(() => github.close());

/** Each cycle has a context of its own, as a new process has: what is to last stands in the state. */
const context = (): Context => ({
  ...contextOn(world, widgetRoute, { limits: { ...testLimits, attempts: 5 } }),
  github: github.replica,
});

/** As the daemon does it: a side that asked for a pause is left alone. */
async function turn(afterMs = minuteMs): Promise<void> {
  world.clock.advance(afterMs);
  const now = context();
  const runner = {
    ...now,
    name: 'widget',
    isConcerned: () => true,
    context: async () => now,
    known: () => now,
    renew: () => undefined,
  };
  await bridge.cyclePass([runner], { isForced: () => false, signal: new AbortController().signal });
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
function hinder(trouble: Trouble, nth = 1, until = nth): void {
  let creations = 0;
  world.faults = (_side, cost) => {
    if (cost !== 'create') return { kind: 'none' };
    creations += 1;
    return creations >= nth && creations <= until ? trouble : { kind: 'none' };
  };
}

/** A thread on an issue that replicas hear of so much later. */
async function threadBehind(lagsMs: readonly number[]): Promise<readonly string[]> {
  world.github.limits.replicaLagsMs = lagsMs;
  alice.file({ summary: 'A bug' });
  say(3);
  await turns(2);
  say(2, 4);
  await turns(12);
  return thread();
}

/** A thread whose issue a replica hears of while the first comments are sent. */
async function threadHeardOfMeanwhile(): Promise<readonly string[]> {
  github.before = (method, address) => {
    if (method === 'POST' && address.endsWith('/comments')) world.clock.advance(2_000);
  };
  return threadBehind([5_000]);
}

/** A thread whose second copy meets this. */
async function threadAfter(trouble: Trouble): Promise<readonly string[]> {
  alice.file({ summary: 'A bug' });
  await turns(2);
  say(3);
  hinder(trouble, 2);
  await turn();
  world.faults = noFaults;
  say(2, 4);
  await turns(10);
  return thread();
}

const pausedMs = (): number => Math.max(0, (world.store.budgets.lastBackoff('github')?.until ?? 0) - world.clock.now());
const pausedMinutes = (): number => Math.round(pausedMs() / minuteMs);

/** Cycles that each begin when the pause before is over; how many minutes each pause has. */
async function pauses(count: number): Promise<readonly number[]> {
  const found: number[] = [];
  for (let index = 0; index < count; index += 1) {
    await turn(pausedMs() + 1_000);
    found.push(pausedMinutes());
  }
  return found;
}

/** How many minutes each pause has, while each creation meets this, and another one is tried after each. */
async function pausesUnder(trouble: Trouble, count: number): Promise<readonly number[]> {
  for (let bug = 1; bug <= count; bug += 1) alice.file({ summary: 'A bug' });
  await turns(3);
  for (let bug = 1; bug <= count; bug += 1) alice.comment(bug, `said ${bug}`);
  hinder(trouble, 1, 1_000);
  return pauses(count);
}

/** How many minutes the pause has that a server asks for as it breaks down while it is asked for this. */
async function backoffOfBroken(work: 'read' | 'create'): Promise<number> {
  alice.file({ summary: 'A bug' });
  await turns(2);
  say(1);
  world.faults = (side, cost) =>
    side === 'github' && cost === work
      ? { kind: 'status', status: 503, isHtml: false, after: false, retryAfterSeconds: 600 }
      : { kind: 'none' };
  await turn();
  return pausedMinutes();
}

const graphqlLimits = ['RATE_LIMIT', 'RATE_LIMITED', 'as-rest'] as const;

/**
 * A comment is to be minimized, and GraphQL asks to wait for five minutes. How many the bridge waits, and what is
 * parked.
 */
async function limitedInGraphql(form: (typeof graphqlLimits)[number], said = 1): Promise<readonly number[]> {
  world.github.limits.graphqlLimits = form;
  say(1, said);
  await turns(2);
  alice.tag(world.tracker.commentsOf(1).at(-1)?.id ?? 0, { add: ['spam'] });
  alice.change(1, { summary: `Title ${said}` });
  world.faults = (side, cost) =>
    side === 'github' && cost === 'edit' ? { kind: 'limited', status: 403, retryAfterSeconds: 300 } : { kind: 'none' };
  await turn();
  return [pausedMinutes(), world.store.outbox.count('widget').parked];
}

describe('the order of a thread', () => {
  test.each([
    ['heard of at once by the next cycle', [20_000]],
    ['heard of after minutes', [400_000]],
  ])('holds on an issue that replicas have %s', async (_what, lags) => {
    expect(await threadBehind(lags)).toEqual(inOrder);
    expect(world.store.outbox.count('widget')).toEqual({ planned: 0, sent: 0, parked: 0 });
    expect(world.store.ledger.latest('widget', 100).map(({ outcome }) => outcome)).not.toContain('parked');
  });

  test('holds on an issue that a replica hears of while its comments are sent', async () => {
    expect(await threadHeardOfMeanwhile()).toEqual(inOrder);
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

  test.each<readonly [string, Trouble]>([
    ['submitted too quickly', { kind: 'limited', status: 422, retryAfterSeconds: null }],
    ['a secondary limit', { kind: 'limited', status: 403, retryAfterSeconds: null }],
    ['a secondary limit that says how long', { kind: 'limited', status: 429, retryAfterSeconds: 90 }],
    [
      'an allowance that was used up before',
      { kind: 'limited', status: 403, retryAfterSeconds: null, says: 'primary' },
    ],
    ['the older words', { kind: 'limited', status: 403, retryAfterSeconds: null, says: 'abuse' }],
    ['a server that broke down before it was done', { kind: 'status', status: 502, isHtml: true, after: false }],
    ['a server that broke down after it was done', { kind: 'status', status: 504, isHtml: true, after: true }],
    ['the same with a time', { kind: 'status', status: 503, isHtml: false, after: false, retryAfterSeconds: 120 }],
  ])('holds behind %s', async (_what, trouble) => {
    expect(await threadAfter(trouble)).toEqual(inOrder);
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
    expect(parked).toMatchObject({
      operation: { kind: 'comment' },
      why: expect.stringMatching(/global id.*put off for 2 h/u),
    });
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

/** A proxy sends writes elsewhere for a while: what they are about is where it was. */
describe('a redirect of writes alone', () => {
  const moved = {
    kind: 'gone',
    gone: { kind: 'moved', why: 'GitHub answered 302. It has moved to elsewhere.' },
  } as const;

  async function redirected(count: number): Promise<void> {
    const { replica } = github;
    const away = async () => moved;
    const all = { comment: away, rewrite: away, update: away };
    Object.assign(github, { replica: { ...replica, ...all } });
    await turns(count);
    Object.assign(github, { replica });
  }

  test('keeps the order of a thread', async () => {
    alice.file({ summary: 'A bug' });
    await turns(2);
    say(3);
    await redirected(2);
    say(2, 4);
    await turns(10);
    expect(thread()).toEqual(inOrder);
    expect(world.store.outbox.count('widget')).toEqual({ planned: 0, sent: 0, parked: 0 });
  });

  test('takes no copy for deleted', async () => {
    alice.file({ summary: 'A bug' });
    const comment = alice.comment(1, 'said 1');
    await turns(3);
    world.tracker.editComment(comment, 'said 2');
    alice.change(1, { summary: 'A better bug' });
    await redirected(2);
    await turns(10);
    world.tracker.editComment(comment, 'said 3');
    alice.change(1, { summary: 'The best bug' });
    await turns(4);
    expect([thread(), world.github.issue(repo, 1)?.title]).toEqual([['said 3'], 'The best bug']);
  });
});

describe('the pause', () => {
  test.each<Trouble>([
    { kind: 'limited', status: 403, retryAfterSeconds: null },
    { kind: 'limited', status: 422, retryAfterSeconds: null },
    { kind: 'limited', status: 429, retryAfterSeconds: 60 },
  ])('grows while the limit lasts, and is short again after a success: %j', async (trouble) => {
    // What meets it again and again gives way to another after a minute.
    expect(await pausesUnder(trouble, 8)).toEqual([1, 2, 1, 8, 16, 1, 60, 60]);
    world.faults = noFaults;
    await turn(pausedMs() + 60 * minuteMs);
    expect([1, 2, 3, 4, 5, 6, 7, 8].map((bug) => thread(bug)[0])).toEqual(
      [1, 2, 3, 4, 5, 6, 7, 8].map((bug) => `said ${bug}`),
    );
    say(1, 2);
    hinder(trouble, 1, 1_000);
    expect(await pauses(2)).toEqual([1, 2]);
  });

  test.each(['read', 'create'] as const)('is kept to when a server that broke down asks for it (%s)', async (work) => {
    expect(await backoffOfBroken(work)).toBe(10);
    const asked = world.github.requests.length;
    world.faults = noFaults;
    await turns(5);
    expect(world.github.requests.length).toBe(asked);
    await turns(8);
    expect(thread()).toEqual(['said 1']);
  });

  test('is requested by GraphQL in its own way, and the comment is minimized after it', async () => {
    alice.file({ summary: 'A bug' });
    await turns(2);
    for (const [index, form] of graphqlLimits.entries()) {
      expect(await limitedInGraphql(form, index + 1), form).toEqual([5, 0]);
      world.faults = noFaults;
      await turns(8);
      expect(world.github.commentsOf(repo, 1).at(-1)?.minimized, form).toBe('spam');
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

/** A firewall that takes one text for an attack, and answers as if there were too many requests. */
describe('a pause that the side asks for at one text', () => {
  const hourMs = 60 * minuteMs;

  /** Three bugs with issues. Whoever says "evil" meets this, and nobody else does. */
  async function firewall(trouble: Trouble): Promise<{ readonly tries: () => number }> {
    for (const summary of ['One', 'Two', 'Three']) alice.file({ summary });
    await turns(3);
    let tries = 0;
    world.faults = (side, cost) => {
      if (side !== 'github' || cost === 'read' || !JSON.stringify(github.bodies.at(-1)).includes('evil'))
        return { kind: 'none' };
      tries += 1;
      return trouble;
    };
    alice.comment(1, 'evil');
    return { tries: () => tries };
  }

  /** How many minutes a comment of somebody else takes from now on. */
  async function minutesFor(text: string): Promise<number> {
    alice.comment(2, text);
    for (let minutes = 1; minutes < 300; minutes += 1) {
      await turn();
      if (world.github.commentsOf(repo, 2).some(({ body }) => body.includes(text))) return minutes;
    }
    return Number.NaN;
  }

  const troubles: readonly Trouble[] = [
    { kind: 'limited', status: 429, retryAfterSeconds: null },
    { kind: 'limited', status: 403, retryAfterSeconds: 60 },
    { kind: 'status', status: 503, isHtml: false, after: false, retryAfterSeconds: 60 },
  ];

  test.each(troubles)('keeps others waiting for minutes, and is given up within hours: %j', async (trouble) => {
    const { tries } = await firewall(trouble);
    const waits: number[] = [];
    for (let count = 1; count <= 12; count += 1) {
      waits.push(await minutesFor(`other ${count}.`));
      await turns(5, 4 * minuteMs);
    }
    expect(Math.max(...waits)).toBeLessThanOrEqual(3);
    expect(world.store.outbox.parked('widget')).toMatchObject([
      { operation: { kind: 'comment' }, why: expect.stringMatching(/GitHub answered/u) },
    ]);
    const before = tries();
    expect(before).toBeLessThanOrEqual(14);
    await turns(60);
    expect(tries()).toBe(before);
  });

  test.each(troubles)('does not grow for others while nobody else writes: %j', async (trouble) => {
    await firewall(trouble);
    await turns(90, 8 * minuteMs);
    expect(await minutesFor('good morning')).toBeLessThanOrEqual(3);
  });

  test.each(troubles)('is of the side if others meet it, too, and nothing is given up: %j', async (trouble) => {
    await firewall(trouble);
    alice.comment(2, 'also evil');
    alice.comment(3, 'evil, too');
    await turns(30, 10 * minuteMs);
    expect(world.store.outbox.count('widget').parked).toBe(trouble.kind === 'limited' ? 0 : 3);
    world.faults = noFaults;
    await turns(70);
    if (trouble.kind === 'limited') expect(world.store.outbox.count('widget')).toMatchObject({ planned: 0, parked: 0 });
  });

  test('pauses once more in a full comparison', async () => {
    const { tries } = await firewall(troubles[0] as Trouble);
    for (let count = 1; count <= 12; count += 1) {
      await minutesFor(`other ${count}.`);
      await turns(5, 4 * minuteMs);
    }
    const before = tries();
    world.clock.advance(24 * hourMs);
    await sweep(context(), { isForced: false });
    await turn();
    expect(await minutesFor('after the comparison')).toBeLessThanOrEqual(3);
    await turns(60);
    expect(tries()).toBe(before + 1);
    expect(world.store.outbox.count('widget')).toMatchObject({ planned: 0, parked: 1 });
  });
});

const inAnswers = (from: string, to: string): Fault => ({ file: 'github/connection/classify-answer.ts', from, to });
const limited: Trouble = { kind: 'limited', status: 403, retryAfterSeconds: null };
async function limitedByGraphql(): Promise<unknown> {
  alice.file({ summary: 'A bug' });
  await turns(2);
  return limitedInGraphql('RATE_LIMIT');
}

test.each(
  sample<[string, Fault, () => Promise<unknown>, unknown]>(
    [
      [
        'a replica that has not heard of an issue refuses',
        inAnswers(
          "if (status < 500 && lagWords.test(messages)) return { kind: 'notYet', at: retryAfterOf(answer, now), why };",
          '',
        ),
        threadHeardOfMeanwhile,
        inOrder,
      ],
      [
        'what is submitted too quickly is refused',
        inAnswers('|submitted too quickly/iu', '/iu'),
        () => threadAfter({ ...limited, status: 422 }),
        inOrder,
      ],
      [
        'an allowance that was used up before is a refusal',
        inAnswers('rate limit (?:already )?exceeded|secondary', 'rate limit exceeded|secondary'),
        () => threadAfter({ ...limited, says: 'primary' }),
        inOrder,
      ],
      [
        'the older words for a limit are a refusal',
        inAnswers('|abuse detection', ''),
        () => threadAfter({ ...limited, says: 'abuse' }),
        inOrder,
      ],
      [
        'pauses do not grow',
        {
          file: 'rules/limits/backoff.ts',
          from: 'times === 1 ? 0 : Math.max(leastBackoffMs, until - now) * 2 ** (times - 1)',
          to: '0',
        },
        () => pausesUnder(limited, 4),
        [1, 2, 1, 8],
      ],
      [
        'a server that broke down asks for nothing',
        inAnswers("return at === null ? { kind: 'unknown', why }", "return at !== -1 ? { kind: 'unknown', why }"),
        () => backoffOfBroken('read'),
        10,
      ],
      [
        'a pause begins only with a limit',
        {
          file: 'kernel/backoff.ts',
          from: "outcome.kind === 'unknown' ? (outcome.at ?? null) : null",
          to: 'null',
        },
        () => backoffOfBroken('create'),
        10,
      ],
      [
        'the headers of a 200 say nothing',
        { file: 'github/connection/graphql.ts', from: 'headers: answer.headers, data', to: 'headers: {}, data' },
        limitedByGraphql,
        [5, 0],
      ],
    ],
    3,
  ),
)('a planted fault is caught: %s', async (_name, fault, scenario, right) => {
  const folder = plant(fault);
  await github.close();
  await begin({
    ...((await import(`${folder}/sync/daemon.ts`)) as Pick<Bridge, 'cyclePass'>),
    adapter: ((await import(`${folder}/github/replica.ts`)) as typeof import('../../src/github/replica.ts'))
      .githubReplica,
    connect: (
      (await import(`${folder}/github/connection/client.ts`)) as typeof import('../../src/github/connection/client.ts')
    ).createGithubClient,
  });
  expect(await scenario()).not.toEqual(right);
});

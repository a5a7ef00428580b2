/** Issues and comments whose making GitHub did not answer for, while its lists lag behind: the real edge over HTTP. */

import { afterEach, describe, expect, test } from 'vitest';
import { githubReplica } from '../../src/github/replica.ts';
import type { Context } from '../../src/kernel/context.ts';
import type { Fault as Trouble } from '../../src/sandbox/server/faults.ts';
import { cycle } from '../../src/sync/cycle.ts';
import { sweep } from '../../src/sync/sweep.ts';
import { type HttpGithub, httpGithub } from '../github/http-github.ts';
import { contextOn, repo, type Stage, stage } from '../simulation/stage.ts';
import { type Fault, plant } from '../support/plant.ts';
import { random } from '../support/random.ts';
import { testLimits, widgetRoute } from '../support/routes.ts';
import { sample } from '../tiers/depth.ts';

const minuteMs = 60_000;
const route = { ...widgetRoute, deletions: 'note' } as const;
const page502: Trouble = { kind: 'status', status: 502, isHtml: true, after: true };
const dropped: Trouble = { kind: 'drop', after: true };

interface Scenario {
  readonly world: Stage;
  readonly github: HttpGithub;
  readonly context: Context;
  /** What happens to the next request that makes something. */
  trouble: Trouble | null;
  /** Cycles for so long, one a minute. */
  run(minutes: number): Promise<void>;
}

let open: HttpGithub | null = null;
afterEach(() => open?.close());

/** How far behind each list is, in milliseconds. */
type Lag = () => number;

const lag90: Lag = () => 90_000;
const lag600: Lag = () => 600_000;
const lagDrawn = (): Lag => {
  const draw = random(7);
  return () => draw.below(600_000);
};

interface Parts {
  readonly adapter?: typeof githubReplica;
  readonly turn?: typeof cycle;
  readonly user?: string;
}

async function begin({ adapter = githubReplica, turn = cycle, user = 'bridge' }: Parts = {}): Promise<Scenario> {
  const world = stage();
  const scenario: { trouble: Trouble | null } = { trouble: null };
  const faults = (_side: unknown, cost: string): Trouble => {
    const { trouble } = scenario;
    if (cost !== 'create' || trouble === null) return { kind: 'none' };
    scenario.trouble = null;
    return trouble;
  };
  const github = await httpGithub({
    world: world.github,
    now: world.clock.now,
    login: 'bugferry-bot',
    faults,
    adapter,
  });
  open = github;
  const direct = contextOn(world, route, { limits: testLimits, user });
  const context: Context = { ...direct, github: github.replica };
  const run = async (minutes: number): Promise<void> => {
    for (let minute = 0; minute < minutes; minute += 1) {
      world.clock.advance(minuteMs);
      await turn(context, { isForced: false });
    }
  };
  await run(1);
  return Object.assign(scenario, { world, github, context, run });
}

const alice = ({ world }: Scenario) => world.tracker.as('alice');
const mona = ({ world }: Scenario) => world.github.as('mona');
const titles = ({ world }: Scenario) => world.github.issues(repo).map(({ title }) => title);

/**
 * A bug whose issue is made without an answer, among what people make and delete meanwhile. Answers with all titles in
 * the end.
 */
async function lostIssue(lag: Lag, trouble: Trouble, parts: Parts = {}): Promise<readonly string[]> {
  const scenario = await begin(parts);
  mona(scenario).open(repo, { title: 'Before' });
  mona(scenario).openPull(repo, { title: 'Pull before' });
  scenario.world.clock.advance(30 * minuteMs);
  await scenario.run(2);
  scenario.world.github.setListLag(lag);
  alice(scenario).file({ summary: 'Lost' });
  const gone = [1, 2, 3].map((each) => mona(scenario).open(repo, { title: `Spam ${each}` }));
  for (const number of gone) mona(scenario).deleteIssue(repo, number);
  scenario.trouble = trouble;
  await scenario.run(1);
  expect(scenario.trouble).toBeNull();
  mona(scenario).openPull(repo, { title: 'Pull after' });
  await scenario.run(20);
  scenario.world.github.setListLag(() => 0);
  await scenario.run(5);
  return titles(scenario);
}

const once = ['Before', 'Pull before', 'Lost', 'Pull after'];

/** A comment that is copied without an answer. Answers with its copies in the end. */
async function lostComment(lag: Lag, trouble: Trouble, parts: Parts = {}): Promise<readonly string[]> {
  const scenario = await begin(parts);
  alice(scenario).file({ summary: 'A bug' });
  scenario.world.clock.advance(30 * minuteMs);
  await scenario.run(2);
  const [issue] = scenario.world.github.issues(repo);
  scenario.world.github.setListLag(lag);
  alice(scenario).comment(1, 'Said once.');
  scenario.trouble = trouble;
  await scenario.run(25);
  return scenario.world.github.commentsOf(repo, issue?.number ?? 0).map(({ body }) => body.split('\n').at(-1) ?? '');
}

test.each<[string, Lag]>([
  ['90 s late', lag90],
  ['600 s late', lag600],
])('a comment stays one while people delete the one before it, and lists show both %s', async (_name, lag) => {
  const scenario = await begin();
  alice(scenario).file({ summary: 'A bug' });
  await scenario.run(2);
  scenario.world.github.setListLag(lag);
  alice(scenario).comment(1, 'Said before.');
  await scenario.run(1);
  const [before] = scenario.world.github.commentsOf(repo, 1);
  alice(scenario).comment(1, 'Said once.');
  scenario.trouble = dropped;
  await scenario.run(1);
  mona(scenario).deleteComment(repo, before?.id ?? 0);
  await scenario.run(25);
  expect(scenario.world.github.commentsOf(repo, 1).map(({ body }) => body)).toEqual([
    expect.stringContaining('Said once.'),
  ]);
});

describe.each<[string, Trouble]>([
  ['a 502', page502],
  ['a dropped connection', dropped],
])('%s after it was stored', (_ending, trouble) => {
  test.each<[string, Lag]>([
    ['at once', () => 0],
    ['90 s late', lag90],
    ['600 s late', lag600],
    ['each from another state', lagDrawn()],
  ])('makes one issue and one comment where lists show it %s', async (_name, lag) => {
    expect(await lostIssue(lag, trouble)).toEqual(once);
    await open?.close();
    expect(await lostComment(lag, trouble)).toHaveLength(1);
  });

  test('and what never arrived is made, once', async () => {
    expect(await lostIssue(lag600, { ...trouble, after: false } as Trouble)).toEqual([
      'Before',
      'Pull before',
      'Pull after',
      'Lost',
    ]);
    await open?.close();
    expect(await lostComment(lag600, { ...trouble, after: false } as Trouble)).toHaveLength(1);
  });
});

/**
 * A comment on its way when the issue is deleted. Answers with the states in which operations are still kept in the
 * end.
 */
async function commentOfDeleted(after: boolean, parts: Parts = {}): Promise<readonly string[]> {
  const scenario = await begin(parts);
  alice(scenario).file({ summary: 'A bug' });
  await scenario.run(2);
  const [issue] = scenario.world.github.issues(repo);
  alice(scenario).comment(1, 'Said once.');
  scenario.trouble = { ...dropped, after } as Trouble;
  await scenario.run(1);
  expect(scenario.world.store.outbox.count('widget')).toMatchObject({ sent: 1 });
  mona(scenario).deleteIssue(repo, issue?.number ?? 0);
  await sweep(scenario.context, { isForced: true });
  await scenario.run(25);
  return Object.entries(scenario.world.store.outbox.count('widget')).flatMap(([state, rows]) =>
    rows > 0 ? [state] : [],
  );
}

test.each<[string, boolean]>([
  ['had arrived', true],
  ['had not arrived', false],
])('what %s at an issue that was deleted meanwhile is kept no longer', async (_name, after) => {
  expect(await commentOfDeleted(after)).toEqual([]);
});

/** An issue that GitHub goes on making after it has answered with an error. */
async function lateIssue(parts: Parts = {}): Promise<readonly string[]> {
  const scenario = await begin(parts);
  alice(scenario).file({ summary: 'Lost' });
  scenario.trouble = { ...page502, after: false } as Trouble;
  await scenario.run(2);
  const { title = '', body = '' } = scenario.github.bodies.find(isDraft) ?? {};
  scenario.world.github.as('bugferry-bot').open(repo, { title, body });
  await scenario.run(5);
  return titles(scenario);
}

const isDraft = (body: unknown): body is { readonly title: string; readonly body: string } =>
  typeof body === 'object' && body !== null && 'title' in body;

test('what GitHub makes a minute after its error is not made again', async () =>
  expect(await lateIssue()).toEqual(['Lost']));

/** An issue that was made without an answer, and whose number GitHub does not show for a while. */
async function unreadIssue({
  turn = cycle,
  unread = 'acme/widget#1 cannot be read.',
}: Parts & { readonly unread?: string } = {}) {
  let isShown = false;
  const hiding: typeof githubReplica = (options) => {
    const replica = githubReplica(options);
    const madeSince: typeof replica.madeSince = async (...args) =>
      isShown
        ? replica.madeSince(...args)
        : { issues: [], unread: unread === '' ? [] : [unread], isWhole: unread !== '', moved: [] };
    return { ...replica, madeSince };
  };
  const scenario = await begin({ adapter: hiding, turn });
  scenario.world.github.setListLag(() => 90 * minuteMs);
  alice(scenario).file({ summary: 'Lost' });
  scenario.trouble = dropped;
  await scenario.run(2);
  alice(scenario).file({ summary: 'Another' });
  await scenario.run(20);
  const [doubt] = scenario.world.store.outbox.sent('widget');
  isShown = true;
  await scenario.run(5);
  return { titles: titles(scenario), why: doubt?.why ?? null, left: scenario.world.store.outbox.sent('widget').length };
}

test.each([
  ['one number', 'acme/widget#1 cannot be read.', 'acme/widget#1 cannot be read.'],
  ['more than one cycle looks at', '', 'GitHub has more new numbers than one cycle looks at.'],
])('what GitHub does not show (%s) keeps its own issue in doubt and nothing else', async (_what, unread, why) => {
  expect(await unreadIssue({ unread })).toEqual({ titles: ['Lost', 'Another'], why, left: 0 });
});

/**
 * A bug that becomes private while it is unknown whether GitHub made its issue. Answers with the titles of the next
 * cycle.
 */
async function hiddenInDoubt(parts: Parts = {}): Promise<readonly string[]> {
  const scenario = await begin({ ...parts, user: 'bridge-insider' });
  scenario.world.github.setListLag(lag600);
  const bug = alice(scenario).file({ summary: 'Canary' });
  scenario.trouble = dropped;
  await scenario.run(1);
  expect(titles(scenario)).toEqual(['Canary']);
  alice(scenario).change(bug, { groups: { add: ['security'] } });
  await scenario.run(1);
  return titles(scenario);
}

const neutral = ['Bug 1 is not public'];

test('the issue of a bug that became private is withdrawn at once, although its creation is in doubt', async () => {
  expect(await hiddenInDoubt()).toEqual(neutral);
});

/**
 * A comment that was seen, and that a list which lags further behind no longer shows. Answers with the bug's comments
 * in the end.
 */
async function hiddenComment(parts: Parts = {}): Promise<readonly string[]> {
  const scenario = await begin(parts);
  alice(scenario).file({ summary: 'A bug' });
  await scenario.run(3);
  scenario.world.clock.advance(30 * minuteMs);
  const issue = scenario.world.github.issues(repo)[0]?.number ?? 0;
  const one = mona(scenario).comment(repo, issue, 'One');
  await scenario.run(2);
  scenario.world.github.setListLag(lag600);
  mona(scenario).comment(repo, issue, 'Two');
  await scenario.run(3);
  scenario.world.github.setListLag(() => 0);
  await scenario.run(3);
  mona(scenario).editComment(repo, one, 'One, reworded');
  await scenario.run(2);
  const texts = scenario.world.tracker.commentsOf(1).map(({ text }) => text.split('\n').at(-1) ?? '');
  return texts.filter((text) => text !== '' && !text.startsWith('This bug is mirrored'));
}

const all = ['One', 'Two', 'One{+, reworded+}'];

test('what a list that lags no longer shows was not deleted', async () => expect(await hiddenComment()).toEqual(all));

describe.each([400 * 24 * 60, 60, 1])('a clock that is put back by %i minutes after a lost answer', (minutes) => {
  test.each<[string, (world: Stage) => void]>([
    ['a new issue', ({ tracker }) => void tracker.as('alice').file({ summary: 'Another' })],
    ['a new bug', ({ github }) => void github.as('mona').open(repo, { title: 'Another' })],
    ['a comment on the issue', ({ tracker }) => void tracker.as('alice').comment(1, 'Another')],
    ['a comment on the bug', ({ github }) => void github.as('mona').comment(repo, 1, 'Another')],
    ['a title', ({ tracker }) => void tracker.as('alice').change(1, { summary: 'Another' })],
  ])('leaves %s no longer in doubt than any other', async (_what, act) => {
    const world = stage();
    let aheadMs = 0;
    const clock = { ...world.clock, now: () => world.clock.now() + aheadMs };
    const context = { ...contextOn(world, route, { limits: testLimits }), clock };
    const run = async (count: number): Promise<void> => {
      for (let done = 0; done < count; done += 1) {
        world.clock.advance(minuteMs);
        await cycle(context, { isForced: false });
      }
    };
    world.tracker.as('alice').file({ summary: 'A bug' });
    await run(3);
    aheadMs = minutes * minuteMs;
    act(world);
    world.faults = (_side, cost) => (cost === 'read' ? { kind: 'none' } : dropped);
    await run(1);
    world.faults = () => ({ kind: 'none' });
    expect([...world.store.outbox.eachSent(route.name)]).toHaveLength(1);
    aheadMs = 0;
    await run(4);
    expect([...world.store.outbox.eachSent(route.name)]).toEqual([]);
    const issues = world.github.issues(repo);
    const onGithub = issues.flatMap(({ title, number }) => [
      title,
      ...world.github.commentsOf(repo, number).map(({ body }) => body),
    ]);
    const onTracker = world.tracker
      .bugs()
      .flatMap(({ summary, id }) => [summary, ...world.tracker.commentsOf(id).map(({ text }) => text)]);
    for (const texts of [onGithub, onTracker]) expect(texts.filter((text) => text.includes('Another'))).toHaveLength(1);
  });
});

test.each([400 * 24 * 60, 60, 1])(
  'a copy that people delete is gone, although it was written while the clock was %i minutes ahead',
  async (minutes) => {
    const world = stage();
    let aheadMs = 0;
    const clock = { ...world.clock, now: () => world.clock.now() + aheadMs };
    const context = { ...contextOn(world, route, { limits: testLimits }), clock };
    const run = async (count: number): Promise<void> => {
      for (let done = 0; done < count; done += 1) {
        world.clock.advance(minuteMs);
        await cycle(context, { isForced: false });
      }
    };
    world.tracker.as('alice').file({ summary: 'A bug' });
    await run(3);
    world.tracker.as('alice').comment(1, 'Said once.');
    aheadMs = minutes * minuteMs;
    await run(1);
    aheadMs = 0;
    const [copy] = world.github.commentsOf(repo, 1);
    world.github.as('mona').deleteComment(repo, copy?.id ?? 0);
    world.github.as('mona').comment(repo, 1, 'It was wrong.');
    world.github.as('mona').close(repo, 1);
    await run(25);
    const [link] = [...world.store.links.batches(route.name)].flat();
    expect(link?.urgency).toBe('none');
    expect(link && world.store.commentLinks.ofLink(link.id).map(({ state }) => state)).toEqual([
      'mirrored',
      'gone',
      'mirrored',
    ]);
  },
);

test.each(
  sample<[string, Fault, (parts: Parts) => Promise<readonly string[]>, readonly string[]]>(
    [
      [
        'only lists are asked for an issue',
        { file: 'sync/settle/find-made.ts', from: 'unseen.length === 0', to: 'unseen.length >= 0' },
        (parts) => lostIssue(lag600, page502, parts),
        once,
      ],
      [
        'an issue is made again although a number is not shown',
        {
          file: 'sync/settle/find-made.ts',
          from: 'doubts.filter((row) => !open.includes(row))',
          to: 'doubts.filter(() => open.length >= 0)',
        },
        (parts) => unreadIssue(parts).then((found) => found.titles),
        ['Lost', 'Another'],
      ],
      [
        'the issue of a bug that became private waits like any other',
        { file: 'sync/settle/settle.ts', from: '  await findMadeOfHidden(context);\n', to: '' },
        hiddenInDoubt,
        neutral,
      ],
      [
        'numbers that were deleted end the search',
        { file: 'github/reading/made-since.ts', from: 'const missesMax = 5;', to: 'const missesMax = 3;' },
        (parts) => lostIssue(lag600, page502, parts),
        once,
      ],
      [
        'an issue is made again as soon as other doubts are settled',
        { file: 'sync/settle/settle.ts', from: 'const issuePatience = 12;', to: 'const issuePatience = 1;' },
        lateIssue,
        ['Lost'],
      ],
      [
        'only lists are asked for a comment',
        { file: 'sync/settle/read-doubted.ts', from: 'return isPatient &&', to: 'return isPatient && false &&' },
        (parts) => lostComment(lag600, page502, parts).then((copies) => copies.map(() => 'copy')),
        ['copy'],
      ],
      [
        'what is settled is planned again at an issue that was deleted',
        { file: 'sync/settle/settle.ts', from: " || link.state === 'tombstone'", to: '' },
        (parts) => commentOfDeleted(false, parts),
        [],
      ],
      [
        'what a list does not show was deleted',
        { file: 'sync/settle/missing-copies.ts', from: 'if (lost.length === 0) return thread;', to: 'return thread;' },
        hiddenComment,
        all,
      ],
    ],
    3,
  ),
)('a planted fault is caught: %s', async (_name, fault, run, right) => {
  const folder = plant(fault);
  const isEdge = fault.file.startsWith('github/');
  const parts: Parts = isEdge
    ? {
        adapter: ((await import(`${folder}/github/replica.ts`)) as typeof import('../../src/github/replica.ts'))
          .githubReplica,
      }
    : { turn: ((await import(`${folder}/sync/cycle.ts`)) as typeof import('../../src/sync/cycle.ts')).cycle };
  expect(await run(parts)).not.toEqual(right);
});

test('without a doubt, nothing is looked for', async () => {
  const scenario = await begin();
  alice(scenario).file({ summary: 'Heard of' });
  scenario.github.newRequests();
  await scenario.run(5);
  expect(scenario.github.newRequests().filter((line) => /sort=created|issues\/\d+ /u.test(line))).toEqual([]);
});

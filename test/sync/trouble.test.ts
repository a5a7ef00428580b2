import { expect, test } from 'vitest';
import { bugId } from '../../src/model/ids.ts';
import type { Bug } from '../../src/model/item.ts';
import type { Route } from '../../src/model/route.ts';
import { openStore } from '../../src/store/open.ts';
import { cycle } from '../../src/sync/cycle.ts';
import { sweep } from '../../src/sync/sweep.ts';
import { contextOn, repo, type Stage, stage } from '../simulation/stage.ts';
import { testLimits, widgetRoute } from '../support/routes.ts';
import { scrub } from '../support/scrub.ts';

/** What servers, people and configurations do to a bridge, and what it makes of it. */
async function run(world: Stage, cycles: number, route: Route = widgetRoute): Promise<readonly string[]> {
  const context = contextOn(world, route, { limits: testLimits });
  const done: string[] = [];
  for (let index = 0; index < cycles; index += 1) {
    world.clock.advance(61_000);
    const { operations } = await cycle(context, { isForced: false });
    done.push(...operations.map(({ kind, on }) => `${kind} ${on}`));
  }
  return done;
}

/** A mirrored pair: bug 1 and its issue. */
async function pair(): Promise<{ world: Stage; issue: number }> {
  const world = stage();
  world.tracker.as('alice').file({ summary: 'A bug', description: 'It fails.' });
  await run(world, 2);
  return { world, issue: world.github.issues(repo)[0]?.number ?? 0 };
}

const withoutMemory = (world: Stage): Stage => ({
  ...world,
  store: openStore(':memory:', { mode: 'write', now: world.clock.now, scrub }),
});

test('a value that the tracker refuses parks by itself and holds back no other field of the pair', async () => {
  const { world, issue } = await pair();
  const context = contextOn(world, widgetRoute, { limits: testLimits });
  const { tracker } = context;
  // As a tracker that wants a comment with every resolution.
  const refusal = { kind: 'refused', why: 'You have to specify a comment on this change.' } as const;
  const update: typeof tracker.update = async (seen, patch) =>
    patch.status === undefined ? tracker.update(seen, patch) : refusal;
  const strict = { ...context, tracker: { ...tracker, update } };
  const cycles = async () => {
    for (let index = 0; index < 3; index += 1) {
      world.clock.advance(61_000);
      await cycle(strict, { isForced: false });
    }
  };
  const mona = world.github.as('mona');
  mona.close(repo, issue, 'completed');
  mona.edit(repo, issue, { title: 'A better title' });
  await cycles();
  expect(world.tracker.bug(1)).toMatchObject({ summary: 'A better title', resolution: '' });
  const parked = world.store.outbox.parked('widget');
  expect(parked.map(({ operation, why }) => ['target' in operation && Object.keys(operation.target), why])).toEqual([
    [['status'], refusal.why],
  ]);
  mona.edit(repo, issue, { title: 'A still better title' });
  await cycles();
  expect(world.tracker.bug(1)?.summary).toBe('A still better title');
});

test('what is parked is tried again after a sweep, when what stood in its way may be gone', async () => {
  const world = stage();
  world.tracker.as('alice').file({ summary: 'Poison' });
  await run(world, 3);
  expect(world.store.outbox.count('widget').parked).toBe(1);
  expect(await run(world, 3)).toEqual([]);
  await sweep(contextOn(world, widgetRoute, { limits: testLimits }), { isForced: false });
  expect(world.store.outbox.count('widget').parked).toBe(0);
  expect(await run(world, 2)).toContain('create github');
  expect(
    world.store.ledger.latest('widget', 100).map(({ kind, outcome }) => `${kind} ${outcome}`),
    'told once',
  ).toEqual(['create parked']);
});

test('a bug filed from an issue stays within a route that asks for a keyword', async () => {
  const world = stage();
  const route: Route = { ...widgetRoute, selection: { ...widgetRoute.selection, keyword: 'crash' } };
  world.github.as('mona').open(repo, { title: 'From GitHub', body: '' });
  await run(world, 2, route);
  expect(world.tracker.bugs().map(({ keywords }) => keywords)).toEqual([['crash']]);
  expect(await run(withoutMemory(world), 3, route)).toEqual([]);
});

test('a body that the website saved with its own line ends is no edit', async () => {
  const world = stage();
  const mona = world.github.as('mona');
  const issue = mona.open(repo, { title: 'From GitHub', body: 'one\ntwo' });
  await run(world, 2);
  const body = world.github.issue(repo, issue)?.body ?? '';
  expect(body).toContain('Mirrored as');
  mona.edit(repo, issue, { body: body.replaceAll('\n', '\r\n') });
  expect(await run(world, 3)).toEqual([]);
  mona.edit(repo, issue, { body: body.replace('two', 'three').replaceAll('\n', '\r\n') });
  expect(await run(world, 2)).toEqual(['comment tracker']);
  expect(world.tracker.commentsOf(1).at(-1)?.text).toMatch(/edited .*\n\none\nthree$/u);
});

test('a body pasted from a mirrored issue makes an issue of its own', async () => {
  const { world, issue } = await pair();
  const body = world.github.issue(repo, issue)?.body ?? '';
  world.github.as('mona').open(repo, { title: 'I have that too', body });
  await run(world, 3);
  expect(world.tracker.bugs().map(({ summary }) => summary)).toEqual(['A bug', 'I have that too']);
  expect(world.tracker.commentsOf(1)).toHaveLength(1);
});

test('a value too long for a label is cut, recognised again, and keeps no issue from being made', async () => {
  const world = stage();
  const route: Route = {
    ...widgetRoute,
    labels: [{ from: 'severity', as: 'the severity that the people of the tracker chose: {value}', both: true }],
  };
  world.tracker.as('alice').file({ summary: 'A bug' });
  await run(world, 2, route);
  expect(world.github.issues(repo)[0]?.labels).toEqual(['the severity that the people of the tracker chose…']);
  expect(await run(world, 3, route)).toEqual([]);
});

test('an account that may not edit bugs names the issue in a comment', async () => {
  const world = stage();
  world.tracker.as('alice').file({ summary: 'A bug' });
  const context = contextOn(world, widgetRoute, { limits: testLimits, user: 'bob' });
  for (let index = 0; index < 3; index += 1) {
    world.clock.advance(61_000);
    await cycle(context, { isForced: false });
  }
  expect(world.tracker.commentsOf(1).map(({ text }) => text)).toEqual([
    '',
    `This bug is mirrored on GitHub (https://github.com/${repo}/issues/1).`,
  ]);
  expect(world.github.commentsOf(repo, 1)).toEqual([]);
  expect(world.store.outbox.count('widget').parked).toBe(0);
});

test('a tracker whose answers come from a clock far ahead of its stamps loses no comment', async () => {
  const { world, issue } = await pair();
  const context = contextOn(world, widgetRoute, { limits: testLimits });
  const { tracker } = context;
  const ahead = {
    ...context,
    tracker: {
      ...tracker,
      threads: async (asks: Parameters<typeof tracker.threads>[0]) =>
        (await tracker.threads(asks)).map((thread) => ({ ...thread, readAt: thread.readAt + 3_600_000 })),
    },
  };
  for (const said of ['first', 'second', 'third']) {
    world.tracker.as('alice').comment(1, said);
    world.clock.advance(61_000);
    await cycle(ahead, { isForced: false });
  }
  expect(world.github.commentsOf(repo, issue).map(({ body }) => body.split('\n')[2])).toEqual([
    'first',
    'second',
    'third',
  ]);
});

test('texts that are too long for one comment cross in parts, both ways, once', async () => {
  const world = stage();
  const alice = world.tracker.as('alice');
  const bug = alice.file({ summary: 'Long', description: `${'*'.repeat(65_000)} end` });
  alice.comment(bug, `log line\n${'more of the log\n'.repeat(4_000)}the last line`);
  const mona = world.github.as('mona');
  const issue = mona.open(repo, { title: 'Long too', body: `${'y'.repeat(65_500)} end` });
  const said = mona.comment(repo, issue, `${'z '.repeat(32_760)}end`);
  await run(world, 3);
  const onGithub = () => world.github.commentsOf(repo, 2).map(({ body }) => /part=\d\/\d/u.exec(body)?.[0] ?? body);
  const onTracker = () => world.tracker.commentsOf(2).map(({ text }) => /part \d of \d/u.exec(text)?.[0] ?? text);
  expect(world.store.outbox.count('widget').parked).toBe(0);
  expect(onGithub()).toEqual(['part=2/3', 'part=3/3', 'part=1/2', 'part=2/2']);
  expect(onTracker()).toEqual(['part 1 of 2', 'part 2 of 2', 'part 1 of 2', 'part 2 of 2']);
  expect(await run(withoutMemory(world), 3)).toEqual([]);

  mona.editComment(repo, said, `${'w '.repeat(32_760)}end`);
  await run(world, 2);
  expect(onTracker().slice(4)).toEqual(['part 1 of 2', 'part 2 of 2']);
  expect(await run(withoutMemory(world), 3)).toEqual([]);
});

test('a list that still shows the version before our own write is not taken for an edit', async () => {
  const world = stage({ listLagMs: 5_000 });
  world.tracker.as('alice').file({ summary: 'A bug' });
  await run(world, 3);
  const issue = world.github.issues(repo)[0]?.number ?? 0;
  world.clock.advance(20_000);
  world.tracker.as('alice').change(1, { summary: 'A better bug' });
  world.github.as('mona').close(repo, issue, 'completed');
  // As soon as the lists show them, so that these versions are within what the next readings repeat.
  world.clock.advance(6_000);
  const context = contextOn(world, widgetRoute, { limits: testLimits });
  const { operations } = await cycle(context, { isForced: false });
  expect(operations.map(({ kind, on }) => `${kind} ${on}`)).toEqual(['update github', 'update tracker']);
  for (let second = 1; second < 15; second += 1) {
    world.clock.advance(1_000);
    const { plan } = await cycle(context, { isForced: false });
    expect(plan.operations, `${second} s after the writes`).toEqual([]);
  }
  expect(world.tracker.bug(1)).toMatchObject({ summary: 'A better bug', status: 'RESOLVED' });
  expect(world.github.issue(repo, issue)).toMatchObject({ title: 'A better bug', state: 'closed' });
});

test('a version that stays older than the one we know was set back, and counts', async () => {
  const { world, issue } = await pair();
  const before = world.tracker.bug(1);
  const context = contextOn(world, widgetRoute, { limits: testLimits });
  const { tracker } = context;
  const older = {
    ...world.store.links.byBug(bugId(1))?.tracker,
    summary: 'As it was',
    changedAt: (before?.changedAt ?? 0) - 3_600_000,
  };
  const changes: typeof tracker.changes = async (cursor) => ({
    ...(await tracker.changes(cursor)),
    items: [older as Bug],
  });
  for (let index = 0; index < 2; index += 1) {
    world.clock.advance(61_000);
    await cycle({ ...context, tracker: { ...tracker, changes } }, { isForced: false });
  }
  expect(world.github.issue(repo, issue)?.title).toBe('As it was');
});

test('a comment that is there in one answer, and not yet in the next, was not deleted', async () => {
  const { world, issue } = await pair();
  const context = contextOn(world, widgetRoute, { limits: testLimits });
  const { github } = context;
  const mona = world.github.as('mona');
  const [first, second] = ['First words', 'Second words'].map((text) => mona.comment(repo, issue, text));
  // The poll is answered by a server that lacks the second, and the reading of the thread that follows by one that
  // lacks both.
  const lagging: typeof github = {
    ...github,
    changes: async (cursor) => {
      const page = await github.changes(cursor);
      return { ...page, comments: page.comments.filter(({ id }) => id !== second) };
    },
    threads: async (asks) => {
      const threads = await github.threads(asks);
      return threads.map((thread) => ({
        ...thread,
        comments: thread.comments.filter(({ id }) => id !== first && id !== second),
      }));
    },
  };
  world.clock.advance(1_000);
  await cycle({ ...context, github: lagging }, { isForced: false });
  await run(world, 3);
  const texts = world.tracker.commentsOf(1).map(({ text }) => text);
  for (const words of ['First words', 'Second words'])
    expect(texts.filter((text) => text.includes(words))).toHaveLength(1);
});

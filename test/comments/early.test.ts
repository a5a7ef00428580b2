import { expect, test } from 'vitest';
import type { Context } from '../../src/kernel/context.ts';
import type { Issue } from '../../src/model/item.ts';
import type { Route } from '../../src/model/route.ts';
import { cycle } from '../../src/sync/cycle.ts';
import { contextOn, repo, type Stage, stage } from '../simulation/stage.ts';
import { type Fault, plant } from '../support/plant.ts';
import { testLimits, widgetRoute } from '../support/routes.ts';

/** I14: lists of comments and of issues are read one after the other, and each is behind on its own. */
const [secondMs, minuteMs] = [1_000, 60_000];
const labelled: Route = { ...widgetRoute, label: 'mirror' };

interface Begun {
  readonly world: Stage;
  readonly mona: ReturnType<Stage['github']['as']>;
  /**
   * A cycle of a new process. @param behindMs how far behind the lists are that it reads of GitHub, in that order; the
   * others are not
   */
  pass(afterMs: number, ...behindMs: number[]): Promise<void>;
  /** What stands on the tracker of what was said, from the first to the last. */
  said(): readonly string[];
}

/** A route that has read both sides, which are empty. */
async function begun(route: Route, run = cycle, see = (context: Context): Context => context): Promise<Begun> {
  const world = stage();
  let behind: number[] = [];
  world.github.setBehind({ listMs: () => behind.shift() ?? 0 });
  const pass = async (afterMs: number, ...behindMs: number[]) => {
    world.clock.advance(afterMs);
    behind = behindMs;
    await run(see(contextOn(world, route, { limits: testLimits })), { isForced: false });
  };
  for (let count = 0; count < 3; count += 1) await pass(20 * minuteMs);
  const said = () => world.tracker.commentsOf(1).flatMap(({ text }) => /First|Second/u.exec(text)?.[0] ?? []);
  return { world, mona: world.github.as('mona'), pass, said };
}

/**
 * A list shows the first comment of an issue before any list shows the issue. When one does, it counts that comment,
 * and the second one is there as well. Then a replica answers that knows nothing of them.
 */
async function beforeItsIssue(run = cycle): Promise<readonly string[]> {
  const { mona, pass, said } = await begun(widgetRoute, run);
  const issue = mona.open(repo, { title: 'It fails' });
  mona.comment(repo, issue, 'First');
  await pass(10 * secondMs, minuteMs, 0);
  await pass(10 * secondMs, minuteMs, 0);
  mona.comment(repo, issue, 'Second');
  await pass(10 * secondMs, 15 * secondMs, 0, minuteMs);
  for (let count = 0; count < 4; count += 1) await pass(minuteMs);
  return said();
}

/**
 * An issue has a comment since long before the route takes it. Another one comes after the version of the issue that is
 * listed, and is listed.
 */
async function beforeItsLabel(run = cycle): Promise<readonly string[]> {
  const { mona, pass, said } = await begun(labelled, run);
  const issue = mona.open(repo, { title: 'It fails' });
  mona.comment(repo, issue, 'First');
  for (let count = 0; count < 3; count += 1) await pass(20 * minuteMs);
  mona.label(repo, issue, 'mirror');
  await pass(30 * secondMs, minuteMs, 0);
  mona.comment(repo, issue, 'Second');
  await pass(10 * secondMs, 20 * secondMs, 0);
  for (let count = 0; count < 4; count += 1) await pass(minuteMs);
  return said();
}

/**
 * A page that fails is read again in parts, each from a replica of its own: the first of two comments is missing.
 * @param isIssueOld whether the issue is missing, too, so that nothing counts the first one
 */
async function withoutTheFirst(run = cycle, isIssueOld = false): Promise<readonly string[]> {
  let isLeftOut = false;
  const { mona, pass, said } = await begun(widgetRoute, run, (context) => {
    const { github } = context;
    const changes: typeof github.changes = async (cursor, isRenamed) => {
      const page = await github.changes(cursor, isRenamed);
      if (!isLeftOut) return page;
      const comments = page.comments.filter(({ text }) => text !== 'First');
      return { ...page, comments, items: isIssueOld ? [] : page.items };
    };
    return { ...context, github: Object.assign(Object.create(github), { changes }) };
  });
  const issue = mona.open(repo, { title: 'It fails' });
  for (let count = 0; count < 3; count += 1) await pass(20 * minuteMs);
  mona.comment(repo, issue, 'First');
  mona.comment(repo, issue, 'Second');
  isLeftOut = true;
  await pass(10 * secondMs, 0, 0, minuteMs);
  isLeftOut = false;
  for (let count = 0; count < 4; count += 1) await pass(minuteMs);
  return said();
}

const broken = async (fault: Fault): Promise<typeof cycle> => {
  const { cycle: run } = (await import(`${plant(fault)}/sync/cycle.ts`)) as typeof import('../../src/sync/cycle.ts');
  return run;
};

test('a comment that is listed before its issue is not overtaken', async () => {
  expect(await beforeItsIssue()).toEqual(['First', 'Second']);
});

test('a comment that the issue counts and no list shows is not overtaken', async () => {
  expect(await withoutTheFirst()).toEqual(['First', 'Second']);
});

test('a planted fault is caught: nobody waits for what the issue counts', async () => {
  const run = await broken({ file: 'rules/plan/plan.ts', from: 'input.isOutrun === true', to: 'false' });
  expect(await withoutTheFirst(run)).toEqual(['Second', 'First']);
});

test('a comment that no list shows is not overtaken, though the issue as we know it counts neither', async () => {
  expect(await withoutTheFirst(cycle, true)).toEqual(['First', 'Second']);
});

test('a planted fault is caught: an issue from before a comment says what precedes it', async () => {
  const run = await broken({ file: 'sync/observe/select.ts', from: 'recent.some(isNewer) || ', to: '' });
  expect(await withoutTheFirst(run, true)).toEqual(['Second', 'First']);
});

test('a planted fault is caught: what is listed before its issue is forgotten', async () => {
  const run = await broken({ file: 'sync/observe/poll.ts', from: "'live', row.early)", to: "'live')" });
  expect(await beforeItsIssue(run)).toEqual(['Second', 'First']);
});

test('a comment from before the issue was taken is not overtaken', async () => {
  expect(await beforeItsLabel()).toEqual(['First', 'Second']);
});

test('a planted fault is caught: a comment stands in for one that the issue counted before', async () => {
  const run = await broken({
    file: 'sync/observe/observe-thread.ts',
    from: ' && newestAt(context, link, said) <= changedAt + stampsMs',
    to: '',
  });
  expect(await beforeItsLabel(run)).toEqual(['Second', 'First']);
});

interface Left {
  /** How many comments the state keeps, after each cycle. */
  readonly early: readonly number[];
  /** What GitHub was asked for. */
  readonly asked: readonly string[];
}

/** A comment on an issue that the route does not take: what becomes of it, and what it costs. */
async function onAnother(run = cycle): Promise<Left> {
  const { world, mona, pass } = await begun(labelled, run);
  mona.comment(repo, mona.open(repo, { title: 'It fails' }), 'First');
  const early: number[] = [];
  const before = world.calls.length;
  for (let count = 0; count < 4; count += 1) {
    await pass(4 * minuteMs);
    early.push(world.store.cursors.get('widget', 'github')?.early.length ?? 0);
  }
  const asked = world.calls.slice(before).flatMap(({ side, method }) => (side === 'github' ? [method] : []));
  return { early, asked: [...new Set(asked)] };
}

test('a comment on an issue that the route does not take is kept for ten minutes, and asks for nothing', async () => {
  expect(await onAnother()).toEqual({ early: [1, 1, 0, 0], asked: ['changes'] });
});

test('a planted fault is caught: it is kept for good', async () => {
  const run = await broken({
    file: 'sync/observe/observe-items.ts',
    from: 'createdAt > readAt - githubLagMs',
    to: 'createdAt > 0',
  });
  expect((await onAnother(run)).early).toEqual([1, 1, 1, 1]);
});

/**
 * GitHub counts a comment that it never shows. How often the thread is read in each cycle, and what crosses in the
 * first one.
 */
async function neverFits(
  run = cycle,
): Promise<{ readonly reads: readonly number[]; readonly first: readonly string[] }> {
  const more = (issue: Issue): Issue => ({ ...issue, commentCount: issue.commentCount + 1 });
  const { world, mona, pass, said } = await begun(widgetRoute, run, (context) => {
    const { github } = context;
    const changes: typeof github.changes = async (cursor, isRenamed) => {
      const page = await github.changes(cursor, isRenamed);
      return { ...page, items: page.items.map(more) };
    };
    return { ...context, github: Object.assign(Object.create(github), { changes }) };
  });
  const issue = mona.open(repo, { title: 'It fails' });
  for (const text of ['First', 'Second']) mona.comment(repo, issue, text);
  const [reads, first]: [number[], string[]] = [[], []];
  for (let count = 0; count < 6; count += 1) {
    const before = world.calls.length;
    await pass(4 * minuteMs);
    if (count === 1) first.push(...said());
    reads.push(
      world.calls.slice(before).filter(({ side, method }) => side === 'github' && method === 'threads').length,
    );
  }
  return { reads, first };
}

test('a count that never fits holds nothing up, and is looked at for ten minutes', async () => {
  const { reads, first } = await neverFits();
  expect(first).toEqual(['First', 'Second']);
  expect(reads).toEqual([1, 1, 1, 0, 0, 0]);
});

test('a planted fault is caught: a count is looked at for good', async () => {
  const run = await broken({
    file: 'sync/observe/observe-thread.ts',
    from: "origin === 'github' && createdAt > clock.now() - githubLagMs",
    to: "origin === 'github'",
  });
  expect((await neverFits(run)).reads.at(-1)).toBe(1);
});

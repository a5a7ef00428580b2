import { expect, test } from 'vitest';
import type { Hint } from '../../src/model/control.ts';
import { linkId } from '../../src/model/ids.ts';
import type { Route } from '../../src/model/route.ts';
import { isOutdated } from '../../src/rules/comments/version.ts';
import { cycle } from '../../src/sync/cycle.ts';
import { contextOn, repo, type Stage, stage } from '../simulation/stage.ts';
import { type Fault, plant } from '../support/plant.ts';
import { testLimits, widgetRoute } from '../support/routes.ts';

/**
 * Comments that a replica which is behind does not show, neither in its list nor in the count of the issue, were not
 * deleted.
 */
const minuteMs = 60_000;
const restoring = { ...widgetRoute, deletions: 'note', copies: 'restore' } as const;

interface Pair {
  readonly world: Stage;
  /** How far behind the replicas are that answer the next reads. */
  readonly behind: { listMs: number; itemMs: number };
  readonly issue: number;
  readonly comment: number;
  pass(afterMs: number, ...hints: Hint[]): Promise<unknown>;
}

/** A pair that is an hour old, then a comment that both sides have. */
async function pair(isOfGithub: boolean, run = cycle, route: Route = restoring): Promise<Pair> {
  const world = stage();
  world.tracker.as('alice').file({ summary: 'A bug', description: 'It fails.' });
  const behind = { listMs: 0, itemMs: 0 };
  world.github.setBehind({ listMs: () => behind.listMs, itemMs: () => behind.itemMs });
  const context = contextOn(world, route, { limits: testLimits });
  const pass = async (afterMs: number, ...hints: Hint[]) => {
    world.clock.advance(afterMs);
    return await run(context, { isForced: false, hints });
  };
  for (let count = 0; count < 4; count += 1) await pass(20 * minuteMs);
  const issue = world.github.issues(repo)[0]?.number ?? 0;
  if (isOfGithub) world.github.as('mona').comment(repo, issue, 'Said');
  else world.tracker.as('alice').comment(1, 'Said');
  for (let count = 0; count < 2; count += 1) await pass(minuteMs);
  return { world, behind, issue, pass, comment: world.github.commentsOf(repo, issue)[0]?.id ?? 0 };
}

/**
 * A replica from before the comment answers one cycle; `itemMs` is how far behind single reads are. What the copy says
 * of the edit afterwards.
 */
async function unseen(isOfGithub: boolean, itemMs: number, run = cycle): Promise<readonly string[]> {
  const { world, behind, issue, pass, comment } = await pair(isOfGithub, run);
  const hint: Hint = { side: 'github', ref: issue, repo, isThread: false };
  // The issue shows no comment yet, so its thread is read; a change of the whiteboard has the pair looked at, and
  // writes nothing.
  behind.itemMs = 5 * minuteMs;
  await pass(1_000, hint);
  world.tracker.as('alice').change(1, { whiteboard: 'looked at' });
  Object.assign(behind, { listMs: 5 * minuteMs, itemMs });
  await pass(1_000);
  Object.assign(behind, { listMs: 0, itemMs: 0 });
  await pass(20_000);
  world.github.as('mona').editComment(repo, comment, 'Better said');
  for (let count = 0; count < 3; count += 1) await pass(minuteMs);
  if (isOfGithub)
    return world.tracker.commentsOf(1).flatMap(({ text }) => /Better said|was deleted/u.exec(text)?.[0] ?? []);
  return world.github.commentsOf(repo, issue).flatMap(({ body }) => /\bSaid|Better said/u.exec(body)?.[0] ?? []);
}

const edited = (isOfGithub: boolean): readonly string[] => (isOfGithub ? ['Better said'] : ['Said']);

const cases: readonly [string, boolean, number][] = [
  ['a comment of people, by the count of an earlier version', true, 5 * minuteMs],
  ['a comment of people, by an issue that is not there yet', true, 200 * minuteMs],
  ['a copy, by the count of an earlier version', false, 5 * minuteMs],
  ['a copy, by an issue that is not there yet', false, 200 * minuteMs],
];

test.each(cases)('is not taken for deleted: %s', async (_name, isOfGithub, itemMs) => {
  expect(await unseen(isOfGithub, itemMs)).toEqual(edited(isOfGithub));
});

/** A comment that is deleted a minute after it was said, while nothing is behind. */
async function deleted(isOfGithub: boolean): Promise<readonly string[]> {
  const { world, issue, pass, comment } = await pair(isOfGithub);
  world.github.as('mona').deleteComment(repo, comment);
  for (let count = 0; count < 15; count += 1) await pass(minuteMs);
  expect(world.github.commentsOf(repo, issue)).toEqual([]);
  return world.tracker.commentsOf(1).flatMap(({ text }) => /was deleted on GitHub/u.exec(text)?.[0] ?? []);
}

test('what people delete is deleted', async () => {
  expect(await deleted(true)).toEqual(['was deleted on GitHub']);
  expect(await deleted(false)).toEqual([]);
});

/**
 * A list from before the newest copy has as many comments as the issue counts right after it, as people delete another
 * one in between. What the copy says of an edit afterwards, and what the bug is told.
 */
async function sameLength(run = cycle): Promise<readonly string[]> {
  const { world, behind, issue, pass, comment } = await pair(true, run);
  const { tracker, github } = world;
  await pass(20 * minuteMs);
  tracker.as('alice').comment(1, 'New');
  await pass(minuteMs);
  let isRead = false;
  world.between = (side, method, when) => {
    if (side !== 'github') return;
    if (isRead && method === 'probe' && when === 'before' && behind.listMs > 0) {
      github.as('mona').deleteComment(repo, comment);
      Object.assign(behind, { listMs: 0, itemMs: 0 });
    }
    isRead ||= method === 'threads' && behind.listMs > 0;
  };
  behind.listMs = 3 * minuteMs;
  behind.itemMs = 3 * minuteMs;
  // The issue shows no copy yet, so its thread is read.
  await pass(minuteMs, { side: 'github', ref: issue, repo, isThread: false });
  const [source] = tracker.commentsOf(1).slice(-1);
  tracker.editComment(source?.id ?? 0, 'Newer');
  tracker.as('alice').change(1, { whiteboard: 'read it again' });
  for (let count = 0; count < 3; count += 1) await pass(minuteMs);
  return [
    ...github.commentsOf(repo, issue).flatMap(({ body }) => /New(?:er)?/u.exec(body)?.[0] ?? []),
    ...tracker.commentsOf(1).flatMap(({ text }) => /was deleted on GitHub/u.exec(text)?.[0] ?? []),
  ];
}

test('a copy is not taken for deleted as a list from before it is as long as the issue counts', async () => {
  expect(await sameLength()).toEqual(['Newer', 'was deleted on GitHub']);
});

test('a planted fault is caught: what a list lacks is not asked for', async () => {
  const fault = {
    file: 'sync/settle/missing-copies.ts',
    from: 'else if (isThere) there.push(row);',
    to: '',
  };
  const { cycle: broken } = (await import(`${plant(fault)}/sync/cycle.ts`)) as typeof import('../../src/sync/cycle.ts');
  expect(await sameLength(broken)).not.toContain('Newer');
});

test('a cycle asks for no more than a hundred comments that a list lacks, and the next for the others', async () => {
  const { world, issue, pass } = await pair(true);
  const mona = world.github.as('mona');
  for (let count = 0; count < 250; count += 1) mona.comment(repo, issue, 'Said');
  for (let count = 0; count < 6; count += 1) await pass(20 * minuteMs);
  for (const { id } of world.github.commentsOf(repo, issue)) mona.deleteComment(repo, id);
  let asked = 0;
  world.between = (_side, method, when) => {
    if (method === 'hasComment' && when === 'before') asked += 1;
  };
  const perCycle: number[] = [];
  const hint: Hint = { side: 'github', ref: issue, repo, isThread: false };
  for (let count = 0; count < 5; count += 1) {
    await pass(minuteMs, ...(count === 0 ? [hint] : []));
    perCycle.push(asked);
    asked = 0;
  }
  expect(perCycle).toEqual([100, 100, 51, 0, 0]);
  const rows = world.store.commentLinks.ofLink(world.store.links.after('widget', null, 1)[0]?.id ?? linkId(0));
  expect(rows.filter(({ origin, state }) => origin === 'github' && state !== 'gone')).toEqual([]);
});

type WithCopies = readonly [lost: 'old' | 'new', answerMs: number, late: number, passes: number];

/**
 * People delete a comment, and a copy with it: an old one, or the newest. What the bug is told.
 * @param answerMs how long GitHub's answer to the newest copy takes
 * @param late in how many cycles single reads show the issue as it was before that copy
 * @param passes how many cycles follow, a minute apart
 */
async function deletedWithCopy([lost, answerMs, late, passes]: WithCopies, run = cycle): Promise<readonly string[]> {
  const { world, behind, issue, pass, comment } = await pair(true, run);
  world.between = (side, method, when) => {
    if (side === 'github' && method === 'comment' && when === 'after') world.clock.advance(answerMs);
  };
  for (const text of ['Old', 'New']) {
    world.tracker.as('alice').comment(1, text);
    await pass(20 * minuteMs);
  }
  const copies = world.github.commentsOf(repo, issue).filter(({ id }) => id !== comment);
  for (const id of [comment, copies.at(lost === 'old' ? 0 : -1)?.id ?? 0])
    world.github.as('mona').deleteComment(repo, id);
  for (let count = 0; count < passes; count += 1) {
    behind.itemMs = count < late ? 15 * minuteMs : 0;
    await pass(minuteMs);
  }
  return world.tracker.commentsOf(1).flatMap(({ text }) => /was deleted on GitHub/u.exec(text)?.[0] ?? []);
}

const noted = ['was deleted on GitHub'];
test.each<[string, WithCopies, readonly string[]]>([
  ['soon, if only older copies are lost', ['old', 1_400, 0, 3], noted],
  ['soon, if GitHub showed a version with the copy', ['new', 400, 0, 3], noted],
  ['soon, however late GitHub answered', ['new', 50_000, 0, 3], noted],
  ['not yet, if the copy may still show up', ['new', 400, 3, 3], []],
  ['when GitHub shows a version with the copy', ['new', 400, 3, 5], noted],
])('a deletion is noted %s', async (_name, deletion, told) => {
  expect(await deletedWithCopy(deletion)).toEqual(told);
});

test.each<[string, Fault, WithCopies]>([
  [
    'our clock is taken for a stamp of GitHub',
    { file: 'sync/observe/observe-thread.ts', from: "? detail['madeAt'] :", to: '? at :' },
    ['new', 400, 0, 3],
  ],
  [
    'the thread is not read again',
    { file: 'sync/observe/persist-plan.ts', from: ' && !isCountUnclear(context, link)', to: '' },
    ['new', 400, 3, 5],
  ],
])('a planted fault is caught: %s', async (_name, fault, deletion) => {
  const { cycle: broken } = (await import(`${plant(fault)}/sync/cycle.ts`)) as typeof import('../../src/sync/cycle.ts');
  expect(await deletedWithCopy(deletion, broken)).toEqual([]);
});

/**
 * People write over a copy just before a new text of the tracker is written there: the look before that write shows it,
 * and no list does. Then a replica answers that does not show it either.
 * @returns what the copy says in the end, and whether it is told that it was left so
 */
async function written(run = cycle): Promise<readonly string[]> {
  const { world, behind, issue, pass, comment } = await pair(false, run, { ...widgetRoute, copies: 'leave' });
  const { store, tracker, github } = world;
  const [source] = tracker.commentsOf(1).slice(-1);
  tracker.editComment(source?.id ?? 0, 'Better said');
  tracker.as('alice').change(1, { whiteboard: 'read it again' });
  behind.listMs = 5 * minuteMs;
  github.as('mona').editComment(repo, comment, 'Words of mona');
  await pass(1_000);
  behind.itemMs = 5 * minuteMs;
  await pass(1_000);
  await pass(1_000);
  Object.assign(behind, { listMs: 0, itemMs: 0 });
  for (let count = 0; count < 3; count += 1) await pass(minuteMs);
  const isLeft = store.commentLinks
    .ofLink(store.links.after('widget', null, 1)[0]?.id ?? linkId(0))
    .map(({ copy }) => copy?.isEdited);
  return [...github.commentsOf(repo, issue).map(({ body }) => body), `left: ${isLeft.join()}`];
}

test('what was seen to be written over a copy stays, whatever replicas show afterwards', async () => {
  expect(await written()).toEqual(['Words of mona', 'left: false,true']);
});

/**
 * People write over a copy, and a list shows it. Then replicas show the copy as it was, while the tracker has a new
 * text for it.
 */
async function shownAsBefore(run = cycle): Promise<readonly string[]> {
  const { world, behind, issue, pass, comment } = await pair(false, run, { ...widgetRoute, copies: 'leave' });
  const hint: Hint = { side: 'github', ref: issue, repo, isThread: true };
  world.github.as('mona').editComment(repo, comment, 'Words of mona');
  await pass(minuteMs);
  Object.assign(behind, { listMs: 1.5 * minuteMs, itemMs: 1.5 * minuteMs });
  await pass(1_000, hint);
  const [source] = world.tracker.commentsOf(1).slice(-1);
  world.tracker.editComment(source?.id ?? 0, 'Better said');
  world.tracker.as('alice').change(1, { whiteboard: 'read it again' });
  await pass(1_000);
  Object.assign(behind, { listMs: 0, itemMs: 0 });
  for (let count = 0; count < 3; count += 1) await pass(minuteMs);
  return world.github.commentsOf(repo, issue).map(({ body }) => body);
}

test('an earlier version of a copy does not take back what people wrote over it', async () => {
  expect(await shownAsBefore()).toEqual(['Words of mona']);
});

test.each<[string, Fault]>([
  [
    'the version of what people wrote is not kept',
    {
      file: 'rules/comments/known-comment.ts',
      from: '{ ...withCopy(known, { isEdited: true }), ...versionOf(comment) }',
      to: 'withCopy(known, { isEdited: true })',
    },
  ],
  [
    'only comments of GitHub have versions',
    {
      file: 'rules/comments/verdict.ts',
      from: 'if (isOutdated(',
      to: "if (known.origin === 'github' && isOutdated(",
    },
  ],
])('a planted fault is caught: %s', async (_name, fault) => {
  const { cycle: broken } = (await import(`${plant(fault)}/sync/cycle.ts`)) as typeof import('../../src/sync/cycle.ts');
  expect(await shownAsBefore(broken)).not.toEqual(['Words of mona']);
});

test('a planted fault is caught: what people wrote over a copy is forgotten once it was seen', async () => {
  const fault: Fault = {
    file: 'sync/perform/operations/rewrite.ts',
    from: 'store.commentLinks.save(isSeen ? withCopy(commentLink, { isEdited: true }) : commentLink)',
    to: 'store.commentLinks.save(commentLink)',
  };
  const { cycle: broken } = (await import(`${plant(fault)}/sync/cycle.ts`)) as typeof import('../../src/sync/cycle.ts');
  expect(await written(broken)).not.toContain('Words of mona');
});

/**
 * A replica shows a comment as it was before people edited it, after the edit was reported. What the bug is told of
 * edits.
 */
async function reported(run = cycle): Promise<readonly string[]> {
  const { world, behind, issue, pass, comment } = await pair(true, run);
  const hint: Hint = { side: 'github', ref: issue, repo, isThread: true };
  await pass(10 * minuteMs);
  world.github.as('mona').editComment(repo, comment, 'Better said');
  await pass(minuteMs);
  behind.listMs = 5 * minuteMs;
  await pass(1_000, hint);
  behind.listMs = 0;
  await pass(1_000, hint);
  return world.tracker
    .commentsOf(1)
    .flatMap(({ text }) => (text.includes('edited') ? (text.split('\n').at(-1) ?? '') : []));
}

test('an earlier version of a comment is no edit', async () => {
  expect(await reported()).toEqual(['Better said']);
});

test.each([
  ['earlier than the one that was seen', 1_000, 2_000, true],
  ['the one that was seen', 2_000, 2_000, false],
  ['later', 3_000, 2_000, false],
  ['earlier, and stays for ten minutes', 1_000, 2_000 + 10 * minuteMs, false],
])('a version is outdated if it is %s', async (_name, changedAt, readAt, isOld) => {
  const { world } = await pair(true);
  const link = world.store.links.after('widget', null, 1)[0]?.id ?? linkId(0);
  const [known] = world.store.commentLinks.ofLink(link).slice(-1);
  const [comment] =
    known === undefined
      ? []
      : [{ ...known, side: 'github' as const, id: known.source, ref: 1, isPrivate: false, text: 'Said', changedAt }];
  if (known === undefined || comment === undefined) throw new Error('nothing was said');
  expect(isOutdated({ ...known, changedAt: 2_000 }, comment, readAt)).toBe(isOld);
});

test('a planted fault is caught: an earlier version of a comment counts as an edit', async () => {
  const fault: Fault = {
    file: 'rules/comments/verdict.ts',
    from: "if (isOutdated(known, comment, readAt)) return { kind: 'outdated' };",
    to: '',
  };
  const { cycle: broken } = (await import(`${plant(fault)}/sync/cycle.ts`)) as typeof import('../../src/sync/cycle.ts');
  expect(await reported(broken)).toHaveLength(3);
});

const file = 'sync/settle/missing-copies.ts';
test.each<[string, Fault, boolean, number]>([
  [
    'the count of an earlier version is believed',
    { file, from: 'const isBehind = changedAt < newestAt(context, link, lost);', to: 'const isBehind = false;' },
    true,
    5 * minuteMs,
  ],
  [
    'when copies were made is not asked',
    { file: 'sync/observe/observe-thread.ts', from: 'copies.some((copy) => made.endsWith(copy))', to: 'false' },
    false,
    5 * minuteMs,
  ],
  [
    'an issue that is not shown has lost its comments',
    {
      file,
      from: "if (probe instanceof SideError || probe.kind !== 'there') return { ...thread, isWhole: false };",
      to: "if (probe instanceof SideError || probe.kind !== 'there') return thread;",
    },
    true,
    200 * minuteMs,
  ],
])('a planted fault is caught: %s', async (_name, fault, isOfGithub, itemMs) => {
  const folder = plant(fault);
  const { cycle: broken } = (await import(`${folder}/sync/cycle.ts`)) as typeof import('../../src/sync/cycle.ts');
  expect(await unseen(isOfGithub, itemMs, broken)).not.toEqual(edited(isOfGithub));
});

/** Issues that people transfer between the repositories of two routes: the pair goes with its issue. */

import { describe, expect, test } from 'vitest';
import { bugId } from '../../src/model/ids.ts';
import type { Route } from '../../src/model/route.ts';
import { cycle } from '../../src/sync/cycle.ts';
import { lookTurns } from '../../src/sync/observe/recheck-mirrored.ts';
import { inheritDoubts } from '../../src/sync/settle/settle.ts';
import { sweep } from '../../src/sync/sweep.ts';
import { saysMoved } from '../../src/text/marker.ts';
import { bot, contextOn, repo, stage } from '../simulation/stage.ts';
import { onBranch } from '../simulation/world/attachments.ts';
import { moving, testLimits } from '../support/routes.ts';
import { differencesOn } from '../verify/mirror.ts';

const { widget, gadget } = moving;
const other = 'acme/gadget';
const toWidget = { product: 'Widget', component: 'Core', version: 'unspecified', target_milestone: '---' };
const toGadget = { product: 'Gadget', component: 'Firmware', version: 'A1', target_milestone: '---' };

function worldOf(routes: readonly Route[] = [widget, gadget]) {
  const world = stage();
  for (const each of [other, 'acme/attic'])
    world.github.addRepo(each, { permissions: { [bot]: 'write', mona: 'admin' } });
  const { tracker, github, store, clock } = world;
  const turns = lookTurns(routes);
  const contexts = () => {
    const limits = { ...testLimits, settleMs: 1_000 };
    return routes.map((route) => ({ ...contextOn(world, route, { limits }), lookTurns: turns }));
  };
  const pass = async (): Promise<void> => {
    clock.advance(61_000);
    for (const context of contexts()) {
      inheritDoubts(context);
      await cycle(context, { isForced: false });
    }
  };
  const passes = async (count = 4): Promise<void> => {
    for (let index = 0; index < count; index += 1) await pass();
  };
  const sweeps = async (): Promise<void> => {
    for (const context of contexts()) await sweep(context, { isForced: false });
  };
  const differences = () => differencesOn(contexts());
  const isInStep = (): boolean =>
    routes.every(({ name }) => store.links.count(name).wanting === 0 && store.findings.open(name).skips === 0);
  return {
    world,
    tracker,
    github,
    store,
    alice: tracker.as('alice'),
    mona: github.as('mona'),
    passes,
    sweeps,
    differences,
    isInStep,
  };
}
type World = ReturnType<typeof worldOf>;

/** Two pairs, one begun on each side, with a comment from each: bug 1 is acme/widget#1, and bug 2 is acme/widget#2. */
async function talkedAbout(routes?: readonly Route[]): Promise<World> {
  const world = worldOf(routes);
  world.alice.file({ summary: 'It fails', description: 'Every night.' });
  await world.passes(2);
  world.mona.open(repo, { title: 'It is slow', body: 'Every day.', labels: ['bug'] });
  await world.passes(2);
  for (const number of [1, 2]) {
    world.alice.comment(number, `Alice on ${number}.`);
    world.mona.comment(repo, number, `Mona on ${number}.`);
  }
  await world.passes(2);
  return world;
}

const unanswered = { kind: 'drop', after: false } as const;

const count = (texts: readonly string[], words: string): number => texts.filter((text) => text.includes(words)).length;

/** All that was said stands once on both ends, and new words cross. */
async function goesOn(world: World, bug: number, at: string, number: number): Promise<void> {
  const { alice, mona, tracker, github, store } = world;
  alice.comment(bug, 'Said on the tracker.');
  mona.comment(at, number, 'Said on GitHub.');
  await world.passes();
  const [onBug, onIssue] = [
    tracker.commentsOf(bug).map(({ text }) => text),
    github.commentsOf(at, number).map(({ body }) => body),
  ];
  for (const words of [`Alice on ${bug}.`, `Mona on ${bug}.`, 'Said on the tracker.', 'Said on GitHub.']) {
    expect(count(onBug, words), words).toBe(1);
    expect(count(onIssue, words), words).toBe(1);
  }
  expect(tracker.bugs()).toHaveLength(2);
  expect(store.unknownWrites.ofRoute('gadget').filter(({ at }) => at !== null)).toEqual([]);
  expect(world.isInStep()).toBe(true);
}

describe('an issue that people transfer to the repository of another route', () => {
  test.each([1, 2])('keeps bug %i, and everything goes on there', async (number) => {
    const world = await talkedAbout();
    world.alice.comment(number, 'See comment 0, comment 1 and bug 1.');
    await world.passes();
    const there = world.mona.transfer(repo, number, other);
    await world.passes();
    await goesOn(world, number, other, there);
    expect(await world.differences()).toEqual([]);
    expect(world.github.issues(repo)).toHaveLength(1);
    expect(world.github.issues(other)).toMatchObject([{ state: 'open' }]);
    await world.sweeps();
    await world.passes();
    expect(world.isInStep()).toBe(true);
    expect(world.tracker.bugs().map(({ product }) => product)).toEqual(['Widget', 'Widget']);
  });

  test.each([1, 2])('gives them other ids: nothing of bug %i is said twice', async (number) => {
    const world = await talkedAbout();
    const there = world.mona.transfer(repo, number, other);
    const issue = world.github.state.repos.get(other)?.issues.get(there);
    if (issue !== undefined)
      issue.comments.splice(0, 9, ...issue.comments.map((each) => ({ ...each, id: each.id + 100_000 })));
    await world.passes();
    await goesOn(world, number, other, there);
    expect(await world.differences()).toEqual([]);
    world.mona.editComment(
      other,
      issue?.comments.find(({ author }) => author.login === 'mona')?.id ?? 0,
      'Entirely different words.',
    );
    await world.passes();
    expect(
      count(
        world.tracker.commentsOf(number).map(({ text }) => text),
        'Entirely different words.',
      ),
    ).toBe(1);
  });

  test('goes on although its bug moves there, too, before or after', async () => {
    for (const isBefore of [true, false]) {
      const world = await talkedAbout();
      if (isBefore) world.alice.change(1, toGadget);
      const there = world.mona.transfer(repo, 1, other);
      if (!isBefore) {
        await world.passes();
        world.alice.change(1, toGadget);
      }
      await world.passes();
      await goesOn(world, 1, other, there);
      expect(world.github.issues(other)).toHaveLength(1);
    }
  });

  test('is left by its bug for the place from which it came: what was said there belongs to the bug', async () => {
    const world = await talkedAbout();
    world.mona.transfer(repo, 1, other);
    await world.passes();
    world.alice.change(1, toGadget);
    await world.passes();
    world.alice.change(1, { product: 'Widget', component: 'Core', version: 'unspecified', target_milestone: '---' });
    await world.passes();
    expect(await world.differences()).toEqual([]);
    expect(world.isInStep()).toBe(true);
  });

  test('shows what the tracker says of the bug alone', async () => {
    const world = await talkedAbout();
    const there = world.mona.transfer(repo, 1, other);
    await world.passes();
    world.alice.comment(1, 'Said alone.');
    world.alice.change(1, { status: 'RESOLVED', resolution: 'FIXED' });
    await world.passes();
    expect(world.github.issue(other, there)).toMatchObject({ state: 'closed' });
    const texts = world.github.commentsOf(other, there).map(({ body }) => body);
    expect(count(texts, 'Said alone.')).toBe(1);
  });

  test('comes back, and is one pair all the time', async () => {
    const world = await talkedAbout();
    const there = world.mona.transfer(repo, 1, other);
    await world.passes();
    const back = world.mona.transfer(other, there, repo);
    await world.passes();
    await goesOn(world, 1, repo, back);
  });

  test('comes back before the bridge saw it', async () => {
    const world = await talkedAbout();
    const back = world.mona.transfer(other, world.mona.transfer(repo, 2, other), repo);
    await world.passes();
    await goesOn(world, 2, repo, back);
  });

  test('has no bug yet', async () => {
    const world = worldOf();
    const there = world.mona.transfer(repo, world.mona.open(repo, { title: 'New', body: 'Here.' }), other);
    await world.passes();
    expect(world.tracker.bugs()).toMatchObject([{ product: 'Gadget' }]);
    expect(world.github.issue(other, there)).toMatchObject({ state: 'open' });
  });

  test('is transferred in the minute in which its bug was filed: what it says is said once', async () => {
    const world = worldOf();
    const number = world.mona.open(repo, { title: 'It is slow', body: 'Every day.' });
    while (world.tracker.bugs().length === 0) await world.passes(1);
    const there = world.mona.transfer(repo, number, other);
    await world.passes();
    expect(world.github.commentsOf(other, there)).toEqual([]);
    expect(world.tracker.commentsOf(1)).toHaveLength(1);
  });

  test.each([1, 2])(
    'is left by bug %i, which goes on where its issue was once, with all that was said',
    async (bug) => {
      const world = await talkedAbout();
      const there = world.mona.transfer(repo, bug, other);
      await world.passes();
      world.alice.change(bug, toGadget);
      await world.passes();
      world.alice.change(bug, toWidget);
      await world.passes(6);
      const going = world.github.issues(repo).find(({ number }) => number > 2);
      expect(going).toMatchObject({ state: 'open' });
      expect(world.github.issue(other, there)?.body).toContain(`in [${repo}#${going?.number}]`);
      expect(count([going?.body ?? ''], bug === 1 ? 'Every night.' : 'Every day.')).toBe(1);
      await goesOn(world, bug, repo, going?.number ?? 0);
    },
  );

  test('needs no line of ours to be known', async () => {
    const world = await talkedAbout();
    world.mona.edit(repo, 2, { body: 'Every day.' });
    await world.passes();
    const there = world.mona.transfer(repo, 2, other);
    await world.passes();
    await goesOn(world, 2, other, there);
  });

  test('is withdrawn there once its bug is hidden', async () => {
    const world = await talkedAbout();
    const there = world.mona.transfer(repo, 1, other);
    await world.passes();
    world.tracker.as('admin').change(1, { groups: { add: ['security'] } });
    await world.passes();
    expect(world.github.issue(other, there)).toMatchObject({ title: 'Bug 1 is not public', isLocked: true });
  });

  test.each(['branch', 'release'] as const)('brings its files along, which go from both stores (%s)', async (kind) => {
    const world = await talkedAbout(
      [widget, gadget].map((each) => ({ ...each, attachments: { ...onBranch, repo: each.repo, store: kind } })),
    );
    world.alice.attach(1, { bytes: new TextEncoder().encode('x'), file_name: 'crash.log', comment: 'The log.' });
    await world.passes();
    const names = (at: string) => [
      ...(kind === 'branch' ? world.github.files(at, 'attachments') : world.github.assets(at)).keys(),
    ];
    expect(names(repo)).toHaveLength(1);
    const there = world.mona.transfer(repo, 1, other);
    await world.passes();
    expect(names(other)).toHaveLength(1);
    const texts = () => world.github.commentsOf(other, there).map(({ body }) => body);
    expect(texts().filter((text) => text.includes(`${other}/`) && text.includes('crash.log'))).toHaveLength(1);
    expect(texts().join()).not.toContain(`${repo}/re`);
    world.tracker.as('admin').change(1, { groups: { add: ['security'] } });
    await world.passes();
    expect(names(other)).toEqual([]);
    await world.sweeps();
    expect(names(repo)).toEqual([]);
  });

  test('leaves the files of other routes in a shared store to them: each content is read once', async () => {
    const world = await talkedAbout([widget, gadget].map((each) => ({ ...each, attachments: onBranch })));
    world.alice.attach(1, { bytes: new TextEncoder().encode('x'), file_name: 'crash.log', comment: 'The log.' });
    await world.passes();
    const before = world.world.calls.length;
    expect(await world.differences()).toEqual([]);
    expect(world.world.calls.slice(before).filter(({ method }) => method === 'content')).toHaveLength(1);
  });

  test('is withdrawn there although its bug was hidden at the same time', async () => {
    const world = await talkedAbout();
    const there = world.mona.transfer(repo, 1, other);
    world.tracker.as('admin').change(1, { groups: { add: ['security'] } });
    await world.passes();
    expect(world.github.issue(other, there)).toMatchObject({ title: 'Bug 1 is not public', isLocked: true });
    expect(
      count(
        world.github.commentsOf(other, there).map(({ body }) => body),
        'Alice on 1.',
      ),
    ).toBe(0);
  });
});

test.each([
  ['elsewhere', 'acme/attic'],
  ['back', repo],
])('a creation in doubt waits for no issue that people transferred and transferred on: %s', async (_where, to) => {
  const world = await talkedAbout();
  const { github, mona } = world;
  world.alice.file({ summary: 'A third one', description: 'At times.' });
  world.world.faults = (side, cost) => (side === 'github' && cost === 'create' ? unanswered : { kind: 'none' });
  await world.passes(1);
  world.world.faults = () => ({ kind: 'none' });
  const number = mona.open(repo, { title: 'Not this one', body: 'By mona.' });
  mona.transfer(other, mona.transfer(repo, number, other), to);
  await world.passes(10);
  expect(github.issues(repo).filter(({ title }) => title === 'A third one')).toHaveLength(1);
});

describe('what was in doubt when its bug was hidden and people transferred its issue', () => {
  const monas = ({ github }: World): number =>
    github.commentsOf(repo, 1).find(({ body }) => body === 'Mona on 1.')?.id ?? 0;
  const long = `${'word '.repeat(13_000)} In doubt.`;
  const closing = ({ mona }: World): void => {
    mona.comment(repo, 1, 'In doubt.');
    mona.close(repo, 1);
  };

  test.each<[string, (world: World) => void, string]>([
    ['a comment', ({ mona }) => void mona.comment(repo, 1, 'In doubt.'), 'In doubt.'],
    ['a comment in two parts', ({ mona }) => void mona.comment(repo, 1, long), 'In doubt.'],
    ['an edit', (world) => world.mona.editComment(repo, monas(world), 'Other words.'), 'Other words.'],
    ['a comment with a closing', closing, 'In doubt.'],
  ])('%s is said once', async (_what, act, words) => {
    for (const [shift, hops] of [
      [0, [other]],
      [100_000, [other]],
      [100_000, [other, repo, other]],
    ] as const) {
      const world = await talkedAbout();
      const { github, tracker, store } = world;
      const lose = (isLost: boolean) => {
        const lost = { kind: 'drop', after: true } as const;
        world.world.faults = (side, cost) =>
          isLost && side === 'tracker' && cost !== 'read' ? lost : { kind: 'none' };
      };
      act(world);
      lose(true);
      const before = tracker.commentsOf(1).length;
      await world.passes(1);
      lose(false);
      expect(tracker.commentsOf(1).length).toBeGreaterThan(before);
      tracker.as('admin').change(1, { groups: { add: ['security'] } });
      let [at, number] = [repo, 1];
      for (const to of hops) {
        [at, number] = [to, world.mona.transfer(at, number, to)];
        const there = github.state.repos.get(at)?.issues.get(number)?.comments ?? [];
        there.splice(0, 9, ...there.map((each) => ({ ...each, id: each.id + shift })));
        await world.passes();
      }
      tracker.as('admin').change(1, { groups: { remove: ['security'] } });
      await world.passes(6);
      const onIssue = github.commentsOf(at, number).map(({ body }) => body);
      expect(
        count(
          tracker.commentsOf(1).map(({ text }) => text),
          words,
        ),
      ).toBe(1);
      expect(count(onIssue, words)).toBe(1);
      expect(count(onIssue, 'GitHub user')).toBe(0);
      expect(store.links.byBug(bugId(1))).toMatchObject({ repo: at, issue: number, state: 'live' });
      expect(github.issue(at, number)?.title).toBe('It fails');
      expect(world.isInStep()).toBe(true);
    }
  });
});

test.each([
  [repo, ['a second issue of bug 1'], false],
  [other, [], true],
] as const)('an issue that our account opened twice in one second, in %s, gets no bug', async (at, reasons, isLeft) => {
  const world = worldOf();
  const { alice, tracker, github, store } = world;
  alice.file({ summary: 'It fails', description: 'Every night.' });
  await world.passes(1);
  const { title, body = '', createdAt } = github.issue(repo, 1) ?? {};
  const number = github.as(bot).open(at, { title: title ?? '', body });
  expect(github.issue(at, number)?.createdAt).toBe(createdAt);
  await world.passes();
  expect(tracker.bugs()).toHaveLength(1);
  const skips = [widget, gadget].flatMap(({ name }) => store.findings.ofRoute(name, 10).skips);
  expect(skips).toEqual(reasons.map((each) => expect.objectContaining({ reason: expect.stringContaining(each) })));
  // In the repository of another route it says where its bug is.
  expect(saysMoved(widget.instance, github.issue(at, number)?.body ?? '')).toBe(isLeft);
});

test('issues opened within one second are asked about once each', async () => {
  const world = worldOf();
  for (let index = 1; index <= 12; index += 1) world.mona.open(repo, { title: `${index}`, body: '', labels: ['bug'] });
  // None can be filed for a while.
  world.world.faults = (side, cost) => (side === 'tracker' && cost !== 'read' ? unanswered : { kind: 'none' });
  await world.passes(3);
  world.world.faults = () => ({ kind: 'none' });
  await world.passes(60);
  expect(world.tracker.bugs()).toHaveLength(12);
  expect(world.world.calls.filter(({ method }) => method === 'placeOf')).toHaveLength(12);
});

test('a person who writes our line under an issue of hers takes no pair of others', async () => {
  const world = await talkedAbout();
  world.mona.open(other, { title: 'Mine', body: `Mine\n\n<!-- bugferry:1 ${widget.instance} bug=2 -->` });
  await world.passes();
  expect(world.tracker.bugs()).toHaveLength(3);
  expect(world.github.issue(repo, 2)).toMatchObject({ state: 'open', isLocked: false });
});

test.each(['a comment', 'a full comparison'])(
  'an issue that goes where no route is needs a person, by its new name, once %s finds it gone',
  async (what) => {
    const world = await talkedAbout();
    world.mona.transfer(repo, 1, 'acme/attic');
    if (what === 'a comment') world.alice.comment(1, 'And again.');
    else await world.sweeps();
    await world.passes(3);
    expect(world.store.findings.ofRoute('widget', 10).skips).toMatchObject([
      { needsPerson: true, reason: expect.stringContaining('to acme/attic#1.') },
    ]);
    expect(world.isInStep()).toBe(false);
    const back = world.mona.transfer('acme/attic', 1, repo);
    await world.passes();
    if (what !== 'a comment') await goesOn(world, 1, repo, back);
  },
);

test('an issue that comes to the repository that its bug had left has the words of both', async () => {
  const world = await talkedAbout();
  world.alice.change(1, toGadget);
  await world.passes();
  expect(world.store.links.byBug(bugId(1))).toMatchObject({ repo: other, issue: 1 });
  const back = world.mona.transfer(other, 1, repo);
  await world.passes();
  await goesOn(world, 1, repo, back);
  expect(await world.differences()).toEqual([]);
});

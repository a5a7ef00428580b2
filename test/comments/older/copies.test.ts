import { beforeEach, describe, expect, test } from 'vitest';
import type { Context } from '../../../src/kernel/context.ts';
import { SideError } from '../../../src/model/outcome.ts';
import type { GithubReplica, TrackerReplica } from '../../../src/model/replica.ts';
import type { Route } from '../../../src/model/route.ts';
import { cycle } from '../../../src/sync/cycle.ts';
import { type Return, type States, statesOf } from '../../simulation/restores/states.ts';
import { bot, contextOn, repo, type Stage, stage } from '../../simulation/stage.ts';
import { testLimits, widgetRoute } from '../../support/routes.ts';
import { scrub } from '../../support/scrub.ts';

/** I3 and I4: copies that an older state knows, and that the bridge itself erased or rewrote since, are not people's. */
let world: Stage;
let states: States;
let own: Partial<GithubReplica>;
let away: Partial<TrackerReplica>;

beforeEach(() => {
  const bare = stage();
  states = statesOf(bare.clock.now, scrub);
  world = { ...bare, store: states.store };
  own = {};
  away = {};
});

const [alice, admin, mona] = [
  () => world.tracker.as('alice'),
  () => world.tracker.as('bridge-insider'),
  () => world.github.as('mona'),
];

async function turns(
  count: number,
  writesPerCycle = testLimits.writesPerCycle,
  route: Route = widgetRoute,
): Promise<void> {
  for (let index = 0; index < count; index += 1) {
    world.clock.advance(61_000);
    const context = contextOn(world, route, { limits: { ...testLimits, writesPerCycle } });
    const [github, tracker] = [
      { ...context.github, ...own },
      { ...context.tracker, ...away },
    ];
    await cycle({ ...context, github, tracker } as Context, { isForced: false });
  }
}

const copiesOn = (issue: number): readonly string[] =>
  world.github.commentsOf(repo, issue).flatMap(({ author, body }) => (author === bot ? [body] : []));
const said = (issue: number): number => copiesOn(issue).filter((body) => body.includes('Said on the tracker')).length;
const reports = (): readonly string[] =>
  world.tracker
    .bugs()
    .flatMap(({ id }) =>
      world.tracker.commentsOf(id).flatMap(({ text }) => (text.includes(' edited (') ? [text] : [])),
    );

/** A pair with two comments of the bug's, of which copies are made. */
async function pair(from: 'tracker' | 'github', route: Route = widgetRoute): Promise<void> {
  if (from === 'tracker') alice().file({ summary: 'It crashes', description: 'At noon.' });
  else mona().open(repo, { title: 'It crashes', body: 'At noon.' });
  await turns(4, testLimits.writesPerCycle, route);
  alice().comment(1, 'Said on the tracker first.');
  alice().comment(1, 'Said on the tracker then.');
  await turns(3, testLimits.writesPerCycle, route);
  expect(said(1)).toBe(2);
}

/** The bug is hidden and shown again; the process ends before it has written both copies again. */
async function hideAndShow(): Promise<void> {
  admin().change(1, { groups: { add: ['security'] } });
  await turns(3);
  expect(said(1)).toBe(0);
  admin().change(1, { groups: { remove: ['security'] } });
  await turns(1, 1);
  // So that nothing of the issue shows the withdrawal any more.
  mona().edit(repo, 1, { title: 'It crashes at night' });
  for (let index = 0; index < 9 && said(1) === 0; index += 1) await turns(1, 1);
  expect(world.github.issue(repo, 1)).toMatchObject({
    title: 'It crashes at night',
    isLocked: false,
    body: expect.stringContaining('At noon.'),
  });
}

/** The state comes back from before that. */
async function shownAgain(from: 'tracker' | 'github', how: Return): Promise<void> {
  await pair(from);
  const copy = states.copy();
  await hideAndShow();
  states.putBack(copy, how);
}

describe('copies that a withdrawal erased which the state does not know', () => {
  test.each([
    ['the issue of a bug', 'tracker', 'told'],
    ['the issue of a bug', 'tracker', 'silent'],
    ['an issue of people', 'github', 'told'],
    ['an issue of people', 'github', 'silent'],
  ] as const)('come back on %s (%s, %s), once', async (_what, from, how: Return) => {
    await shownAgain(from, how);
    await turns(6);
    expect(said(1)).toBe(2);
  });

  test('come back as GitHub answers', async () => {
    await shownAgain('tracker', 'told');
    own = { lastActors: () => Promise.reject(new SideError('later', 'cut short', { side: 'github' })) };
    await turns(2);
    own = {};
    await turns(6);
    expect(said(1)).toBe(2);
  });

  test('are no reason to write a copy again that people delete afterwards', async () => {
    await shownAgain('tracker', 'told');
    await turns(6);
    const [first] = world.github.commentsOf(repo, 1);
    mona().deleteComment(repo, first?.id ?? 0);
    await turns(6);
    expect(said(1)).toBe(1);
  });
});

describe('copies of comments that were hidden and are shown again, which the state does not know', () => {
  const setPrivate = (isPrivate: boolean, ...which: readonly number[]): void => {
    const all = which.map((index) => [world.tracker.commentsOf(1)[index]?.id ?? 0, isPrivate]);
    admin().change(1, { comment_is_private: Object.fromEntries(all) });
  };
  const hidden = async (...which: readonly number[]): Promise<void> => {
    world.clock.advance(600_000);
    setPrivate(true, ...which);
    await turns(3);
  };

  test.each<[string, readonly number[], () => void]>([
    ['one', [1], () => setPrivate(false, 1)],
    ['both', [1, 2], () => setPrivate(false, 1, 2)],
    [
      'both, one after the other',
      [1, 2],
      () => {
        setPrivate(false, 2);
        world.clock.advance(5_000);
        setPrivate(false, 1);
      },
    ],
    [
      'one, with another change',
      [2],
      () => {
        setPrivate(false, 2);
        alice().change(1, { summary: 'It crashes at night' });
      },
    ],
  ])('come back, once: %s', async (_what, which, show) => {
    await pair('tracker');
    const copy = states.copy();
    await hidden(...which);
    expect(said(1)).toBe(2 - which.length);
    states.putBack(copy, 'told');
    show();
    await turns(6);
    expect(said(1)).toBe(2);
  });

  test('come back in all their parts', async () => {
    await pair('tracker');
    alice().comment(1, 'a_b* '.repeat(12_000));
    await turns(3);
    const before = copiesOn(1);
    const copy = states.copy();
    await hidden(3);
    expect([before.length > 3, copiesOn(1).length]).toEqual([true, 2]);
    states.putBack(copy, 'told');
    setPrivate(false, 3);
    await turns(6);
    expect(copiesOn(1)).toEqual(before);
  });

  test('come back once the tracker tells its history, and not while they are hidden', async () => {
    await pair('tracker');
    const copy = states.copy();
    await hidden(1);
    states.putBack(copy, 'told');
    await turns(2);
    expect(said(1)).toBe(1);
    states.putBack(copy, 'told');
    setPrivate(false, 1);
    away = { history: () => Promise.reject(new SideError('later', 'cut short', { side: 'tracker' })) };
    await expect(turns(1)).rejects.toThrow('cut short');
    away = {};
    await turns(6);
    expect(said(1)).toBe(2);
  });

  test('are no reason to write others again that people deleted', async () => {
    await pair('tracker');
    const copy = states.copy();
    await hidden(1);
    states.putBack(copy, 'told');
    setPrivate(false, 1);
    mona().deleteComment(repo, world.github.commentsOf(repo, 1)[0]?.id ?? 0);
    await turns(6);
    expect(copiesOn(1)).toEqual([expect.stringContaining('Said on the tracker first.')]);
  });
});

describe('copies that people deleted stay deleted', () => {
  test.each([
    ['that GitHub knows of no withdrawal', {}, false],
    ['that the state knows the withdrawal', {}, true],
    ['that GitHub does not say', { lastActors: async () => null }, false],
    [
      'that our account may not ask',
      { lastActors: () => Promise.reject(new SideError('refused', 'no', { side: 'github' as const })) },
      false,
    ],
  ])('because %s', async (_why, answers, isHidden) => {
    await pair('tracker');
    if (isHidden) {
      await hideAndShow();
      await turns(4);
      expect(said(1)).toBe(2);
    }
    states.putBack(states.copy(), 'told');
    const [first] = world.github.commentsOf(repo, 1);
    mona().deleteComment(repo, first?.id ?? 0);
    own = answers;
    await turns(6);
    expect(said(1)).toBe(1);
  });
});

test('a state from the middle of a rewrite is noticed by other copies, and takes no copy for edited by people', async () => {
  await pair('tracker');
  let copy: Buffer | null = null;
  const description = world.tracker.commentsOf(1)[0]?.id ?? 0;
  const edit = (text: string): void => {
    world.tracker.editComment(description, text);
    alice().comment(1, `I have edited: ${text}`);
  };
  world.between = (side, method, when) => {
    if (side === 'github' && method === 'update' && when === 'before') copy ??= states.copy();
  };
  edit('At one.');
  await turns(3);
  edit('At two.');
  await turns(3);
  expect(copy).not.toBeNull();
  states.putBack(copy, 'silent');
  edit('At three.');
  await turns(6);
  expect(reports()).toEqual([]);
  expect(world.github.issue(repo, 1)?.body).toContain('At three.');
});

test('a copy that people deleted stays deleted where the bridge locks each issue', async () => {
  const mirror = { ...widgetRoute, direction: 'to-github', visitors: 'lock' } as const;
  await pair('tracker', mirror);
  expect(world.github.issue(repo, 1)?.isLocked).toBe(true);
  mona().deleteComment(repo, world.github.commentsOf(repo, 1)[0]?.id ?? 0);
  await turns(4, testLimits.writesPerCycle, mirror);
  expect(said(1)).toBe(1);
});

/** I9: the description becomes private, the bug moves to a product that no route takes, and the state is lost. */
test.each([
  ['as it was', (body: string) => body],
  ['with words of people', (body: string) => body.replace('At noon.', 'At noon, and at one.')],
  ['with the line of the move', (body: string) => body],
])('the description of a bug that moved goes where the body stands %s', async (what, left) => {
  await pair('tracker');
  const description = world.tracker.commentsOf(1)[0]?.id ?? 0;
  if (what === 'with the line of the move') {
    admin().change(1, { product: 'Gadget', component: 'Firmware', version: 'A1' });
    await turns(4);
    expect(world.github.issue(repo, 1)?.body).toContain('moved to product Gadget');
  } else {
    world.clock.advance(5_000);
    mona().edit(repo, 1, { body: left(world.github.issue(repo, 1)?.body ?? '') });
  }
  expect(world.github.issue(repo, 1)?.body).toContain('At noon');
  admin().change(1, { comment_is_private: { [description]: true } });
  if (what !== 'with the line of the move')
    admin().change(1, { product: 'Gadget', component: 'Firmware', version: 'A1' });
  states.putBack(null, 'silent');
  const before = writes();
  await turns(6);
  expect(world.github.issue(repo, 1)?.body).not.toContain('At noon');
  expect(world.github.issue(repo, 1)?.body).toContain('moved to product Gadget');
  expect(
    writes()
      .slice(before.length)
      .some((each) => each.includes('At noon')),
  ).toBe(false);
  const rested = writes().length;
  await turns(3);
  expect(writes().length).toBe(rested);
});

/** What was sent to GitHub. */
const writes = (): readonly string[] =>
  world.calls.flatMap(({ side, method, args }) =>
    side === 'github' && method === 'update' ? [JSON.stringify(args[1])] : [],
  );

test.each(['told', 'silent'] as const)(
  'a description is withdrawn once more from a body that was filled: %s',
  async (how) => {
    await pair('tracker');
    const description = world.tracker.commentsOf(1)[0]?.id ?? 0;
    const hide = (isPrivate: boolean) => admin().change(1, { comment_is_private: { [description]: isPrivate } });
    hide(true);
    await turns(3);
    const before = states.copy();
    hide(false);
    await turns(3);
    expect(world.github.issue(repo, 1)?.body).toContain('At noon');
    hide(true);
    states.putBack(before, how);
    await turns(4);
    expect(world.github.issue(repo, 1)?.body).not.toContain('At noon');
    hide(false);
    await turns(3);
    expect(world.github.issue(repo, 1)?.body).toContain('At noon');
  },
);

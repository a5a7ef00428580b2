import { describe, expect, test } from 'vitest';
import { statusOf } from '../../src/explain/route-status.ts';
import type { Context } from '../../src/kernel/context.ts';
import { SideError } from '../../src/model/outcome.ts';
import type { Route } from '../../src/model/route.ts';
import type { Cost } from '../../src/model/runtime.ts';
import { noFaults } from '../../src/sandbox/server/faults.ts';
import { cycle } from '../../src/sync/cycle.ts';
import { contextOn, repo, type Stage, stage } from '../simulation/stage.ts';
import { type Fault, plant } from '../support/plant.ts';
import { branchRule, testLimits, widgetRoute } from '../support/routes.ts';
import { sample } from '../tiers/depth.ts';

/**
 * I3: what a tracker makes of the bridge that answers writes as done and stores nothing of them, as harmony and BMO do
 * at times.
 */

const limits = { ...testLimits, attempts: 3 };
const plainRoute: Route = { ...widgetRoute, assignee: true, dependencies: true };

interface Play {
  readonly world: Stage;
  readonly issue: number;
  /** A new process, and a minute later one cycle of it. */
  turn(change?: (context: Context) => Context): Promise<void>;
  turns(count: number): Promise<void>;
  /** The next so many writes of this cost are answered and lost. */
  lose(cost: Cost, times?: number): void;
  /** How often each of these was asked of the tracker. */
  asked(...methods: readonly string[]): readonly number[];
}

/** Bug 1 and its issue, at rest. */
async function pair(route: Route = plainRoute, user = 'bridge', turnOf = cycle): Promise<Play> {
  const world = stage();
  const bug = world.tracker.as('alice').file({ summary: 'A bug', description: 'It fails.' });
  const turn: Play['turn'] = async (change = (context) => context) => {
    world.clock.advance(61_000);
    await turnOf(change(contextOn(world, route, { limits, user })), { isForced: false });
  };
  const turns: Play['turns'] = async (count) => {
    for (let index = 0; index < count; index += 1) await turn();
  };
  await turns(4);
  expect(bug).toBe(1);
  return {
    world,
    issue: world.github.issues(repo)[0]?.number ?? 0,
    turn,
    turns,
    lose(cost, times = 1) {
      let left = times;
      world.faults = (side, each) => {
        if (side !== 'tracker' || each !== cost || left === 0) return { kind: 'none' };
        left -= 1;
        return { kind: 'lost' };
      };
    },
    asked: (...methods) =>
      methods.map((name) => world.calls.filter(({ side, method }) => side === 'tracker' && method === name).length),
  };
}

const copies = ({ world }: Play, text: string): number =>
  world.tracker.commentsOf(1).filter((comment) => comment.text.includes(text)).length;

/** The tracker fails on the histories. */
const withoutHistory = (context: Context): Context => ({
  ...context,
  tracker: { ...context.tracker, history: async (refs) => ({ changes: [], unread: refs }) },
});

const titles = ({ world, issue }: Play) => [world.tracker.bug(1)?.summary, world.github.issue(repo, issue)?.title];

/** People write over an edit from GitHub that the tracker stored, and whose history cannot be read for minutes. */
async function overwritten(minutes: number, turnOf?: typeof cycle) {
  const play = await pair(plainRoute, 'bridge', turnOf);
  play.world.github.as('mona').edit(repo, play.issue, { title: 'A better title' });
  await play.turn();
  play.world.clock.advance(5_000);
  play.world.tracker.as('alice').change(1, { summary: 'Mine' });
  for (let index = 0; index < minutes; index += 1) await play.turn(withoutHistory);
  return titles(play);
}

type Found = Awaited<ReturnType<Context['tracker']['commentAt']>>;

/**
 * A comment that the tracker lost, while it answers so to the question for its id. Answers with how often it was
 * copied.
 */
async function lostWhile(found: Found, turnOf?: typeof cycle, minutes = 5): Promise<number> {
  const play = await pair(plainRoute, 'bridge', turnOf);
  play.world.github.as('mona').comment(repo, play.issue, 'Seen again.');
  play.lose('create');
  for (let index = 0; index < minutes; index += 1)
    await play.turn((context) => ({ ...context, tracker: { ...context.tracker, commentAt: async () => found } }));
  return copies(play, 'Seen again.');
}

describe('a lost comment', () => {
  test.each<readonly [string, Found, number]>([
    ['was given to another bug', { kind: 'there', bug: 2, login: 'bridge@example.test' }, 1],
    ['was given to somebody else', { kind: 'there', bug: 1, login: 'alice@example.test' }, 1],
    ['is nothing', { kind: 'missing' }, 1],
    ['is ours', { kind: 'there', bug: 1, login: 'Bridge@example.test' }, 0],
    ['is private', { kind: 'private' }, 0],
    ['is what nobody says', { kind: 'unknown' }, 0],
  ])('is written again only if it is missing: its id %s', async (_what, found, count) => {
    expect(await lostWhile(found)).toBe(count);
  });

  test('is asked for again when the tracker did not say', async () => {
    const play = await pair();
    play.world.github.as('mona').comment(repo, play.issue, 'Seen again.');
    play.lose('create');
    for (let index = 0; index < 5; index += 1)
      await play.turn((context) => ({
        ...context,
        tracker: { ...context.tracker, commentAt: async () => ({ kind: 'unknown' }) },
      }));
    await play.turns(5);
    expect(copies(play, 'Seen again.')).toBe(1);
  });

  test('is written once its bug, which was hidden meanwhile, is public again', async () => {
    const play = await pair();
    const alice = play.world.tracker.as('alice');
    play.world.github.as('mona').comment(repo, play.issue, 'Seen again.');
    play.lose('create');
    await play.turn();
    alice.change(1, { groups: { add: ['security'] } });
    await play.turns(5);
    alice.change(1, { groups: { remove: ['security'] } });
    await play.turns(8);
    expect(copies(play, 'Seen again.')).toBe(1);
  });
});

/**
 * A file of an issue is attached, and then the route no longer takes files. Answers with the receipts that stay open.
 */
async function withoutFiles(turnOf = cycle): Promise<number> {
  const play = await pair({ ...plainRoute, attachments: branchRule });
  const mona = play.world.github.as('mona');
  mona.comment(
    repo,
    play.issue,
    mona.upload({ name: 'shot.png', type: 'image/png', bytes: new TextEncoder().encode('hello') }),
  );
  for (let index = 0; index < 9 && play.world.tracker.state.attachments.size === 0; index += 1) await play.turn();
  expect(play.world.store.receipts.ofRoute('widget')).toHaveLength(1);
  for (let index = 0; index < 3; index += 1) {
    play.world.clock.advance(61_000);
    await turnOf(contextOn(play.world, plainRoute, { limits }), { isForced: false });
  }
  return play.world.store.receipts.ofRoute('widget').length;
}

test('what was attached is no longer looked for on a route that takes no files any more', async () => {
  expect(await withoutFiles()).toBe(0);
});

test.each(
  sample<readonly [string, Fault, (turnOf: typeof cycle) => Promise<unknown>, unknown]>(
    [
      [
        'files are looked for on a route that takes none',
        {
          file: 'sync/settle/confirm-threads.ts',
          from: 'if (context.files === null) return',
          to: 'if (context.files !== null) return',
        },
        withoutFiles,
        0,
      ],
      [
        'a history that cannot be read counts as a loss',
        {
          file: 'sync/settle/confirm.ts',
          from: 'const isUnread = unread.includes(id);',
          to: 'const isUnread = unread.length < 0;',
        },
        (turnOf) => overwritten(4, turnOf),
        ['Mine', 'A better title'],
      ],
      [
        'a comment of another bug counts as ours',
        {
          file: 'sync/settle/confirm-threads.ts',
          from: 'return found.bug === bug && (',
          to: 'return bug !== null && (',
        },
        (turnOf) => lostWhile({ kind: 'there', bug: 2, login: 'bridge@example.test' }, turnOf),
        1,
      ],
      [
        'what the tracker does not say counts as lost',
        {
          file: 'sync/settle/confirm-threads.ts',
          from: "const isUnknown = found.kind === 'unknown';",
          to: 'const isUnknown = found === null;',
        },
        (turnOf) => lostWhile({ kind: 'unknown' }, turnOf),
        0,
      ],
    ],
    2,
  ),
)('a planted fault is caught: %s', async (_name, fault, run, right) => {
  const faulty: { cycle: typeof cycle } = await import(`${plant(fault)}/sync/cycle.ts`);
  expect(await run(faulty.cycle)).not.toEqual(right);
});

describe('an edit on GitHub that the tracker loses', () => {
  test('is written again, and never taken for an edit of the tracker', async () => {
    const play = await pair();
    play.world.github.as('mona').edit(repo, play.issue, { title: 'A better title' });
    play.lose('edit');
    await play.turns(5);
    expect(play.world.tracker.bug(1)?.summary).toBe('A better title');
    expect(play.world.github.issue(repo, play.issue)?.title).toBe('A better title');
    expect(play.world.store.receipts.ofRoute('widget')).toEqual([]);
    const settled = play.world.store.ledger.latest('widget', 100).filter(({ kind }) => kind === 'settle');
    expect(settled.map(({ outcome, detail }) => [outcome, detail['fields']])).toEqual([['had not arrived', ['title']]]);
  });

  test('is written again with all of its fields, and a way of several steps', async () => {
    const play = await pair();
    const mona = play.world.github.as('mona');
    mona.edit(repo, play.issue, { title: 'Seven' });
    for (const label of ['severity: major', 'crash']) mona.label(repo, play.issue, label);
    mona.close(repo, play.issue, 'completed');
    play.lose('edit', 2);
    await play.turns(8);
    expect(play.world.tracker.bug(1)).toMatchObject({
      summary: 'Seven',
      severity: 'major',
      keywords: ['crash'],
      resolution: 'FIXED',
    });
    expect(play.world.github.issue(repo, play.issue)).toMatchObject({ title: 'Seven', state: 'closed' });
  });

  test('is written again also where people have changed the bug since', async () => {
    const play = await pair();
    play.world.github.as('mona').edit(repo, play.issue, { title: 'A better title' });
    play.lose('edit');
    await play.turn();
    play.world.clock.advance(5_000);
    play.world.tracker.as('alice').change(1, { priority: 'High' });
    play.world.tracker.as('alice').comment(1, 'I raised the priority.');
    await play.turns(4);
    expect(play.world.tracker.bug(1)?.summary).toBe('A better title');
    expect(play.world.github.issue(repo, play.issue)?.title).toBe('A better title');
  });

  test('is written again once its history can be read', async () => {
    const play = await pair();
    play.world.github.as('mona').edit(repo, play.issue, { title: 'A better title' });
    play.lose('edit');
    await play.turn();
    play.world.clock.advance(5_000);
    play.world.tracker.as('alice').change(1, { priority: 'High' });
    for (let index = 0; index < 4; index += 1) await play.turn(withoutHistory);
    expect(titles(play)).toEqual(['A bug', 'A better title']);
    await play.turns(3);
    expect(titles(play)).toEqual(['A better title', 'A better title']);
  });

  test.each([
    ['minutes', 4, ['Mine', 'A better title']],
    ['hours, in which the tracker is believed in the end', 130, ['Mine', 'Mine']],
  ])('leaves what people wrote over it while its history cannot be read: %s', async (_what, minutes, shown) => {
    expect(await overwritten(minutes)).toEqual(shown);
  });

  test('is not written again where people took it back on the tracker', async () => {
    const play = await pair();
    play.world.github.as('mona').edit(repo, play.issue, { title: 'A better title' });
    await play.turn();
    expect(play.world.tracker.bug(1)?.summary).toBe('A better title');
    play.world.clock.advance(5_000);
    play.world.tracker.as('alice').change(1, { summary: 'A bug' });
    await play.turns(4);
    expect(play.world.tracker.bug(1)?.summary).toBe('A bug');
    expect(play.world.github.issue(repo, play.issue)?.title).toBe('A bug');
  });

  test('is the newest of two of which only the first was stored', async () => {
    const play = await pair();
    const mona = play.world.github.as('mona');
    mona.edit(repo, play.issue, { title: 'First' });
    await play.turn();
    mona.edit(repo, play.issue, { title: 'Second' });
    play.lose('edit');
    await play.turns(5);
    expect([play.world.tracker.bug(1)?.summary, play.world.github.issue(repo, play.issue)?.title]).toEqual([
      'Second',
      'Second',
    ]);
  });

  test('is written again on a route to the tracker', async () => {
    const play = await pair({ ...plainRoute, direction: 'both' });
    const route: Route = { ...plainRoute, direction: 'to-tracker' };
    const turn = async () => {
      play.world.clock.advance(61_000);
      await cycle(contextOn(play.world, route, { limits }), { isForced: false });
    };
    play.world.github.as('mona').edit(repo, play.issue, { title: 'A better title' });
    play.lose('edit');
    for (let index = 0; index < 5; index += 1) await turn();
    expect(play.world.tracker.bug(1)?.summary).toBe('A better title');
  });

  test('is parked with the reason when the tracker loses it again and again', async () => {
    const play = await pair();
    play.world.github.as('mona').edit(repo, play.issue, { title: 'A better title' });
    play.lose('edit', Number.MAX_SAFE_INTEGER);
    const before = play.asked('update');
    await play.turns(12);
    expect(play.asked('update')[0]).toBe((before[0] ?? 0) + limits.attempts);
    expect(play.world.store.outbox.parked('widget').map(({ why }) => why)).toEqual([
      'the tracker reported 3 times that it had stored title, but never showed it',
    ]);
    expect(play.world.github.issue(repo, play.issue)?.title).toBe('A better title');
    expect(statusOf(play.world.store, plainRoute, { tracker: [], github: [] }, play.world.clock.now()).isInStep).toBe(
      false,
    );
  });

  test('leaves the route out of step until it stands', async () => {
    const play = await pair();
    const isInStep = () =>
      statusOf(play.world.store, plainRoute, { tracker: [], github: [] }, play.world.clock.now()).isInStep;
    await play.turns(2);
    expect(isInStep()).toBe(true);
    play.world.github.as('mona').comment(repo, play.issue, 'Seen again.');
    play.lose('create', Number.MAX_SAFE_INTEGER);
    await play.turns(3);
    expect(copies(play, 'Seen again.')).toBe(0);
    expect(isInStep()).toBe(false);
    play.world.faults = noFaults;
    await play.turns(5);
    expect(copies(play, 'Seen again.')).toBe(1);
    expect(isInStep()).toBe(true);
  });
});

describe('a comment that the tracker answers', () => {
  test('is written again when it was lost, once', async () => {
    const play = await pair();
    play.world.github.as('mona').comment(repo, play.issue, 'Seen again.');
    play.lose('create');
    await play.turns(6);
    expect(copies(play, 'Seen again.')).toBe(1);
    expect(play.world.store.receipts.ofRoute('widget')).toEqual([]);
  });

  test('is not written again while its thread lags behind', async () => {
    const play = await pair();
    play.world.github.as('mona').comment(repo, play.issue, 'Seen again.');
    await play.turn();
    const old = play.world.tracker.state.comments.get(1)?.length ?? 0;
    const lagging = (context: Context): Context => ({
      ...context,
      tracker: {
        ...context.tracker,
        threads: async (asks) =>
          (await context.tracker.threads(asks)).map((thread) => ({
            ...thread,
            comments: thread.comments.slice(0, old - 1),
          })),
      },
    });
    for (let index = 0; index < 4; index += 1) await play.turn(lagging);
    await play.turns(3);
    expect(copies(play, 'Seen again.')).toBe(1);
    expect(
      play.world.store.commentLinks
        .ofLink(play.world.store.links.after('widget', null, 1)[0]?.id ?? (0 as never))
        .map(({ state }) => state),
    ).not.toContain('gone');
  });

  test('is not written again where the tracker made it private', async () => {
    const play = await pair();
    play.world.github.as('mona').comment(repo, play.issue, 'Seen again.');
    await play.turn();
    const written = play.world.tracker.commentsOf(1).at(-1)?.id ?? 0;
    play.world.tracker.as('admin').change(1, { comment_is_private: { [String(written)]: true } });
    await play.turns(6);
    expect(copies(play, 'Seen again.')).toBe(1);
  });

  test('is written in its present form if it was lost and edited meanwhile, and its edit is not reported as well', async () => {
    const play = await pair();
    const mona = play.world.github.as('mona');
    const said = mona.comment(repo, play.issue, 'Seen twice.');
    play.lose('create');
    await play.turn();
    mona.editComment(repo, said, 'Seen thrice.');
    await play.turns(6);
    expect([copies(play, 'twice'), copies(play, 'thrice')]).toEqual([0, 1]);
  });

  test('says an edit again that was lost', async () => {
    const play = await pair();
    const mona = play.world.github.as('mona');
    const said = mona.comment(repo, play.issue, 'Seen twice.');
    await play.turns(2);
    mona.editComment(repo, said, 'Seen thrice.');
    play.lose('create');
    await play.turns(6);
    expect(copies(play, 'thrice')).toBe(1);
  });
});

describe('what else the tracker answers and loses', () => {
  test('a new bug is filed again, once', async () => {
    const play = await pair();
    play.world.github.as('mona').open(repo, { title: 'From GitHub', body: 'It fails.' });
    play.lose('create');
    await play.turns(6);
    expect(play.world.tracker.bugs().map(({ id, summary }) => [id, summary])).toEqual([
      [1, 'A bug'],
      [3, 'From GitHub'],
    ]);
    expect(play.world.github.issues(repo)).toHaveLength(2);
  });

  test('the address of the issue is put into the bug again', async () => {
    const world = stage();
    world.tracker.as('alice').file({ summary: 'A bug', description: 'It fails.' });
    let left = 1;
    world.faults = (side, cost) => {
      if (side !== 'tracker' || cost !== 'edit' || left === 0) return { kind: 'none' };
      left -= 1;
      return { kind: 'lost' };
    };
    for (let index = 0; index < 6; index += 1) {
      world.clock.advance(61_000);
      await cycle(contextOn(world, plainRoute, { limits }), { isForced: false });
    }
    expect(left).toBe(0);
    expect(world.tracker.bug(1)?.see_also).toEqual([`https://github.com/${repo}/issues/1`]);
  });
});

test('what is stored costs no request more', async () => {
  const play = await pair();
  const mona = play.world.github.as('mona');
  mona.edit(repo, play.issue, { title: 'A better title' });
  mona.comment(repo, play.issue, 'Seen again.');
  mona.open(repo, { title: 'From GitHub', body: 'It fails.' });
  await play.turns(4);
  expect(play.asked('bugs', 'history', 'commentAt', 'probe')).toEqual([0, 0, 0, 0]);
  expect(play.world.store.receipts.ofRoute('widget')).toEqual([]);
});

test.each([
  ['tracker', 'a whole cycle'],
  ['github', 'a whole cycle'],
  ['tracker', 'a cycle that fails after it'],
  ['github', 'a cycle that fails after it'],
] as const)(
  'what people take back after a reading showed an update without an answer stays so: on %s, in %s',
  async (on, of) => {
    const world = stage();
    const slow = { ...testLimits, settleMs: 30_000 };
    const context = contextOn(world, widgetRoute, { limits: slow });
    const pass = async (afterMs: number): Promise<void> => {
      world.clock.advance(afterMs);
      await cycle(context, { isForced: false }).catch((failure: unknown) => {
        if (!(failure instanceof SideError)) throw failure;
      });
    };
    const [alice, mona] = [world.tracker.as('alice'), world.github.as('mona')];
    const bug = alice.file({ summary: 'It fails' });
    for (let count = 0; count < 2; count += 1) await pass(61_000);
    const name = {
      tracker: (words: string) => void alice.change(bug, { summary: words }),
      github: (words: string) => void mona.edit(repo, 1, { title: words }),
    };
    name[on === 'tracker' ? 'github' : 'tracker']('It fails on Mondays');
    let isLost = false;
    world.faults = (side, cost) => {
      if (side !== on || cost !== 'edit' || isLost) return { kind: 'none' };
      isLost = true;
      return { kind: 'drop', after: true };
    };
    await pass(61_000);
    let hasFailed = of === 'a whole cycle';
    world.between = (_side, method, when) => {
      if (when !== 'before' || method !== 'lookAt' || hasFailed) return;
      hasFailed = true;
      throw new SideError('later', 'The tracker is down', { side: 'tracker' });
    };
    await pass(2_000);
    expect([isLost, hasFailed]).toEqual([true, true]);
    name[on]('It fails');
    for (let count = 0; count < 4; count += 1) await pass(61_000);
    expect([world.tracker.bug(bug)?.summary, world.github.issue(repo, 1)?.title]).toEqual(['It fails', 'It fails']);
  },
);

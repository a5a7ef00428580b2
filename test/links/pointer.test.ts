/** I15: when a bug gets the address of its issue, counted in the mails that its followers get: one for each write. */

import { describe, expect, test } from 'vitest';
import type { Context } from '../../src/kernel/context.ts';
import type { Outcome } from '../../src/model/outcome.ts';
import type { PointerPolicy, Route } from '../../src/model/route.ts';
import { cycle } from '../../src/sync/cycle.ts';
import { contextOn, repo, type Stage, stage } from '../simulation/stage.ts';
import { type Fault, plant } from '../support/plant.ts';
import { testLimits, widgetRoute } from '../support/routes.ts';

type Turn = typeof cycle;

interface Play {
  readonly world: Stage;
  /** Three cycles; answers the patches and comments that the tracker got. */
  turn(): Promise<readonly unknown[]>;
}

/** Three bugs that were there before the bridge, mirrored. */
async function mirrored(
  pointer: PointerPolicy,
  { cycle: next = cycle, alter = (context: Context) => context } = {},
): Promise<Play> {
  const world = stage();
  const route: Route = { ...widgetRoute, pointer };
  const context = alter(contextOn(world, route, { limits: testLimits }));
  for (const summary of ['One', 'Two', 'Three']) world.tracker.as('alice').file({ summary });
  const play: Play = {
    world,
    async turn() {
      const before = world.calls.length;
      for (let index = 0; index < 3; index += 1) {
        world.clock.advance(61_000);
        await next(context, { isForced: false });
      }
      const writes = world.calls
        .slice(before)
        .filter(({ side, method }) => side === 'tracker' && ['update', 'comment'].includes(method));
      return writes.map(({ args }) => args[1]);
    },
  };
  return play;
}

const url = (issue: number): string => `https://github.com/${repo}/issues/${issue}`;
const named = ({ tracker }: Stage): readonly (readonly string[])[] => tracker.bugs().map(({ see_also }) => see_also);
const issueOf = ({ github }: Stage, title: string): number =>
  github.issues(repo).find((issue) => issue.title === title)?.number ?? 0;

/** An account that may not edit See Also: such an answer is a refusal of the whole request. */
const withoutSeeAlso = (context: Context): Context => ({
  ...context,
  tracker: {
    ...context.tracker,
    update: async (bug, patch): Promise<Awaited<ReturnType<Context['tracker']['update']>>> =>
      patch.seeAlso === undefined ? context.tracker.update(bug, patch) : refused,
  },
});
const refused = { kind: 'refused', why: 'You are not allowed to edit See Also' } as const satisfies Outcome<never>;

/** Renames two issues, one of them twice. Answers what the tracker got. */
async function renamed(play: Play): Promise<readonly unknown[]> {
  const { github } = play.world;
  const [one, two] = [issueOf(play.world, 'One'), issueOf(play.world, 'Two')];
  github.as('mona').edit(repo, one, { title: 'One, again' });
  github.as('mona').edit(repo, two, { title: 'Two, again' });
  const first = await play.turn();
  github.as('mona').edit(repo, one, { title: 'One, at last' });
  return [...first, ...(await play.turn())];
}

describe('with the next change', () => {
  test('a backfill sends no mail, and the address goes with what crosses anyway', async () => {
    const play = await mirrored('with-next-change');
    expect(await play.turn()).toEqual([]);
    const [one, two] = [issueOf(play.world, 'One'), issueOf(play.world, 'Two')];
    expect(await renamed(play)).toEqual([
      { summary: 'One, again', seeAlso: url(one) },
      { summary: 'Two, again', seeAlso: url(two) },
      { summary: 'One, at last' },
    ]);
    expect(named(play.world)).toEqual([[url(one)], [url(two)], []]);
    expect(await play.turn()).toEqual([]);
  });

  test('a tracker that refuses the address gets it as a comment, in the same request and once', async () => {
    const play = await mirrored('with-next-change', { alter: withoutSeeAlso });
    await play.turn();
    const one = issueOf(play.world, 'One');
    const writes = await renamed(play);
    expect(writes).toHaveLength(3);
    expect(writes[0]).toEqual({ summary: 'One, again', comment: expect.stringContaining(url(one)) });
    expect(writes[2]).toEqual({ summary: 'One, at last' });
    expect(play.world.github.commentsOf(repo, one)).toEqual([]);
  });

  test('an address that the tracker says it stored, and never shows, does not hold up a change', async () => {
    const deaf = (context: Context): Context => ({
      ...context,
      tracker: {
        ...context.tracker,
        update: async (bug, { seeAlso: _lost, ...patch }) => context.tracker.update(bug, patch),
      },
    });
    const play = await mirrored('with-next-change', { alter: deaf });
    await play.turn();
    await renamed(play);
    expect(play.world.tracker.bugs().map(({ summary }) => summary)).toEqual(['One, at last', 'Two, again', 'Three']);
    expect(play.world.store.outbox.parked('widget')).toEqual([]);
  });
});

test('now: each bug gets it at once, in a request of its own', async () => {
  const play = await mirrored('now');
  const writes = await play.turn();
  expect(writes.map((patch) => Object.keys(patch as object))).toEqual([['seeAlso'], ['seeAlso'], ['seeAlso']]);
  expect(named(play.world).flat()).toHaveLength(3);
});

test('never: no bug gets it, whatever crosses', async () => {
  const play = await mirrored('never');
  await play.turn();
  expect(await renamed(play)).toEqual([
    { summary: 'One, again' },
    { summary: 'Two, again' },
    { summary: 'One, at last' },
  ]);
});

test('a bug that is filed from an issue names it from the start, without a write of its own', async () => {
  const play = await mirrored('with-next-change');
  await play.turn();
  play.world.github.as('mona').open(repo, { title: 'Four' });
  expect(await play.turn()).toEqual([]);
  expect(named(play.world).at(-1)).toEqual([url(issueOf(play.world, 'Four'))]);
});

describe('planted faults', () => {
  const load = async (fault: Fault): Promise<Turn> => (await import(`${plant(fault)}/sync/cycle.ts`)).cycle;

  test.each([
    [
      'the address never goes along',
      { file: 'rules/links/match.ts', from: '{ ...operation, isPointing: true }', to: 'operation' },
    ],
    ['it goes along each time', { file: 'rules/links/match.ts', from: ' && !pointed.tracker ? {', to: ' ? {' }],
    [
      'it has a request of its own',
      { file: 'rules/links/match.ts', from: "pointer === 'now'", to: "pointer !== 'never'" },
    ],
  ] as const)('%s', async (_, fault) => {
    const play = await mirrored('with-next-change', { cycle: await load(fault) });
    const first = await play.turn();
    const writes = [...first, ...(await renamed(play))];
    const along = writes.filter((patch) => Object.keys(patch as object).length === 2);
    expect([first.length, along.length]).not.toEqual([0, 2]);
  });
});

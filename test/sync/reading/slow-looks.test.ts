/** I11, I9: reads that take many bugs at once, or many pages of one issue, end in time, and find all others. */

import { describe, expect, test } from 'vitest';
import type { Context } from '../../../src/kernel/context.ts';
import { inCycle } from '../../../src/kernel/patience.ts';
import type { Side } from '../../../src/model/ids.ts';
import type { TrackerReplica } from '../../../src/model/replica.ts';
import type { Route } from '../../../src/model/route.ts';
import { cycle } from '../../../src/sync/cycle.ts';
import { contextOn, repo, type Stage, stage } from '../../simulation/stage.ts';
import { testLimits, widgetRoute } from '../../support/routes.ts';

const limits = { ...testLimits, writesPerCycle: 500 };
const [slowMax, count] = [40, 42];

interface House {
  readonly world: Stage;
  readonly context: Context;
  /** How long a request takes; beyond a minute it is not answered. */
  delayMs: (side: Side, address: URL) => number;
  /** What becomes of an answer. */
  spoil: (answer: Response, side: Side, address: URL) => Promise<Response>;
  /** Returns how many minutes that took. */
  minutes(run: (context: Context) => Promise<unknown>): Promise<number>;
}

async function mirrored(visibilityCheck: Route['visibilityCheck'] = 'none'): Promise<House> {
  const world = stage();
  const { tracker, github, clock } = { ...world, ...world.servers };
  const slowly =
    (side: Side, send: typeof fetch): typeof fetch =>
    async (input, init) => {
      const address = new URL(String(input));
      const ms = found.delayMs(side, address);
      clock.advance(Math.min(ms, 60_000));
      if (ms <= 60_000) return found.spoil(await send(input, init), side, address);
      throw Object.assign(new Error('The operation was aborted due to timeout'), { name: 'TimeoutError' });
    };
  Object.assign(world.servers, { tracker: slowly('tracker', tracker), github: slowly('github', github) });
  const route: Route = { ...widgetRoute, visibilityCheck };
  const found: House = {
    world,
    context: contextOn(world, route, { limits, edges: { pageSize: 100 } }),
    delayMs: () => 0,
    spoil: async (answer) => answer,
    async minutes(run) {
      clock.advance(61_000);
      const beganAt = clock.now();
      await run(found.context);
      return (clock.now() - beganAt) / 60_000;
    },
  };
  for (let at = 1; at <= count; at += 1) world.tracker.as('alice').file({ summary: `Pan ${at}`, description: 'Hot.' });
  for (let at = 0; at < 6; at += 1) await found.minutes(oneCycle);
  expect(world.github.issues(repo)).toHaveLength(count);
  return found;
}

const oneCycle = (context: Context): Promise<unknown> => cycle(context, { isForced: true });

/** Whether a request is about any of the first bugs, by their numbers. */
const isAboutFirst =
  (most: number, path: RegExp) =>
  ({ pathname, searchParams }: URL): boolean => {
    const [, one] = path.exec(pathname) ?? [];
    if (one === undefined) return false;
    const listed = ['id', 'ids'].flatMap((name) => searchParams.getAll(name).flatMap((ids) => ids.split(',')));
    return [...(one === '' ? [] : [one]), ...listed].some((id) => Number(id) <= most);
  };

const titleOf = ({ github }: Stage, issue: number): string =>
  github.issues(repo).find(({ number }) => number === issue)?.title ?? '';

describe.each(['anonymous', 'none'] as const)(
  'the tracker never answers a look at some bugs (%s)',
  (visibilityCheck) => {
    test.each([1, 3])('%i of 42: what is hidden goes, and cycles end', async (most) => {
      const found = await mirrored(visibilityCheck);
      const { world } = found;
      const isSlow = isAboutFirst(most, /\/rest\/bug()$/u);
      found.delayMs = (side, address) => (side === 'tracker' && isSlow(address) ? 61_000 : 0);
      const minutes = [await found.minutes(oneCycle)];
      world.tracker.as('admin').change(count, { groups: { add: ['security'] } });
      world.tracker.as('alice').change(count - 1, { summary: 'Pot' });
      minutes.push(await found.minutes(oneCycle));
      expect([titleOf(world, count), titleOf(world, count - 1)]).toEqual([`Bug ${count} is not public`, 'Pot']);
      for (let at = 0; at < 3; at += 1) minutes.push(await found.minutes(oneCycle));
      expect(Math.max(...minutes)).toBeLessThan(5);
      expect(Math.max(...minutes.slice(2))).toBeLessThan(3);
    });
  },
);

const bugs = Array.from({ length: count }, (_none, at) => at + 1);
type Ask = (tracker: TrackerReplica) => Promise<readonly number[]>;
const reads: readonly (readonly [string, RegExp, Ask])[] = [
  ['bugs', /\/bug\/(\d+)$/u, async (tracker) => (await tracker.bugs(bugs)).map(({ id }) => id)],
  [
    'changes',
    /\/bug\/(\d+)\/history$/u,
    async (tracker) => {
      const { unread } = await tracker.history(bugs, 0);
      return bugs.filter((bug) => !unread.includes(bug));
    },
  ],
  ['pull requests', /\/bug\/(\d+)\/attachment$/u, async (tracker) => [...(await tracker.shownPulls(bugs)).keys()]],
];

test.each(reads)('40 bugs about whose %s the tracker does not answer', async (_what, path, ask) => {
  const found = await mirrored();
  const isSlow = isAboutFirst(slowMax, path);
  found.delayMs = (side, address) => (side === 'tracker' && isSlow(address) ? 61_000 : 0);
  const seen = new Set<number>();
  const minutes: number[] = [];
  while (seen.size < 2 && minutes.length < 45)
    minutes.push(
      await found.minutes(async (context) => {
        for (const bug of await ask(inCycle(context).tracker)) seen.add(bug);
      }),
    );
  expect([[...seen].toSorted(), Math.max(...minutes) < 5]).toEqual([[count - 1, count], true]);
  expect(minutes.length).toBeLessThan(45);
});

test('an issue whose comments come in 100 slow pages holds up no other one', async () => {
  const found = await mirrored();
  const { world } = found;
  const mona = world.github.as('mona');
  const last = mona.comment(repo, 1, 'Hot.');
  await found.minutes(oneCycle);
  mona.deleteComment(repo, last);
  const isThread = (side: Side, { pathname }: URL): boolean =>
    side === 'github' && pathname.endsWith('/issues/1/comments');
  found.delayMs = (side, address) => (isThread(side, address) ? 20_000 : 0);
  found.spoil = async (answer, side, address) => {
    if (!isThread(side, address) || answer.status !== 200) return answer;
    const next = new URL(address);
    next.searchParams.set('page', String(Number(next.searchParams.get('page') ?? 1) + 1));
    const headers = { ...Object.fromEntries(answer.headers), link: `<${next}>; rel="next"` };
    return new Response(await answer.text(), { headers });
  };
  for (let at = 1; at <= 3; at += 1) mona.edit(repo, at, { title: `Pot ${at}` });
  const minutes = [await found.minutes(oneCycle), await found.minutes(oneCycle)];
  expect([2, 3].map((bug) => world.tracker.bug(bug)?.summary)).toEqual(['Pot 2', 'Pot 3']);
  expect(Math.max(...minutes)).toBeLessThan(5);
});

import { expect, test } from 'vitest';
import { statusOf } from '../../src/explain/route-status.ts';
import type { Allowance } from '../../src/rules/limits/brake-and-budget.ts';
import { cycle } from '../../src/sync/cycle.ts';
import { contextOn, stage } from '../simulation/stage.ts';
import { testLimits, widgetRoute } from '../support/routes.ts';

/** When a backlog will be mirrored, as status and plan say, on a virtual clock: it counts down, and is right. */
const rising: readonly Allowance[] = [
  { windowMs: 60_000, pointsMax: 15, risesTo: 80, name: 'creations a minute' },
  { windowMs: 3_600_000, pointsMax: 120, risesTo: 500, name: 'creations an hour' },
];
const fixed: readonly Allowance[] = [{ windowMs: 3_600_000, pointsMax: 40, name: 'creations an hour' }];
const fast: readonly Allowance[] = [
  { windowMs: 60_000, pointsMax: 80, name: 'creations a minute' },
  { windowMs: 3_600_000, pointsMax: 500, name: 'creations an hour' },
];
const minuteMs = 60_000;

interface Sample {
  readonly at: number;
  readonly leftMs: number;
  /** What the status says of it; null while it says nothing. */
  readonly words: string | null;
  readonly writes: number;
}

/** What the forecast says after each cycle, until nothing is left. */
async function backfill(bugs: number, comments: number, github: readonly Allowance[]): Promise<readonly Sample[]> {
  const world = stage();
  const [alice, bob] = [world.tracker.as('alice'), world.tracker.as('bob')];
  for (let bug = 1; bug <= bugs; bug += 1) {
    alice.file({ summary: `Problem ${bug}`, description: 'It fails.' });
    for (let each = 0; each < comments; each += 1) bob.comment(bug, `Comment ${each} on ${bug}.`);
  }
  const route = { ...widgetRoute, direction: 'to-github' as const };
  const allowances = { tracker: [], github };
  const context = contextOn(world, route, { limits: { ...testLimits, writesPerCycle: 200 }, allowances });
  const samples: Sample[] = [];
  for (let turn = 0; turn < 1_000; turn += 1) {
    world.clock.advance(minuteMs);
    await cycle(context, { isForced: false });
    const at = world.clock.now();
    const { catchUpMs, progress, verdict } = statusOf(world.store, route, allowances, at);
    const words = /done about .*/u.exec(verdict.counts)?.[0] ?? null;
    samples.push({ at, leftMs: catchUpMs, writes: progress.writes, words });
    if (progress.writes === 0) return samples;
  }
  throw new Error('The backlog never ended.');
}

/** Cycles come each minute, and the last write waits for one. */
const grainMs = 4 * minuteMs;

test.each([
  ['at a rate that rises', 150, 0, rising],
  ['with comments, at a fixed rate', 30, 1, fixed],
  ['of long threads, at a rate that rises', 10, 40, rising],
  ['of threads, at a rate that rises', 40, 4, rising],
  ['of 80 a minute, with comments', 80, 3, fast],
] as const)(
  'a backlog %s: the forecast is right within 20 %% and counts down',
  async (_name, bugs, comments, github) => {
    const samples = await backfill(bugs, comments, github);
    const endAt = samples.at(-1)?.at ?? 0;
    const wrong = samples.filter(
      ({ at, leftMs }) => Math.abs(leftMs - (endAt - at)) > Math.max(grainMs, (endAt - at) * 0.2),
    );
    expect(wrong.map(({ at, leftMs }) => [(endAt - at) / minuteMs, leftMs / minuteMs])).toEqual([]);
    const rises = samples.filter(({ leftMs }, index) => leftMs > (samples[index - 1]?.leftMs ?? leftMs) + grainMs);
    expect(rises).toEqual([]);
  },
);

test('while the first read is not complete, nobody knows when it is done', async () => {
  const samples = await backfill(300, 0, [{ windowMs: 60_000, pointsMax: 80, name: 'creations a minute' }]);
  const words = samples.slice(0, -1).map((each) => each.words);
  expect(words[0]).toBeNull();
  expect(words.at(-1)).toMatch(/^done about /u);
});

test('a request in flight is no doubt, and its bug is one that is not mirrored yet', async () => {
  const world = stage();
  for (const summary of ['One', 'Two']) world.tracker.as('alice').file({ summary, description: 'It fails.' });
  const allowances = { tracker: [], github: [] };
  const route = { ...widgetRoute, direction: 'to-github' as const };
  const context = contextOn(world, route, { limits: testLimits, allowances });
  const status = (laterMs: number) => statusOf(world.store, route, allowances, world.clock.now() + laterMs);
  const seen: (readonly [counts: string, doubts: number, doubtsLater: number])[] = [];
  world.between = (side, method, when) => {
    if (side === 'github' && method === 'create' && when === 'before')
      seen.push([status(0).verdict.counts, status(59_000).doubts.length, status(60_000).doubts.length]);
  };
  for (let turn = 0; turn < 3; turn += 1) {
    world.clock.advance(minuteMs);
    await cycle(context, { isForced: false });
  }
  expect(seen).toEqual([
    [expect.stringContaining('0 of 2 mirrored'), 0, 1],
    [expect.stringContaining('1 of 2 mirrored'), 0, 1],
  ]);
  for (const [counts] of seen) expect(counts).not.toContain('in doubt');
});

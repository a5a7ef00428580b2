import { expect, test } from 'vitest';
import { creationsLeft, msUntilDone, workIn } from '../../src/explain/forecast.ts';
import { totalsInWords, totalsOf } from '../../src/explain/plan-totals.ts';
import { statusOf } from '../../src/explain/route-status.ts';
import type { Allowance } from '../../src/rules/limits/brake-and-budget.ts';
import { cycle } from '../../src/sync/cycle.ts';
import { previewOf } from '../../src/sync/preview.ts';
import { contextOn, repo, stage } from '../simulation/stage.ts';
import { branchRule, testLimits, widgetRoute } from '../support/routes.ts';

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
  readonly mirrored: number;
}

interface Backlog {
  readonly bugs: number;
  readonly issues?: number;
  /** Of each bug and issue, by its number. */
  readonly comments: number | readonly number[];
  /** Of each bug. */
  readonly files?: number | readonly number[];
  readonly writesPerCycle?: number;
}

/** The same for each, or one after the other and from the beginning again. */
const of = (counts: number | readonly number[], number: number): number =>
  typeof counts === 'number' ? counts : (counts[number % counts.length] ?? 0);

/** What a plan says of a backlog before the first cycle, and status after each, until nothing is left. */
async function backfill(backlog: Backlog, github: readonly Allowance[]): Promise<readonly Sample[]> {
  const { world, context, route, allowances } = prepare(backlog, github);
  const samples: Sample[] = [await planned(prepare(backlog, github))];
  for (let turn = 0; turn < 1_000; turn += 1) {
    world.clock.advance(minuteMs);
    await cycle(context, { isForced: false });
    const at = world.clock.now();
    const { catchUpMs, progress, verdict } = statusOf(world.store, route, allowances, at);
    const words = /done (?:about|after) .*/u.exec(verdict.counts)?.[0] ?? null;
    samples.push({ at, leftMs: catchUpMs, writes: progress.writes, mirrored: progress.mirrored, words });
    if (progress.writes === 0) return samples;
  }
  throw new Error('The backlog never ended.');
}

/** In a world of its own, because a plan uses up the allowances of the next cycle. */
async function planned({ world, context, route, allowances }: Prepared): Promise<Sample> {
  world.clock.advance(minuteMs);
  const at = world.clock.now();
  const { writesPerCycle } = allowances;
  const creations = creationsLeft(world.store, allowances.github, at);
  const found = await previewOf(context);
  const left = workIn(world.store, route);
  const totals = totalsOf({ ...found, left }, { ...unlimited, creations, writesPerCycle }, at);
  const words =
    /done (?:about|after) [^.]*/u.exec(
      totalsInWords(totals, found.unplanned, { route: route.name, rest: null }).join(' '),
    )?.[0] ?? null;
  return { at, leftMs: totals.durationMs, words, writes: left.known, mirrored: 0 };
}

const unlimited = { pointsPerMinute: Infinity, pauseBetweenWritesMs: 0, trackerRequestsPerSecond: Infinity };

type Prepared = ReturnType<typeof prepare>;

function prepare(
  { bugs, issues = 0, comments, files = 0, writesPerCycle = 200 }: Backlog,
  github: readonly Allowance[],
) {
  const world = stage();
  const [alice, bob] = [world.tracker.as('alice'), world.tracker.as('bob')];
  for (let bug = 1; bug <= bugs; bug += 1) {
    alice.file({ summary: `Problem ${bug}`, description: 'It fails.' });
    for (let each = 0; each < of(comments, bug); each += 1) bob.comment(bug, `Comment ${each} on ${bug}.`);
    for (let each = 0; each < of(files, bug); each += 1)
      alice.attach(bug, { file_name: `${each}.txt`, bytes: Buffer.from(`File ${each} of ${bug}`) });
  }
  const mona = world.github.as('mona');
  // Issues of one second could be one that people transferred, which costs questions.
  for (let each = 1; each <= issues; each += 1) {
    world.clock.advance(2_000);
    const issue = mona.open(repo, { title: `Problem ${each}`, body: 'It fails.' });
    for (let count = 0; count < of(comments, each); count += 1)
      mona.comment(repo, issue, `Comment ${count} on ${issue}.`);
  }
  const attachments = files === 0 ? null : branchRule;
  const route = {
    ...widgetRoute,
    direction: issues === 0 ? ('to-github' as const) : bugs === 0 ? ('to-tracker' as const) : ('both' as const),
    attachments,
  };
  const allowances = { tracker: [], github, writesPerCycle };
  const context = contextOn(world, route, { limits: { ...testLimits, writesPerCycle }, allowances });
  return { world, route, allowances, context };
}

/** Cycles come each minute, and the last write waits for one. */
const grainMs = 4 * minuteMs;

test.each([
  ['at a rate that rises', { bugs: 150, comments: 0 }, rising],
  ['with comments, at a fixed rate', { bugs: 30, comments: 1 }, fixed],
  ['of long threads, at a rate that rises', { bugs: 10, comments: 40 }, rising],
  ['of threads, at a rate that rises', { bugs: 40, comments: 4 }, rising],
  ['of 80 a minute, with comments', { bugs: 80, comments: 3 }, fast],
  ['cut to 5 writes a cycle', { bugs: 60, comments: 2, writesPerCycle: 5 }, fast],
  ['cut to 20 writes a cycle', { bugs: 60, comments: 3, writesPerCycle: 20 }, fast],
  ['of long threads, cut to 10 writes a cycle', { bugs: 12, comments: 30, writesPerCycle: 10 }, fast],
  ['cut to 10 writes a cycle, at a rate that rises', { bugs: 40, comments: 3, writesPerCycle: 10 }, rising],
  ['with files', { bugs: 40, comments: 1, files: 2 }, rising],
  ['with files, cut to 10 writes a cycle', { bugs: 40, comments: 1, files: 3, writesPerCycle: 10 }, fast],
  [
    'with files, cut to 20 writes, at a rate that rises',
    { bugs: 40, comments: 2, files: 2, writesPerCycle: 20 },
    rising,
  ],
] as const)('a backlog %s: the forecast is right within a fifth and counts down', async (_name, backlog, github) => {
  judge(await backfill(backlog, github));
});

function judge(samples: readonly Sample[]): void {
  const endAt = samples.at(-1)?.at ?? 0;
  const roomMs = ({ at }: Sample): number => Math.max(grainMs, (endAt - at) * 0.2);
  // While the first read is not complete, nothing is said.
  const told = samples.filter(({ words, writes }) => words?.includes('about') || writes === 0);
  const wrong = told.filter((each) => Math.abs(each.leftMs - (endAt - each.at)) > roomMs(each));
  expect(wrong.map(({ at, leftMs }) => [(endAt - at) / minuteMs, leftMs / minuteMs])).toEqual([]);
  const rises = told.filter((each, index) => each.leftMs > (told[index - 1]?.leftMs ?? each.leftMs) + roomMs(each));
  expect(rises).toEqual([]);
  const early = samples.filter(({ at, leftMs, words }) => words?.includes('after') && leftMs > endAt - at + grainMs);
  expect(early).toEqual([]);
  expect(told.length).toBeGreaterThan(samples.length / 2);
}

test('issues that become bugs, cut to 10 writes a cycle: the forecast is right within a fifth and counts down', async () => {
  const samples = await backfill({ bugs: 0, issues: 60, comments: 3, writesPerCycle: 10 }, fast);
  judge(samples);
});

const [uneven, someFiles] = [
  [1, 0, 12, 1, 0, 3, 1, 0, 8, 2],
  [0, 0, 1, 0, 4, 0, 0, 1, 0, 0],
];

/** Of a bug whose turn did not come yet, nobody knows how long it is, until the first twenty say what is usual. */
test.each<[string, Backlog, readonly Allowance[]]>([
  ['bugs, cut to 5 writes a cycle', { bugs: 60, comments: uneven, writesPerCycle: 5 }, fast],
  ['bugs with files, cut to 5', { bugs: 60, comments: uneven, files: someFiles, writesPerCycle: 5 }, fast],
  ['issues, cut to 5', { bugs: 0, issues: 60, comments: uneven, writesPerCycle: 5 }, fast],
  ['both, cut to 5', { bugs: 30, issues: 30, comments: uneven, writesPerCycle: 5 }, fast],
  ['bugs, at a rate that rises', { bugs: 90, comments: uneven }, rising],
  ['bugs, cut to 10, at a rate that rises', { bugs: 90, comments: uneven, writesPerCycle: 10 }, rising],
])(
  'threads of uneven length of %s: the forecast is right within a fifth, or says the least',
  async (_name, backlog, github) => judge(await backfill(backlog, github)),
);

test('while the first read is not complete, nobody knows when it is done', async () => {
  const samples = await backfill({ bugs: 300, comments: 0 }, [
    { windowMs: 60_000, pointsMax: 80, name: 'creations a minute' },
  ]);
  const words = samples.slice(0, -1).map((each) => each.words);
  expect(words[1]).toBeNull();
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

test('what no allowance holds back still takes the pause after each write', () => {
  const left = fast.map(({ windowMs, pointsMax }) => ({ left: pointsMax, max: pointsMax, windowMs }));
  const until = (creations: number) =>
    msUntilDone({ creations, others: 6 }, () => left, { pauseBetweenWritesMs: 1_000 });
  expect([until(144), until(14)]).toEqual([150_000, 0]);
});

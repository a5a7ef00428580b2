import { expect, test } from 'vitest';
import { cycle } from '../../src/sync/cycle.ts';
import { sweep } from '../../src/sync/sweep.ts';
import { type Fault, plant } from '../support/plant.ts';
import { perTier, sample, some } from '../tiers/depth.ts';
import { keepCanaries } from './canary.ts';
import type { Engine } from './simulate.ts';
import { builtRooms, type Rooms } from './world/leaks.ts';

/** I9 under flips of visibility, faults, limits and crashes. SEEDS and SEED choose how many and from which. */
const count = Number(process.env['SEEDS'] ?? perTier({ check: 10, test: 20, deep: 120 }));
const first = Number(process.env['SEED'] ?? 1);
const hundreds = Array.from({ length: Math.ceil(count / 100) }, (_, index) => first + index * 100);

test.each(hundreds)(
  'no request holds what is hidden, and nothing hidden is left published, from seed %i',
  async (from) => {
    for (let seed = from; seed < Math.min(from + 100, first + count); seed += 1) {
      const { violations } = await keepCanaries({ cycle, sweep }, seed, { hasWriters: true });
      expect(violations, `replay with: npm run sim -- --canaries --seeds 1 --from ${seed}`).toEqual([]);
    }
  },
);

test('nor while somebody without rights does all that she can', async () => {
  for (let seed = first; seed < first + count / 4; seed += 1) {
    const { violations } = await keepCanaries({ cycle, sweep }, seed, { hasMallory: true });
    expect(violations, `replay with: npm run sim -- --canaries --mallory --seeds 1 --from ${seed}`).toEqual([]);
  }
});

test.each([
  [700_000_341, 'GitHub failed on the comments of a hidden bug, and nobody asked for them again'],
  [
    891_002_004,
    'an issue that a bug names could not be read three times in a minute, and was left alone for half an hour',
  ],
  [600_004_967, 'the tracker failed on the comments of a bug, which was hidden then and stayed set aside'],
  [912_000_086, 'the same of what readers without an account are shown of a bug'],
  [900_006_241, 'the address of a file that was hidden, with its name, stayed in a comment on another bug'],
  [900_003_532, 'a bug was shown for a moment at the end of a list, and the list counted as cut'],
])('seed %i holds: %s', async (seed) => {
  expect((await keepCanaries({ cycle, sweep }, seed, { hasMallory: true })).violations).toEqual([]);
});

/** Worlds in which something once went wrong, on a tracker 5.2. */
const onStock: readonly (readonly [seed: number, why: string])[] = [
  [
    1215,
    'a copy that was erased, whose answer was lost, and whose original was public again, counted as deleted by people',
  ],
  [
    616,
    'a bug was hidden while its comments were read, and shown again before the visibility check: an old check of a comment was still valid',
  ],
  [14, 'a page and explain told the title of a bug that had become private'],
  [20, 'explain told the name of a file that had become private'],
  [600_000_753, 'the ledger got what became of a request before it was known that its bug was hidden'],
  [600_000_842, 'the same'],
  [700_001_429, 'and of a bug that nobody asked for, as nothing was planned for it'],
  [700_003_473, 'the same'],
  [
    757_101_442,
    'a bug that waited for its issue was hidden, renamed and shown again: the old check held, and the issue got the title of before',
  ],
  [
    700_000_503,
    'a bug was hidden just before a write of ours, whose answer counted as younger than a list that showed it hidden',
  ],
];

test.each(some(onStock, 5))('seed %i holds: %s', async (seed) => {
  expect((await keepCanaries({ cycle, sweep }, seed, { version: '5.2' })).violations).toEqual([]);
});

/** The same, on the version that the seed says. */
const onAny: typeof onStock = [
  [927_948, 'a comment was written again, of a bug that a look had missed, as the bug could not be read'],
  [927_840, 'two bugs moved to another product at once, which is left to the full comparison'],
  [927_912, 'a hidden bug was shown for a few seconds, in which its issue was made'],
  [
    140_032_854,
    'no look asked for a bug whose issue had been planned before the process died, and that had moved since',
  ],
  [288_198_216, 'two bugs moved together, which is left to the full comparison, and were written to until then'],
  [
    2_078_300_014,
    'the line of a move in a body without a copy counted as the words of people, and stayed when the bug was hidden',
  ],
  [
    40_627_378,
    'a title was given up while its bug was secret, and a paused route went on showing it once the bug was public again',
  ],
  [600_003_960, 'the same, and the bug was public again in another product'],
];

test.each(some(onAny, 3))('seed %i holds: %s', async (seed) => {
  expect((await keepCanaries({ cycle, sweep }, seed)).violations).toEqual([]);
});

/**
 * Each of these lets something hidden out, or leaves it published. `seed` is where the search begins, for faults that
 * few seeds notice.
 */
const faults: readonly (Fault & { readonly name: string; readonly seed?: number })[] = [
  {
    name: 'nothing is withdrawn',
    file: 'sync/cycle.ts',
    from: '  await withdraw(context, planned.withdrawals);\n',
    to: '',
  },
  {
    name: 'nothing is withdrawn while a person has paused the route',
    file: 'sync/cycle.ts',
    from: '  await withdraw(context, planned.withdrawals);\n',
    to: '  if (!isPaused(context, context.route.name)) await withdraw(context, planned.withdrawals);\n',
    seed: 2,
  },
  {
    name: 'a withdrawal is stopped by the brake',
    file: 'sync/cycle.ts',
    from: '  await withdraw(context, planned.withdrawals);\n',
    to: '  if (planned.withdrawals.size <= planned.links * context.limits.brakeShare) await withdraw(context, planned.withdrawals);\n',
  },
  {
    name: 'history is copied: the neutral line tells the title of before',
    file: 'rules/privacy/plan-withdrawal.ts',
    from: 'isOurs ? neutralTitle(bug) :',
    to: "isOurs ? neutralTitle(bug) + ', formerly ' + String(input.link.base?.github.title) :",
  },
  {
    name: 'the alias of a hidden bug is shown',
    file: 'rules/privacy/plan-withdrawal.ts',
    from: 'const body = isOurs ? neutralBody(route.instance, bug) :',
    to: "const body = isOurs ? String(input.link.tracker?.details?.['alias']) + neutralBody(route.instance, bug) :",
  },
  {
    name: 'only the title is withdrawn',
    file: 'rules/privacy/plan-withdrawal.ts',
    from: '...(isBodyDone ? {} : { body }),',
    to: '',
  },
  {
    name: 'copies of comments stay',
    file: 'rules/privacy/plan-withdrawal.ts',
    from: 'isCopied(commentLink) && (isHidden || isToGo(input, commentLink))',
    to: 'isCopied(commentLink) && commentLink.copy?.id === bodyId && (isHidden || isToGo(input, commentLink))',
  },
  {
    name: 'files that became private stay in the attachment store',
    file: 'rules/privacy/plan-withdrawal.ts',
    from: "path !== null && (isHidden || state === 'withdrawn')",
    to: "path !== null && isHidden && state !== 'withdrawn'",
  },
  {
    name: 'a comment goes on naming a private file',
    file: 'rules/privacy/gate.ts',
    from: "fileOf(commentLink, attachmentLinks)?.state === 'withdrawn'",
    to: "fileOf(commentLink, attachmentLinks)?.state === 'linked'",
    seed: 2069,
  },
  {
    name: 'items that the anonymous reader is not shown count as public',
    file: 'rules/privacy/gate.ts',
    from: "visibilityCheck === 'anonymous' && visibility?.isShown === false",
    to: "visibilityCheck === 'none' && visibility?.isShown === false",
  },
  {
    name: 'a private comment counts as public',
    file: 'rules/comments/verdict.ts',
    from: 'if (comment.isPrivate)',
    to: 'if (comment.isPrivate && comment.id === 0)',
  },
  {
    name: 'a new private comment counts as public',
    file: 'rules/comments/verdict.ts',
    from: 'if (comment.isPrivate && ours === null)',
    to: 'if (comment.isPrivate && comment.id === 0)',
  },
  {
    name: 'a comment that becomes private stays mirrored',
    file: 'rules/comments/life.ts',
    from: "hidden: { pending: 'withdrawn', mirrored: 'withdrawn'",
    to: "hidden: { pending: 'withdrawn', mirrored: 'stays'",
  },
  {
    name: 'a file that becomes private stays mirrored',
    file: 'rules/attachments/life.ts',
    from: "hidden: { pending: 'withdrawn', mirrored: 'withdrawn'",
    to: "hidden: { pending: 'withdrawn', mirrored: 'stays'",
  },
  {
    name: 'a bug in a group counts as public',
    file: 'rules/privacy/gate.ts',
    from: "if (tracker?.isPrivate) return 'the bug is private';",
    to: '',
  },
  {
    name: 'explain tells the title of what became private',
    file: 'explain/find.ts',
    from: 'link: redaction.link(link),',
    to: 'link,',
  },
  {
    name: 'explain tells what was written before it became private',
    file: 'explain/find.ts',
    from: '.map(redaction.line)',
    to: '',
  },
  {
    name: 'explain tells the name of a file that became private',
    file: 'rules/privacy/redactions.ts',
    from: "line.kind === 'file' && namesHiddenFile(line.link, line.detail['name'])",
    to: "line.kind === 'settle' && namesHiddenFile(line.link, line.detail['name'])",
  },
];

test.each(sample(faults, 2))('a planted fault is caught: $name', async ({ name, seed: start = 1, ...fault }) => {
  const folder = plant(fault);
  const loop = (await import(`${folder}/sync/cycle.ts`)) as Pick<Engine, 'cycle'>;
  const walk = (await import(`${folder}/sync/sweep.ts`)) as Pick<Engine, 'sweep'>;
  const story = (await import(`${folder}/explain/find.ts`)) as Pick<Rooms, 'readStory'>;
  const status = (await import(`${folder}/explain/route-status.ts`)) as Pick<Rooms, 'statusOf'>;
  const rooms = { ...builtRooms, readStory: story.readStory, statusOf: status.statusOf };
  for (let seed = start; seed < start + 300; seed += 1) {
    const run = await keepCanaries({ cycle: loop.cycle, sweep: walk.sweep }, seed, { rooms }).catch(
      (error: unknown) => ({
        violations: [String(error)],
      }),
    );
    if (run.violations.some((violation) => violation.startsWith('I9'))) return;
  }
  expect.unreachable(`300 seeds did not notice: ${name}`);
});

/** Each of these keeps or says a secret that a server repeated. */
const leaks: readonly (Fault & { readonly name: string })[] = [
  {
    name: 'the ledger',
    file: 'store/tables/reports.ts',
    from: 'cleanJson(scrub, line.detail)',
    to: 'JSON.stringify(line.detail)',
  },
  {
    name: 'findings',
    file: 'store/tables/reports.ts',
    from: 'cleanJson(scrub, content)',
    to: 'JSON.stringify(content)',
  },
  {
    name: 'why an operation waits',
    file: 'store/tables/outbox.ts',
    from: 'why: cleanOrNull(scrub, why) }',
    to: 'why }',
  },
  { name: 'why a side is left alone', file: 'store/tables/routes.ts', from: 'scrub.words(why)', to: 'why' },
  { name: 'why a link rests', file: 'store/tables/link-row.ts', from: 'cleanOrNull(scrub, reason)', to: 'reason' },
  {
    name: 'the log',
    file: 'runtime/log.ts',
    from: 'const scrub = scrubber(secrets);',
    to: 'const scrub = (text: string) => text;',
  },
  {
    name: 'what has only the form of a secret',
    file: 'runtime/scrub.ts',
    from: '  /()\\bgh[pousr]_[A-Za-z0-9_.-]+/g,\n',
    to: '',
  },
];

test.each(sample(leaks, 1))('a planted fault is caught: no scrubbing of $name', async ({ name, ...fault }) => {
  const folder = plant(fault);
  const rooms = { ...builtRooms, ...(await plantedRooms(folder, fault.file)) };
  for (let seed = 1; seed <= 300; seed += 1) {
    const { violations } = await keepCanaries({ cycle, sweep }, seed, { rooms });
    if (violations.some((violation) => violation.startsWith('secret'))) return;
  }
  expect.unreachable(`300 seeds did not notice: ${name}`);
});

async function plantedRooms(folder: string, file: string): Promise<Partial<Rooms>> {
  if (file.startsWith('runtime/')) return (await import(`${folder}/runtime/log.ts`)) as Pick<Rooms, 'createLog'>;
  const store = (await import(`${folder}/store/open.ts`)) as Pick<Rooms, 'sqliteStore'>;
  const database = (await import(`${folder}/store/database.ts`)) as Pick<Rooms, 'openDatabase'>;
  return { sqliteStore: store.sqliteStore, openDatabase: database.openDatabase };
}

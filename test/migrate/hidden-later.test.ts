/** Bugs that are hidden hours after they were sent, while the migration still sends others. */

import { expect, test } from 'vitest';
import type { migrate } from '../../src/migrate/migrate.ts';
import { repo, type Stage } from '../simulation/stage.ts';
import { type Fault, plant } from '../support/plant.ts';
import { sample, some } from '../tiers/depth.ts';
import { importerOn, importStage, migrateOn } from './bench.ts';

/** More than one batch, so that bug 4 is sent long before the last one. */
const batches3 = 230;
const batches5 = 430;

function filled(bugs = batches3): Stage {
  const world = importStage();
  const alice = world.tracker.as('alice');
  for (let index = 1; index <= bugs; index += 1) {
    const bug = alice.file({ summary: `Trouble ${index}`, description: `Words of ${index}` });
    if (index === 4) alice.comment(bug, 'Comment on 4');
  }
  world.clock.advance(86_400_000);
  return world;
}

const publicOf = ({ github }: Stage): string =>
  JSON.stringify(
    github
      .issues(repo)
      .map((issue) => [issue.title, issue.body, github.commentsOf(repo, issue.number).map(({ body }) => body)]),
  );

interface Case {
  readonly user: 'bridge' | 'bridge-insider';
  readonly how: 'hide' | 'remove';
  /** How far behind the replicas are that answer the first reads of its comments, and how many. */
  readonly behindMs: number;
  readonly reads?: number;
  readonly bugs?: number;
}
const cases: readonly Case[] = [
  { user: 'bridge', how: 'hide', behindMs: 0 },
  { user: 'bridge', how: 'remove', behindMs: 0 },
  { user: 'bridge-insider', how: 'hide', behindMs: 0 },
  { user: 'bridge-insider', how: 'hide', behindMs: 300_000 },
  { user: 'bridge-insider', how: 'hide', behindMs: 300_000, reads: 3, bugs: batches5 },
];

/** What is public of bug 4 when the last bug is sent. */
async function shownAtTheEnd(
  { user, how, behindMs, reads: readsBehind = 1, bugs = batches3 }: Case,
  run?: typeof migrate,
): Promise<readonly string[]> {
  const world = filled(bugs);
  let reads = 0;
  world.github.setBehind({ listMs: () => (reads > 0 && reads <= readsBehind ? behindMs : 0) });
  world.between = (side, method, when) => {
    if (side === 'github' && method === 'threads' && when === 'before') reads += 1;
  };
  const direct = importerOn(world);
  let [begun, wasPublic, atTheEnd] = [0, false, ''];
  const importer: typeof direct = {
    ...direct,
    begin(draft) {
      begun += 1;
      if (begun === 150) {
        wasPublic = publicOf(world).includes('Comment on 4');
        world.tracker[how](4);
      }
      if (begun === bugs - 5) atTheEnd = publicOf(world);
      return direct.begin(draft);
    },
  };
  await migrateOn(world, { importer, context: { user }, ...(run === undefined ? {} : { run }) });
  expect(wasPublic).toBe(true);
  expect(atTheEnd).toContain('Trouble 190');
  return atTheEnd.match(/Trouble 4\b|Words of 4\b|Comment on 4/gu) ?? [];
}

test.each(some(cases, 1))('it is withdrawn before the last is sent: $user, $how, behind by $behindMs', async (each) => {
  expect(await shownAtTheEnd(each)).toEqual([]);
});

/** What the issue of bug 200 says of how it ended, which everybody knew before it was hidden, or nobody. */
async function endOf(status: Readonly<Record<string, unknown>>): Promise<unknown> {
  const world = filled();
  const direct = importerOn(world);
  let begun = 0;
  const importer: typeof direct = {
    ...direct,
    async begin(draft) {
      begun += 1;
      const outcome = await direct.begin(draft);
      if (begun === 200) {
        world.tracker.as('alice').change(200, status);
        world.tracker.hide(200);
      }
      return outcome;
    },
  };
  await migrateOn(world, { importer, context: { user: 'bridge-insider' } });
  const { title, state, stateReason } = world.github.issues(repo)[199] ?? {};
  return [title, state, stateReason];
}

test.each([
  ['DUPLICATE', { dupe_of: 2 }],
  ['FIXED', { status: 'RESOLVED', resolution: 'FIXED' }],
])('one that is hidden while GitHub imports it does not say that it ended as %s', async (_name, status) => {
  expect(await endOf(status)).toEqual(['Bug 200 is not public', 'closed', 'not_planned']);
});

const faults: readonly (readonly [what: string, fault: Fault, scenario: Case | undefined])[] = [
  ['nobody looks', { file: 'migrate/import-bugs.ts', from: '  await withdrawSent(migration);\n', to: '' }, cases[0]],
  [
    'only what changed last is looked at',
    {
      file: 'migrate/withdraw-sent.ts',
      from: '  await patiently(migration, () => recheckMirrored(context));\n',
      to: '',
    },
    cases[0],
  ],
  [
    'what was sent is not read',
    { file: 'migrate/withdraw-sent.ts', from: 'await adoptOne(migration, id, taken.issue);', to: '{}' },
    cases[2],
  ],
  [
    'its comments are not read',
    {
      file: 'migrate/withdraw-sent.ts',
      from: 'for (const thread of threads)',
      to: 'for (const thread of threads.slice(1))',
    },
    cases[2],
  ],
  [
    'such a list is not read again',
    { file: 'migrate/withdraw-sent.ts', from: 'lookTurns.unasked.add(id)', to: 'void id' },
    cases[4],
  ],
];

test.each(sample(faults, 1))('a planted fault is caught: %s', async (_what, fault, each) => {
  const { migrate: run }: { migrate: typeof migrate } = await import(`${plant(fault)}/migrate/migrate.ts`);
  expect(each === undefined ? [] : await shownAtTheEnd(each, run)).not.toEqual([]);
});

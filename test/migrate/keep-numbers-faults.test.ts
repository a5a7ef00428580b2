import { join } from 'node:path';
import { expect, test } from 'vitest';
import { migrate } from '../../src/migrate/migrate.ts';
import { repo, type Stage } from '../simulation/stage.ts';
import { type Fault, plant } from '../support/plant.ts';
import { sample } from '../tiers/depth.ts';
import { importerOn, importStage, migrateOn } from './bench.ts';

type Run = typeof migrate;

/** Six bugs, of which the third is private. */
function filled(): Stage {
  const world = importStage();
  const alice = world.tracker.as('alice');
  for (let index = 1; index <= 6; index += 1)
    alice.file({ summary: `Trouble ${index}`, description: `See bug ${7 - index}.` });
  world.tracker.hide(3);
  world.clock.advance(86_400_000);
  return world;
}

const titles = ({ github }: Stage) => github.issues(repo).map(({ number, title }) => `${number} ${title}`);
const kept = (world: Stage) => titles(world).every((line) => /^(\d+) (Trouble \1|Number \1 is not used)$/u.test(line));

/** Says what went wrong; null where every number is kept. */
async function whatBreaks(run: Run): Promise<string | null> {
  const whole = filled();
  await migrateOn(whole, { numbers: 'keep', limit: 2, run });
  await migrateOn(whole, { numbers: 'keep', run });
  if (!kept(whole) || titles(whole).length !== 6) return `two runs: ${titles(whole)}`;
  if (whole.github.issue(repo, 1)?.body.includes('issues/6') !== true)
    return 'a reference does not lead to the number that follows';
  const taken = filled();
  taken.github.as('mona').openPull(repo, { title: 'First' });
  const already = titles(taken).length;
  const before = await migrateOn(taken, { numbers: 'keep', run });
  if (before.stopped === null || titles(taken).length !== already)
    return `a repository that is not empty: ${titles(taken)}`;
  const overtaken = filled();
  const direct = importerOn(overtaken);
  let begun = 0;
  const importer: typeof direct = {
    ...direct,
    begin(draft) {
      begun += 1;
      if (begun === 4) overtaken.github.as('mona').open(repo, { title: 'Me too' });
      return direct.begin(draft);
    },
  };
  const report = await migrateOn(overtaken, { numbers: 'keep', importer, run });
  if (report.stopped === null || titles(overtaken).length !== 5) return `overtaken: ${titles(overtaken)}`;
  return null;
}

const file = 'migrate/keep-numbers.ts';
const faults: readonly (readonly [what: string, fault: Fault])[] = [
  [
    'the first number is taken for free',
    { file, from: 'const first = highest + 1;', to: 'const first = highest + 2;' },
  ],
  [
    'a number that somebody took is not noticed',
    { file, from: 'if (landed.issue !== number) return', to: 'if (landed.issue < 0) return' },
  ],
  [
    'a repository is not looked at first',
    { file, from: 'if (isFree) return null;', to: 'if (isFree || number > 0) return null;' },
  ],
  [
    'gaps are not held',
    { file, from: 'for (let number = first; number <= last; number += 1) {', to: 'for (const number of bugs) {' },
  ],
  ['the last number is left out', { file, from: 'number <= last', to: 'number < last' }],
  ['references do not know the numbers to come', { file, from: '? issueNumber(bug) : null', to: '? null : null' }],
];

test('without a fault every number is kept, or nothing is imported further', async () => {
  expect(await whatBreaks(migrate)).toBeNull();
});

test.each(sample(faults))('a planted fault is caught: %s', async (_what, fault) => {
  const folder = plant(fault);
  const { migrate: run }: { migrate: Run } = await import(join(folder, 'migrate/migrate.ts'));
  const broken = await whatBreaks(run).catch((error: unknown) => String(error));
  expect(broken).not.toBeNull();
});

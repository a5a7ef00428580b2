import { expect, test } from 'vitest';
import type { archive } from '../../src/archive/archive.ts';
import { cycle } from '../../src/sync/cycle.ts';
import { sweep } from '../../src/sync/sweep.ts';
import { type Fault, plant } from '../support/plant.ts';
import { perTier, sample } from '../tiers/depth.ts';
import { keepCanaries } from './canary.ts';

/** Archives of trackers on which people hide and show things at any moment. One world in 25 has one. */
const worlds = (count: number): readonly number[] => Array.from({ length: count }, (_, index) => 7 + 25 * index);

test('an archive is whole, and holds nothing that was hidden while it was made', async () => {
  for (const seed of worlds(perTier({ check: 2, test: 8, deep: 60 }))) {
    const { violations } = await keepCanaries({ cycle, sweep }, seed);
    expect(violations, `replay with: npm run sim -- --canaries --seeds 1 --from ${seed}`).toEqual([]);
  }
});

const faults: readonly (Fault & { readonly name: string })[] = [
  { name: 'what is hidden later stays', file: 'archive/output.ts', from: '      folder.remove(path);\n', to: '' },
  {
    name: 'of many comments some are left out',
    file: 'archive/timeline.ts',
    from: 'record.comments.map(',
    to: 'record.comments.slice(0, 2).map(',
  },
];

test.each(sample(faults, 2))('a planted fault is caught: $name', async ({ name, ...fault }) => {
  const planted: { archive: typeof archive } = await import(`${plant(fault)}/archive/archive.ts`);
  for (const seed of worlds(60)) {
    const { violations } = await keepCanaries({ cycle, sweep }, seed, { archive: planted.archive });
    if (violations.some((violation) => /^(?:archive|I9: \S+ is in the archive)/u.test(violation))) return;
  }
  expect.unreachable(`60 worlds did not notice: ${name}`);
});

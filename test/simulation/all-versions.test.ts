import { expect, test } from 'vitest';
import { trackerVersions } from '../../src/sandbox/tracker/installation/versions.ts';
import { cycle } from '../../src/sync/cycle.ts';
import { sweep } from '../../src/sync/sweep.ts';
import { simulate, versionOf } from './simulate.ts';

/**
 * More fixed seeds for the deep tier, in a process of their own: 2,000 with those of `simulation.test.ts`. Each version
 * of the tracker plays in about a quarter of them.
 */
const first = 941_000_000;
const count = 1_400;
const hundreds = Array.from({ length: count / 100 }, (_, index) => first + index * 100);

test.each(trackerVersions)('a fair part of the seeds plays %s', (version) => {
  const played = Array.from({ length: count }, (_, index) => versionOf(first + index)).filter(
    (each) => each === version,
  );
  expect(played.length).toBeGreaterThan(count / 5);
});

test.each(hundreds)('the engine keeps its promises, from seed %i', async (from) => {
  for (let seed = from; seed < from + 100; seed += 1) {
    const { violations } = await simulate({ cycle, sweep }, seed);
    expect(violations, `replay with: npm run sim -- --seeds 1 --from ${seed}`).toEqual([]);
  }
});

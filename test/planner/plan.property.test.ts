/**
 * The planner, searched: a tracker and a repository are mirrored from nothing, edited on both sides at once, and read
 * again after a lost database (test/planner/property.ts), with servers that trim, re-case and lose answers
 * (test/planner/world.ts), and an engine that is pretended (test/planner/bridge.ts).
 *
 * Holds: I1 convergence, I2 quiet, I3 no loss, I4 once, I5 tombstone, I6 bounded (the limit of a cycle; the brake is in
 * brake.test.ts), I8 direction, I9 as far as the core is concerned (a private bug, a hidden comment), I10 order, I11
 * (an unmapped status stops nothing else), I12 as far as people's own labels and duplicates are concerned (the lens
 * itself is in lens.property.test.ts). I7, the cursor, is the engine's: the simulation holds it.
 *
 * A property guards only what it states: test/planner/faults.ts lists the planted faults, and each has to be caught
 * here.
 */

import { describe, expect, test } from 'vitest';
import { plant } from '../support/plant.ts';
import { perTier, sample } from '../tiers/depth.ts';
import { loadCore } from './core.ts';
import { faults } from './faults.ts';
import { holds } from './property.ts';

const seeds = Number(process.env['SEEDS'] ?? perTier({ check: 50, test: 100, deep: 2000 }));
const first = Number(process.env['SEED'] ?? 1);
const batch = 250;
/** On a machine that does other things as well. */
const timeoutMs = 180_000;
/** How many seeds a planted fault may survive. */
const faultSeedsMax = 600;

describe('the planner', async () => {
  const core = await loadCore();
  const starts = Array.from({ length: Math.ceil(seeds / batch) }, (_, index) => first + index * batch);

  test.each(starts)(
    'holds its invariants from seed %i on',
    (start) => {
      for (let seed = start; seed < Math.min(start + batch, first + seeds); seed += 1) {
        try {
          holds(core, seed);
        } catch (error) {
          const replay = `SEED=${seed} SEEDS=1 npx vitest run test/planner/plan.property`;
          throw new Error(`seed ${seed}: ${String(error)}\nreplay with: ${replay}`, { cause: error });
        }
      }
      expect(start).toBeGreaterThan(0);
    },
    timeoutMs,
  );
});

describe('a planted fault is caught', () => {
  test.each(sample(Object.entries(faults), 5))(
    '%s',
    async (_name, fault) => {
      const core = await loadCore(plant(fault));
      expect(firstCaught(core), 'no seed catches it').not.toBeNull();
    },
    timeoutMs,
  );
});

function firstCaught(core: Parameters<typeof holds>[0]): number | null {
  for (let seed = 1; seed <= faultSeedsMax; seed += 1) {
    try {
      holds(core, seed);
    } catch {
      return seed;
    }
  }
  return null;
}

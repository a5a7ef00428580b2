import { expect, test } from 'vitest';
import { cycle } from '../../src/engine/cycle.ts';
import { sweep } from '../../src/engine/sweep.ts';
import { keepCanaries } from './canary.ts';

/** I9 under flips of visibility, faults, limits and crashes. SEEDS and SEED choose how many and from which. */
const count = Number(process.env['SEEDS'] ?? 300);
const first = Number(process.env['SEED'] ?? 1);
const hundreds = Array.from({ length: Math.ceil(count / 100) }, (_, index) => first + index * 100);

test.each(hundreds)(
  'no request holds what is hidden, and nothing hidden is left standing, from seed %i',
  async (from) => {
    for (let seed = from; seed < Math.min(from + 100, first + count); seed += 1) {
      const { violations } = await keepCanaries({ cycle, sweep }, seed);
      expect(violations, `replay with: npm run sim -- --canaries --seeds 1 --from ${seed}`).toEqual([]);
    }
  },
  120_000,
);

import { describe, expect, test } from 'vitest';
import { loadCore } from './core.ts';
import { holds } from './property.ts';

const seeds = Number(process.env['SEEDS'] ?? 2000);
const first = Number(process.env['SEED'] ?? 1);
const batch = 100;

describe('the planner', async () => {
  const core = await loadCore();
  const starts = Array.from({ length: Math.ceil(seeds / batch) }, (_, index) => first + index * batch);
  test.each(starts)('holds its invariants from seed %i on', (start) => {
    for (let seed = start; seed < Math.min(start + batch, first + seeds); seed += 1) {
      try {
        holds(core, seed);
      } catch (error) {
        throw new Error(`seed ${seed}: ${String(error)}\nreplay: SEED=${seed} SEEDS=1 npx vitest run test/core/plan.property`, {
          cause: error,
        });
      }
    }
    expect.assertions(0);
  });
});

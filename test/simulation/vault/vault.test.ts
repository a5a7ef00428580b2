import { describe, expect, test } from 'vitest';
import { cycle } from '../../../src/sync/cycle.ts';
import { sweep } from '../../../src/sync/sweep.ts';
import { plant } from '../../support/plant.ts';
import { perTier, some } from '../../tiers/depth.ts';
import type { Engine } from '../simulate.ts';
import { vaultViolations } from './vault.ts';

const count = perTier({ check: 1, test: 4, deep: 60 });

describe('I9: a repository that turns private and public again', () => {
  test(`keeps its private words for itself (${count} seeds)`, async () => {
    for (let seed = 1; seed <= count; seed += 1)
      expect(await vaultViolations({ cycle, sweep }, seed), `seed ${seed}`).toEqual([]);
  });

  test.each(some([2110000064, 2110000248], 2))(
    'seed %i, which published what was deleted while it was private',
    async (seed) => {
      expect(await vaultViolations({ cycle, sweep }, seed)).toEqual([]);
    },
  );

  test('would be seen to leak if no cycle asked who reads it', async () => {
    const src = plant({
      file: 'rules/privacy/gate.ts',
      from: "if (isPrivate === true && direction !== 'to-github'",
      to: "if (isPrivate === undefined && direction !== 'to-github'",
    });
    const engine: Engine = { ...(await import(`${src}/sync/cycle.ts`)), ...(await import(`${src}/sync/sweep.ts`)) };
    let found: readonly string[] = [];
    for (let seed = 1; seed <= 20 && found.length === 0; seed += 1) found = await vaultViolations(engine, seed);
    expect(found.join()).toContain('I9');
  });
});

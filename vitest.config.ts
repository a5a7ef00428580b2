import { defineConfig } from 'vitest/config';
import { filesAddedBy } from './test/tiers/tiers.ts';

const day = process.env['DAY'] ?? String(Math.floor(Date.now() / 86_400_000));

/** `--mode` is the tier, see test/tiers/tiers.md: it says how much the tests do, and `--project` which of them run. */
export default defineConfig(({ mode }) => {
  if (mode !== 'deep') process.stdout.write(`A sample of the planted faults, that of day ${day}; DAY=${day} draws the same again.\n`);
  return {
    test: {
      // For what hangs, and not for what is slow: a busy machine may be twenty times as slow as a free one.
      testTimeout: 300_000,
      hookTimeout: 300_000,
      pool: 'forks',
      // Much of what these tests do is waiting, so no core is left aside.
      maxWorkers: '100%',
      // Copies of src/ with a planted fault are loaded once each: Node does that in a tenth of the time.
      server: { deps: { external: [/\/\.planted\//] } },
      env: { TIER: mode, DAY: day },
      setupFiles: './test/tiers/time-left.ts',
      projects: [
        // These are quick: a process for each would cost more than they do. A file without a row runs here, until test/architecture.test.ts asks
        // for the row.
        {
          extends: true,
          test: {
            name: 'check',
            isolate: false,
            include: ['test/**/*.test.ts'],
            exclude: [...filesAddedBy('test'), ...filesAddedBy('deep')],
          },
        },
        { extends: true, test: { name: 'test', include: [...filesAddedBy('test')] } },
        { extends: true, test: { name: 'deep', include: [...filesAddedBy('deep')] } },
      ],
    },
  };
});

import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { Mixed } from './test/tiers/order.ts';
import { filesAddedBy } from './test/tiers/tiers.ts';

/** Whether a command of package.json runs. Whoever names files by hand wants all of their tests. */
const isCommand = process.argv.includes('--project') && !process.argv.some((word) => word.startsWith('test/'));

/** `--mode` is the tier, see test/tiers/tiers.md: it says how much the tests do, and `--project` which of them run. */
export default defineConfig(({ mode }) => {
  const leftOut = [...(mode === 'check' ? filesAddedBy('test') : []), ...filesAddedBy('deep')];
  return {
    plugins: [
      {
        name: 'packages as the program loads them',
        /**
         * The parser of Markdown has a slower build for those who develop it, which vitest asks for unless this is said
         * after all its own.
         */
        configResolved({ ssr }) {
          if (ssr.resolve !== undefined) ssr.resolve.conditions = ['node'];
        },
      },
    ],
    test: {
      // For what hangs, and not for what is slow: a busy machine may be twenty times as slow as a free one.
      testTimeout: 300_000,
      hookTimeout: 300_000,
      pool: 'forks',
      // All cores are busy anyway: what threads share in collecting garbage costs more than it saves. And tests make
      // much that lives for a moment.
      execArgv: ['--single-threaded-gc', '--min-semi-space-size=64', '--max-semi-space-size=64'],
      // Of two tests that run on a core, one may wait while the other computes. Those of `npm run check` never wait.
      maxWorkers: availableParallelism() * (mode === 'check' ? 1 : 2),
      sequence: { sequencer: Mixed },
      // Node itself loads all, as it does for users, copies of src/ with a planted fault included. vitest would
      // transform each file first.
      experimental: { viteModuleRunner: false, nodeLoader: false },
      // Tests start the program from source some hundred times. Node keeps what it makes of each file, which takes most
      // of such a start.
      env: {
        TIER: mode,
        QUARTER: isCommand ? 'yes' : 'no',
        NODE_COMPILE_CACHE: join(import.meta.dirname, 'node_modules/.cache/tests'),
      },
      setupFiles: ['./test/tiers/time-left.ts', './test/tiers/quarter.ts', './test/tiers/undescribed.ts'],
      // A process for each file would cost more than most of these do. And processes are shared within a project only,
      // so that what a tier runs is one project. A file without a row is in both, until test/architecture.test.ts asks
      // for the row.
      projects: [
        {
          extends: true,
          test: {
            name: mode === 'check' ? 'check' : 'test',
            isolate: false,
            include: ['test/**/*.test.ts'],
            exclude: leftOut,
          },
        },
        { extends: true, test: { name: 'deep', include: [...filesAddedBy('deep')] } },
      ],
    },
  };
});

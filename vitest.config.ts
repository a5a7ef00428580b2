import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    // Nothing here takes so long by itself, but a busy machine may be ten times as slow as a free one.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    pool: 'forks',
    // Much of what these tests do is waiting, so no core is left aside.
    maxWorkers: '100%',
    // Copies of src/ with a planted fault are loaded once each: Node does that in a tenth of the time.
    server: { deps: { external: [/\/\.planted\//] } },
  },
});

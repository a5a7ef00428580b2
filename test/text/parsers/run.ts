import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { Worker } from 'node:worker_threads';
import { seedOptions, seedRunOf } from '../../support/seed-run.ts';
import { skipped } from './cmark-gfm.ts';
import type { Batch, Failure } from './run-batch.ts';

/**
 * `npm run texts -- --seeds N --from S`: as many random texts, starting with that seed or with a drawn one, read by
 * both parsers.
 */
const { values } = parseArgs({ options: seedOptions(20_000) });
const { seeds, from: first, isTimeLeft } = seedRunOf(values, 'texts', 'texts');
const batch = 1_000;
const saidEvery = 50_000;
const started = performance.now();
const failed = new Set<number>();
let [begun, done] = [0, 0];

/** Takes batch after batch, as long as there are any. */
async function work(worker: Worker): Promise<void> {
  while (begun < seeds && isTimeLeft()) {
    const next: Batch = { from: first + begun, count: Math.min(batch, seeds - begun) };
    begun += next.count;
    worker.postMessage(next);
    const [failures] = (await once(worker, 'message')) as [readonly Failure[]];
    for (const { seed, words } of failures) {
      failed.add(seed);
      process.stdout.write(`seed ${seed} fails; replay with: npm run texts -- --seeds 1 --from ${seed}\n  ${words}\n`);
    }
    const before = done;
    done += next.count;
    if (Math.floor(before / saidEvery) < Math.floor(done / saidEvery)) say();
  }
  await worker.terminate();
}

const say = (): void => {
  process.stdout.write(
    `${done} texts, ${failed.size} failed, ${((performance.now() - started) / 60_000).toFixed(1)} minutes\n`,
  );
};

process.stdout.write(`${seeds} texts from ${first}${skipped}\n`);
// Trees of parsers are short-lived, and clearing them away in small portions would take a fifth of the time.
const create = (): Worker =>
  new Worker(new URL('run-batch.ts', import.meta.url), { resourceLimits: { maxYoungGenerationSizeMb: 256 } });
await Promise.all(
  Array.from({ length: Math.min(availableParallelism(), Math.ceil(seeds / batch)) }, () => work(create())),
);
if (done % saidEvery !== 0) say();
process.exitCode = failed.size === 0 ? 0 : 1;

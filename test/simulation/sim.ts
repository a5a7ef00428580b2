import { parseArgs } from 'node:util';
import { cycle } from '../../src/engine/cycle.ts';
import { sweep } from '../../src/engine/sweep.ts';
import { simulate } from './simulate.ts';

/** `npm run sim -- --seeds N --from S`: as many simulations, starting with that seed. */
const { values } = parseArgs({ options: { seeds: { type: 'string', default: '100' }, from: { type: 'string', default: '1' } } });
const [seeds, from] = [Number(values.seeds), Number(values.from)];
let failed = 0;
let total = { crashes: 0, cycles: 0, writes: 0 };
for (let seed = from; seed < from + seeds; seed += 1) {
  const run = await simulate({ cycle, sweep }, seed).catch((error: unknown) => {
    throw new Error(`seed ${seed}: ${String(error)}`, { cause: error });
  });
  total = { crashes: total.crashes + run.crashes, cycles: total.cycles + run.cycles, writes: total.writes + run.writes };
  if (run.violations.length === 0) continue;
  failed += 1;
  process.stdout.write(`seed ${seed} fails; replay with: npm run sim -- --seeds 1 --from ${seed}\n`);
  for (const violation of run.violations) process.stdout.write(`  ${violation}\n`);
}
process.stdout.write(`${seeds} seeds, ${failed} failed (${total.cycles} cycles, ${total.writes} writes, ${total.crashes} crashes)\n`);
process.exitCode = failed === 0 ? 0 : 1;

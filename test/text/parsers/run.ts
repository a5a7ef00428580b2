import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import { skipped } from '../../support/cmark-gfm.ts';
import { copiesOf, liveIn, ours } from './hold-silent.ts';

/** `npm run texts -- --seeds N --from S`: as many random texts, starting with that seed or with a drawn one, read by both parsers. */
const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '20000' },
    from: { type: 'string', default: String(randomInt(1, 1_000_000_000)) },
    minutes: { type: 'string', default: 'Infinity' },
    help: { type: 'boolean', default: false },
  },
});
if (values.help) {
  process.stdout.write(`Usage: npm run texts -- [options]

  --seeds N    how many texts; 20000 unless told
  --from S     the first seed; drawn, and printed, unless told
  --minutes N  how long new texts begin; until all are done unless told
`);
  process.exit();
}
const batch = 1_000;
const saidEvery = 50_000;
const [seeds, first] = [Number(values.seeds), Number(values.from)];
const started = performance.now();
const limitMs = Number(values.minutes) * 60_000;
const minutes = (): string => ((performance.now() - started) / 60_000).toFixed(1);
process.stdout.write(`${seeds} texts from ${first}${skipped}\n`);
const failed = new Set<number>();
for (let from = first; from < first + seeds && performance.now() - started < limitMs; from += batch) {
  const count = Math.min(batch, first + seeds - from);
  for (const { index, words } of liveIn(copiesOf(ours, from, count))) {
    failed.add(from + index);
    process.stdout.write(`seed ${from + index} fails; replay with: npm run texts -- --seeds 1 --from ${from + index}\n  ${words}\n`);
  }
  const done = from + count - first;
  if (done % saidEvery === 0 || done === seeds || performance.now() - started >= limitMs)
    process.stdout.write(`${done} texts, ${failed.size} failed, ${minutes()} minutes\n`);
}
process.exitCode = failed.size === 0 ? 0 : 1;

import { parseArgs } from 'node:util';
import { trackerVersions } from '../../src/sandbox/tracker/installation/versions.ts';
import { cycle } from '../../src/sync/cycle.ts';
import { sweep } from '../../src/sync/sweep.ts';
import { seedOptions, seedRunOf } from '../support/seed-run.ts';
import { keepCanaries } from './canary.ts';
import { simulateMoves } from './moving.ts';
import { simulateRestores } from './restores/restoring.ts';
import { simulate } from './simulate.ts';
// As in the tests: its hook takes a moment of each request, and the order of parallel writes is another one without.
import '../openapi/watch.ts';

/**
 * `npm run sim -- --seeds N --from S`: as many simulations, starting with that seed or with a drawn one; with
 * `--canaries` those of what is private.
 */
const { values } = parseArgs({
  options: {
    ...seedOptions(100),
    canaries: { type: 'boolean', default: false },
    mallory: { type: 'boolean', default: false },
    restores: { type: 'boolean', default: false },
    twins: { type: 'boolean', default: false },
    leaving: { type: 'boolean', default: false },
    moves: { type: 'boolean', default: false },
    shared: { type: 'boolean', default: false },
    plays: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
});
const { seeds, from, isTimeLeft } = seedRunOf(
  values,
  'sim',
  'simulations',
  `  --canaries   people hide things and show them again, instead of everything else
  --mallory    somebody without any rights does all that she can
  --restores   states and trackers go back in time; with --twins, two daemons run in turn, on copies of one state; with
               --leaving, people migrate, cut over and take that back meanwhile
  --moves      bugs move between products, and issues between repositories; with --canaries, people hide things, the
               clock is wrong and bugs break the tracker; with --shared, the products have one repository; with
               --restores, states of any age come back
  --plays V    what the tracker plays: ${trackerVersions.join(', ')}; drawn unless told
`,
);
const version = trackerVersions.find((each) => each === values.plays);
if (version === undefined && values.plays !== undefined)
  throw new Error(`The tracker plays ${trackerVersions.join(', ')}; not ${values.plays}.`);
const options = {
  hasMallory: values.mallory,
  hasRestores: values.restores,
  hasTwins: values.twins,
  isLeaving: values.leaving,
  hasWriters: !values.mallory,
  ...(version === undefined ? {} : { version }),
};
const plain = values.restores ? simulateRestores : simulate;
const moving: typeof simulate = async (engine, seed) => {
  const violations = await simulateMoves(engine, seed, {
    isHiding: values.canaries,
    isShared: values.shared,
    hasRestores: values.restores,
  });
  return { seed, violations, crashes: 0, cycles: 0, writes: 0 };
};
const still = values.canaries ? keepCanaries : plain;
const run = values.moves ? moving : still;
const again = [
  'npm run sim --',
  ...(values.canaries ? ['--canaries'] : []),
  ...(values.mallory ? ['--mallory'] : []),
  ...(values.restores ? ['--restores'] : []),
  ...(values.twins ? ['--twins'] : []),
  ...(values.leaving ? ['--leaving'] : []),
  ...(values.moves ? ['--moves'] : []),
  ...(values.shared ? ['--shared'] : []),
  ...(version === undefined ? [] : [`--plays ${version}`]),
].join(' ');
process.stdout.write(`${seeds} seeds from ${from}\n`);
let done = 0;
let failed = 0;
let total = { crashes: 0, cycles: 0, writes: 0 };
for (let seed = from; seed < from + seeds && isTimeLeft(); seed += 1) {
  done += 1;
  const outcome = await run({ cycle, sweep }, seed, options).catch((error: unknown) => ({
    ...{ violations: [error instanceof Error ? (error.stack ?? error.message) : String(error)] },
    ...{ crashes: 0, cycles: 0, writes: 0 },
  }));
  total = {
    crashes: total.crashes + outcome.crashes,
    cycles: total.cycles + outcome.cycles,
    writes: total.writes + outcome.writes,
  };
  if (outcome.violations.length === 0) continue;
  failed += 1;
  process.stdout.write(`seed ${seed} fails; replay with: ${again} --seeds 1 --from ${seed}\n`);
  for (const violation of outcome.violations) process.stdout.write(`  ${violation}\n`);
}
process.stdout.write(
  `${done} seeds, ${failed} failed (${total.cycles} cycles, ${total.writes} writes, ${total.crashes} crashes)\n`,
);
process.exitCode = failed === 0 ? 0 : 1;

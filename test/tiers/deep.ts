/**
 * What the deep tier adds to `npm test`, see test/tiers/tiers.md: `npm run test:deep`. Within a time limit it does as
 * much as fits: first some fresh seeds, then what is the same for everybody, then fresh seeds for the rest of the time.
 * What there was no time for is named, and is no failure.
 */

import { spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { delimiter, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { mixed } from './mixed.ts';
import { deepFiles } from './tiers.ts';

const { values } = parseArgs({
  options: { minutes: { type: 'string' }, from: { type: 'string' }, help: { type: 'boolean', default: false } },
});
if (values.help) {
  process.stdout.write(`Usage: npm run test:deep -- [options]

  --minutes N  how long it may take after npm test; as long as it needs unless told
  --from N     where the fresh seeds begin; anywhere unless told

Exit code 1 says that a test failed, 2 that only simulations with fresh seeds failed.
`);
  process.exit();
}

interface Job {
  readonly name: string;
  readonly args: readonly string[];
  /** Its seeds differ from run to run, so that a failure says nothing about the last change. */
  readonly isFresh: boolean;
}

type Outcome = 'passed' | 'FAILED' | 'FAILED with fresh seeds' | 'not finished' | 'skipped: no time was left';

const root = resolve(import.meta.dirname, '../..');
const from = Number(values.from ?? randomInt(2_000_000_000));
const beganAt = Date.now();
const endsAt = values.minutes === undefined ? Number.POSITIVE_INFINITY : beganAt + Number(values.minutes) * 60_000;
/** What has begun in time has so long to end. */
const graceMs = 90_000;

const searches = [
  { what: 'seeds', times: 1, args: ['test/simulation/sim.ts'] },
  { what: 'seeds of what is private', times: 1, args: ['test/simulation/sim.ts', '--canaries'] },
  { what: 'texts', times: 10, args: ['test/text/parsers/run.ts'] },
];
/** So many, or more of what is quick, so far behind the first fresh seed. */
const fresh = (count: number, offset: number): readonly Job[] =>
  searches.map(({ what, times, args }) => ({
    name: `${count * times} fresh ${what} from ${from + offset}`,
    args: [...args, '--seeds', String(count * times), '--from', String(from + offset)],
    isFresh: true,
  }));

const tests: readonly Job[] = mixed(deepFiles, (file) => file).map((file) => ({
  name: file,
  args: ['node_modules/vitest/vitest.mjs', 'run', '--mode', 'deep', file],
  isFresh: false,
}));

const jobs = [...fresh(100, 0), ...tests, ...fresh(1_000, 10_000), ...fresh(4_000, 20_000)];

/** What those that failed printed. It comes last of all: of a long log, often only the end is kept. */
const failures: string[] = [];

/** Groups of processes that run now: what a test started has to end with it. */
const groups = new Set<number>();
function endAll(): void {
  for (const pid of groups) process.kill(-pid, 'SIGKILL');
}
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    endAll();
    process.exit(1);
  });
}

/** Prints what a job printed once it has ended, so that jobs do not talk at the same time. */
async function run({ name, args, isFresh }: Job): Promise<Outcome> {
  const begunAt = Date.now();
  const leftMs = endsAt - begunAt;
  if (leftMs <= 0) return 'skipped: no time was left';
  const limits = Number.isFinite(leftMs) && isFresh ? ['--minutes', String(leftMs / 60_000)] : [];
  // The project's own Node.js, as under npm: some tests run scripts that call it by name.
  const PATH = `${resolve(root, 'node_modules/.bin')}${delimiter}${process.env['PATH'] ?? ''}`;
  const env = {
    ...process.env,
    PATH,
    VITEST_MAX_WORKERS: '1',
    ...(Number.isFinite(endsAt) ? { TESTS_BEGIN_UNTIL: String(endsAt) } : {}),
  };
  const child = spawn(process.execPath, [...args, ...limits], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    env,
    detached: true,
  });
  const { pid = 0 } = child;
  groups.add(pid);
  let isStopped = false;
  const stop = (): void => {
    isStopped = true;
    process.kill(-pid, 'SIGKILL');
  };
  const timer = Number.isFinite(leftMs) ? setTimeout(stop, leftMs + graceMs) : undefined;
  const output: string[] = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (part: Buffer) => output.push(part.toString()));
  const code = await new Promise<number | null>((done) => child.on('close', done));
  clearTimeout(timer);
  groups.delete(pid);
  // A search that breaks down names no seed, and is a failure like any other.
  const isOfSeed = isFresh && output.join('').includes('fails; replay with');
  const outcome = code === 0 ? 'passed' : isStopped ? 'not finished' : isOfSeed ? 'FAILED with fresh seeds' : 'FAILED';
  const told = `\n== ${name}: ${outcome}, ${Math.round((Date.now() - begunAt) / 1000)} s\n${output.join('')}`;
  if (outcome.startsWith('FAILED')) failures.push(told);
  else process.stdout.write(told);
  return outcome;
}

const ended: (Job & { readonly outcome: Outcome })[] = [];
const waiting = [...jobs];
async function work(): Promise<void> {
  for (let job = waiting.shift(); job !== undefined; job = waiting.shift())
    ended.push({ ...job, outcome: await run(job) });
}
// One more than there are cores: of those that run, one waits most of the time.
await Promise.all(Array.from({ length: availableParallelism() + 1 }, work));

const named = (...wanted: readonly Outcome[]): string =>
  wanted
    .flatMap((each) => ended.filter(({ outcome }) => outcome === each))
    .map(({ name, outcome }) => `\n  ${outcome.split(':')[0]}: ${name}`)
    .join('');
const count = (wanted: Outcome): number => ended.filter(({ outcome }) => outcome === wanted).length;
process.stdout.write(
  `\n== the deep tier, fresh seeds from ${from} on: ${count('passed')} of ${jobs.length} passed${named('FAILED', 'FAILED with fresh seeds', 'not finished', 'skipped: no time was left')}\n`,
);
process.stdout.write(failures.join(''));
process.exitCode = count('FAILED') > 0 ? 1 : count('FAILED with fresh seeds') > 0 ? 2 : 0;

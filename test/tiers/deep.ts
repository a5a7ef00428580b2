/**
 * What the deep tier adds to `npm test`, see test/tiers/tiers.md: `npm run test:deep`. Within a time limit it does as much as fits, what has found
 * most so far first. What there was no time for is named, and is no failure.
 */

import { spawn } from 'node:child_process';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { deepFiles, filesAddedBy } from './tiers.ts';

const { values } = parseArgs({
  options: { minutes: { type: 'string' }, day: { type: 'string' }, help: { type: 'boolean', default: false } },
});
if (values.help) {
  process.stdout.write(`Usage: npm run test:deep -- [options]

  --minutes N  how long it may take after npm test; as long as it needs unless told
  --day N      which seeds are fresh: a day since 1970; today unless told

Exit code 1 says that a test failed, 2 that only simulations with fresh seeds failed.
`);
  process.exit();
}

interface Part {
  readonly name: string;
  /** They run at the same time. */
  readonly commands: readonly (readonly string[])[];
  /** Its seeds differ from day to day, so that a failure says nothing about the last change. */
  readonly isFresh: boolean;
  /** How much of the time that is left a part may take that could go on for ever. */
  readonly share: number;
}

const root = resolve(import.meta.dirname, '../..');
const day = Number(values.day ?? Math.floor(Date.now() / 86_400_000));
const limitMs = values.minutes === undefined ? Number.POSITIVE_INFINITY : Number(values.minutes) * 60_000;
const endsAt = Date.now() + limitMs;
/** Tests begin until the time is over; then they have so long to end. */
const graceMs = 90_000;
/** Less time is not worth the start of a part. */
const worthMs = 15_000;

const slowest = filesAddedBy('deep');
const vitest = (files: readonly string[]): readonly string[] => [
  join(root, 'node_modules/vitest/vitest.mjs'),
  'run',
  '--mode',
  'deep',
  ...files,
];
const simulations = (count: number, offset: number): readonly (readonly string[])[] =>
  [[], ['--canaries']].map((kind) => [
    'test/simulation/sim.ts',
    ...kind,
    '--seeds',
    String(count),
    '--from',
    String(day * 100_000 + offset),
  ]);

const parts: readonly Part[] = [
  { name: 'fresh seeds', commands: simulations(1000, 0), isFresh: true, share: 0.25 },
  { name: 'the slowest tests', commands: [vitest(slowest)], isFresh: false, share: 1 },
  {
    name: 'all planted faults, and more seeds',
    commands: [vitest(deepFiles.filter((file) => !slowest.includes(file)))],
    isFresh: false,
    share: 1,
  },
  { name: 'more fresh seeds', commands: simulations(4000, 1000), isFresh: true, share: 1 },
];

type Outcome = 'passed' | 'FAILED' | 'not finished' | 'skipped: no time was left';

/** @returns what became of a part, and prints what it prints */
async function run({ commands, isFresh, share }: Part): Promise<Outcome> {
  const leftMs = endsAt - Date.now();
  if (leftMs < worthMs) return 'skipped: no time was left';
  const untilMs = Date.now() + leftMs * share;
  const codes = await Promise.all(commands.map((args) => execute(isFresh ? withMinutes(args, leftMs * share) : args, untilMs)));
  if (codes.some((code) => code !== null && code !== 0)) return 'FAILED';
  return codes.includes(null) ? 'not finished' : 'passed';
}

const withMinutes = (args: readonly string[], ms: number): readonly string[] =>
  Number.isFinite(ms) ? [...args, '--minutes', String(ms / 60_000)] : args;

/** @returns the exit code, or null if it had to be stopped */
function execute(args: readonly string[], until: number): Promise<number | null> {
  const env = Number.isFinite(until) ? { ...process.env, TESTS_BEGIN_UNTIL: String(until) } : process.env;
  const child = spawn(process.execPath, args, { cwd: root, stdio: 'inherit', env });
  const timer = Number.isFinite(until) ? setTimeout(() => child.kill('SIGKILL'), until + graceMs - Date.now()) : undefined;
  return new Promise((done) =>
    child.on('exit', (code) => {
      clearTimeout(timer);
      done(code);
    }),
  );
}

const lines: string[] = [];
const failed: Part[] = [];
for (const part of parts) {
  process.stdout.write(`\n== deep: ${part.name}\n`);
  const begunAt = Date.now();
  const outcome = await run(part);
  if (outcome === 'FAILED') failed.push(part);
  lines.push(`${part.name}: ${outcome}${outcome.startsWith('skipped') ? '' : `, ${Math.round((Date.now() - begunAt) / 1000)} s`}`);
}
process.stdout.write(`\n== deep, day ${day}\n${lines.join('\n')}\n`);
process.exitCode = failed.length === 0 ? 0 : failed.every(({ isFresh }) => isFresh) ? 2 : 1;

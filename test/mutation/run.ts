/**
 * `npm run mutate -- --room privacy --sample 200`: how many small changes of a room of pure code its tests notice. Works
 * on a copy of the project, so that yours stays as it is (docs/decisions/048-mutants-of-our-own.md).
 */

import { spawnSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { random } from '../support/random.ts';
import { mutantsOf, mutated, told } from './mutants.ts';

/** The folders of tests that are a room's own, where they are not called as the room. */
const testsOf: Readonly<Record<string, readonly string[]>> = {
  limits: ['kernel'],
  operations: ['kernel', 'sync/kinds'],
  plan: ['planner'],
};

const { values } = parseArgs({
  options: {
    room: { type: 'string', default: 'privacy' },
    file: { type: 'string', default: '' },
    sample: { type: 'string', default: '200' },
    stages: { type: 'string', default: '3' },
    from: { type: 'string', default: String(randomInt(1, 1_000_000_000)) },
    help: { type: 'boolean', default: false },
  },
});
if (values.help) {
  process.stdout.write(`Usage: npm run mutate -- [options]

  --room NAME  a folder of src/rules, or text or kernel; privacy unless told
  --file WORD  only its files whose names contain this
  --sample N   how many of its mutants; 200 unless told
  --stages N   1 for the quick tests of the room, 2 for all its tests, 3 for npm run check too; 3 unless told;
               0 for the tests with the names of its files only
  --from S     the seed by which they are drawn; drawn itself, and printed, unless told
`);
  process.exit();
}

const root = resolve(import.meta.dirname, '../..');
const { room } = values;
const folder = ['text', 'kernel'].includes(room) ? `src/${room}` : `src/rules/${room}`;
const files = globSync(`${folder}/**/*.ts`, { cwd: root }).filter((file) => basename(file).includes(values.file));
if (files.length === 0) throw new Error(`There is no file ${values.file} in ${folder}`);
const all = files.toSorted().flatMap((file) => {
  const code = readFileSync(join(root, file), 'utf8');
  return mutantsOf(file, code).map((mutant) => ({ file, code, mutant }));
});
const seed = Number(values.from);
const drawn = random(seed).shuffle(all).slice(0, Number(values.sample));

mkdirSync(join(root, '.planted'), { recursive: true });
const copy = mkdtempSync(join(root, '.planted/mutants-'));
const isCopied = (path: string): boolean => !/^(?:node_modules|\.git|\.planted|dist|state)$/u.test(path);
const names = globSync('{*,.*}', { cwd: root }).filter(isCopied);
for (const name of names) cpSync(join(root, name), join(copy, name), { recursive: true });
symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
process.once('exit', () => rmSync(copy, { recursive: true, force: true }));
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));

/** What the last program printed. */
let output = '';

/** Whether a program of node_modules ends well in the copy. What takes much longer than without a mutant does not. */
function passes(script: string, args: readonly string[], timeout = 600_000): boolean {
  // A planted fault is looked for in the code as it is, and not in the mutant: there it would not fit.
  const env = { ...process.env, SOURCES: join(root, 'src'), VITEST_MAX_WORKERS: '1' };
  const done = spawnSync(process.execPath, [join('node_modules', script), ...args], { cwd: copy, env, timeout });
  output = `${done.stdout}${done.stderr}`;
  return done.status === 0;
}

/** Those that compile. All are checked at once, each as a file of its own beside the one that it changes. */
function typed(mutants: typeof drawn): typeof drawn {
  const besides = mutants.map(({ file }, index) => file.replace(/\.ts$/u, `.mutant-${index}.ts`));
  for (const [index, { code, mutant }] of mutants.entries())
    writeFileSync(join(copy, besides[index] ?? ''), mutated(code, mutant));
  const compilerOptions = { noUnusedLocals: false, noUnusedParameters: false };
  const config = { extends: './tsconfig.json', compilerOptions, include: besides };
  writeFileSync(join(copy, 'tsconfig.mutants.json'), JSON.stringify(config));
  if (besides.length > 0)
    passes('typescript/bin/tsc', ['--noEmit', '--pretty', 'false', '-p', 'tsconfig.mutants.json']);
  const wrong = new Set(Array.from(output.matchAll(/^(\S+?)\(\d+,/gmu), ([, file]) => file));
  for (const file of besides) rmSync(join(copy, file));
  return mutants.filter((_, index) => !wrong.has(besides[index]));
}

/** Tests with planted faults are left out: they try the tests, and not this code. */
const common = ['--project', 'check', '--mode', 'check', '--reporter', 'dot', '-t', '^(?!.*planted)'];
const own = (testsOf[room] ?? [room]).map((name) => `test/${name}`);
/** Those that are called as the files of the room: they ask its rules directly, and are by far the quickest. */
const tables = own
  .flatMap((name) => files.map((file) => `${name}/${basename(file, '.ts')}.test.ts`))
  .filter((file) => existsSync(join(root, file)));
const stages = [
  { name: 'the tables of the room', args: ['run', ...common, ...tables] },
  { name: 'the quick tests of the room', args: ['run', ...common, ...own] },
  { name: 'its tests in npm test', args: ['run', ...common.with(1, 'test').with(3, 'test'), ...own] },
  { name: 'npm run check', args: ['run', ...common] },
].slice(tables.length > 0 ? 0 : 1, Number(values.stages) + 1);
const vitest = 'vitest/vitest.mjs';

process.stdout.write(`${drawn.length} of ${all.length} mutants of ${folder}; draw them again with --from ${seed}\n`);
const limits = stages.map(({ name, args }) => {
  const begunAt = Date.now();
  if (!passes(vitest, [...args, '--bail=0'])) throw new Error(`Without a mutant, ${name} fail:\n${output}`);
  return 30_000 + 5 * (Date.now() - begunAt);
});

function fate(): string {
  const index = stages.findIndex(({ args }, at) => !passes(vitest, [...args, '--bail=1'], limits[at]));
  return stages[index] === undefined ? 'SURVIVED' : `killed by ${stages[index].name}`;
}

const counts = new Map<string, number>();
const compiled = typed(drawn);
if (compiled.length < drawn.length) counts.set('do not compile', drawn.length - compiled.length);
for (const { file, code, mutant } of compiled) {
  writeFileSync(join(copy, file), mutated(code, mutant));
  const outcome = fate();
  writeFileSync(join(copy, file), code);
  counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
  process.stdout.write(`${outcome}: ${told(file, code, mutant)}\n`);
}
for (const [outcome, count] of counts) process.stdout.write(`${String(count).padStart(5)} ${outcome}\n`);

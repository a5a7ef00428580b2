import { beforeEach, type RunnerTask, type RunnerTestFile } from 'vitest';
import { quarters } from './tiers.ts';

/** vitest.config.ts says whether `npm test` runs: whoever names files, and the deep tier, want all of their tests. */
const isSample = process.env['QUARTER'] === 'yes';

const idsIn = (tasks: readonly RunnerTask[]): readonly string[] =>
  tasks.flatMap((task) => (task.type === 'suite' ? idsIn(task.tasks) : [task.id]));

const chosen = new WeakMap<RunnerTestFile, ReadonlySet<string>>();

/** The first test of a file and every fourth after it: the same ones in every run, and at least one of each file. */
function chosenIn(file: RunnerTestFile): ReadonlySet<string> {
  const known = chosen.get(file) ?? new Set(idsIn(file.tasks).filter((_id, index) => index % 4 === 0));
  chosen.set(file, known);
  return known;
}

beforeEach(({ task, skip }) => {
  skip(isSample && quarters.has(task.file.name) && !chosenIn(task.file).has(task.id), 'the deep tier runs it');
});

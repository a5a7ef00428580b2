import { relative, resolve, sep } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { mixed } from './mixed.ts';
import { rows } from './tiers.ts';

const root = resolve(import.meta.dirname, '../..');

/** Of these `npm test` runs a share, because all of them takes long. */
const shared = new Set(
  rows.filter(({ runs }) => runs.test !== '' && runs.test !== 'all').flatMap(({ files }) => files),
);
/** These do the same in `npm run check`, so that they are quick. */
const quick = new Set(rows.filter(({ runs }) => runs.check !== '' && runs.test === '').flatMap(({ files }) => files));

/**
 * The order of the files in a run: first what takes long, and what is quick last, so that all cores end at once.
 * Without a run before it, vitest knows only how large the files are.
 */
export class Mixed extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isIn = (names: ReadonlySet<string>) => (each: TestSpecification) =>
      names.has(relative(root, each.moduleId).replaceAll(sep, '/'));
    const ofTest = sorted.filter((each) => !isIn(quick)(each));
    const longFirst = [...ofTest.filter(isIn(shared)), ...ofTest.filter((each) => !isIn(shared)(each))];
    return [...mixed(longFirst, ({ moduleId }) => moduleId), ...sorted.filter(isIn(quick))];
  }
}

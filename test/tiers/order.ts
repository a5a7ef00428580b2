import { relative, resolve, sep } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { mixed } from './mixed.ts';
import { rows } from './tiers.ts';

const root = resolve(import.meta.dirname, '../..');

/** These do more than in `npm run check`, and so they are not quick. */
const deeper = new Set(rows.filter(({ runs }) => runs.check !== '' && runs.test !== '').flatMap(({ files }) => files));

/** The order of the files in a run. What `npm test` has of `npm run check` as it is there is quick, and comes last, so that all cores end at once. */
export class Mixed extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isQuick = ({ project, moduleId }: TestSpecification): boolean =>
      project.name === 'check' && !deeper.has(relative(root, moduleId).replaceAll(sep, '/'));
    return [
      ...mixed(
        sorted.filter((each) => !isQuick(each)),
        ({ moduleId }) => moduleId,
      ),
      ...sorted.filter(isQuick),
    ];
  }
}

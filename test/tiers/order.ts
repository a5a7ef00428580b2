import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { mixed } from './mixed.ts';

/** The order of the files in a run. What `npm run check` has is quick, and comes last. */
export class Mixed extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isQuick = ({ project }: TestSpecification): boolean => project.name === 'check';
    return [
      ...mixed(
        sorted.filter((each) => !isQuick(each)),
        ({ moduleId }) => moduleId,
      ),
      ...sorted.filter(isQuick),
    ];
  }
}

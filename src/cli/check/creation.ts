import type { CreateValues } from '../../model/route.ts';
import type { Site, Topic } from './site.ts';
import { type Finding, failure } from './verdict.ts';

/** What a bug gets that is filed from an issue. */
export const creation: Topic = { name: 'create', fine: 'the tracker accepts the values of new bugs', find };

const createFields = ['component', 'version', 'op_sys', 'platform', 'severity', 'priority'] as const satisfies (keyof CreateValues)[];

function find({ route: { create, direction, selection }, vocabulary: { values }, tracker }: Site): readonly Finding[] {
  if (direction === 'to-github') return [];
  const closed = failure(
    `product ${selection.product} takes no new bugs of our account; ask an administrator of the tracker to open it, or set direction: to-github`,
  );
  const strange = createFields.flatMap((field) => {
    const [known, value] = [values[field], create[field]];
    if (known === undefined || known.includes(value)) return [];
    const shown = value === '' ? 'nothing' : `"${value}"`;
    return [failure(`create.${field} is ${shown}, which the tracker does not accept; it has ${known.join(', ')}`)];
  });
  return tracker.takesBugs === false ? [closed, ...strange] : strange;
}

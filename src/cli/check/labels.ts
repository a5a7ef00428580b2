import type { Site, Topic } from './site.ts';
import { type Finding, warning } from './verdict.ts';

/** The label rules against the values that the tracker tells. */
export const labels: Topic = { name: 'labels', fine: 'the tracker tells the values that labels stand for', find };

function find({ route, vocabulary: { values } }: Pick<Site, 'route' | 'vocabulary'>): readonly Finding[] {
  return route.labels.flatMap(({ from, as, both }) => {
    if (values[from] !== undefined || !both) return [];
    return [warning(`the tracker does not tell its values of ${from}, so labels like "${as}" are taken as they come`)];
  });
}

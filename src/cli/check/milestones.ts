import type { Site, Topic } from './site.ts';
import { type Finding, warning } from './verdict.ts';

/** Target milestones, where the route keeps them the same. */
export const milestones: Topic = {
  name: 'milestones',
  fine: ({ route }) =>
    route.milestones ? 'the tracker tells the milestones of the product' : 'the route does not keep milestones the same',
  find,
};

function find({ route, vocabulary: { values } }: Pick<Site, 'route' | 'vocabulary'>): readonly Finding[] {
  if (!route.milestones || values.milestone !== undefined) return [];
  const words = `the tracker tells no milestones of ${route.selection.product}, so those of issues cannot cross; check the rights of the account`;
  return [warning(words)];
}

import { created, ok, type Route, repoOf, textIn } from './ask.ts';
import { createMilestone } from './milestones.ts';
import { paged } from './paging.ts';
import { milestoneShape } from './shapes.ts';

export const milestoneRoutes: readonly Route[] = [
  {
    method: 'GET',
    path: '/milestones',
    answer(ask) {
      const repo = repoOf(ask);
      const { items, headers } = paged(ask, `/repositories/${repo.id}/milestones`, repo.milestones);
      return ok(
        items.map((milestone) => milestoneShape(ask.state, repo, milestone)),
        headers,
      );
    },
  },
  {
    method: 'POST',
    path: '/milestones',
    answer(ask) {
      const repo = repoOf(ask);
      const title = textIn(ask, 'title', 'Milestone') ?? '';
      return created(milestoneShape(ask.state, repo, createMilestone(ask.state, ask.caller, repo, title)));
    },
  },
];

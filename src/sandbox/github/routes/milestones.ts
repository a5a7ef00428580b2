import { created, numberParam, ok, type Route, repoOf, textIn } from '../server/ask.ts';
import { notFound } from '../server/errors.ts';
import { paged } from '../server/paging.ts';
import { milestoneShape } from '../shapes/shapes.ts';
import { createMilestone, deleteMilestone, renameMilestone } from '../world/assignees.ts';
import { listedNow } from '../world/state.ts';

export const milestoneRoutes: readonly Route[] = [
  {
    method: 'GET',
    path: '/milestones',
    answer(ask) {
      const repo = repoOf(ask);
      const { items, headers } = paged(
        ask,
        `/repositories/${repo.id}/milestones`,
        repo.milestones.filter(listedNow(ask.state)),
      );
      return ok(
        items.map((milestone) => milestoneShape(ask.state, repo, milestone)),
        headers,
      );
    },
  },
  {
    method: 'GET',
    path: '/milestones/:number',
    answer(ask) {
      const repo = repoOf(ask);
      const milestone = repo.milestones.find(({ number }) => number === numberParam(ask, 'number'));
      if (milestone === undefined) throw notFound();
      return ok(milestoneShape(ask.state, repo, milestone));
    },
  },
  {
    method: 'PATCH',
    path: '/milestones/:number',
    answer(ask) {
      const repo = repoOf(ask);
      const title = textIn(ask, 'title', 'Milestone') ?? '';
      return ok(milestoneShape(ask.state, repo, renameMilestone(ask.caller, repo, numberParam(ask, 'number'), title)));
    },
  },
  {
    method: 'DELETE',
    path: '/milestones/:number',
    answer(ask) {
      deleteMilestone(ask.caller, repoOf(ask), numberParam(ask, 'number'));
      return { status: 204, body: null };
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

import { issueOf, ok, type Route, repoOf } from '../server/ask.ts';
import { notFound } from '../server/errors.ts';
import { paged } from '../server/paging.ts';
import { eventShape, typeShape } from '../shapes/shapes.ts';

export const eventRoutes: readonly Route[] = [
  {
    method: 'GET',
    path: '/issue-types',
    answer(ask) {
      const repo = repoOf(ask);
      if (repo.types.length === 0) throw notFound();
      return ok(repo.types.map((type) => typeShape(repo, type)));
    },
  },
  {
    method: 'GET',
    path: '/issues/:number/events',
    answer(ask) {
      const { repo, issue } = issueOf(ask);
      const { items, headers } = paged(ask, `/repositories/${repo.id}/issues/${issue.number}/events`, issue.events);
      return ok(
        items.map((event) => eventShape(ask.state, repo, event)),
        headers,
      );
    },
  },
];

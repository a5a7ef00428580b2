import { issueOf, ok, type Route } from './ask.ts';
import { paged } from './paging.ts';
import { labelEventShape } from './shapes.ts';

export const eventRoutes: readonly Route[] = [
  {
    method: 'GET',
    path: '/issues/:number/events',
    answer(ask) {
      const { repo, issue } = issueOf(ask);
      const { items, headers } = paged(ask, `/repositories/${repo.id}/issues/${issue.number}/events`, issue.labelEvents);
      return ok(
        items.map((event) => labelEventShape(ask.state, repo, event)),
        headers,
      );
    },
  },
];

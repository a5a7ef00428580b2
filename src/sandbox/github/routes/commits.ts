/** Commits of a branch, and what came to it. Sources: GitHub's REST API, "List commits" and "Compare two commits". */

import { type Ask, ok, type Route, repoOf } from '../server/ask.ts';
import { notFound } from '../server/errors.ts';
import { paged } from '../server/paging.ts';
import { commitShape, compared, comparisonShape } from '../shapes/commit.ts';
import { historyOf, needsCommits } from '../world/git/git.ts';
import type { Repo } from '../world/records.ts';

/** Without paging, a comparison shows so many commits: the newest. */
const comparedMax = 250;

export const commitRoutes: readonly Route[] = [
  {
    method: 'GET',
    path: '/commits',
    answer(ask) {
      const repo = readable(ask);
      const sha = shaOf(repo, ask.query.get('sha') ?? repo.defaultBranch);
      const { items, headers } = paged(ask, `/repositories/${repo.id}/commits`, historyOf(repo.git, sha));
      return ok(
        items.map((each) => commitShape(ask.state, repo, each)),
        headers,
      );
    },
  },
  {
    method: 'GET',
    path: '/compare/:basehead{.+}',
    answer(ask) {
      const repo = readable(ask);
      const [base, head] = (ask.params['basehead'] ?? '').split('...').map((each) => shaOf(repo, each));
      const found =
        base === undefined || head === undefined
          ? null
          : compared(repo.git, base, head, (from) => historyOf(repo.git, from));
      if (found === null) throw notFound();
      const isPaged = ask.query.has('per_page') || ask.query.has('page');
      if (!isPaged) return ok(comparisonShape(ask.state, repo, found, found.ahead.slice(-comparedMax)));
      const { items, headers } = paged(ask, `/repositories/${repo.id}/compare/${ask.params['basehead']}`, found.ahead);
      return ok(comparisonShape(ask.state, repo, found, items), headers);
    },
  },
];

function readable(ask: Ask): Repo {
  const repo = repoOf(ask);
  needsCommits(repo.git);
  return repo;
}

/** Of a branch or a commit. */
function shaOf({ git }: Repo, name: string): string {
  const sha = git.branches.get(name) ?? name;
  if (!git.commits.has(sha)) throw notFound();
  return sha;
}

/** Opening and merging pull requests over HTTP. Source: GitHub's REST API, "Pull requests". */

import { type Ask, created, issueOf, ok, type Route, repoOf, textIn } from '../server/ask.ts';
import { forbidden, invalid, notFound } from '../server/errors.ts';
import { pullRequestShape } from '../shapes/pull.ts';
import { mergePull } from '../world/git/closings.ts';
import { createIssue } from '../world/issues.ts';
import { mayPush, type Repo } from '../world/records.ts';

export const pullRoutes: readonly Route[] = [
  {
    method: 'POST',
    path: '/pulls',
    answer(ask) {
      const repo = writable(ask);
      const branches = { head: branchIn(ask, repo, 'head'), base: branchIn(ask, repo, 'base') };
      const [title, body] = [textIn(ask, 'title', 'PullRequest') ?? '', textIn(ask, 'body', 'PullRequest') ?? null];
      const pull = createIssue(ask.state, ask.caller, repo, { title, body, isPull: true });
      return created(pullRequestShape(ask, repo, pull, branches));
    },
  },
  {
    method: 'PUT',
    path: '/pulls/:number/merge',
    answer(ask) {
      const repo = writable(ask);
      const { issue } = issueOf(ask);
      if (!issue.isPull || issue.state === 'closed') throw notFound();
      mergePull(ask.state, ask.caller, { repo, issue });
      return ok({ sha: issue.merge?.sha, merged: true, message: 'Pull Request successfully merged' });
    },
  },
];

function writable(ask: Ask): Repo {
  const repo = repoOf(ask);
  if (!mayPush(ask.caller, repo)) throw forbidden();
  return repo;
}

function branchIn(ask: Ask, { git }: Repo, field: 'head' | 'base'): string {
  const name = textIn(ask, field, 'PullRequest') ?? '';
  if (!git.branches.has(name)) throw invalid({ resource: 'PullRequest', code: 'invalid', field });
  return name;
}

import { type Ask, created, issueOf, numberParam, ok, type Route, valueIn } from '../server/ask.ts';
import { invalid, notFound } from '../server/errors.ts';
import { paged } from '../server/paging.ts';
import { issueAnswer } from '../shapes/fields.ts';
import { addBlocker, blockersOf, removeBlocker } from '../world/dependencies.ts';
import type { IssueRecord, Repo } from '../world/records.ts';

const path = '/issues/:number/dependencies/blocked_by';

/** The blockers of an issue. Database ids identify issues here, not numbers. */
export const dependencyRoutes: readonly Route[] = [
  {
    method: 'GET',
    path,
    answer(ask) {
      const { repo, issue } = issueOf(ask);
      if (!ask.state.limits.hasDependencies) throw notFound();
      const { items, headers } = paged(
        ask,
        `/repositories/${repo.id}/issues/${issue.number}/dependencies/blocked_by`,
        blockersOf(issue),
      );
      return ok(
        items.map((blocker) => issueAnswer(ask, homeOf(ask, blocker) ?? repo, blocker)),
        headers,
      );
    },
  },
  {
    method: 'POST',
    path,
    creates: 'dependency',
    answer(ask) {
      const at = issueOf(ask);
      addBlocker(ask.state, ask.caller, at, issueIdIn(ask));
      return created(issueAnswer(ask, at.repo, at.issue));
    },
  },
  {
    method: 'DELETE',
    path: `${path}/:id`,
    creates: 'dependency',
    answer(ask) {
      const at = issueOf(ask);
      removeBlocker(ask.state, ask.caller, at, numberParam(ask, 'id'));
      return ok(issueAnswer(ask, at.repo, at.issue));
    },
  },
];

const homeOf = ({ state }: Ask, issue: IssueRecord): Repo | undefined =>
  [...state.repos.values()].find(({ issues }) => issues.get(issue.number) === issue);

function issueIdIn(ask: Ask): number {
  const id = valueIn(ask.body, 'issue_id');
  if (typeof id !== 'number') throw invalid({ resource: 'IssueDependency', code: 'invalid', field: 'issue_id' });
  return id;
}

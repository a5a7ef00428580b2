import {
  type Ask,
  created,
  issueOf,
  labelNamesIn,
  ok,
  type Route,
  repoOf,
  sinceOf,
  textIn,
  valueIn,
} from '../server/ask.ts';
import { invalid, notFound } from '../server/errors.ts';
import { paged } from '../server/paging.ts';
import { fieldWishesIn, issueAnswer } from '../shapes/fields.ts';
import { setLock } from '../world/comments.ts';
import { createIssue, editIssue, type IssueChange } from '../world/issues.ts';
import { listedIssues } from '../world/listings.ts';
import type { IssueRecord, StateReason } from '../world/records.ts';
import { issueReader } from '../world/versions.ts';

export const issueRoutes: readonly Route[] = [
  {
    method: 'GET',
    path: '/issues',
    answer(ask) {
      const repo = repoOf(ask);
      const chosen = sorted(ask, listedIssues(ask.state, repo).filter(filterOf(ask)));
      const { items, headers } = paged(ask, `/repositories/${repo.id}/issues`, chosen);
      return ok(
        items.map((issue) => issueAnswer(ask, repo, issue)),
        headers,
      );
    },
  },
  {
    method: 'POST',
    path: '/issues',
    creates: 'issue',
    answer(ask) {
      const repo = repoOf(ask);
      const labels = labelNamesIn(ask) ?? [];
      const request = {
        title: textIn(ask, 'title', 'Issue') ?? '',
        body: bodyIn(ask) ?? null,
        labels,
        ...choiceIn(ask),
      };
      return created(issueAnswer(ask, repo, createIssue(ask.state, ask.caller, repo, request)));
    },
  },
  {
    method: 'GET',
    path: '/issues/:number',
    answer(ask) {
      const { repo, issue } = issueOf(ask);
      const shown = issueReader(ask.state, 'item')(issue);
      if (shown === null) throw notFound();
      return ok(issueAnswer(ask, repo, shown), { 'last-modified': new Date(shown.updatedAt).toUTCString() });
    },
  },
  {
    method: 'PATCH',
    path: '/issues/:number',
    answer(ask) {
      const { repo, issue } = issueOf(ask);
      editIssue(ask.state, ask.caller, { repo, issue }, changeIn(ask));
      return ok(issueAnswer(ask, repo, issue));
    },
  },
  lockRoute('PUT', true),
  lockRoute('DELETE', false),
];

function lockRoute(method: 'PUT' | 'DELETE', isLocked: boolean): Route {
  return {
    method,
    path: '/issues/:number/lock',
    answer(ask) {
      setLock(ask.state, ask.caller, issueOf(ask), isLocked);
      return { status: 204, body: null };
    },
  };
}

/** `body: null` empties it, as in GitHub's description. */
function bodyIn(ask: Ask): string | null | undefined {
  return valueIn(ask.body, 'body') === null ? null : textIn(ask, 'body', 'Issue');
}

function changeIn(ask: Ask): IssueChange {
  const title = valueIn(ask.body, 'title') === null ? undefined : textIn(ask, 'title', 'Issue');
  const body = bodyIn(ask);
  const state = oneOf(ask, 'state', ['open', 'closed'] as const);
  const stateReason: StateReason | undefined = oneOf(ask, 'state_reason', [
    'completed',
    'not_planned',
    'duplicate',
    'reopened',
  ] as const);
  const labels = labelNamesIn(ask);
  const duplicate = valueIn(ask.body, 'duplicate_issue_id');
  return {
    ...(title === undefined ? {} : { title }),
    ...(body === undefined ? {} : { body }),
    ...(state === undefined ? {} : { state }),
    ...(stateReason === undefined ? {} : { stateReason }),
    ...(labels === undefined ? {} : { labels }),
    ...choiceIn(ask),
    ...(typeof duplicate === 'number' ? { duplicateIssueId: duplicate } : {}),
  };
}

/** Assignees are logins; the milestone is a number, or null for none. */
function choiceIn(ask: Ask): Pick<IssueChange, 'assignees' | 'milestone' | 'type' | 'fields'> {
  const assignees = valueIn(ask.body, 'assignees');
  const milestone = valueIn(ask.body, 'milestone');
  const type = valueIn(ask.body, 'type');
  const fields = fieldWishesIn(ask);
  if (assignees !== undefined && !Array.isArray(assignees))
    throw invalid({ resource: 'Issue', code: 'invalid', field: 'assignees' });
  if (milestone !== undefined && milestone !== null && typeof milestone !== 'number')
    throw invalid({ resource: 'Issue', code: 'invalid', field: 'milestone' });
  return {
    ...(type === undefined ? {} : { type: type === null ? null : String(type) }),
    ...(fields === undefined ? {} : { fields }),
    ...(assignees === undefined ? {} : { assignees: assignees.map(String) }),
    ...(milestone === undefined ? {} : { milestone }),
  };
}

function oneOf<T extends string>(ask: Ask, key: string, choices: readonly T[]): T | undefined {
  const value = valueIn(ask.body, key);
  if (value === undefined || value === null) return undefined;
  const choice = choices.find((candidate) => candidate === value);
  if (choice === undefined) throw invalid({ resource: 'Issue', code: 'invalid', field: key });
  return choice;
}

/** Issues and pull requests: only the `pull_request` key distinguishes them. Open ones by default. */
function filterOf(ask: Ask): (issue: IssueRecord) => boolean {
  const state = ask.query.get('state') ?? 'open';
  const creator = ask.query.get('creator');
  const wanted = (ask.query.get('labels') ?? '').split(',').filter((name) => name !== '');
  const milestone = ask.query.get('milestone');
  const sinceAt = sinceOf(ask);
  return (issue) =>
    (state === 'all' || issue.state === state) &&
    (creator === null || issue.author.login === creator) &&
    (milestone === null || issue.milestone?.number === Number(milestone)) &&
    (sinceAt === null || issue.updatedAt >= sinceAt) &&
    wanted.every((name) => issue.labels.some((label) => label.name.toLowerCase() === name.toLowerCase()));
}

/** `created` and descending by default; equal ones stay ordered by number. */
function sorted(ask: Ask, issues: readonly IssueRecord[]): readonly IssueRecord[] {
  const sort = ask.query.get('sort') ?? 'created';
  const rank = (issue: IssueRecord): number =>
    sort === 'updated' ? issue.updatedAt : sort === 'comments' ? issue.comments.length : issue.createdAt;
  const ascending = [...issues].sort((left, right) => rank(left) - rank(right));
  return ask.query.get('direction') === 'asc' ? ascending : ascending.reverse();
}

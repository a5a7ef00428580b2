import { type Ask, accepted, numberParam, ok, type Route, repoOf, sinceOf, valueIn } from '../server/ask.ts';
import { invalid, notFound } from '../server/errors.ts';
import { paged } from '../server/paging.ts';
import { beginImport, importsOf } from '../world/imports.ts';
import { fullName, type ImportRecord, type ImportRequest, type Repo } from '../world/records.ts';

/**
 * The import API, which GitHub's OpenAPI description lacks: POST takes a whole issue and answers before the issue
 * exists; the two GETs report the outcome. Unlike all others, its stamps have an offset instead of `Z`.
 */
export const importRoutes: readonly Route[] = [
  {
    method: 'POST',
    path: '/import/issues',
    answer(ask) {
      const repo = repoOf(ask);
      return accepted(shapeOf(ask, repo, beginImport(ask.state, ask.caller, repo, requestIn(ask))));
    },
  },
  {
    method: 'GET',
    path: '/import/issues',
    answer(ask) {
      const repo = repoOf(ask);
      const sinceAt = sinceOf(ask) ?? 0;
      const chosen = importsOf(ask.state, ask.caller, repo).filter(({ updatedAt }) => updatedAt >= sinceAt);
      const { items, headers } = paged(ask, `/repositories/${repo.id}/import/issues`, chosen);
      return ok(
        items.map((record) => shapeOf(ask, repo, record)),
        headers,
      );
    },
  },
  {
    method: 'GET',
    path: '/import/issues/:id',
    answer(ask) {
      const repo = repoOf(ask);
      const id = numberParam(ask, 'id');
      const record = importsOf(ask.state, ask.caller, repo).find((each) => each.id === id);
      if (record === undefined) throw notFound();
      return ok(shapeOf(ask, repo, record));
    },
  },
];

function shapeOf({ state }: Ask, repo: Repo, record: ImportRecord) {
  const api = `${state.url}/repos/${fullName(repo)}`;
  return {
    id: record.id,
    status: record.status,
    url: `${api}/import/issues/${record.id}`,
    import_issues_url: `${api}/import/issues`,
    repository_url: api,
    created_at: offsetStamp(record.createdAt),
    updated_at: offsetStamp(record.updatedAt),
    ...(record.issue === null ? {} : { issue_url: `${api}/issues/${record.issue}` }),
    ...(record.errors.length === 0 ? {} : { errors: record.errors }),
  };
}

/** `2016-01-14T10:57:56-08:00` */
const offsetStamp = (at: number): string => `${new Date(at - 8 * 3_600_000).toISOString().slice(0, 19)}-08:00`;

function requestIn(ask: Ask): ImportRequest {
  const issue = valueIn(ask.body, 'issue');
  const comments = valueIn(ask.body, 'comments') ?? [];
  if (!Array.isArray(comments)) throw invalid({ resource: 'Comment', code: 'invalid', field: 'comments' });
  const labels = valueIn(issue, 'labels') ?? [];
  if (!Array.isArray(labels)) throw invalid({ resource: 'Issue', code: 'invalid', field: 'labels' });
  const milestone = valueIn(issue, 'milestone') ?? null;
  if (milestone !== null && typeof milestone !== 'number')
    throw invalid({ resource: 'Issue', code: 'invalid', field: 'milestone' });
  return {
    title: textOf(issue, 'title') ?? '',
    body: textOf(issue, 'body') ?? '',
    createdAt: timeOf(issue, 'created_at'),
    updatedAt: timeOf(issue, 'updated_at'),
    closedAt: timeOf(issue, 'closed_at'),
    isClosed: valueIn(issue, 'closed') === true,
    assignee: textOf(issue, 'assignee'),
    milestone,
    labels: labels.map(String),
    comments: comments.map((comment: unknown) => ({
      body: textOf(comment, 'body') ?? '',
      createdAt: timeOf(comment, 'created_at'),
    })),
  };
}

function textOf(body: unknown, field: string): string | null {
  const value = valueIn(body, field);
  if (value === undefined || value === null) return null;
  if (typeof value !== 'string') throw invalid({ resource: 'Issue', code: 'invalid', field });
  return value;
}

function timeOf(body: unknown, field: string): number | null {
  const text = textOf(body, field);
  const at = text === null ? null : Date.parse(text);
  if (at !== null && Number.isNaN(at)) throw invalid({ resource: 'Issue', code: 'invalid', field });
  return at;
}

import type { HalfDone } from '../../server/faults.ts';
import { type Ask, ok, type Route, valueIn } from '../server/ask.ts';
import { forbidden, notFound, Refusal, secondaryLimit } from '../server/errors.ts';
import type { Limits } from '../server/limits.ts';
import { repoNodeId } from '../shapes/repo.ts';
import { commentNodeId, isoStamp } from '../shapes/shapes.ts';
import { listedComments } from '../world/comments.ts';
import type { Closer } from '../world/git/closer.ts';
import { shownFields } from '../world/issue-fields.ts';
import { findIssue } from '../world/issues.ts';
import { fullName, type IssueRecord, mayRead, type Repo, type User } from '../world/records.ts';
import { type GithubState, pageUrl, readableRepo } from '../world/state.ts';
import { issueReader } from '../world/versions.ts';
import { BadDocument, parseDocument, type Selection } from './graphql-document.ts';
import { mutate } from './graphql-mutations.ts';
import {
  actorShown,
  connection,
  creationPolicy,
  editShown,
  fieldShown,
  shown,
  typeOfField,
  valuesShown,
} from './graphql-shown.ts';

/**
 * POST /graphql. Failures within an operation are reported as errors next to the successes, with status 200, as GitHub
 * does.
 *
 *   query     repository(owner, name) { id issueCreationPolicy issueFields(first) { nodes }
 *               issues(first, after, orderBy, filterBy) { nodes pageInfo } issue(number) { ... } }
 *             of which an issue shows
 *               id number state title body stateReason createdAt updatedAt duplicateOf
 *               editor lastEditedAt includesCreatedEdit
 *                 userContentEdits(last: 1) { nodes { diff } } userContentEdits(first) { nodes { diff editor } }
 *               comments(first) { nodes { id url isMinimized minimizedReason, and the same of edits } }
 *               labels(first) assignees(first) milestone issueType
 *               timelineItems(last: 1, itemTypes: [MARKED_AS_DUPLICATE_EVENT]) { nodes { canonical } }
 *               timelineItems(last: 1, itemTypes: [CLOSED_EVENT]) { nodes { closer } }
 *   mutation  closeIssue(input: { issueId, stateReason, duplicateIssueId }) { issue { id number state } }
 *             minimizeComment(input: { subjectId, classifier }), unminimizeComment(input: { subjectId })
 *             transferIssue(input: { issueId, repositoryId }) { issue { number } }
 *             deleteIssue(input: { issueId }) { repository { name } }
 *             updateRepository(input: { repositoryId, issueCreationPolicy }) { repository { issueCreationPolicy } }
 */
export const graphqlRoutes: readonly Route[] = [
  { method: 'POST', path: '/graphql', answer: (ask) => ok(answerTo(ask)) },
];

interface Trouble {
  readonly type?: string;
  readonly path: readonly string[];
  readonly message: string;
}

/** A limit in GraphQL's form: with status 200. */
export function limitAnswer({ graphqlLimits }: Limits, { status, message }: Refusal): unknown {
  const type = status === 422 ? 'UNPROCESSABLE' : graphqlLimits;
  return { errors: [{ type, message: status === 422 ? 'was submitted too quickly' : message }] };
}

/** GraphQL's message for a timeout, which does not say what was already done. */
export const outOfTime =
  'Something went wrong while executing your query. This may be the result of a timeout, or it could be a GitHub bug. Please include `F00D:1` when reporting this issue.';

function answerTo(ask: Ask): unknown {
  try {
    const { kind, selections } = parseDocument(String(valueIn(ask.body, 'query') ?? ''));
    const errors: Trouble[] = [];
    const data = resolved(selections, { ask, path: [], errors }, (selection, path) => {
      if (kind === 'query') return repositoryFrom(ask, selection, path, errors);
      if (ask.halfDone !== null && selection !== selections[0]) throw hindrance[ask.halfDone]();
      return mutate(ask, selection);
    });
    return errors.length === 0 ? { data } : { data, errors };
  } catch (error) {
    if (!(error instanceof BadDocument)) throw error;
    return { errors: [{ message: `Parse error: ${error.message}`, locations: [] }] };
  }
}

const hindrance: Readonly<Record<HalfDone, () => Refusal>> = {
  limit: () => secondaryLimit(403, null, 'requests'),
  timeout: () => new Refusal(504, { message: outOfTime }),
  forbidden: () => forbidden(),
};

interface Resolution {
  readonly ask: Ask;
  readonly path: readonly string[];
  readonly errors: Trouble[];
}

/** Resolves each field separately: a refused one is null and reported in the errors. */
function resolved(
  selections: readonly Selection[],
  { ask, path, errors }: Resolution,
  resolve: (selection: Selection, path: readonly string[]) => unknown,
): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    selections.map((selection) => {
      const at = [...path, selection.alias];
      try {
        return [selection.alias, resolve(selection, at)];
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
        errors.push({ ...typeOf(ask, error), path: at, message: error.message });
        return [selection.alias, null];
      }
    }),
  );
}

const troubleOf: Readonly<Record<number, string>> = { 403: 'FORBIDDEN', 404: 'NOT_FOUND' };

function typeOf({ state }: Ask, { status, isLimit }: Refusal): { readonly type?: string } {
  if (status >= 500) return {};
  if (isLimit) return { type: state.limits.graphqlLimits };
  return { type: troubleOf[status] ?? 'UNPROCESSABLE' };
}

function repositoryFrom(
  ask: Ask,
  { name, args, selections }: Selection,
  path: readonly string[],
  errors: Trouble[],
): unknown {
  if (name !== 'repository') throw new BadDocument(`Field '${name}' doesn't exist on type 'Query'`);
  const named = `${String(args['owner'] ?? '')}/${String(args['name'] ?? '')}`.toLowerCase();
  const repo = readableRepo(ask.caller, ask.state.repos.get(named) ?? ask.state.formerRepos.get(named));
  return resolved(selections, { ask, path, errors }, (field) => {
    if (field.name === 'issueFields' && !ask.state.limits.isOlderGraphql)
      return connection(field, shownFields(ask.state, ask.caller, repo) ?? [], fieldShown, typeOfField);
    if (field.name === 'id') return repoNodeId(repo);
    if (field.name === 'issueCreationPolicy' && !ask.state.limits.isOlderGraphql) return creationPolicy(repo);
    if (field.name === 'issues') return issuesShown(ask, repo, field);
    if (field.name !== 'issue') throw new BadDocument(`Field '${field.name}' doesn't exist on type 'Repository'`);
    const found = findIssue(ask.state, ask.caller, repo, Number(field.args['number']));
    const issue = found.isPull ? null : issueReader(ask.state, 'item')(found);
    if (issue === null) throw notFound();
    return shown(field.selections, {
      ...valuesShown(issue, ask.state.limits),
      ...(ask.state.limits.isOlderGraphql
        ? {}
        : { duplicateOf: ({ selections: chosen }) => originalShown(ask, found.duplicateOfId, chosen) }),
      timelineItems: ({ args, selections }) => {
        const isClosed = [args['itemTypes']].flat().includes('CLOSED_EVENT');
        const nodes = isClosed ? closersShown : closingsShown;
        return shown(selections, { nodes: (node) => nodes(ask, found, node.selections) });
      },
      comments: (selection) => commentsShown(ask.state, { repo, issue: found }, selection),
    });
  });
}

/** The issues, without pull requests, by the time when they were made or changed last. */
function issuesShown({ state }: Ask, repo: Repo, selection: Selection): unknown {
  const { orderBy, filterBy } = selection.args;
  const since = Date.parse(String(valueIn(filterBy, 'since') ?? 0));
  const sign = valueIn(orderBy, 'direction') === 'DESC' ? -1 : 1;
  const by = valueIn(orderBy, 'field') === 'CREATED_AT' ? 'createdAt' : 'updatedAt';
  const read = issueReader(state, 'list');
  const issues = [...repo.issues.values()]
    .flatMap((issue) => (issue.isPull ? [] : (read(issue) ?? [])))
    .filter(({ updatedAt }) => Number.isNaN(since) || updatedAt >= since)
    .sort((one, other) => (one[by] - other[by]) * sign);
  return connection(selection, issues, (issue) => ({
    ...valuesShown(issue, state.limits),
    comments: (inner) => commentsShown(state, { repo, issue }, inner),
  }));
}

/** The last event that marked the issue as a duplicate. */
function closingsShown(ask: Ask, { duplicateOfId }: IssueRecord, selections: readonly Selection[]): readonly unknown[] {
  if (duplicateOfId === null) return [];
  return [shown(selections, { canonical: ({ selections: chosen }) => originalShown(ask, duplicateOfId, chosen) })];
}

/** The issue with this id; null for those who may not read it. */
function originalShown({ state, caller }: Ask, wanted: number | null, selections: readonly Selection[]): unknown {
  for (const repo of state.repos.values()) {
    const issue = [...repo.issues.values()].find(({ id }) => id === wanted);
    if (issue === undefined || !mayRead(caller, repo)) continue;
    const place = { nameWithOwner: () => fullName(repo) };
    return shown(selections, {
      number: () => issue.number,
      repository: (selection) => shown(selection.selections, place),
    });
  }
  return null;
}

/** What closed the issue last; null for a person, and for those who may not read where it is. */
function closersShown(
  { state, caller }: Ask,
  { events }: IssueRecord,
  selections: readonly Selection[],
): readonly unknown[] {
  const event = events.findLast((each) => each.action === 'closed');
  if (event === undefined) return [];
  const closer = ('closer' in event ? event.closer : null) ?? null;
  const place = ({ repo }: Closer) => ({ nameWithOwner: () => fullName(repo), isPrivate: () => repo.isPrivate });
  const commit = (sha: string) => ({ oid: () => sha, abbreviatedOid: () => sha.slice(0, 7) });
  const login = ({ login: name }: User) => ({ login: () => name });
  return [
    shown(selections, {
      closer({ selections: chosen }) {
        if (closer === null || !mayRead(caller, closer.repo)) return null;
        const repository = (selection: Selection) => shown(selection.selections, place(closer));
        if (closer.kind === 'commit') {
          const url = `${state.webUrl ?? state.url}/${fullName(closer.repo)}/commit/${closer.sha}`;
          const user = (selection: Selection) => shown(selection.selections, login(closer.author));
          const author = (selection: Selection) => shown(selection.selections, { user });
          return shown(
            chosen,
            { __typename: () => 'Commit', ...commit(closer.sha), url: () => url, author, repository },
            'Commit',
          );
        }
        const { repo, pull } = closer;
        const fields = {
          number: () => pull.number,
          url: () => pageUrl(state, repo, pull),
          author: (selection: Selection) => shown(selection.selections, actorShown(pull.author)),
          mergeCommit: (selection: Selection) =>
            pull.merge === null ? null : shown(selection.selections, commit(pull.merge.sha)),
        };
        return shown(chosen, { __typename: () => 'PullRequest', ...fields, repository }, 'PullRequest');
      },
    }),
  ];
}

/** The comments, ordered by id, or by the time of their last change if the query wants them so. */
function commentsShown(state: GithubState, on: { repo: Repo; issue: IssueRecord }, selection: Selection): unknown {
  const byId = listedComments(state, [on.issue], null);
  const rank = ({ comment }: (typeof byId)[number]): number => comment.updatedAt;
  const isByTime = valueIn(selection.args['orderBy'], 'field') === 'UPDATED_AT';
  const comments = isByTime ? byId.toSorted((one, other) => rank(other) - rank(one)) : byId;
  return connection(selection, comments, ({ comment }) => ({
    ...editShown(comment.lastEdit),
    id: () => commentNodeId(comment),
    url: () => `${pageUrl(state, on.repo, on.issue)}#issuecomment-${comment.id}`,
    fullDatabaseId: () => String(comment.id),
    updatedAt: () => isoStamp(comment.updatedAt),
    isMinimized: () => comment.minimized !== null,
    minimizedReason: () => comment.minimized,
  }));
}

/** What GraphQL shows of an object: the selected fields, by alias. */

import type { Limits } from '../server/limits.ts';
import { isoStamp, issueNodeId } from '../shapes/shapes.ts';
import type { IssueField, IssueRecord, Repo, User } from '../world/records.ts';
import type { LastEdit, Version } from '../world/text/edits.ts';
import { BadDocument, type Selection } from './graphql-document.ts';

/** The resolved fields of a type, by name. */
export type Fields = Readonly<Record<string, (selection: Selection) => unknown>>;

/** @param type of the object, where a fragment may be about another one */
export function shown(
  selections: readonly Selection[],
  fields: Fields,
  type: string | null = null,
): Readonly<Record<string, unknown>> {
  const chosen = selections.filter(({ on }) => type === null || on === null || on === type);
  return Object.fromEntries(
    chosen.map((selection) => {
      const field = fields[selection.name];
      if (field === undefined)
        throw new BadDocument(`Field '${selection.name}' doesn't exist on type '${type ?? 'Issue'}'`);
      return [selection.alias, field(selection)];
    }),
  );
}

/**
 * Older servers give the reason of a duplicate only to queries with an argument, which newer ones refuse. Source:
 * GitHub's GraphQL schema, "Upcoming change on 2025-10-01".
 */
function reasonShown({ stateReason }: IssueRecord, { args }: Selection, isOlder: boolean): string | null {
  if (!isOlder && Object.keys(args).length > 0)
    throw new BadDocument("Field 'stateReason' doesn't accept argument 'enableDuplicate'");
  const reason =
    isOlder && stateReason === 'duplicate' && args['enableDuplicate'] !== true ? 'not_planned' : stateReason;
  return reason?.toUpperCase() ?? null;
}

/** A field, of the type of its kind. */
export const fieldShown = ({ id, name, kind, options, isForMembers }: IssueField): Fields => ({
  fullDatabaseId: () => String(id),
  name: () => name,
  dataType: () => kind.toUpperCase(),
  visibility: () => (isForMembers ? 'ORG_ONLY' : 'ALL'),
  options: ({ selections }) => options.map((option) => shown(selections, { name: () => option.name })),
});

export const typeOfField = ({ kind }: IssueField): string =>
  `IssueField${kind.replace(/(?:^|_)[a-z]/gu, (start) => start.slice(-1).toUpperCase())}`;

/** Source: cli/cli, `app/dependabot`: GraphQL names an App without the ending of its login. */
export const actorShown = ({ login }: User): Fields => ({
  __typename: () => (login.endsWith('[bot]') ? 'Bot' : 'User'),
  login: () => login.replace(/\[bot\]$/u, ''),
});

/**
 * Who edited a text last, and when; and what it was at first. GitHub lists the versions of a text that was edited, the
 * newest first, with the one that its author wrote.
 */
export const editShown = (edit: LastEdit): Fields => ({
  editor: ({ selections }) => (edit === null ? null : shown(selections, actorShown(edit.by))),
  lastEditedAt: () => (edit === null ? null : isoStamp(edit.at)),
  includesCreatedEdit: () => edit !== null,
  userContentEdits: ({ args, selections }) => {
    const { first, last } = args;
    if (last !== 1 && typeof first !== 'number')
      throw new BadDocument('only `userContentEdits(first)` and `userContentEdits(last: 1)` are played');
    const versions = edit?.versions ?? [];
    const node = (chosen: readonly Selection[], { by, text }: Version) =>
      shown(chosen, { diff: () => text, editor: (of) => shown(of.selections, actorShown(by)) });
    return shown(selections, {
      nodes: ({ selections: chosen }) =>
        (typeof first === 'number' ? versions.slice(0, first) : versions.slice(-1)).map((each) => node(chosen, each)),
    });
  },
});

/** What an issue has itself. */
export const valuesShown = (issue: IssueRecord, { isOlderGraphql }: Pick<Limits, 'isOlderGraphql'>): Fields => ({
  author: ({ selections }) => shown(selections, actorShown(issue.author)),
  ...editShown(issue.lastEdit),
  id: () => issueNodeId(issue),
  fullDatabaseId: () => String(issue.id),
  number: () => issue.number,
  title: () => issue.title,
  body: () => issue.body ?? '',
  state: () => issue.state.toUpperCase(),
  stateReason: (selection) => reasonShown(issue, selection, isOlderGraphql),
  createdAt: () => isoStamp(issue.createdAt),
  updatedAt: () => isoStamp(issue.updatedAt),
  milestone: ({ selections }) =>
    issue.milestone === null ? null : shown(selections, { title: () => issue.milestone?.title }),
  issueType: ({ selections }) => (issue.type === null ? null : shown(selections, { name: () => issue.type })),
  labels: (selection) => connection(selection, issue.labels, ({ name }) => ({ name: () => name })),
  assignees: (selection) => connection(selection, issue.assignees, ({ login }) => ({ login: () => login })),
});

/** The first ones of a list; GitHub returns a hundred at most. */
export function connection<T>(
  { args, selections }: Selection,
  list: readonly T[],
  fieldsOf: (each: T) => Fields,
  typeOf: (each: T) => string | null = () => null,
): unknown {
  const first = Number(args['first'] ?? 0);
  if (!(first >= 1 && first <= 100)) throw new BadDocument('`first` has to be between 1 and 100');
  const start = Number(args['after'] ?? 0);
  const end = Math.min(start + first, list.length);
  return shown(selections, {
    nodes: ({ selections: chosen }) =>
      list.slice(start, end).map((each) => shown(chosen, fieldsOf(each), typeOf(each))),
    pageInfo: ({ selections: chosen }) =>
      shown(chosen, { hasNextPage: () => end < list.length, endCursor: () => String(end) }),
  });
}

export const creationPolicy = ({ restrictsIssues }: Repo): string => (restrictsIssues ? 'COLLABORATORS_ONLY' : 'ALL');

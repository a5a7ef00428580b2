/** The part of GitHub's GraphQL schema that is used, from the package `@octokit/graphql-schema`. */

import { type DefinitionNode, parse, print, visit } from 'graphql';

/**
 * Types with the fields that the texts of the bridge and of the rehearsal may ask for; other types stay out. What is not
 * published yet is in `since.graphql`, and shows there as a conflict once it is.
 */
const used: Readonly<Record<string, readonly string[]>> = {
  Query: ['repository'],
  Mutation: ['closeIssue', 'minimizeComment', 'unminimizeComment', 'deleteIssue', 'transferIssue', 'updateRepository'],
  CloseIssuePayload: ['issue'],
  MinimizeCommentPayload: ['minimizedComment'],
  UnminimizeCommentPayload: ['unminimizedComment'],
  DeleteIssuePayload: ['repository'],
  TransferIssuePayload: ['issue'],
  UpdateRepositoryPayload: ['repository'],
  Minimizable: ['isMinimized', 'minimizedReason'],
  Repository: ['id', 'issue', 'issues', 'issueFields', 'issueCreationPolicy', 'name', 'nameWithOwner', 'isPrivate'],
  Issue: [
    ...[
      'id',
      'number',
      'title',
      'body',
      'state',
      'stateReason',
      'updatedAt',
      'author',
      'editor',
      'lastEditedAt',
      'repository',
    ],
    ...['duplicateOf', 'issueType'],
    ...['comments', 'labels', 'assignees', 'milestone', 'timelineItems', 'createdAt', 'closedAt', 'fullDatabaseId'],
  ],
  IssueConnection: ['nodes', 'pageInfo', 'totalCount'],
  PageInfo: ['hasNextPage', 'endCursor'],
  IssueComment: [
    'id',
    'fullDatabaseId',
    'updatedAt',
    'url',
    'isMinimized',
    'minimizedReason',
    'editor',
    'lastEditedAt',
  ],
  IssueCommentConnection: ['nodes'],
  LabelConnection: ['nodes'],
  Label: ['name'],
  UserConnection: ['nodes'],
  User: ['login'],
  Actor: ['login'],
  Bot: ['login'],
  Milestone: ['title'],
  IssueTimelineItemsConnection: ['nodes'],
  IssueTimelineItems: [],
  ClosedEvent: ['closer'],
  MarkedAsDuplicateEvent: ['canonical'],
  Closer: [],
  IssueOrPullRequest: [],
  PullRequest: ['number', 'url', 'author', 'mergeCommit', 'repository'],
  Commit: ['oid', 'abbreviatedOid', 'url', 'author', 'repository'],
  GitActor: ['user'],
};

/** @param whole the schema in GraphQL's own language */
export function schemaSlice(whole: string): string {
  const document = visit(parse(whole, { noLocation: true }), {
    enter: (node) => ('description' in node ? { ...node, description: undefined } : undefined),
    Directive: ({ name }) => (name.value === 'deprecated' ? undefined : null),
  });
  const byName = new Map(document.definitions.map((each) => [nameOf(each), each]));
  const kept = new Map<string, DefinitionNode>();
  const collect = (name: string): void => {
    const found = byName.get(name);
    const isChosen = found !== undefined && 'fields' in found && found.kind !== 'InputObjectTypeDefinition';
    if (found === undefined || kept.has(name) || (isChosen && used[name] === undefined)) return;
    const part = used[name] === undefined ? found : partOf(found, used[name]);
    kept.set(name, part);
    visit(part, { NamedType: (type) => collect(type.name.value) });
  };
  for (const name of Object.keys(used)) collect(name);
  return [...kept.values()].map((each) => `${print(each)}\n`).join('\n');
}

const nameOf = (definition: DefinitionNode): string =>
  'name' in definition && definition.name !== undefined && 'value' in definition.name ? definition.name.value : '';

/** The chosen fields; of the interfaces and of the alternatives, those that are used. */
function partOf(definition: DefinitionNode, fields: readonly string[]): DefinitionNode {
  return visit(definition, {
    FieldDefinition: ({ name }) => (fields.includes(name.value) ? undefined : null),
    NamedType: ({ name }, key, _parent, path) =>
      key !== 'type' && (path.includes('interfaces') || path.includes('types')) && used[name.value] === undefined
        ? null
        : undefined,
  });
}

/** The part of GitHub's GraphQL schema that is used, from the introspection in the package `@octokit/graphql-schema`. */

interface Reference {
  readonly kind: string;
  readonly name: string | null;
  readonly ofType: Reference | null;
}

interface Member {
  readonly name: string;
  readonly type: Reference;
  readonly args?: readonly Member[];
}

interface Introspected {
  readonly kind: string;
  readonly name: string;
  readonly fields: readonly Member[] | null;
  readonly inputFields: readonly Member[] | null;
  readonly enumValues: readonly { readonly name: string }[] | null;
  readonly possibleTypes: readonly { readonly name: string }[] | null;
}

/** Types with the fields that the texts of the bridge and of the rehearsal may ask for; other types stay out. */
const used: Readonly<Record<string, readonly string[]>> = {
  Query: ['repository'],
  Mutation: ['closeIssue', 'minimizeComment', 'unminimizeComment', 'deleteIssue', 'transferIssue'],
  CloseIssuePayload: ['issue'],
  MinimizeCommentPayload: ['minimizedComment'],
  UnminimizeCommentPayload: ['unminimizedComment'],
  DeleteIssuePayload: ['repository'],
  TransferIssuePayload: ['issue'],
  Minimizable: ['isMinimized', 'minimizedReason'],
  Repository: ['issue', 'issues', 'name', 'nameWithOwner', 'isPrivate'],
  Issue: [
    ...['id', 'number', 'title', 'body', 'state', 'stateReason', 'updatedAt', 'editor', 'lastEditedAt', 'repository'],
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

const typeText = ({ kind, name, ofType }: Reference): string => {
  if (ofType === null) return name ?? '';
  return kind === 'NON_NULL' ? `${typeText(ofType)}!` : `[${typeText(ofType)}]`;
};

const nameOf = (type: string): string => type.replace(/[[\]!]/gu, '');

/** @param all the types of the introspection */
export function schemaSlice(all: readonly Introspected[]): Readonly<Record<string, unknown>> {
  const byName = new Map(all.map((type) => [type.name, type]));
  const types: Record<string, unknown> = {};
  const collect = (name: string): void => {
    const found = byName.get(name);
    if (found === undefined || name in types) return;
    const { kind, fields, inputFields, enumValues, possibleTypes } = found;
    const isChosen = ['OBJECT', 'INTERFACE', 'UNION'].includes(kind);
    if (isChosen && used[name] === undefined) return;
    const members = (inputFields ?? fields ?? []).filter((field) => !isChosen || used[name]?.includes(field.name));
    types[name] = {
      kind,
      ...(members.length === 0 ? {} : { fields: Object.fromEntries(members.map(fieldOf)) }),
      ...(enumValues === null ? {} : { values: enumValues.map((each) => each.name) }),
      ...(possibleTypes === null ? {} : { possible: possibleTypes.map((each) => each.name) }),
    };
    for (const { type, args = [] } of members)
      for (const each of [type, ...args.map((arg) => arg.type)]) collect(nameOf(typeText(each)));
    for (const each of possibleTypes ?? []) collect(each.name);
  };
  for (const name of Object.keys(used)) collect(name);
  return types;
}

const fieldOf = ({ name, type, args = [] }: Member): readonly [string, unknown] => {
  const given = args.map((arg) => [arg.name, typeText(arg.type)] as const);
  return [name, { type: typeText(type), ...(given.length === 0 ? {} : { args: Object.fromEntries(given) }) }];
};

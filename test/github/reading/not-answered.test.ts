/** What GitHub cannot answer just now is never read as "there is none", and a batch that is too large goes in halves. */

import { expect, onTestFinished, test } from 'vitest';
import { createGithubClient } from '../../../src/github/connection/client.ts';
import { githubImporter } from '../../../src/github/imports/importer.ts';
import { githubReplica } from '../../../src/github/replica.ts';
import { isRestricted } from '../../../src/github/survey.ts';
import { issueNumber } from '../../../src/model/ids.ts';
import { openLane } from '../open-lane.ts';
import { type Arrival, scriptedServer } from '../scripted-server.ts';

const clientOf = (url: string) =>
  createGithubClient({
    url,
    token: 'secret-token',
    lane: openLane(),
    timeoutMs: 2_000,
    now: () => Date.UTC(2026, 0, 10, 12),
  });

async function served(answer: (query: string) => unknown) {
  const queries: string[] = [];
  const server = await scriptedServer((arrival: Arrival, response) => {
    const { query } = JSON.parse(arrival.body || '{}');
    queries.push(query);
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(answer(query)));
  });
  onTestFinished(() => server.close());
  const client = clientOf(server.url);
  const place = { client, owner: 'acme', repo: 'widget' };
  return { queries, client, replica: githubReplica(place), importer: githubImporter(place) };
}

const tooMuch = { type: 'RESOURCE_LIMITS_EXCEEDED', message: 'Resource limits for this query exceeded.' };
const cutShort = { message: 'Something went wrong while executing your query. This may be the result of a timeout.' };
const limited = { type: 'RATE_LIMIT', message: 'API rate limit already exceeded' };
const unavailable = { type: 'SERVICE_UNAVAILABLE', message: 'Unavailable', path: ['repository', 'issue'] };
const noIssue = { type: 'NOT_FOUND', message: 'Could not resolve to an Issue with the number of 5.' };
const noField = { message: "Field 'timelineItems' doesn't exist on type 'Issue'" };

const unanswered: readonly (readonly [string, unknown])[] = [
  ['a part that was cut short', { data: { repository: { issue: null } }, errors: [cutShort] }],
  ['a part beyond the hourly limit', { data: { repository: { issue: null } }, errors: [limited] }],
  ['a query that costs too much', { data: { repository: null }, errors: [tooMuch] }],
  ['a part that costs too much', { data: { repository: { issue: null } }, errors: [tooMuch] }],
  ['a part that is unavailable', { data: { repository: { issue: null } }, errors: [unavailable] }],
  ['an internal failure', { data: { repository: { issue: null } }, errors: [{ type: 'INTERNAL', message: 'No' }] }],
  ['a type that is not known yet', { data: { repository: null }, errors: [{ type: 'OVERLOAD', message: 'No' }] }],
  ['an error without a type', { data: { repository: { issue: null } }, errors: [{ message: 'Internal error' }] }],
  ['an unavailable part beside one that is not there', { data: null, errors: [noIssue, unavailable] }],
  ['nothing', { data: { repository: { issue: null } } }],
  ['nothing, and an empty list of errors', { data: { repository: { issue: null } }, errors: [] }],
  ['nothing at all', { data: null }],
  ['a query that costs too much, without a type', { data: null, errors: [{ message: tooMuch.message }] }],
];

test.each(unanswered)('the original, the closer and the editor are unknown: %s', async (_name, answer) => {
  const { replica } = await served(() => answer);
  await expect(replica.original(5)).rejects.toMatchObject({ kind: 'later' });
  await expect(replica.closer(5)).rejects.toMatchObject({ kind: 'later' });
  await expect(replica.editor(5, null)).rejects.toMatchObject({ kind: 'later' });
  await expect(replica.editor(5, 7)).rejects.toMatchObject({ kind: 'later' });
});

test.each([
  ['a token without single sign-on', { data: { repository: null }, errors: [{ type: 'FORBIDDEN', message: 'SAML' }] }],
  ['an account without rights', { data: null, errors: [{ type: 'FORBIDDEN', message: 'Resource not accessible' }] }],
])('the original needs a person: %s', async (_name, answer) => {
  const { replica } = await served(() => answer);
  await expect(replica.original(5)).rejects.toMatchObject({ kind: 'refused' });
});

test.each([
  ['a server without that field', { errors: [noField] }],
  ['an issue that was never marked', { data: { repository: { issue: { timelineItems: { nodes: [] } } } } }],
  [
    'an original that is kept from us',
    {
      data: { repository: { issue: { timelineItems: { nodes: [{ canonical: null }] } } } },
      errors: [{ type: 'FORBIDDEN', message: 'Resource not accessible by personal access token' }],
    },
  ],
])('there is no original: %s', async (_name, answer) => {
  const { replica } = await served(() => answer);
  expect(await replica.original(5)).toBeNull();
});

test.each([
  ['an issue that is hidden', { data: { repository: { issue: null } }, errors: [noIssue] }],
  [
    'an issue that is kept from us',
    { data: { repository: { issue: null } }, errors: [{ type: 'FORBIDDEN', message: 'Resource not accessible' }] },
  ],
])('there is neither an original, nor a closer, nor an editor: %s', async (_name, answer) => {
  const { replica } = await served(() => answer);
  expect([await replica.original(5), await replica.closer(5), await replica.editor(5, null)]).toEqual([
    null,
    null,
    null,
  ]);
});

test('an issue without what was asked for is no answer', async () => {
  const { replica } = await served(() => asked({}));
  await expect(replica.original(5)).rejects.toMatchObject({ kind: 'later' });
});

test.each([404, 410])('%i of a server that has answered a query says nothing', async (status) => {
  let isThere = false;
  const server = await scriptedServer((_arrival, response) => {
    response.writeHead(isThere ? 200 : status, { 'content-type': 'application/json' });
    response.end(JSON.stringify(isThere ? asked({ duplicateOf: original }) : { message: 'Not Found' }));
  });
  onTestFinished(() => server.close());
  const replica = githubReplica({ client: clientOf(server.url), owner: 'acme', repo: 'widget' });
  expect(await replica.original(5), 'a server without GraphQL').toBeNull();
  isThere = true;
  expect(await replica.original(5)).toMatchObject({ number: 3 });
  isThere = false;
  await expect(replica.original(5)).rejects.toMatchObject({ kind: 'later' });
});

const original = { number: 3, repository: { nameWithOwner: 'acme/widget' } };
const unknownField = { errors: [{ message: "Field 'duplicateOf' doesn't exist on type 'Issue'" }] };
const marked = { timelineItems: { nodes: [{ canonical: original }] } };
const asked = (issue: unknown) => ({ data: { repository: { issue } } });

test.each([
  ['is what the issue says', 1, (): unknown => asked({ duplicateOf: original }), 3],
  ['is none after the mark was taken back', 1, () => asked({ duplicateOf: null }), null],
  [
    'is that of the last mark at a server that knows no more',
    2,
    (query: string) => (query.includes('duplicateOf') ? unknownField : asked(marked)),
    3,
  ],
])('the original %s', async (_what, count, answer, number) => {
  const { replica, queries } = await served(answer);
  expect((await replica.original(5))?.number ?? null).toBe(number);
  expect(queries.length).toBe(count);
});

test.each([
  ['that does not know the field', { errors: [{ message: "Field 'editor' doesn't exist on type 'Issue'" }] }],
  ['whose editor has no account now', asked({ editor: null, lastEditedAt: '2026-01-10T11:00:00Z', comments: null })],
  ['that hides the issue', { data: { repository: { issue: null } }, errors: [{ type: 'NOT_FOUND', message: 'No' }] }],
])('there is no editor at a server %s', async (_what, answer) => {
  const { replica } = await served(() => answer);
  expect([await replica.editor(5, null), await replica.editor(5, 7)]).toEqual([null, null]);
});

const due = { fullDatabaseId: '7', name: 'Due', dataType: 'DATE', visibility: 'ALL' };
test.each([
  ['of a kind that is not known yet', {}],
  ['that is kept from us', null],
  ['without a number', { ...due, fullDatabaseId: null, name: 'Other' }],
  ['of a kind that changes its form', { ...due, name: 'Other', options: 'many' }],
])('a field %s hides no others', async (_what, node) => {
  const { replica } = await served(() => ({ data: { repository: { issueFields: { nodes: [node, due] } } } }));
  expect(await replica.fields()).toMatchObject([{ id: 7, name: 'Due', kind: 'date', options: [] }]);
});

/** How GitHub refuses a query with what its schema lacks: each place of it, and nothing else. */
const lacks = (code: string, message: string) => ({
  message,
  extensions: { code },
  locations: [{ line: 1, column: 1 }],
});
const noType = (type: string) => lacks('undefinedType', `No such type ${type}, so it can't be a fragment condition`);
const nodeOf = (query: string) => ({
  data: {
    repository: {
      issueFields: { nodes: [{ ...due, ...(query.includes('visibility') ? {} : { visibility: undefined }) }] },
    },
  },
});

test.each([
  ['a type of fields', ['MultiSelect'], []],
  ['several types of fields', ['MultiSelect', 'SingleSelect', 'Number'], []],
  ['the visibility of fields', [], ['visibility']],
  ['both', ['MultiSelect'], ['visibility']],
])('the fields of a repository are read from a server that lacks %s', async (_what, types, names) => {
  const { replica, queries } = await served((query) => {
    const missing = [
      ...types.filter((type) => query.includes(`IssueField${type} `)).map((type) => noType(`IssueField${type}`)),
      ...names
        .filter((name) => query.includes(name))
        .flatMap((name) =>
          ['Text', 'Date'].map((type) =>
            lacks('undefinedField', `Field '${name}' doesn't exist on type 'IssueField${type}'`),
          ),
        ),
    ];
    return missing.length > 0 ? { errors: missing } : nodeOf(query);
  });
  expect(await replica.fields()).toEqual([{ id: 7, name: 'Due', kind: 'date', options: [], isForMembers: false }]);
  expect(queries.length).toBe(2);
});

test.each([
  [
    'all types of fields',
    () => ['Text', 'Number', 'Date', 'SingleSelect', 'MultiSelect'].map((each) => noType(`IssueField${each}`)),
  ],
  ['the list', () => [lacks('undefinedField', "Field 'issueFields' doesn't exist on type 'Repository'")]],
  [
    'the numbers of fields',
    () => [lacks('undefinedField', "Field 'fullDatabaseId' doesn't exist on type 'IssueFieldText'")],
  ],
])('a server that lacks %s is asked for those of the owner', async (_what, errors) => {
  const { replica } = await served((query) =>
    query === undefined ? [{ id: 7, name: 'Due', data_type: 'date' }] : { errors: errors() },
  );
  expect(await replica.fields()).toMatchObject([{ id: 7, name: 'Due', kind: 'date' }]);
});

test.each([
  ['undefinedField', "Field 'duplicateOf' doesn't exist on type 'Issue' (Did you mean `x`?)"],
  ['undefinedField', 'Campo desconocido'],
  ['cannotSpreadFragment', "Fragment on Issue can't be spread inside IssueOrPullRequest"],
  ['selectionMismatch', "Selections can't be made on scalars (field 'duplicateOf' returns ID but has selections)"],
  [undefined, "Field must have selections (field 'duplicateOf' returns Issue but has no selections)"],
])('the older form is asked for where the newest is refused as %s: %s', async (code, message) => {
  const { replica } = await served((query) =>
    query.includes('duplicateOf')
      ? { errors: [{ message, ...(code ? { extensions: { code } } : {}) }] }
      : asked(marked),
  );
  expect((await replica.original(5))?.number).toBe(3);
});

const policy = (issueCreationPolicy: string | null) => ({ data: { repository: { issueCreationPolicy } } });
test.each([
  ['COLLABORATORS_ONLY', policy('COLLABORATORS_ONLY'), true],
  ['ALL', policy('ALL'), false],
  ['a policy that is not known yet', policy('MEMBERS_ONLY'), true],
  ['nothing', policy(null), null],
  ['no such field', { errors: [{ message: "Field 'issueCreationPolicy' doesn't exist on type 'Repository'" }] }, null],
  ['a refusal', { data: null, errors: [{ type: 'FORBIDDEN', message: 'Resource not accessible' }] }, null],
])('where GitHub answers %s, whether new issues are restricted is as it says', async (_what, answer, expected) => {
  const { client } = await served(() => answer);
  expect(await isRestricted(client, { owner: 'acme', repo: 'widget' })).toBe(expected);
});

test('whether new issues are restricted is asked again where GitHub cannot answer just now', async () => {
  const { client } = await served(() => ({ data: null, errors: [cutShort] }));
  await expect(isRestricted(client, { owner: 'acme', repo: 'widget' })).rejects.toMatchObject({ kind: 'later' });
});

/** Looks up ids, and closes issues, but never more than this at once. */
function closing(most: number, excess: (aliases: readonly string[]) => unknown) {
  const closed: number[] = [];
  const answer = (query: string): unknown => {
    const numbers = [...query.matchAll(/\b[ic](\d+):/gu)].map(([, number]) => Number(number));
    const isMutation = query.startsWith('mutation');
    if (numbers.length > most) return excess(numbers.map((number) => `${isMutation ? 'c' : 'i'}${number}`));
    if (!isMutation)
      return { data: { repository: Object.fromEntries(numbers.map((n) => [`i${n}`, { id: `I_${n}` }])) } };
    closed.push(...numbers);
    return {
      data: Object.fromEntries(numbers.map((number) => [`c${number}`, { issue: { number, state: 'CLOSED' } }])),
    };
  };
  return { closed, answer };
}
const closings = Array.from({ length: 60 }, (_, index) => ({
  issue: issueNumber(index + 1),
  reason: 'duplicate' as const,
  duplicateOf: issueNumber(100),
}));

test.each([
  ['refused as a whole', () => ({ data: null, errors: [tooMuch] })],
  ['refused with empty parts', () => ({ data: { repository: null }, errors: [tooMuch] })],
  [
    'answered in part',
    (aliases: readonly string[]) => ({
      data: aliases[0]?.startsWith('i')
        ? { repository: Object.fromEntries(aliases.map((alias) => [alias, null])) }
        : Object.fromEntries(aliases.map((alias) => [alias, null])),
      errors: [tooMuch],
    }),
  ],
  ['cut short', () => ({ data: null, errors: [cutShort] })],
])('sixty issues are closed where ten are too many, and no duplicate loses its original: %s', async (_name, excess) => {
  const { closed, answer } = closing(9, excess);
  const { importer, queries } = await served(answer);
  const { done, failure } = await importer.close(closings);
  expect({ done: done.size, failure }).toEqual({ done: 60, failure: null });
  expect(closed.toSorted((one, other) => one - other)).toEqual(closings.map(({ issue }) => issue));
  for (const query of queries.filter((each) => each.startsWith('mutation')))
    expect(query.match(/duplicateIssueId/gu)?.length).toBe(query.match(/closeIssue/gu)?.length);
});

test('no duplicate is closed without an original that GitHub does not show just now', async () => {
  const nodes = Object.fromEntries([1, 2, 3].map((number) => [`i${number}`, { id: `I_${number}` }]));
  const { importer, queries } = await served(() => ({ data: { repository: { ...nodes, i100: null } } }));
  expect(await importer.close(closings.slice(0, 3))).toMatchObject({ done: new Set(), failure: { kind: 'later' } });
  expect(queries.filter((query) => query.startsWith('mutation'))).toEqual([]);
});

test('a server that fails on everything is asked few times', async () => {
  const { importer, queries } = await served(() => ({ data: null, errors: [cutShort] }));
  expect(await importer.close(closings)).toMatchObject({ done: new Set(), failure: { kind: 'later' } });
  expect(queries.length).toBeLessThan(10);
});

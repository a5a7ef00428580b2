import { describe, expect, it } from 'vitest';
import { readSchema, validateGraphql, validateGraphqlAnswer } from '../../openapi/graphql.ts';

const inIssue = (fields: string): string =>
  `query { repository(owner: "acme", name: "widget") { issue(number: 5) { ${fields} } } }`;

describe('the check of texts for GraphQL', () => {
  it.each([
    ['a list', inIssue('labels(first: 100) { nodes { name } } stateReason')],
    [
      'a fragment',
      inIssue(
        'timelineItems(last: 1, itemTypes: [CLOSED_EVENT]) { nodes { ... on ClosedEvent { closer { __typename } } } }',
      ),
    ],
    [
      'a mutation',
      'mutation { c1: minimizeComment(input: { subjectId: "IC_1", classifier: SPAM }) { minimizedComment { isMinimized } } }',
    ],
    ['what was added since', inIssue('duplicateOf { number } issueType { name }')],
  ])('accepts %s', (_name, text) => {
    expect(validateGraphql(text)).toEqual([]);
  });

  it.each([
    ['an unknown field', inIssue('colour'), 'Issue has no field colour'],
    ['an unknown argument', inIssue('labels(count: 1) { nodes { name } }'), 'Issue.labels takes no count'],
    ['a missing argument', 'query { repository(owner: "acme") { name } }', 'Query.repository needs name'],
    ['a text for a number', inIssue('labels(first: "1") { nodes { name } }'), 'is no Int'],
    [
      'a text for a name of a list',
      'mutation { closeIssue(input: { issueId: "I_1", stateReason: "COMPLETED" }) { issue { id } } }',
      'is no IssueClosedStateReason',
    ],
    [
      'an unknown name of a list',
      inIssue('timelineItems(last: 1, itemTypes: [SHUT_EVENT]) { nodes { __typename } }'),
      'is no IssueTimelineItemsItemType',
    ],
    [
      'a fragment that never fits',
      inIssue('timelineItems(last: 1) { nodes { ... on Milestone { title } } }'),
      'is never a Milestone',
    ],
    ['a selection of a text', inIssue('title { length }'), 'Issue.title takes no selection'],
    ['no selection of an object', inIssue('milestone'), 'Issue.milestone needs a selection'],
    ['a bracket too few', inIssue('title').slice(0, -1), 'expected'],
    ['a sign that GraphQL has not', inIssue('title;'), 'GraphQL has no ;'],
  ])('refuses %s', (_name, text, words) => {
    expect(validateGraphql(text).join('\n')).toContain(words);
  });
});

describe('the check of answers to GraphQL', () => {
  const answer = (issue: unknown) =>
    validateGraphqlAnswer(inIssue('number t: title updatedAt milestone { title }'), {
      data: { repository: { issue } },
    });
  const fine = { number: 5, t: 'It crashes', updatedAt: '2026-11-20T09:00:00Z', milestone: null };

  it('accepts what was asked for', () => {
    expect(answer(fine)).toEqual([]);
    expect(answer(null)).toEqual([]);
  });

  it.each([
    ['a missing field', { ...fine, t: undefined }, 'never null'],
    ['a field that nobody asked for', { ...fine, body: '' }, 'shows body'],
    ['a number in words', { ...fine, number: '5' }, 'is no Int'],
    ['another form of a time', { ...fine, updatedAt: '2026-11-20' }, 'is no DateTime'],
    ['a text for an object', { ...fine, milestone: '1.0' }, 'is no object'],
  ])('refuses %s', (_name, issue, words) => {
    expect(answer(issue).join('\n')).toContain(words);
  });
});

it('what is written by hand is not in the published schema yet', () => {
  const published = readSchema('graphql');
  const known = Object.entries(readSchema('graphql-since')).flatMap(([name, { fields = {}, values = [] }]) => {
    const type = published[name];
    const fieldNames = Object.keys(fields).filter((field) => type?.fields?.[field] !== undefined);
    return [...fieldNames, ...values.filter((value) => type?.values?.includes(value))].map((each) => `${name} ${each}`);
  });
  expect(known, 'remove it from test/openapi/graphql-since.json').toEqual([]);
});

import { describe, expect, it } from 'vitest';
import { validateGraphql, validateGraphqlAnswer } from '../../openapi/graphql.ts';

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
    ['an unknown field', inIssue('colour'), 'Cannot query field "colour" on type "Issue"'],
    [
      'an unknown argument',
      inIssue('labels(count: 1) { nodes { name } }'),
      'Unknown argument "count" on field "Issue.labels"',
    ],
    ['a missing argument', 'query { repository(owner: "acme") { name } }', 'of type "String!" is required'],
    ['a text for a number', inIssue('labels(first: "1") { nodes { name } }'), 'Int cannot represent'],
    [
      'a text for a name of a list',
      'mutation { closeIssue(input: { issueId: "I_1", stateReason: "COMPLETED" }) { issue { id } } }',
      'Enum "IssueClosedStateReason" cannot represent',
    ],
    [
      'an unknown name of a list',
      inIssue('timelineItems(last: 1, itemTypes: [SHUT_EVENT]) { nodes { __typename } }'),
      'does not exist in "IssueTimelineItemsItemType"',
    ],
    [
      'a fragment that never fits',
      inIssue('timelineItems(last: 1) { nodes { ... on Milestone { title } } }'),
      'can never be of type "Milestone"',
    ],
    ['a selection of a text', inIssue('title { length }'), 'must not have a selection'],
    ['no selection of an object', inIssue('milestone'), 'must have a selection'],
    ['a bracket too few', inIssue('title').slice(0, -1), 'Expected Name'],
    ['a sign that GraphQL has not', inIssue('title;'), 'Unexpected character: ";"'],
  ])('refuses %s', (_name, text, words) => {
    expect(validateGraphql(text).join('\n')).toContain(words);
  });
});

describe('the check of answers to GraphQL', () => {
  const answer = async (issue: unknown): Promise<readonly string[]> =>
    validateGraphqlAnswer(inIssue('number t: title updatedAt milestone { title }'), {
      data: { repository: { issue } },
    });
  const fine = { number: 5, t: 'It crashes', updatedAt: '2026-11-20T09:00:00Z', milestone: null };

  it('accepts what was asked for', async () => {
    expect(await answer(fine)).toEqual([]);
    expect(await answer(null)).toEqual([]);
  });

  it.each([
    ['a missing field', { ...fine, t: undefined }, 'Cannot return null for non-nullable field'],
    ['a field that nobody asked for', { ...fine, body: '' }, 'asks for less'],
    ['a number in words', { ...fine, number: '5' }, 'asks for less'],
    ['another form of a time', { ...fine, updatedAt: '2026-11-20' }, 'is no DateTime'],
    ['a text for an object', { ...fine, milestone: '1.0' }, 'Cannot return null'],
  ])('refuses %s', async (_name, issue, words) => {
    expect((await answer(issue)).join('\n')).toContain(words);
  });
});

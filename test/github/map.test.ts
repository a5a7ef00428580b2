import { describe, expect, it } from 'vitest';
import { commentSchema, issueSchema, toComment, toIssue } from '../../src/github/map.ts';

const wireIssue = {
  id: 9001,
  number: 5,
  html_url: 'https://github.com/acme/widget/issues/5',
  title: 'It breaks',
  body: 'Often',
  state: 'open',
  state_reason: null,
  labels: [{ id: 1, name: 'bug', color: 'ff0000' }],
  user: { login: 'mona', id: 4 },
  comments: 2,
  created_at: '2026-01-10T12:00:00Z',
  updated_at: '2026-01-10T13:00:00Z',
};
const wireComment = {
  id: 77,
  html_url: 'https://github.com/acme/widget/issues/5#issuecomment-77',
  issue_url: 'https://api.github.com/repos/acme/widget/issues/5',
  body: 'Me too',
  user: { login: 'mona' },
  created_at: '2026-01-10T12:00:00Z',
  updated_at: '2026-01-10T13:00:00Z',
};
const issueOf = (change: object): ReturnType<typeof toIssue> => toIssue(issueSchema.parse({ ...wireIssue, ...change }));
const commentOf = (change: object): ReturnType<typeof toComment> =>
  toComment(commentSchema.parse({ ...wireComment, ...change }));

describe('an issue', () => {
  it('has assignees and a milestone', () => {
    const change = { assignees: [{ login: 'mona' }, { login: 'hubot' }], milestone: { title: '2.0', number: 3 } };
    expect(issueOf(change)).toMatchObject({ assignees: ['mona', 'hubot'], milestone: '2.0' });
  });

  it('is read whole', () => {
    expect(issueOf({})).toEqual({
      kind: 'issue',
      number: 5,
      id: 9001,
      url: 'https://github.com/acme/widget/issues/5',
      title: 'It breaks',
      body: 'Often',
      state: 'open',
      reason: null,
      labels: ['bug'],
      assignees: [],
      milestone: null,
      author: { login: 'mona', name: 'mona', id: 4 },
      commentCount: 2,
      isLocked: false,
      createdAt: Date.UTC(2026, 0, 10, 12),
      changedAt: Date.UTC(2026, 0, 10, 13),
    });
  });

  it.each([
    ['open', null, null],
    ['open', 'reopened', null],
    ['closed', null, 'completed'],
    ['closed', undefined, 'completed'],
    ['closed', 'completed', 'completed'],
    ['closed', 'not_planned', 'not_planned'],
    ['closed', 'duplicate', 'duplicate'],
    ['closed', 'something_new', 'completed'],
  ])('that is %s as %s has the reason %s', (state, state_reason, reason) => {
    expect(issueOf({ state, state_reason })).toMatchObject({ state, reason });
  });

  it.each([
    ['labels that are texts', { labels: ['bug', { name: 'ui' }, { name: null }] }, { labels: ['bug', 'ui'] }],
    ['no count of comments', { comments: undefined }, { commentCount: 0 }],
    ['no body', { body: null }, { body: '' }],
    ['an author who left', { user: null }, { author: { login: 'ghost', name: 'ghost' } }],
    ['times with an offset', { updated_at: '2026-01-10T05:00:00-08:00' }, { changedAt: Date.UTC(2026, 0, 10, 13) }],
  ])('may have %s', (_name, change, expected) => {
    expect(issueOf(change)).toMatchObject(expected);
  });

  it('is never a pull request', () => {
    expect(issueOf({ pull_request: { url: 'https://api.github.com/repos/acme/widget/pulls/5' } })).toBeNull();
  });
});

describe('a comment', () => {
  it('is read whole', () => {
    expect(commentOf({})).toEqual({
      side: 'github',
      id: 77,
      ref: 5,
      count: null,
      url: 'https://github.com/acme/widget/issues/5#issuecomment-77',
      author: { login: 'mona', name: 'mona' },
      text: 'Me too',
      isPrivate: false,
      createdAt: Date.UTC(2026, 0, 10, 12),
      changedAt: Date.UTC(2026, 0, 10, 13),
    });
  });

  it('is never on a pull request', () => {
    expect(commentOf({ html_url: 'https://github.com/acme/widget/pull/5#issuecomment-77' })).toBeNull();
  });

  it.each([
    ['no address of its issue', { issue_url: undefined }, 5],
    [
      'no address of its issue, and one of its own without a fragment',
      { issue_url: null, html_url: 'http://host/acme/widget/issues/5' },
      5,
    ],
  ])('may have %s', (_name, change, ref) => {
    expect(commentOf(change)).toMatchObject({ ref });
  });

  it('is never on a pull request, even if only its address shows it', () => {
    expect(
      commentOf({ issue_url: undefined, html_url: 'https://github.com/acme/widget/pull/5#issuecomment-77' }),
    ).toBeNull();
  });

  it('may be on an issue of a repository named pull', () => {
    expect(commentOf({ html_url: 'https://github.com/acme/pull/issues/5#issuecomment-77' })).toMatchObject({ ref: 5 });
  });
});

describe('fields of an organisation', () => {
  const value = (rest: Readonly<Record<string, unknown>>) => ({
    issue_field_id: 1,
    issue_field_name: 'Field',
    node_id: 'x',
    ...rest,
  });
  const fieldsOf = (values: unknown) => issueOf({ issue_field_values: values })?.fields;

  it.each<[string, unknown, unknown]>([
    ['no fields', undefined, undefined],
    ['fields, all of them empty', [], {}],
    ['a text', [value({ data_type: 'text', value: 'Acme' })], { Field: 'Acme' }],
    ['a number', [value({ data_type: 'number', value: 2.5 })], { Field: '2.5' }],
    [
      'an option',
      [value({ data_type: 'single_select', value: 7, single_select_option: { id: 7, name: 'High', color: 'red' } })],
      { Field: 'High' },
    ],
    [
      'options',
      [
        value({
          data_type: 'multi_select',
          value: null,
          multi_select_options: [
            { id: 1, name: 'a' },
            { id: 2, name: 'b' },
          ],
        }),
      ],
      { Field: ['a', 'b'] },
    ],
    [
      'empty ones',
      [
        value({ data_type: 'single_select', value: null, single_select_option: null }),
        value({ data_type: 'text', value: null }),
      ],
      {},
    ],
    [
      'an option by its number alone, which tells nothing',
      [value({ data_type: 'single_select', value: 7 })],
      undefined,
    ],
    ['a field without its name', [{ issue_field_id: 1, data_type: 'text', value: 'x' }], undefined],
    ['something else in its place', 'none', undefined],
    ['a kind that is new', [value({ data_type: 'person', value: { login: 'mona' } })], {}],
  ])('of an issue with %s', (_what, values, shown) => {
    expect(fieldsOf(values)).toEqual(shown);
  });
});

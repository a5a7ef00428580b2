import { describe, expect, test } from 'vitest';
import type { Fields } from '../../src/model/item.ts';
import type { UpdateOperation } from '../../src/model/plan/operation.ts';
import type { Route, Vocabulary } from '../../src/model/route.ts';
import { issueComment } from '../../src/rules/comments/compose.ts';
import { milestoneOfBug, milestoneOfIssue, takesNoMilestone } from '../../src/rules/fields/comparable.ts';
import { merge } from '../../src/rules/fields/merge.ts';
import { advance, baseOfCreated } from '../../src/rules/fields/move-base.ts';
import { bugSteps, issueSteps } from '../../src/rules/fields/plan.ts';
import { assigneeOfBug, assigneeOfIssue, shownOnGithub, trackerAssignee } from '../../src/rules/people/people.ts';
import { aBug, aCommentLink, aLink, anIssue } from '../planner/samples.ts';
import { person } from '../planner/world.ts';
import { widgetRoute } from '../support/routes.ts';

const route: Route = {
  ...widgetRoute,
  assignee: true,
  milestones: true,
  people: {
    github: new Map([
      ['alice@example.test', 'Mona'],
      ['bob@example.test', 'hubot'],
    ]),
    tracker: new Map([
      ['mona', 'alice@example.test'],
      ['hubot', 'bob@example.test'],
    ]),
    nobody: ['nobody@example.test'],
  },
};
const vocabulary: Vocabulary = { values: { milestone: ['---', '1.0', 'Beta'] }, workflow: null };

describe('whose a bug is', () => {
  test.each([
    ['somebody of the map', 'Alice@Example.test', 'Mona'],
    ['the account that stands for nobody', 'nobody@example.test', null],
    ['somebody unknown, which takes no part', 'carol@example.test', undefined],
  ])('%s', (_, login, assignee) => {
    expect(assigneeOfBug(route, { ...aBug, assignee: person(login) })).toBe(assignee);
  });

  test('takes no part when it was not shown, or when the route does not ask', () => {
    expect(assigneeOfBug(route, { ...aBug, assignee: null })).toBeUndefined();
    expect(assigneeOfBug({ ...route, assignee: false }, aBug)).toBeUndefined();
  });
});

describe('whose an issue is', () => {
  test.each([
    { name: 'nobody', assignees: [], past: 'Mona', assignee: null },
    { name: 'somebody, spelled as in the map', assignees: ['MONA'], past: null, assignee: 'Mona' },
    { name: 'of several the one that was agreed', assignees: ['hubot', 'mona'], past: 'Mona', assignee: 'Mona' },
    {
      name: 'of several the first that is known',
      assignees: ['unmapped', 'hubot', 'mona'],
      past: null,
      assignee: 'hubot',
    },
    { name: 'only unmapped users, who take no part', assignees: ['unmapped'], past: 'Mona', assignee: undefined },
  ])('$name', ({ assignees, past, assignee }) => {
    expect(assigneeOfIssue(route, { ...anIssue, assignees }, past)).toBe(assignee);
  });
});

test('a bug of nobody goes to the account for that, or else back to its component', () => {
  expect(trackerAssignee(route, null)).toBe('nobody@example.test');
  expect(trackerAssignee({ ...route, people: { ...route.people, nobody: [] } }, null)).toBeNull();
  expect(trackerAssignee(route, 'unmapped')).toBeUndefined();
});

describe('milestones', () => {
  test.each([
    ['1.0', '1.0'],
    ['---', null],
    ['', null],
    [null, undefined],
  ])('of a bug that shows %s', (milestone, expected) => {
    expect(milestoneOfBug(route, { ...aBug, milestone })).toBe(expected);
  });

  test.each([
    { title: null, known: [], expected: null },
    { title: '1.0', known: [], expected: '1.0' },
    { title: 'BETA', known: [], expected: 'Beta' },
    { title: 'Sprint 5', known: [], expected: undefined },
    { title: 'retired', known: ['Retired'], expected: 'Retired' },
    { title: '---', known: ['---'], expected: undefined },
  ])('of an issue that shows $title', ({ title, known, expected }) => {
    expect(milestoneOfIssue(route, vocabulary, { ...anIssue, milestone: title }, known)).toBe(expected);
  });

  test('are taken as they come where the tracker does not tell its own', () => {
    expect(milestoneOfIssue(route, { values: {}, workflow: null }, { ...anIssue, milestone: 'Sprint 5' }, [])).toBe(
      'Sprint 5',
    );
  });

  test('cannot be taken away where the product has none that means none', () => {
    expect(takesNoMilestone(vocabulary)).toBe(true);
    expect(takesNoMilestone({ values: { milestone: ['1.0'] }, workflow: null })).toBe(false);
  });
});

describe('a write', () => {
  const update = (on: 'tracker' | 'github', target: Fields): UpdateOperation => ({
    ...{ kind: 'update', key: 'k', link: aLink.id, about: 'bug 12', on, target, source: target },
    ...{ duplicateOf: null, via: [], replaces: {}, overruled: [] },
  });

  test.each([
    [
      { assignee: 'hubot', milestone: '1.0' },
      { assignee: 'bob@example.test', milestone: '1.0' },
    ],
    [
      { assignee: null, milestone: null },
      { assignee: 'nobody@example.test', milestone: '---' },
    ],
  ])('of %j to the tracker', (target, patch) => {
    expect(bugSteps(route, vocabulary, update('tracker', target), aBug)).toEqual({ kind: 'steps', steps: [patch] });
  });

  test('to the tracker of somebody who left the map is nothing', () => {
    expect(bugSteps(route, vocabulary, update('tracker', { assignee: 'gone' }), aBug)).toEqual({
      kind: 'steps',
      steps: [],
    });
  });

  test.each([
    { target: 'hubot', assignees: ['unmapped', 'mona'], patch: { add: ['hubot'], remove: ['Mona'] } },
    { target: null, assignees: ['mona', 'unmapped'], patch: { add: [], remove: ['Mona'] } },
    { target: 'hubot', assignees: [], patch: { add: ['hubot'], remove: [] } },
  ])('of $target to an issue of $assignees leaves others alone', ({ target, assignees, patch }) => {
    const steps = issueSteps(
      route,
      vocabulary,
      update('github', { assignee: target }),
      { issue: { ...anIssue, assignees }, bug: aBug, past: { assignee: 'Mona' } },
      null,
    );
    expect(steps).toEqual([{ assignees: patch }]);
  });
});

describe('on first contact', () => {
  const rules = { isTrackers: () => false, isAsked: () => false, decide: () => null, oneWay: null };
  test.each([
    { tracker: 'Mona', github: null, write: { tracker: {}, github: { assignee: 'Mona' } } },
    { tracker: null, github: 'Mona', write: { tracker: { assignee: 'Mona' }, github: {} } },
  ])('nobody says nothing: $tracker and $github', ({ tracker, github, write }) => {
    expect(merge(null, { assignee: tracker }, { assignee: github }, rules)).toMatchObject({ write, conflicts: [] });
  });

  test('two different people are a conflict', () => {
    expect(merge(null, { assignee: 'Mona' }, { assignee: 'hubot' }, rules).conflicts).toHaveLength(1);
  });

  test.each([
    { base: { tracker: {}, github: { assignee: 'Mona' } }, tracker: 'hubot', github: 'Mona', write: 'github' },
    { base: { tracker: {}, github: { assignee: 'Mona' } }, tracker: null, github: 'Mona', write: 'github' },
    { base: { tracker: {}, github: { assignee: 'Mona' } }, tracker: 'hubot', github: null, write: null },
    { base: { tracker: {}, github: { assignee: 'Mona' } }, tracker: null, github: 'hubot', write: 'tracker' },
    { base: { tracker: { assignee: 'Mona' }, github: {} }, tracker: 'hubot', github: null, write: 'github' },
    { base: { tracker: { assignee: 'Mona' }, github: {} }, tracker: 'Mona', github: 'hubot', write: 'tracker' },
    { base: { tracker: { assignee: 'Mona' }, github: {} }, tracker: 'hubot', github: 'Mona', write: null },
  ])('a value after a person without counterpart is an edit: $tracker and $github', (each) => {
    const { write, conflicts } = merge(each.base, { assignee: each.tracker }, { assignee: each.github }, rules);
    expect(conflicts).toHaveLength(each.write === null ? 1 : 0);
    if (each.write === 'github') expect(write).toEqual({ tracker: {}, github: { assignee: each.tracker } });
    if (each.write === 'tracker') expect(write).toEqual({ tracker: { assignee: each.github }, github: {} });
  });

  test('what the tracker gave a new bug by itself is heard', () => {
    const carried = { source: { title: 'T' }, target: { title: 'T' } };
    const base = baseOfCreated('tracker', carried, {
      title: 'T',
      assignee: 'Mona',
      milestone: '1.0',
      severity: 'normal',
    });
    expect(base.github).toEqual({ title: 'T', severity: 'normal' });
  });
});

describe('the base after a write of an assignee', () => {
  const base = { tracker: { assignee: 'hubot' }, github: { assignee: 'hubot' } };
  test.each([
    {
      name: 'that GitHub dropped is not tried again',
      on: 'github',
      target: 'Mona',
      answered: null,
      after: ['Mona', null],
    },
    {
      name: 'that GitHub dropped, where others stay',
      on: 'github',
      target: 'Mona',
      answered: 'octo',
      after: ['Mona', 'octo'],
    },
    {
      name: 'that was taken away, where others stay',
      on: 'github',
      target: null,
      answered: 'octo',
      after: [null, null],
    },
    {
      name: 'that the tracker gave to its default',
      on: 'tracker',
      target: null,
      answered: 'Mona',
      after: [null, null],
    },
    {
      name: 'that the tracker gave to an unmapped user',
      on: 'tracker',
      target: null,
      answered: undefined,
      after: [null, null],
    },
  ] as const)('$name', ({ on, target, answered, after }) => {
    const written = { target: { assignee: target }, source: { assignee: target }, replaces: { assignee: 'hubot' } };
    const next = advance(base, on, written, answered === undefined ? {} : { assignee: answered });
    expect([next.tracker.assignee, next.github.assignee]).toEqual(after);
  });
});

describe('in texts, a person of the tracker', () => {
  const carol = { login: 'carol@example.test', name: 'Carol' };
  const alice = { login: 'alice@example.test', name: 'Alice *A*' };
  test.each([
    ['who is on the map has both names', route, alice, { text: 'Alice *A* (Mona)', isMention: false }],
    ['is mentioned where the route says so', { ...route, mentions: true }, alice, { text: '@Mona', isMention: true }],
    ['who is not has the own name only', { ...route, mentions: true }, carol, { text: 'Carol', isMention: false }],
    [
      'who is not cannot look as if',
      route,
      { ...carol, name: 'Alice *A* (Mona)' },
      { text: 'carol', isMention: false },
    ],
    [
      'who is not cannot look as if, by other signs',
      route,
      { ...carol, name: 'Alice \uff08Mona\uff09' },
      { text: 'carol', isMention: false },
    ],
    [
      'who is not cannot look as if, by upright signs',
      route,
      { ...carol, name: 'Alice \ufe35Mona\ufe36' },
      { text: 'carol', isMention: false },
    ],
    [
      'who is not cannot look as if, by ornate signs',
      route,
      { ...carol, name: 'Alice \ufd3eMona\ufd3f' },
      { text: 'carol', isMention: false },
    ],
    [
      'who is not cannot look as if, by double signs',
      route,
      { ...carol, name: 'Alice \u2985Mona\u2986' },
      { text: 'carol', isMention: false },
    ],
    [
      'who is not cannot look as if, by letters in them',
      route,
      { ...carol, name: 'Alice \u24a8\u24aa\u24a9\u249c' },
      { text: 'carol', isMention: false },
    ],
    ['who is not cannot begin as if', route, { ...carol, name: '(Mona' }, { text: 'carol', isMention: false }],
  ])('%s', (_, on, who, shown) => {
    expect(shownOnGithub(on, who)).toEqual(shown);
  });

  test('is neither mentioned nor formatted in a comment, unless asked for', () => {
    const [plain] = issueComment(route, 12, { ...aCommentLink, author: alice, text: 'Hello' });
    expect(plain).toMatch(/^\*\*Alice \\\*A\\\* \(Mona\)\*\* wrote/u);
    const [mentioning] = issueComment({ ...route, mentions: true }, 12, {
      ...aCommentLink,
      author: alice,
      text: 'Hello',
    });
    expect(mentioning).toMatch(/^\*\*@Mona\*\* wrote/u);
  });
});

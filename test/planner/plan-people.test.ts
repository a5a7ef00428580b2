import { describe, expect, test } from 'vitest';
import type { Bug, Fields, Issue } from '../../src/model/item.ts';
import type { PlanContext } from '../../src/model/plan/plan-input.ts';
import { plan } from '../../src/rules/plan/plan.ts';
import { widgetRoute } from '../support/routes.ts';
import { aBug, aLink, anIssue } from './samples.ts';
import { person } from './world.ts';

const route = {
  ...widgetRoute,
  labels: [],
  assignee: true,
  milestones: true,
  people: {
    github: new Map([['alice@example.test', 'mona']]),
    tracker: new Map([['mona', 'alice@example.test']]),
    nobody: ['nobody@example.test'],
  },
};
const planContext: PlanContext = {
  route,
  vocabulary: { values: { milestone: ['---', '1.0'] }, workflow: null },
  isComplete: { tracker: true, github: true },
  own: { tracker: null, github: null },
};
const agreed = { title: 'Crash on start', status: 'open', milestone: null };

/** A pair of which both sides agreed on `tracker` and `github`, and what now shows. */
function planned(change: {
  bug?: Partial<Bug>;
  issue?: Partial<Issue>;
  base?: { tracker: Fields; github: Fields };
  planContext?: PlanContext;
}) {
  const { bug = {}, issue = {}, base = { tracker: { assignee: null }, github: { assignee: null } } } = change;
  const link = {
    ...aLink,
    tracker: { ...aBug, assignee: person('nobody@example.test'), ...bug },
    github: { ...anIssue, ...issue },
    base: { tracker: { ...agreed, ...base.tracker }, github: { ...agreed, ...base.github } },
  };
  const input = {
    link,
    commentLinks: [],
    duplicateOf: null,
    targets: [],
    attachmentLinks: [],
    neighbours: { bugs: [], issues: [] },
  };
  return plan(change.planContext ?? planContext, [input as never]);
}
const mona = { tracker: { assignee: 'mona' }, github: { assignee: 'mona' } };
const alice = person('alice@example.test');

describe('an assignee', () => {
  test.each([
    {
      name: 'given on the tracker travels',
      change: { bug: { assignee: alice } },
      on: 'github',
      target: { assignee: 'mona' },
    },
    {
      name: 'given on GitHub travels',
      change: { issue: { assignees: ['mona'] } },
      on: 'tracker',
      target: { assignee: 'mona' },
    },
    {
      name: 'taken away on GitHub travels',
      change: { bug: { assignee: alice }, base: mona },
      on: 'tracker',
      target: { assignee: null },
    },
    {
      name: 'taken away on the tracker travels',
      change: { issue: { assignees: ['mona'] }, base: mona },
      on: 'github',
      target: { assignee: null },
    },
  ])('$name', ({ change, on, target }) => {
    expect(planned(change).operations).toMatchObject([{ kind: 'update', on, target }]);
  });

  test('whom the map does not know leaves the other side alone, whose own value is still no edit', () => {
    const { operations, notes } = planned({
      bug: { assignee: person('carol@example.test') },
      issue: { assignees: ['mona'] },
      base: mona,
    });
    expect(operations).toEqual([]);
    expect(notes).toMatchObject([{ kind: 'agree' }]);
    for (const note of notes) {
      const { tracker, github } = note.kind === 'agree' ? note.base : mona;
      expect([tracker.assignee, github.assignee]).toEqual([undefined, 'mona']);
    }
  });

  test('whom GitHub did not take is told to people and not tried again', () => {
    const { operations, skips } = planned({
      bug: { assignee: alice },
      base: { tracker: { assignee: 'mona' }, github: { assignee: null } },
    });
    expect(operations).toEqual([]);
    expect(skips).toMatchObject([
      { needsPerson: true, reason: expect.stringContaining('GitHub did not accept mona as its assignee') },
    ]);
  });
});

describe('a milestone', () => {
  test.each([
    {
      name: 'of the tracker travels',
      change: { bug: { milestone: '1.0' } },
      on: 'github',
      target: { milestone: '1.0' },
    },
    { name: 'of GitHub travels', change: { issue: { milestone: '1.0' } }, on: 'tracker', target: { milestone: '1.0' } },
    {
      name: 'taken away on GitHub travels',
      change: {
        bug: { milestone: '1.0' },
        base: { tracker: { assignee: null, milestone: '1.0' }, github: { assignee: null, milestone: '1.0' } },
      },
      on: 'tracker',
      target: { milestone: null },
    },
    {
      name: 'is put back where bugs always have one',
      change: {
        bug: { milestone: '1.0' },
        base: { tracker: { assignee: null, milestone: '1.0' }, github: { assignee: null, milestone: '1.0' } },
        planContext: { ...planContext, vocabulary: { values: { milestone: ['1.0'] }, workflow: null } },
      },
      on: 'github',
      target: { milestone: '1.0' },
    },
  ])('$name', ({ change, on, target }) => {
    expect(planned(change).operations).toMatchObject([{ kind: 'update', on, target }]);
  });

  test('that the tracker does not know is left where it is, and told to people', () => {
    const { operations, skips } = planned({ bug: { milestone: '1.0' }, issue: { milestone: 'Sprint 5' } });
    expect(operations).toEqual([]);
    expect(skips).toMatchObject([
      { needsPerson: true, reason: expect.stringContaining('no milestone "Sprint 5" in Widget') },
    ]);
  });
});

describe('an e-mail address', () => {
  test.each([
    { name: 'in a title', summary: 'Ask bob@a.test now', title: 'Ask bob@… now' },
    { name: 'in a title that was written on GitHub', summary: 'Ask bob@a.test now', title: 'Ask bob@a.test now' },
  ])('$name is no difference', ({ summary, title }) => {
    const both = { title: 'Ask bob@… now', assignee: null };
    expect(planned({ bug: { summary }, issue: { title }, base: { tracker: both, github: both } }).operations).toEqual(
      [],
    );
  });

  test('in a title does not reach GitHub', () => {
    expect(planned({ bug: { summary: 'Ask bob@a.test' } }).operations).toMatchObject([
      { on: 'github', target: { title: 'Ask bob@…' } },
    ]);
  });

  test('in the name of a milestone keeps it on the tracker', () => {
    expect(planned({ bug: { milestone: 'for bob@a.test' } }).operations).toEqual([]);
  });
});

import { describe, expect, test } from 'vitest';
import { bugId, issueNumber } from '../../src/model/ids.ts';
import type { UpdateOperation } from '../../src/model/plan/operation.ts';
import type { Neighbour, PublicNeighbour } from '../../src/model/plan/public.ts';
import { ofSetsWhatShows, settleFields } from '../../src/rules/fields/move-base.ts';
import {
  blockerSteps,
  duplicateNoteIn,
  githubRelations,
  trackerRelations,
  withFewRelations,
} from '../../src/rules/fields/relations.ts';
import { publicNeighbour } from '../../src/rules/privacy/gate.ts';
import { aBug, aLink, anIssue, buried, frozen, passed } from '../planner/samples.ts';
import { widgetRoute } from '../support/routes.ts';

const route = { ...widgetRoute, dependencies: true };
const bugs = (...ids: number[]) => ids.map(bugId);
const neighbour = (bug: number, change: Partial<Neighbour> = {}): PublicNeighbour =>
  passed({
    bug: bugId(bug),
    issue: issueNumber(bug + 100),
    issueId: bug + 9000,
    issueUrl: `https://github.com/acme/widget/issues/${bug + 100}`,
    isShown: true,
    ...change,
  });

describe('what a bug waits for', () => {
  const bug = { ...aBug, dependsOn: bugs(20, 21, 22) };

  test('is comparable as far as its targets have issues that may be shown', () => {
    expect(trackerRelations(route, bug, [neighbour(20), neighbour(21, { isShown: false }), neighbour(30)])).toEqual({
      dependsOn: ['20'],
    });
  });

  test('takes no part where the route does not ask, or the tracker does not tell', () => {
    expect(trackerRelations(widgetRoute, bug, [neighbour(20)])).toEqual({});
    expect(trackerRelations(route, aBug, [neighbour(20)])).toEqual({});
  });
});

describe('what blocks an issue', () => {
  const issue = { ...anIssue, blockedBy: [issueNumber(120), issueNumber(121), issueNumber(7)] };

  test('is told by the bugs that its blockers mirror', () => {
    expect(githubRelations(route, issue, [neighbour(20), neighbour(21), neighbour(22)], {})).toEqual({
      dependsOn: ['20', '21'],
    });
  });

  test('a target that was hidden meanwhile shows only where it was agreed on, so that it is taken off and never put on the tracker', () => {
    const hidden = neighbour(21, { isShown: false });
    expect(githubRelations(route, issue, [hidden], {})).toEqual({ dependsOn: [] });
    expect(githubRelations(route, issue, [hidden], { dependsOn: ['21'] })).toEqual({ dependsOn: ['21'] });
  });

  test('takes no part where GitHub does not tell', () => {
    expect(githubRelations(route, anIssue, [neighbour(20)], {})).toEqual({});
  });
});

test.each([
  ['a live link with two ends', {}, true],
  ['a link whose bug became private', { tracker: { ...aBug, isPrivate: true } }, false],
  ['a frozen link', frozen, false],
  ['a buried link', buried, null],
  ['a link without an issue', { issue: null, github: null }, null],
] as const)('%s as a neighbour', (_what, change, isShown) => {
  expect(publicNeighbour(widgetRoute, { ...aLink, ...change })?.isShown ?? null).toBe(isShown);
});

describe('one update', () => {
  test('takes three relations, those that come before those that go, and leaves the rest to the next', () => {
    expect(withFewRelations({ dependsOn: ['1', '2', '3', '4'] }, { dependsOn: [] })).toEqual({
      dependsOn: ['1', '2', '3'],
    });
    expect(withFewRelations({ dependsOn: ['1', '2'] }, { dependsOn: ['7', '8', '9'] })).toEqual({
      dependsOn: ['1', '2', '8', '9'],
    });
    expect(withFewRelations({ title: 'x' }, {})).toEqual({ title: 'x' });
  });

  test('is one request for each relation', () => {
    const operation = {
      target: { dependsOn: ['20', '22'] },
      replaces: { dependsOn: ['21', '22'] },
    } as unknown as UpdateOperation;
    expect(blockerSteps(operation, [neighbour(20), neighbour(21), neighbour(22)])).toEqual([
      { blocker: { change: 'add', issueId: 9020 } },
      { blocker: { change: 'remove', issueId: 9021 } },
    ]);
  });

  test('that arrived in part is agreed for that part, and the rest travels again', () => {
    const carried = { source: { dependsOn: ['20', '21'] }, target: { dependsOn: ['20', '21'] } };
    const base = { tracker: { dependsOn: [] }, github: { dependsOn: [] } };
    expect(settleFields(base, 'github', carried, [], { dependsOn: ['20'] })).toEqual({
      tracker: { dependsOn: ['20'] },
      github: { dependsOn: ['20'] },
    });
    expect(ofSetsWhatShows({ title: 'x', dependsOn: ['20', '21'] }, { title: 'y', dependsOn: ['20'] })).toEqual({
      title: 'x',
      dependsOn: ['20'],
    });
  });
});

describe('the sentence of a tracker about a duplicate', () => {
  const note = '*** This bug has been marked as a duplicate of bug 7 ***';
  const said = note.slice(4, -4);

  test.each([
    [note, { words: '', note: said }],
    [`${note.replace(' ***', '. ***')}\n \n`, { words: '', note: said }],
    [`see there  \n \n  ${note}`, { words: 'see there  ', note: said }],
    [`\n${note}`, { words: '', note: said }],
    [`  ${note}`, { words: `  ${note}`, note: null }],
    [`${note}\nno, it is not`, { words: `${note}\nno, it is not`, note: null }],
    [`see ${note}`, { words: `see ${note}`, note: null }],
  ])('%j', (text, noted) => {
    expect(duplicateNoteIn(text)).toEqual(noted);
  });

  test.each(['\n'.repeat(65_000), `a${'\n'.repeat(65_000)}x`, `${'\n \n'.repeat(20_000)}*** This`])(
    'takes no time to look for',
    (text) => {
      const { user } = process.cpuUsage();
      expect(duplicateNoteIn(text).note).toBe(null);
      expect((process.cpuUsage().user - user) / 1_000).toBeLessThan(1_000);
    },
  );
});

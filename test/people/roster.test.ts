import { describe, expect, test } from 'vitest';
import type { People } from '../../src/model/people.ts';
import { appearancesIn, rosterOf } from '../../src/rules/people/roster.ts';
import { aBug, aCommentLink, aLink, anIssue, onGithub } from '../planner/samples.ts';
import { person } from '../planner/world.ts';

const nobody: People = { github: new Map(), tracker: new Map(), nobody: ['nobody@example.test'] };
const seen = (side: 'tracker' | 'github', login: string, name = login.split('@')[0] ?? '') =>
  ({ side, person: { login, name }, role: 'commented' }) as const;

describe('who is seen in a pair', () => {
  test('on the side where it began: reporter, assignees and those who commented', () => {
    const commentLinks = [
      aCommentLink,
      { ...aCommentLink, count: 0 },
      { ...aCommentLink, state: 'skipped', reason: 'it has no text', copy: null } as const,
      { ...aCommentLink, ...onGithub, source: 0 } as const,
    ];
    const link = { ...aLink, tracker: aBug, github: { ...anIssue, assignees: ['hubot'] } };
    expect(appearancesIn(link, commentLinks).map(({ side, person: { login }, role }) => [side, login, role])).toEqual([
      ['tracker', 'bob@example.test', 'reported'],
      ['tracker', 'alice@example.test', 'assigned'],
      ['github', 'hubot', 'assigned'],
      ['tracker', 'carol@example.test', 'commented'],
    ]);
  });

  test('never the bridge as the reporter of what it filed', () => {
    const link = { ...aLink, origin: 'github', tracker: { ...aBug, creator: person('bridge@example.test') } } as const;
    expect(appearancesIn(link, []).map(({ person: { login } }) => login)).not.toContain('bridge@example.test');
  });
});

describe('a proposal', () => {
  test.each([
    {
      name: 'for an equal real name',
      who: seen('tracker', 'b@example.test', 'Bob Bølle'),
      github: ['bob-bolle', 'bobbølle'],
      login: 'bobbølle',
    },
    { name: 'for an equal local part', who: seen('tracker', 'bob.b@example.test'), github: ['Bob-B'], login: 'Bob-B' },
    {
      name: 'not for two who are alike',
      who: seen('tracker', 'bobb@example.test'),
      github: ['bob-b', 'bobb'],
      login: undefined,
    },
    {
      name: 'not for a name without a letter',
      who: seen('tracker', '-@example.test'),
      github: ['-'],
      login: undefined,
    },
    {
      name: 'not for the account of nobody',
      who: seen('tracker', 'nobody@example.test'),
      github: ['nobody'],
      login: undefined,
    },
  ])('$name', ({ who, github, login }) => {
    const [first] = rosterOf(nobody, [who, ...github.map((each) => seen('github', each))]).tracker;
    expect(first?.proposal?.login).toBe(login);
  });

  test('is not made for the mapped, nor of the mapped', () => {
    const people: People = {
      github: new Map([['x@example.test', 'bob']]),
      tracker: new Map([['bob', 'x@example.test']]),
      nobody: [],
    };
    const roster = rosterOf(people, [
      seen('tracker', 'X@example.test'),
      seen('tracker', 'bob@example.test'),
      seen('github', 'Bob'),
    ]);
    expect(roster.tracker.map(({ mapped, proposal }) => [mapped, proposal])).toEqual([
      ['bob', null],
      [null, null],
    ]);
    expect(roster.github).toMatchObject([{ login: 'Bob', mapped: 'x@example.test' }]);
  });
});

test('the most active come first, whatever the case of their login, with the fullest name', () => {
  const { tracker } = rosterOf(nobody, [
    seen('tracker', 'a@x'),
    seen('tracker', 'b@x'),
    seen('tracker', 'B@x', 'Bob Builder'),
  ]);
  expect(tracker.map(({ login, name, times }) => [login, name, times.commented])).toEqual([
    ['B@x', 'Bob Builder', 2],
    ['a@x', 'a', 1],
  ]);
});

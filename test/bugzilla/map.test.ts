import { describe, expect, test } from 'vitest';
import { bugOf, commentOf, personOf } from '../../src/bugzilla/map.ts';
import { bugsIn, commentsIn } from '../../src/bugzilla/schema.ts';
import { unwatchedRows } from '../../src/model/runtime.ts';
import { recorded } from './api/recorded.ts';
import { wireBug } from './api/small-tracker.ts';

const url = 'https://tracker.example.test/bugs';
const bugFrom = (wire: unknown) => bugOf(bugsIn(unwatchedRows).parse({ bugs: [wire] }).bugs[0] ?? never(), url);
const wire = wireBug({ id: 5 });

describe('a bug', () => {
  test('as Bugzilla 5.2 shows it', () => {
    const [bug] = bugsIn(unwatchedRows).parse(recorded('create_ok_then_get').response.body).bugs;
    expect(bugOf(bug ?? never(), url)).toEqual({
      kind: 'bug',
      id: 93,
      url: 'https://tracker.example.test/bugs/show_bug.cgi?id=93',
      product: 'Widget',
      summary: 'create test',
      status: 'CONFIRMED',
      resolution: '',
      dupeOf: null,
      values: {
        component: 'Core',
        severity: 'normal',
        priority: '---',
        platform: 'All',
        op_sys: 'All',
        version: '1.0',
      },
      keywords: [],
      assignee: { login: 'alice@example.test', name: 'Alice Anderson' },
      milestone: '---',
      dependsOn: [],
      seeAlso: [],
      isPrivate: false,
      creator: { login: 'alice@example.test', name: 'Alice Anderson', id: 2 },
      createdAt: Date.parse('2026-11-21T09:38:18Z'),
      changedAt: Date.parse('2026-11-21T09:38:18Z'),
    });
  });

  test('that does not show an assignee or a milestone may still have one', () => {
    expect(bugFrom(wire)).toMatchObject({ assignee: null, milestone: null });
    const shown = { assigned_to: 'bob@example.test', target_milestone: '' };
    expect(bugFrom({ ...wire, ...shown })).toMatchObject({
      assignee: { login: 'bob@example.test', name: 'bob' },
      milestone: '',
    });
  });

  test('carries numbers and times as other versions write them', () => {
    const bug = bugFrom({
      ...wire,
      id: '5',
      dupe_of: '7',
      creation_time: '2026-11-21T09:00:00',
      last_change_time: '2026-11-21 09:00:01',
    });
    expect(bug).toMatchObject({
      id: 5,
      dupeOf: 7,
      createdAt: Date.parse('2026-11-21T09:00:00Z'),
      changedAt: Date.parse('2026-11-21T09:00:01Z'),
    });
  });

  test('names its keywords in one order, whatever the server does', () => {
    expect(bugFrom({ ...wire, keywords: ['regression', 'crash'] }).keywords).toEqual(['crash', 'regression']);
  });

  test('distinguishes absent fields from empty ones', () => {
    const { severity: _, ...less } = wire;
    expect(bugFrom(less).values).toEqual({ component: 'Core' });
    expect(bugFrom({ ...wire, priority: '' }).values).toMatchObject({ priority: '' });
    expect(bugFrom({ ...wire, priority: null }).values).not.toHaveProperty('priority');
  });

  test.each([
    ['in no group', { groups: [] }, false],
    ['in a group', { groups: ['security'] }, true],
    ['whose groups are not shown', { groups: undefined }, true],
    ['whose groups are null', { groups: null }, true],
  ])('%s', (_name, change, isPrivate) => {
    expect(bugFrom({ ...wire, ...change }).isPrivate).toBe(isPrivate);
  });

  test('with an impossible time is not made up', () => {
    expect(bugsIn(unwatchedRows).safeParse({ bugs: [{ ...wire, creation_time: 'yesterday' }] }).success).toBe(false);
  });
});

describe('a person', () => {
  test.each([
    ['alice@example.test', 'Alice Anderson', 'Alice Anderson'],
    ['alice@example.test', '', 'alice'],
    ['alice@example.test', '  ', 'alice'],
    ['alice@example.test', 'alice@corp.example.test', 'alice'],
    ['alice', '', 'alice'],
    ['', '', ''],
  ])('%s called "%s" is shown as %s', (login, realName, name) => {
    expect(personOf(login, realName)).toEqual({ login, name });
  });
});

describe('a comment', () => {
  test('as Bugzilla 5.2 shows it', () => {
    const comments = commentsIn(unwatchedRows).parse(recorded('comments_bug1').response.body).bugs['1']?.comments ?? [];
    expect(comments.map((comment) => commentOf(comment, 1, url).isPrivate)).toEqual([false, false, true, false]);
    expect(commentOf(comments[3] ?? never(), 1, url)).toEqual({
      side: 'tracker',
      id: 4,
      ref: 1,
      count: 3,
      url: 'https://tracker.example.test/bugs/show_bug.cgi?id=1#c3',
      author: { login: 'admin@example.test', name: 'admin' },
      text: 'Fixed by the next build?',
      isPrivate: false,
      tags: [],
      createdAt: Date.parse('2026-09-23T08:50:52Z'),
      changedAt: Date.parse('2026-09-23T08:50:52Z'),
    });
  });

  test.each([
    [false, false],
    [0, false],
    ['0', false],
    [true, true],
    [1, true],
    ['1', true],
    [null, true],
    [undefined, true],
  ])('whose private mark reads %s: private is %s', (mark, isPrivate) => {
    const body = { bugs: { 1: { comments: [{ id: 1, is_private: mark, creation_time: '2026-09-23T08:50:52Z' }] } } };
    const comment = commentsIn(unwatchedRows).parse(body).bugs['1']?.comments[0] ?? never();
    expect(commentOf(comment, 1, url).isPrivate).toBe(isPrivate);
  });
});

function never(): never {
  throw new Error('nothing to map');
}

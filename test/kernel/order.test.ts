/**
 * I10, I11: within a link the order can be carried out; between links it means nothing, and what waits takes nobody's
 * turn.
 */

import { describe, expect, test } from 'vitest';
import { bugId, linkId } from '../../src/model/ids.ts';
import type { Operation, OperationKind, UpdateOperation } from '../../src/model/plan/operation.ts';
import type { OutboxRow } from '../../src/model/plan/outbox.ts';
import { inTurns, isJoinable, order, partHeld } from '../../src/rules/limits/brake-and-budget.ts';
import { turnsOf } from '../../src/rules/limits/shares.ts';
import { operations } from '../../src/rules/operations/operations.ts';
import { operationOn } from '../planner/operations.ts';

const keys = (operations: readonly Operation[]) => operations.map(({ key }) => key);
const now = 1000;

describe('order', () => {
  test('makes the counterpart first, then names it, then speaks, then closes', () => {
    const mixed = [
      operationOn(1, 'update'),
      operationOn(1, 'comment'),
      operationOn(1, 'create'),
      operationOn(1, 'point'),
    ];
    expect(order(mixed).map(({ kind }) => kind)).toEqual(['create', 'point', 'comment', 'update']);
  });

  test('keeps comments in the order in which they were written', () => {
    const comments = ['a', 'b', 'c'].map((name) => operationOn(1, 'comment', name));
    expect(order([...comments, operationOn(1, 'create')]).map(({ key }) => key.slice(-1))).toEqual([
      'e',
      'a',
      'b',
      'c',
    ]);
  });

  test('keeps the order of the links, so that urgent ones stay in front', () => {
    const mixed = [
      operationOn(9, 'update'),
      operationOn(2, 'update'),
      operationOn(9, 'create'),
      operationOn(2, 'create'),
    ];
    expect(order(mixed).map(({ link }) => link)).toEqual([9, 9, 2, 2]);
  });
});

describe('if a cycle cannot write everything', () => {
  const operations = [
    operationOn(1, 'create'),
    operationOn(1, 'comment'),
    operationOn(1, 'update'),
    operationOn(2, 'comment'),
    operationOn(3, 'create'),
    operationOn(3, 'comment'),
  ];

  test('live links take turns, the shorter first, and each keeps its order', () => {
    const taken = inTurns(operations, () => true);
    expect(taken.map(({ link, kind }) => `${link} ${kind}`)).toEqual([
      '2 comment',
      '3 create',
      '1 create',
      '3 comment',
      '1 comment',
      '1 update',
    ]);
  });

  test('links of one person come after the first ones of others', () => {
    const turns = turnsOf(
      new Map([
        [linkId(1), ['mona', 'mona', 'mona']],
        [linkId(2), ['mona']],
        [linkId(3), ['mona', 'hubot']],
      ]),
    );
    expect([...turns.values()]).toEqual([0, 1, 0]);
    expect(inTurns(operations, () => true, turns).map(({ link }) => link)).toEqual([3, 1, 2, 3, 1, 1]);
  });

  test('the backfill follows, link by link', () => {
    const taken = inTurns(operations, (link) => link === 3);
    expect(taken.map(({ link, kind }) => `${link} ${kind}`)).toEqual([
      '3 create',
      '3 comment',
      '1 create',
      '1 comment',
      '1 update',
      '2 comment',
    ]);
  });
});

describe('a comment goes with what is written right after it', () => {
  const onTracker = (operation: Operation): Operation => ({ ...operation, on: 'tracker' }) as Operation;
  const comment = onTracker(operationOn(1, 'comment'));
  const update = (change: Partial<UpdateOperation> = {}, link = 1): Operation =>
    ({ ...onTracker(operationOn(link, 'update')), target: { title: 'Another' }, ...change }) as Operation;
  const kinds = Object.keys(operations).filter((kind): kind is OperationKind => kind !== 'update');

  test.each<[string, Operation, Operation | undefined, boolean]>([
    ['a comment and a change of the same bug', comment, update(), true],
    ['a comment and a closing', comment, update({ target: { status: 'completed' } }), true],
    ['a comment on a bug that is a duplicate already', comment, update({ duplicateOf: bugId(7) }), true],
    [
      'a comment and a closing as duplicate',
      comment,
      update({ target: { status: 'duplicate' }, duplicateOf: bugId(7) }),
      false,
    ],
    ['a comment and a change that takes several requests', comment, update({ via: ['open'] }), false],
    ['a comment and nothing', comment, undefined, false],
    ['a comment and a change of another bug', comment, update({}, 2), false],
    ['a comment on GitHub', operationOn(1, 'comment'), update(), false],
    ['a change of the issue', comment, operationOn(1, 'update'), false],
    ['both on GitHub', operationOn(1, 'comment'), operationOn(1, 'update'), false],
    ['the change first', update(), comment, false],
    ...kinds.map((kind): [string, Operation, Operation, boolean] => [
      `a comment and a ${kind}`,
      comment,
      onTracker(operationOn(1, kind)),
      false,
    ]),
    ...kinds
      .filter((kind) => kind !== 'comment')
      .map((kind): [string, Operation, Operation, boolean] => [
        `a ${kind} and a change`,
        onTracker(operationOn(1, kind)),
        update(),
        false,
      ]),
  ])('%s: %#', (_name, first, second, isOne) => {
    expect(isJoinable(first, second)).toBe(isOne);
  });

  test('and of several comments only the last one, as the others come before it', () => {
    const [first, second] = [onTracker(operationOn(1, 'comment', 'a')), onTracker(operationOn(1, 'comment', 'b'))];
    expect(joinable([first, second, update()])).toEqual([second]);
    const last = onTracker(operationOn(2, 'comment'));
    expect(joinable([first, operationOn(1, 'update'), update(), last, update({}, 2)])).toEqual([last]);
  });
});

const joinable = (operations: readonly Operation[]): readonly Operation[] =>
  operations.filter((operation, index) => isJoinable(operation, operations[index + 1]));

describe('what is held', () => {
  const create = operationOn(1, 'create');
  const comment = operationOn(1, 'comment');
  const update = operationOn(1, 'update');
  const elsewhere = operationOn(2, 'create');

  test.each([
    { name: 'nothing stands in the outbox', rows: [], ready: [create, comment, update, elsewhere], held: [] },
    {
      name: 'a planned row is due',
      rows: [row(create, 'planned', now)],
      ready: [create, comment, update, elsewhere],
      held: [],
    },
    { name: 'a planned row waits', rows: [row(create, 'planned', now + 1)], ready: [elsewhere], held: [create] },
    { name: 'a comment waits', rows: [row(comment, 'planned', now + 1)], ready: [create, elsewhere], held: [comment] },
    { name: 'a counterpart is parked', rows: [row(create, 'parked', null)], ready: [elsewhere], held: [create] },
    {
      name: 'a comment is parked that was put off for too long',
      rows: [row(comment, 'parked', now + 1)],
      ready: [create, update, elsewhere],
      held: [comment],
    },
    {
      name: 'a comment is parked',
      rows: [row(comment, 'parked', null)],
      ready: [create, update, elsewhere],
      held: [comment],
    },
    {
      name: 'what was parked has changed since',
      rows: [row({ ...operationOn(1, 'comment'), about: 'another' }, 'parked', null)],
      ready: [create, comment, update, elsewhere],
      held: [],
    },
  ])('when $name', ({ rows, ready, held }) => {
    const rowOf = (key: string) => rows.find(({ operation }) => operation.key === key) ?? null;
    const parted = partHeld([create, comment, update, elsewhere], rowOf, now);
    expect(keys(parted.ready)).toEqual(keys(ready));
    expect(keys(parted.held)).toEqual(keys(held));
  });
});

test('what is parked after it was put off keeps its place among the comments of its side, for some time', () => {
  const [one, two, three] = ['a', 'b', 'c'].map((name) => operationOn(1, 'comment', name)) as [
    Operation,
    Operation,
    Operation,
  ];
  const back = { ...operationOn(1, 'comment', 'd'), on: 'tracker' } as Operation;
  const given = row(two, 'parked', now + 1);
  const parted = partHeld([one, two, three, back, update()], (key) => (key === two.key ? given : null), now);
  expect([keys(parted.ready), keys(parted.held)]).toEqual([keys([one, back, update()]), keys([two])]);
  const later = partHeld([one, two, three], (key) => (key === two.key ? given : null), now + 1);
  expect([keys(later.ready), keys(later.held)]).toEqual([keys([one, three]), keys([two])]);

  function update(): Operation {
    return operationOn(1, 'update');
  }
});

test('a creation that is refused stays parked with what its earlier tries sent, and keeps that when it is planned otherwise', () => {
  const create = operationOn(1, 'create') as Operation<'create'>;
  const tried = [{ title: 'Another title' }];
  const parked = row({ ...create, tried }, 'parked', null);
  expect(partHeld([create], () => parked, now)).toEqual({ ready: [], held: [parked.operation] });
  const renamed = { ...create, target: { title: 'A third title' } };
  expect(partHeld([renamed], () => parked, now)).toEqual({ ready: [{ ...renamed, tried }], held: [] });
});

function row(operation: Operation, state: OutboxRow['state'], notBeforeAt: number | null): OutboxRow {
  return {
    number: 1,
    operation,
    route: 'widget',
    state,
    attempts: 1,
    notBeforeAt,
    sentAt: null,
    waitingSince: null,
    why: null,
  };
}

/** I6: a plan that would change too much of what is mirrored is refused, before anything of it is written. */

import { describe, expect, test } from 'vitest';
import type { Authors } from '../../src/model/people.ts';
import type { Operation } from '../../src/model/plan/operation.ts';
import {
  brake as brakeOf,
  brakeVanished,
  changesMirrored,
  type Refusal,
} from '../../src/rules/limits/brake-and-budget.ts';
import { operationOn, planOf } from '../planner/operations.ts';
import { random } from '../support/random.ts';

const updates = (count: number): readonly Operation[] =>
  Array.from({ length: count }, (_, index) => operationOn(index + 1, 'update'));

const nobody = { tracker: null, github: null };

/** The links that the operations change, as `plan-links.ts` counts them: nobody in particular made them. */
const changedBy = (operations: readonly Operation[]): readonly Authors[] =>
  [...Map.groupBy(operations, ({ link }) => link).values()].flatMap(
    (its) => changesMirrored(planOf(its), nobody, () => null, null) ?? [],
  );

const brake = (changed: readonly Authors[], links: number, share: number): Refusal | null =>
  brakeOf(changed, links, share, () => 0);

describe('the brake', () => {
  test.each([
    { changed: 30, links: 100, share: 0.3, isRefused: false },
    { changed: 31, links: 100, share: 0.3, isRefused: true },
    { changed: 9, links: 9, share: 0.3, isRefused: false },
    { changed: 10, links: 10, share: 0.3, isRefused: true },
    { changed: 3, links: 10, share: 0.3, isRefused: false },
    { changed: 100, links: 100, share: 1, isRefused: false },
    { changed: 1, links: 100, share: 0, isRefused: true },
    { changed: 0, links: 100, share: 0, isRefused: false },
  ])(
    '$changed of $links links with a share of $share: refused is $isRefused',
    ({ changed, links, share, isRefused }) => {
      expect(brake(changedBy(updates(changed)), links, share) !== null).toBe(isRefused);
      expect(brakeVanished(changed, links, share) !== null).toBe(isRefused);
    },
  );

  test('counts links, not operations', () => {
    const twice = [...updates(30), ...updates(30)];
    expect(brake(changedBy(twice), 100, 0.3)).toBeNull();
  });

  test.each(['create', 'comment', 'point'] as const)(
    'lets any number of %s operations pass, for they only add',
    (kind) => {
      const operations = Array.from({ length: 100 }, (_, index) => operationOn(index, kind));
      expect(brake(changedBy(operations), 100, 0.1)).toBeNull();
    },
  );

  test('counts copies whose source changed, and not those that only refer to something new', () => {
    const rewrites = (isEdit: boolean) =>
      Array.from({ length: 50 }, (_, index) => ({ ...operationOn(index + 1, 'rewrite'), isEdit }) as Operation);
    expect(brake(changedBy(rewrites(true)), 100, 0.3)?.touched).toBe(50);
    expect(brake(changedBy(rewrites(false)), 100, 0.3)).toBeNull();
  });

  test('does not count the first status of a counterpart that is just being made', () => {
    const fresh = Array.from({ length: 50 }, (_, index) => [
      operationOn(index, 'create'),
      operationOn(index, 'update'),
    ]).flat();
    expect(brake(changedBy(fresh), 100, 0.1)).toBeNull();
  });

  test('says what would happen and what is allowed', () => {
    expect(brake(changedBy(updates(50)), 100, 0.3)).toEqual({
      touched: 50,
      links: 100,
      why: 'the plan would change 50 of 100 pairs (50 %, at most 30 % allowed)',
    });
    expect(brakeVanished(50, 100, 0.3)?.why).toContain('the full comparison would give up at least 50 of 100 pairs');
  });

  test('never lets more than the share pass, and never refuses less', () => {
    const r = random(6);
    for (let run = 0; run < 2000; run += 1) {
      const links = 10 + r.below(200);
      const share = r.next();
      const operations = Array.from({ length: r.below(links) }, () =>
        operationOn(r.below(links), r.pick(['create', 'update', 'comment'])),
      );
      const made = new Set(operations.filter(({ kind }) => kind === 'create').map(({ link }) => link));
      const changed = new Set(
        operations.filter(({ kind, link }) => kind === 'update' && !made.has(link)).map(({ link }) => link),
      );
      expect(brake(changedBy(operations), links, share) !== null).toBe(changed.size > links * share);
    }
  });

  const by = (tracker: string | null, github: string | null, count: number): readonly Authors[] =>
    Array.from({ length: count }, () => ({ tracker, github }));

  test.each([
    ['one person of the tracker', by('carol', null, 40), 40, false],
    ['one person of each side', [...by('carol', null, 30), ...by(null, 'mallory', 30)], 60, false],
    ['one person, and some of others', [...by('carol', null, 40), ...by('alice', null, 5)], 40, false],
    ['one person, and too many of others', [...by('carol', null, 40), ...by('alice', null, 25)], 40, true],
    ['two people of one side', [...by('carol', null, 30), ...by('bob', null, 30)], 30, true],
    ['nobody in particular', by(null, null, 40), 0, true],
    ['the one person who has all but nine', by('carol', null, 91), 91, true],
  ] as const)('changes of %s', (_name, changed, owned, isRefused) => {
    expect(brakeOf(changed, 100, 0.3, () => owned) !== null).toBe(isRefused);
  });

  test('a change is of who wrote the edited comment, or else of who opened both ends', () => {
    const pair = { tracker: 'alice', github: null };
    const edit = { ...operationOn(1, 'rewrite'), isEdit: true } as Operation;
    const of = (...its: readonly Operation[]) => changesMirrored(planOf(its), pair, () => 'carol', null);
    expect(of(edit)).toStrictEqual({ tracker: 'carol', github: null });
    expect(of(edit, operationOn(1, 'update'))).toStrictEqual(pair);
    expect(of(operationOn(1, 'update'))).toStrictEqual(pair);
    expect(of(operationOn(1, 'comment'))).toBeNull();
  });
});

import { describe, expect, test } from 'vitest';
import { rules } from './rules.ts';
import { cases } from './suite.ts';

const observable = [...rules].flatMap(([id, rule]) => (typeof rule === 'string' ? id : []));
const named = new Set(cases.flatMap((each) => each.rules));

/** The sections of the interface that say something; 2 and 4.6 are only headings. */
const sections =
  '1 2.1 2.2 2.3 2.4 2.5 2.6 2.7 3 4.1 4.2 4.3 4.4 4.5 4.6.1 4.6.2 4.7 4.8 4.9 4.10 4.11 4.12 4.13 5 6 7 8 9'.split(
    ' ',
  );

describe('the rules of the interface', () => {
  test('cover every section', () => {
    const covered = new Set([...rules.keys()].map((id) => id.split('/')[0]));
    expect(sections.filter((section) => !covered.has(section))).toEqual([]);
  });

  test('are each named by a case, unless nobody can observe them', () => {
    expect(observable.filter((id) => !named.has(id))).toEqual([]);
  });

  test('say why, when nobody can observe them, and no case names those', () => {
    const unobservable = [...rules].flatMap(([id, rule]) =>
      typeof rule === 'string' ? [] : [{ id, why: rule.unobservable }],
    );
    expect(unobservable.filter(({ why }) => why.length < 20)).toEqual([]);
    expect(unobservable.filter(({ id }) => named.has(id))).toEqual([]);
  });

  test('are all that cases name', () => {
    expect([...named].filter((id) => !rules.has(id))).toEqual([]);
  });

  test('are named by every case', () => {
    expect(cases.filter((each) => each.rules.length === 0).map(({ name }) => name)).toEqual([]);
  });
});

import { describe, expect, test } from 'vitest';
import type { Fields } from '../../src/model/item.ts';
import type { ReportedField } from '../../src/model/receipt.ts';
import { merge } from '../../src/rules/fields/merge.ts';
import { baseWithout, reportedFields, verdictOn } from '../../src/rules/limits/receipt-verdict.ts';
import { plant } from '../support/plant.ts';

const both = (fields: Fields) => ({ tracker: fields, github: fields });

/** One answer at second `at`, by which the tracker's fields went from `shown` to `answered`. */
const reported = (
  at: number,
  shown: Fields,
  answered: Fields,
  base: Fields = shown,
  known: readonly ReportedField[] = [],
): readonly ReportedField[] =>
  reportedFields(known, { key: 'k', at, asked: answered, shown, answered, base: both(base) });

const [title] = reported(10, { title: 'old' }, { title: 'new' });

describe('what a reading says of a field', () => {
  test.each([
    ['new', 9, 'shown'],
    ['new', 10, 'shown'],
    ['new', 11, 'shown'],
    ['old', 9, 'lost'],
    ['old', 10, 'lost'],
    ['old', 11, 'unclear'],
    ['third', 9, 'lost'],
    ['third', 10, 'shown'],
    ['third', 11, 'unclear'],
  ])('%s of second %i: %s', (shown, changedAt, verdict) => {
    expect(title && verdictOn(title, shown, changedAt)).toBe(verdict);
  });

  test('a third status of the same second may be that of a person, where ours was lost', () => {
    const [status] = reported(10, { status: 'open' }, { status: 'completed' });
    const verdict = (shown: string) => status && verdictOn(status, shown, 10);
    expect(['completed', 'open', 'not_planned'].map(verdict)).toEqual(['shown', 'lost', 'unclear']);
  });

  test('of a set only what came or went counts', () => {
    const [keywords] = reported(10, { keywords: ['a', 'b'] }, { keywords: ['b', 'c'] });
    const verdict = (shown: readonly string[]) => keywords && verdictOn(keywords, shown, 9);
    expect([['b', 'c'], ['c', 'z'], ['a', 'b'], ['a', 'b', 'c'], ['b']].map(verdict)).toEqual([
      'shown',
      'shown',
      'lost',
      'lost',
      'lost',
    ]);
  });

  test('a field that the answer did not move is not waited for', () => {
    expect(
      reported(10, { title: 'same', severity: 'minor' }, { title: 'same', severity: 'major' }).map(
        ({ field }) => field,
      ),
    ).toEqual(['severity']);
  });
});

/** What is to be written next, once the base is as if the write had not been. */
function nextAfter(
  fields: readonly ReportedField[],
  base: ReturnType<typeof both>,
  tracker: Fields,
  github: Fields,
  without: typeof baseWithout = baseWithout,
) {
  const restored = fields.reduce((now, each) => without(now, each, tracker[each.field]), base);
  return merge(restored, tracker, github, {
    oneWay: null,
    isTrackers: () => false,
    isAsked: () => false,
    decide: () => null,
  });
}

describe('after a write that was lost', () => {
  test('the same travels again', () => {
    const { write, conflicts } = nextAfter(
      title ? [title] : [],
      both({ title: 'new' }),
      { title: 'old' },
      { title: 'new' },
    );
    expect([write, conflicts]).toEqual([{ tracker: { title: 'new' }, github: {} }, []]);
  });

  test('what people of the tracker wrote instead meets it in a conflict', () => {
    const { conflicts } = nextAfter(title ? [title] : [], both({ title: 'new' }), { title: 'third' }, { title: 'new' });
    expect(conflicts).toEqual([{ field: 'title', tracker: 'third', github: 'new', kept: null }]);
  });

  test('the second of two travels where the first was stored, and where neither was', () => {
    const second = reported(20, { title: 'new' }, { title: 'newer' }, { title: 'new' }, title ? [title] : []);
    for (const shown of ['old', 'new']) {
      const { write } = nextAfter(second, both({ title: 'newer' }), { title: shown }, { title: 'newer' });
      expect(write).toEqual({ tracker: { title: 'newer' }, github: {} });
    }
  });

  test('a side that won a conflict by it meets the conflict again', () => {
    const [field] = reported(10, { title: 'theirs' }, { title: 'agreed' }, { title: 'agreed' });
    const { write } = nextAfter(
      field ? [field] : [],
      both({ title: 'agreed' }),
      { title: 'theirs' },
      { title: 'agreed' },
    );
    expect(write).toEqual({ tracker: {}, github: { title: 'theirs' } });
  });

  const takenBack = (without?: typeof baseWithout) => {
    const [field] = reported(10, { title: 'theirs' }, { title: 'ours' }, { title: 'agreed' });
    return nextAfter(field ? [field] : [], both({ title: 'ours' }), { title: 'theirs' }, { title: 'agreed' }, without)
      .write;
  };

  test('what it had overruled travels if people on GitHub take back their own, at whatever time', () => {
    expect(takenBack()).toEqual({ tracker: {}, github: { title: 'theirs' } });
  });

  test('a value that we wrote before goes if people on GitHub take theirs back', () => {
    const second = reported(20, { title: 'new' }, { title: 'newer' }, { title: 'new' }, title ? [title] : []);
    const { write } = nextAfter(second, both({ title: 'newer' }), { title: 'new' }, { title: 'old' });
    expect(write).toEqual({ tracker: { title: 'old' }, github: {} });
  });

  test('a planted fault is caught: what was overruled counts as agreed', async () => {
    const folder = plant({
      file: 'rules/limits/receipt-verdict.ts',
      from: ' && !equalValues(reported.replaced[0], shown)',
      to: '',
    });
    const planted: { readonly baseWithout: typeof baseWithout } = await import(
      `${folder}/rules/limits/receipt-verdict.ts`
    );
    expect(takenBack(planted.baseWithout)).not.toEqual(takenBack());
  });

  test('elements of sets travel again, and nothing else does', () => {
    const [keywords] = reported(10, { keywords: ['a', 'x'] }, { keywords: ['b', 'x'] });
    const { write } = nextAfter(
      keywords ? [keywords] : [],
      both({ keywords: ['b', 'x'] }),
      { keywords: ['a', 'x', 'z'] },
      { keywords: ['b', 'x'] },
    );
    expect(write).toEqual({ tracker: { keywords: ['b', 'x', 'z'] }, github: { keywords: ['b', 'x', 'z'] } });
  });
});

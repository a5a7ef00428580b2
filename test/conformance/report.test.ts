import { expect, test } from 'vitest';
import { isContent, report } from './report.ts';
import type { Result, Verdict } from './suite.ts';

const result = (section: string, name: string, verdict: Verdict): Result => ({ section, name, rules: [], verdict });

const results: readonly Result[] = [
  result('4.1', 'by id', { kind: 'passed', remark: null }),
  result('4.1', 'by alias', { kind: 'passed', remark: 'aliases: as measured on 5.2' }),
  result('4.5', 'keywords', { kind: 'differs', what: 'changes', expected: 'a', got: 'b' }),
  result('4.5', 'alias', {
    kind: 'known',
    way: { lines: ['Harmony'], says: 'have one alias', source: 'POST /rest/bug', got: /x/u },
  }),
  result('4.5', 'hours', { kind: 'not offered', reason: 'the key does not see hours' }),
];

test('the report counts by section and gives the details that matter', () => {
  expect(report(results)).toBe(
    [
      'Section                               passed     differs       known not offered',
      '--------------------------------------------------------------------------------',
      '4.1     Get Bug                            2           0           0           0',
      '4.5     Update Bug                         0           1           1           1',
      '--------------------------------------------------------------------------------',
      'All                                        2           1           1           1',
      '',
      'Differs:',
      '  4.5 keywords',
      '      changes',
      '      expected: a',
      '      got:      b',
      '',
      'Differs as versions like this one are known to:',
      '  have one alias (POST /rest/bug):',
      '      4.5 alias',
      '',
      'Not offered:',
      '  the key does not see hours:',
      '      4.5 hours',
      '',
      'Where the tracker has a choice:',
      '  4.1 aliases: as measured on 5.2',
    ].join('\n'),
  );
});

test('a run is content unless something differs that nobody knows', () => {
  expect([isContent(results), isContent(results.filter(({ verdict }) => verdict.kind !== 'differs'))]).toEqual([
    false,
    true,
  ]);
});

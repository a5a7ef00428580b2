import { describe, expect, test } from 'vitest';
import type { LabelRule, Vocabulary } from '../../src/model/route.ts';
import { duplicateNamed } from '../../src/rules/fields/relations.ts';
import { labelChange, labelsFor, valuesIn } from '../../src/rules/labels/labels-and-fields.ts';
import { whyNotSelected } from '../../src/rules/links/match.ts';
import { aBug, aCommentLink, anIssue, onGithub } from '../planner/samples.ts';
import { widgetRoute } from '../support/routes.ts';

const rule: LabelRule = { from: 'severity', as: 'severity: {value}', both: true };
const bare: LabelRule = { from: 'keywords', as: '{value}', both: true };
const vocabulary: Vocabulary = { values: { severity: ['major', 'minor'], keywords: ['easy', 'Perf'] }, workflow: null };
const silent: Vocabulary = { values: {}, workflow: null };

describe('the values that labels stand for', () => {
  test.each([
    {
      name: 'a value that the tracker knows',
      rule,
      vocabulary: vocabulary,
      known: [],
      labels: ['severity: major'],
      values: ['major'],
    },
    {
      name: 'a value in another case',
      rule,
      vocabulary: vocabulary,
      known: [],
      labels: ['Severity: MAJOR'],
      values: ['major'],
    },
    {
      name: 'a value that the tracker does not know',
      rule,
      vocabulary: vocabulary,
      known: [],
      labels: ['severity: huge'],
      values: [],
    },
    {
      name: 'a value that the link held before',
      rule,
      vocabulary: vocabulary,
      known: ['huge'],
      labels: ['severity: Huge'],
      values: ['huge'],
    },
    {
      name: 'any value where the tracker does not tell',
      rule,
      vocabulary: silent,
      known: [],
      labels: ['severity: Huge'],
      values: ['Huge'],
    },
    {
      name: 'no value',
      rule,
      vocabulary: silent,
      known: [],
      labels: ['severity: ', 'severity:', 'severity'],
      values: [],
    },
    {
      name: 'a label of people',
      rule,
      vocabulary: vocabulary,
      known: [],
      labels: ['my severity: major', 'severity: major!'],
      values: [],
    },
    {
      name: 'several values',
      rule,
      vocabulary: vocabulary,
      known: [],
      labels: ['severity: minor', 'severity: major'],
      values: ['major', 'minor'],
    },
    {
      name: 'a value in brackets',
      rule: { ...rule, as: '[{value}]' },
      vocabulary: vocabulary,
      known: [],
      labels: ['[major]', '[minor', 'major]'],
      values: ['major'],
    },
    {
      name: 'a bare keyword',
      rule: bare,
      vocabulary: vocabulary,
      known: [],
      labels: ['perf', 'help wanted'],
      values: ['Perf'],
    },
    {
      name: 'a bare word where the tracker does not tell',
      rule: bare,
      vocabulary: silent,
      known: [],
      labels: ['perf'],
      values: [],
    },
  ])('$name', ({ rule: given, vocabulary, known, labels, values }) => {
    expect(valuesIn(given, vocabulary, known, labels)).toEqual(values);
  });
});

test.each([
  ['a value', rule, 'major', ['severity: major']],
  ['a set', bare, ['a', 'b'], ['a', 'b']],
  ['nothing', rule, null, []],
  ['an empty value', rule, '', []],
  ['a value with a dollar', rule, '$&', ['severity: $&']],
  ['a value with an e-mail address', bare, ['bob@a.test'], ['bob@…']],
] as const)('the labels for %s', (_name, given, value, labels) => {
  expect(labelsFor(given, value)).toEqual(labels);
});

test('only our labels change, whatever their case', () => {
  const change = labelChange(
    ['Severity: Minor', 'easy'],
    ['severity: major', 'EASY'],
    ['severity: minor', 'easy', 'help wanted'],
  );
  expect(change).toEqual({ add: ['severity: major'], remove: ['severity: minor'] });
});

describe('the issue that one duplicates', () => {
  const said = (text: string | null, state: 'mirrored' | 'gone' = 'mirrored') => ({
    ...aCommentLink,
    ...onGithub,
    text,
    ...(state === 'gone' ? { state, reason: 'deleted' } : { state, reason: null }),
  });
  test.each([
    ['by number', [said('Duplicate of #7')], 7],
    ['in a sentence, in lower case', [said('I think this is a duplicate of #7, sorry')], 7],
    ['by repository', [said('Duplicate of acme/widget#7')], 7],
    ['by address', [said('Duplicate of https://github.com/acme/widget/issues/7')], 7],
    ['in another repository', [said('Duplicate of acme/other#7')], null],
    ['at another address', [said('Duplicate of https://github.com/acme/other/issues/7')], null],
    ['the last one said', [said('Duplicate of #7'), said('No: duplicate of #8')], 8],
    ['unless it was deleted', [said('Duplicate of #7'), said('Duplicate of #8', 'gone')], 7],
    ['not on the tracker', [{ ...aCommentLink, text: 'Duplicate of #7' }], null],
    ['not as another word', [said('nonduplicate of #7'), said('duplicates #7')], null],
    ['nowhere', [said(null)], null],
  ])('is named %s', (_name, commentLinks, number) => {
    expect(duplicateNamed('acme/widget', commentLinks)).toBe(number);
  });
});

describe('the selection of a route', () => {
  const select = (change: Partial<typeof widgetRoute.selection>) => ({
    ...widgetRoute,
    selection: { ...widgetRoute.selection, ...change },
  });
  test.each([
    ['takes any bug of the product', widgetRoute, aBug, null],
    ['leaves other products', select({ product: 'Gadget' }), aBug, 'the route takes product Gadget'],
    ['leaves private bugs', widgetRoute, { ...aBug, isPrivate: true }, 'the bug is private'],
    ['takes a component that it names', select({ components: ['UI', 'Core'] }), aBug, null],
    ['leaves other components', select({ components: ['UI'] }), aBug, 'the route does not take component Core'],
    ['takes a keyword in any case', select({ keyword: 'perf' }), { ...aBug, keywords: ['Perf'] }, null],
    [
      'leaves bugs without the keyword',
      select({ keyword: 'perf' }),
      aBug,
      'the route takes bugs with the keyword perf',
    ],
    ['takes a bug of the first moment', select({ createdSinceAt: 1000 }), aBug, null],
    ['leaves older bugs', select({ createdSinceAt: 1001 }), aBug, 'the bug is older than the route takes'],
    ['takes open bugs', select({ openOnly: true }), aBug, null],
    [
      'leaves closed bugs',
      select({ openOnly: true }),
      { ...aBug, status: 'RESOLVED', resolution: 'FIXED' },
      'the route takes open bugs',
    ],
    [
      'leaves statuses that it does not map',
      select({ openOnly: true }),
      { ...aBug, status: 'NEEDINFO' },
      'the route takes open bugs',
    ],
    ['takes any issue', widgetRoute, anIssue, null],
    ['takes issues with its label', { ...widgetRoute, label: 'mirror' }, { ...anIssue, labels: ['Mirror'] }, null],
    [
      'leaves issues without it',
      { ...widgetRoute, label: 'mirror' },
      anIssue,
      'the route takes issues with the label "mirror"',
    ],
  ])('%s', (_name, route, item, reason) => {
    expect(whyNotSelected(route, item)).toBe(reason);
  });
});

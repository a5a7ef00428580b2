/** Which texts of an issue are the bridge's own, word for word, and which are people's. */

import { describe, expect, test } from 'vitest';
import { placeholderDraft } from '../../src/rules/links/placeholder.ts';
import {
  hasPlainFooter,
  hasPointerUnder,
  isNeutralBody,
  isNeutralTitle,
  neutralBody,
  neutralTitle,
  plainFooter,
  sameText,
  saysNothing,
  saysOfNoBug,
  saysWhoFiled,
  withoutHeadline,
} from '../../src/rules/privacy/neutral.ts';
import { issueFooter } from '../../src/text/footer.ts';
import { anIssue, ourMarker } from '../planner/samples.ts';
import { widgetRoute } from '../support/routes.ts';

const neutral = neutralBody('acme', 12);
const crlf = (text: string): string => text.replaceAll('\n', '\r\n');
const plain = plainFooter('acme', 12);
const linked = issueFooter(widgetRoute, 12, 'https://bugs.example.test/show_bug.cgi?id=12');
const unused = placeholderDraft(widgetRoute, 12, 0).body;
const headline = '**Bob** opened [bug 12](https://bugs.example.test/12) on 5 Jan 2026:';

describe('neutral', () => {
  test.each<[string, string, boolean]>([
    ['the line that a withdrawal leaves', neutral, true],
    ['the same, as the website saves it', `${crlf(neutral)}\r\n`, true],
    ['the line about another bug', neutralBody('acme', 13), false],
    ['the line with more below it', `${neutral}\nMore`, false],
    ['another text', 'It crashes.', false],
  ])('as a body is %s, or not', (_what, body, isNeutral) => {
    expect(isNeutralBody('acme', body, 12)).toBe(isNeutral);
  });

  test.each<[string, boolean]>([
    [neutralTitle(12), true],
    [` ${neutralTitle(12)} `, true],
    [neutralTitle(13), false],
    ['It crashes', false],
  ])('as a title: %s', (title, isNeutral) => {
    expect(isNeutralTitle(title, 12)).toBe(isNeutral);
  });

  test('compares texts whatever their line ends and the blanks around them', () => {
    expect(sameText('\r\na\r\nb\r\n', 'a\nb \n')).toBe(true);
    expect(sameText('a\nb', 'a b')).toBe(false);
  });
});

describe('under a text of people', () => {
  test.each<[string, string, boolean, boolean]>([
    ['nothing of ours', 'Text', false, false],
    ['the plain line', `Text\n\n${plain}`, true, true],
    ['the plain line, as the website saves it', crlf(`Text\n\n${plain}`), true, true],
    ['the plain line about another bug', `Text\n\n${plainFooter('acme', 13)}`, false, true],
    ['the line with a link', `Text\n\n${linked}`, false, true],
    ['the marker alone', `Text\n\n${ourMarker}`, false, false],
    ['the plain line further up', `${plain}\n\nText`, false, false],
    ['another line over the marker', `Text\n\n---\n*By hand.*\n\n${ourMarker}`, false, false],
  ])('stands %s: whether it is the plain line, and whether it names the bug', (_what, body, isPlain, isPointer) => {
    expect([hasPlainFooter('acme', body, 12), hasPointerUnder(body)]).toEqual([isPlain, isPointer]);
  });
});

describe('our line about who opened a bug', () => {
  test.each<[string, string, string, boolean]>([
    ['is taken off a body', `${headline}\n\nIt crashes.`, 'It crashes.', true],
    ['is taken off, as the website saves it', `${headline}\r\n\r\nIt crashes.`, 'It crashes.', true],
    ['is all of a body', headline, '', true],
    ['is taken off with blanks behind it', `${headline} \nText`, 'Text', true],
    ['holds any name, our words too', `**a** opened [bug 1](x) on y** opened [bug 12](u) on z:\nText`, 'Text', true],
    ['is not one without a date', '**Bob** opened [bug 12](u):\nText', '**Bob** opened [bug 12](u):\nText', true],
    [
      'is not one without a colon',
      '**Bob** opened [bug 12](u) on z\nText',
      '**Bob** opened [bug 12](u) on z\nText',
      true,
    ],
    [
      'is not one in other words',
      '**Bob** closed [bug 12](u) on z:\nText',
      '**Bob** closed [bug 12](u) on z:\nText',
      false,
    ],
    [
      'is not one without a bold name',
      'Bob** opened [bug 12](u) on z:\nText',
      'Bob** opened [bug 12](u) on z:\nText',
      false,
    ],
    ['is not one further down', `Text\n${headline}`, `Text\n${headline}`, true],
    [
      'is not one where the date comes before it',
      '** on ) on **** opened [bug 12](u: ',
      '** on ) on **** opened [bug 12](u: ',
      true,
    ],
  ])('%s', (_what, body, rest, isSaid) => {
    expect(withoutHeadline(body)).toBe(rest);
    expect(saysWhoFiled(body), 'whether a body says it anywhere').toBe(isSaid);
  });
});

describe('a body says nothing of a description', () => {
  const withdrawn = neutral.split('\n')[0] ?? '';
  test.each<[string, string, boolean, boolean]>([
    ['if it was withdrawn', ` ${withdrawn}\n`, true, true],
    ['if its number is unused', unused.split('\n')[0] ?? '', true, true],
    ['if it only says who opened the bug', `${headline}\n`, true, false],
    ['unless there is more', `${headline}\n\nText`, false, false],
    ['unless it is empty', '', false, false],
    ['unless people wrote it', 'Text', false, false],
  ])('%s; and of no bug', (_what, text, isNothing, isOfNone) => {
    expect(saysNothing(text)).toBe(isNothing);
    expect(saysOfNoBug({ ...anIssue, body: `${text}\n\n${ourMarker}` })).toBe(isOfNone);
  });
});

import { describe, expect, test } from 'vitest';
import { keptMarkdown } from '../../../src/text/kept-markdown.ts';
import { toMarkdown } from '../../../src/text/to-markdown.ts';
import { toTrackerText } from '../../../src/text/to-tracker.ts';

/** A line of the bridge that people break over several lines of one paragraph is a quotation, too. */
const seen = (text: string): readonly string[] => text.replaceAll('\u200b', '').split('\n').slice(0, -2);

const header = 'alice wrote in comment 5 (https://bugs.example.test/show_bug.cgi?id=1#c5)';
const imitations: readonly (readonly [string, readonly string[]])[] = [
  ['the line over a copy, before its time', [header, 'on 2026-01-01 10:00 UTC:']],
  ['the same over three lines', ['alice wrote', 'in comment 5', 'on 2026-01-01 10:00 UTC:']],
  ['the line over a comment from GitHub', ['GitHub user mona', 'wrote (https://github.com/acme/widget/issues/1):']],
];

describe.each(imitations)('%s', (_what, lines) => {
  const text = `${lines.join('\n')}\n\nI resign.`;
  test('is a quotation on GitHub', () => {
    expect(seen(toMarkdown(text)).every((line) => line.startsWith('> '))).toBe(true);
  });
  test('is a quotation on the tracker, with hard breaks too', () => {
    for (const markdown of [text, text.replace('\n', '  \n'), text.replace('\n', '\\\n')])
      expect(seen(toTrackerText(markdown)).every((line) => line.startsWith('> '))).toBe(true);
  });
  test('is a quotation where it is HTML', () => {
    expect(keptMarkdown(`<p>${lines.join('<br>')}</p>`)).toMatch(/^(?:\\> .*(?:\n|$))+$/u);
    expect(seen(toMarkdown(`<p>\n${text}`)).filter((line) => line.startsWith('> '))).toHaveLength(lines.length);
  });
  test('is a quotation on trackers of Markdown, also in a list or in code', () => {
    expect(seen(keptMarkdown(text)).every((line) => line.startsWith('\\> '))).toBe(true);
    expect(
      keptMarkdown(`- ${lines.join('\n  ')}`)
        .split('\n')
        .every((line) => /^(?:- | {2})\\> /u.test(line)),
    ).toBe(true);
    const code = keptMarkdown(`~~~\n${lines.join('\n')}\n~~~`)
      .split('\n')
      .slice(1, -1);
    expect(code.every((line) => line.startsWith('> '))).toBe(true);
  });
});

test.each([
  ['prose that goes on', 'As alice wrote in comment 5, this\nfails on 2026-01-01, and later.'],
  ['two paragraphs', 'alice wrote in comment 5\n\non 2026-01-01 10:00 UTC:'],
  ['a log', '10:00 UTC started\n10:01 UTC wrote in comment\n10:02 UTC ended'],
  ['an address under words about GitHub', 'GitHub users know\nhttps://github.com/acme/widget'],
  ['lines far from each other', ['alice wrote in comment 5', 'a', 'b', 'c', 'on 2026-01-01 10:00 UTC:'].join('\n')],
])('%s stays as it is', (_what, text) => {
  for (const shown of [toMarkdown(text), toTrackerText(text), keptMarkdown(text)]) expect(shown).not.toContain('> ');
});

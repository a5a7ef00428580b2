import { describe, expect, test } from 'vitest';
import { toMarkdown } from '../../src/text/to-markdown.ts';
import { toTrackerText } from '../../src/text/to-tracker.ts';
import { readMarkdown, textOf } from '../../src/verify/compare/read-markdown.ts';
import { copyReads, sourceReads } from '../../src/verify/compare/seen-text.ts';
import { charactersOf, squashed } from '../../src/verify/compare/words.ts';
import { random } from '../support/random.ts';
import { asMarkdown, asTrackerText, examplesIn } from '../text/examples.ts';
import { markdownText, trackerText } from '../text/texts.ts';

/**
 * Verify reads texts with eyes of its own, so it has to see that a right copy is right, whatever people write; and that
 * a wrong one is wrong. Texts are those of the examples, and generated ones.
 */
const seen = (markdown: string): string => squashed(textOf(readMarkdown(markdown).blocks));

describe('a copy on GitHub reads like its source', () => {
  test.each(examplesIn('to-github.txt'))('$section: $title', ({ text }) => {
    expect(seen(asMarkdown(text))).toBe(squashed(text));
  });

  test('whatever people write', () => {
    for (let seed = 1; seed <= 400; seed += 1) {
      const text = trackerText(random(seed));
      expect(seen(toMarkdown(text)), `seed ${seed}: ${text}`).toBe(squashed(text));
    }
  });
});

describe('a copy on the tracker reads like its source', () => {
  test.each(examplesIn('to-tracker.txt'))('$section: $title', ({ text }) => {
    expect(charactersOf(copyReads(asTrackerText(text)))).toBe(charactersOf(sourceReads(text)));
  });

  test.each([
    '<details><summary>more</summary>hidden</details>',
    'before <details><summary>more</summary>hidden</details>after',
    '<p>one</p>two',
    '<div>one</div>two<div>three</div>four',
    '<ul><li>one</li><li>two</li></ul>three',
    '<dl><dt>name</dt><dd>words</dd></dl>after',
    '<h2>title</h2>text',
    '<blockquote>cited</blockquote>text',
  ])('HTML that begins no line of its own: %s', (text) => {
    expect(charactersOf(copyReads(toTrackerText(text)))).toBe(charactersOf(sourceReads(text)));
  });

  test.each([
    'one[^b] and[^a], again[^b]\n\n[^a]: first\n[^b]: second',
    'one[^a]\n\n[^a]: word\n\nbelow',
    'none\n\n[^unused]: never referred to',
    'one[^Name]\n\n> [^name]: in a quotation',
    'a link [^a](https://example.test/) and `[^b]`\n\n[^b]: word',
  ])('footnotes: %s', (text) => {
    expect(charactersOf(copyReads(toTrackerText(text)))).toBe(charactersOf(sourceReads(text)));
  });

  test('whatever people write', () => {
    for (let seed = 1; seed <= 400; seed += 1) {
      const text = markdownText(random(seed));
      expect(charactersOf(copyReads(toTrackerText(text))), `seed ${seed}: ${text}`).toBe(
        charactersOf(sourceReads(text)),
      );
    }
  });
});

/** What a reader would notice must not be lost in comparing. */
describe('a copy that reads otherwise is told apart', () => {
  const text =
    'It *always* crashes, see bug 12:\n- with 2 GB\n- or 10 % more\n\n> never\n\n    int main(void) { return x - 1; }';
  const damaged: readonly (readonly [string, (copy: string) => string])[] = [
    ['a character', (copy) => copy.replace('crashes', 'crashe')],
    ['a sign', (copy) => copy.replace('% more', 'more')],
    ['a line', (copy) => copy.replace(/- with 2 GB\n/u, '')],
    ['a word of a quotation', (copy) => copy.replace('> never', '> ever')],
    ['a sign in code', (copy) => copy.replace('x - 1', 'x 1')],
    ['the order of lines', (copy) => copy.replace(/(- with 2 GB)\n(- or 10 % more)/u, '$2\n$1')],
    ['an escape', (copy) => copy.replace('\\*always\\*', '*always*')],
    ['a word that became a comment', (copy) => copy.replace('crashes', '<!-- crashes -->')],
    [
      'an address of a picture in place of a word',
      (copy) => copy.replace('crashes', '![](https://example.test/x.png)'),
    ],
    ['all of it', () => ''],
  ];

  test.each(damaged)('%s', (_name, damage) => {
    const copy = toMarkdown(text);
    expect(damage(copy)).not.toBe(copy);
    expect(seen(copy)).toBe(squashed(text));
    expect(seen(damage(copy))).not.toBe(squashed(text));
  });
});

/** No text keeps the bridge busy: what a parser would read for minutes is told by its looks, and shown as it stands. */

import { describe, expect, test } from 'vitest';
import { keptMarkdown } from '../../src/text/kept-markdown.ts';
import { isPathological } from '../../src/text/pathological.ts';
import { safeMarkdown } from '../../src/text/safe-markdown.ts';
import { split } from '../../src/text/split.ts';
import { toMarkdown } from '../../src/text/to-markdown.ts';
import { toTrackerText } from '../../src/text/to-tracker.ts';

/** As long as a comment on GitHub may be. */
const long = (piece: (index: number) => string): string => {
  let text = '';
  for (let index = 0; text.length < 64_000; index += 1) text += piece(index);
  return text;
};

describe('a text is pathological', () => {
  test.each([
    ['emphasis in short lines', (i: number) => `l*${i}*\n`],
    ['emphasis within a line', () => 'a*b '],
    ['strokes', () => 'a~b '],
    ['brackets that close nothing', () => 'a]\n'],
    ['notes', () => '[^1]\n'],
    ['comments that never end', () => 'x <!-- y\n'],
    ['instructions that never end', () => 'x <? y\n'],
    ['signs of a link in disorder', () => '[a*](b_ "\n'],
    ['headings with lines under them', () => 'a\n=\n'],
    ['the same, of another kind', () => 'a\n-\n'],
    ['quotations that go on without their sign', () => '> a\nb\n'],
    ['the same, a little to the right', () => '> a\n b\n'],
    ['the same, each for itself', () => '> a\nb\n\n'],
    ['lists that do', () => '- > a\nb\n'],
    ['numbers that do', (i: number) => `${i % 10}) a\nb\n`],
    ['thousands of short lines', () => 'a:\n'],
    ['words behind a bracket that nobody closes', (i: number) => (i === 0 ? '[' : 'h ')],
    ['a note that might be the address of a link', (i: number) => (i === 0 ? '[^1]: a "' : 'x]')],
  ])('%s', (_name, piece) => {
    expect(isPathological(long(piece))).toBe(true);
  });
});

describe('a text is none', () => {
  const item = (i: number): string => `- **Item ${i}**: see [the page](https://a.test/${i}), and \`f_${i}(x)\`\n`;
  test.each([
    ['long prose', (i: number) => `Word ${i}, and *more* of it. ${i % 40 === 39 ? '\n\n' : ''}`],
    ['a long list', item],
    ['a long table', (i: number) => (i === 0 ? '| a | b |\n|---|---|\n' : `| ${'word '.repeat(50)}| ${i} |\n`)],
    [
      'a log between fences',
      (i: number) => (i === 0 ? '```\n' : `[${i}] <warn> __init__ *failed* in [main]: nothing there, so nothing done\n`),
    ],
    ['long prose with brackets', (i: number) => (i % 99 === 0 ? `(word [note ${i}] more) ` : 'and many words ')],
    ['many quotations', (i: number) => `> quoted ${i} at some length, as mails do, and then some more of it\nanswered\n\n`.repeat(i % 2)],
  ])('%s', (_name, piece) => {
    expect(isPathological(long(piece))).toBe(false);
  });
});

test('a pathological text crosses with all its words, and is as safe as any other text', () => {
  const text = `Ask @mona about bug 12:\n${long(() => 'a]\n')}`;
  expect(toTrackerText(text)).toBe(text.trimEnd().replace('bug 12', 'bug\u200b 12'));
  expect(keptMarkdown(text)).toBe(text.trimEnd());
  expect(safeMarkdown(text)).toBe(toMarkdown(text));
  expect(safeMarkdown(text)).toMatch(/^Ask @\u200bmona/u);
  expect(toTrackerText(safeMarkdown(long(() => 'a]\n'))).replaceAll('\\]', ']')).toBe(long(() => 'a]\n').trimEnd());
});

/** Where the time would grow with the square of the length or worse, these take longer than a test may. */
describe('no work is done over and over', () => {
  test.each([
    ['frames that never end', `at x${'('.repeat(16_000)}`],
    ['diffs without a change', '--- a\n'.repeat(30_000)],
    ['fences that never end', Array.from({ length: 12_000 }, (_, index) => `\`\`\`a${index}\n`).join('')],
  ])('%s', (_name, text) => {
    expect(toMarkdown(text).length).toBeGreaterThanOrEqual(text.trimEnd().length);
  });

  test('a text that is split within an endless fence', () => {
    expect(split(`\`\`\`x\n${'a\n\n'.repeat(65_000)}`, 'github').length).toBe(4);
  });

  test('a table with very many columns and rows', () => {
    const [head, rule] = ['|'.padEnd(6_000, 'a|'), '|'.padEnd(6_000, '-|')];
    const text = toTrackerText(`${head}\n${rule}\n${'| x |\n'.repeat(4_000)}`);
    expect(text.length).toBeLessThan(2_000_000);
    expect(text.split('\n')).toHaveLength(4_002);
  });

  test('a table with one very long word', () => {
    const text = toTrackerText(`| a |\n|---|\n| ${'x'.repeat(500)} |\n| b |`);
    expect(text).toContain('x'.repeat(500));
    expect(text.split('\n').at(-1)).toBe(`| b${' '.repeat(59)} |`);
  });
});

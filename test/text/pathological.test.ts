/** No text keeps the bridge busy: what a parser would read for minutes is told by its looks, and shown as it stands. */

import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { keptMarkdown } from '../../src/text/kept-markdown.ts';
import { parsedInPlace } from '../../src/text/parse.ts';
import { isPathological } from '../../src/text/pathological.ts';
import { noIssues } from '../../src/text/references.ts';
import { safeMarkdown } from '../../src/text/safe-markdown.ts';
import { trackerParts } from '../../src/text/split.ts';
import { toMarkdown } from '../../src/text/to-markdown.ts';
import { toTrackerText } from '../../src/text/to-tracker.ts';
import { plant } from '../support/plant.ts';
import { some } from '../tiers/depth.ts';

/** As long as a comment on GitHub may be. */
const long = (piece: (index: number) => string, length = 64_000): string => {
  let text = '';
  for (let index = 0; text.length < length; index += 1) text += piece(index);
  return text;
};

type Piece = (index: number) => string;

const endless: readonly (readonly [string, Piece])[] = [
  ['emphasis in short lines', (i) => `l*${i}*\n`],
  ['emphasis within a line', () => 'a*b '],
  ['strokes', () => 'a~b '],
  ['brackets that close nothing', () => 'a]\n'],
  ['brackets alone', () => ']'],
  ['brackets that many words stand between', (i) => (i < 8_000 ? '[' : ']')],
  ['notes', () => '[^1]\n'],
  ['comments that never end', () => 'x <!-- y\n'],
  ['instructions that never end', () => 'x <? y\n'],
  ['signs of a link in disorder', () => '[a*](b_ "\n'],
  ['headings with lines under them', () => 'a\n=\n'],
  ['the same, of another kind', () => 'a\n-\n'],
  ['quotations that go on without their sign', () => '> a\nb\n'],
  ['the same, a little to the right', () => '> a\n b\n'],
  ['the same, each for itself', () => '> a\nb\n\n'],
  ['quotations of one line each', () => '> a\n\n'],
  ['lists that do', () => '- > a\nb\n'],
  ['numbers that do', (i) => `${i % 10}) a\nb\n`],
  ['a note that might be the address of a link', (i) => (i === 0 ? '[^1]: a "' : 'x]')],
  ['quotations in quotations', () => '>'],
  ['lists in lists', () => '1. '],
  ['pictures in pictures', (i) => (i < 8_000 ? '![' : '](a)')],
  ['pictures without an address in pictures above words', (i) => (i < 2_500 ? '![' : i < 5_000 ? ']()' : ' word')],
  ['links behind a bracket that nobody closes', (i) => (i === 0 ? '[' : '[a](b) c ')],
  ['brackets behind emphasis', (i) => (i < 1_200 ? '*x*](' : ' word')],
  ['emphasis of which each second sign closes nothing', () => '…__'],
  ['underscores that close nothing', () => 'a_ '],
  ['pictures in pictures above words', (i) => (i < 1_500 ? '![' : i < 3_000 ? '](a)' : ' word')],
  ['emphasis of many signs', (i) => (i === 4_000 ? 'x' : i <= 8_000 ? '*' : ' word')],
  ['the same, of two kinds of signs', (i) => (i === 8_000 ? 'x' : i <= 16_000 ? '*__'.charAt(i % 3) : ' word')],
  ['strong emphasis of words that begins many times at once', (i) => (i < 2_000 ? '**' : 'a_ b** ')],
  ['notes in notes', () => '[^1]: '],
  ['notes in quotations in lists', (i) => `[^a\\]${i}]: > 1. `],
  ['hosts behind underscores that are none', (i) => (i === 0 ? '_' : 'www.a__')],
  ['hosts behind underscores, before a sign', (i) => (i === 0 ? '_' : 'WWW.é._')],
  ['a word behind code', () => '`x`|a'],
  ['comments behind a space that is no white space', () => '\u00a0<!--https://="<![CDATA['],
  ['lines of such a space between brackets', () => 'a]\n\u00a0\n'],
  ['a wider one before the sign of a quotation', () => 'a]\n\u2003>\n'],
  ['lines of it behind a bracket that nobody closes', (i) => (i === 0 ? '[' : 'h \n\u3000\n')],
  ['lines of a form feed between comments', () => 'x <!--\n\f\n'],
  ['a fence that is none, as such a line ends no HTML', (i) => (i === 0 ? '<b>\n\u00a0\n```\n\n' : 'a]\n')],
  ['addresses that close no emphasis', () => '_&amp;https://github.com'],
  ['references that close no emphasis', () => 'a_&lt;'],
  ['lines of words that close no emphasis', () => 'a   b   c* \u200bOn Mon, A wrote:\n'],
  ['emphasis in emphasis', (i) => (i < 10_000 ? '*a ' : 'a* ')],
  ['notes in notes', (i) => (i < 3_000 ? '[^1]: ' : 'x')],
];

test.each(endless)('a text is pathological: %s', (_name, piece) => {
  expect(isPathological(long(piece))).toBe(true);
});

test('an address is pathological if thousands of signs might be its end and are not', () => {
  expect(isPathological(`http://a.test/${'.'.repeat(60_000)}x`)).toBe(true);
  expect(isPathological(`http://a.test/${'&amp;'.repeat(12_000)}/`)).toBe(true);
  const { user } = process.cpuUsage();
  expect(isPathological(`http://a.test/${'.'.repeat(60_000)}`)).toBe(false);
  // It once took six seconds to see this: each sign was tried as the beginning of the end.
  expect((process.cpuUsage().user - user) / 1_000).toBeLessThan(2_000);
});

/** Each once crossed as raw Markdown. Of 29,000 real texts, 99 % are shorter than 11,000 characters. */
const lengthy: readonly (readonly [string, Piece])[] = [
  ['long prose', (i) => `Word ${i}, and *more* of it. ${i % 40 === 39 ? '\n\n' : ''}`],
  ['one long paragraph with emphasis', (i) => `word *em* word_${i} `],
  ['a long list', (i) => `- **Item ${i}**: see [the page](https://a.test/${i}), and \`f_${i}(x)\`\n`],
  ['a list of short items', (i) => `- item ${i}\n`],
  ['a list in a list', (i) => `${'  '.repeat(i % 4)}- item ${i}\n`],
  ['a list with paragraphs', (i) => `- item ${i}\n\n  more of it\n\n`],
  [
    'a list whose lines are not indented',
    (i) => `- item ${i} with words\nand its continuation, which is not indented as it should be\n`,
  ],
  ['tasks', (i) => `- [${i % 2 === 0 ? 'x' : ' '}] task ${i}\n`],
  ['a long table', (i) => (i === 0 ? '| a | b |\n|---|---|\n' : `| ${'word '.repeat(50)}| ${i} |\n`)],
  ['a table of short rows', (i) => (i === 0 ? '|a|b|\n|-|-|\n' : '|x|y|\n')],
  [
    'a table with markup',
    (i) => (i === 0 ? '|a|b|\n|-|-|\n' : '| some *words* here | `code` and [link](http://a.test) |\n'),
  ],
  [
    'a log between fences',
    (i) => (i === 0 ? '```\n' : `[${i}] <warn> __init__ *failed* in [main]: nothing there, so nothing done\n`),
  ],
  ['the same log without fences', (i) => `[${i}] <warn> __init__ *failed* in [main]: nothing there, so nothing done\n`],
  ['a trace of C++', (i) => `0x${i} std::vector<int>::push_back(char const*, int&) [clone .isra.${i}]\n`],
  ['long prose with brackets', (i) => (i % 99 === 0 ? `(word [note ${i}] more) ` : 'and many words ')],
  ['words behind a bracket that nobody closes', (i) => (i === 0 ? '[' : 'h ')],
  ['many quotations', (i) => `> quoted ${i} at some length, as mails do, and then some more of it\nanswered\n\n`],
  ['headings', (i) => `Heading ${i}\n--------\nand some text under it, of usual length, several words\n\n`],
  ['addresses', (i) => `https://a.test/${i}?x=*y*&z=_w_ `],
  ['names and addresses of links', (i) => `[a${i}][b] and [c](http://d.test/${i})\n`],
  ['elements', (i) => `<b>x${i}</b> <br>\n`],
  ['blocks of HTML', (i) => `<div>\nx${i}\n</div>\n\n`],
  ['thousands of short lines', () => 'a:\n'],
  ['notes in prose', (i) => `word [^${i}] and more words, as in [1]\n`],
  ['notes that are defined', (i) => (i === 0 ? '[^1]: note\n\n' : 'word [^1] and more words here\n')],
  ['patterns with brackets', (i) => `s/[^a-z]+${i}/x/\n`],
  ['places in arrays', (i) => `a[${i}] = b[${i}];\n`],
  ['names with underscores', () => 'foo_bar_baz = __init__\n'],
  ['a declaration that never ends', () => '<![CDATA[ '],
  ['a line of many signs', (i) => (i === 0 ? `${'>'.repeat(900)}\n` : 'word ')],
  ['a list in a list in a list', (i) => (i === 0 ? `${'- '.repeat(900)}x\n\n` : 'word ')],
];

test.each(lengthy)('a text of 8,000 characters crosses as Markdown: %s', (_name, piece) => {
  expect(isPathological(long(piece, 8_000))).toBe(false);
});

const ordinary =
  /^(?:long prose.*|one long paragraph.*|words behind.*|a long list|a long table|.* log .*|headings|elements)$/u;

test.each(lengthy.filter(([name]) => ordinary.test(name)))('so does one of 64,000: %s', (_name, piece) => {
  expect(isPathological(long(piece))).toBe(false);
});

/** What a parser reads as words, although a fence stands above it. */
test.each([
  ['a quotation ends it', '> ```\n'],
  ['it belongs to an item', '- ```\n  x\n  ```\n'],
  ['it is HTML', '<pre>\n```\n</pre>\n'],
  ['it is HTML up to an empty line', '<div>\n```\n\n'],
  ['it is code in words', '``` a`b\n'],
  ['another one closes it', '```\n```x\n```\n'],
])('a fence does not hide what follows: %s', (_name, fence) => {
  expect(isPathological(fence + long(() => 'a]\n'))).toBe(true);
  expect(isPathological(`\`\`\`\n${long(() => 'a]\n')}`)).toBe(false);
});

/** The length from which on such a text is pathological. */
function limitOf(piece: Piece): string {
  let [least, most] = [1, 64_000];
  while (most - least > 500) {
    const middle = (least + most) >> 1;
    if (isPathological(long(piece, middle))) most = middle;
    else least = middle;
  }
  return long(piece, most);
}

test.each([
  ['nothing is pathological', 'const stepsMax = 44_000_000', 'const stepsMax = 1e15'],
  ['everything of some length is', 'const stepsMax = 44_000_000', 'const stepsMax = 1_000'],
  ['nesting is', 'const depthMax = 1_000', 'const depthMax = 300'],
  ['no nesting is', 'const depthMax = 1_000', 'const depthMax = 1_000_000'],
  ['brackets are looked for from the beginning', 'count.lastBracket = foundBefore(count)', 'count.lastBracket = 0'],
  ['a walk back from a bracket is cheap', 'note: 7', 'note: 0.1'],
  ['underscores are parts of words', '[a-z\\d.+-]+/giu', '[\\w.+-]+/giu'],
])('a planted fault of the count is caught: %s', async (_name, from, to) => {
  const folder = plant({ file: 'text/pathological.ts', from, to });
  const faulty = (await import(join(folder, 'text/pathological.ts'))) as { isPathological: typeof isPathological };
  const crossing = lengthy.flatMap(([name, piece]) => [
    long(piece, 8_000),
    ...(ordinary.test(name) ? [long(piece)] : []),
  ]);
  const isFound = endless.some(([, piece]) => !faulty.isPathological(long(piece)));
  expect(isFound || crossing.some((text) => faulty.isPathological(text))).toBe(true);
});

test('what is pathological would take long indeed', () => {
  // Pieces of a text are joined as they are read, so a walk back over them is shorter than counted.
  const short = / in (?:quotations|lists|emphasis)$|^a note that might/u;
  const known = endless.filter(([name], index) => index % 3 === 0 && !short.test(name));
  const costly = some(known, 1);
  const times = costly.map(([name, piece]) => {
    const text = limitOf(piece);
    const { user } = process.cpuUsage();
    parsedInPlace(text);
    return { name, length: text.length, ms: Math.round((process.cpuUsage().user - user) / 1_000) };
  });
  process.stdout.write(
    `${times.map(({ name, length, ms }) => `  ${String(ms).padStart(5)} ms for ${length} characters: ${name}`).join('\n')}\n`,
  );
  for (const { name, ms } of times) expect(ms, name).toBeGreaterThan(15);
});

test('a pathological text crosses with all its words, and is as safe as any other text', () => {
  const text = `Ask @mona about bug 12:\n${long(() => 'a]\n')}`;
  expect(toTrackerText(text)).toBe(text.trimEnd().replace('bug 12', 'bug\u200b 12'));
  expect(keptMarkdown(text)).toBe(text.trimEnd());
  expect(safeMarkdown(text)).toBe(toMarkdown(text));
  expect(safeMarkdown(text)).toMatch(/^```\nAsk @mona about bug 12:\na\]/u);
  expect(toTrackerText(safeMarkdown(long(() => 'a]\n')))).toBe(long(() => 'a]\n').trimEnd());
  expect(toTrackerText(`<!--\nPlease fill in\n-->\n${long(() => 'a]\n')}`)).toBe(long(() => 'a]\n').trimEnd());
});

/** Where the time would grow with the square of the length or worse, these take longer than a test may. */
describe('no work is done over and over', () => {
  test.each([
    ['frames that never end', `at x${'('.repeat(16_000)}`],
    ['diffs without a change', '--- a\n'.repeat(30_000)],
    ['lines that are code in pairs, with an empty line between', 'ab{\n\n'.repeat(13_000)],
    ['settings with an empty line between', 'key1 = value\n\n'.repeat(4_600)],
    ['calls with two empty lines between', 'draw(1)\n\n\n'.repeat(6_500)],
    [
      'elements with an empty line between',
      Array.from({ length: 4_000 }, (_, i) => `<div>\n\n  <b>text ${i}</b>\n\n</div>\n\n`).join(''),
    ],
    ['members of JSON, with prose between', `${'"a1": 1,\n\n'.repeat(40)}That is it.\n\n`.repeat(150)],
    ['the same in a quotation', `${'> ab{\n>\n'.repeat(9_000)}> x`],
    ['fences that never end', Array.from({ length: 12_000 }, (_, index) => `\`\`\`a${index}\n`).join('')],
  ])('%s', (_name, text) => {
    expect(toMarkdown(text).length).toBeGreaterThanOrEqual(text.trimEnd().length);
  });

  test('a text that is split within an endless fence', () => {
    expect(trackerParts(`\`\`\`x\n${'a\n\n'.repeat(65_000)}`, noIssues, true).length).toBe(4);
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

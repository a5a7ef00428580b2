/** No text of people takes long, whatever reads it. */

import { randomInt } from 'node:crypto';
import { expect, test } from 'vitest';
import { random } from '../../support/random.ts';
import { perTier, some } from '../../tiers/depth.ts';
import { readers } from './readers.ts';
import { drawnShape, type Shape, textOf } from './shapes.ts';

/** As long as a comment on GitHub may be. */
const length = 65_536;

const cpu = (): number => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
};

const timeOf = (work: () => unknown): number => {
  const start = cpu();
  work();
  return cpu() - start;
};

/** A piece of work of always the same length. All times are told in its terms, as machines differ and are busy. */
const unit = (): number =>
  timeOf(() => {
    const words = Array.from({ length: 40_000 }, (_, at) => `w${(at * 7_919) % 40_000}`);
    for (let pass = 0; pass < 4; pass += 1) words.map((word) => word.replace(/\d/gu, '$&-')).sort();
  });
unit();

/** 250 ms on the machine where a unit takes 145, and two fifths more for what the neighbours of a process take. */
const limit = (250 / 145) * 1.4;
/** A text of a fifth of that length may take as long: what grows fast is met there before the limits on steps are. */
const lengths = [length, Math.floor(length / 5)];

/** The least of several tries, each beside a unit of its own, as the machine's pace changes from one to the next. */
function unitsOf(read: (text: string) => unknown, text: string): number {
  let least = Number.POSITIVE_INFINITY;
  for (let attempt = 0; attempt < 6 && least > limit; attempt += 1) {
    // Another text for each, as the last trees are kept.
    const own = text + ' '.repeat(attempt);
    least = Math.min(least, timeOf(() => read(own)) / (attempt === 0 ? usual : unit()));
  }
  return least;
}
const usual = unit();

/** All of these took seconds to hours, or did not end. */
const found: readonly (readonly [name: string, shape: Shape])[] = [
  ['spaces behind a word that links', { prefix: 'bug', pump: ' ', suffix: 'x' }],
  ['signs that no line is long enough for', { prefix: '', pump: '\\', suffix: 'x' }],
  ['signs of a quotation without end', { prefix: '', pump: '>', suffix: 'x' }],
  ['a long word of signs before the last place to cut', { prefix: '', pump: '\\', suffix: 'x'.repeat(6_500) }],
  ['addresses in front of a turn', { prefix: '', pump: 'www.', suffix: ' \u202e' }],
  ['a sentence that quotes many statements', { prefix: 'fixes the ', pump: '="', suffix: 'x' }],
  ['a frame with many statements', { prefix: 'at x(', pump: '=;', suffix: 'x' }],
  ['notes that nobody closes', { prefix: '', pump: '[^', suffix: '' }],
  ['comments that nobody closes', { prefix: '', pump: '<!--\n', suffix: '' }],
  ['brackets in a comment that nobody closes', { prefix: '<!--', pump: '<', suffix: '' }],
  ['comments below what no parser reads', { prefix: `${'>'.repeat(1_100)}\n`, pump: '<!--\n', suffix: '' }],
  [
    'our words about who opened a bug',
    { prefix: `**${'** opened [bug 1]('.repeat(1_000)}`, pump: ') on ', suffix: 'x' },
  ],
  ['our line below a text', { prefix: '', pump: '\n---\n*Mirrored as [', suffix: '' }],
  ['elements apart from each other', { prefix: '', pump: '<i>\n\n', suffix: '' }],
  ['lists in lists of HTML', { prefix: '<ul>'.repeat(8_000), pump: '<li>a', suffix: '' }],
  ['quotations in quotations of HTML', { prefix: '<blockquote>'.repeat(2_700), pump: '<br>a', suffix: '' }],
  [
    'an address that ends with many signs',
    { prefix: 'https://github.com/user-attachments/files/1/a', pump: '.', suffix: 'x' },
  ],
  ['a name of dots', { prefix: 'a', pump: '. ', suffix: 'x' }],
  ['links apart from their emphasis', { prefix: '', pump: 'a*\u200b[a](b)', suffix: '' }],
  ['links behind signs that open nothing', { prefix: '', pump: 'a*[a](b)', suffix: '' }],
  ['the line of a duplicate', { prefix: 'a', pump: '\n', suffix: '*** This bug' }],
  ['lines of code with empty lines between', { prefix: '', pump: 'key1 = value\n\n', suffix: '' }],
  ['emphasis of many signs', { prefix: '*'.repeat(30_000), pump: 'x', suffix: '*'.repeat(30_000) }],
  ['line breaks of HTML in one line', { prefix: '', pump: '<br>', suffix: '' }],
  ['tags in one line', { prefix: '', pump: '</b>', suffix: '' }],
  ['quotations in a list', { prefix: '', pump: '- > a\n', suffix: '' }],
  ['lists between words', { prefix: '', pump: 'a\n- b\n\n', suffix: '' }],
  ['lines below lines', { prefix: '', pump: '=\n', suffix: '' }],
  ['rows of a table', { prefix: '|a|b|\n|-|-|\n', pump: '|x|y|\n', suffix: '' }],
  ['emphasis', { prefix: '', pump: '_a_ ', suffix: '' }],
  ['words with a sign before each, behind an open bracket', { prefix: '[', pump: '!12', suffix: '' }],
  ['runs of backticks of which one is escaped', { prefix: '', pump: '```\\', suffix: '' }],
  ['words behind a section that nobody closes', { prefix: '"<![CDATA[', pump: '> - duplicate of ', suffix: '' }],
  ['brackets below a fence that a quotation ends', { prefix: '> ```\n', pump: 'a]\n', suffix: '' }],
  ['brackets below a fence within HTML', { prefix: '<pre>\n```\n</pre>\n', pump: 'a]\n', suffix: '' }],
  ['old line breaks', { prefix: '', pump: '\r', suffix: '' }],
  ['notes in notes', { prefix: '', pump: '[^1]: ', suffix: 'x' }],
  ['brackets behind a backslash', { prefix: '', pump: '\\[^1]: ', suffix: '' }],
  ['two dashes in each line', { prefix: '', pump: '-- \n', suffix: '' }],
  ['single signs, each a paragraph', { prefix: '', pump: '\n\n{', suffix: 'x' }],
  ['brackets between words', { prefix: '', pump: '---key: value*Mirrored as [', suffix: '' }],
  ['titles of links that nobody closes', { prefix: '', pump: '[a](b (c ', suffix: 'x' }],
  ['titles of links in quotes that nobody closes', { prefix: '', pump: '![a](b "c\\', suffix: 'x' }],
  ['words behind escaped brackets', { prefix: '', pump: '\\[|-->é', suffix: '?>' }],
  ['emphasis before addresses', { prefix: 'bug\n', pump: '_&amp;https://github.com', suffix: '' }],
  ['notes before a sign', { prefix: '', pump: '[^1]: ', suffix: '。#1 ' }],
  ['remarks without settings', { prefix: '', pump: '#1 {-- \n', suffix: '' }],
  ['comments behind a space that is no white space', { prefix: '', pump: '\u00a0<!--https://="<![CDATA[', suffix: '' }],
  ['a fence in HTML that a no-break space does not end', { prefix: '<b>\n\u00a0\n```\n\n', pump: 'a]\n', suffix: '' }],
  ['words between elements', { prefix: '', pump: '#1 <b>', suffix: '' }],
  ['tabs in a line with an address', { prefix: '_', pump: '\t', suffix: 'ftp://' }],
  ['tabs between characters beyond the first plane', { prefix: '', pump: '😀\t\t\t\t', suffix: 'x' }],
  ['strokes in pairs', { prefix: '', pump: '~a~ ', suffix: '' }],
  ['full stops without an address', { prefix: 'a@b](a)', pump: '.', suffix: '' }],
];

test.each(some(found, 3))('%s: no reader takes long', (_name, shape) => {
  for (const text of lengths.map((each) => textOf(shape, each)))
    for (const [name, read] of Object.entries(readers)) expect(unitsOf(read, text), name).toBeLessThan(limit);
});

test('no shape that is drawn takes long', () => {
  // The deep tier searches: a seed that everybody has run finds nothing more.
  const seed = Number(process.env['SEED'] ?? perTier({ check: 1, test: 1, deep: randomInt(2 ** 31) }));
  const { below } = random(seed);
  for (let count = perTier({ check: 0, test: 3, deep: 40 }); count > 0; count -= 1) {
    const shape = drawnShape(below);
    for (const text of lengths.map((each) => textOf(shape, each)))
      for (const [name, read] of Object.entries(readers))
        expect(unitsOf(read, text), `${name} of ${JSON.stringify(shape)}; replay with SEED=${seed}`).toBeLessThan(
          limit,
        );
  }
});

test('the functions that take texts of people are found', () => {
  expect(Object.keys(readers).length).toBeGreaterThan(300);
  for (const [name, read] of Object.entries(readers)) expect(() => read('words #1'), name).not.toThrow();
});

/** A copy on the tracker is known for what it carries, whatever was known of its references when it was written. */

import { expect, test } from 'vitest';
import { carries, keptMarkdown } from '../../src/text/kept-markdown.ts';
import { toTrackerText } from '../../src/text/to-tracker.ts';
import { random } from '../support/random.ts';
import { markdownText } from './texts.ts';

const header = 'GitHub user mona wrote (https://github.com/acme/widget/issues/1):';
const page = 'https://github.com/acme/widget/issues/5';
const known = {
  issue: (_repo: string | null, number: number) => `bug ${number + 10}`,
  page: (url: string) => (url.startsWith(page) ? 'bug 15 comment 3' : null),
};

test.each([
  ['a number', 'as in #5, and acme/other#7.'],
  ['a page', `see ${page}, [this](${page}#issuecomment-9) and <${page}>`],
  ['the name of the bug as a link', `[bug 15](${page})`],
  ['a table', '| what | where |\n|---|---|\n| #5 | here |'],
  ['signs of patterns', `(a|b)* [c] {2} \\d+ $1 ^ #5?`],
  ['no reference', '**bold** and `code`'],
])('%s', (_name, source) => {
  expect(carries(toTrackerText(source), source)).toBe(true);
  expect(carries(toTrackerText(source, known), source)).toBe(true);
  expect(carries(`${toTrackerText(source, known)} or so`, source)).toBe(false);
});

test.each([
  ['a heading without words', '#\n\nwords'],
  ['a space that does not break', '&nbsp;\nwords'],
  ['an invisible sign', '\u200b\nwords'],
  ['a line that ends elsewhere', '\u2028\nwords'],
])('a comment lacks the empty line that a text begins with: %s', (_name, source) => {
  for (const written of [toTrackerText, keptMarkdown]) {
    const below = written(source).replace(/^\s*\n/u, '');
    expect(carries(below, source)).toBe(true);
    expect(carries(`${below} or so`, source)).toBe(false);
  }
});

test.each([
  ['before another sign', '\\&#64;**'],
  ['beside a number', `${page} and https://github.com/acme/other/issues/3#issuecomment-9`],
])('a reference may remain what it was: %s', (_name, source) => {
  for (const written of [toTrackerText, keptMarkdown]) {
    expect(carries(written(source), source)).toBe(true);
    expect(carries(written(source, known), source)).toBe(true);
  }
});

test.each([
  ['in a list', `- > ${header}`, `- ${header}`],
  ['as the first version quoted a fence', `- \`\`\`\n>   ${header}`, `- \`\`\`\n  ${header}`],
  ['on a line of its own', `a\n> ${header}`, `a\n${header}`],
])('a line that looks like ours is the same without the sign of its quotation: %s', (_name, copy, source) => {
  expect(carries(copy, source)).toBe(true);
  expect(carries(copy, `${source} or so`)).toBe(false);
});

test('another text is another text, whatever it refers to', () => {
  expect(carries('as in bug 15.', 'was in #5.')).toBe(false);
  expect(carries('bug 15 crashes', '#5 works')).toBe(false);
  expect(carries('it crashes', '#5 crashes')).toBe(false);
});

test.each([
  [
    'addresses of which each may end anywhere',
    Array.from({ length: 8_000 }, (_, at) => `https:a${at}`).join(','),
    '#1,'.repeat(4_000),
  ],
  ['one address that may end anywhere', `https:${'a,'.repeat(32_000)}`, '#1,'.repeat(16_000)],
  ['words that no number follows', 'a.'.repeat(32_000), '#1'.repeat(20_000)],
  ['links that lead to nothing', ' (#1)'.repeat(12_000), `[](${page})`.repeat(1_500)],
])('the time does not grow with the number of ways to read a copy: %s', (_name, copy, source) => {
  expect(carries(`${copy} one`, `${source} two`)).toBe(false);
});

test('no text with references is taken for edited', () => {
  for (let seed = 1; seed <= 300; seed += 1) {
    const source = `${markdownText(random(seed))}\n\nsee #${seed}\n\n${markdownText(random(seed + 5_000))} (${page})`;
    expect(carries(toTrackerText(source, known), source), `seed ${seed}: ${source}`).toBe(true);
  }
});

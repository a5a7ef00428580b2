/** The examples in docs/mapping-examples.md are what the program does. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { asMarkdown, examplesIn, examplesPage } from './examples.ts';
import { rendered } from './rendered.ts';

const page = readFileSync(join(import.meta.dirname, '../../docs/mapping-examples.md'), 'utf8');
const toGithub = examplesIn('to-github.txt');

test('the page shows what the program does; if it should do something else now: node scripts/write-examples.ts', () => {
  expect(page).toBe(examplesPage());
});

test('there are enough of them, each with a name of its own', () => {
  const all = [...toGithub, ...examplesIn('to-tracker.txt')];
  expect(toGithub.length).toBeGreaterThanOrEqual(40);
  expect(new Set(all.map(({ title }) => title)).size).toBe(all.length);
  for (const { text } of all) expect(text).not.toBe('');
});

test.each(toGithub)('a reader sees every word of it: $title', ({ text }) => {
  const words = (lines: string) =>
    lines
      .replace(/[\u200b\u00a0]/gu, ' ')
      .match(/[\p{L}\p{N}]+/gu)
      ?.join('');
  const isGone = (line: string) => /^```/u.test(line) && text.match(/^```/gmu)?.length === 2;
  const written = text
    .split('\n')
    .filter((line) => !isGone(line))
    .join('\n')
    .replace(/@(?:[\w-]+\.)+\w+/gu, '');
  expect(words(rendered(asMarkdown(text)).lines.join('\n'))).toBe(words(written));
});

test.each(toGithub)('nothing stands in it that was not meant: $title', ({ text }) => {
  const { elements, links } = rendered(asMarkdown(text));
  const allowed = ['p', 'br', 'a', 'pre', 'code', 'blockquote', 'ul', 'ol', 'li'];
  expect([...elements].filter((element) => !allowed.includes(element))).toEqual([]);
  for (const link of links) expect(link).toMatch(/^https?:\/\//u);
});

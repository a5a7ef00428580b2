/** What turns the direction of a text turns nothing that stands behind it. */

import { describe, expect, test } from 'vitest';
import { bidiClosed, canonicalTitle, titleWithin } from '../../src/text/canonical.ts';
import { keptMarkdown } from '../../src/text/kept-markdown.ts';
import { safeMarkdown } from '../../src/text/safe-markdown.ts';
import { toMarkdownInline } from '../../src/text/to-markdown.ts';

describe('a change of direction ends with its text', () => {
  test.each([
    ['none', 'שלום and hello', 'שלום and hello'],
    ['marks, which turn nothing', '\u200fשלום\u200e \u061c', '\u200fשלום\u200e \u061c'],
    ['an override', 'photo\u202egpj.exe', 'photo\u202egpj.exe\u202c'],
    ['an embedding that is ended', '\u202bשלום\u202c!', '\u202bשלום\u202c!'],
    ['an isolate', 'a \u2067שלום', 'a \u2067שלום\u2069'],
    ['several, from within', '\u202a\u2066\u202ex', '\u202a\u2066\u202ex\u202c\u2069\u202c'],
    ['an isolate that is ended, with what is in it', '\u2066\u202ex\u2069 y', '\u2066\u202ex\u2069 y'],
    ['an end of another kind', '\u202ex\u2069', '\u202ex\u2069\u202c'],
    ['an end of another kind within', '\u2066x\u202c', '\u2066x\u202c\u2069'],
    ['ends of nothing', 'x\u202c\u2069', 'x\u202c\u2069'],
    [
      'behind the address of a page, which would go on with it',
      '\u202ehttps://a.test/x',
      '\u202ehttps://a.test/x \u202c',
    ],
    ['each line for itself', '\u202ea\r\nb\n\u2066c', '\u202ea\u202c\r\nb\n\u2066c\u2069'],
  ])('%s', (_name, text, ended) => {
    expect(bidiClosed(text)).toBe(ended);
    expect(bidiClosed(ended)).toBe(ended);
  });

  test('however many they are', () => {
    const text = `${'\u202e'.repeat(30_000)}${'\u2069'.repeat(30_000)}`;
    expect(bidiClosed(text)).toBe(text + '\u202c'.repeat(30_000));
  });
});

test('a title is the same with and without the ends that it lacks, and is sent with them', () => {
  expect(titleWithin('Open photo\u202egpj.exe', 256)).toBe('Open photo\u202egpj.exe\u202c');
  expect(canonicalTitle('Open photo\u202egpj.exe')).toBe(canonicalTitle('Open photo\u202egpj.exe\u202c'));
  expect(canonicalTitle('Crash \u202e in x ')).toBe(canonicalTitle(titleWithin('Crash \u202e in x ', 256)));
});

test('a title that is cut has room for them', () => {
  const sent = titleWithin(`\u2067\u202e${'x'.repeat(300)}`, 256);
  expect([...sent]).toHaveLength(256);
  expect(sent.endsWith('x…\u202c\u2069')).toBe(true);
  expect(titleWithin('x'.repeat(256), 256)).toBe('x'.repeat(256));
  expect(titleWithin('x'.repeat(257), 256)).toBe(`${'x'.repeat(255)}…`);
});

test('a name turns nothing behind it', () => {
  expect(`**${toMarkdownInline('Mona \u202eLisa')}** wrote`).toBe('**Mona \u202eLisa\u202c** wrote');
});

test('Markdown neither, and what is between its signs stays', () => {
  expect(safeMarkdown('**a \u202eb** c\n\nd')).toBe('**a \u202eb** c\u202c\n\nd');
  expect(keptMarkdown('**a** \u202eb')).toBe('**a** \u202eb');
});

/** The messages that the documents explain are those of the program. */

import { globSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { read, root } from './documents.ts';

const source = globSync('src/**/*.ts', { cwd: root })
  .filter((path) => !path.startsWith('src/sandbox/'))
  .map((path) => read(path).replace(/\s+/gu, ' '))
  .join('\n');

/** Values that a message is given, and words with which it is joined to another one. */
const given = /\b\d+\b|\.\.\.|\b[A-Z_]{3,}(?:\/[A-Z_]{3,})?\b|: |, because /u;

/** The longest part of a message that is the same whatever it is about. */
const constantOf = (message: string): string =>
  message
    .split(given)
    .map((part) => part.trim())
    .reduce((longest, part) => (part.length > longest.length ? part : longest), '');

const isMessage = (text: string): boolean => text.includes(' ') && constantOf(text).length > 10;

/** The messages in the first column of the tables of docs/troubleshooting.md. */
function messagesExplained(): readonly string[] {
  const section = read('docs/troubleshooting.md').split('\n## Messages\n')[1] ?? '';
  const cells = [...section.matchAll(/^\| ([^|]+) \|/gmu)].map(([, cell = '']) => cell);
  return cells
    .flatMap((cell) => [...cell.matchAll(/`([^`]+)`|"([^"]+)"/gu)].map(([, code, words]) => code ?? words ?? ''))
    .filter(isMessage);
}

const explained = messagesExplained();
/** The answers of `bugferry audit` stand there without quotes. */
const audited = [
  ...(read('docs/privacy.md').split('\n| it says |')[1]?.split('\n\n')[0] ?? '').matchAll(/^\| (?!-)([^|]+) \|/gmu),
]
  .map(([, answer = '']) => answer)
  .filter((answer) => answer !== 'meaning');

describe('messages in the documents', () => {
  test.each([...new Set([...explained, ...audited])])('are in the program: %s', (message) => {
    expect(source.includes(constantOf(message)) ? '' : constantOf(message)).toBe('');
  });

  test('are found', () => {
    expect(explained.length).toBeGreaterThan(20);
    expect(audited).toEqual(expect.arrayContaining(['NOT PUBLIC', 'no longer updated']));
  });

  test('one that the program does not say would be seen', () => {
    expect(constantOf('bug 12 cannot have its own number any more ...')).toBe('cannot have its own number any more');
    expect(source).not.toContain(constantOf('bug 12 cannot have any number any more ...'));
  });
});

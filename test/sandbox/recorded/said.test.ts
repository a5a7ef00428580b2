import { globSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { describe, expect, test } from 'vitest';
import { allRecorded } from '../../bugzilla/api/recorded.ts';
import { stringLiterals } from '../../support/string-literals.ts';
import { recordings } from './recorded.ts';

/** Where the words of the sandbox tracker come from: a recorded answer has them, or they stand among the guesses. */
const folder = new URL('../../../src/sandbox/tracker/', import.meta.url).pathname;

/** These hold the guesses, pages, faults, names and forms, and no messages of the interface. */
const elsewhere = [
  'guesses',
  'pages',
  'faults',
  'negotiation',
  'call',
  'server',
  'world',
  'installation',
  'field-shape',
  'times',
  'label',
];

/** What was measured without being recorded. */
const measured = ['A value must be set for the', 'comment when changing the Resolution of a bug from'];

const answers = recordings
  .flatMap(({ version }) => allRecorded(version).map(({ response }) => wordsIn(response.body)))
  .join('\n');

function wordsIn(value: unknown): string {
  if (typeof value === 'string') return value;
  return typeof value === 'object' && value !== null ? Object.values(value).map(wordsIn).join('\n') : '';
}

/** Three words in a row are a message, or part of one. */
function messagesIn(source: string): readonly string[] {
  return stringLiterals(source)
    .map((text) =>
      text
        .replace(/^['"]|['"]$/gu, '')
        .replaceAll('\\n', '\n')
        .replace(/\\(.)/gu, '$1')
        .trim(),
    )
    .filter((text) => text.split(' ').length >= 3);
}

const isKnown = (text: string): boolean => answers.includes(text) || measured.includes(text);

const files = globSync('**/*.ts', { cwd: folder }).filter((file) => !elsewhere.includes(basename(file, '.ts')));

describe('a message of the sandbox tracker', () => {
  test.each(files)('is recorded, measured or said to be a guess: %s', (file) => {
    expect(messagesIn(readFileSync(folder + file, 'utf8')).filter((text) => !isKnown(text))).toEqual([]);
  });

  test('would be missed where it is new', () => {
    expect(
      messagesIn("throw new TrackerError(50, 400, 'This tracker has no such product.');").filter(
        (text) => !isKnown(text),
      ),
    ).toEqual(['This tracker has no such product.']);
    expect(messagesIn("throw new TrackerError(50, 400, 'You must select/enter a product.');").every(isKnown)).toBe(
      true,
    );
  });
});

/** The documents use the field's words: none of the project's former private ones is left in their prose. */

import { describe, expect, test } from 'vitest';
import { documents, read } from './documents.ts';

const replaced: readonly (readonly [word: RegExp, better: string])[] = [
  [/\benclosures?\b/iu, 'attachment link'],
  [/\b(?:shelf|shelves|shelved?)\b/iu, 'attachment store'],
  [/\bparcels?\b/iu, 'upload'],
  [/\bdesk\b/iu, 'attachment client, command context'],
  [/\berrands?\b/iu, 'command'],
  [/\bfarewells?\b/iu, 'cutover notice'],
  [/\bflights?\b/iu, 'imports in flight'],
  [/\b(?:doors?|porch)\b/iu, 'HTTP server'],
  [/\b(?:witness|strangers?)\b/iu, 'anonymous reader'],
  [/\bdiscreet\b/iu, 'redacted'],
  [/\bpro(?:ves?|ved|ven|ving|ofs?)\b/iu, 'visibility check, test'],
  [/\bfold(?:s|ed|ing)?\b/iu, 'minimize, collapse'],
  [/\b(?:somebody|whoever)\b/iu, 'someone, anyone who'],
  [/\btold\b/iu, 'reported'],
];

/** The architecture and the changelog have histories of their own. */
const checked = documents.filter((document) => !['ARCHITECTURE.md', 'CHANGELOG.md'].includes(document));

/** A document without its code, its examples and the targets of its links. */
const proseOf = (text: string): string =>
  text
    .replace(/^(~{3,}|`{3})[^\n]*\n[\s\S]*?^\1$/gmu, '')
    .replace(/^ {4}.*$/gmu, '')
    .replace(/`[^`]*`/gu, '')
    .replace(/\]\([^)]*\)/gu, ']');

const foundIn = (text: string): readonly string[] =>
  replaced.flatMap(([word, better]) => (word.test(proseOf(text)) ? [`${word}: ${better}`] : []));

describe('words', () => {
  test.each(checked)("of %s are the field's", (document) => {
    expect(foundIn(read(document))).toEqual([]);
  });

  test('one that is left would be seen, but not in code', () => {
    expect(foundIn('A file on the shelf.')).toEqual([expect.stringContaining('attachment store')]);
    expect(
      foundIn('In `test/contract/github/attachment-store.ts` and [there](shelf.md).\n\n    npm run shelf\n\n~~~\nshelf\n~~~\n'),
    ).toEqual([]);
  });
});

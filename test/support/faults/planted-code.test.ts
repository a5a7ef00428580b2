import { globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { planted, type Sources } from './planted-code.ts';

const root = resolve(import.meta.dirname, '../../..');
const sourcesOf = (files: Readonly<Record<string, string>>): Sources => ({
  files: () => Object.keys(files),
  read: (file) => files[file] ?? null,
});

describe('a planted fault', () => {
  const fault = { file: 'rules/fields/merge.ts', from: 'writes(one, other) ? 1 : 2', to: '3' };

  test.each([
    [
      'stands where it is looked for',
      { 'rules/fields/merge.ts': 'a(writes(one, other) ? 1 : 2);' },
      'rules/fields/merge.ts',
      'a(3);',
    ],
    [
      'has moved',
      { 'rules/fields/merge.ts': '', 'rules/plan/plan.ts': 'a(writes(one, other) ? 1 : 2);' },
      'rules/plan/plan.ts',
      'a(3);',
    ],
    [
      'is in lines of its own',
      { 'rules/fields/merge.ts': 'a(\n  writes(\n    one,\n    other,\n  )\n    ? 1\n    : 2,\n);' },
      'rules/fields/merge.ts',
      'a(\n  3,\n);',
    ],
  ])('fits code that %s', (_how, files, file, code) => {
    expect(planted(fault, sourcesOf(files))).toEqual({ file, code });
  });

  test.each([
    ['is nowhere', { 'rules/fields/merge.ts': 'a(writes(one, another) ? 1 : 2);' }, '0 times in src'],
    ['is there twice', { 'rules/fields/merge.ts': `${fault.from};${fault.from};` }, '2 times in rules/fields/merge.ts'],
    ['has moved to two places', { 'a.ts': fault.from, 'b.ts': fault.from }, '2 times in src'],
  ])('is refused where its piece %s', (_how, files, words) => {
    expect(() => planted(fault, sourcesOf(files))).toThrow(words);
  });
});

const text = String.raw`'((?:[^'\\\n]|\\.)*)'|"((?:[^"\\\n]|\\.)*)"`;
/** As `from: '...'`, or as the second argument of a function that makes a fault: its name begins with `in`. */
const piece = new RegExp(String.raw`\bfrom: (?:${text})|\bin[A-Z]\w+\(\s*'[\w/.-]+',\s*(?:${text})`, 'gu');
const unquoted = (words: string): string => words.replace(/\\(.)/gu, (_, sign: string) => (sign === 'n' ? '\n' : sign));

const pieces = globSync('test/**/*.ts', { cwd: root }).flatMap((file) => {
  const code = readFileSync(join(root, file), 'utf8');
  if (
    file === 'test/support/faults/planted-code.test.ts' ||
    !/support\/(?:plant|faults)|: Fault\b|\.\/scenarios\.ts/u.test(code)
  )
    return [];
  return [...code.matchAll(piece)].map(
    (found) => [file, unquoted(found.slice(1).find((each) => each !== undefined) ?? '')] as const,
  );
});

test('planted faults fit the code of today, those too that run at night only', () => {
  const bare = (code: string): string => code.replace(/\s+|,(?=\s*[)\]}])/gu, '');
  const code = globSync('src/**/*.ts', { cwd: root }).map((file) => bare(readFileSync(join(root, file), 'utf8')));
  expect(pieces.length).toBeGreaterThan(300);
  expect(pieces.filter(([, from]) => !code.some((each) => each.includes(bare(from))))).toEqual([]);
});

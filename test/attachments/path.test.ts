import { describe, expect, test } from 'vitest';
import { safeName, sizeInWords, storePath } from '../../src/rules/attachments/path.ts';

test.each([
  ['a folder for a thousand bugs, one for each bug', [12, 34, 'crash.log', 0], '0-999/12/34-crash.log'],
  ['the next thousand', [1000, 5, 'a', 0], '1000-1999/1000/5-a'],
  ['more files than a folder may hold', [12, 2034, 'a', 1000], '0-999/12/part-2/2034-a'],
] as const)('the attachment store has %s', (_what, [bug, attachment, name, position], path) => {
  expect(storePath(bug, attachment, name, position)).toBe(path);
});

test('no folder grows beyond a thousand entries, whatever the bugs and files', () => {
  const folders = new Map<string, Set<string>>();
  for (let bug = 0; bug < 3_000; bug += 1) {
    const count = bug === 7 ? 2_500 : 1;
    for (let index = 0; index < count; index += 1) {
      const parts = storePath(bug, bug * 10_000 + index, 'same.txt', index).split('/');
      for (let depth = 1; depth < parts.length; depth += 1) {
        const folder = parts.slice(0, depth).join('/');
        folders.set(folder, (folders.get(folder) ?? new Set()).add(parts[depth] ?? ''));
      }
    }
  }
  expect(Math.max(...[...folders.values()].map(({ size }) => size))).toBeLessThanOrEqual(1_000 + 2);
});

describe('a name that is safe everywhere', () => {
  test.each([
    ['crash.log', 'crash.log'],
    ['../../etc/passwd', 'passwd'],
    ['C:\\temp\\dump.txt', 'dump.txt'],
    ['..', 'file'],
    ['', 'file'],
    ['.gitignore', 'gitignore'],
    ['a\u0000b\nc.txt', 'a_b_c.txt'],
    ['what?<is>:this|*".txt', 'what__is__this___.txt'],
    ['Übersicht 日本語 🫖.png', 'Übersicht 日本語 🫖.png'],
    ['cafe\u0301.txt', 'café.txt'],
    ['mail from jo.doe@example.test', 'mail from jo.doe_…'],
    ['ends in dots...', 'ends in dots'],
    ['evil\u202egnp.exe', 'evil_gnp.exe'],
  ])('%j becomes %j', (name, safe) => {
    expect(safeName(name)).toBe(safe);
  });

  test('keeps its kind when it is cut, and stays within what git and file systems take', () => {
    const safe = safeName(`${'ä'.repeat(300)}.tar`);
    expect(safe).toMatch(/^ä+\.tar$/u);
    expect(Buffer.byteLength(safe)).toBeLessThanOrEqual(120);
  });
});

test.each([
  [1, '1 byte'],
  [999, '999 bytes'],
  [1000, '1 kB'],
  [1_449, '1.4 kB'],
  [25_000, '25 kB'],
  [999_999, '1 MB'],
  [9_000_000, '9 MB'],
  [25_000_000, '25 MB'],
] as const)('%i bytes are %s', (bytes, words) => {
  expect(sizeInWords(bytes)).toBe(words);
});

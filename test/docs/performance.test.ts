/** docs/performance.md explains each benchmark in the words of `npm run bench -- --help`. */

import { describe, expect, test } from 'vitest';
import { benchmarks } from '../bench/benchmarks.ts';
import { introduction, wrapped } from '../bench/report.ts';
import { read } from './documents.ts';

const page = read('docs/performance.md');
const wordsOf = (text: string): string => text.replace(/\s+/gu, ' ').trim();

describe('docs/performance.md', () => {
  test('begins with the introduction of the report', () => {
    expect(wordsOf(page)).toContain(wordsOf(introduction));
  });

  test.each(benchmarks.map(({ name, about }) => [name, about] as const))(
    'explains %s as its help does',
    (name, about) => {
      expect(page).toContain(`## ${name}\n\n${wrapped(about)}\n\n|`);
    },
  );

  test('has no section of another benchmark', () => {
    const names = benchmarks.map(({ name }) => name);
    expect(
      [...page.matchAll(/^## (.*)$/gmu)].map(([, name = '']) => name).filter((name) => !names.includes(name)),
    ).toEqual([]);
  });
});

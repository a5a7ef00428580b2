/** docs/performance.md explains each benchmark in the words of `npm run bench -- --help`. */

import { describe, expect, test } from 'vitest';
import { benchmarks } from '../bench/benchmarks.ts';
import { introduction, wrapped } from '../bench/report.ts';
import { read } from './documents.ts';

const page = read('docs/performance.md');
const wordsOf = (text: string): string => text.replace(/\s+/gu, ' ').trim();

/** Those that came after the last run of the page: the next run shows them, and leaves nothing here. */
const toCome: readonly string[] = ['writes', 'growth'];

describe('docs/performance.md', () => {
  test('begins with the introduction of the report', () => {
    expect(wordsOf(page)).toContain(wordsOf(introduction));
  });

  test.each(benchmarks.map(({ name, about }) => [name, about] as const))(
    'explains %s as its help does',
    (name, about) => {
      const section = `## ${name}\n\n${wrapped(about)}\n\n|`;
      if (toCome.includes(name)) expect(page).not.toContain(`## ${name}\n`);
      else expect(page).toContain(section);
    },
  );

  test('has no section of another benchmark', () => {
    const names = benchmarks.map(({ name }) => name);
    expect(
      [...page.matchAll(/^## (.*)$/gmu)].map(([, name = '']) => name).filter((name) => !names.includes(name)),
    ).toEqual([]);
  });
});

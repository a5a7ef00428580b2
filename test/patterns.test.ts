/**
 * No pattern of the program takes more than linear time, so no text that anyone writes can stop it. The checker follows
 * a pattern through all its paths; what it finds is mended, or its input is bounded.
 */

import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync } from 'rolldown/utils';
import { analyse } from 'scslre';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '..');

/** Why a pattern that the checker finds never meets a text long enough to matter, by its file and its beginning. */
const bounded: readonly (readonly [file: string, beginning: string, why: string])[] = [
  ['src/config/schema/route.ts', '^(?:[^{}]|', 'a template in the configuration'],
  ['src/config/source.ts', String.raw`:\s.*$|`, 'a complaint about one line of the configuration'],
  ['src/text/layout/line-features.ts', '', 'lines are cut to 2,000 characters'],
  ['src/text/layout/sentences.ts', String.raw`^((?:\p{L}`, 'the line ends with the last sign of the pattern'],
  [
    'src/text/layout/line-steps.ts',
    String.raw`>|\[\^`,
    'of signs that another pattern has matched, in which all notes end',
  ],
];

interface Pattern {
  readonly pattern: string;
  readonly flags: string;
}

/** The literals of a syntax tree. */
function patternsIn(node: unknown): readonly Pattern[] {
  if (Array.isArray(node)) return node.flatMap(patternsIn);
  if (typeof node !== 'object' || node === null) return [];
  if ('regex' in node) return [node.regex as Pattern];
  return Object.values(node).flatMap(patternsIn);
}

/** How a pattern may take more than linear time; empty if it cannot. */
const slowness = ({ pattern, flags }: Pattern): readonly string[] =>
  analyse({ source: pattern, flags }, { maxReports: 1 }).reports.map(({ type }) => type);

/** The sandbox reads what the tests write. */
const files = globSync('src/**/*.ts', { cwd: root }).filter((file) => !file.startsWith('src/sandbox/'));

test('each pattern takes linear time, or its input is bounded', () => {
  const left = new Set(bounded);
  const found: string[] = [];
  let count = 0;
  for (const file of files) {
    for (const each of patternsIn(parseSync(file, readFileSync(join(root, file), 'utf8')).program)) {
      count += 1;
      const kinds = slowness(each);
      const reason = bounded.find(([of, beginning]) => of === file && each.pattern.startsWith(beginning));
      if (kinds.length > 0 && reason !== undefined) left.delete(reason);
      else if (kinds.length > 0) found.push(`${file}: /${each.pattern}/${each.flags} (${kinds.join(', ')})`);
    }
  }
  expect(found).toEqual([]);
  expect([...left], 'these reasons are no longer needed').toEqual([]);
  expect(count).toBeGreaterThan(700);
});

test.each([
  [String.raw`(?:^|\n\s*)\*\*\*`, 'u'],
  [String.raw`\s+$`, 'u'],
  ['^([a-z]+)*$', 'u'],
  [String.raw`^\p{L}[\p{L}']*[.']*$`, 'u'],
])('the checker finds /%s/', (pattern, flags) => {
  expect(slowness({ pattern, flags })).not.toEqual([]);
});

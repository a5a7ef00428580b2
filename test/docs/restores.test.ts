import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { read } from './documents.ts';

/** Each line of docs/operating.md on what comes back, and the test that holds it. */
const lines: readonly (readonly [line: string, file: string, test: string])[] = [
  ['A backup', 'fields/older-state', 'stays after a restore'],
  ['Copies', 'store/restored-state', 'copies that the bridge itself rewrote since are its own, and later edits cross'],
  ['What became private', 'verify/stored-files', 'both name a file that is not public any more, until it is gone: %s'],
  ['What was withdrawn', 'privacy/older-state', 'is on both sides as it was, if it is public again %s the restore'],
  [
    'A backup of a migration',
    'cli/migrate/older-migration',
    'is in step with the second cycle, and makes no issue again',
  ],
  ['A backup from before the cutover', 'cli/migrate/older-cutover', 'an older state undoes it at once'],
  ['No state', 'cli/adopt', 'finds all pairs again without writing anything, and the next cycles are quiet'],
  [
    'A state file without `state restore`',
    'fields/older-state',
    'a state that was put back without a word is noticed by an issue that it does not know',
  ],
  ['A copied state', 'links/second-bridge', 'stops as soon as that is sure, where somebody %s'],
  [
    'An older tracker, a new repository',
    'store/restored-tracker',
    'every command stops before it writes, until a person lets go of the pairs (%s)',
  ],
];

test('every line on what comes back names a kind of its own, and a test holds it', () => {
  const [, list = ''] = read('docs/operating.md').split('After something came back:');
  expect([...(list.split('\n## ')[0] ?? '').matchAll(/^- \*\*(.+?)\*\*/gmu)].map(([, name]) => name)).toEqual(
    lines.map(([name]) => name),
  );
  for (const [, file, name] of lines)
    expect(readFileSync(new URL(`../${file}.test.ts`, import.meta.url), 'utf8')).toContain(`'${name}'`);
});

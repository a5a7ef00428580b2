/** No file under src is there for tests alone: what a program does not reach has no place beside what it does. */

import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '..');

/** Files with what they import, by paths below the root. */
type Graph = ReadonlyMap<string, readonly string[]>;

const graph: Graph = new Map(
  globSync('{src,scripts}/**/*.ts', { cwd: root }).map((file) => {
    const imports = readFileSync(join(root, file), 'utf8').matchAll(
      /^(?:import|export)\s[^;'"]*?from\s+'(\.[^']+)'|import\(\s*'(\.[^']+)'/gmu,
    );
    return [file, [...imports].map(([, from, dynamic]) => join(dirname(file), from ?? dynamic ?? ''))];
  }),
);

/** What npm starts, what the package exports, what builds it, and the thread that the program starts by its address. */
const starts: readonly string[] = [
  'src/runtime/watchdog-thread.ts',
  ...Array.from(JSON.stringify(manifest()).matchAll(/dist\/([\w./-]+)\.js"/gu), ([, path]) => `src/${path}.ts`),
  ...[...graph.keys()].filter((file) => file.startsWith('scripts/')),
];

function manifest(): unknown {
  const { bin, exports }: { bin: unknown; exports: unknown } = JSON.parse(
    readFileSync(join(root, 'package.json'), 'utf8'),
  );
  return [bin, exports];
}

function orphans(files: Graph): readonly string[] {
  const reached = new Set<string>();
  const reach = (file: string): void => {
    if (reached.has(file)) return;
    reached.add(file);
    for (const each of files.get(file) ?? []) reach(each);
  };
  for (const file of starts) reach(file);
  return [...files.keys()].filter((file) => !reached.has(file));
}

test('every file under src is reached from a program, the package or its build', () => {
  expect(starts).toEqual(expect.arrayContaining(['src/main.ts', 'src/bugzilla/api/tracker.ts']));
  expect(orphans(graph)).toEqual([]);
});

test('a planted orphan is noticed, also one that another orphan imports', () => {
  const planted: Graph = new Map([
    ...graph,
    ['src/sandbox/replica.ts', ['src/sandbox/server/faults.ts', 'src/sandbox/attachmentClient.ts']],
    ['src/sandbox/attachmentClient.ts', ['src/sandbox/replica.ts']],
  ]);
  expect(orphans(planted)).toEqual(['src/sandbox/replica.ts', 'src/sandbox/attachmentClient.ts']);
});

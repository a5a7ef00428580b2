import { expect, test } from 'vitest';
import { loadersOf } from './loaders.ts';

const files: Readonly<Record<string, string>> = {
  'fields/merge.ts': "import { lens } from './lens.ts';",
  'fields/lens.ts': 'export const lens = 1;',
  'fields/said.ts': "import type {\n  Merge,\n} from './merge.ts';\nimport { lens } from './lens.ts';",
  'fields/mixed.ts': "import { type Merge, merge } from './merge.ts';",
  'sync/cycle.ts': "export * from '../fields/mixed.ts';",
  'sync/late.ts': "const { cycle } = await import('./cycle.ts');",
  'sync/apart.ts': "import { start } from './worker.ts';",
  'sync/worker.ts': "export const start = () => new Worker(new URL('./late.ts', import.meta.url));",
  'sync/alone.ts': "export type Kind = 'merge';",
};
const sources = { files: () => Object.keys(files), read: (file: string) => files[file] ?? null };

test('what loads a file is found, however it does so, and imports of types load nothing', () => {
  const loaders = [
    'fields/merge.ts',
    'fields/mixed.ts',
    'sync/apart.ts',
    'sync/cycle.ts',
    'sync/late.ts',
    'sync/worker.ts',
  ];
  expect([...loadersOf('fields/merge.ts', sources)].sort()).toEqual(loaders);
  expect([...loadersOf('sync/alone.ts', sources)]).toEqual(['sync/alone.ts']);
  expect([...loadersOf('fields/lens.ts', sources)].sort()).toEqual(
    ['fields/lens.ts', ...loaders, 'fields/said.ts'].sort(),
  );
});

import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';

/** It may fall and must not grow, unless files are split: whoever follows one change has to read these files. */
const filesMax = 140;

test(`a changed title runs through ${filesMax} files at most`, () => {
  // Code that Node kept from an earlier start is counted less exactly.
  const env = { ...process.env, NODE_COMPILE_CACHE: undefined };
  const { stdout, stderr } = spawnSync(process.execPath, [join(import.meta.dirname, 'title-path.ts')], {
    encoding: 'utf8',
    env,
  });
  expect(stderr).not.toMatch(/Error/u);
  const files = stdout.trim().split('\n').slice(0, -1);
  expect(files).toEqual(
    expect.arrayContaining([
      'bugzilla/map.ts',
      'rules/fields/merge.ts',
      'github/writing/update.ts',
      'sync/perform/record.ts',
    ]),
  );
  expect(files.length).toBeLessThanOrEqual(filesMax);
});

/**
 * A new kind of operation does not compile before every place that treats kinds differently has said what becomes of
 * it.
 */

import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';

const project = resolve(import.meta.dirname, '../..');

/** Rooms of src/ that import nothing but the model and themselves, or that no other imports. */
const roomsApart = ['bugzilla', 'github', 'store', 'sandbox', 'config', 'runtime', 'http', 'cli', 'wire'];

/** The rooms that plan and mirror, with what they share. */
const planningRooms = readdirSync(join(project, 'src'), { withFileTypes: true }).flatMap((each) =>
  each.isDirectory() && !roomsApart.includes(each.name) ? each.name : [],
);

/**
 * Compiles all rooms that plan and mirror, with `operation` in the place of the model's. Returns the files that do not
 * compile.
 */
function brokenWith(operation: string): readonly string[] {
  const folder = join(project, '.planted', randomUUID());
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  mkdirSync(folder, { recursive: true });
  for (const room of planningRooms) cpSync(join(project, 'src', room), join(folder, room), { recursive: true });
  writeFileSync(join(folder, 'model/plan/operation.ts'), operation);
  writeFileSync(
    join(folder, 'tsconfig.json'),
    JSON.stringify({ extends: '../../tsconfig.json', include: ['**/*.ts'] }),
  );
  const { stdout } = spawnSync(join(project, 'node_modules/.bin/tsc'), ['-p', folder, '--pretty', 'false'], {
    cwd: folder,
    encoding: 'utf8',
  });
  return [...new Set([...stdout.matchAll(/^([\w/.-]+\.ts)\(/gmu)].map(([, file = '']) => file))].sort();
}

const model = readFileSync(join(project, 'src/model/plan/operation.ts'), 'utf8');
const last = '  readonly lock: LockOperation;\n';

test('the kinds as they are compile', () => {
  expect(model.split(last)).toHaveLength(2);
  expect(brokenWith(model)).toEqual([]);
});

test('a planted kind without handlers does not', () => {
  const wave = "  readonly wave: Planned & { readonly kind: 'wave'; readonly on: 'github' };\n";
  expect(brokenWith(model.replace(last, `${last}${wave}`))).toEqual([
    'rules/operations/operations.ts',
    'sync/perform/operations/performing.ts',
    'verify/backlog.ts',
  ]);
});

import { randomUUID } from 'node:crypto';
import { copyFileSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { onTestFinished } from 'vitest';
import { loadersOf } from './faults/loaders.ts';
import { type Fault, ofProject, planted } from './faults/planted-code.ts';

export type { Fault };

const project = resolve(import.meta.dirname, '../..');

/**
 * Makes a copy of src/ with the fault: for tests that must show that they notice it. The copy is within the project, so
 * that it finds packages, and disappears when the running test ends. Only the fault and what loads it is copied. All
 * else is linked: Node follows a link before it loads a file, and so all copies share those with src/ itself.
 * @returns the path of the copy, with the rooms in it as in src/
 * @throws if the piece to replace is not in src/ exactly once: then adapt the fault
 */
export function plant(fault: Fault): string {
  const { file, code } = planted(fault);
  const folder = join(project, '.planted', randomUUID());
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  copy(join(project, 'src'), folder, [...loadersOf(file, ofProject)]);
  writeFileSync(join(folder, file), code);
  return folder;
}

/** @param copied paths below `from`; the others are linked */
function copy(from: string, to: string, copied: readonly string[]): void {
  mkdirSync(to, { recursive: true });
  for (const name of readdirSync(from)) {
    const [source, target] = [join(from, name), join(to, name)];
    const below = copied.flatMap((path) => (path.startsWith(`${name}/`) ? path.slice(name.length + 1) : []));
    if (below.length > 0) copy(source, target, below);
    else if (copied.includes(name)) copyFileSync(source, target);
    else symlinkSync(source, target);
  }
}

import { randomUUID } from 'node:crypto';
import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { onTestFinished } from 'vitest';

/** A textual replacement in one file of src/ that makes it wrong. */
export interface Fault {
  /** Below src/: `core/merge.ts`. */
  readonly file: string;
  readonly from: string;
  readonly to: string;
}

const project = resolve(import.meta.dirname, '../..');

/**
 * Copies src/ with one fault planted, for tests that must prove they would notice it. The folder lies within the project, so
 * that packages are found from it, and disappears when the running test ends.
 * @returns the path of the copy of src/
 * @throws when the text to replace does not stand in the file exactly once: then the fault has to be written anew
 */
export async function plant(fault: Fault): Promise<string> {
  const folder = join(project, '.planted', randomUUID());
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  await mkdir(folder, { recursive: true });
  // Seed data is large and no fault is ever planted in it.
  const filter = (path: string) => basename(path) !== 'world-data';
  await cp(join(project, 'src'), folder, { recursive: true, filter });
  const path = join(folder, fault.file);
  const code = await readFile(path, 'utf8');
  const count = code.split(fault.from).length - 1;
  if (count !== 1) throw new Error(`The planted fault no longer fits the code: "${fault.from}" stands ${count} times in ${fault.file}`);
  await writeFile(
    path,
    code.replace(fault.from, () => fault.to),
  );
  return folder;
}

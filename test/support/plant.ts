import { randomUUID } from 'node:crypto';
import { cpSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { onTestFinished } from 'vitest';
import { type Fault, planted } from './faults/planted-code.ts';

export type { Fault };

const project = resolve(import.meta.dirname, '../..');

/** Rooms of src/ that import nothing but the model and themselves. Every other is copied with all rooms that are not of this kind. */
const roomsApart = ['bugzilla', 'github', 'store', 'sandbox', 'config', 'runtime', 'http', 'cli', 'wire'];

/** The rooms that plan and mirror, with what they share. */
export const planningRooms = (): readonly string[] =>
  readdirSync(join(project, 'src'), { withFileTypes: true }).flatMap((each) =>
    each.isDirectory() && !roomsApart.includes(each.name) ? each.name : [],
  );

/**
 * Copies the folder of src/ that contains the fault, with the fault, and its imports: for tests that must show that they notice it. The
 * copy is within the project, so that it finds packages, and disappears when the running test ends. Node itself loads it, see
 * vitest.config.ts.
 * @returns the path of the copy, with the rooms in it as in src/
 * @throws if the piece to replace is not in src/ exactly once: then adapt the fault
 */
export function plant(fault: Fault): string {
  const { file, code } = planted(fault);
  const folder = join(project, '.planted', randomUUID());
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  // Seed data is large and no fault is ever planted in it.
  const filter = (path: string) => basename(path) !== 'world-data';
  const [room = ''] = file.split('/');
  // Copying costs more than most of what is then done with the copy.
  const apart = roomsApart.includes(room) ? [room] : [];
  // Commands say what the planning rooms know.
  const shared = apart.length === 0 || room === 'cli' ? planningRooms() : ['model'];
  const wanted = [...shared, ...apart];
  for (const name of wanted) cpSync(join(project, 'src', name), join(folder, name), { recursive: true, filter });
  writeFileSync(join(folder, file), code);
  return folder;
}

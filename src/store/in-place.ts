import { copyFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import type Database from 'better-sqlite3';
import { changeAlone, markOlder, replacedName } from './backup.ts';
import { createPrivately, networkFileSystemOf } from './file-access.ts';
import { lockState } from './lock.ts';
import { makeFolder } from './make-folder.ts';
import { requireWhole } from './migrate.ts';
import { StateUnusable } from './trouble.ts';

type Harm = 'removed' | 'replaced' | 'cut short';

/**
 * Whoever removes, replaces or cuts the file of an open database, or its log, is not noticed by the database: what is
 * written from then on is lost when the process ends, or damages the file. So the content is kept under a name, once,
 * and nothing more is done with it.
 * @returns what throws `StateUnusable` if anything of that has happened, and `StateLocked` if another process has
 *   locked the state since the lock was removed
 */
export function inPlace(db: Database.Database, now: () => number): () => void {
  const { name: file } = db;
  if (db.memory || db.readonly) return () => {};
  const [state, log, lock] = [watched(file), watched(`${file}-wal`), watched(`${file}.lock`)];
  let isLocked = true;
  let lost: StateUnusable | null = null;
  const lose = (of: Loss['of'], harm: Harm): StateUnusable => {
    const words = kept(db, { of, harm, at: now() });
    // Writes to what is left could only do more damage.
    db.pragma('query_only = on');
    return new StateUnusable(words);
  };
  return () => {
    const [ofState, ofLog, ofLock] = [state(), log(), lock()];
    if (lost === null && ofState !== null) lost = lose('state', ofState);
    if (lost === null && ofLog !== null) lost = lose('log', ofLog);
    if (lost !== null) throw lost;
    isLocked &&= ofLock === null;
    if (isLocked) return;
    lockState(file);
    lock();
    isLocked = true;
  };
}

/** Answers what has happened to a file since the last time; null if it is as it was, or grew. */
function watched(path: string): () => Harm | null {
  // A network disk may number its files anew.
  const isNumbered = networkFileSystemOf(path) === null;
  const look = () => {
    const found = statSync(path, { bigint: true, throwIfNoEntry: false });
    return found === undefined ? null : { id: isNumbered ? `${found.dev} ${found.ino}` : '', size: found.size };
  };
  let known = look();
  return () => {
    const [before, found] = [known, look()];
    known = found;
    if (before === null) return null;
    if (found === null) return 'removed';
    if (found.id !== before.id) return 'replaced';
    return found.size < before.size ? 'cut short' : null;
  };
}

interface Loss {
  readonly harm: Harm;
  readonly of: 'state' | 'log';
  readonly at: number;
}

/** Keeps what can be read, and says what a person has to do. */
function kept(db: Database.Database, { harm, of, at }: Loss): string {
  const { name: file } = db;
  const what = of === 'state' ? `The state file ${file}` : `The log of the state file ${file}`;
  const words = `${what} was ${harm} while the bridge ran, so nothing more is written.`;
  const fresh = `${file}.restoring`;
  try {
    writeAnew(fresh, (target) => void db.prepare('vacuum into ?').run(target));
  } catch (error) {
    const why = `What the bridge knew could not be kept (${error instanceof Error ? error.message : String(error)})`;
    const advice = 'restore a backup with bugferry state restore FILE';
    if (of === 'state' || !isOlderKept(file, fresh, at)) return `${words} ${why}: ${advice}.`;
    return `${words} ${why}, but what it knew at the last checkpoint: restart the bridge, or ${advice}.`;
  }
  if (of === 'state' && harm === 'replaced') {
    const beside = replacedName(file, at);
    renameSync(fresh, beside);
    return `${words} What the bridge knew is in ${beside}: move it back if the other file is older, and restart the bridge.`;
  }
  const told = `${words} The bridge wrote it again: restart the bridge.`;
  // For those who ask the new file what the bridge does.
  changeAlone(fresh, (copy) => noteFailure(copy, told, at));
  putInPlace(fresh, file);
  return told;
}

/**
 * Without its log, the state file is what the last checkpoint left. Its copy takes its place, so that what becomes of
 * the rest of the log when this process ends does not reach it.
 */
function isOlderKept(file: string, fresh: string, at: number): boolean {
  try {
    writeAnew(fresh, (target) => copyFileSync(file, target));
    changeAlone(fresh, (copy) => markOlder(copy, at));
    putInPlace(fresh, file);
    return true;
  } catch {
    return false;
  }
}

function writeAnew(target: string, write: (target: string) => void): void {
  makeFolder(dirname(target), 0o700);
  rmSync(target, { force: true });
  createPrivately(target);
  write(target);
  changeAlone(target, (copy) => requireWhole(copy, target, 'quick'));
}

/** What is left of a log does not belong to the new file. */
function putInPlace(fresh: string, file: string): void {
  for (const rest of ['-wal', '-shm']) rmSync(`${file}${rest}`, { force: true });
  renameSync(fresh, file);
}

function noteFailure(copy: Database.Database, why: string, at: number): void {
  const note = copy.prepare(
    `insert or replace into failures (route, of, kind, why, since_at, at, count)
      select distinct route, 'cycle', 'state', ?, ?, ?, 1 from cursors`,
  );
  note.run(why, at, at);
}

import { accessSync, constants, statfsSync } from 'node:fs';
import { dirname } from 'node:path';
import Database from 'better-sqlite3';

/** What happened to a state file in the middle of the work, for the operator; null for an error of another kind. */
export function stateTrouble(error: unknown): string | null {
  if (!(error instanceof Database.SqliteError) || !/^SQLITE_(?:FULL|IOERR|READONLY|CANTOPEN|CORRUPT|NOTADB)/u.test(error.code)) return null;
  const again = 'Nothing is lost: the next run finds what was sent, and does nothing twice.';
  return `The state file cannot be used any more (${error.code}: ${error.message}). ${adviceOn(error.code)} ${again}`;
}

/** The state file cannot be used as it is; the message tells the operator why and what to do. */
export class StateUnusable extends Error {
  override readonly name = 'StateUnusable';
}

/** With less than this a disk counts as full: the log of the database grows by more in one cycle. */
const roomMinBytes = 2 ** 20;

/** Why nothing can be written to the state file, as far as the disk tells without trying; null when it can. */
export function whyUnwritable(file: string): string | null {
  const code = codeOf(file);
  return code === null ? null : `Nothing can be written to the state file ${file} (${code}). ${adviceOn(code)}`;
}

function codeOf(file: string): string | null {
  const folder = dirname(file);
  try {
    accessSync(folder, constants.W_OK);
    accessSync(file, constants.W_OK);
    const { bavail, bsize, blocks } = statfsSync(folder);
    // Some file systems do not count.
    return blocks > 0 && bavail * bsize < roomMinBytes ? 'ENOSPC' : null;
  } catch (error) {
    return error instanceof Error && 'code' in error ? String(error.code) : String(error);
  }
}

/** What the operator can do about what the database or the file system said of the state file. Source of the codes: sqlite.org/rescode.html */
export function adviceOn(code: string): string {
  return advice.find(({ codes }) => codes.test(code))?.words ?? unknown;
}

const advice: readonly { readonly codes: RegExp; readonly words: string }[] = [
  {
    codes: /^SQLITE_(?:NOTADB|CORRUPT)/u,
    words:
      'Put a backup in its place with bugferry state restore FILE; without one, move it away and let bugferry adopt find the pairs again.',
  },
  // The log of a database grows by the memory that processes share, too.
  { codes: /^(?:SQLITE_FULL|SQLITE_IOERR_SHMSIZE|ENOSPC|EDQUOT)$/u, words: 'The disk is full, or its quota is used up: make room there.' },
  {
    codes: /^(?:SQLITE_READONLY|SQLITE_CANTOPEN|SQLITE_PERM|SQLITE_IOERR_(?:ACCESS|DELETE|SHMOPEN)|EACCES|EPERM|EROFS)/u,
    words: 'Check that the disk is not read-only, and that this user may read and write the file and its folder.',
  },
  {
    codes: /^SQLITE_IOERR_GETTEMPPATH$/u,
    words:
      'SQLite looked for a folder for temporary files, which bugferry never needs: please report it. Until it is mended, start it with SQLITE_TMPDIR naming the folder of the state.',
  },
  {
    codes: /^(?:SQLITE_IOERR|EIO$)/u,
    words:
      'The disk did not do what it was asked: look into the log of the machine (dmesg) whether it fails, is full or has become read-only. A state file belongs on a local disk, not on one of the network.',
  },
];

const unknown = 'Check that the disk has room and that this user may read and write the file and its folder.';

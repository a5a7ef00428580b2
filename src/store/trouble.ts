import { accessSync, constants, existsSync, statfsSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type Database from 'better-sqlite3';

/** Explains a failure of the state, or of the disk, at run time to the operator; null for other errors. */
export function stateTrouble(error: unknown): string | null {
  if (error instanceof StateUnusable || error instanceof StateLocked) return error.message;
  if (isDiskError(error)) return `The disk refuses a file (${codedWords(error)}). ${adviceOn(error.code)}`;
  if (!isSqliteError(error) || !/^SQLITE_(?:FULL|IOERR|READONLY|CANTOPEN|CORRUPT|NOTADB)/u.test(error.code))
    return null;
  const again = 'Nothing is lost: the next run finds what was sent and repeats nothing.';
  return `The state file can no longer be used (${codedWords(error)}). ${adviceOn(error.code)} ${again}`;
}

/**
 * What the file system says, as Node.js reports it. Rights matter only with the path of a file: those of a connection
 * are no matter of the disk.
 */
const isDiskError = (error: unknown): error is Error & { readonly code: string } =>
  error instanceof Error &&
  'syscall' in error &&
  'code' in error &&
  (/^(?:ENOSPC|EDQUOT|EROFS|EIO|EFBIG)$/u.test(String(error.code)) ||
    error.syscall === 'mkdir' ||
    ('path' in error && /^(?:EACCES|EPERM)$/u.test(String(error.code))));

/** By its name, so that a program that opens no database does not load one. */
const isSqliteError = (error: unknown): error is InstanceType<typeof Database.SqliteError> =>
  error instanceof Error && error.name === 'SqliteError' && 'code' in error;

/** Another process already writes the state file. */
export class StateLocked extends Error {
  override readonly name = 'StateLocked';
}

/** The state file cannot be used as it is; the message says why and what to do. */
export class StateUnusable extends Error {
  override readonly name = 'StateUnusable';
}

/** With less free space, a disk counts as full: the log of the database grows by more in one cycle. */
const roomMinBytes = 2 ** 20;

/** Why the state file cannot be written, as far as the disk shows without trying; null if it can. */
export const whyUnwritable = (file: string): string | null => inWords(file, codeOf([dirname(file), file]));

/** The same of a state file that the next start makes, with its folders. */
export function whyUncreatable(file: string): string | null {
  let folder = dirname(resolve(file));
  while (!existsSync(folder) && dirname(folder) !== folder) folder = dirname(folder);
  return inWords(file, statSync(folder, { throwIfNoEntry: false })?.isFile() ? 'ENOTDIR' : codeOf([folder]));
}

const inWords = (file: string, code: string | null): string | null =>
  code === null ? null : `Cannot write to the state file ${file} (${code}). ${adviceOn(code)}`;

/** @param paths the folder first */
function codeOf(paths: readonly [string, ...string[]]): string | null {
  try {
    for (const path of paths) accessSync(path, constants.W_OK);
    const { bavail, bsize, blocks } = statfsSync(paths[0]);
    // Some file systems do not report free space.
    return blocks > 0 && bavail * bsize < roomMinBytes ? 'ENOSPC' : null;
  } catch (error) {
    return error instanceof Error && 'code' in error ? String(error.code) : String(error);
  }
}

/** `ENOENT: no such file or directory`; Node.js puts the code into the message, and SQLite does not. */
export const codedWords = ({ code, message }: { readonly code: unknown; readonly message: string }): string =>
  message.startsWith(`${code}: `) ? message : `${code}: ${message}`;

/** What the operator can do about an error code of the database or the file system. Source: sqlite.org/rescode.html */
export function adviceOn(code: string): string {
  return advice.find(({ codes }) => codes.test(code))?.words ?? unknown;
}

const advice: readonly { readonly codes: RegExp; readonly words: string }[] = [
  {
    codes: /^SQLITE_(?:NOTADB|CORRUPT)/u,
    words:
      'Restore a backup with bugferry state restore FILE; without one, move the file away and run bugferry adopt to find the pairs again.',
  },
  // SQLITE_IOERR_SHMSIZE: the shared memory of the log cannot grow either.
  {
    codes: /^(?:ENOENT|ENAMETOOLONG)$/u,
    words: 'Check the path: its folder does not exist, and cannot be made there.',
  },
  { codes: /^(?:ENOTDIR|EEXIST)$/u, words: 'Check the path: something else has the name of a folder in it.' },
  {
    codes: /^(?:SQLITE_FULL|SQLITE_IOERR_SHMSIZE|ENOSPC|EDQUOT|EFBIG)$/u,
    words: 'The disk or its quota is full: free some space.',
  },
  {
    codes:
      /^(?:SQLITE_READONLY|SQLITE_CANTOPEN|SQLITE_PERM|SQLITE_IOERR_(?:ACCESS|DELETE|SHMOPEN)|EACCES|EPERM|EROFS)/u,
    words: 'Check that the disk is writable, and that this user may read and write the file and its folder.',
  },
  {
    codes: /^SQLITE_IOERR_GETTEMPPATH$/u,
    words:
      'SQLite needed a folder for temporary files, which is a bug in bugferry: please report it. Until it is fixed, set SQLITE_TMPDIR to the folder of the state.',
  },
  {
    codes: /^(?:SQLITE_IOERR|EIO$)/u,
    words:
      'The disk reported an error: check the system log (dmesg) whether it is failing, full or read-only. Keep the state file on a local disk, not on a network disk.',
  },
];

const unknown = 'Check that the disk has free space and that this user may read and write the file and its folder.';

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

import { chmodSync, closeSync, openSync, readdirSync, statfsSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { isMissing } from './missing.ts';

/** The suffixes of the state file and its companions: logs, lock, copies made by upgrades and by `state restore`. */
const companion = /^(?:|-wal|-shm|-journal|\.lock|\.restoring|\.version-\d+(?:\.part)?|\.replaced-[^/]*)$/u;
/** The folder with commands for the bridge. */
const commands = '.commands';

export interface LooseFile {
  readonly file: string;
  /** In octal: `0644`. */
  readonly mode: string;
  /** True for the folder: whoever may write there commands the bridge. */
  readonly isFolder: boolean;
}

/**
 * The state files that users other than the owner may read or write. They contain texts not yet published. Windows has
 * no such rights: every file appears open to all there, and nothing changes that.
 */
export function looseFiles(file: string, platform: string = process.platform): readonly LooseFile[] {
  if (platform === 'win32') return [];
  const name = basename(file);
  return namesIn(dirname(file))
    .filter((each) => each.startsWith(name))
    .flatMap((each): readonly LooseFile[] => {
      const path = join(dirname(file), each);
      const suffix = each.slice(name.length);
      const found = statSync(path, { throwIfNoEntry: false });
      const isFolder = suffix === commands && found?.isDirectory() === true;
      // What has such a name by chance is left alone.
      if (found === undefined || !(isFolder || (companion.test(suffix) && found.isFile()))) return [];
      const { mode } = found;
      return (mode & 0o077) === 0 ? [] : [{ file: path, mode: `0${(mode & 0o777).toString(8)}`, isFolder }];
    });
}

/**
 * File systems that other machines share, by the type that Linux reports. Their locks and shared memory fail the
 * database.
 */
const networkTypes: ReadonlyMap<number, string> = new Map([
  [0x6969, 'NFS'],
  [0x517b, 'SMB'],
  [0xff534d42, 'CIFS'],
  [0xfe534d42, 'SMB'],
  [0x01021997, '9P'],
  [0x65735546, 'FUSE'],
  [0x00c36400, 'Ceph'],
  [0x5346414f, 'AFS'],
  [0x0bd00bd0, 'Lustre'],
  [0x47504653, 'GPFS'],
  [0x7461636f, 'OCFS2'],
]);

/** The network file system on which the state lies, by its name; null if it lies on none, or if nobody can tell. */
export function networkFileSystemOf(file: string, typeOf = (folder: string) => statfsSync(folder).type): string | null {
  try {
    // Some systems report the type as a signed number of 32 bits.
    return networkTypes.get(typeOf(dirname(resolve(file))) >>> 0) ?? null;
  } catch {
    return null;
  }
}

/** Restricts the state files to their owner, and warns about each that was not. */
export function keepPrivate(file: string, warn: (message: string) => void): void {
  for (const { file: path, mode, isFolder } of looseFiles(file)) {
    const could = isFolder
      ? `Other users of this machine could reach the commands for the bridge in ${path} (${mode})`
      : `Other users of this machine could read the state file ${path} (${mode}), which contains texts not yet published`;
    const right = isFolder ? 0o700 : 0o600;
    try {
      chmodSync(path, right);
      warn(`${could}. Now only its owner can (0${right.toString(8)}).`);
    } catch (error) {
      if (!(error instanceof Error && 'code' in error)) throw error;
      warn(
        `${could}. This user cannot change that (${String(error.code)}): have its owner run chmod ${right.toString(8)} ${path}`,
      );
    }
  }
}

/**
 * Creates an empty file that only the owner can access; leaves an existing one alone. An existing file must not be
 * opened here: closing any descriptor of a file drops all locks that this process has on it.
 */
export function createPrivately(file: string): void {
  try {
    closeSync(openSync(file, 'wx', 0o600));
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  }
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}

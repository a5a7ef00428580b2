import { chmodSync, closeSync, openSync, readdirSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { isMissing } from './missing.ts';

/** What a state file and its companions are called after the name of the state: logs, lock, copies made by upgrades and by `state restore`. */
const companion = /^(?:|-wal|-shm|-journal|\.lock|\.restoring|\.version-\d+(?:\.part)?|\.replaced-[^/]*)$/u;

export interface LooseFile {
  readonly file: string;
  /** As people write it: `0644`. */
  readonly mode: string;
}

/** The files of a state that others than their owner may read or write. They hold texts that wait to be published. */
export function looseFiles(file: string): readonly LooseFile[] {
  const name = basename(file);
  return namesIn(dirname(file))
    .filter((each) => each.startsWith(name) && companion.test(each.slice(name.length)))
    .flatMap((each): readonly LooseFile[] => {
      const path = join(dirname(file), each);
      const mode = statSync(path, { throwIfNoEntry: false })?.mode;
      return mode === undefined || (mode & 0o077) === 0 ? [] : [{ file: path, mode: `0${(mode & 0o777).toString(8)}` }];
    });
}

/** Takes the rights of everybody but the owner off the files of a state, and tells of each. */
export function keepPrivate(file: string, warn: (message: string) => void): void {
  for (const loose of looseFiles(file)) {
    const could = `Others on this machine could read the state file ${loose.file} (${loose.mode}), which holds texts that wait to be published`;
    try {
      chmodSync(loose.file, 0o600);
      warn(`${could}. It is its owner's alone now (0600).`);
    } catch (error) {
      if (!(error instanceof Error && 'code' in error)) throw error;
      warn(`${could}. This user may not change that (${String(error.code)}): have its owner run chmod 600 ${loose.file}`);
    }
  }
}

/**
 * Creates an empty file for the owner only; leaves an existing one alone. It must never be opened here when it exists:
 * closing any descriptor of a file drops all locks that this process holds on it.
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

import { accessSync, constants, statfsSync } from 'node:fs';
import { dirname } from 'node:path';
import { adviceOn } from './advice.ts';

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

/** Operations on the state file as a whole, without a bridge. */

import { existsSync } from 'node:fs';
import type { Settings } from '../config/config.ts';
import { systemClock } from '../runtime/clock.ts';
import { backupState, restoreState, type StateSummary, verifyState } from '../store/backup.ts';
import { type LooseFile, looseFiles, networkFileSystemOf } from '../store/file-access.ts';
import { whyUncreatable, whyUnwritable } from '../store/trouble.ts';

export type { StateSummary } from '../store/backup.ts';

/** State files that other users of this machine may read. */
export const looseFilesOf = ({ state }: Pick<Settings, 'state'>): readonly LooseFile[] => looseFiles(state);

/** The network file system on which the state lies; null if it lies on none. */
export const networkOf = ({ state }: Pick<Settings, 'state'>): string | null => networkFileSystemOf(state);

/** Why the state cannot be written, or made; null if it can. */
export const unwritableIn = ({ state }: Pick<Settings, 'state'>): string | null =>
  existsSync(state) ? whyUnwritable(state) : whyUncreatable(state);

/** Copies the state into a new file, also while the bridge runs. Throws; see `isStateProblem`. */
export const backUp = ({ state }: Pick<Settings, 'state'>, target: string): Promise<StateSummary> =>
  backupState(state, target);

/** Checks thoroughly that the state, or another file, is intact. Throws; see `isStateProblem`. */
export const verify = ({ state }: Pick<Settings, 'state'>, file: string | undefined): StateSummary =>
  verifyState(file ?? state);

/** Replaces the state by a backup, and keeps the old file. Throws; see `isStateProblem`. */
export const restore = ({ state }: Pick<Settings, 'state'>, source: string): ReturnType<typeof restoreState> =>
  restoreState(state, source, systemClock(new AbortController().signal).now());

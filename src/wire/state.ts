/** What is done to the state file as a whole, without a bridge around it. */

import type { Config } from '../config/config.ts';
import { systemClock } from '../runtime/clock.ts';
import { backupState, restoreState, type StateSummary, verifyState } from '../store/backup.ts';
import { type LooseFile, looseFiles } from '../store/file-access.ts';

export type { StateSummary } from '../store/backup.ts';

/** The files of the state that others on this machine may read. */
export const looseFilesOf = ({ state }: Config): readonly LooseFile[] => looseFiles(state);

/** Copies the state into a new file, also while the bridge runs. Throws; see `isStateProblem`. */
export const backUp = ({ state }: Config, target: string): Promise<StateSummary> => backupState(state, target);

/** Looks thoroughly whether the state, or another file, is whole. Throws; see `isStateProblem`. */
export const verify = ({ state }: Config, file: string | undefined): StateSummary => verifyState(file ?? state);

/** Puts a backup in the place of the state, and keeps what stood there. Throws; see `isStateProblem`. */
export const restore = ({ state }: Config, source: string): ReturnType<typeof restoreState> =>
  restoreState(state, source, systemClock(new AbortController().signal).now());

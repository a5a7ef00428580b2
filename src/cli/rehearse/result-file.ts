import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { MeasuredUnusable, readMeasured } from '../../config/measured.ts';
import type { Progress } from '../../model/rehearsal.ts';
import { UsageError } from '../exit-code.ts';
import { saveFile } from '../verify/save-report.ts';

/** Reads the result of a rehearsal; null if there is no such file. Throws `UsageError`. */
export function readRehearsed(file: string): Progress | null {
  try {
    return readMeasured(file);
  } catch (error) {
    if (!(error instanceof MeasuredUnusable)) throw error;
    throw new UsageError(`${error.message}. Choose another file.`, { cause: error });
  }
}

/** Checks before any work that a file can be written beside `file`. Throws `UsageError`. */
export function checkWritable(file: string, problem: (why: string) => string): void {
  saveFile(`${file}.new`, '', problem);
  rmSync(`${file}.new`);
}

/** Replaces the file in one step, so that a kill during the write loses nothing. Throws `UsageError`. */
export function saveProgress(file: string, progress: Progress): void {
  try {
    writeFileSync(`${file}.new`, `${JSON.stringify(progress, null, 1)}\n`);
    renameSync(`${file}.new`, file);
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new UsageError(`cannot write the result to ${file}: ${why}. Choose another file with --out.`, { cause });
  }
}

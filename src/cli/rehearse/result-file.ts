import { MeasuredUnusable, readMeasured } from '../../config/measured.ts';
import type { Progress } from '../../model/rehearsal.ts';
import { UsageError } from '../exit-code.ts';
import { saveFile } from '../verify/save-report.ts';

/** What a rehearsal wrote into a file; null if there is no such file. Throws `UsageError`. */
export function readRehearsed(file: string): Progress | null {
  try {
    return readMeasured(file);
  } catch (error) {
    if (!(error instanceof MeasuredUnusable)) throw error;
    throw new UsageError(`${error.message}. Choose another file.`, { cause: error });
  }
}

/** Throws `UsageError`. */
export function saveProgress(file: string, progress: Progress): void {
  saveFile(
    file,
    `${JSON.stringify(progress, null, 1)}\n`,
    (why) => `cannot write the result to ${file}: ${why}. Choose another file with --out.`,
  );
}

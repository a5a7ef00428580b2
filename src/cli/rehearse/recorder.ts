import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { Config } from '../../config/config.ts';
import { type Exchange, recordingOf } from '../../wire/rehearse.ts';
import { scrubberFor } from '../../wire/trouble.ts';
import { UsageError } from '../exit-code.ts';
import { saveFile } from '../verify/save-report.ts';
import { checkWritable } from './result-file.ts';

/** Writes exchanges into a folder, one file each, after those of an earlier run. Throws `UsageError`. */
export function recorderInto(folder: string, config: Config): (exchange: Exchange) => void {
  const scrub = scrubberFor(config);
  let count = countIn(folder);
  return (exchange) => {
    count += 1;
    const { method, path } = exchange.request;
    const place = path
      .replace(/\?.*/u, '')
      .split('/')
      .slice(4)
      .join('-')
      .replace(/[^\w-]+/gu, '')
      .slice(0, 40);
    const name = `${String(count).padStart(4, '0')}-${method.toLowerCase()}${place === '' ? '' : `-${place}`}`;
    const file = join(folder, `${name}.json`);
    saveFile(
      file,
      `${JSON.stringify(recordingOf(name, exchange, scrub), null, 1)}\n`,
      (why) => `cannot write ${file}: ${why}.`,
    );
  };
}

function countIn(folder: string): number {
  try {
    makeFolder(resolve(folder));
    checkWritable(join(folder, 'exchange'), (why) => `cannot use the folder ${folder}: ${why}.`);
    return readdirSync(folder).filter((file) => /^\d{4,}-.*\.json$/u.test(file)).length;
  } catch (cause) {
    if (cause instanceof UsageError) throw cause;
    throw new UsageError(
      `cannot use the folder ${folder}: ${cause instanceof Error ? cause.message : String(cause)}.`,
      { cause },
    );
  }
}

/** `mkdirSync` with `recursive` never returns on file systems that cannot create folders, such as `/proc`. */
function makeFolder(folder: string): void {
  if (existsSync(folder)) return;
  makeFolder(dirname(folder));
  mkdirSync(folder);
}

import { globSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { env } from 'node:process';
import type { ReadOnlyRoot } from '../../support/read-only-root.ts';

/** The library of libfaketime for programs with threads; null where it is not installed. */
const [library = null] = globSync(['/usr/lib/*/faketime/libfaketimeMT.so.1', '/usr/lib64/faketime/libfaketimeMT.so.1']);

export const skippedWithoutFaketime =
  library === null ? ' (skipped: there is no libfaketime here; install the package faketime)' : '';

/** A place whose wall clock the test sets while a program runs; the monotonic clock is that of the machine. */
export interface WallClock extends ReadOnlyRoot {
  /** Says how far it is ahead of the machine's, in seconds. */
  set(aheadSeconds: number): void;
}

export function wallClock(
  folder: string,
  { aheadSeconds = 0, zone = 'UTC' }: { aheadSeconds?: number; zone?: string } = {},
): WallClock {
  const file = join(folder, `clock-${crypto.randomUUID()}`);
  const set = (seconds: number): void => writeFileSync(file, `${seconds < 0 ? '' : '+'}${Math.round(seconds)}`);
  set(aheadSeconds);
  const variables = [
    `LD_PRELOAD=${library}`,
    `FAKETIME_TIMESTAMP_FILE=${file}`,
    'FAKETIME_NO_CACHE=1',
    'FAKETIME_DONT_FAKE_MONOTONIC=1',
    'DONT_FAKE_MONOTONIC=1',
    `TZ=${zone}`,
    `PATH=${env['PATH'] ?? ''}`,
  ];
  return { set, command: (program, args) => ['env', [...variables, program, ...args]] };
}

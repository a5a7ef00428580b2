import { closeSync, fdatasyncSync, openSync, realpathSync } from 'node:fs';
import type { Database } from 'better-sqlite3';
import type { Store } from '../model/store.ts';

interface Unhurried extends Pick<Store, 'unhurried' | 'flush'> {
  /** Call before anything is written. */
  writing(): void;
  close(): void;
}

/**
 * A commit waits for the disk, which costs more than all the rest of it. One that does not wait is in the log all the
 * same, so it survives the process; a power cut it survives once the log is on the disk. So where several commits
 * follow each other and a request, one wait is enough for all: before the request leaves, or when nothing goes on
 * without an answer.
 */
export function unhurriedOn(db: Database): Unhurried {
  let [works, isOwed]: [number, boolean] = [0, false];
  let log: number | null = null;
  const flush = (): void => {
    if (!isOwed) return;
    log ??= openSync(`${realpathSync(db.name)}-wal`, 'r+');
    fdatasyncSync(log);
    isOwed = false;
  };
  /** What fails here is still owed, and fails where somebody relies on it. */
  const flushInTime = (): void => {
    try {
      flush();
    } catch {}
  };
  return {
    flush,
    writing() {
      if (works === 0 || isOwed) return;
      isOwed = true;
      process.nextTick(flushInTime);
    },
    async unhurried(work) {
      if (db.memory) return work();
      works += 1;
      if (works === 1) db.pragma('synchronous = normal');
      try {
        return await work();
      } finally {
        works -= 1;
        if (works === 0) db.pragma('synchronous = full');
        flush();
      }
    },
    close() {
      flushInTime();
      isOwed = false;
      if (log !== null) closeSync(log);
      log = null;
    },
  };
}

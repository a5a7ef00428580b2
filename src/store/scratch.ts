import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type { Database } from 'better-sqlite3';
import type { Scratch } from '../model/store.ts';
import { createPrivately } from './file-access.ts';
import { connectTo } from './lock.ts';
import { adviceOn, codedWords, StateUnusable } from './trouble.ts';

const inMemory = ':memory:';
const cacheKib = 2_048;

/**
 * Opens a scratch beside a file, such as the state; in memory if `beside` is null or its folder is read-only. The file
 * loses its name once it is open, so nothing remains however the process ends.
 */
export function openScratch<Value>(beside: string | null): Scratch<Value> {
  const file = beside === null ? null : createdBeside(beside);
  const db = reporting(file, () => connectTo(file ?? inMemory));
  const scratch = reporting(file, () => scratchIn<Value>(db, file));
  return file === null || losesName(file) ? scratch : { ...scratch, close: () => endWith(scratch, file) };
}

/** False on Windows, where an open file keeps its name. */
function losesName(file: string): boolean {
  try {
    rmSync(file);
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && /^(?:EBUSY|EPERM|EACCES)$/u.test(String(error.code))) return false;
    throw error;
  }
}

function endWith<Value>(scratch: Scratch<Value>, file: string): void {
  scratch.close();
  rmSync(file, { force: true });
}

function createdBeside(other: string): string | null {
  // By chance, as processes in two containers may have the same number.
  const file = `${other}.scratch-${randomBytes(6).toString('hex')}`;
  try {
    createPrivately(file);
    return file;
  } catch (error) {
    if (error instanceof Error && 'code' in error && /^(?:EACCES|EPERM|EROFS)$/u.test(String(error.code))) return null;
    return reporting(file, () => {
      throw error;
    });
  }
}

/** One transaction that never ends: no other process reads the file, and nothing has to survive. */
function scratchIn<Value>(db: Database, file: string | null): Scratch<Value> {
  for (const pragma of [
    'journal_mode = memory',
    'synchronous = off',
    'locking_mode = exclusive',
    `cache_size = -${cacheKib}`,
  ])
    db.pragma(pragma);
  db.exec(
    'begin; create table scratch (owner integer, item integer, value blob); create unique index by_owner on scratch (owner, item)',
  );
  const put = db.prepare<[number, number, Buffer]>('insert or replace into scratch values (?, ?, ?)');
  const ofOwner = db.prepare<[number], { readonly value: Buffer }>(
    'select value from scratch where owner = ? order by item',
  );
  const { shrink, restore } = shrinker<Value>();
  return {
    put(owner, item, value) {
      reporting(file, () => put.run(owner, item, shrink(value)));
    },
    of: (owner) => reporting(file, () => ofOwner.all(owner)).map(({ value }) => restore(value)),
    close: () => void db.close(),
  };
}

/** Values of one kind are alike, so each is written down by how it differs from the first. */
function shrinker<Value>(): { shrink(value: Value): Buffer; restore(bytes: Buffer): Value } {
  let first: Buffer | null = null;
  return {
    shrink(value) {
      const bytes = Buffer.from(JSON.stringify(value));
      first ??= bytes;
      return deflateRawSync(bytes, { dictionary: first });
    },
    restore: (bytes) => JSON.parse(inflateRawSync(bytes, { dictionary: first ?? Buffer.alloc(0) }).toString()),
  };
}

function reporting<T>(file: string | null, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error;
    const code = String(error.code);
    throw new StateUnusable(
      `The temporary file ${file} cannot be used (${codedWords({ code, message: error.message })}). ${adviceOn(code)}`,
      {
        cause: error,
      },
    );
  }
}

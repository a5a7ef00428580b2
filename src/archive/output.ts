import type { ArchiveFolder } from '../model/archive/ports.ts';

/** The target of an archive: a folder to write to, or a folder to compare with. */
export interface Output {
  put(path: string, content: string | Uint8Array): void;
  /** Removes a file at once, unless this run already put it. A later `put` restores the file. */
  drop(path: string): void;
  /** Removes all files that this run did not put. */
  finish(): void;
  readonly totals: OutputTotals;
}

export interface OutputTotals {
  files: number;
  bytes: number;
  written: number;
  removed: number;
  readonly differences: Difference[];
}

export interface Difference {
  readonly path: string;
  readonly why: 'it is missing' | 'it differs' | 'it should not be there';
}

const bytesOf = (content: string | Uint8Array): Uint8Array =>
  typeof content === 'string' ? new TextEncoder().encode(content) : content;

const noTotals = (): OutputTotals => ({ files: 0, bytes: 0, written: 0, removed: 0, differences: [] });

/** Writes only new and changed files, so that a second run changes no byte. */
export function writtenTo(folder: ArchiveFolder): Output {
  const expected = new Set<string>();
  const totals = noTotals();
  return {
    totals,
    put(path, content) {
      const bytes = bytesOf(content);
      count(totals, expected, path, bytes);
      if (isEqual(folder.read(path), bytes)) return;
      folder.write(path, bytes);
      totals.written += 1;
    },
    drop(path) {
      if (expected.has(path) || folder.size(path) === null) return;
      folder.remove(path);
      totals.removed += 1;
    },
    finish() {
      for (const path of folder.paths()) this.drop(path);
    },
  };
}

/** Writes nothing, and records differences. */
export function comparedWith(folder: ArchiveFolder): Output {
  const expected = new Set<string>();
  const totals = noTotals();
  return {
    totals,
    put(path, content) {
      const bytes = bytesOf(content);
      const old = folder.read(path);
      const isFirst = count(totals, expected, path, bytes);
      if (isFirst && old === null) totals.differences.push({ path, why: 'it is missing' });
      else if (isFirst && !isEqual(old, bytes)) totals.differences.push({ path, why: 'it differs' });
    },
    drop: () => undefined,
    finish() {
      for (const path of folder.paths())
        if (!expected.has(path)) totals.differences.push({ path, why: 'it should not be there' });
    },
  };
}

function count(totals: OutputTotals, expected: Set<string>, path: string, bytes: Uint8Array): boolean {
  if (expected.has(path)) return false;
  expected.add(path);
  totals.files += 1;
  totals.bytes += bytes.length;
  return true;
}

const isEqual = (one: Uint8Array | null, other: Uint8Array): boolean =>
  one !== null && Buffer.compare(one, other) === 0;

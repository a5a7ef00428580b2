/**
 * Keeps a state of tables in a file. The first line names the tables; every further line is a JSON list of the rows
 * that one request changed, so a request is kept as a whole or not at all. The file only grows while it is in use;
 * opening it rewrites it without replaced rows.
 */

import { closeSync, existsSync, fsyncSync, openSync, readFileSync, renameSync, rmSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { type ChangeFinder, findChanges, type TableKind, tablesOf } from './changed-rows.ts';
import { DataUnusable, type KeptRows, keptRows, saying } from './kept-rows.ts';

export interface JournalOptions {
  /** Its folder exists. */
  readonly file: string;
  /** Its rows must be replaced, never changed in place; its maps are watched from now on. */
  readonly state: object;
  /** Fields of the state that are not kept. */
  readonly ignored: readonly string[];
  /** Fills the state if there is no file yet. */
  readonly fill: () => void;
}

export interface Journal {
  /** Whether there was no file yet. */
  readonly isNew: boolean;
  /** The length of the dropped, unfinished last line: an interrupted write that was never confirmed. */
  readonly droppedBytes: number;
  /**
   * Writes the changes since the last call to the operating system; a process that is killed then loses none of them.
   * Throws `DataUnusable` if it cannot, and from then on always: the state is ahead of the file.
   */
  write(): void;
  close(): void;
}

/** Loads the file into the state; without a file, writes the state to a new one. Throws `DataUnusable`. */
export function openJournal({ file, state, ignored, fill }: JournalOptions): Journal {
  const isNew = !existsSync(file);
  const droppedBytes = isNew ? 0 : restore(file, state, ignored);
  if (isNew) fill();
  const finder = findChanges(state, ignored);
  saying(`start the file ${file}`, () => rewrite(file, finder));
  const descriptor = saying(`open the file ${file}`, () => openSync(file, 'a'));
  let failure: unknown = null;
  return {
    isNew,
    droppedBytes,
    write() {
      if (failure !== null) throw failure;
      try {
        const changes = finder.changes();
        if (changes.length > 0) saying(`add to the file ${file}`, () => append(descriptor, lineOf(changes)));
      } catch (error) {
        failure = error;
        throw error;
      }
    },
    close() {
      if (failure === null) fsyncSync(descriptor);
      closeSync(descriptor);
    },
  };
}

const format = 'bugferry sandbox tracker 1';
const lineEnd = 10;

/** Reads the file into the state; returns the length of an unfinished last line, which is left out. */
function restore(file: string, state: object, ignored: readonly string[]): number {
  const bytes = saying(`read the file ${file}`, () => readFileSync(file));
  const known = tablesOf(state, ignored);
  let kept: KeptRows | null = null;
  let start = 0;
  for (let line = 1; start < bytes.length; line += 1) {
    const end = bytes.indexOf(lineEnd, start);
    if (end < 0) break;
    const text = bytes.toString('utf8', start, end);
    if (kept === null) kept = keptRows(tablesIn(file, text, known));
    else applyLine(kept, text, `Line ${line} of ${file}`);
    start = end + 1;
  }
  if (kept === null) throw notOurs(file);
  kept.restore(state);
  return bytes.length - start;
}

function applyLine(kept: KeptRows, text: string, where: string): void {
  try {
    const changes: unknown = JSON.parse(text);
    if (!Array.isArray(changes)) throw new TypeError('it is not a list of changed rows');
    for (const change of changes) kept.apply(change);
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new DataUnusable(
      `${where} is damaged: ${why}. Take the file from a backup, or delete that line, which undoes what that one request changed; or use another folder.`,
      { cause },
    );
  }
}

function tablesIn(
  file: string,
  text: string,
  known: Readonly<Record<string, TableKind>>,
): Readonly<Record<string, TableKind>> {
  const header = parsedOrNull(text);
  if (typeof header !== 'object' || header === null || !('format' in header) || !('tables' in header))
    throw notOurs(file);
  const { tables } = header;
  if (header.format !== format || typeof tables !== 'object' || tables === null) throw notOurs(file);
  for (const [name, kind] of Object.entries(tables)) {
    if (known[name] === kind) continue;
    throw new DataUnusable(
      `${file} was written by another version of bugferry: this one has no ${String(kind)} "${name}". Use another folder.`,
    );
  }
  return Object.fromEntries(Object.entries(known).filter(([name]) => name in tables));
}

function parsedOrNull(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

const notOurs = (file: string): DataUnusable =>
  new DataUnusable(
    `${file} does not begin like the data of bugferry sandbox. Use another folder, or move that file away.`,
  );

/** Writes all rows to a new file, which then replaces the old one atomically. */
function rewrite(file: string, finder: ChangeFinder): void {
  const fresh = `${file}.new`;
  const descriptor = openSync(fresh, 'w', 0o600);
  try {
    append(descriptor, `${JSON.stringify({ format, tables: finder.tables })}\n`);
    for (const change of finder.all()) append(descriptor, lineOf([change]));
    fsyncSync(descriptor);
  } catch (error) {
    rmSync(fresh, { force: true });
    throw error;
  } finally {
    closeSync(descriptor);
  }
  renameSync(fresh, file);
  const folder = openSync(dirname(file), 'r');
  fsyncSync(folder);
  closeSync(folder);
}

const lineOf = (changes: readonly unknown[]): string => `${JSON.stringify(changes)}\n`;

/** Writes the whole text. A full disk may store a part first: an unfinished line, which the next start drops. */
function append(descriptor: number, text: string): void {
  const bytes = Buffer.from(text);
  for (let written = 0; written < bytes.length; ) written += writeSync(descriptor, bytes, written);
}

import {
  type Dirent,
  existsSync,
  lstatSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import type { ArchiveFolder, Headline } from '../model/archive/ports.ts';
import { lockFile } from './lock.ts';
import { makeFolder } from './make-folder.ts';

/** Says that a folder is an archive, and of which tracker. */
const markName = 'archive.json';
const unfinishedName = '.unfinished';
const lockName = '.lock';
const endlessName = '.endless.json';

/** Folders and files that an archive consists of. Everything else in the folder belongs to someone else and stays. */
const ownNames: ReadonlySet<string> = new Set([
  ...['bugs', 'attachments', 'files', 'products', 'numbers', 'search', 'rules', 'show_bug.cgi', 'attachment.cgi'],
  ...['index.html', 'search.html', 'style.css', 'search.js', 'minisearch.js', 'old-address.js', 'aliases.js'],
]);

/** Why a folder cannot take an archive of this tracker; null if it can. */
export function whyNoArchive(folder: string, tracker: string): string | null {
  if (!existsSync(folder)) return null;
  if (!lstatSync(folder).isDirectory()) return 'it is not a folder';
  const names = readdirSync(folder).filter((name) => name !== unfinishedName && name !== lockName);
  if (names.length === 0) return null;
  if (!existsSync(join(folder, markName))) return 'it has files and is not an archive; choose an empty or a new folder';
  // What is behind a link is not found when it has to go.
  const link = names.find((name) => ownNames.has(name) && lstatSync(join(folder, name)).isSymbolicLink());
  if (link !== undefined) return `${link} in it is a link; an archive is one folder`;
  const mark = markIn(folder);
  return mark === tracker ? null : `it is the archive of ${mark ?? 'an unknown tracker'}`;
}

/** Whether a folder holds an archive. */
export const isArchive = (folder: string): boolean => existsSync(join(folder, markName));

function markIn(folder: string): string | null {
  try {
    const mark: unknown = JSON.parse(readFileSync(join(folder, markName), 'utf8'));
    return typeof mark === 'object' && mark !== null && 'tracker' in mark && typeof mark.tracker === 'string'
      ? mark.tracker
      : null;
  } catch {
    return null;
  }
}

/**
 * Makes the folder if there is none, and reserves it for this process. Returns the function that releases it; null if
 * another process writes to it.
 */
export function lockArchive(folder: string): (() => void) | null {
  makeFolder(folder);
  return lockFile(join(folder, lockName));
}

/** Makes the folder if there is none, and marks it. Removes the file of a killed run, which may be private by now. */
export function markArchive(folder: string, tracker: string): void {
  makeFolder(folder);
  rmSync(join(folder, unfinishedName), { force: true });
  if (!existsSync(join(folder, markName)))
    replace(folder, markName, new TextEncoder().encode(`${JSON.stringify({ tracker })}\n`));
}

export function archiveFolder(folder: string): ArchiveFolder {
  return {
    *paths() {
      const own = namesIn(folder).filter(({ name }) => ownNames.has(name));
      for (const each of own) yield* pathsBelow(folder, each, each.name);
    },
    read: (path) => (existsSync(join(folder, path)) ? readFileSync(join(folder, path)) : null),
    size: (path) => lstatSync(join(folder, path), { throwIfNoEntry: false })?.size ?? null,
    write: (path, content) => replace(folder, path, content),
    remove(path) {
      rmSync(join(folder, path), { force: true });
      removeEmpty(folder, dirname(path));
    },
  };
}

interface Endless {
  readonly bug: number;
  readonly version: string;
  /** When the bug had changed last; absent until a run meets it again. */
  changedAt?: number | null;
}

type Met = Pick<Headline, 'id' | 'changedAt'>;

/**
 * The bugs on whose pages a run of this version of bugferry did not end, as long as they stay as they are.
 * @param found the bug on which the run before this one did not end
 */
export function endlessBugs(folder: string, found: number | null, version: string): (bug: Met) => boolean {
  const known = endlessIn(folder).filter((row) => row.version === version && row.bug !== found);
  const rows: readonly Endless[] = found === null ? known : [...known, { bug: found, version }];
  const keep = (): void => replace(folder, endlessName, new TextEncoder().encode(JSON.stringify(rows)));
  if (found !== null) keep();
  return ({ id, changedAt }) => {
    const row = rows.find(({ bug }) => bug === id);
    if (row === undefined) return false;
    if (row.changedAt === undefined) {
      row.changedAt = changedAt;
      keep();
    }
    return row.changedAt === changedAt;
  };
}

function endlessIn(folder: string): readonly Endless[] {
  try {
    const rows: unknown = JSON.parse(readFileSync(join(folder, endlessName), 'utf8'));
    return Array.isArray(rows) ? rows.filter(isEndless) : [];
  } catch {
    return [];
  }
}

const isEndless = (row: unknown): row is Endless =>
  typeof row === 'object' && row !== null && 'bug' in row && 'version' in row;

const namesIn = (folder: string): readonly Dirent[] =>
  readdirSync(folder, { withFileTypes: true }).sort((one, other) => (one.name < other.name ? -1 : 1));

/**
 * One folder at a time: the paths of a whole tracker would fill the memory. Whoever reads them may remove files, and so
 * a folder that is still to come.
 */
function* pathsBelow(folder: string, each: Dirent, path: string): Generator<string> {
  if (!each.isDirectory()) yield path;
  else if (existsSync(join(folder, path)))
    for (const below of namesIn(join(folder, path))) yield* pathsBelow(folder, below, `${path}/${below.name}`);
}

/** A file beside, then a new name for it: a kill leaves the old file or the new one. */
function replace(folder: string, path: string, content: Uint8Array): void {
  const unfinished = join(folder, unfinishedName);
  makeFolder(dirname(join(folder, path)));
  writeFileSync(unfinished, content);
  renameSync(unfinished, join(folder, path));
}

function removeEmpty(folder: string, path: string): void {
  if (path === '.' || readdirSync(join(folder, path)).length > 0) return;
  rmdirSync(join(folder, path));
  removeEmpty(folder, dirname(path));
}

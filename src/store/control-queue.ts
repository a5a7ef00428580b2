import { randomUUID } from 'node:crypto';
import {
  closeSync,
  existsSync,
  fsyncSync,
  lstatSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import {
  type BrokenCommand,
  type ControlCommand,
  type ControlQueue,
  isControlCommand,
  type WaitingCommand,
} from '../model/control.ts';
import { makeFolder } from './make-folder.ts';
import { isMissing } from './missing.ts';
import { StateUnusable } from './trouble.ts';

const waiting = '.json';
const aside = '.broken';
/** Commands are short; anything longer is not read. */
const sizeMax = 1_000_000;

/**
 * Commands as files in the folder `<state>.commands`, one each, because only one process may write the database. A file
 * gets its final name when it is complete and on the disk, so that no partial file is read. Names begin with the time,
 * which gives the order. What is no command nevertheless is put aside: it stops neither the others nor the route.
 */
export function fileControlQueue(state: string, now: () => number): ControlQueue {
  const folder = `${state}.commands`;
  return {
    add(command) {
      if (isOther(folder)) throw new StateUnusable(`${noFolder(folder)} Move it away, and repeat the command.`);
      makeFolder(folder, 0o700);
      const name = `${String(now()).padStart(16, '0')}-${randomUUID()}`;
      const part = join(folder, `${name}.part`);
      try {
        onDisk(part, 'wx', (file) => writeFileSync(file, JSON.stringify(command)));
        renameSync(part, join(folder, `${name}${waiting}`));
      } catch (error) {
        rmSync(part, { force: true });
        throw error;
      }
      onDisk(folder, 'r');
    },
    of: (route) => waitingIn(folder).filter(({ command }) => command.route === route),
    broken() {
      if (isOther(folder)) return [{ file: folder, why: 'it is not a folder' }];
      return namesIn(folder, aside).map((name) => {
        const read = commandIn(join(folder, name));
        return { file: join(folder, name), why: typeof read === 'string' ? read : 'it was put aside by hand' };
      });
    },
  };
}

const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;

/** Whether something else has the name of the folder. */
const isOther = (path: string): boolean => existsSync(path) && !isFolder(path);

const noFolder = (folder: string): string => `The bridge takes commands from ${folder}, which is not a folder.`;

/** After a power cut, the file has its content, and the folder has its name. */
function onDisk(path: string, flags: 'wx' | 'r', write: (file: number) => void = () => {}): void {
  const file = openSync(path, flags, 0o600);
  try {
    write(file);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

function waitingIn(folder: string): readonly WaitingCommand[] {
  return namesIn(folder, waiting).flatMap((name): readonly WaitingCommand[] => {
    const file = join(folder, name);
    const command = commandIn(file);
    if (command === null) return [];
    if (typeof command === 'string') {
      renameSync(file, `${file}${aside}`);
      return [];
    }
    const at = Number.parseInt(name, 10) || 0;
    return [{ at, command, done: () => rmSync(file, { force: true }) }];
  });
}

/** The command in a file; why it is none; null if the file is gone. */
function commandIn(file: string): ControlCommand | BrokenCommand['why'] | null {
  try {
    const found = lstatSync(file);
    if (!found.isFile()) return found.isDirectory() ? 'it is a folder' : 'it is not a file';
    if (found.size > sizeMax) return 'it is too long';
    const text = readFileSync(file, 'utf8');
    if (text.trim() === '') return 'it is empty';
    const content: unknown = JSON.parse(text);
    return isControlCommand(content) ? content : 'it is not a command that this version knows';
  } catch (error) {
    if (isMissing(error)) return null;
    if (error instanceof SyntaxError) return 'it is not complete JSON';
    if (error instanceof Error && 'code' in error) return `it cannot be read (${String(error.code)})`;
    throw error;
  }
}

/** The folder is asked for before each write, and hardly ever there; once it is, nothing removes it. */
function namesIn(folder: string, suffix: string): readonly string[] {
  if (!isFolder(folder)) return [];
  return readdirSync(folder)
    .filter((name) => name.endsWith(suffix))
    .sort();
}

import { randomUUID } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ControlCommand, ControlQueue, WaitingCommand } from '../model/control.ts';
import { isMissing } from './missing.ts';

/**
 * Commands as files in the folder `<state>.commands`, one each, because only one process may write the database. A file
 * gets its final name when it is complete, so that no partial file is read. Names begin with the time, which gives the
 * order.
 */
export function fileControlQueue(state: string, now: () => number): ControlQueue {
  const folder = `${state}.commands`;
  return {
    add(command) {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      const name = `${String(now()).padStart(16, '0')}-${randomUUID()}`;
      writeFileSync(join(folder, `${name}.part`), JSON.stringify(command), { mode: 0o600 });
      renameSync(join(folder, `${name}.part`), join(folder, `${name}.json`));
    },
    of: (route) => waitingIn(folder).filter(({ command }) => command.route === route),
  };
}

function waitingIn(folder: string): readonly WaitingCommand[] {
  return namesIn(folder).map((name) => {
    const file = join(folder, name);
    const command: ControlCommand = JSON.parse(readFileSync(file, 'utf8'));
    return { command, done: () => rmSync(file, { force: true }) };
  });
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
      .filter((name) => name.endsWith('.json'))
      .sort();
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}

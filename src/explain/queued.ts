import type { ControlCommand, Decision, Pause, WaitingCommand } from '../model/control.ts';
import type { LinkId, Side } from '../model/ids.ts';
import type { Conflict } from '../model/plan/operation.ts';
import type { Queued } from '../model/route-status.ts';
import { counted, sideInWords } from './words.ts';

/** What people asked for counts at once, although the running bridge may still be in the middle of a cycle. */

/** The pause of a route once the commands that wait are done; the last one counts. */
export function pauseAfter(pause: Pause | null, commands: readonly WaitingCommand[]): Pause | null {
  return commands.reduce<Pause | null>((found, { at, command }) => {
    if (command.kind === 'resume') return null;
    return command.kind === 'pause' ? (found ?? { at, why: command.why }) : found;
  }, pause);
}

type Contested = Pick<Conflict, 'link' | 'field'>;

/** The side that a person chose for this conflict; null before. */
export const decidedIn = (commands: readonly WaitingCommand[], conflict: Contested): Side | null =>
  decisionIn(commands, conflict)?.keep ?? null;

const decisionIn = (commands: readonly WaitingCommand[], { link, field }: Contested): Decision | undefined =>
  commands
    .flatMap(({ command }) => (command.kind === 'decide' ? [command.decision] : []))
    .find((decision) => decision.link === link && decision.field === field);

/** Everything that waits but a pause, which shows as one. */
export const queuedIn = (commands: readonly WaitingCommand[], nameOf: (link: LinkId) => string): readonly Queued[] =>
  commands.flatMap(({ at, command }) => {
    const words = queuedInWords(command, nameOf);
    return words === null ? [] : [{ at, words }];
  });

function queuedInWords(command: ControlCommand, nameOf: (link: LinkId) => string): string | null {
  switch (command.kind) {
    case 'pause':
    case 'resume':
      return null;
    case 'retry':
      return `try ${counted(command.numbers.length, 'operation')} again`;
    case 'resync':
      return `read ${command.side === 'tracker' ? 'bug' : 'issue'} ${command.ref} again`;
    case 'decide': {
      const { link, field, keep } = command.decision;
      return `keep the ${field} of ${sideInWords(keep)} for ${nameOf(link)}`;
    }
    case 'pair':
      return `pair bug ${command.pair.bug} with issue ${command.pair.issue}`;
  }
}

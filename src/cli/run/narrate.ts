import { setAsideInWords } from '../../explain/set-aside.ts';
import {
  decisionInWords,
  operationInWords,
  pairingInWords,
  publicAgainInWords,
  timeInWords,
  withdrawnInWords,
} from '../../explain/words.ts';
import type { Operation } from '../../model/plan/operation.ts';
import type { Store } from '../../model/store.ts';
import type { BridgeEvent } from '../../wire/bridge.ts';
import { type Style, type Terminal, visible } from '../terminal.ts';

/** One event as a line of text; null for events that only programs need. */
export function narrate(event: BridgeEvent, store: Pick<Store, 'links'>, terminal: Terminal): string | null {
  if (event.kind === 'refused') return terminal.paint('red', `${event.route}: refused, ${event.refusal.why}`);
  if (event.kind === 'backoff') {
    return terminal.paint('yellow', visible(`${event.route}: paused until ${timeInWords(event.until)}: ${event.why}`));
  }
  if (event.kind === 'withdrawn') {
    const { about, trouble, isBack } = event.withdrawn;
    if (trouble !== null)
      return terminal.paint('red', `${event.route}: ${about} not withdrawn yet: ${visible(trouble)}`);
    const words = isBack
      ? publicAgainInWords(event.withdrawn)
      : `withdrawn (${withdrawnInWords({ ...event.withdrawn })})`;
    return terminal.paint(isBack ? 'green' : 'yellow', `${event.route}: ${about} ${words}`);
  }
  if (event.kind === 'decided' || event.kind === 'paired') {
    const words = event.kind === 'decided' ? decisionInWords(event) : pairingInWords(event);
    return terminal.paint(event.why === null ? 'green' : 'yellow', visible(`${event.route}: ${words}`));
  }
  if (event.kind === 'set aside') {
    const item = event.side === 'tracker' ? `bug ${event.ref}` : `issue #${event.ref}`;
    const part = event.comment === undefined ? '' : `a comment of `;
    return terminal.paint('red', visible(`${event.route}: ${part}${item} is set aside: ${setAsideInWords(event)}`));
  }
  if (event.kind !== 'done') return null;
  const { result, operation } = event;
  if (result.kind === 'already') return null;
  const isDone = result.kind === 'applied';
  const words = operationLine(operation, store, isDone ? 'done' : 'planned', terminal);
  if (isDone) return words;
  const why = result.why === null ? '' : `: ${visible(result.why)}`;
  return `${words}  ${terminal.paint(styles[result.kind], `${endings[result.kind]}${why}`)}`;
}

export function operationLine(
  operation: Operation,
  store: Pick<Store, 'links'>,
  tense: 'planned' | 'done',
  terminal: Terminal,
): string {
  const { from, to, what } = operationInWords(operation, store.links.byId(operation.link), tense);
  const arrow = operation.on === 'github' ? terminal.paint('cyan', '->') : terminal.paint('magenta', '->');
  const words = cut(visible(what));
  const isConflict = operation.kind === 'update' && operation.overruled.length > 0;
  return `${visible(from).padStart(fromWidth)} ${arrow} ${visible(to).padEnd(fromWidth)}  ${isConflict ? terminal.paint('yellow', words) : words}`;
}

const fromWidth = 15;
const wordsMax = 160;

/** Titles may be long; keeps the text after them visible. */
const cut = (text: string): string =>
  [...text].length <= wordsMax ? text : `${[...text].slice(0, wordsMax - 1).join('')}…`;

type Ending = Exclude<(BridgeEvent & { kind: 'done' })['result']['kind'], 'applied' | 'already'>;

const endings: Readonly<Record<Ending, string>> = {
  parked: 'parked',
  later: 'will be tried later',
  stale: 'something changed in the meantime; planned again',
  doubt: 'unknown whether this arrived; the next cycle checks',
  buried: 'the other end is deleted; given up',
  frozen: 'the other end is no longer visible; frozen',
  unauthorized: 'the credentials were refused',
};

const styles: Readonly<Record<Ending, Style>> = {
  parked: 'red',
  later: 'yellow',
  stale: 'yellow',
  doubt: 'yellow',
  buried: 'yellow',
  frozen: 'yellow',
  unauthorized: 'red',
};

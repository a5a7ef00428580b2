import { counted, timeInWords } from '../explain/words.ts';
import { durationInWords } from '../model/duration.ts';
import type { RouteStatus, Standing } from '../model/route-status.ts';
import type { Terminal } from './terminal.ts';

/** The status of a route in one line. */
export function summaryLine(status: RouteStatus, terminal: Terminal): string {
  const { links, outbox, conflicts, skips, setAside } = status;
  const open = conflicts.filter(({ kept }) => kept === null).length;
  const asking = skips.filter((skip) => skip.needsPerson).length;
  const rest = [
    some(links.byState.live - links.whole, 'without counterpart'),
    some(links.wanting, 'to check again'),
    some(outbox.planned, 'planned'),
    some(outbox.sent, 'in doubt'),
    some(outbox.parked, 'parked'),
    some(setAside.length, 'set aside'),
    some(open, open === 1 ? 'conflict to resolve' : 'conflicts to resolve'),
    some(asking, asking === 1 ? 'item needs you' : 'items need you'),
    some(links.byState.frozen, 'frozen'),
    some(links.byState.tombstone, 'given up'),
    status.catchUpMs === 0
      ? ''
      : `about ${durationInWords(status.catchUpMs)} left, by the creations that GitHub allows`,
  ].filter((part) => part !== '');
  const state = terminal.paint(styles[status.standing], status.standing);
  const where = `${status.product} <-> ${status.repo}`;
  const pairs = counted(links.whole, 'pair');
  return `${terminal.paint('bold', status.route)}  ${where}  ${state}: ${[pairs, ...rest].join(', ')}`;
}

const styles = {
  off: 'dim',
  stopped: 'red',
  paused: 'yellow',
  'needs you': 'red',
  'trying again': 'yellow',
  'not read lately': 'yellow',
  'catching up': 'yellow',
  'in step': 'green',
} as const satisfies Readonly<Record<Standing, string>>;

/** A time, relative to now and in full. */
export function momentInWords(at: number | null, now: number): string {
  if (at === null) return 'never';
  const seconds = Math.round(Math.abs(now - at) / 1000);
  const span =
    seconds < 90
      ? `${seconds} s`
      : seconds < 5400
        ? `${Math.round(seconds / 60)} min`
        : `${Math.round(seconds / 3600)} h`;
  return `${at <= now ? `${span} ago` : `in ${span}`} (${timeInWords(at)})`;
}

const some = (count: number, what: string): string => (count === 0 ? '' : `${count} ${what}`);

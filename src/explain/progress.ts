import { sides } from '../model/ids.ts';
import type { RouteStatus } from '../model/route-status.ts';
import { isHalting } from './failure.ts';
import { type Facts, toCrossIn } from './standing.ts';
import { clockInWords, counted, numberInWords, sideInWords } from './words.ts';

export type Judged = Facts & Pick<RouteStatus, 'standing'>;

/** What there is, and what waits, on one line. */
export function countsInWords(status: Judged, now: number): string {
  const { links, outbox, doubts, open, setAside } = status;
  if (isEmpty(status)) return 'nothing to mirror yet';
  // Nothing is read, nor waits.
  if (status.standing === 'off') return counted(links.whole, 'pair');
  const some = (count: number, one: string, many = one) => (count === 0 ? [] : [counted(count, one, many)]);
  return [
    ...progressInWords(status, now),
    ...some(doubts.length, 'in doubt'),
    ...some(outbox.parked, 'parked'),
    ...some(setAside.length, 'set aside'),
    ...some(open.conflicts, 'conflict to decide', 'conflicts to decide'),
    ...some(open.skips, 'problem to settle', 'problems to settle'),
    ...some(links.byState.frozen, 'frozen'),
    ...some(links.byState.tombstone, 'given up'),
  ].join(', ');
}

export const isEmpty = (status: Judged): boolean => status.standing === 'in step' && holdsNothing(status);

/** Whether the route has neither pairs nor anything that is to cross. */
export const holdsNothing = ({ links, direction }: Pick<Facts, 'links' | 'direction'>): boolean =>
  links.whole + links.byState.frozen + links.byState.tombstone + toCrossIn(links.alone, direction) === 0;

/** `done about 13:21 UTC`, or `done after 13:21 UTC` while too few bugs are mirrored to say how long the others are. */
function doneInWords({ catchUpMs, isCatchUpLeast }: Facts, now: number): readonly string[] {
  return catchUpMs > 0 ? [`done ${isCatchUpLeast ? 'after' : 'about'} ${clockInWords(now + catchUpMs, now)}`] : [];
}

/** Whether only reading back what was written is left. */
export const isWritten = ({ progress: { mirrored, total, writes } }: Facts): boolean =>
  writes === 0 && mirrored === total;

/** Whether all is written that crosses without a person, and some of it is to be read back. */
export const isToReadBack = (status: RouteStatus): boolean =>
  crossing.has(status.standing) && isWritten(status) && status.links.wanting > 0;

/** What is set aside may take a minute to fail once more. */
const crossing: ReadonlySet<RouteStatus['standing']> = new Set(['catching up', 'needs you']);

/** `46 of 49 mirrored`, `39 writes to go`, `done about 13:21 UTC`; then whatever else keeps a route from being in step. */
export function progressInWords(status: Facts, now: number): readonly string[] {
  const { progress, links, open, sides: both, queued, isUnchecked, rest, refusals, failures } = status;
  const { mirrored, total, writes } = progress;
  const isRead = both.tracker.isComplete && both.github.isComplete;
  const hasMore = sides.filter((side) => both[side].isComplete && both[side].hasMore);
  const isCompared = both.tracker.sweptAt !== null && both.github.sweptAt !== null;
  const toRead = Math.max(0, links.wanting - links.halves.tracker - links.halves.github - open.conflicts - open.skips);
  const only = isWritten(status);
  // The cycles may have done what is left of a migration.
  const isOpen = !only || links.wanting > 0 || !isRead || status.imported > 0;
  const undertakings = status.undertakings.filter(({ kind }) => kind === 'cutover' || isOpen);
  // Nobody knows how long what stops a route will last, nor how much a first read still finds.
  const isMoving = rest === null && refusals.length === 0 && !failures.some(isHalting);
  return [
    total > mirrored ? `${numberInWords(mirrored)} of ${numberInWords(total)} mirrored` : counted(mirrored, 'pair'),
    ...(writes > 0 ? [counted(writes, 'write to go', 'writes to go')] : []),
    ...(isMoving && isRead ? doneInWords(status, now) : []),
    // What stopped may also hold what people changed.
    ...(only && toRead > 0
      ? [`${numberInWords(toRead)} ${isMoving ? 'to be read back by the next cycle' : 'to compare'}`]
      : []),
    ...(status.imported > 0 ? [`${counted(status.imported, 'imported issue')} to be read back`] : []),
    ...undertakings.map((each) => undertakingInWords(each, links.whole)),
    ...(isRead || undertakings.length > 0
      ? []
      : [`the first full read is ${isMoving ? 'in progress' : 'not finished'}`]),
    ...hasMore.map((side) => `more changes of ${sideInWords(side)} are still to be read`),
    ...(isRead && !isCompared ? ['not compared in full yet (bugferry once --sweep)'] : []),
    ...(isUnchecked ? ['not all mirrored bugs were confirmed public yet'] : []),
    ...queued.map(({ words }) => `the next cycle will ${words}`),
  ];
}

/** What a command left undone. Whether it runs just now, nobody knows who does not see its process. */
function undertakingInWords({ kind, stoppedAt, closed }: RouteStatus['undertakings'][number], pairs: number): string {
  const [name, again] =
    kind === 'migrate' ? ['a migration', 'bugferry migrate'] : ['a cutover', 'bugferry cutover, or with --undo'];
  const so = closed > 0 ? ` (${counted(closed, 'bug')} of ${counted(pairs, 'pair')} closed)` : '';
  return stoppedAt === null
    ? `${name} is under way${so}; if it does not run any more, run ${again}`
    : `${name} was interrupted${so}: run ${again}`;
}

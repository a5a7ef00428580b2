/**
 * The limit of what one cycle waits for slow answers. Whoever makes a side answer slowly about forty items would
 * otherwise keep all others, and withdrawals, waiting for an hour.
 */

import type { LinkId, Side } from '../model/ids.ts';
import type { Link } from '../model/link.ts';
import { SideError } from '../model/outcome.ts';
import type { InTime } from '../model/runtime.ts';
import type { Context, Sides } from './context.ts';
import { linkOf } from './linked.ts';

/** How long a request may take that is not slow, and how long a cycle waits for slow ones beyond that. */
const [quickMs, patienceMs] = [5_000, 45_000];

/** Nothing is known of an item as a cycle has no time left to ask for it: the next one does. */
export class NoTime extends SideError {
  constructor(side: Side) {
    super('later', 'Other items are answered so slowly that this one is read in a later cycle.', { side });
  }
}

/** How much of the time was used for reads of many items, and for those of one. */
interface Spent {
  manyMs: number;
  oneMs: number;
}

type Asked = Pick<Sides, 'tracker' | 'github' | 'anonymousReader'>;

export interface Reading {
  readonly spent: Spent;
  /** For what must not wait for other reads: whether anything has to go off GitHub. */
  readonly urgent: Asked & { readonly spent: Spent };
  /** How many pieces of work on single items are under way, which cope with an item that cannot be read. */
  readonly working: { count: number };
  /** Links of which something is left to the next cycle, each with since when: they are not planned in this one. */
  readonly late: Map<LinkId, number>;
  /** Those that the last cycle had no time for. */
  readonly before: ReadonlyMap<LinkId, number>;
}

/** The context of one cycle, which reads no more than it has time for. */
export function inCycle(context: Context): Context {
  const { lookTurns, route } = context;
  const before = lookTurns.late.get(route.name) ?? new Map();
  const late = new Map<LinkId, number>();
  lookTurns.late.set(route.name, late);
  const [spent, urgently] = [nothingSpent(), nothingSpent()];
  const working = { count: 0 };
  const isWorking = (): boolean => working.count > 0;
  const urgent = { ...inItsTime(context, { spent: urgently, late, before }, isWorking), spent: urgently };
  const reading = { spent, urgent, working, late, before };
  return { ...context, ...inItsTime(context, { spent, late, before }, isWorking), reading };
}

const nothingSpent = (): Spent => ({ manyMs: 0, oneMs: 0 });

/** The context of a check whether something has to go off GitHub: what else is read takes no time from it. */
export function urgently(context: Context): Context {
  const { reading } = context;
  if (reading === undefined) return context;
  const { spent, ...asked } = reading.urgent;
  return { ...context, ...asked, reading: { ...reading, spent } };
}

type Known = Pick<Context, 'route' | 'store' | 'clock' | 'lookTurns'>;
type Timed = Pick<Reading, 'spent' | 'late' | 'before'>;

/** Both sides, which are asked for single items, and for many at once, only as long as there is time. */
function inItsTime(context: Context, timed: Timed, isWorking: () => boolean): Asked {
  const { tracker, github, anonymousReader, clock } = context;
  const { spent } = timed;
  const one =
    <Ask extends readonly unknown[], Found>(side: Side, read: (...ask: Ask) => Promise<Found>) =>
    async (...ask: Ask): Promise<Found> => {
      if (spent.oneMs > patienceMs && isWorking()) throw new NoTime(side);
      const beganAt = clock.now();
      try {
        return await read(...ask);
      } finally {
        spent.oneMs += slowMs(clock.now() - beganAt);
      }
    };
  const { probe, commentAt } = tracker;
  const { hasComment, placeOf, original, editor, firstText, bodyVersions, lastActors, whoDid } = github;
  const time = (): InTime => timeIn(context, timed, 'tracker');
  return {
    tracker: instead(tracker, {
      probe: one('tracker', probe),
      commentAt: one('tracker', commentAt),
      bugs: (refs) => tracker.bugs(refs, time()),
      history: (refs, sinceAt) => tracker.history(refs, sinceAt, time()),
      shownPulls: (refs) => tracker.shownPulls(refs, time()),
      lookAt: (ask) => tracker.lookAt(ask, time()),
    }),
    github: instead(github, {
      probe: one('github', github.probe),
      hasComment: one('github', hasComment),
      placeOf: one('github', placeOf),
      original: one('github', original),
      editor: one('github', editor),
      firstText: one('github', firstText),
      bodyVersions: one('github', bodyVersions),
      lastActors: one('github', lastActors),
      whoDid: one('github', whoDid),
    }),
    anonymousReader:
      anonymousReader &&
      instead(anonymousReader, {
        access: one('tracker', anonymousReader.access),
        lookAt: (ask) => anonymousReader.lookAt(ask, time()),
      }),
  };
}

/** The port, with these methods instead of its own. */
const instead = <Port extends object>(port: Port, methods: Partial<Port>): Port =>
  new Proxy(port, { get: (target, name) => Reflect.get(name in methods ? methods : target, name) });

const slowMs = (tookMs: number): number => Math.max(0, tookMs - quickMs);

/** For one call, which may always ask once: no other keeps it waiting for ever. Undefined where nothing else waits. */
export function inTimeOf(context: Context, side: Side = 'tracker'): InTime | undefined {
  return context.reading === undefined ? undefined : timeIn(context, context.reading, side);
}

function timeIn(context: Known, timed: Timed, side: Side): InTime {
  const { clock, lookTurns } = context;
  const { spent } = timed;
  let hasAsked = false;
  return {
    isOut: () => hasAsked && spent.manyMs > patienceMs,
    spentMs: () => spent.manyMs,
    async during(read, ref) {
      const beganAt = clock.now();
      hasAsked = true;
      try {
        return await read();
      } finally {
        const ms = slowMs(clock.now() - beganAt);
        spent.manyMs += ms;
        const id = ref === undefined ? undefined : linkOf(context, side, ref)?.id;
        if (id !== undefined) lookTurns.slow[ms > 0 ? 'add' : 'delete'](id);
      }
    },
    late: (ref) => noteLate(context, timed, { side, ref }),
  };
}

function noteLate(
  context: Pick<Context, 'route' | 'store' | 'clock'>,
  { late, before }: Pick<Reading, 'late' | 'before'>,
  { side, ref }: { readonly side: Side; readonly ref: number },
): void {
  const link = linkOf(context, side, ref);
  if (link !== null) late.set(link.id, before.get(link.id) ?? context.clock.now());
}

/** Work on one item: null if there was no time to read what it needs. */
export async function unlessLate<T>(
  context: Pick<Context, 'reading' | 'route' | 'store' | 'clock'>,
  item: { readonly side: Side; readonly ref: number },
  run: () => Promise<T>,
): Promise<T | null> {
  const { reading } = context;
  if (reading === undefined) return run();
  reading.working.count += 1;
  try {
    return await run();
  } catch (failure) {
    if (!(failure instanceof NoTime)) throw failure;
    noteLate(context, reading, item);
    return null;
  } finally {
    reading.working.count -= 1;
  }
}

/** Whether something of the link is read in the next cycle: nobody knows enough of it in this one. */
export const isLate = ({ reading }: Pick<Context, 'reading'>, id: LinkId): boolean => reading?.late.has(id) === true;

/** So long those wait for others that were slow when they were asked last, and those that the same person made. */
const slowWaitMs = 30 * 60_000;

/** Those first that have waited longest for their turn. */
export function lateFirst<T>(
  { reading, lookTurns: { slow }, clock, store }: Context,
  list: readonly T[],
  idOf: (one: T) => LinkId | undefined,
): readonly T[] {
  if (reading === undefined || reading.before.size + slow.size === 0) return list;
  const now = clock.now();
  const makerOf = (id: LinkId): string | null => makerIn(store.links.byId(id));
  const makers = new Set([...slow].map(makerOf));
  const sinceAt = (one: T): number => {
    const id = idOf(one);
    if (id === undefined) return now;
    const maker = makers.size === 0 ? null : makerOf(id);
    const isOfSlow = maker !== null && makers.has(maker);
    return (reading.before.get(id) ?? now) + (slow.has(id) ? slowWaitMs : 0) + (isOfSlow ? slowWaitMs : 0);
  };
  const ranked = list.map((one) => [sinceAt(one), one] as const);
  return ranked.toSorted(([one], [other]) => one - other).map(([, one]) => one);
}

/** Who made the item from which the link began; null if nobody knows. */
const makerIn = (link: Link | null): string | null =>
  (link?.origin === 'tracker' ? link.tracker?.creator.login : link?.github?.author.login) ?? null;

import type { Context } from 'hono';
import { streamSSE } from 'hono/streaming';
import type { Tally } from '../model/store.ts';
import type { AdminPort } from './admin-port.ts';

/** Proxies close connections that are silent for a minute. */
const pulseMs = 25_000;

/** Notifies a page of changes by server-sent events; the page then reloads its content. */
export function live(context: Context, adminPort: Pick<AdminPort, 'listen'>): Response {
  return streamSSE(context, async (stream) => {
    let changed = Promise.withResolvers<void>();
    const stop = adminPort.listen(() => changed.resolve());
    stream.onAbort(() => changed.resolve());
    try {
      await stream.writeSSE({ event: 'pulse', data: '' });
      while (!stream.aborted) {
        const isNews = await Promise.race([changed.promise.then(() => true), stream.sleep(pulseMs).then(() => false)]);
        if (isNews) changed = Promise.withResolvers<void>();
        if (!stream.aborted) await stream.writeSSE({ event: isNews ? 'changed' : 'pulse', data: '' });
      }
    } finally {
      stop();
    }
  });
}

export const slotMs = 600_000;
const slots = 144;
const slotsPerHour = 6;

/**
 * The writes of the last day in slots of ten minutes, oldest first. Times are epoch seconds, as the chart needs them.
 */
export interface History {
  readonly at: readonly number[];
  readonly tracker: readonly number[];
  readonly github: readonly number[];
  /** The creations left in GitHub's hour at the end of each slot; null without a limit. */
  readonly budgetLeft: readonly number[] | null;
}

/** A history of the day before `now` needs the ledger from this time on. */
export const historyBeginsAt = (now: number): number => (Math.floor(now / slotMs) - slots - slotsPerHour + 1) * slotMs;

/** Operations that create content on GitHub, which its hourly limit counts. */
const creations: readonly string[] = ['create', 'comment'];

export function historyOf(tallies: readonly Tally[], now: number, createsPerHour: number | null): History {
  const first = Math.floor(now / slotMs) - slots + 1;
  const sum = (slot: number, isWanted: (tally: Tally) => boolean) =>
    tallies.reduce(
      (total, tally) => (tally.slotAt === slot * slotMs && isWanted(tally) ? total + tally.count : total),
      0,
    );
  const all = Array.from({ length: slots }, (_, index) => first + index);
  const created = (slot: number) => sum(slot, ({ on, kind }) => on === 'github' && creations.includes(kind));
  const usedBy = (slot: number) =>
    Array.from({ length: slotsPerHour }, (_, ago) => created(slot - ago)).reduce((one, other) => one + other, 0);
  return {
    at: all.map((slot) => (slot * slotMs) / 1000),
    tracker: all.map((slot) => sum(slot, ({ on }) => on === 'tracker')),
    github: all.map((slot) => sum(slot, ({ on }) => on === 'github')),
    budgetLeft: createsPerHour === null ? null : all.map((slot) => Math.max(0, createsPerHour - usedBy(slot))),
  };
}

/**
 * Who comes first while a limit does not suffice for everybody. Anybody can write on as many bugs as there are, and
 * nobody else may wait for that.
 */

import type { LinkId } from '../../model/ids.ts';

/** The people whose words or items the operations of a link carry. */
export type People = ReadonlyMap<LinkId, readonly string[]>;

/**
 * How many links of the same person come before each: people take turns. A link of several people has the turn of the
 * one with the fewest before it.
 */
export function turnsOf(people: People): ReadonlyMap<LinkId, number> {
  const before = new Map<string, number>();
  const turns = new Map<LinkId, number>();
  for (const [link, all] of people) {
    const its = new Set(all);
    turns.set(link, its.size === 0 ? 0 : Math.min(...[...its].map((person) => before.get(person) ?? 0)));
    for (const person of its) before.set(person, (before.get(person) ?? 0) + 1);
  }
  return turns;
}

/** What the limits of creations allow now. */
export interface Room {
  readonly now: number;
  /** What the longest limit allows, and how much of that nobody uses up alone. */
  readonly longest: number;
  readonly kept: number;
}

/** The part of a limit that is kept back: of it, each person gets one creation a cycle. */
export const keptShare = 1 / 5;

const shareIn = ({ longest, kept }: Room): number => Math.floor(longest - kept);

/** Whether there is room for all. */
export const isEnough = (creations: number, room: Room): boolean => creations <= Math.min(room.now, shareIn(room));

/**
 * How many of its creations each link may make now, on account of the one of its people who has made the fewest.
 * @param people in the order of the turns
 */
export function creationsFor(
  people: People,
  wanted: ReadonlyMap<LinkId, number>,
  room: Room,
): ReadonlyMap<LinkId, number> {
  const most = Math.max(1, shareIn(room));
  const made = new Map<string, number>();
  const madeBy = (person: string): number => made.get(person) ?? 0;
  return new Map(
    [...people].map(([link, all]): [LinkId, number] => {
      const [payer = ''] = [...new Set(all)].sort((one, other) => madeBy(one) - madeBy(other));
      const count = Math.max(0, Math.min(wanted.get(link) ?? 0, most - madeBy(payer)));
      made.set(payer, madeBy(payer) + count);
      return [link, count];
    }),
  );
}

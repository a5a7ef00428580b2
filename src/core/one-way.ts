import type { FieldName } from '../model/fields.ts';
import type { Link } from '../model/link.ts';
import type { Skip } from '../model/operation.ts';
import type { Direction } from '../model/route.ts';
import { otherSide, type Side } from '../model/side.ts';
import type { LedgerLine } from '../model/store.ts';
import { aboutOf } from './about.ts';
import type { OneWay } from './merge-one-way.ts';

/** The side that is right on a one-way route; null on a route both ways. */
export const upstreamOf = (direction: Direction): Side | null =>
  direction === 'both' ? null : direction === 'to-github' ? 'tracker' : 'github';

/** The side that only the bridge should write; null on a route both ways. */
export function mirrorOf(direction: Direction): Side | null {
  const upstream = upstreamOf(direction);
  return upstream === null ? null : otherSide(upstream);
}

/**
 * How often within `correctionsMs` a field of one pair is put right: people stop when they see it, and another program that insists on
 * something else must not keep both busy for ever.
 */
const correctionsMax = 5;
export const correctionsMs = 86_400_000;

/** @param corrected fields that were put right within `correctionsMs`, one for each time */
export function oneWayOf(direction: Direction, corrected: readonly FieldName[]): OneWay | null {
  const upstream = upstreamOf(direction);
  return upstream === null ? null : { upstream, isWornOut: (field) => corrected.filter((each) => each === field).length >= correctionsMax };
}

/** The fields that a line of the ledger says were put right on the mirror. */
export function correctedIn({ kind, outcome, detail }: LedgerLine): readonly FieldName[] {
  const isDone = kind === 'update' ? outcome === 'applied' : kind === 'settle' && outcome === 'had arrived';
  return isDone && Array.isArray(detail['corrects']) ? detail['corrects'] : [];
}

/**
 * What is changed on the mirror again and again, and is left as it stands for now.
 * @param left names of fields
 */
export function insistedSkips(link: Link, direction: Direction, left: readonly string[]): readonly Skip[] {
  const mirror = mirrorOf(direction);
  if (mirror === null || left.length === 0) return [];
  const what = [...new Set(left)].join(', ');
  const reason = `${what} was put right ${correctionsMax} times within a day and differs again, so it is left until a day has passed; look in the history who or what changes it, and stop that`;
  return [{ link: link.id, about: aboutOf(link, mirror), reason, needsPerson: true }];
}

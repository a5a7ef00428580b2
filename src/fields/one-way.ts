import { otherSide, type Side } from '../model/ids.ts';
import type { FieldName, Value } from '../model/item.ts';
import { aboutOf, type Link } from '../model/link.ts';
import type { Skip } from '../model/operation.ts';
import type { Direction } from '../model/route.ts';
import type { LedgerLine } from '../model/store.ts';
import { equalValues, isSet, sorted } from '../text/canonical.ts';
import type { Verdict } from './merge.ts';
import { isOpenView } from './status.ts';

/** The rules for the fields of a one-way route. */
export interface OneWay {
  /** The side that is right; the other side is its mirror. */
  readonly upstream: Side;
  /** Whether a field was reset on the mirror so often that a further change is left alone. */
  readonly isWornOut: (field: FieldName) => boolean;
}

/** A field of a pair; `b` is the base, as each side showed it. */
interface Field {
  readonly field: FieldName;
  readonly bt: Value | undefined;
  readonly bg: Value | undefined;
  readonly t: Value;
  readonly g: Value;
  /** True if GitHub has no value in this field that the tracker could take. */
  readonly isTrackers: boolean;
}

/**
 * One field of a one-way route, which has one truth: the upstream side is right, whichever side changed.
 *
 *   upstream         | mirror  | verdict
 *   -----------------+---------+-----------------------------------------------------------------
 *   equal values               | agreed
 *   same             | same    | agreed, although the two sides spell it differently
 *   changed          | any     | its value travels
 *   same             | changed | its value is written again; the mirror's value is kept in the ledger
 *   never agreed               | first contact: its value travels, and the mirror's value is the loser of a conflict
 *   GitHub has no value        | the bug keeps its own
 *
 * The last line is for routes to the tracker. They write nothing on GitHub, so a missing label, assignee or milestone there says
 * nothing, an open issue says only that it is open, and only those elements of a set that are present on GitHub are restored.
 * Removing something on GitHub is a change like any other.
 */
export function mergeOneWay({ upstream, isWornOut }: OneWay, { field, bt, bg, t, g, isTrackers }: Field): Verdict {
  const isToTracker = upstream === 'github';
  if (equalValues(t, g)) return { kind: 'agreed' };
  const isKnown = bt !== undefined && bg !== undefined;
  if (isKnown && equalValues(t, bt) && equalValues(g, bg)) return { kind: 'agreed' };
  if (isToTracker && isTrackers) return { kind: 'left' };
  const [truth, shown] = isToTracker ? [g, t] : [t, g];
  const [was, wasShown] = isToTracker ? [bg, bt] : [bt, bg];
  if (isSet(truth) && isSet(shown)) return mergeSets(upstream, isWornOut(field), { truth, shown, was, wasShown });
  const isNews = isKnown && !equalValues(truth, was);
  if (isToTracker && !isNews && isSilent(field, truth, shown)) return { kind: 'left' };
  if (!isKnown && shown !== null) return { kind: 'conflict' };
  const isDrift = isKnown && !equalValues(shown, wasShown);
  if (isDrift && !isNews && isWornOut(field)) return { kind: 'left', wanted: truth };
  return { kind: 'write', [otherSide(upstream)]: truth, isDrift };
}

/** Whether GitHub's value leaves the choice to the tracker. */
const isSilent = (field: FieldName, github: Value, tracker: Value): boolean =>
  github === null || (field === 'status' && github === 'open' && typeof tracker === 'string' && isOpenView(tracker));

interface Sets {
  readonly truth: readonly string[];
  readonly shown: readonly string[];
  readonly was: Value | undefined;
  readonly wasShown: Value | undefined;
}

/** By element, because a side may have taken some and refused others: a difference that both sides agreed to stays. */
function mergeSets(upstream: Side, isWornOut: boolean, { truth, shown, was, wasShown }: Sets): Verdict {
  const isToTracker = upstream === 'github';
  const [before, shownBefore] = [elementsOf(was), elementsOf(wasShown)];
  const missing = truth.filter((each) => !shown.includes(each) && !(before.includes(each) && !shownBefore.includes(each)));
  const extra = shown.filter((each) => !truth.includes(each) && !(shownBefore.includes(each) && !before.includes(each)));
  const theirs = isToTracker ? extra.filter((each) => !shownBefore.includes(each)) : [];
  const surplus = extra.filter((each) => !theirs.includes(each));
  if (missing.length + surplus.length === 0)
    return { kind: 'agreed', ...(isToTracker ? { tracker: shown.filter((each) => !theirs.includes(each)) } : {}) };
  const isDrift =
    was !== undefined && (missing.some((each) => before.includes(each)) || surplus.some((each) => !shownBefore.includes(each)));
  const target = sorted([...shown.filter((each) => !surplus.includes(each)), ...missing]);
  if (isDrift && isWornOut && equalValues(truth, was)) return { kind: 'left', wanted: target };
  return { kind: 'write', [otherSide(upstream)]: target, isDrift };
}

const elementsOf = (value: Value | undefined): readonly string[] => (isSet(value) ? value : []);

/** The side that is right on a one-way route; null on a two-way route. */
export const upstreamOf = (direction: Direction): Side | null =>
  direction === 'both' ? null : direction === 'to-github' ? 'tracker' : 'github';

/** The side that only the bridge should write; null on a two-way route. */
export function mirrorOf(direction: Direction): Side | null {
  const upstream = upstreamOf(direction);
  return upstream === null ? null : otherSide(upstream);
}

/**
 * How often a field of one pair is reset within `correctionsMs`: people stop when they notice, and a fight with another program
 * must end.
 */
const correctionsMax = 5;
export const correctionsMs = 86_400_000;

/** @param corrected fields that were reset within `correctionsMs`, one element for each time */
export function oneWayOf(direction: Direction, corrected: readonly FieldName[]): OneWay | null {
  const upstream = upstreamOf(direction);
  return upstream === null ? null : { upstream, isWornOut: (field) => corrected.filter((each) => each === field).length >= correctionsMax };
}

/** The fields that were reset on the mirror, according to a line of the ledger. */
export function correctedIn({ kind, outcome, detail }: LedgerLine): readonly FieldName[] {
  const isDone = kind === 'update' ? outcome === 'applied' : kind === 'settle' && outcome === 'had arrived';
  return isDone && Array.isArray(detail['corrects']) ? detail['corrects'] : [];
}

/**
 * Findings for fields that are changed on the mirror again and again, and are left alone for now.
 * @param left names of fields
 */
export function wornOutSkips(link: Link, direction: Direction, left: readonly string[]): readonly Skip[] {
  const mirror = mirrorOf(direction);
  if (mirror === null || left.length === 0) return [];
  const what = [...new Set(left)].join(', ');
  const reason = `${what} was reset ${correctionsMax} times within a day and differs again, so it is left alone until a day has passed; find out from the history what changes it, and stop that`;
  return [{ link: link.id, about: aboutOf(link, mirror), reason, needsPerson: true }];
}

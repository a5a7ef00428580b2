import { aboutOf } from '../kernel/about.ts';
import { otherSide, type Side } from '../model/ids.ts';
import type { FieldName, Value } from '../model/item.ts';
import type { Link } from '../model/link.ts';
import type { Skip } from '../model/operation.ts';
import type { Direction } from '../model/route.ts';
import type { LedgerLine } from '../model/store.ts';
import { equalValues, isSet, sorted } from '../text/canonical.ts';
import type { Verdict } from './merge.ts';
import { isOpenView } from './status.ts';

/** What holds for the fields of a one-way route. */
export interface OneWay {
  /** The side that is right; the other one is its mirror. */
  readonly upstream: Side;
  /** Whether a field was put right on the mirror so often that it is left when it is changed there once more. */
  readonly isWornOut: (field: FieldName) => boolean;
}

/** A field of a pair: `b` stands for what both last agreed on, as each side showed it. */
interface Field {
  readonly field: FieldName;
  readonly bt: Value | undefined;
  readonly bg: Value | undefined;
  readonly t: Value;
  readonly g: Value;
  /** True when GitHub says nothing in this field that the tracker could take. */
  readonly isTrackers: boolean;
}

/**
 * One field of a one-way route, which has one truth: the upstream side is right, whoever changed what.
 *
 *   upstream         | mirror  | verdict
 *   -----------------+---------+-----------------------------------------------------------------
 *   equal values               | agreed
 *   same             | same    | agreed, although the two sides spell it differently
 *   changed          | any     | its value travels
 *   same             | changed | its value is written again; what people put there is kept in the ledger
 *   never agreed               | first contact: its value travels, and the other one is a conflict that lost
 *   GitHub says nothing        | the bug keeps its own
 *
 * The last line is for routes to the tracker. They write nothing on GitHub, so a label, an assignee or a milestone that is missing there
 * says nothing, an open issue says no more than that it is open, and of sets only what stands there is put back. What is taken away on GitHub
 * is a change like any other.
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

/** Whether what GitHub shows leaves it to the tracker what the bug says. */
const isSilent = (field: FieldName, github: Value, tracker: Value): boolean =>
  github === null || (field === 'status' && github === 'open' && typeof tracker === 'string' && isOpenView(tracker));

interface Sets {
  readonly truth: readonly string[];
  readonly shown: readonly string[];
  readonly was: Value | undefined;
  readonly wasShown: Value | undefined;
}

/** By element, because a side may have taken some and refused others: what both agreed to differ in stays so. */
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
export function wornOutSkips(link: Link, direction: Direction, left: readonly string[]): readonly Skip[] {
  const mirror = mirrorOf(direction);
  if (mirror === null || left.length === 0) return [];
  const what = [...new Set(left)].join(', ');
  const reason = `${what} was put right ${correctionsMax} times within a day and differs again, so it is left until a day has passed; look in the history who or what changes it, and stop that`;
  return [{ link: link.id, about: aboutOf(link, mirror), reason, needsPerson: true }];
}

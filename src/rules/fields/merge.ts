import { otherSide, type Side } from '../../model/ids.ts';
import type { FieldName, Fields, Value } from '../../model/item.ts';
import { aboutOf, type Base, type Link } from '../../model/link.ts';
import type { Skip } from '../../model/plan/operation.ts';
import type { Direction, Route } from '../../model/route.ts';
import type { LedgerLine } from '../../model/store.ts';
import { elementsOf, equalValues, isSet, namesIn, sorted } from '../../text/canonical.ts';
import { isOpenView } from './status.ts';

/**
 * Three-way merge of one linked pair, field by field. Each side is compared with its own value from when both last
 * agreed.
 *
 *   tracker | github    | verdict
 *   --------+-----------+------------------------------------------------------------
 *   equal values        | agreed
 *   same    | same      | agreed, although the two sides spell it differently
 *   changed | same      | the tracker's value travels to GitHub
 *   same    | changed   | GitHub's value travels to the tracker
 *   changed | changed   | conflict: `decide` returns the side that wins, or null for a person
 *   never agreed        | first contact: any difference is a conflict, unless one side is empty; then the other side's
 *                       value travels
 *   was foreign | same  | likewise changed: the side showed a person or milestone that the other cannot have, and
 *                       | somebody has set another since; in both columns. Showing nothing since is no news
 *
 * Sets merge by element, so two people adding different keywords do not conflict.
 * A field owned by the tracker has no conflicts: GitHub's value is reset.
 * On a one-way route all fields are owned by one side: see `mergeOneWay`.
 */
export interface Merged {
  /** Values to write, per side. */
  readonly write: Readonly<Record<Side, Fields>>;
  /** Fields on which both sides now agree, as each shows it. */
  readonly agreed: Base;
  readonly conflicts: readonly FieldConflict[];
  /** Fields that people changed on the mirror of a one-way route, and that are reset. */
  readonly corrects: readonly FieldName[];
  /** The values for fields that are changed on the mirror again and again, and are left alone for now. */
  readonly left: Fields;
}

interface FieldConflict {
  readonly field: FieldName;
  readonly tracker: Value;
  readonly github: Value;
  readonly kept: Side | null;
}

interface MergeRules {
  /** True when only the tracker may change this field. */
  readonly isTrackers: (field: FieldName, github: Value) => boolean;
  /** True if people set both values, so that even a set and an empty value are a conflict until both sides agree. */
  readonly isAsked: (field: FieldName) => boolean;
  readonly decide: (field: FieldName) => Side | null;
  /** Null on a two-way route. */
  readonly oneWay: OneWay | null;
}

export function merge(base: Base | null, tracker: Fields, github: Fields, rules: MergeRules): Merged {
  const write: Record<Side, Record<string, Value>> = { tracker: {}, github: {} };
  const agreed: Record<Side, Record<string, Value>> = { tracker: {}, github: {} };
  const conflicts: FieldConflict[] = [];
  const corrects: FieldName[] = [];
  const left: Record<string, Value> = {};
  for (const field of namesIn(tracker, github)) {
    const [t, g] = [tracker[field], github[field]];
    if (t === undefined || g === undefined) continue;
    const [bt, bg] = [base?.tracker[field], base?.github[field]];
    const isTrackers = rules.isTrackers(field, g);
    const verdict =
      rules.oneWay === null
        ? mergeField(bt, bg, t, g, { isTrackers, isAsked: rules.isAsked(field) })
        : mergeOneWay(rules.oneWay, { field, bt, bg, t, g, isTrackers });
    if (verdict.kind === 'agreed') {
      agreed.tracker[field] = verdict.tracker ?? t;
      agreed.github[field] = g;
    } else if (verdict.kind === 'left') {
      if (verdict.wanted !== undefined) left[field] = verdict.wanted;
    } else if (verdict.kind === 'write') {
      if (verdict.isDrift) corrects.push(field);
      if (verdict.tracker !== undefined) write.tracker[field] = verdict.tracker;
      if (verdict.github !== undefined) write.github[field] = verdict.github;
    } else {
      const kept = rules.decide(field);
      conflicts.push({ field, tracker: t, github: g, kept });
      if (kept !== null) write[otherSide(kept)][field] = kept === 'tracker' ? t : g;
    }
  }
  return { write, agreed, conflicts, corrects, left };
}

/**
 *   agreed    nothing to write; `tracker` is the agreed part of the tracker's value, if not all of it is
 *   write     `isDrift` if people changed the side that is written, and only the bridge should write there
 *   left      nothing is written or agreed; `wanted` is the value, if the write is only put off
 *   conflict  both sides have changed
 */
type Verdict =
  | { readonly kind: 'agreed'; readonly tracker?: Value }
  | { readonly kind: 'write'; readonly tracker?: Value; readonly github?: Value; readonly isDrift?: boolean }
  | { readonly kind: 'left'; readonly wanted?: Value }
  | { readonly kind: 'conflict' };

type Rules = Readonly<Record<'isTrackers' | 'isAsked', boolean>>;

function mergeField(
  bt: Value | undefined,
  bg: Value | undefined,
  t: Value,
  g: Value,
  { isTrackers, isAsked }: Rules,
): Verdict {
  if (equalValues(t, g)) return { kind: 'agreed' };
  const known = bt !== undefined && bg !== undefined;
  if (known && equalValues(t, bt) && equalValues(g, bg)) return { kind: 'agreed' };
  if (isTrackers) return { kind: 'write', github: t };
  if (isSet(t) && isSet(g) && !isAsked) return mergeSets(isSet(bt) ? bt : [], isSet(bg) ? bg : [], t, g);
  if (!known && isAsked) return { kind: 'conflict' };
  if (bg !== undefined && equalValues(g, bg)) return { kind: 'write', github: t };
  if (bt !== undefined && equalValues(t, bt)) return { kind: 'write', tracker: g };
  if (bg === undefined && g === null) return { kind: 'write', github: t };
  if (bt === undefined && t === null) return { kind: 'write', tracker: g };
  return { kind: 'conflict' };
}

function mergeSets(bt: readonly string[], bg: readonly string[], t: readonly string[], g: readonly string[]): Verdict {
  const minus = (from: readonly string[], what: readonly string[]) => from.filter((element) => !what.includes(element));
  const toGithub = sorted([...minus(g, minus(bt, t)), ...minus(t, bt)]);
  const toTracker = sorted([...minus(t, minus(bg, g)), ...minus(g, bg)]);
  const tracker = equalValues(toTracker, t) ? {} : { tracker: toTracker };
  const github = equalValues(toGithub, g) ? {} : { github: toGithub };
  return 'tracker' in tracker || 'github' in github ? { kind: 'write', ...tracker, ...github } : { kind: 'agreed' };
}

/**
 * The side that wins a conflict; null if a person decides. Also on first contact: a pair that the bridge made has a
 * base from the start, so without a base it is unknown which side changed, even if our account wrote one end.
 */
export function winner(route: Route, { tracker, github }: Link): Side | null {
  const upstream = upstreamOf(route.direction);
  if (upstream !== null) return upstream;
  if (route.conflicts === 'ask') return null;
  if (route.conflicts !== 'newest') return route.conflicts;
  return (github?.changedAt ?? 0) > (tracker?.changedAt ?? 0) ? 'github' : 'tracker';
}

/**
 * A merge that does not repeat a change that came from a label and that the tracker refused: the tracker's value wins
 * there, and the label is reset. A route that does not write to GitHub keeps the label, and the request.
 * @param refused the last values that the tracker refused for this link, field by field
 */
export function mergeUnrefused(
  route: Route,
  refused: Fields,
  { base, tracker, github }: { readonly base: Base | null; readonly tracker: Fields; readonly github: Fields },
  rules: MergeRules,
): { readonly merged: Merged; readonly refused: readonly FieldName[] } {
  const merged = merge(base, tracker, github, rules);
  const names = route.labels.map(({ from }) => from).filter((name) => isAsked(merged, refused, name));
  if (names.length === 0 || route.direction !== 'both') return { merged, refused: [] };
  const isTrackers: MergeRules['isTrackers'] = (field, value) =>
    names.some((name) => name === field) || rules.isTrackers(field, value);
  return { merged: merge(base, tracker, github, { ...rules, isTrackers }), refused: names };
}

function isAsked({ write }: Merged, refused: Fields, name: FieldName): boolean {
  const wished = write.tracker[name];
  return wished !== undefined && refused[name] !== undefined && equalValues(wished, refused[name]);
}

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
 * The last line is for routes to the tracker. They write nothing on GitHub, so a missing label, assignee or milestone
 * there says nothing, an open issue says only that it is open, and only those elements of a set that are present on
 * GitHub are restored. Removing something on GitHub is a change like any other.
 */
function mergeOneWay({ upstream, isWornOut }: OneWay, { field, bt, bg, t, g, isTrackers }: Field): Verdict {
  const isToTracker = upstream === 'github';
  if (equalValues(t, g)) return { kind: 'agreed' };
  const isKnown = bt !== undefined && bg !== undefined;
  if (isKnown && equalValues(t, bt) && equalValues(g, bg)) return { kind: 'agreed' };
  if (isToTracker && isTrackers) return { kind: 'left' };
  const [truth, shown] = isToTracker ? [g, t] : [t, g];
  const [was, wasShown] = isToTracker ? [bg, bt] : [bt, bg];
  if (isSet(truth) && isSet(shown)) return mergeSetsOneWay(upstream, isWornOut(field), { truth, shown, was, wasShown });
  const isNews = isKnown && !equalValues(truth, was);
  if (isToTracker && !isNews && isSilent(field, truth, shown)) return { kind: 'left' };
  if (!isKnown && shown !== null && !(wasShown !== undefined && equalValues(shown, wasShown)))
    return { kind: 'conflict' };
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
function mergeSetsOneWay(upstream: Side, isWornOut: boolean, { truth, shown, was, wasShown }: Sets): Verdict {
  const isToTracker = upstream === 'github';
  const [before, shownBefore] = [elementsOf(was), elementsOf(wasShown)];
  const missing = truth.filter(
    (each) => !shown.includes(each) && !(before.includes(each) && !shownBefore.includes(each)),
  );
  const extra = shown.filter(
    (each) => !truth.includes(each) && !(shownBefore.includes(each) && !before.includes(each)),
  );
  const theirs = isToTracker ? extra.filter((each) => !shownBefore.includes(each)) : [];
  const surplus = extra.filter((each) => !theirs.includes(each));
  if (missing.length + surplus.length === 0)
    return { kind: 'agreed', ...(isToTracker ? { tracker: shown.filter((each) => !theirs.includes(each)) } : {}) };
  const isDrift =
    was !== undefined &&
    (missing.some((each) => before.includes(each)) || surplus.some((each) => !shownBefore.includes(each)));
  const target = sorted([...shown.filter((each) => !surplus.includes(each)), ...missing]);
  if (isDrift && isWornOut && equalValues(truth, was)) return { kind: 'left', wanted: target };
  return { kind: 'write', [otherSide(upstream)]: target, isDrift };
}

/** The side that is right on a one-way route; null on a two-way route. */
export const upstreamOf = (direction: Direction): Side | null =>
  direction === 'both' ? null : direction === 'to-github' ? 'tracker' : 'github';

/** The side that only the bridge should write; null on a two-way route. */
export function mirrorOf(direction: Direction): Side | null {
  const upstream = upstreamOf(direction);
  return upstream === null ? null : otherSide(upstream);
}

/**
 * How often a field of one pair is reset within `correctionsMs`: people stop when they notice, and a fight with another
 * program must end.
 */
const correctionsMax = 5;
export const correctionsMs = 86_400_000;

/** @param corrected fields that were reset within `correctionsMs`, one element for each time */
export function oneWayOf(direction: Direction, corrected: readonly FieldName[]): OneWay | null {
  const upstream = upstreamOf(direction);
  return upstream === null
    ? null
    : { upstream, isWornOut: (field) => corrected.filter((each) => each === field).length >= correctionsMax };
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
  const reason = `${what} was reset ${correctionsMax} times within a day and differs again, so it is left alone for a day; check the history for the person or program that changes it, and stop that`;
  return [{ link: link.id, about: aboutOf(link, mirror), reason, needsPerson: true }];
}

import { otherSide, type Side } from '../model/ids.ts';
import type { FieldName, Fields, Value } from '../model/item.ts';
import type { Base } from '../model/link.ts';
import type { Route } from '../model/route.ts';
import { equalValues, isSet, namesIn, sorted } from '../text/canonical.ts';
import { mergeOneWay, type OneWay } from './one-way.ts';

/**
 * Three-way merge of one linked pair, field by field. Each side is compared with its own value from when both last agreed.
 *
 *   tracker | github    | verdict
 *   --------+-----------+------------------------------------------------------------
 *   equal values        | agreed
 *   same    | same      | agreed, although the two sides spell it differently
 *   changed | same      | the tracker's value travels to GitHub
 *   same    | changed   | GitHub's value travels to the tracker
 *   changed | changed   | conflict: `decide` returns the side that wins, or null for a person
 *   never agreed        | first contact: any difference is a conflict, unless one side is empty; then the other side's value travels
 *
 * Sets merge by element, so two people adding different keywords do not conflict.
 * A field owned by the tracker has no conflicts: GitHub's value is reset.
 * On a one-way route all fields are owned by one side: see `one-way.ts`.
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

export interface FieldConflict {
  readonly field: FieldName;
  readonly tracker: Value;
  readonly github: Value;
  readonly kept: Side | null;
}

export interface MergeRules {
  /** True when only the tracker may change this field. */
  readonly isTrackers: (field: FieldName, github: Value) => boolean;
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
      rules.oneWay === null ? mergeField(bt, bg, t, g, isTrackers) : mergeOneWay(rules.oneWay, { field, bt, bg, t, g, isTrackers });
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
export type Verdict =
  | { readonly kind: 'agreed'; readonly tracker?: Value }
  | { readonly kind: 'write'; readonly tracker?: Value; readonly github?: Value; readonly isDrift?: boolean }
  | { readonly kind: 'left'; readonly wanted?: Value }
  | { readonly kind: 'conflict' };

function mergeField(bt: Value | undefined, bg: Value | undefined, t: Value, g: Value, isTrackers: boolean): Verdict {
  if (equalValues(t, g)) return { kind: 'agreed' };
  const known = bt !== undefined && bg !== undefined;
  if (known && equalValues(t, bt) && equalValues(g, bg)) return { kind: 'agreed' };
  if (isTrackers) return { kind: 'write', github: t };
  if (isSet(t) && isSet(g)) return mergeSets(isSet(bt) ? bt : [], isSet(bg) ? bg : [], t, g);
  if (!known && g === null) return { kind: 'write', github: t };
  if (!known && t === null) return { kind: 'write', tracker: g };
  if (!known) return { kind: 'conflict' };
  if (equalValues(g, bg)) return { kind: 'write', github: t };
  if (equalValues(t, bt)) return { kind: 'write', tracker: g };
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
 * A merge that does not repeat a change that came from a label and that the tracker refused: the tracker's value wins there, and
 * the label is reset. A route that does not write to GitHub keeps the label, and the request.
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
  const isTrackers: MergeRules['isTrackers'] = (field, value) => names.some((name) => name === field) || rules.isTrackers(field, value);
  return { merged: merge(base, tracker, github, { ...rules, isTrackers }), refused: names };
}

function isAsked({ write }: Merged, refused: Fields, name: FieldName): boolean {
  const wished = write.tracker[name];
  return wished !== undefined && refused[name] !== undefined && equalValues(wished, refused[name]);
}

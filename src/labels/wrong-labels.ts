import type { ForeignLabel } from '../fields/comparable.ts';
import type { Fields, FieldValues, Value } from '../model/item.ts';
import type { WrongLabel } from '../model/label-event.ts';
import type { Base } from '../model/link.ts';
import type { LabelRule, Route, Vocabulary } from '../model/route.ts';
import { equalValues, isSet } from '../text/canonical.ts';
import { shownIn } from './issue-fields.ts';
import { labelsFor, takesNothing } from './labels.ts';

interface Seen {
  readonly base: Base | null;
  readonly tracker: Fields;
  readonly github: Fields;
  /** All labels of the issue. */
  readonly labels: readonly string[];
  readonly foreign: readonly ForeignLabel[];
  /** The type of the issue; null for none. */
  readonly type: string | null;
  /** The values of the organisation's fields; absent if GitHub does not report them. */
  readonly fields?: FieldValues;
  /** Fields whose change on GitHub the tracker refused. */
  readonly refused: readonly string[];
}

/** The wrong labels, types and field values of an issue. */
export function wrongLabels(route: Route, vocabulary: Vocabulary, seen: Seen): readonly WrongLabel[] {
  const unknown = seen.foreign.map(({ label, rule }) => ({ label, rule, event: 'labeled', why: 'unknown' }) as const);
  return [...unknown, ...route.labels.flatMap((rule) => wrongBy(rule, vocabulary, seen))];
}

function wrongBy(rule: LabelRule, vocabulary: Vocabulary, seen: Seen): readonly WrongLabel[] {
  if (rule.isType) return wrongType(rule, seen);
  return rule.field === undefined ? wrongIn(rule, vocabulary, seen) : wrongField(rule, vocabulary, rule.field, seen);
}

/** Without a base, the author of a change is unknown, and the label is reset without an explanation. */
function wrongIn(rule: LabelRule, vocabulary: Vocabulary, { base, tracker, github, labels, refused }: Seen): readonly WrongLabel[] {
  const [t, g, before] = [tracker[rule.from], github[rule.from], base?.github[rule.from]];
  if (t === undefined || g === undefined || before === undefined || equalValues(g, before)) return [];
  const why = refused.includes(rule.from) ? 'refused' : !rule.both ? 'one-way' : isMissing(rule, vocabulary, g) ? 'needed' : null;
  if (why === null) return [];
  const shown = (value: Value) => labelsFor(rule, value);
  const wanted = shown(t);
  const added = without(without(shown(g), shown(before)), wanted).map((label) => ({ label, rule, why, event: 'labeled' }) as const);
  // Replacing a label is explained once, for the new label.
  if (added.length > 0) return added;
  return without(shown(before), labels)
    .filter((label) => wanted.includes(label))
    .map((label) => ({ label, rule, why, event: 'unlabeled' }) as const);
}

/**
 * A type that people chose in place of the right one, or removed. If the right type is not the previous one, the organisation may
 * lack it, and nothing is explained.
 */
function wrongType(rule: LabelRule, { base, tracker, github, refused, type }: Seen): readonly WrongLabel[] {
  const [t, g, before] = [tracker[rule.from], github[rule.from], base?.github[rule.from]];
  if (t === undefined || g === undefined || before === undefined || equalValues(g, before) || !equalValues(t, before)) return [];
  const [right] = labelsFor(rule, before);
  const isUnknown = g === null && type !== null;
  const why = refused.includes(rule.from) ? 'refused' : !rule.both ? 'one-way' : isUnknown ? 'unknown' : g === null ? 'needed' : null;
  if (why === null) return [];
  if (type !== null) return [{ label: type, rule, why, event: 'typed' }];
  return right === undefined ? [] : [{ label: right, rule, why, event: 'untyped' }];
}

/**
 * As with labels; and, as with types, also values that the tracker does not know. If a field holds several options, unknown ones
 * belong to people.
 */
function wrongField(rule: LabelRule, vocabulary: Vocabulary, field: string, seen: Seen): readonly WrongLabel[] {
  const [t, g, before] = [seen.tracker[rule.from], seen.github[rule.from], seen.base?.github[rule.from]];
  const shown = shownIn(seen, field) ?? [];
  const [unknown] = shown;
  if (g === null && unknown !== undefined) {
    const isNews = before !== undefined && before !== null && equalValues(t, before);
    return isNews ? [{ label: unknown, rule, event: 'filled', field, why: rule.both ? 'unknown' : 'one-way' }] : [];
  }
  return wrongIn(rule, vocabulary, { ...seen, labels: shown }).map((each) => ({
    ...each,
    field,
    event: each.event === 'labeled' ? 'filled' : 'emptied',
  }));
}

const isMissing = ({ from }: LabelRule, vocabulary: Vocabulary, value: Value): boolean =>
  !isSet(value) && value === null && !takesNothing(from, vocabulary);

function without(list: readonly string[], what: readonly string[]): readonly string[] {
  const lower = new Set(what.map((each) => each.toLowerCase()));
  return list.filter((each) => !lower.has(each.toLowerCase()));
}

import type { Fields, FieldValues, Issue, Value } from '../model/item.ts';
import type { IssuePatch } from '../model/operation.ts';
import type { LabelRule, Route, Vocabulary } from '../model/route.ts';
import { isSet } from '../text/canonical.ts';
import { isSeveral, labelsFor, valuesIn } from './labels.ts';

/** The value of an organisation's field on an issue; undefined if GitHub does not report fields. */
export function shownIn({ fields }: Pick<Issue, 'fields'>, name: string): readonly string[] | undefined {
  if (fields === undefined) return undefined;
  return Object.hasOwn(fields, name) ? [fields[name] ?? []].flat() : [];
}

/** The tracker's value for a rule's field. An unknown value counts as none, and is reset. */
export function fieldIn(rule: LabelRule, vocabulary: Vocabulary, issue: Issue, seen: readonly (Value | undefined)[]): Value | undefined {
  const shown = shownIn(issue, rule.field ?? '');
  if (shown === undefined) return undefined;
  const values = valuesIn(rule, vocabulary, seen.flatMap(elements), shown);
  return isSeveral(rule, vocabulary, seen) ? values : (values[0] ?? null);
}

/** The fields of a new issue. */
export function fieldsOfDraft({ labels }: Route, fields: Fields): FieldValues {
  const values = labels.flatMap((rule): readonly (readonly [string, string | readonly string[]])[] => {
    const value = fields[rule.from];
    const [first, ...rest] = rule.field === undefined ? [] : labelsFor(rule, value);
    return rule.field === undefined || first === undefined ? [] : [[rule.field, isSet(value) ? [first, ...rest] : first]];
  });
  return Object.fromEntries(values);
}

/** The changes that bring an issue's fields to `target`; undefined if there are none. */
export function fieldPatch(route: Route, vocabulary: Vocabulary, issue: Issue, target: Fields): IssuePatch['fields'] {
  const changes = route.labels.flatMap((rule): readonly (readonly [string, string | readonly string[] | null])[] => {
    const value = target[rule.from];
    const shown = shownIn(issue, rule.field ?? '');
    if (rule.field === undefined || value === undefined || shown === undefined) return [];
    const wanted = [...(isSet(value) ? foreignIn(rule, vocabulary, shown, value) : []), ...labelsFor(rule, value)];
    if (isSame(wanted, shown)) return [];
    return [[rule.field, isSet(value) && wanted.length > 0 ? wanted : (wanted[0] ?? null)]];
  });
  return changes.length === 0 ? undefined : Object.fromEntries(changes);
}

/** The fields of an issue once nothing of the tracker may show. Options that match no value of the tracker belong to people, and stay. */
export function fieldsWithdrawn(
  route: Route,
  vocabulary: Vocabulary,
  issue: Issue,
  known: (from: string) => readonly string[],
): IssuePatch['fields'] {
  const changes = route.labels.flatMap((rule): readonly (readonly [string, readonly string[] | null])[] => {
    const shown = shownIn(issue, rule.field ?? '') ?? [];
    if (rule.field === undefined || shown.length === 0) return [];
    if (!isSeveral(rule, vocabulary, [])) return [[rule.field, null]];
    const left = foreignIn(rule, vocabulary, shown, known(rule.from));
    return left.length === shown.length ? [] : [[rule.field, left.length === 0 ? null : left]];
  });
  return changes.length === 0 ? undefined : Object.fromEntries(changes);
}

/** Of several options, those that match no value of the tracker. */
const foreignIn = (rule: LabelRule, vocabulary: Vocabulary, shown: readonly string[], known: readonly string[]): readonly string[] =>
  shown.filter((option) => valuesIn(rule, vocabulary, known, [option]).length === 0);

function isSame(one: readonly string[], other: readonly string[]): boolean {
  const present = new Set(other.map((each) => each.toLowerCase()));
  return one.length === other.length && one.every((each) => present.has(each.toLowerCase()));
}

const elements = (value: Value | undefined): readonly string[] => (isSet(value) ? value : typeof value === 'string' ? [value] : []);

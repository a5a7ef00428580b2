import type { Fields, FieldValues, Issue, Value } from '../model/item.ts';
import type { IssuePatch } from '../model/operation.ts';
import type { LabelRule, Route, Vocabulary } from '../model/route.ts';
import { isSet } from '../text/canonical.ts';
import { isSeveral, labelsFor, valuesIn } from './labels.ts';

/** What a field of the organisation holds on an issue; undefined where GitHub does not tell of fields. */
export function shownIn({ fields }: Pick<Issue, 'fields'>, name: string): readonly string[] | undefined {
  if (fields === undefined) return undefined;
  return Object.hasOwn(fields, name) ? [fields[name] ?? []].flat() : [];
}

/** The tracker's value that a rule's field stands for. Something that stands for none is as good as nothing, and is put right like that. */
export function fieldIn(rule: LabelRule, vocabulary: Vocabulary, issue: Issue, seen: readonly (Value | undefined)[]): Value | undefined {
  const shown = shownIn(issue, rule.field ?? '');
  if (shown === undefined) return undefined;
  const values = valuesIn(rule, vocabulary, seen.flatMap(elements), shown);
  return isSeveral(rule, vocabulary, seen) ? values : (values[0] ?? null);
}

/** What a new issue's fields hold. */
export function fieldsOfDraft({ labels }: Route, fields: Fields): FieldValues {
  const told = labels.flatMap((rule): readonly (readonly [string, string | readonly string[]])[] => {
    const value = fields[rule.from];
    const [first, ...rest] = rule.field === undefined ? [] : labelsFor(rule, value);
    return rule.field === undefined || first === undefined ? [] : [[rule.field, isSet(value) ? [first, ...rest] : first]];
  });
  return Object.fromEntries(told);
}

/** What has to change in an issue's fields, so that they say what `target` does; undefined when nothing has to. */
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

/** What is left of an issue's fields when nothing of the tracker may show. Options that stand for no value of it are people's. */
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

/** Of several options those that stand for no value of the tracker. */
const foreignIn = (rule: LabelRule, vocabulary: Vocabulary, shown: readonly string[], known: readonly string[]): readonly string[] =>
  shown.filter((option) => valuesIn(rule, vocabulary, known, [option]).length === 0);

function isSame(one: readonly string[], other: readonly string[]): boolean {
  const present = new Set(other.map((each) => each.toLowerCase()));
  return one.length === other.length && one.every((each) => present.has(each.toLowerCase()));
}

const elements = (value: Value | undefined): readonly string[] => (isSet(value) ? value : typeof value === 'string' ? [value] : []);

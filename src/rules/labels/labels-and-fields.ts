/**
 * Where a route shows a field on GitHub: as labels, as the type of the issue, or in a field of the organisation; and
 * the way back.
 */

import type { CustomName, Fields, FieldValues, Issue, Value } from '../../model/item.ts';
import type { IssuePatch } from '../../model/plan/draft.ts';
import type { LabelRule, Route, Vocabulary } from '../../model/route.ts';
import { elementsOrText, isCustom, isSet, sorted, withoutAddresses } from '../../text/canonical.ts';
import { isTag } from './tags.ts';

/**
 * The label for a value of a bug's field; rules may also show a field in another place of the issue that holds names.
 * The bridge touches only labels that a rule could have written with a value the tracker knows: all other labels belong
 * to people. GitHub compares label names case-insensitively.
 */
export function labelOf(rule: LabelRule, value: string): string {
  const label = rule.as.replace('{value}', () => withoutAddresses(value));
  if (label.length <= labelMax || rule.field !== undefined) return label;
  const characters = [...label];
  return characters.length <= labelMax ? label : `${characters.slice(0, labelMax - 1).join('')}…`;
}

/** Whether the rule shows labels, and not another place of the issue. */
export const isLabelRule = ({ isType, field }: LabelRule): boolean => !isType && field === undefined;

/** GitHub refuses an issue with a longer label name. */
export const labelMax = 50;

/** The labels for a field's value. */
export function labelsFor(rule: LabelRule, value: Value | undefined): readonly string[] {
  if (value === undefined || value === null || value === '') return [];
  return (isSet(value) ? value : [value as string]).map((each) => labelOf(rule, each));
}

/**
 * The tracker's values for labels, in the tracker's spelling.
 * @param known values to recognise in addition to the vocabulary: the link's current and former values
 */
export function valuesIn(
  rule: LabelRule,
  vocabulary: Vocabulary,
  known: readonly string[],
  labels: readonly string[],
): readonly string[] {
  const spelled = new Map(
    [...known, ...choicesOf(rule, vocabulary)].map((value) => [labelOf(rule, value).toLowerCase(), value]),
  );
  const [before = '', after = ''] = rule.as.split('{value}');
  // If the tracker does not report its values, a template with fixed words still identifies its labels; a field of the
  // organisation is always ours.
  const takesAny = vocabulary.values[rule.from] === undefined && (before + after !== '' || rule.field !== undefined);
  const values: string[] = [];
  for (const label of labels) {
    // No control character gets into the tracker's fields; values that it has already keep theirs.
    const other = takesAny && !/\p{Cc}/u.test(label) ? between(label, before, after) : null;
    const spelling =
      spelled.get(label.toLowerCase()) ?? (other !== null && isHeld(rule, vocabulary, other) ? other : null);
    if (spelling !== null && (rule.from !== 'whiteboard' || isTag(spelling))) values.push(spelling);
  }
  return sorted(values);
}

/** The tracker's value for nothing chosen in a custom field. */
export const noChoice = '---';

/** Whether a custom field can be empty; stock fields cannot. */
export const takesNothing = (field: string, vocabulary: Vocabulary): boolean =>
  isCustom(field) &&
  (isDay(field, vocabulary) || isNumber(field, vocabulary) || (vocabulary.values[field]?.includes(noChoice) ?? false));

/** Whether a field holds a day. */
export const isDay = (field: CustomName, { customs }: Pick<Vocabulary, 'customs'>): boolean =>
  field === 'deadline' || customs?.[field] === 'day';

/** Whether a field holds a whole number. */
export const isNumber = (field: CustomName, { customs }: Pick<Vocabulary, 'customs'>): boolean =>
  customs?.[field] === 'number';

/** The tracker's value for nothing in such a field; it has no empty number. */
export const nothingIn = (field: CustomName, vocabulary: Vocabulary): string =>
  isDay(field, vocabulary) ? '' : isNumber(field, vocabulary) ? '0' : noChoice;

/** Whether the tracker accepts such a value in a field without a list of values. */
function isHeld({ from }: LabelRule, vocabulary: Vocabulary, value: string): boolean {
  if (!isCustom(from)) return true;
  if (isDay(from, vocabulary)) return /^\d{4}-\d\d-\d\d$/u.test(value);
  return !isNumber(from, vocabulary) || (/^(?:0|-?[1-9]\d*)$/u.test(value) && Math.abs(Number(value)) <= numberMax);
}

/** MySQL keeps a custom number in three bytes. */
const numberMax = 8_388_607;

/** Whether a field holds several values at once. @param seen its current and former values, if known */
export function isSeveral({ from }: LabelRule, { customs }: Vocabulary, seen: readonly (Value | undefined)[]): boolean {
  if (!isCustom(from)) return from === 'keywords' || from === 'whiteboard';
  return customs?.[from] === 'several' || seen.some(isSet);
}

/** The additional fields that the tracker must be asked for: labels show them, or thumbs up show in them. */
export const fieldsOfLabels = ({ labels, thumbsUp }: Pick<Route, 'labels' | 'thumbsUp'>): readonly string[] => {
  const shown = labels.map(({ from }) => from).filter((from) => from === 'whiteboard' || isCustom(from));
  return thumbsUp ? [...new Set([...shown, 'whiteboard'])] : shown;
};

/** The tracker's values that labels may show, as far as it reports them. */
export function choicesOf({ from }: LabelRule, { values }: Vocabulary): readonly string[] {
  const choices = values[from] ?? [];
  return isCustom(from) ? choices.filter((value) => value !== noChoice) : choices;
}

/** The labels to remove and to add, so that of the `owned` labels only the `wanted` ones remain. */
export function labelChange(owned: readonly string[], wanted: readonly string[], labels: readonly string[]) {
  const lower = (list: readonly string[]) => new Set(list.map((label) => label.toLowerCase()));
  const [ownedSet, wantedSet, present] = [lower(owned), lower(wanted), lower(labels)];
  return {
    add: wanted.filter((label) => !present.has(label.toLowerCase())),
    remove: labels.filter((label) => ownedSet.has(label.toLowerCase()) && !wantedSet.has(label.toLowerCase())),
  };
}

/**
 * Whether a label has the fixed words of the rule's template, and something in place of the value. A template without
 * fixed words identifies no label.
 */
export function fitsTemplate({ as }: LabelRule, label: string): boolean {
  const [before = '', after = ''] = as.split('{value}');
  return before + after !== '' && between(label, before, after) !== null;
}

function between(label: string, before: string, after: string): string | null {
  const lower = label.toLowerCase();
  if (label.length <= before.length + after.length) return null;
  if (!lower.startsWith(before.toLowerCase()) || !lower.endsWith(after.toLowerCase())) return null;
  return label.slice(before.length, label.length - after.length);
}

/** The value of an organisation's field on an issue; undefined if GitHub does not report fields. */
export function shownIn({ fields }: Pick<Issue, 'fields'>, name: string): readonly string[] | undefined {
  if (fields === undefined) return undefined;
  return Object.hasOwn(fields, name) ? [fields[name] ?? []].flat() : [];
}

/** What a place that holds names shows, in the tracker's terms. */
interface NamesReading {
  readonly value: Value;
  /**
   * Whether it is a name that the tracker does not know. It is reset; until then it is its own value, and is not
   * mistaken for none.
   */
  readonly isUnknown: boolean;
}

/** @param bug the tracker's current value. @param past GitHub's value when both sides last agreed */
export function readNames(
  rule: LabelRule,
  vocabulary: Vocabulary,
  names: readonly string[],
  bug?: Value,
  past?: Value,
): NamesReading {
  const values = valuesIn(rule, vocabulary, [...elementsOrText(past), ...elementsOrText(bug)], names);
  if (isSeveral(rule, vocabulary, [bug, past])) return { value: values, isUnknown: false };
  const isUnknown = names.length > 0 && valuesIn(rule, vocabulary, elementsOrText(bug), names).length === 0;
  return { value: values[0] ?? names[0] ?? null, isUnknown };
}

/** The fields of a new issue. */
export function fieldsOfDraft({ labels }: Route, fields: Fields): FieldValues {
  const values = labels.flatMap((rule): readonly (readonly [string, string | readonly string[]])[] => {
    const value = fields[rule.from];
    const [first, ...rest] = rule.field === undefined ? [] : labelsFor(rule, value);
    return rule.field === undefined || first === undefined
      ? []
      : [[rule.field, isSet(value) ? [first, ...rest] : first]];
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

/**
 * The fields of an issue once nothing of the tracker may show. Options that match no value of the tracker belong to
 * people, and stay.
 */
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
const foreignIn = (
  rule: LabelRule,
  vocabulary: Vocabulary,
  shown: readonly string[],
  known: readonly string[],
): readonly string[] => shown.filter((option) => valuesIn(rule, vocabulary, known, [option]).length === 0);

function isSame(one: readonly string[], other: readonly string[]): boolean {
  const present = new Set(other.map((each) => each.toLowerCase()));
  return one.length === other.length && one.every((each) => present.has(each.toLowerCase()));
}

/** Whether the tracker reports its keywords, and this one is not among them, in whatever case. */
export const lacksKeyword = ({ values: { keywords } }: Pick<Vocabulary, 'values'>, keyword: string): boolean =>
  keywords?.some((each) => each.toLowerCase() === keyword.toLowerCase()) === false;

import { isTag } from '../fields/tags.ts';
import type { Value } from '../model/item.ts';
import type { LabelRule, Route, Vocabulary } from '../model/route.ts';
import { isCustom, isSet, sorted } from '../text/canonical.ts';
import { withoutAddresses } from '../text/characters.ts';

/**
 * A rule shows a bug's field as labels, or in another place of the issue that holds names in the same way. The bridge touches only labels that a rule could have written with a value the
 * tracker knows: everything else on an issue belongs to people. GitHub compares label names without regard to case.
 */
export function labelOf(rule: LabelRule, value: string): string {
  const label = rule.as.replace('{value}', () => withoutAddresses(value));
  if (label.length <= labelMax || rule.field !== undefined) return label;
  const characters = [...label];
  return characters.length <= labelMax ? label : `${characters.slice(0, labelMax - 1).join('')}…`;
}

/** Whether it shows as labels, and not in another place of the issue. */
export const isLabelRule = ({ isType, field }: LabelRule): boolean => !isType && field === undefined;

/** GitHub refuses longer names, and with them the whole issue. */
export const labelMax = 50;

/** The labels that a field's value asks for. */
export function labelsFor(rule: LabelRule, value: Value | undefined): readonly string[] {
  if (value === undefined || value === null || value === '') return [];
  return (isSet(value) ? value : [value as string]).map((each) => labelOf(rule, each));
}

/**
 * The tracker's values that labels stand for, in the tracker's spelling.
 * @param known values to recognise besides the vocabulary: those that the link holds or held
 */
export function valuesIn(rule: LabelRule, vocabulary: Vocabulary, known: readonly string[], labels: readonly string[]): readonly string[] {
  const spelled = new Map([...known, ...choicesOf(rule, vocabulary)].map((value) => [labelOf(rule, value).toLowerCase(), value]));
  const [before = '', after = ''] = rule.as.split('{value}');
  // Where the tracker does not tell its values, a template with words of its own still tells whose label it is, and a field is all ours.
  const takesAny = vocabulary.values[rule.from] === undefined && (before + after !== '' || rule.field !== undefined);
  const values: string[] = [];
  for (const label of labels) {
    const spelling = spelled.get(label.toLowerCase()) ?? (takesAny ? between(label, before, after) : null);
    if (spelling !== null && (rule.from !== 'whiteboard' || isTag(spelling))) values.push(spelling);
  }
  return sorted(values);
}

/** How the tracker says that nothing is chosen in a custom field. */
export const noChoice = '---';

/** Whether a custom field can be without a choice; the stock fields cannot. */
export const takesNothing = (field: string, { values }: Vocabulary): boolean =>
  isCustom(field) && (values[field]?.includes(noChoice) ?? false);

/** Whether a field holds several values at once. @param seen what it holds or held, where that is known */
export function isSeveral({ from }: LabelRule, { customs }: Vocabulary, seen: readonly (Value | undefined)[]): boolean {
  if (!isCustom(from)) return from === 'keywords' || from === 'whiteboard';
  return customs?.[from] === 'several' || seen.some(isSet);
}

/** The fields that a tracker has to be asked for besides the usual ones, because labels show them. */
export const fieldsOfLabels = ({ labels }: Pick<Route, 'labels'>): readonly string[] =>
  labels.map(({ from }) => from).filter((from) => from === 'whiteboard' || isCustom(from));

/** The tracker's values that labels may stand for, as far as it tells them. */
export function choicesOf({ from }: LabelRule, { values }: Vocabulary): readonly string[] {
  const told = values[from] ?? [];
  return isCustom(from) ? told.filter((value) => value !== noChoice) : told;
}

/** Which of `labels` are to be removed and which are missing, so that of the `owned` ones only `wanted` remain. */
export function labelChange(owned: readonly string[], wanted: readonly string[], labels: readonly string[]) {
  const lower = (list: readonly string[]) => new Set(list.map((label) => label.toLowerCase()));
  const [ownedSet, wantedSet, present] = [lower(owned), lower(wanted), lower(labels)];
  return {
    add: wanted.filter((label) => !present.has(label.toLowerCase())),
    remove: labels.filter((label) => ownedSet.has(label.toLowerCase()) && !wantedSet.has(label.toLowerCase())),
  };
}

/** Whether a label has the words of the rule's template, and something in the place of the value. A template without words is nobody's mark. */
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

import type { Value } from '../model/fields.ts';
import type { LabelRule, Vocabulary } from '../model/route.ts';
import { isSet, sorted } from './canonical.ts';

/**
 * A rule shows a bug's field as labels. The bridge touches only labels that a rule could have written with a value the
 * tracker knows: everything else on an issue belongs to people. GitHub compares label names without regard to case.
 */
function labelOf(rule: LabelRule, value: string): string {
  const label = [...rule.as.replace('{value}', () => value)];
  return label.length <= labelMax ? label.join('') : `${label.slice(0, labelMax - 1).join('')}…`;
}

/** GitHub refuses longer names, and with them the whole issue. */
const labelMax = 50;

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
  const spelled = new Map([...known, ...(vocabulary.values[rule.from] ?? [])].map((value) => [labelOf(rule, value).toLowerCase(), value]));
  const [before = '', after = ''] = rule.as.split('{value}');
  // Where the tracker does not tell its values, a template with words of its own still tells whose label it is.
  const takesAny = vocabulary.values[rule.from] === undefined && before + after !== '';
  const values: string[] = [];
  for (const label of labels) {
    const spelling = spelled.get(label.toLowerCase()) ?? (takesAny ? between(label, before, after) : null);
    if (spelling !== null) values.push(spelling);
  }
  return sorted(values);
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

function between(label: string, before: string, after: string): string | null {
  const lower = label.toLowerCase();
  if (label.length <= before.length + after.length) return null;
  if (!lower.startsWith(before.toLowerCase()) || !lower.endsWith(after.toLowerCase())) return null;
  return label.slice(before.length, label.length - after.length);
}

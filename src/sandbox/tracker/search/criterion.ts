import { chartTime, isRelative } from '../chart/date.ts';
import { type ChartField, invalidPair } from '../chart/field.ts';
import { idleTest } from '../chart/idle-test.ts';
import {
  type CriterionValue,
  changeOperators,
  emptyOperators,
  isComparison,
  listsWords,
  operators,
  positiveOf,
  textOperators,
  type Value,
  wantedOf,
} from '../chart/operator.ts';
import { isPronoun, personTest } from '../chart/pronoun.ts';
import { way } from '../installation/versions.ts';
import { TrackerError } from '../server/errors.ts';
import { messages } from '../server/messages.ts';
import type { TrackerBug } from '../world/state.ts';
import { changeCriterion } from './change-criterion.ts';
import type { Condition } from './clause.ts';
import { matchesText } from './full-text.ts';
import { labelOf } from './label.ts';
import { olderNames } from './parameters.ts';
import type { Scope } from './scope.ts';
import { areSame } from './words.ts';

export type Test = (bug: TrackerBug) => boolean;

/**
 * A parsed condition. One on rows returns the rows of a bug that satisfy it, so that others can require the same row.
 */
export type Criterion =
  | { readonly kind: 'bug'; readonly test: Test }
  | { readonly kind: 'rows'; readonly table: string; readonly rows: (bug: TrackerBug) => readonly number[] };

/**
 * Parses a condition; null if it has no effect because its operator or value is missing. Throws 108 for an unknown
 * field, 68000 for an unknown operator, 52 for a word instead of a number, 56 for a bad date and 32000 for an
 * impossible combination.
 */
export function criterionOf(scope: Scope, condition: Condition): Criterion | null {
  const { operator } = condition;
  const name = presentName(scope, condition.field);
  const given = typeof condition.value === 'object' ? trimmed(condition.value) : condition.value;
  if (operator === undefined || given === undefined || given.length === 0) return null;
  const field = Object.hasOwn(scope.fields, name) ? scope.fields[name] : undefined;
  if (field === undefined) throw new TrackerError(108, 400, messages.badFieldName(name));
  const wanted = datedValue(scope, field, wantedOf(given, name === 'resolution'));
  if (way(scope.state, 'refusesWords')) refuseWords(name, field, operator, wanted);
  if (!isKnown(operator))
    throw new TrackerError(68000, 400, `Bugzilla does not support the search type "${operator}".`);
  if (field.isPerson && isPronoun(wanted.text) && Object.hasOwn(operators, operator)) {
    return { kind: 'bug', test: personTest(scope, field, operator, wanted) };
  }
  if (changeOperators.includes(operator)) return changeCriterion(scope, name, field, operator, wanted);
  if (listsWords(operator) && wanted.words.length === 0) return null;
  if (operator === 'anyexact' && wanted.list.length === 0) return null;
  return held(scope, name, field, operator, wanted);
}

/** What harmony does not read as an argument it does not read as a field either. */
const presentName = ({ state }: Scope, name: string): string =>
  name === 'tags' && !way(state, 'searchesTags') ? name : (olderNames.get(name) ?? name);

const isKnown = (operator: string): boolean =>
  Object.hasOwn(operators, operator) || [...changeOperators, ...emptyOperators, ...textOperators].includes(operator);

const trimmed = (values: readonly string[]): readonly string[] =>
  values.map((value) => value.trim()).filter((value) => value !== '');

/** Relative times become absolute ones. */
function datedValue({ state }: Scope, field: ChartField, wanted: CriterionValue): CriterionValue {
  if (field.relative === null || !isRelative(wanted.text)) return wanted;
  const time = chartTime(wanted.text, state.now(), state.timeZone);
  return { ...wanted, text: field.relative === 'day' ? time.slice(0, 10) : time };
}

function refuseWords(name: string, field: ChartField, operator: string, { text }: CriterionValue): void {
  // Days since a change are an expression, no column of numbers, so a word counts as 0 there.
  if (
    field.measure !== 'number' ||
    name === 'days_elapsed' ||
    !isComparison(operator) ||
    /^[+-]?(?=\d|\.)\d*(?:\.\d*)?(?:e[+-]?\d+)?$/i.test(text)
  )
    return;
  throw new TrackerError(52, 400, `The value '${text}' in the ${labelOf(name)} field is not a numeric value.`);
}

function held(scope: Scope, name: string, field: ChartField, operator: string, wanted: CriterionValue): Criterion {
  if (field.holding === 'content') return { kind: 'bug', test: contentTest(scope, operator, wanted) };
  if (textOperators.includes(operator)) throw contentOnly();
  if (field.holding === 'idle') return { kind: 'bug', test: idleTest(scope, operator, wanted.text) };
  if (emptyOperators.includes(operator)) return { kind: 'bug', test: emptyTest(scope, name, field, operator) };
  const valuesOf = (bug: TrackerBug): readonly Value[] => field.values(bug, scope);
  if (field.holding === 'several') {
    refuseSecrets(scope, name);
    return { kind: 'bug', test: severalTest(valuesOf, field, operator, wanted) };
  }
  const positive = positiveOf(operator);
  const isNoneOf =
    positive !== undefined && (field.holding === 'people' || (field.holding === 'flags' && operator.startsWith('not')));
  const satisfies = operators[isNoneOf ? positive : operator]?.(wanted, field.measure) ?? (() => false);
  if (isNoneOf) return { kind: 'bug', test: (bug) => !valuesOf(bug).some(satisfies) };
  if (name !== 'longdesc') return { kind: 'bug', test: (bug) => valuesOf(bug).some(satisfies) };
  const rows = (bug: TrackerBug): readonly number[] =>
    valuesOf(bug).flatMap((value, index) => (satisfies(value) ? [index] : []));
  return { kind: 'rows', table: 'comments', rows };
}

/** A set: each word or value may be in any element; "not" means in none. `---` means an empty set. */
function severalTest(
  valuesOf: (bug: TrackerBug) => readonly Value[],
  field: ChartField,
  operator: string,
  wanted: CriterionValue,
): Test {
  if (wanted.text === '---') return (bug) => valuesOf(bug).length === 0;
  const positive = positiveOf(operator);
  if (positive !== undefined) {
    const test = severalTest(valuesOf, field, positive, wanted);
    return (bug) => !test(bug);
  }
  if (operator === 'allwords' || operator === 'allwordssubstr') {
    const each = wanted.words.map(
      (word) => operators[operator]?.({ text: word, list: [word], words: [word] }, field.measure) ?? (() => false),
    );
    return (bug) => each.every((satisfies) => valuesOf(bug).some(satisfies));
  }
  const satisfies = operators[operator]?.(wanted, field.measure) ?? (() => false);
  const isNoneGood = operator === 'anyexact' && wanted.list.includes('---');
  return (bug) => valuesOf(bug).some(satisfies) || (isNoneGood && valuesOf(bug).length === 0);
}

function emptyTest(scope: Scope, name: string, field: ChartField, operator: string): Test {
  const isEmpty = operator === 'isempty';
  if (/^attachments\.is|^longdescs\.isprivate$/.test(name)) throw invalidPair(name, operator);
  if (/^attachments\.(description|filename|mimetype)$/.test(name)) return () => !isEmpty;
  const valuesOf = (bug: TrackerBug): readonly Value[] => field.values(bug, scope);
  const isNone = (value: Value): boolean => areSame(String(value), String(field.empty));
  if (field.holding === 'several' || field.holding === 'flags')
    return (bug) => (valuesOf(bug).length === 0) === isEmpty;
  if (field.holding === 'each') return (bug) => valuesOf(bug).some((value) => isNone(value) === isEmpty);
  return (bug) => valuesOf(bug).some((value) => !isNone(value)) !== isEmpty;
}

function contentTest(scope: Scope, operator: string, { text }: CriterionValue): Test {
  if (!textOperators.includes(operator)) throw contentOnly();
  const isNegative = operator === 'notmatches';
  return (bug) => scope.contentOf(bug).some((words) => matchesText(words, text)) !== isNegative;
}

const contentOnly = (): TrackerError =>
  new TrackerError(
    32000,
    400,
    'The "content" field can only be used with "matches" search and the "matches" search can only be used with the "content" field.',
  );

function refuseSecrets({ isInsider }: Scope, name: string): void {
  if (name === 'longdescs.isprivate' && !isInsider) {
    throw new TrackerError(304, 401, `Sorry, you are not authorized to search the ${labelOf(name)} field.`);
  }
}

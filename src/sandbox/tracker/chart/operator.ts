import { patternTest } from '../search/pattern.ts';
import { contains, containsWord, order } from '../search/words.ts';
import { databaseTime } from './date.ts';

export type Value = string | number;

/** The value of a criterion, in all forms that operators use. */
export interface CriterionValue {
  readonly text: string;
  /** The values of `anyexact`: those of a list, or the parts between commas. */
  readonly list: readonly string[];
  /** The parts between white space and commas. */
  readonly words: readonly string[];
}

/** How values of a field compare: as texts, as numbers, or as written times. */
export type Measure = 'text' | 'number' | 'time';

/** Prepared for one criterion, an operator decides whether a value matches. */
export type Operator = (wanted: CriterionValue, measure: Measure) => (value: Value) => boolean;

export function wantedOf(value: string | readonly string[], isResolution: boolean): CriterionValue {
  const isList = typeof value !== 'string';
  const text = isList ? value.join(',') : value;
  const list = isList
    ? value
    : text
        .split(',')
        .map((part) => part.trim())
        .filter((part) => part !== '');
  return {
    text,
    list: isResolution ? list.map((part) => (part === '---' ? '' : part)) : list,
    words: text.split(/[\s,]+/).filter((word) => word !== ''),
  };
}

/** By the sign of the difference between the field's value and the wanted one. */
const compared =
  (fits: (difference: number) => boolean): Operator =>
  ({ text }, measure) => {
    const difference = differenceTo(text, measure);
    return (value) => fits(difference(value));
  };

/** NaN, which matches nothing, for values that cannot be compared. */
function differenceTo(text: string, measure: Measure): (value: Value) => number {
  if (measure === 'number') {
    const number = leadingNumber(text);
    return (value) => Number(value) - number;
  }
  if (measure === 'text') return (value) => order(String(value), text);
  const time = databaseTime(text);
  return (value) => (time === null ? Number.NaN : order(String(value), time));
}

/** Compared with a number, a text counts as the number at its start, or as 0. */
const leadingNumber = (text: string): number => Number.parseFloat(text) || 0;

const not =
  (operator: Operator): Operator =>
  (wanted, measure) => {
    const test = operator(wanted, measure);
    return (value) => !test(value);
  };

const anyWord: Operator =
  ({ words }) =>
  (value) =>
    words.some((word) => containsWord(String(value), word));
const everyWord: Operator =
  ({ words }) =>
  (value) =>
    words.every((word) => containsWord(String(value), word));
const anyPart: Operator =
  ({ words }) =>
  (value) =>
    words.some((word) => contains(String(value), word));
const everyPart: Operator =
  ({ words }) =>
  (value) =>
    words.every((word) => contains(String(value), word));
const part: Operator =
  ({ text }) =>
  (value) =>
    contains(String(value), text);
const casePart: Operator =
  ({ text }) =>
  (value) =>
    String(value).includes(text);
const pattern: Operator = ({ text }) => {
  const matches = patternTest(text);
  return (value) => matches(String(value));
};
const anyOf: Operator = ({ list }, measure) => {
  // The bridge asks for hundreds of ids in a request.
  if (measure === 'number') {
    const numbers = new Set(list.map(leadingNumber));
    return (value) => numbers.has(Number(value));
  }
  const differences = list.map((text) => differenceTo(text, measure));
  return (value) => differences.some((difference) => difference(value) === 0);
};

/** The operators on single values; the field decides how they apply to many values (criterion.ts). */
export const operators: Readonly<Record<string, Operator>> = {
  equals: compared((difference) => difference === 0),
  notequals: compared((difference) => difference !== 0 && !Number.isNaN(difference)),
  lessthan: compared((difference) => difference < 0),
  lessthaneq: compared((difference) => difference <= 0),
  greaterthan: compared((difference) => difference > 0),
  greaterthaneq: compared((difference) => difference >= 0),
  anyexact: anyOf,
  casesubstring: casePart,
  substring: part,
  substr: part,
  notsubstring: not(part),
  regexp: pattern,
  notregexp: not(pattern),
  anywords: anyWord,
  allwords: everyWord,
  nowords: not(anyWord),
  anywordssubstr: anyPart,
  allwordssubstr: everyPart,
  nowordssubstr: not(anyPart),
};

export const changeOperators: readonly string[] = [
  'changedbefore',
  'changedafter',
  'changedfrom',
  'changedto',
  'changedby',
];
export const emptyOperators: readonly string[] = ['isempty', 'isnotempty'];
export const textOperators: readonly string[] = ['matches', 'notmatches'];

const opposites: Readonly<Record<string, string>> = {
  nowords: 'anywords',
  nowordssubstr: 'anywordssubstr',
  isempty: 'isnotempty',
  notequals: 'equals',
  notsubstring: 'substring',
  notregexp: 'regexp',
};

/** The operator that a negative one is the opposite of; undefined for one that is not negative. */
export const positiveOf = (operator: string): string | undefined => opposites[operator];

/** Operators with a list of words: without words, they have no effect. */
export const listsWords = (operator: string): boolean => /words(substr)?$/.test(operator);

/** Operators that compare: for a field of numbers, the value must be a number. */
export const isComparison = (operator: string): boolean => /^(not)?equals$|^(less|greater)than(eq)?$/.test(operator);

import type { Scope } from '../search/scope.ts';
import { TrackerError } from '../server/errors.ts';
import { guesses } from '../server/guesses.ts';
import type { TrackerBug } from '../world/state.ts';
import type { Measure, Value } from './operator.ts';

/**
 * How a field holds its values, which decides the meaning of negative operators.
 *
 *   single   one value, or none, which matches nothing
 *   several  a set: "not" means that no element matches
 *   people   logins in another table: like `several`, and one login must contain all words
 *   each     rows of their own: one row that matches the operator is enough, also for a negative one
 *   flags    like `each`, but "not" means that no flag matches
 *   content  the full text
 *   idle     when the assignee last did something
 */
export type Holding = 'single' | 'several' | 'people' | 'each' | 'flags' | 'content' | 'idle';

type Values = (bug: TrackerBug, scope: Scope) => readonly Value[];

/** A field that criteria can name. */
export interface ChartField {
  readonly holding: Holding;
  readonly measure: Measure;
  readonly values: Values;
  /** The value that means none. */
  readonly empty: Value;
  /** Its values may contain commas, so a list of them is not split at commas. */
  readonly isChoice: boolean;
  /** Accepts relative times: with the time of day, or only the day. */
  readonly relative: 'time' | 'day' | null;
  /** Accepts `%user%` and other pronouns as a login. */
  readonly isPerson: boolean;
  /** Its name in the history, if that differs. */
  readonly historyName: string | null;
}

export type ChartFields = Readonly<Record<string, ChartField>>;

const plain = {
  measure: 'text',
  empty: '',
  isChoice: false,
  relative: null,
  isPerson: false,
  historyName: null,
} as const;

export const field = (holding: Holding, values: Values, more: Partial<ChartField> = {}): ChartField => ({
  ...plain,
  holding,
  values,
  ...more,
});

/** A field of one value; null means no value. */
export const single = (
  value: (bug: TrackerBug, scope: Scope) => Value | null,
  more: Partial<ChartField> = {},
): ChartField =>
  field(
    'single',
    (bug, scope) => {
      const held = value(bug, scope);
      return held === null ? [] : [held];
    },
    more,
  );

/** A boolean as the database keeps it. */
export const bit = (isTrue: boolean): number => (isTrue ? 1 : 0);

export const invalidPair = (name: string, operator: string): TrackerError =>
  new TrackerError(32000, 400, guesses.invalidPair(name, operator));

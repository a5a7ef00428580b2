import type { Scope } from '../search/scope.ts';
import { TrackerError } from '../server/errors.ts';
import type { TrackerBug } from '../world/state.ts';
import type { Measure, Value } from './operator.ts';

/**
 * How a field holds its values, on which it depends what a negative operator means.
 *
 *   single   one value, or none, which satisfies nothing
 *   several  a set: "not" means that no element is like that
 *   people   logins in another table: as `several`, and words must all be found in one of them
 *   each     rows of their own: one row that satisfies the operator is enough, also a negative one
 *   flags    as `each`, but "not" means that no flag is like that
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
  /** The value that counts as none. */
  readonly empty: Value;
  /** Its values may contain commas, so that several are not joined by them. */
  readonly isChoice: boolean;
  /** Takes times that are counted back from now: with the time of day, or the day only. */
  readonly relative: 'time' | 'day' | null;
  /** Takes `%user%` and the like for a login. */
  readonly isPerson: boolean;
  /** Its name in the history, where that is another. */
  readonly historyName: string | null;
}

export type ChartFields = Readonly<Record<string, ChartField>>;

const plain = { measure: 'text', empty: '', isChoice: false, relative: null, isPerson: false, historyName: null } as const;

export const field = (holding: Holding, values: Values, more: Partial<ChartField> = {}): ChartField => ({
  ...plain,
  holding,
  values,
  ...more,
});

/** A field of one value; a null is a value that is not there. */
export const single = (value: (bug: TrackerBug, scope: Scope) => Value | null, more: Partial<ChartField> = {}): ChartField =>
  field(
    'single',
    (bug, scope) => {
      const held = value(bug, scope);
      return held === null ? [] : [held];
    },
    more,
  );

/** Truth as the database keeps it. */
export const bit = (isTrue: boolean): number => (isTrue ? 1 : 0);

export const invalidPair = (name: string, operator: string): TrackerError =>
  new TrackerError(32000, 400, `The field "${name}" cannot be searched using the "${operator}" search type.`);

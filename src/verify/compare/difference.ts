import type { BugId, IssueNumber } from '../../model/ids.ts';
import type { FieldName, Value } from '../../model/item.ts';
import type { Base } from '../../model/link.ts';
import { equalValues } from '../../text/canonical.ts';

/** The compared aspects of a pair, which the report filters and counts by. */
export const aspects = [
  'counterpart',
  'private',
  'double',
  'marker',
  'pointer',
  'title',
  'state',
  'label',
  'type',
  'field',
  'lock',
  'milestone',
  'assignee',
  'dependency',
  'table',
  'description',
  'comment',
  'author',
  'date',
  'order',
  'minimize',
  'file',
  'reference',
] as const;
export type Aspect = (typeof aspects)[number];

/** One difference between the two sides. */
export interface Difference {
  readonly aspect: Aspect;
  /** The item of the pair: `title`, `comment 3`, `attachment 9`. */
  readonly about: string;
  /** The problem, as the end of a sentence: `is missing on GitHub`. */
  readonly words: string;
  /** The values on both sides; null if there is none to show. */
  readonly tracker: string | null;
  readonly github: string | null;
}

/** An item that is not mirrored, for a good reason. */
export interface LeftOut {
  readonly about: string;
  readonly why: string;
}

/** The amount of compared items. */
export interface Compared {
  readonly fields: number;
  readonly texts: number;
  readonly files: number;
  readonly references: number;
}

export interface Findings {
  readonly differences: readonly Difference[];
  readonly leftOut: readonly LeftOut[];
  readonly compared: Compared;
}

export const nothingCompared: Compared = { fields: 0, texts: 0, files: 0, references: 0 };
export const noFindings: Findings = { differences: [], leftOut: [], compared: nothingCompared };

/** The result for one pair. */
export interface PairReport extends Findings {
  readonly bug: BugId | null;
  readonly issue: IssueNumber | null;
  /** As GitHub shows it, so that a report contains nothing hidden. */
  readonly title: string;
  /** The bridge's own remarks on a pair with differences: what it has given up, or waits for a person to decide. */
  readonly known: readonly string[];
  readonly bugUrl: string | null;
  readonly issueUrl: string | null;
}

export function joinedFindings(all: readonly Findings[]): Findings {
  return {
    differences: all.flatMap(({ differences }) => differences),
    leftOut: all.flatMap(({ leftOut }) => leftOut),
    compared: all.reduce((sum, { compared }) => plus(sum, compared), nothingCompared),
  };
}

const plus = (one: Compared, other: Compared): Compared => ({
  fields: one.fields + other.fields,
  texts: one.texts + other.texts,
  files: one.files + other.files,
  references: one.references + other.references,
});

/** The result of comparing `fields` values. */
export const found = (differences: readonly Difference[], leftOut: readonly LeftOut[] = [], fields = 1): Findings => ({
  differences,
  leftOut,
  compared: { fields, texts: 0, files: 0, references: 0 },
});

/** A value that the tracker chose, while GitHub has none. */
export const towardsTracker = 'the route goes to the tracker only, and GitHub has no value';

/** An item that is newer than the bridge's last reading still differs, and says why. */
export const sinceLook = (isLate: boolean): string => (isLate ? ", as it is newer than the bridge's last reading" : '');

/** Whether the bridge recorded that one side did not take the other's value: it then stops trying, and a person must act. */
export function isAgreed(base: Base | null, field: FieldName, mine: Value, theirs: Value): boolean {
  return base !== null && equalValues(base.tracker[field], mine) && equalValues(base.github[field], theirs);
}

export function refused(about: string, mine: string | null, theirs: string | null): Findings {
  const why = `one side did not take the other's value: ${mine ?? 'none'} on the tracker, ${theirs ?? 'none'} on GitHub`;
  return found([], [{ about, why }]);
}

import type { BugId, IssueNumber } from '../../model/ids.ts';
import type { FieldName, Value } from '../../model/item.ts';
import type { Base } from '../../model/link.ts';
import { equalValues } from '../../text/canonical.ts';

/** What of a pair is compared. The report filters and counts by these. */
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

/** One thing that is not the same on both sides. */
export interface Difference {
  readonly aspect: Aspect;
  /** What of the pair: `title`, `comment 3`, `attachment 9`. */
  readonly about: string;
  /** What is wrong with it, as the end of a sentence: `is missing on GitHub`. */
  readonly words: string;
  /** What each side shows; null where there is nothing to show. */
  readonly tracker: string | null;
  readonly github: string | null;
}

/** Something that is not mirrored, and rightly so. */
export interface LeftOut {
  readonly about: string;
  readonly why: string;
}

/** How much was compared. */
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

/** What one pair came to. */
export interface PairReport extends Findings {
  readonly bug: BugId | null;
  readonly issue: IssueNumber | null;
  /** As GitHub shows it, so that nothing hidden stands in a report. */
  readonly title: string;
  /** What the bridge itself says of a pair that differs: what it has given up, or waits for a person to decide. */
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

/** What comparing `fields` values came to. */
export const found = (differences: readonly Difference[], leftOut: readonly LeftOut[] = [], fields = 1): Findings => ({
  differences,
  leftOut,
  compared: { fields, texts: 0, files: 0, references: 0 },
});

/** What the tracker chose by itself, and GitHub says nothing of. */
export const towardsTracker = 'the route goes to the tracker only, and GitHub says nothing of it';

/** What came after the bridge last looked differs all the same, and says why. */
export const sinceLook = (isLate: boolean): string => (isLate ? ', as it came after the bridge last looked' : '');

/** Whether the bridge noted that one side did not take the value of the other: it then tries no more, and a person has to. */
export function isAgreed(base: Base | null, field: FieldName, mine: Value, theirs: Value): boolean {
  return base !== null && equalValues(base.tracker[field], mine) && equalValues(base.github[field], theirs);
}

export function refused(about: string, mine: string | null, theirs: string | null): Findings {
  const why = `one side did not take the other's value: ${mine ?? 'none'} on the tracker, ${theirs ?? 'none'} on GitHub`;
  return found([], [{ about, why }]);
}

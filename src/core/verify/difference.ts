import type { BugId, IssueNumber } from '../../model/ids.ts';

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
  'fold',
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

import type { BugId, IssueNumber, Side } from '../ids.ts';
import type { Direction } from '../route.ts';

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
  /** True if nobody can say whether both sides agree, until a person has completed the configuration. */
  readonly isUnjudged?: true;
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

/** The result for one pair. */
export interface PairReport extends Findings {
  readonly bug: BugId | null;
  readonly issue: IssueNumber | null;
  /** As GitHub shows it, so that a report contains nothing hidden. */
  readonly title: string;
  /** Differences that writes of the bridge's queue will end; they need no person. */
  readonly waiting: readonly Difference[];
  /** The bridge's remarks on a pair with differences: operations that it gave up, and decisions for a person. */
  readonly known: readonly string[];
  readonly bugUrl: string | null;
  readonly issueUrl: string | null;
}

/** The result of comparing one route. All times are epoch milliseconds. */
export interface VerifyReport {
  readonly route: string;
  readonly product: string;
  readonly direction: Direction;
  readonly repo: string;
  readonly startedAt: number;
  readonly endedAt: number;
  /** Number of randomly chosen pairs; null if all were compared. */
  readonly sample: number | null;
  /** Each bug with its issue, and items of either side without a counterpart. */
  readonly pairs: readonly PairReport[];
  /** Items outside of pairs that are not mirrored on purpose: each reason with its number of occurrences. */
  readonly leftOut: readonly Counted[];
  /** Items that could not be judged, and why. */
  readonly notJudged: readonly LeftOut[];
  /** How often each side was read; a reading may take several requests. */
  readonly reads: Readonly<Record<Side, number>>;
}

export interface Counted {
  readonly why: string;
  readonly count: number;
  /** The first few. */
  readonly examples: readonly string[];
}

interface Totals {
  readonly pairs: number;
  /** Those of them that lack an end. */
  readonly alone: number;
  /** Each pair is equal, differs, or only waits for the bridge. */
  readonly equal: number;
  readonly differing: number;
  readonly waiting: number;
  readonly differences: number;
  readonly byAspect: readonly { readonly aspect: Aspect; readonly count: number }[];
  readonly leftOut: number;
  readonly compared: Compared;
}

export function totalsOf({ pairs, leftOut }: Pick<VerifyReport, 'pairs' | 'leftOut'>): Totals {
  const all = pairs.flatMap(({ differences }) => differences);
  const differing = pairs.filter(({ differences }) => differences.length > 0).length;
  const waiting = pairs.filter((pair) => pair.differences.length === 0 && pair.waiting.length > 0).length;
  const counts = Map.groupBy(all, ({ aspect }) => aspect);
  return {
    pairs: pairs.length,
    alone: pairs.filter(({ bug, issue }) => bug === null || issue === null).length,
    equal: pairs.length - differing - waiting,
    differing,
    waiting,
    differences: all.length,
    byAspect: aspects.flatMap((aspect) => {
      const count = counts.get(aspect)?.length ?? 0;
      return count === 0 ? [] : [{ aspect, count }];
    }),
    leftOut:
      pairs.reduce((sum, pair) => sum + pair.leftOut.length, 0) + leftOut.reduce((sum, { count }) => sum + count, 0),
    compared: pairs.reduce(
      (sum, { compared }) => ({
        fields: sum.fields + compared.fields,
        texts: sum.texts + compared.texts,
        files: sum.files + compared.files,
        references: sum.references + compared.references,
      }),
      nothingCompared,
    ),
  };
}

/** Why pairs could not be judged as a whole: each reason once, with the first of its bugs. */
export function unjudgedIn(pairs: readonly PairReport[]): readonly LeftOut[] {
  const all = pairs.flatMap(({ bug, leftOut }) => leftOut.map((each) => ({ ...each, bug })));
  const unjudged = all.filter(({ isUnjudged }) => isUnjudged === true);
  return [...Map.groupBy(unjudged, ({ why }) => why)].map(([why, each]) => ({
    about: `bug ${each[0]?.bug}${each.length > 1 ? ` and ${each.length - 1} more` : ''}`,
    why,
  }));
}

/** Differences of one kind, which usually have one cause: a thousand of them are one thing to fix. */
export interface Group {
  readonly key: string;
  readonly aspect: Aspect;
  /** The problem, with an ellipsis in place of the varying parts. */
  readonly words: string;
  readonly differences: number;
  readonly pairs: number;
  /** The first pairs that have it. */
  readonly examples: readonly PairReport[];
}

const examplesMax = 4;

/** The kinds of differences, the most frequent first. */
export function groupsOf(pairs: readonly PairReport[]): readonly Group[] {
  const all = pairs.flatMap((pair) => pair.differences.map((difference) => ({ pair, difference })));
  const groups = [...Map.groupBy(all, ({ difference }) => groupKey(difference))].flatMap(
    ([key, each]): readonly Group[] => {
      const [first] = each;
      if (first === undefined) return [];
      const { aspect, words } = first.difference;
      const isSame = each.every(({ difference }) => difference.words === words);
      const within = [...new Set(each.map(({ pair }) => pair))];
      const counts = { differences: each.length, pairs: within.length };
      return [
        { key, aspect, words: isSame ? words : generalWords(words), ...counts, examples: within.slice(0, examplesMax) },
      ];
    },
  );
  return groups.sort((one, other) => other.differences - one.differences);
}

/** The common part of the differences of one kind. */
export const groupKey = ({ aspect, words }: Difference): string => `${aspect} ${generalWords(words)}`;

/** Names and numbers differ from bug to bug. */
const generalWords = (words: string): string => words.replace(/"[^"]*"/gu, '"…"').replace(/\d+/gu, '…');

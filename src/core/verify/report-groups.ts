import type { Aspect, Difference, PairReport } from './difference.ts';

/** Differences of one kind, which mostly have one cause: a thousand of them are one thing to mend. */
export interface Group {
  readonly key: string;
  readonly aspect: Aspect;
  /** What is wrong, where it differs from one to the next with an ellipsis in place of it. */
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
  const groups = [...Map.groupBy(all, ({ difference }) => groupKey(difference))].flatMap(([key, each]): readonly Group[] => {
    const [first] = each;
    if (first === undefined) return [];
    const { aspect, words } = first.difference;
    const isSame = each.every(({ difference }) => difference.words === words);
    const within = [...new Set(each.map(({ pair }) => pair))];
    const counts = { differences: each.length, pairs: within.length };
    return [{ key, aspect, words: isSame ? words : generalWords(words), ...counts, examples: within.slice(0, examplesMax) }];
  });
  return groups.sort((one, other) => other.differences - one.differences);
}

/** What differences of one kind have in common. */
export const groupKey = ({ aspect, words }: Difference): string => `${aspect} ${generalWords(words)}`;

/** Names and numbers differ from bug to bug. */
const generalWords = (words: string): string => words.replace(/"[^"]*"/gu, '"…"').replace(/\d+/gu, '…');

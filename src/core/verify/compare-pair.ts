import { compareCarried } from './compare-carried.ts';
import { compareCopies } from './compare-copies.ts';
import { compareFields } from './compare-fields.ts';
import { compareFiles } from './compare-files.ts';
import { comparePointers, compareStrays } from './compare-strays.ts';
import { compareTable } from './compare-table.ts';
import { type Difference, type Findings, joinedFindings, type LeftOut, noFindings } from './difference.ts';
import type { Pair } from './pair.ts';
import type { SeenText } from './seen-text.ts';
import { partingOf } from './words.ts';

/**
 * Everything of a bug and its issue, but for the contents of files. It compares what readers see, and knows nothing of how it came
 * about: see decision 017 for what it shares with the writing, and why.
 */
export function comparePair(pair: Pair): Findings {
  if (pair.bug.isPrivate) return compareHidden(`bug ${pair.bug.id}`, 'is private on the tracker', pair.texts);
  return joinedFindings([
    compareFields(pair),
    comparePointers(pair),
    compareCopies(pair),
    compareCarried(pair),
    compareStrays(pair),
    compareTable(pair),
    compareFiles(pair),
  ]);
}

/** An issue whose bug not everybody may see: nothing of the bug stands in it. */
export function compareHidden(about: string, why: string, texts: readonly SeenText[]): Findings {
  const copies = texts.filter(({ head }) => head !== null);
  const differences = copies.map(({ head, gist }): Difference => {
    const github = gist.text === null ? (head?.place ?? null) : partingOf(gist.text, '')[0];
    return { aspect: 'private', about, words: `${why}, and ${head?.place ?? 'its text'} stands on GitHub`, tracker: null, github };
  });
  const leftOut: readonly LeftOut[] = differences.length === 0 ? [{ about, why: `it ${why}` }] : [];
  return { ...noFindings, differences, leftOut };
}

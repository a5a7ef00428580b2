import { counted } from '../explain/words.ts';
import type { Site, Topic } from './site.ts';
import { type Finding, failure, warning } from './verdict.ts';

/** A question of the poll, asked once. */
export interface Read {
  /** What was asked for: `comments`. */
  readonly of: string;
  readonly isAnonymous: boolean;
  /** Why the tracker does not answer; null if it does. */
  readonly why: string | null;
  readonly answered: readonly number[];
  /** The bugs on which the tracker fails. */
  readonly failed: readonly number[];
}

/** The first page of bugs is read whole; so many of its bugs are read with everything that belongs to them. */
export const sampleMax = 50;

/** Whether the tracker answers the questions of a cycle. */
export const reads: Topic = { name: 'reading', fine: readInWords, find: findReads };

function readInWords({ route: { selection }, reads: [page, ...rest] }: Pick<Site, 'route' | 'reads'>): string {
  const count = page?.answered.length ?? 0;
  if (count === 0)
    return `our account sees no bugs of ${selection.product}, so the questions of a cycle were not asked`;
  const sample = Math.min(count, sampleMax);
  const kinds = rest.filter(({ isAnonymous }) => !isAnonymous).map(({ of }) => of);
  const shown = rest.find(({ of, isAnonymous }) => isAnonymous && of === 'bugs')?.answered.length;
  return [
    `the tracker answers the questions of a cycle: it shows ${counted(count, 'bug')}, and the ${kinds.slice(0, -1).join(', ')} and ${kinds.at(-1)} of ${sample}`,
    ...(shown === undefined ? [] : [`; without the key, it shows ${shown} of these ${sample}`]),
  ].join('');
}

function findReads({ route: { selection }, reads: all }: Pick<Site, 'route' | 'reads'>): readonly Finding[] {
  return all.flatMap(({ of, isAnonymous, why, failed }) => {
    const what = `the ${of} of ${selection.product}${isAnonymous ? ', asked without the key' : ''}`;
    const unread = failed.slice(0, namedMax).join(', ') + (failed.length > namedMax ? ' and others' : '');
    return [
      ...(why === null ? [] : [failure(`a cycle cannot read ${what}: ${why}`)]),
      ...(failed.length === 0
        ? []
        : [
            warning(
              `the tracker fails on ${counted(failed.length, 'bug')} (${unread}) when a cycle reads ${what}: these wait until the tracker shows them; ask an administrator of the tracker`,
            ),
          ]),
    ];
  });
}

const namedMax = 10;

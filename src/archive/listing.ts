import {
  type ArchiveFolder,
  type Headline,
  hiddenSince,
  type LeaveOut,
  type ListedApart,
  type ListedBug,
  type PublicReader,
} from '../model/archive/ports.ts';
import type { Scratch } from '../model/store.ts';
import { shown } from './bug-record.ts';
import { keptRecord, listedIn } from './kept-record.ts';

/** Bugs that a run could not read as they are now, with the reasons. */
export interface Shortfall {
  /** They are not in the archive. */
  readonly leftOut: Map<number, string>;
  /** They are in it as an earlier run read them. */
  readonly outdated: Map<number, string>;
}

interface ListingOptions {
  readonly reader: PublicReader;
  readonly folder: ArchiveFolder;
  /** For what the list says of each bug until its page is written. */
  readonly whole: Scratch<ListedBug>;
  readonly apart: ListedApart;
  readonly signal: AbortSignal;
  readonly tell: (listed: number) => void;
}

/** All public bugs, by number. Those that the tracker lists and fails on are as the folder has them. */
export async function listed(options: ListingOptions, shortfall: Shortfall): Promise<Map<number, Headline>> {
  const { reader, folder, whole, apart, signal, tell } = options;
  const bugs = new Map<number, Headline>();
  const words = new Map<string, string>();
  const leave = leaverFrom(folder, bugs, shortfall);
  for (let after: number | null = 0; after !== null; ) {
    signal.throwIfAborted();
    const failed = new Set<number>();
    const leaveListed: LeaveOut = (bug, why) => {
      failed.add(bug);
      leave(bug, why);
    };
    const page: Awaited<ReturnType<PublicReader['bugs']>> = await reader.bugs(after, leaveListed, apart);
    // The page may have been asked for again, and have come whole.
    for (const { id } of page.bugs) if (failed.delete(id)) shortfall.outdated.delete(id);
    const kept = [...failed].filter((id) => shortfall.outdated.has(id)).flatMap((id) => keptRecord(folder, id) ?? []);
    for (const bug of [...page.bugs, ...kept.map(listedIn)].sort((one, other) => one.id - other.id)) {
      if (shortfall.leftOut.has(bug.id)) continue;
      const made = apart(bug, () => {
        // Lists, addresses and the search take these as they are.
        const names = { aliases: bug.aliases.map(shown), product: shown(bug.product), component: shown(bug.component) };
        whole.put(bug.id, 0, { ...bug, ...names });
        return headlineOf({ ...bug, ...names }, words);
      });
      if (typeof made === 'string') {
        shortfall.leftOut.set(bug.id, made);
        shortfall.outdated.delete(bug.id);
      } else bugs.set(bug.id, made);
    }
    tell(bugs.size);
    after = page.next;
  }
  return bugs;
}

/**
 * What becomes of a bug that cannot be read. One that the tracker only fails on stays as the folder has it, for it may
 * be readable tomorrow. One of which the tracker says anywhere that it is not public goes.
 */
export function leaverFrom(
  folder: ArchiveFolder,
  bugs: Map<number, Headline>,
  { leftOut, outdated }: Shortfall,
): LeaveOut {
  return (bug, why) => {
    if (why !== hiddenSince && !leftOut.has(bug) && keptRecord(folder, bug) !== null) outdated.set(bug, why);
    else {
      if (leftOut.get(bug) !== hiddenSince) leftOut.set(bug, why);
      outdated.delete(bug);
      bugs.delete(bug);
    }
  };
}

/** @param words each word that many bugs have in common, once */
function headlineOf(
  { id, summary, aliases, isOpen, changedAt, dupeOf, ...common }: Headline,
  words: Map<string, string>,
): Headline {
  const once = (word: string): string => {
    if (!words.has(word)) words.set(word, word);
    return words.get(word) ?? word;
  };
  const [product, component] = [once(common.product), once(common.component)];
  return {
    id,
    summary,
    aliases,
    product,
    component,
    status: once(common.status),
    resolution: once(common.resolution),
    isOpen,
    changedAt,
    dupeOf,
  };
}

export function duplicatesIn(bugs: ReadonlyMap<number, Headline>): ReadonlyMap<number, readonly number[]> {
  const found = new Map<number, number[]>();
  for (const { id, dupeOf } of bugs.values())
    if (dupeOf !== null) found.set(dupeOf, [...(found.get(dupeOf) ?? []), id]);
  return found;
}

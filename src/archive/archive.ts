import {
  type ArchiveFolder,
  type Headline,
  hiddenSince,
  type ListedApart,
  type ListedBug,
  type PublicReader,
  type Thread,
} from '../model/archive/ports.ts';
import type { Watch } from '../model/runtime.ts';
import type { Scratch } from '../model/store.ts';
import { attachmentPage } from './attachment-page.ts';
import { bugPage, type Names } from './bug-page.ts';
import { type BugRecord, recordOf, type Surroundings } from './bug-record.ts';
import { dropFile, type Losses, recordIn, storeContents, type UnreadContent } from './contents.ts';
import { keptRecord, threadIn } from './kept-record.ts';
import { duplicatesIn, leaverFrom, listed, type Shortfall } from './listing.ts';
import { catalogueOf } from './lists.ts';
import { oldAddressFiles } from './old-addresses.ts';
import { comparedWith, type Output, type OutputTotals, writtenTo } from './output.ts';
import type { Assets } from './page.ts';
import { attachmentPath, bugOfPath, bugPath, isListPath, rangeOf, recordPath, wordsPath } from './paths.ts';
import { titlesFile, type WordIndex, wordIndex } from './search-index.ts';
import { searchFiles } from './search-page.ts';
import { ruleFiles } from './server-rules.ts';
import { type Met, unlessFaulty } from './unless-faulty.ts';

export interface ArchiveOptions {
  readonly reader: PublicReader;
  readonly folder: ArchiveFolder;
  /** Stores the list's answer for each bug until its page is written. */
  readonly scratch: () => Scratch<ListedBug>;
  /** The address of the tracker's pages, without a slash at the end. */
  readonly tracker: string;
  /** The addresses that it had before. */
  readonly formerTrackers: readonly string[];
  readonly issueOf: (bug: number) => string | null;
  readonly assets: Assets;
  /** True to read everything again, files included, and to compare instead of writing. */
  readonly isVerifying: boolean;
  /** Notes the bug whose pages are being made, for the run after one that did not end on it. */
  readonly during: Watch['during'];
  /** Whether an earlier run did not end on this bug, as it is now. */
  readonly isEndless: (bug: Met) => boolean;
  readonly signal: AbortSignal;
  readonly tell: (progress: ArchiveProgress) => void;
}

export interface ArchiveProgress {
  readonly phase: 'listing' | 'reading';
  readonly done: number;
  /** Null while it is unknown. */
  readonly total: number | null;
}

export interface ArchiveReport extends OutputTotals {
  readonly bugs: number;
  readonly comments: number;
  readonly attachments: number;
  /** Bugs that the archive lacks. */
  readonly leftOut: readonly BugShortfall[];
  /** Bugs that the tracker lists but cannot return; their pages are from an earlier run. */
  readonly outdated: readonly BugShortfall[];
  /** Attachments whose contents the tracker does not return. */
  readonly unread: readonly UnreadContent[];
  readonly requests: { readonly lists: number; readonly contents: number };
}

interface BugShortfall {
  readonly bug: number;
  readonly why: string;
}

/** Bugs whose threads are read together. */
const batchSize = 250;

/**
 * A bug may be hidden after pages of other bugs have named it. All pages are then written again without it, from the
 * records in the folder. Only a comparison, which writes nothing, asks the tracker again for bugs that differ, and may
 * find another hidden bug.
 */
const passesMax = 5;

/** Reads the tracker and makes the archive of it. Throws `SideError`, and the signal's reason when it aborts. */
export async function archive(options: ArchiveOptions): Promise<ArchiveReport> {
  const whole = options.scratch();
  try {
    const shortfall: Shortfall = { leftOut: new Map(), outdated: new Map() };
    const tell = (done: number): void => options.tell({ phase: 'listing', done, total: null });
    const apart: ListedApart = (bug, make) => unlessFaulty(options, bug, make);
    const bugs = await listed({ ...options, whole, apart, tell }, shortfall);
    return await written(options, {
      bugs,
      whole,
      shortfall,
      settled: new Set(),
      losses: { unread: new Map(), inARow: 0 },
    });
  } finally {
    whole.close();
  }
}

/** The state of a run. */
interface ArchiveRun {
  /** Bugs that turn out to be hidden are removed. */
  readonly bugs: Map<number, Headline>;
  readonly whole: Scratch<ListedBug>;
  readonly shortfall: Shortfall;
  /** Bugs that the folder has as this run read them; they are not requested again. */
  readonly settled: Set<number>;
  readonly losses: Losses;
}

async function written(options: ArchiveOptions, known: ArchiveRun): Promise<ArchiveReport> {
  const { leftOut, outdated } = known.shortfall;
  const before = { written: 0, removed: 0 };
  for (let pass = 1; ; pass += 1) {
    const output = options.isVerifying ? comparedWith(options.folder) : writtenTo(options.folder);
    const { totals } = output;
    const lacking = leftOut.size;
    const counts = await onePass(options, known, output);
    if (leftOut.size > lacking && pass < passesMax) {
      before.written += totals.written;
      before.removed += totals.removed;
      continue;
    }
    output.finish();
    return {
      ...totals,
      ...{ written: before.written + totals.written, removed: before.removed + totals.removed },
      ...{ ...counts, leftOut: listOf(leftOut), outdated: listOf(outdated), unread: [...known.losses.unread.values()] },
      requests: options.reader.requests(),
    };
  }
}

const listOf = (bugs: Shortfall['leftOut']): readonly BugShortfall[] => [...bugs].map(([bug, why]) => ({ bug, why }));

type Counts = Pick<ArchiveReport, 'bugs' | 'comments' | 'attachments'>;

async function onePass(options: ArchiveOptions, known: ArchiveRun, output: Output): Promise<Counts> {
  const { folder, tracker, formerTrackers, issueOf, assets, signal, tell } = options;
  const { bugs, whole } = known;
  removeHidden(folder, output, bugs);
  const site = new URL(tracker).host;
  const listOf = writeLists(output, bugs, { site, assets, tracker, folder });
  const around: Surroundings & Names = {
    ...{ tracker, formerTrackers, bugs },
    ...{ duplicates: duplicatesIn(bugs), issueOf, site, listOf },
  };
  let [done, comments, attachments] = [0, 0, 0];
  let words: WordIndex | null = null;
  for (const part of batches([...bugs.keys()], batchSize)) {
    const threads = await newThreads(options, known, part);
    for (const id of part) if (!bugs.has(id)) removeBug(folder, output, id);
    for (const id of part) {
      signal.throwIfAborted();
      done += 1;
      const [[bug], thread] = [whole.of(id), threads.get(id) ?? null];
      const record =
        bug !== undefined && bugs.has(id) ? await writeBug(options, output, { bug, thread, around, known }) : null;
      if (record === null) continue;
      if (words?.range !== rangeOf(id)) {
        for (const [path, text] of words?.files() ?? []) output.put(path, text);
        words = wordIndex(rangeOf(id));
      }
      const failed = unlessFaulty(options, bug ?? { id, changedAt: null }, () => words?.add(record));
      if (typeof failed === 'string') {
        leaveOut(options, output, known, { id, why: failed });
        continue;
      }
      comments += record.comments.length;
      attachments += record.attachments.length;
      tell({ phase: 'reading', done, total: bugs.size });
    }
  }
  for (const [path, text] of words?.files() ?? []) output.put(path, text);
  return { bugs: bugs.size, comments, attachments };
}

/** The threads of these bugs, except those that the folder already has. */
async function newThreads(
  options: ArchiveOptions,
  { bugs, shortfall, settled, whole }: ArchiveRun,
  part: readonly number[],
): Promise<ReadonlyMap<number, Thread>> {
  const asked = part.filter((id) => !settled.has(id));
  if (asked.length === 0) return new Map();
  const leave = leaverFrom(options.folder, bugs, shortfall);
  const threads = await options.reader.threads(asked, leave, (id, make) => {
    const [bug] = whole.of(id);
    return bug === undefined ? make() : unlessFaulty(options, bug, make);
  });
  // A bug without any answer counts as hidden.
  for (const id of asked) if (bugs.has(id) && !threads.has(id) && !shortfall.outdated.has(id)) leave(id, hiddenSince);
  return threads;
}

/**
 * Writes the files that need only the list of bugs, before any text is read, so that titles of hidden bugs disappear at
 * once, with their pages.
 */
function writeLists(
  output: Output,
  bugs: ReadonlyMap<number, Headline>,
  { site, assets, tracker, folder }: Pick<ArchiveOptions, 'assets' | 'tracker' | 'folder'> & { readonly site: string },
): Names['listOf'] {
  const { pages, listOf } = catalogueOf(bugs, site);
  const fixed = [
    ['style.css', assets.style] as const,
    ...searchFiles(bugs, site, assets),
    titlesFile(bugs),
    ...oldAddressFiles(bugs, site, assets),
    ...ruleFiles(bugs, tracker),
  ];
  for (const written of [pages, fixed]) for (const [path, text] of written) output.put(path, text);
  for (const path of folder.paths()) if (isListPath(path)) output.drop(path);
  return listOf;
}

/** Removes bugs that are no longer public, before anything else. */
function removeHidden(folder: ArchiveFolder, output: Output, bugs: ReadonlyMap<number, Headline>): void {
  for (const path of folder.paths()) {
    const id = bugOfPath(path);
    if (id !== null && !bugs.has(id)) removeBug(folder, output, id);
  }
}

function removeBug(folder: ArchiveFolder, output: Output, id: number): void {
  for (const each of recordIn(folder, id)?.attachments ?? []) dropFile(output, each);
  output.drop(wordsPath(rangeOf(id)));
  output.drop(bugPath(id));
  output.drop(recordPath(id));
}

interface Subject {
  readonly bug: ListedBug;
  /** Null if it could not be read; the folder then keeps its version. */
  readonly thread: Thread | null;
  readonly around: Surroundings & Names;
  readonly known: ArchiveRun;
}

/**
 * Writes one bug. Its files come first, so that no page lacks them; then its record, by which a later run can remove
 * everything if the bug is hidden before this run ends. The page is made again even if the bug could not be read, since
 * a bug that it names may be hidden by now.
 */
async function writeBug(
  options: ArchiveOptions,
  output: Output,
  { bug, around, known, ...read }: Subject,
): Promise<BugRecord | null> {
  const { folder } = options;
  const { settled, losses } = known;
  const old = read.thread === null ? keptRecord(folder, bug.id) : null;
  const thread = old === null ? read.thread : threadIn(old);
  if (thread === null) return null;
  const differences = output.totals.differences.length;
  const isVerifying = options.isVerifying && !settled.has(bug.id);
  const stored = await storeContents({ ...options, isVerifying, output, losses }, bug.id, thread);
  const files = thread.files.filter(({ id }) => stored.has(id));
  const made = unlessFaulty(options, bug, () => {
    const record = recordOf(bug, { ...thread, files }, stored, around);
    const pages = record.attachments.map((attachment): readonly [string, string] => {
      const text = stored.get(attachment.id)?.text ?? null;
      return [attachmentPath(attachment.id), attachmentPage(attachment, record, around.site, text)];
    });
    return { record, pages: [...pages, [bugPath(bug.id), bugPage(record, around)] as const] };
  });
  if (typeof made === 'string') {
    leaveOut(options, output, known, { id: bug.id, why: made });
    return null;
  }
  const { record, pages } = made;
  output.put(recordPath(bug.id), `${JSON.stringify(record, null, 1)}\n`);
  for (const [path, text] of pages) output.put(path, text);
  if (output.totals.differences.length === differences) settled.add(bug.id);
  return record;
}

/** An older page may name a bug that was hidden since, so it goes, too. */
function leaveOut(
  { folder }: Pick<ArchiveOptions, 'folder'>,
  output: Output,
  { bugs, shortfall }: ArchiveRun,
  { id, why }: { readonly id: number; readonly why: string },
): void {
  bugs.delete(id);
  shortfall.outdated.delete(id);
  shortfall.leftOut.set(id, why);
  removeBug(folder, output, id);
}

function batches<Item>(items: readonly Item[], size: number): readonly (readonly Item[])[] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, index) =>
    items.slice(index * size, (index + 1) * size),
  );
}

import type { ArchiveFolder, Headline, LeaveOut, ListedBug, PublicReader, Thread } from '../model/archive/ports.ts';
import type { Scratch } from '../model/store.ts';
import { attachmentPage } from './attachment-page.ts';
import { bugPage, type Names } from './bug-page.ts';
import { type BugRecord, recordOf, type Surroundings, shown } from './bug-record.ts';
import { dropFile, type Losses, recordIn, storeContents, type Unread } from './contents.ts';
import { catalogueOf } from './lists.ts';
import { oldAddressFiles } from './old-addresses.ts';
import { comparedWith, type Output, type OutputTotals, writtenTo } from './output.ts';
import type { Assets } from './page.ts';
import { attachmentPath, bugOfPath, bugPath, rangeOf, recordPath, wordsPath } from './paths.ts';
import { titlesFile, type WordIndex, wordIndex } from './search-index.ts';
import { searchFiles } from './search-page.ts';
import { ruleFiles } from './server-rules.ts';

export interface ArchiveOptions {
  readonly reader: PublicReader;
  readonly folder: ArchiveFolder;
  /** For what the list says of each bug until its page is written. */
  readonly scratch: () => Scratch<ListedBug>;
  /** The address of the tracker's pages, without a slash at the end. */
  readonly tracker: string;
  readonly issueOf: (bug: number) => string | null;
  readonly assets: Assets;
  /** True to read everything again, files included, and to compare instead of writing. */
  readonly isVerifying: boolean;
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
  readonly leftOut: readonly { readonly bug: number; readonly why: string }[];
  /** Attachments whose contents the tracker does not give out. */
  readonly unread: readonly Unread[];
  readonly requests: { readonly lists: number; readonly contents: number };
}

/** Bugs whose threads are read together. */
const batchSize = 250;

/** A bug may be hidden while the others are read, whose pages name it already. So all is read again, without it. */
const passesMax = 5;

/** Reads the tracker and makes the archive of it. Throws `SideError`, and the signal's reason when it aborts. */
export async function archive(options: ArchiveOptions): Promise<ArchiveReport> {
  const { reader, folder, isVerifying } = options;
  const leftOut = new Map<number, string>();
  for (let pass = 1; ; pass += 1) {
    const before = leftOut.size;
    const output = isVerifying ? comparedWith(folder) : writtenTo(folder);
    const whole = options.scratch();
    const counts = await onePass(options, { output, leftOut, whole }).finally(whole.close);
    if (leftOut.size > before && pass < passesMax) continue;
    output.finish();
    const left = [...leftOut].map(([bug, why]) => ({ bug, why }));
    return { ...output.totals, ...counts, leftOut: left, requests: reader.requests() };
  }
}

interface Counts {
  readonly bugs: number;
  readonly comments: number;
  readonly attachments: number;
  readonly unread: readonly Unread[];
}

interface Pass {
  readonly output: Output;
  readonly leftOut: Map<number, string>;
  readonly whole: Scratch<ListedBug>;
}

async function onePass(options: ArchiveOptions, { output, leftOut, whole }: Pass): Promise<Counts> {
  const { folder, tracker, issueOf, assets, signal, tell } = options;
  const leave: LeaveOut = (bug, why) => leftOut.set(bug, why);
  const bugs = await listed(options, { leftOut, whole }, leave);
  removeHidden(folder, output, bugs);
  const site = new URL(tracker).host;
  const listOf = writeLists(output, bugs, { site, assets, tracker });
  const around: Surroundings & Names = { tracker, bugs, duplicates: duplicatesIn(bugs), issueOf, site, listOf };
  let [done, comments, attachments] = [0, 0, 0];
  const losses: Losses = { unread: [], inARow: 0 };
  let words: WordIndex | null = null;
  for (const part of batches([...bugs.keys()], batchSize)) {
    const threads = await options.reader.threads(part, leave);
    for (const id of part) {
      signal.throwIfAborted();
      const [[bug], thread] = [whole.of(id), threads.get(id)];
      done += 1;
      if (bug === undefined || thread === undefined) continue;
      const record = await writeBug(options, output, { bug, thread, around, losses });
      if (words?.range !== rangeOf(id)) {
        for (const [path, text] of words?.files() ?? []) output.put(path, text);
        words = wordIndex(rangeOf(id));
      }
      words.add(record);
      comments += record.comments.length;
      attachments += record.attachments.length;
      tell({ phase: 'reading', done, total: bugs.size });
    }
  }
  for (const [path, text] of words?.files() ?? []) output.put(path, text);
  return { bugs: bugs.size, comments, attachments, unread: losses.unread };
}

/** What needs no more than the list of bugs. It does not wait for their texts: titles of hidden bugs go at once. */
function writeLists(
  output: Output,
  bugs: ReadonlyMap<number, Headline>,
  { site, assets, tracker }: Pick<ArchiveOptions, 'assets' | 'tracker'> & { readonly site: string },
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
  return listOf;
}

async function listed(
  { reader, signal, tell }: ArchiveOptions,
  { leftOut, whole }: Pick<Pass, 'leftOut' | 'whole'>,
  leave: LeaveOut,
): Promise<ReadonlyMap<number, Headline>> {
  const bugs = new Map<number, Headline>();
  const words = new Map<string, string>();
  for (let after: number | null = 0; after !== null; ) {
    signal.throwIfAborted();
    const page: Awaited<ReturnType<PublicReader['bugs']>> = await reader.bugs(after, leave);
    for (const bug of page.bugs) {
      if (leftOut.has(bug.id)) continue;
      // Lists, addresses and the search take these as they are.
      const names = { aliases: bug.aliases.map(shown), product: shown(bug.product), component: shown(bug.component) };
      whole.put(bug.id, 0, { ...bug, ...names });
      bugs.set(bug.id, headlineOf({ ...bug, ...names }, words));
    }
    tell({ phase: 'listing', done: bugs.size, total: null });
    after = page.next;
  }
  return bugs;
}

/** @param words each word that many bugs have in common, once */
function headlineOf({ id, summary, aliases, isOpen, changedAt, dupeOf, ...common }: Headline, words: Map<string, string>): Headline {
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

/** What everyone could read once, and cannot read any more, goes before anything else is done. */
function removeHidden(folder: ArchiveFolder, output: Output, bugs: ReadonlyMap<number, Headline>): void {
  for (const path of folder.paths()) {
    const id = bugOfPath(path);
    if (id === null || bugs.has(id)) continue;
    for (const each of recordIn(folder, id)?.attachments ?? []) dropFile(output, each);
    output.drop(wordsPath(rangeOf(id)));
    output.drop(bugPath(id));
    output.drop(recordPath(id));
  }
}

function duplicatesIn(bugs: ReadonlyMap<number, Headline>): ReadonlyMap<number, readonly number[]> {
  const found = new Map<number, number[]>();
  for (const { id, dupeOf } of bugs.values()) if (dupeOf !== null) found.set(dupeOf, [...(found.get(dupeOf) ?? []), id]);
  return found;
}

interface Subject {
  readonly bug: ListedBug;
  readonly thread: Thread;
  readonly around: Surroundings & Names;
  readonly losses: Losses;
}

/** One bug with its files. They are written first, so that no page is without them. */
async function writeBug(options: ArchiveOptions, output: Output, { bug, thread, around, losses }: Subject): Promise<BugRecord> {
  const stored = await storeContents({ ...options, output, losses }, bug.id, thread);
  const files = thread.files.filter(({ id }) => stored.has(id));
  const record = recordOf(bug, { ...thread, files }, stored, around);
  for (const attachment of record.attachments) {
    const text = stored.get(attachment.id)?.text ?? null;
    output.put(attachmentPath(attachment.id), attachmentPage(attachment, record, around.site, text));
  }
  output.put(recordPath(bug.id), `${JSON.stringify(record, null, 1)}\n`);
  output.put(bugPath(bug.id), bugPage(record, around));
  return record;
}

function batches<Item>(items: readonly Item[], size: number): readonly (readonly Item[])[] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, index) => items.slice(index * size, (index + 1) * size));
}

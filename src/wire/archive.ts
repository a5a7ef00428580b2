/** An archive of a tracker: the reader without an account, the issues that the state knows, and the folder. */

import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import {
  type ArchiveOptions,
  type ArchiveReport,
  archive,
  type ArchiveProgress as Progress,
} from '../archive/archive.ts';
import type { Assets } from '../archive/page.ts';
import { bugzillaPublicReader } from '../bugzilla/public-reader.ts';
import type { Settings } from '../config/config.ts';
import { ownVersion } from '../config/version.ts';
import type { PublicReader } from '../model/archive/ports.ts';
import { withoutSlash } from '../model/named.ts';
import { SideError } from '../model/outcome.ts';
import type { Route } from '../model/route.ts';
import { systemClock } from '../runtime/clock.ts';
import { steadyFetch } from '../runtime/fetch.ts';
import { httpFetch } from '../runtime/http-fetch.ts';
import { trackerLane } from '../runtime/rate-limit.ts';
import { openWatchdog } from '../runtime/watchdog.ts';
import {
  archiveFolder,
  endlessBugs,
  isArchive,
  lockArchive,
  markArchive,
  whyNoArchive,
} from '../store/archive-folder.ts';
import { openScratch } from '../store/scratch.ts';
import { publicPairs, type View } from './view.ts';
import { stepMaxMs } from './watched.ts';

export type { ArchiveReport } from '../archive/archive.ts';

export interface ArchiveProgress extends Progress {
  /** Epoch milliseconds. */
  readonly at: number;
}

type ArchiveState = Pick<View, 'store' | 'routes'>;

interface Archiving extends Pick<ArchiveOptions, 'isVerifying' | 'signal'> {
  readonly tell: (progress: ArchiveProgress) => void;
  readonly folder: string;
  /** The state, which knows the issues of bugs; null if there is none. */
  readonly view: ArchiveState | null;
}

/** A reading that the tracker postpones is tried this often. */
const triesMax = 6;
/** One content among many may be broken, and the run goes on without it. */
const contentTriesMax = 3;
const timeoutMs = 180_000;

/** Writes an archive or compares it. Throws `SideError`, `FolderRefused`, and the signal's reason when it aborts. */
export async function archiveTracker(
  { tracker, limits }: Pick<Settings, 'tracker' | 'limits'>,
  options: Archiving,
): Promise<ArchiveReport> {
  const { signal, tell, view, isVerifying } = options;
  const clock = systemClock(signal);
  const url = withoutSlash(tracker.url).replace(/\/rest(?:\.cgi)?$/u, '');
  const folder = resolve(options.folder);
  const why = isVerifying && !isArchive(folder) ? 'it is not an archive' : whyNoArchive(folder, url);
  if (why !== null) throw new FolderRefused(`cannot use the folder ${options.folder}: ${why}`);
  const reader = bugzillaPublicReader({
    url: tracker.url,
    lane: trackerLane(limits.tracker),
    timeoutMs,
    now: clock.now,
    fetch: steadyFetch(httpFetch),
  });
  if (!(await reader.isServed())) {
    throw new SideError(
      'refused',
      'The tracker shows nothing without an account, so there is nothing public to archive',
      {
        side: 'tracker',
      },
    );
  }
  const release = isVerifying ? () => undefined : lockArchive(folder);
  if (release === null) {
    throw new FolderRefused(
      `another bugferry archive is writing to the folder ${options.folder}. Wait until it has ended, or stop it.`,
    );
  }
  const watch = openWatchdog({ file: join(folder, '.hung'), limitMs: stepMaxMs });
  try {
    if (!isVerifying) markArchive(folder, url);
    const isEndless = endlessBugs(folder, watch.blocked()?.ref ?? null, ownVersion());
    watch.forgetBlocked();
    const issues = view === null ? new Map<number, string>() : issuesIn(view);
    return await archive({
      reader: patient(reader, clock),
      folder: archiveFolder(folder),
      scratch: () => openScratch(join(folder, '.listed')),
      tracker: url,
      formerTrackers: tracker.formerUrls,
      issueOf: (bug) => issues.get(bug) ?? null,
      assets: archiveAssets(),
      isVerifying,
      during: watch.during,
      isEndless,
      signal,
      tell: (progress) => tell({ ...progress, at: clock.now() }),
    });
  } finally {
    watch.close();
    release();
  }
}

/** The scripts and the style beside the room, the style of all pages, and the library. */
export function archiveAssets(): Assets {
  const read = (name: string): string => readFileSync(new URL(`../${name}`, import.meta.url), 'utf8');
  const asset = (name: string): string => read(`archive/assets/${name}`);
  const library = readFileSync(new URL('../umd/index.js', import.meta.resolve('minisearch')), 'utf8');
  return {
    style: `${read('http/assets/family.css')}${asset('style.css')}`,
    search: asset('search.js'),
    oldAddress: asset('old-address.js'),
    library: library.replace(/^\/\/# sourceMappingURL=.*$/mu, ''),
  };
}

/** The user can mend this by naming another folder. */
export class FolderRefused extends Error {
  override readonly name = 'FolderRefused';
}

/** A tracker that asks for time gets it. */
function patient(reader: PublicReader, clock: ReturnType<typeof systemClock>): PublicReader {
  const trying = async <T>(read: () => Promise<T>, most = triesMax): Promise<T> => {
    for (let tries = 1; ; tries += 1) {
      try {
        return await read();
      } catch (failure) {
        if (!(failure instanceof SideError) || failure.kind !== 'later' || tries >= most) throw failure;
        await clock.sleep(Math.max(0, (failure.at ?? clock.now() + 2_000 * 3 ** (tries - 1)) - clock.now()));
      }
    }
  };
  return {
    ...reader,
    isServed: () => trying(reader.isServed),
    bugs: (after, left, apart) => trying(() => reader.bugs(after, left, apart)),
    threads: (bugs, left, apart) => trying(() => reader.threads(bugs, left, apart)),
    content: (file, bytes) => trying(() => reader.content(file, bytes), contentTriesMax),
  };
}

/**
 * The issues of mirrored public bugs. The address of an issue in a private repository stays with those who can open it.
 */
function issuesIn(view: ArchiveState): ReadonlyMap<number, string> {
  const found = new Map<number, string>();
  const isOpen = ({ name, privateRepository }: Route): boolean =>
    privateRepository === 'refuse' && view.store.cursors.get(name, 'github')?.isPrivate !== true;
  for (const route of view.routes.filter(isOpen))
    for (const { tracker, github } of publicPairs(view, route)) found.set(tracker.id, github.url);
  return found;
}

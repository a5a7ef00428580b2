import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { onTestFinished } from 'vitest';
import { type ArchiveOptions, archive } from '../../src/archive/archive.ts';
import type { PageReferences } from '../../src/archive/references.ts';
import { bugzillaPublicReader } from '../../src/bugzilla/public-reader.ts';
import type { ListedBug, PublicReader } from '../../src/model/archive/ports.ts';
import { unwatched } from '../../src/model/runtime.ts';
import { noFaults } from '../../src/sandbox/server/faults.ts';
import type { TrackerVersion } from '../../src/sandbox/tracker/installation/versions.ts';
import { trackerServer } from '../../src/sandbox/tracker/server/server.ts';
import { createTrackerWorld, type TrackerWorld } from '../../src/sandbox/tracker/world/world.ts';
import { archiveFolder, markArchive } from '../../src/store/archive-folder.ts';
import { openScratch } from '../../src/store/scratch.ts';
import { noReferences as unknown } from '../../src/text/references.ts';
import { archiveAssets } from '../../src/wire/archive.ts';

export const trackerUrl = 'https://bugs.example.test';

/** A tracker in memory, a reader of it, and a folder. */
export interface ArchiveWorld {
  readonly tracker: TrackerWorld;
  readonly folder: string;
  /** Every request that reached the tracker: its path with the query. */
  readonly asked: readonly string[];
  /** Runs before each request. */
  between: (path: string) => void;
  /** What reaches the reader of each answer. */
  answer: (path: string, response: Response) => Response | Promise<Response>;
  /** How a reader reaches the tracker. */
  readonly sending: Parameters<typeof bugzillaPublicReader>[0];
  reader(): PublicReader;
  options(): ArchiveOptions;
}

/** @param folder where the archive is to be; by default, one that goes with the running test */
export function archiveWorld(
  folder: string = ownFolder(),
  version: TrackerVersion = '5.2',
  readerOf = bugzillaPublicReader,
): ArchiveWorld {
  const tracker = createTrackerWorld({ now: () => Date.UTC(2026, 5, 1), url: trackerUrl, version, hasMarkdown: true });
  const app = trackerServer(tracker, { faults: noFaults, clock: { sleep: async () => undefined } });
  const asked: string[] = [];
  const send: typeof fetch = async (address, init) => {
    const url = new URL(String(address));
    const path = url.pathname + url.search;
    world.between(path);
    asked.push(path);
    return world.answer(path, await app.fetch(new Request(url, init), {}));
  };
  const world: ArchiveWorld = {
    tracker,
    folder,
    asked,
    between: () => undefined,
    answer: (_path, response) => response,
    sending: { url: trackerUrl, lane: { run: (_cost, request) => request() }, timeoutMs: 10_000, fetch: send },
    reader: () => readerOf(world.sending),
    options() {
      markArchive(folder, trackerUrl);
      return {
        reader: world.reader(),
        folder: archiveFolder(folder),
        scratch: () => openScratch(null),
        tracker: trackerUrl,
        formerTrackers: [],
        issueOf: (bug) => (bug === 1 ? 'https://github.com/acme/widget/issues/7' : null),
        assets: archiveAssets(),
        isVerifying: false,
        during: unwatched.during,
        isEndless: () => false,
        signal: new AbortController().signal,
        tell: () => undefined,
      };
    },
  };
  return world;
}

export function ownFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'bugferry-archive-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

export const run = (world: ArchiveWorld, more: Partial<ArchiveOptions> = {}) =>
  archive({ ...world.options(), ...more });

/** Every file with its content. */
export function filesIn(folder: string): ReadonlyMap<string, string> {
  const found = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((file) => file.isFile());
  return new Map(
    found
      .map(({ parentPath, name }) => join(parentPath, name))
      .sort()
      .map((path) => [relative(folder, path), readFileSync(path, 'latin1')]),
  );
}

/** Of a page on which no bug is known, and none is hidden. */
export const noReferences: PageReferences = { ...unknown, isHidden: () => false, whole: (url) => url };

export const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

/** A bug as the list of all bugs has it. */
export const bugOf = (id: number, more: Partial<ListedBug> = {}): ListedBug => ({
  id,
  summary: `Bug ${id}`,
  aliases: [],
  product: 'Widget',
  component: 'Core',
  status: 'CONFIRMED',
  resolution: '',
  isOpen: true,
  createdAt: 0,
  changedAt: 0,
  reporter: 'alice',
  assignee: 'bob',
  fields: [],
  relations: [],
  dupeOf: null,
  seeAlso: [],
  ...more,
});

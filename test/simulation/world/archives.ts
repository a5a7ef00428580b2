import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ArchiveOptions, archive } from '../../../src/archive/archive.ts';
import { bugzillaPublicReader } from '../../../src/bugzilla/public-reader.ts';
import { unwatched } from '../../../src/model/runtime.ts';
import { noFaults } from '../../../src/sandbox/server/faults.ts';
import { trackerServer } from '../../../src/sandbox/tracker/server/server.ts';
import { archiveFolder, markArchive } from '../../../src/store/archive-folder.ts';
import { openScratch } from '../../../src/store/scratch.ts';
import { archiveAssets } from '../../../src/wire/archive.ts';
import { random } from '../../support/random.ts';
import type { Canaries } from '../canaries.ts';
import type { Stage } from '../stage.ts';

export interface Archivist {
  /** Makes or renews the archive, while people go on; what is wrong with it afterwards. */
  renew(): Promise<readonly string[]>;
  /** Renews it a last time, when all is quiet. */
  end(): Promise<readonly string[]>;
}

const nobody: Archivist = { renew: async () => [], end: async () => [] };

/**
 * In some worlds, somebody archives the tracker again and again. What must hold:
 *
 *   private  every canary in the folder was shown to everybody at some moment of the run that made it
 *   whole    once all is quiet, every title, description and comment that everybody may see is on the page of its bug
 *   still    a further run changes no byte, and a comparison finds no difference
 */
export function archivist(seed: number, world: Stage, canaries: Canaries, run: typeof archive): Archivist {
  if (seed % 25 !== 7) return nobody;
  const draw = random(seed + 25_000);
  const { tracker, clock } = world;
  const { url } = tracker.state;
  const server = trackerServer(tracker, { faults: noFaults, clock: { sleep: async () => undefined } });
  const ask: typeof fetch = async (address, init) => server.fetch(new Request(String(address), init), {});
  let isBusy = true;
  const seen = new Set<string>();
  const notice = async (): Promise<void> => {
    for (const word of await shownToAll(
      url,
      ask,
      tracker.bugs().map(({ id }) => id),
    ))
      seen.add(word);
  };
  const send: typeof fetch = async (address, init) => {
    clock.advance(draw.below(300));
    if (isBusy && draw.chance(0.1)) {
      canaries.act();
      await notice();
    }
    return ask(address, init);
  };
  const folder = mkdtempSync(join(tmpdir(), 'bugferry-archived-'));
  markArchive(folder, url);
  const made = (isVerifying = false): ReturnType<typeof archive> => {
    const options: ArchiveOptions = {
      reader: bugzillaPublicReader({
        url,
        lane: { run: (_cost, request) => request() },
        timeoutMs: 10_000,
        now: clock.now,
        fetch: send,
      }),
      folder: archiveFolder(folder),
      tracker: url,
      scratch: () => openScratch(null),
      formerTrackers: [],
      issueOf: () => null,
      assets: archiveAssets(),
      during: unwatched.during,
      isEndless: () => false,
      isVerifying,
      signal: new AbortController().signal,
      tell: () => undefined,
    };
    return run(options);
  };
  const renew = async (): Promise<readonly string[]> => {
    seen.clear();
    await notice();
    await made();
    return canariesOf(textsIn(folder)).flatMap((word) =>
      seen.has(word) ? [] : [`I9: ${word} is in the archive, and was hidden`],
    );
  };
  return {
    renew,
    async end() {
      isBusy = false;
      const wrong = await renew();
      const lost = canaries.shown().filter(({ words, bug }) => !pageOf(folder, bug).includes(words));
      const [again, compared] = [await made(), await made(true)];
      rmSync(folder, { recursive: true });
      return [
        ...wrong,
        ...lost.map(
          ({ words, bug }) => `archive: ${words} of bug ${bug} can be seen by everybody, and is not on its page`,
        ),
        ...(again.written + again.removed > 0 ? ['archive: a further run changed something'] : []),
        ...compared.differences.map(({ path, why }) => `archive: ${path}: ${why}`),
      ];
    },
  };
}

const canariesOf = (text: string): readonly string[] => [
  ...new Set([...text.matchAll(/canary[a-z]+x\d+x/gu)].map(([word]) => word)),
];

function pageOf(folder: string, bug: number): string {
  const file = join(folder, 'bugs', `${bug}.html`);
  return existsSync(file) ? readFileSync(file, 'utf8') : '';
}

/** The names and contents of all files. */
function textsIn(folder: string): string {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((file) => file.isFile());
  return files.map(({ parentPath, name }) => `${name}\n${readFileSync(join(parentPath, name), 'latin1')}`).join('\n');
}

/** The canaries in all that the tracker answers to somebody without an account. */
async function shownToAll(url: string, ask: typeof fetch, bugs: readonly number[]): Promise<readonly string[]> {
  const texts: string[] = [];
  for (const path of bugs.flatMap((bug) =>
    ['', '/comment', '/history', '/attachment'].map((part) => `bug/${bug}${part}`),
  )) {
    const answer = await ask(`${url}/rest/${path}`);
    if (!answer.ok) continue;
    const text = await answer.text();
    texts.push(
      text,
      ...[...text.matchAll(/"data":"([^"]*)"/gu)].map(([, data = '']) => Buffer.from(data, 'base64').toString()),
    );
  }
  return canariesOf(texts.join('\n'));
}

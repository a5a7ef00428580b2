import { trackerServer } from '../../../src/sandbox/tracker/server/server.ts';
import { spentByChildren } from '../../deploy/cost-meter.ts';
import type { Benchmark, Measured } from '../benchmark.ts';
import { serveCounted, type Traffic, trafficBetween } from '../support/counted-server.ts';
import { largeWorld } from '../support/large-world.ts';
import { type Found, missedBy } from './found.ts';
import { countingProxy } from './proxy.ts';
import { ownReader, peer, type Reader } from './readers.ts';

const turns = 5;

const about = `Three clients read a whole tracker, five times each in turns: all bugs that the key may see, with
comments, attachments (without contents) and history. A proxy counts requests and bytes. Missed items are those that
another client found, in the worst turn; an unfinished turn is counted and left out. The tracker is the one of --tracker
and --key, or else two sandboxes: one returns up to 10,000 bugs in one response, one 100. perceval (its backend
bugzillarest) and python-bugzilla come from the python3 on the PATH; the column of a missing client is empty.`;

export const peers: Benchmark = {
  name: 'peers',
  about,
  bugsOnPage: [300],
  onPage: [
    'bugs',
    'requests',
    'bytes',
    'secondsMedian',
    'cpuSecondsMedian',
    'missedBugs',
    'missedPrivateBugs',
    'missedComments',
    'missedAttachments',
    'missedHistory',
  ],
  async run({ bugs, report, tracker }) {
    const readers = [ownReader, await peer('perceval'), await peer('python-bugzilla')];
    if (tracker !== undefined) return await readBeside(readers, tracker, { suffix: '', report });
    const measured: Measured[] = [];
    for (const [maximum, suffix] of [
      [10_000, ''],
      [100, ', 100 a page'],
    ] as const) {
      const sandbox = await sandboxOf(bugs, maximum);
      try {
        measured.push(...(await readBeside(readers, sandbox, { suffix, report })));
      } finally {
        await sandbox.close();
      }
    }
    return measured;
  },
};

export interface Place {
  readonly url: string;
  readonly apiKey: string;
}

/** A tracker on which every fiftieth bug is private, and the key of somebody who may see all of them. */
export async function sandboxOf(bugs: number, maxSearchResults: number): Promise<Place & { close(): Promise<void> }> {
  const { world, ids } = largeWorld(bugs, maxSearchResults);
  for (const [nth, id] of ids.entries()) if (nth % 50 === 0) world.hide(id);
  const { url, close } = await serveCounted(trackerServer(world).fetch);
  return { url, apiKey: world.user('alice').apiKey, close };
}

interface Turn {
  readonly found: Found;
  readonly traffic: Traffic;
  readonly seconds: number;
  readonly cpuSeconds: number;
}

interface How {
  /** What the names of the columns end with. */
  readonly suffix: string;
  readonly report: (progress: string) => void;
}

export async function readBeside(
  readers: readonly Reader[],
  { url, apiKey }: Place,
  { suffix, report }: How,
): Promise<readonly Measured[]> {
  const proxy = await countingProxy(url);
  const read = new Map<Reader, Turn[]>(readers.filter(({ version }) => version !== null).map((reader) => [reader, []]));
  const ended = async (reader: Reader): Promise<Found | null> => {
    try {
      return await reader.read(proxy.url, apiKey);
    } catch (failure) {
      report(`${reader.name}${suffix} failed: ${failure instanceof Error ? failure.message : String(failure)}`);
      return null;
    }
  };
  try {
    for (let turn = 1; turn <= turns; turn += 1)
      for (const [reader, done] of read) {
        report(`${reader.name}${suffix}, ${turn} of ${turns}`);
        const [before, begunMs, spent] = [proxy.traffic(), performance.now(), spentByChildren()];
        const found = await ended(reader);
        if (found !== null)
          done.push({
            found,
            traffic: trafficBetween(before, proxy.traffic()),
            seconds: (performance.now() - begunMs) / 1000,
            cpuSeconds: (spentByChildren() - spent) / 100,
          });
      }
  } finally {
    await proxy.close();
  }
  const all = [...read.values()].flatMap((done) => done.map(({ found }) => found));
  return readers.map((reader) => {
    const done = read.get(reader);
    const name = `${reader.name} ${reader.version ?? '(not installed)'}${suffix}`;
    return { name, numbers: done === undefined ? {} : numbersOf(done, all) };
  });
}

function numbersOf(done: readonly Turn[], all: readonly Found[]): Measured['numbers'] {
  const failed = done.length < turns ? { failedTurns: turns - done.length } : {};
  const missed = done.map(({ found }) => missedBy(found, all));
  const [first] = missed;
  const [last] = done.slice(-1);
  if (first === undefined || last === undefined) return failed;
  const seconds = done.map((turn) => turn.seconds).sort((one, other) => one - other);
  const cpuSeconds = done.map((turn) => turn.cpuSeconds).sort((one, other) => one - other);
  const worst = (Object.keys(first) as (keyof typeof first)[]).map((kind) => [
    kind,
    Math.max(...missed.map((each) => each[kind])),
  ]);
  return {
    bugs: Math.min(...done.map(({ found }) => found.bugs.length)),
    ...last.traffic,
    secondsMin: seconds[0] ?? 0,
    secondsMedian: seconds[seconds.length >> 1] ?? 0,
    secondsMax: seconds.at(-1) ?? 0,
    cpuSecondsMedian: cpuSeconds[cpuSeconds.length >> 1] ?? 0,
    ...Object.fromEntries(worst),
    ...failed,
  };
}

import type { Benchmark, Measured } from './benchmark.ts';
import { type Bridged, bridged, isPoll, readsOf, writesOf } from './support/bridge.ts';
import { largeWorld } from './support/large-world.ts';

const about = `The first run into an empty repository, through the normal endpoints, with comments and closed bugs,
without files, on a route in both directions and on a route to GitHub. Asks are polls and reads.`;

export const backfill: Benchmark = {
  name: 'backfill',
  about,
  bugsOnPage: [1_000, 10_000],
  onPage: ['trackerAsksPerBug', 'githubReadsPerBug', 'githubWritesPerBug', 'bytesPerBug', 'cpuMsPerBug'],
  async run({ bugs, report }) {
    const measured: Measured[] = [];
    for (const direction of ['both', 'to-github'] as const) {
      const bridge = await bridgedTo(bugs, direction);
      try {
        measured.push({
          name: `${bugs.toLocaleString('en')} bugs, ${direction}`,
          numbers: await backfillNumbers(bridge, bugs, report),
        });
      } finally {
        await bridge.close();
      }
    }
    return measured;
  },
};

/**
 * A bridge between a tracker with so many bugs and an empty repository. The bugs do not get the address of their issue
 * at once, so the tracker sends no mail.
 */
export const bridgedTo = (bugs: number, direction: 'both' | 'to-github'): Promise<Bridged> => {
  const { world, wait } = largeWorld(bugs, 10_000);
  return bridged({
    route: { direction, pointer: 'with-next-change' },
    tracker: world,
    clock: { now: world.now, wait },
  });
};

export async function backfillNumbers(
  bridge: Bridged,
  bugs: number,
  report: (progress: string) => void,
): Promise<Measured['numbers']> {
  const { user: before } = process.cpuUsage();
  bridge.mark();
  const cycles = await bridge.settle((issues) => report(`${issues} issues`));
  const { tracker, github, bytes } = bridge.counted();
  const issues = bridge.github.issues('acme/widget').length;
  const reads = tracker.filter((line) => !isPoll(line));
  if (issues !== bugs) throw new Error(`Of ${bugs} bugs ${issues} have an issue.`);
  return {
    bugs,
    cycles,
    trackerPolls: tracker.length - reads.length,
    trackerReads: readsOf(reads),
    trackerAsksPerBug: readsOf(tracker) / bugs,
    trackerWritesPerBug: writesOf(tracker) / bugs,
    githubReadsPerBug: readsOf(github) / bugs,
    githubWritesPerBug: writesOf(github) / bugs,
    bytesPerBug: bytes / bugs,
    cpuMsPerBug: (process.cpuUsage().user - before) / 1000 / bugs,
  };
}

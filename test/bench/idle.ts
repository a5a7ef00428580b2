import type { Benchmark, Measured } from './benchmark.ts';
import { type Bridged, bridged, readsOf } from './support/bridge.ts';
import { fillState, linksHeldMax } from './support/filled-state.ts';

const cyclesPerRun = 20;
const runs = 5;

const about = `A cycle without changes: requests, bytes of both sides, and CPU milliseconds, including the two servers.
GitHub does not count unchanged responses (304). The floor is two requests to the tracker, for changes and for a look at
mirrored bugs, and none to GitHub that counts.`;

export const idle: Benchmark = {
  name: 'idle',
  about,
  bugsOnPage: [],
  async run({ links: sizes, report }) {
    const measured: Measured[] = [];
    for (const size of sizes.filter((each) => each <= linksHeldMax))
      measured.push({ name: `${size.toLocaleString('en')} links`, numbers: await idleNumbers(size, report) });
    return measured;
  },
};

/** What one cycle without changes takes beside so many links. */
export async function idleNumbers(links: number, report: (progress: string) => void): Promise<Measured['numbers']> {
  const bridge = await bridged({ showsAll: true });
  try {
    bridge.tracker.as('alice').file({ summary: 'A model', description: 'Of all others.' });
    await bridge.settle();
    fillState(bridge.store, links - 1, (done) => report(`${done} links`));
    await bridge.settle();
    bridge.mark();
    const cpuMs = await least(bridge);
    const { tracker, github, bytes } = bridge.counted();
    const cycles = cyclesPerRun * runs;
    return {
      links,
      trackerRequests: tracker.length / cycles,
      githubRequests: github.length / cycles,
      githubCounted: readsOf(github) / cycles,
      bytes: bytes / cycles,
      cpuMs,
    };
  } finally {
    await bridge.close();
  }
}

/** The least of several runs: what else the machine does can only add. */
async function least(bridge: Bridged): Promise<number> {
  let best = Number.POSITIVE_INFINITY;
  for (let run = 0; run < runs; run += 1) {
    const before = process.cpuUsage();
    for (let cycle = 0; cycle < cyclesPerRun; cycle += 1) {
      bridge.wait(60_000);
      await bridge.pass();
    }
    const { user, system } = process.cpuUsage(before);
    best = Math.min(best, (user + system) / 1000 / cyclesPerRun);
  }
  return best;
}

import { backfillNumbers, bridgedTo } from './backfill.ts';
import type { Benchmark, Measured } from './benchmark.ts';
import { type Bridged, readsOf, repo } from './support/bridge.ts';
import { heldPeak } from './support/heap.ts';

const about = `A full comparison of a mirrored tracker, and of a tenth of it. Its peak memory (including the two
servers) should not grow with the number of bugs. The floor is full pages of GitHub's lists.`;

/** Growth would show with fewer. */
const bugsMax = 3_000;

export const sweeping: Benchmark = {
  name: 'sweep',
  about,
  bugsOnPage: [1_000],
  onPage: ['trackerReads', 'githubReads', 'githubReadsFloor', 'bytesPerBug'],
  async run({ bugs, report }) {
    const measured: Measured[] = [];
    const many = Math.min(bugs, bugsMax);
    for (const size of [Math.ceil(many / 10), many]) {
      const bridge = await bridgedTo(size, 'to-github');
      try {
        await backfillNumbers(bridge, size, report);
        report('mirrored');
        measured.push({ name: `${size.toLocaleString('en')} bugs`, numbers: await sweepNumbers(bridge, size) });
      } finally {
        await bridge.close();
      }
    }
    return measured;
  },
};

/** What comparing everything once more takes. */
export async function sweepNumbers(bridge: Bridged, bugs: number): Promise<Measured['numbers']> {
  const comments = bridge.github
    .issues(repo)
    .reduce((sum, { number }) => sum + bridge.github.commentsOf(repo, number).length, 0);
  bridge.wait(3_600_000);
  bridge.mark();
  const heap = heldPeak();
  await bridge.sweep();
  const heapMb = heap.end() / 1e6;
  const { tracker, github, bytes } = bridge.counted();
  return {
    bugs,
    comments,
    trackerReads: readsOf(tracker),
    trackerReadsPerBug: readsOf(tracker) / bugs,
    githubReads: readsOf(github),
    githubReadsFloor: bugs / 100 + comments / 100,
    bytesPerBug: bytes / bugs,
    heapMb,
  };
}

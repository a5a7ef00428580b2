import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { Benchmark, Measured } from './benchmark.ts';
import { isIssueList, mirrored } from './change.ts';
import { isPoll, readsOf, writesOf } from './support/bridge.ts';
import { usedPeak } from './support/heap.ts';

const about = `All bugs of a tracker change at once: requests for each bug, cycles until all changes have arrived, the
longest time that a cycle blocked everything else, and the growth of memory.`;

/** As many as are changed at once on large trackers. */
const bugsMax = 1_000;

export const burst: Benchmark = {
  name: 'burst',
  about,
  bugsOnPage: [1_000],
  onPage: [
    'cycles',
    'githubWritesPerBug',
    'trackerReadsPerBug',
    'githubReadsPerBug',
    'bytesPerBug',
    'heapMb',
    'loopDelayMsMax',
  ],
  async run({ bugs, report }) {
    const size = Math.min(bugs, bugsMax);
    return [{ name: `${size.toLocaleString('en')} bugs`, numbers: await burstNumbers(size, report) }];
  },
};

export async function burstNumbers(bugs: number, report: (progress: string) => void): Promise<Measured['numbers']> {
  const bridge = await mirrored(bugs);
  const delay = monitorEventLoopDelay();
  try {
    report('mirrored');
    for (const { id } of bridge.tracker.bugs()) bridge.tracker.as('alice').change(id, { severity: 'major' });
    bridge.mark();
    const heap = usedPeak();
    delay.enable();
    const cycles = await bridge.settle();
    delay.disable();
    const { tracker, github, bytes } = bridge.counted();
    const arrived = bridge.github
      .issues('acme/widget')
      .filter(({ labels }) => labels.includes('severity: major')).length;
    const polls = tracker.filter(isPoll);
    if (arrived !== bugs) throw new Error(`Of ${bugs} changes ${arrived} have arrived.`);
    return {
      bugs,
      cycles,
      githubWritesPerBug: writesOf(github) / bugs,
      trackerPolls: polls.length,
      trackerReadsPerBug: readsOf(tracker.filter((line) => !isPoll(line))) / bugs,
      githubReadsPerBug: readsOf(github) / bugs,
      githubIssueLists: readsOf(github.filter(isIssueList)),
      bytesPerBug: bytes / bugs,
      heapMb: heap.end() / 1e6,
      loopDelayMsMax: delay.max / 1e6,
    };
  } finally {
    await bridge.close();
  }
}

import type { Benchmark, Measured } from '../benchmark.ts';
import { mirrored } from '../change.ts';
import { type Bridged, repo } from './bridge.ts';

const about = `Milliseconds from a comment on an issue until the write arrives at the tracker, without the pauses
between requests. "hooked" starts when the webhook names the issue. "polled" adds the wait for the next cycle, at most a
minute.`;

const events = 40;
const pollMs = 60_000;

export const latency: Benchmark = {
  name: 'latency',
  about,
  bugsOnPage: [],
  onPage: ['p50Ms', 'p99Ms'],
  async run({ report }) {
    const bridge = await mirrored(20);
    try {
      const hooked = await delays(bridge, true, report);
      const polled = await delays(bridge, false, report);
      const waits = polled.map((ms, index) => ms + (pollMs * (index + 0.5)) / events);
      return [measuredOf('hooked', hooked), measuredOf('polled', waits)];
    } finally {
      await bridge.close();
    }
  },
};

async function delays(
  bridge: Bridged,
  isHooked: boolean,
  report: (progress: string) => void,
): Promise<readonly number[]> {
  const found: number[] = [];
  for (let event = 0; event < events; event += 1) {
    const issue = 1 + (event % 20);
    bridge.wait(pollMs);
    await bridge.pass();
    bridge.github.as('mona').comment(repo, issue, `It happened again, for the ${event}th time.`);
    bridge.mark();
    const startedMs = performance.now();
    await bridge.pass(isHooked ? [{ side: 'github', ref: issue, repo, isThread: true }] : []);
    const writes = bridge.counted().tracker.filter(({ method }) => method === 'POST').length;
    if (writes !== 1) throw new Error(`One comment became ${writes} writes.`);
    found.push(performance.now() - startedMs);
    report(`${event + 1} events`);
  }
  return found;
}

function measuredOf(name: string, ms: readonly number[]): Measured {
  const sorted = ms.toSorted((one, other) => one - other);
  const at = (share: number): number => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
  return { name, numbers: { events: sorted.length, p50Ms: at(0.5), p99Ms: at(0.99) } };
}

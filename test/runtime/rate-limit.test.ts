import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Cost, Lane } from '../../src/model/runtime.ts';
import * as real from '../../src/runtime/rate-limit.ts';
import { plant } from '../support/plant.ts';

const { githubLane, trackerLane } = real;

interface Start {
  readonly cost: Cost;
  readonly atMs: number;
}

beforeEach(() => {
  vi.useFakeTimers({ now: 1_700_000_000_000 });
});
afterEach(() => {
  vi.useRealTimers();
});

/** Puts requests of these costs into the lane at once and says when each of them started. */
async function startsOf(lane: Lane, costs: readonly Cost[], takesMs = 0): Promise<Start[]> {
  const begin = Date.now();
  const starts: Start[] = [];
  const all = costs.map((cost) =>
    lane.run(cost, async () => {
      starts.push({ cost, atMs: Date.now() - begin });
      if (takesMs > 0) await new Promise((resolve) => setTimeout(resolve, takesMs));
    }),
  );
  await vi.runAllTimersAsync();
  await Promise.all(all);
  return starts;
}

const many = (count: number, cost: Cost): Cost[] => Array.from({ length: count }, () => cost);
const times = (starts: readonly Start[]): number[] => starts.map(({ atMs }) => atMs);

/** The most that starts within any span of `spanMs`, counted by `weight`. */
function busiest(starts: readonly Start[], spanMs: number, weight: (start: Start) => number): number {
  const within = (from: Start) => starts.filter(({ atMs }) => atMs >= from.atMs && atMs < from.atMs + spanMs);
  return Math.max(...starts.map((from) => within(from).reduce((sum, start) => sum + weight(start), 0)));
}
const points = ({ cost }: Start): number => (cost === 'read' ? 1 : 5);

/** Follows how many requests run at the same time. */
function gauge() {
  let running = 0;
  const seen = { most: 0 };
  const request = async () => {
    running += 1;
    seen.most = Math.max(seen.most, running);
    await new Promise((resolve) => setTimeout(resolve, 700));
    running -= 1;
  };
  return { seen, request };
}

describe('the lane of the tracker', () => {
  test('starts no more requests in any second than it may', async () => {
    const starts = await startsOf(trackerLane({ requestsPerSecond: 5, concurrency: 100 }), many(17, 'read'));
    expect(times(starts)).toEqual(
      [0, 1000, 2000].flatMap((atMs) => [atMs, atMs, atMs, atMs, atMs]).concat([3000, 3000]),
    );
  });

  test('keeps to the limit across the boundary between two seconds', async () => {
    const lane = trackerLane({ requestsPerSecond: 3, concurrency: 100 });
    const first = await startsOf(lane, ['read']);
    await vi.advanceTimersByTimeAsync(900);
    const rest = await startsOf(lane, many(5, 'read'));
    expect(times(first)).toEqual([0]);
    expect(times(rest)).toEqual([0, 0, 100, 1000, 1000]);
  });

  test('has no more requests on their way at once than it may', async () => {
    const lane = trackerLane({ requestsPerSecond: 50, concurrency: 2 });
    const { seen, request } = gauge();
    const all = many(9, 'read').map((cost) => lane.run(cost, request));
    await vi.runAllTimersAsync();
    await Promise.all(all);
    expect(seen.most).toBe(2);
  });

  test('writes one at a time, also when a write fails', async () => {
    const lane = trackerLane({ requestsPerSecond: 50, concurrency: 4 });
    const { seen, request } = gauge();
    const failing = async () => {
      await request();
      throw new Error('504');
    };
    const all = [...many(4, 'edit'), ...many(4, 'create')].map((cost, index) =>
      lane.run(cost, index === 2 ? failing : request),
    );
    const failed = expect(all[2]).rejects.toThrow('504');
    await vi.runAllTimersAsync();
    await failed;
    expect((await Promise.allSettled(all)).filter(({ status }) => status === 'fulfilled')).toHaveLength(7);
    expect(seen.most).toBe(1);
  });

  test('lets reads overtake the writes that wait', async () => {
    const starts = await startsOf(
      trackerLane({ requestsPerSecond: 50, concurrency: 2 }),
      ['edit', 'create', 'edit', 'read', 'read'],
      500,
    );
    expect(starts.map(({ cost, atMs }) => `${cost} ${atMs}`)).toEqual([
      'edit 0',
      'read 0',
      'read 500',
      'create 500',
      'edit 1000',
    ]);
  });
});

describe('when the wall clock is set', () => {
  const hourMs = 3_600_000;

  test.each([-1_000, -hourMs, -365 * 24 * hourMs, 400 * 24 * hourMs])(
    'by %i ms, requests wait no longer and not less than they would',
    async (ms) => {
      for (const lane of [
        trackerLane({ requestsPerSecond: 5, concurrency: 100 }),
        githubLane({ pointsPerMinute: 30, pauseBetweenWritesMs: 1_000 }),
      ]) {
        const begin = performance.now();
        const starts: number[] = [];
        const all = many(12, 'edit').map((cost) =>
          lane.run(cost, async () => void starts.push(performance.now() - begin)),
        );
        await vi.advanceTimersByTimeAsync(1);
        vi.setSystemTime(Date.now() + ms);
        await vi.runAllTimersAsync();
        await Promise.all(all);
        expect(starts).toHaveLength(12);
        expect(starts.at(-1)).toBeGreaterThan(1_900);
        expect(starts.at(-1)).toBeLessThan(3 * 60_000);
      }
    },
  );
});

describe('a tracker that gets slow', () => {
  /**
   * One request after the other as fast as the lane lets them, to a server that answers the nth after `answersMs[n]`.
   */
  async function load(
    answersMs: readonly number[],
    concurrency: number,
  ): Promise<{ starts: number[]; busyShare: number }> {
    const lane = trackerLane({ requestsPerSecond: 50, concurrency });
    const begin = Date.now();
    const starts: number[] = [];
    const all = answersMs.map((ms) =>
      lane.run('read', async () => {
        starts.push(Date.now() - begin);
        await new Promise((resolve) => setTimeout(resolve, ms));
      }),
    );
    await vi.runAllTimersAsync();
    await Promise.all(all);
    const busyMs = answersMs.reduce((sum, ms) => sum + ms, 0);
    return { starts, busyShare: busyMs / concurrency / (Date.now() - begin) };
  }

  test('is asked again at once while it answers quickly', async () => {
    expect((await load([200, 400, 900, 100], 1)).starts).toEqual([0, 200, 600, 1500]);
  });

  test('is left alone as long as each slow answer took, but never longer than half a minute', async () => {
    expect((await load([200, 2_000, 5_000, 50_000, 100, 100], 1)).starts).toEqual([
      0, 200, 4_200, 14_200, 94_200, 94_300,
    ]);
  });

  test('is kept busy half of the time at most, however slow it gets', async () => {
    const { busyShare } = await load(
      Array.from({ length: 30 }, (_, index) => 1_100 + index * 500),
      2,
    );
    expect(busyShare).toBeLessThanOrEqual(0.52);
  });

  test('gives its answer before the rest', async () => {
    const lane = trackerLane({ requestsPerSecond: 50, concurrency: 1 });
    const begin = Date.now();
    let answeredMs = 0;
    const asked = lane.run('read', () => new Promise<void>((resolve) => setTimeout(resolve, 4_000)));
    void asked.then(() => {
      answeredMs = Date.now() - begin;
    });
    await vi.runAllTimersAsync();
    expect(answeredMs).toBe(4_000);
  });

  test('may fail slowly, too', async () => {
    const lane = trackerLane({ requestsPerSecond: 50, concurrency: 1 });
    const begin = Date.now();
    const failing = lane.run('read', async () => {
      await new Promise((resolve) => setTimeout(resolve, 3_000));
      throw new Error('504');
    });
    const next = lane.run('read', async () => Date.now() - begin);
    const failed = expect(failing).rejects.toThrow('504');
    await vi.runAllTimersAsync();
    await failed;
    expect(await next).toBe(6_000);
  });
});

describe('the lane of GitHub', () => {
  const mixed: Cost[] = Array.from({ length: 60 }, (_, index) =>
    index % 4 === 0 ? 'create' : index % 4 === 1 ? 'edit' : 'read',
  );

  test('pauses between the starts of writes', async () => {
    const starts = await startsOf(githubLane({ pointsPerMinute: 600, pauseBetweenWritesMs: 1000 }), [
      'create',
      'edit',
      'create',
      'edit',
    ]);
    expect(times(starts)).toEqual([0, 1000, 2000, 3000]);
  });

  test('writes one at a time, however long a write takes', async () => {
    const lane = githubLane({ pointsPerMinute: 600, pauseBetweenWritesMs: 100 });
    const { seen, request } = gauge();
    const all = many(4, 'create').map((cost) => lane.run(cost, request));
    await vi.runAllTimersAsync();
    await Promise.all(all);
    expect(seen.most).toBe(1);
  });

  test('lets a read pass the writes that wait', async () => {
    const starts = await startsOf(githubLane({ pointsPerMinute: 600, pauseBetweenWritesMs: 1000 }), [
      'edit',
      'edit',
      'edit',
      'read',
    ]);
    expect(starts).toEqual([
      { cost: 'read', atMs: 0 },
      { cost: 'edit', atMs: 0 },
      { cost: 'edit', atMs: 1000 },
      { cost: 'edit', atMs: 2000 },
    ]);
  });

  test('needs no pause when none is asked for', async () => {
    const starts = await startsOf(githubLane({ pointsPerMinute: 600, pauseBetweenWritesMs: 0 }), many(10, 'edit'));
    expect(times(starts)).toEqual(many(10, 'edit').map(() => 0));
  });

  test.each([
    { what: 'reads only', costs: many(90, 'read'), pauseMs: 1000, takesMs: 0 },
    { what: 'writes only', costs: many(20, 'edit'), pauseMs: 0, takesMs: 0 },
    { what: 'writes with a pause', costs: many(20, 'create'), pauseMs: 1000, takesMs: 0 },
    { what: 'reads and writes', costs: mixed, pauseMs: 1000, takesMs: 0 },
    { what: 'slow reads and writes', costs: mixed, pauseMs: 3000, takesMs: 2500 },
  ])('spends no more points in any minute than it may: $what', async ({ costs, pauseMs, takesMs }) => {
    const starts = await startsOf(githubLane({ pointsPerMinute: 30, pauseBetweenWritesMs: pauseMs }), costs, takesMs);
    expect(starts).toHaveLength(costs.length);
    expect(busiest(starts, 60_000, points)).toBeLessThanOrEqual(30);
    // The reserve is one write, so the lane is not slower than it has to be either.
    expect(busiest(starts, 60_000, points)).toBeGreaterThanOrEqual(25);
  });

  test.each(Array.from({ length: 12 }, (_, index) => 20 + index))(
    'spends no more points in a minute than it may when a write gets its slots in two parts: after %i reads',
    async (before) => {
      const costs: Cost[] = [...many(before, 'read'), 'edit', ...many(60, 'read')];
      const starts = await startsOf(githubLane({ pointsPerMinute: 30, pauseBetweenWritesMs: 1000 }), costs);
      expect(busiest(starts, 60_000, points)).toBeLessThanOrEqual(30);
    },
  );

  test('counts any minute, not the minutes of the clock', async () => {
    const lane = githubLane({ pointsPerMinute: 30, pauseBetweenWritesMs: 1000 });
    const first = await startsOf(lane, ['read']);
    await vi.advanceTimersByTimeAsync(59_000);
    const rest = await startsOf(lane, many(50, 'read'));
    expect(times(first)).toEqual([0]);
    expect(busiest(rest, 60_000, points)).toBeLessThanOrEqual(30);
  });

  test('keeps the pause between writes that had to wait for points', async () => {
    const starts = await startsOf(githubLane({ pointsPerMinute: 20, pauseBetweenWritesMs: 1000 }), mixed, 300);
    const writes = starts.filter(({ cost }) => cost !== 'read');
    expect(busiest(writes, 1000, () => 1)).toBe(1);
  });

  test('goes on after a request that fails, and hands the failure on', async () => {
    const lane = githubLane({ pointsPerMinute: 600, pauseBetweenWritesMs: 1000 });
    const failing = lane.run('edit', () => Promise.reject(new Error('refused')));
    const next = lane.run('edit', () => Promise.resolve('done'));
    const seen = Promise.all([failing.catch((error: Error) => error.message), next]);
    await vi.runAllTimersAsync();
    expect(await seen).toEqual(['refused', 'done']);
  });
});

describe('a process that begins as another ends', () => {
  /** The most points in any minute, if one process has just used all that it may, and the next one begins at once. */
  async function mostOfBoth(lane: typeof githubLane, pointsPerMinute: number): Promise<number> {
    const pace = { pointsPerMinute, pauseBetweenWritesMs: 1000 };
    const before = lane(pace);
    await startsOf(before, ['read']);
    await vi.advanceTimersByTimeAsync(60_000);
    const all = many(pointsPerMinute, 'read');
    const starts = await Promise.all([startsOf(before, all), startsOf(lane(pace), all)]);
    return busiest(starts.flat(), 60_000, points);
  }

  test.each([300, 500, 600])(
    'leaves both together within the limit of GitHub: %i points a minute each',
    async (pointsPerMinute) => {
      expect(await mostOfBoth(githubLane, pointsPerMinute)).toBeLessThanOrEqual(900);
    },
  );

  test.each([
    [600, 295],
    [900, 445],
    [5_000, 4_995],
  ])('has much left in its first minute: of %i points a minute, %i', async (pointsPerMinute, left) => {
    const starts = await startsOf(githubLane({ pointsPerMinute, pauseBetweenWritesMs: 1000 }), many(left + 1, 'read'));
    expect(times(starts).filter((atMs) => atMs === 0)).toHaveLength(left);
  });

  test('a planted fault is caught: it begins with an empty minute', async () => {
    const source = plant({ file: 'runtime/rate-limit.ts', from: 'take(leftOut);', to: 'take(0);' });
    const faulty = (await import(`${source}/runtime/rate-limit.ts`)) as typeof real;
    expect(await mostOfBoth(faulty.githubLane, 600)).toBeGreaterThan(900);
  });
});

import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { type Job, schedule } from '../../src/runtime/schedule.ts';

beforeEach(() => {
  vi.useFakeTimers({ now: Date.parse('2024-03-31T00:00:30Z') });
});
afterEach(() => {
  vi.useRealTimers();
});

const minuteMs = 60_000;
const after = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

function recorded(expression: string, work: () => Promise<void>) {
  const runs: string[] = [];
  const failures: unknown[] = [];
  const job: Job = {
    name: 'poll',
    expression,
    run: () => {
      runs.push(new Date(Date.now()).toISOString().slice(11, 16));
      return work();
    },
    failed: (error) => void failures.push(error),
  };
  return { runs, failures, scheduled: schedule(job) };
}

test('a job runs whenever its expression says, in UTC', async () => {
  const every = recorded('*/1 * * * *', async () => {});
  const daily = recorded('17 3 * * *', async () => {});
  await vi.advanceTimersByTimeAsync(3 * minuteMs);
  expect(every.runs).toEqual(['00:01', '00:02', '00:03']);
  await vi.advanceTimersByTimeAsync(5 * 60 * minuteMs);
  expect(daily.runs).toEqual(['03:17']);
  await Promise.all([every.scheduled.stop(), daily.scheduled.stop()]);
});

test('a run that is due while the last one is busy is left out', async () => {
  const { runs, scheduled } = recorded('*/1 * * * *', () => after(2.5 * minuteMs));
  await vi.advanceTimersByTimeAsync(7 * minuteMs);
  expect(runs).toEqual(['00:01', '00:04', '00:07']);
  const stopped = scheduled.stop();
  await vi.runAllTimersAsync();
  await stopped;
});

test('a run that fails is reported, and the next one comes all the same', async () => {
  const { runs, failures, scheduled } = recorded('*/1 * * * *', () => Promise.reject(new Error('no network')));
  await vi.advanceTimersByTimeAsync(2 * minuteMs);
  expect(runs).toEqual(['00:01', '00:02']);
  expect(failures).toEqual([new Error('no network'), new Error('no network')]);
  await scheduled.stop();
});

test('stopping waits for the run under way, and none comes after it', async () => {
  const { runs, scheduled } = recorded('*/1 * * * *', () => after(20_000));
  await vi.advanceTimersByTimeAsync(30_000);
  expect(runs).toEqual(['00:01']);
  const stopped = vi.fn();
  void scheduled.stop().then(stopped);
  await vi.advanceTimersByTimeAsync(9_000);
  expect(stopped).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(11_000);
  expect(stopped).toHaveBeenCalledTimes(1);
  await vi.advanceTimersByTimeAsync(5 * minuteMs);
  expect(runs).toEqual(['00:01']);
});

describe('when the wall clock is set while a job waits', () => {
  const setBy = (ms: number) => vi.setSystemTime(Date.now() + ms);
  const dayMs = 24 * 60 * minuteMs;

  test.each([
    ['back by a second', -1_000],
    ['back by an hour', -60 * minuteMs],
    ['back by a year', -365 * dayMs],
    ['to 1970', -Date.parse('2024-03-31T00:00:00Z')],
    ['forward by half a minute', 30_000],
    ['forward by 30 days', 30 * dayMs],
    ['forward by 400 days', 400 * dayMs],
    ['from 1970 to today, in effect', 56 * 365 * dayMs],
  ])('%s, each minute has one run, and a moment that is late has one, too', async (_what, ms) => {
    const every = recorded('*/1 * * * *', async () => {});
    const daily = recorded('17 3 * * *', async () => {});
    await vi.advanceTimersByTimeAsync(minuteMs);
    expect(every.runs).toHaveLength(1);
    setBy(ms);
    const before = performance.now();
    for (let minutes = 1; minutes <= 10; minutes += 1) {
      await vi.advanceTimersByTimeAsync(minuteMs + 1_000);
      expect(every.runs.length).toBeGreaterThanOrEqual(1 + minutes);
    }
    expect(performance.now() - before).toBe(10 * (minuteMs + 1_000));
    expect(every.runs.length).toBeLessThanOrEqual(13);
    expect(daily.runs.length).toBe(ms >= dayMs ? 1 : 0);
    expect(daily.scheduled.nextAt()).toBeLessThanOrEqual(Date.now() + dayMs);
    await Promise.all([every.scheduled.stop(), daily.scheduled.stop()]);
  });

  test('back and forward, again and again, no run is left out and none is made up for each minute', async () => {
    const { runs, scheduled } = recorded('*/1 * * * *', async () => {});
    for (let count = 0; count < 20; count += 1) {
      setBy((count % 2 === 0 ? 1 : -1) * 400 * dayMs);
      await vi.advanceTimersByTimeAsync(minuteMs);
    }
    expect(runs.length).toBeGreaterThanOrEqual(20);
    expect(runs.length).toBeLessThanOrEqual(42);
    await scheduled.stop();
  });

  test('back by a day, a daily job waits no longer than a day', async () => {
    const { runs, scheduled } = recorded('17 3 * * *', async () => {});
    setBy(-dayMs / 2);
    await vi.advanceTimersByTimeAsync(dayMs);
    expect(runs.length).toBeGreaterThanOrEqual(1);
    await scheduled.stop();
  });

  test('back by half a second, a moment that the job has met is not met again', async () => {
    const { runs, scheduled } = recorded('17 3 * * *', async () => {});
    await vi.advanceTimersByTimeAsync(3 * 60 * minuteMs);
    setBy(-500);
    await vi.advanceTimersByTimeAsync(60 * minuteMs);
    expect(runs).toHaveLength(1);
    await scheduled.stop();
  });

  test('a machine that slept with its monotonic clock runs the job soon after it wakes', async () => {
    const { runs, scheduled } = recorded('17 3 * * *', async () => {});
    await vi.advanceTimersByTimeAsync(10 * minuteMs);
    setBy(5 * 60 * minuteMs);
    await vi.advanceTimersByTimeAsync(minuteMs);
    expect(runs).toEqual(['05:11']);
    await scheduled.stop();
  });
});

test('tells whether a moment has passed since some time, and takes a time in the future for one that nobody knows', async () => {
  const { scheduled } = recorded('17 3 * * *', async () => {});
  const now = Date.now();
  expect(scheduled.hasPassedSince(now - 60 * minuteMs)).toBe(false);
  expect(scheduled.hasPassedSince(now - 24 * 60 * minuteMs)).toBe(true);
  expect(scheduled.hasPassedSince(now + minuteMs)).toBe(true);
  await scheduled.stop();
});

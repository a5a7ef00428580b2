import { afterEach, beforeEach, expect, test, vi } from 'vitest';
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

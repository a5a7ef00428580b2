import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { systemClock } from '../../src/runtime/clock.ts';

beforeEach(() => {
  vi.useFakeTimers({ now: 5_000 });
});
afterEach(() => {
  vi.useRealTimers();
});

const monthMs = 30 * 24 * 3_600_000;

test.each([1, 1500, monthMs])('a sleep of %i ms takes that long', async (ms) => {
  const clock = systemClock(new AbortController().signal);
  const markedDirty = vi.fn();
  void clock.sleep(ms).then(() => markedDirty(clock.now()));
  await vi.advanceTimersByTimeAsync(ms - 1);
  expect(markedDirty).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(1);
  expect(markedDirty).toHaveBeenCalledExactlyOnceWith(5_000 + ms);
});

test('an abort ends a sleep at once with its reason, and leaves no timer behind', async () => {
  const stop = new AbortController();
  const sleeping = systemClock(stop.signal).sleep(60_000);
  stop.abort(new Error('asked to stop'));
  await expect(sleeping).rejects.toThrow('asked to stop');
  expect(vi.getTimerCount()).toBe(0);
});

test('after an abort nobody sleeps any more', async () => {
  const clock = systemClock(AbortSignal.abort(new Error('asked to stop')));
  await expect(clock.sleep(1)).rejects.toThrow('asked to stop');
});

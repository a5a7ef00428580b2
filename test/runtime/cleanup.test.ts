import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { releasers } from '../../src/runtime/cleanup.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const forever = () => new Promise<void>(() => {});

test('the newest is released first, each after the one before has finished', async () => {
  const seen: string[] = [];
  const held = releasers(10_000);
  held.add('database', () => void seen.push('database closed'));
  held.add('server', async () => {
    seen.push('server stops');
    await new Promise((resolve) => setTimeout(resolve, 500));
    seen.push('server stopped');
  });
  const done = held.release();
  await vi.runAllTimersAsync();
  expect(await done).toEqual([]);
  expect(seen).toEqual(['server stops', 'server stopped', 'database closed']);
});

test('everything is released once, however often it is asked for', async () => {
  const release = vi.fn();
  const held = releasers(10_000);
  held.add('database', release);
  await Promise.all([held.release(), held.release()]);
  await held.release();
  expect(release).toHaveBeenCalledTimes(1);
});

test.each([
  {
    how: 'throws',
    release: () => {
      throw new Error('broken');
    },
  },
  { how: 'rejects', release: () => Promise.reject(new Error('broken')) },
])('one that $how does not keep the others from being released', async ({ release }) => {
  const closed = vi.fn();
  const held = releasers(10_000);
  held.add('database', closed);
  held.add('server', release);
  expect(await held.release()).toEqual([{ name: 'server', error: new Error('broken') }]);
  expect(closed).toHaveBeenCalledTimes(1);
});

test('one that never ends costs the time limit and not more', async () => {
  const closed = vi.fn();
  const held = releasers(3_000);
  held.add('database', closed);
  held.add('second server', forever);
  held.add('first server', forever);
  const done = held.release();
  await vi.advanceTimersByTimeAsync(2_999);
  expect(closed).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(1);
  expect(closed).toHaveBeenCalledTimes(1);
  expect((await done).map(({ name, error }) => `${name}: ${String(error)}`)).toEqual([
    'first server: Error: not finished within 3000 ms',
    'second server: Error: not finished within 3000 ms',
  ]);
});

test('no timer is left when all is released', async () => {
  const held = releasers(3_000);
  held.add('database', () => {});
  await held.release();
  expect(vi.getTimerCount()).toBe(0);
});

import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { untilQuiet, wishesIn } from './rest.ts';

/** When the harness takes a bridge for settled. Time is a stand-in here. */
beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

interface Bridge {
  readonly writes?: () => number;
  readonly wishes?: () => Promise<number>;
  readonly slowestMs?: number;
}

/** How many seconds it waits for a bridge; null when it has not ended after five minutes. */
async function secondsUntilQuiet({
  writes = () => 0,
  wishes = async () => 0,
  slowestMs = 0,
}: Bridge): Promise<number | null> {
  const beganAt = Date.now();
  let endedAt: number | null = null;
  const place = { way: { writes, slowestMs: () => slowestMs }, github: { requests: [] }, wishes, report: () => {} };
  const daemon = { child: { exitCode: null }, output: () => '"compared in full"' };
  void untilQuiet(place, daemon).then(() => {
    endedAt = Date.now();
  });
  await vi.advanceTimersByTimeAsync(300_000);
  return endedAt === null ? null : Math.round((endedAt - beganAt) / 1000);
}

const since = (beganAt: number): number => (Date.now() - beganAt) / 1000;

test('a bridge without wishes is left alone after some seconds of silence', async () => {
  expect(await secondsUntilQuiet({})).toBeLessThan(12);
});

test('a slow tracker is waited for longer', async () => {
  expect(await secondsUntilQuiet({ slowestMs: 5_000 })).toBeGreaterThan(28);
});

test('what was put off for half a minute is waited for, and the silence after it', async () => {
  const beganAt = Date.now();
  const isDone = () => since(beganAt) > 40;
  const waited = await secondsUntilQuiet({ writes: () => (isDone() ? 1 : 0), wishes: async () => (isDone() ? 0 : 1) });
  expect(waited).toBeGreaterThan(48);
  expect(waited).toBeLessThan(60);
});

test('a write while the bridge is asked begins the silence anew', async () => {
  let written = 0;
  const wishes = async () => {
    if (written === 0) written = 1;
    return 0;
  };
  expect(await secondsUntilQuiet({ writes: () => written, wishes })).toBeGreaterThan(17);
});

test('a wish that stays is left to the oracle after some minutes', async () => {
  expect(await secondsUntilQuiet({ wishes: async () => 1 })).toBeGreaterThan(230);
});

const resting = { links: { wanting: 0 }, outbox: { planned: 0, sent: 0 }, unshown: 0, setAside: [] };

test('a comment that the tracker confirmed and does not show is waited for', () => {
  expect([wishesIn([{ ...resting, unshown: 1 }]), wishesIn([resting])]).toEqual([1, 0]);
});

test('an item that a side failed on is waited for where the bridge tries it again by itself', () => {
  const row = { route: 'widget', side: 'github', ref: 10, stage: 'read', cause: 'side', why: 'a limit' } as const;
  const rest = { content: 'item ', version: '1', sinceAt: 0, count: 1, about: '', link: null, advice: '' };
  const aside = (retryAt: number | null) => ({
    ...resting,
    setAside: [{ ...row, ...rest, retryAt }],
  });
  expect([wishesIn([aside(60_000)]), wishesIn([aside(null)])]).toEqual([1, 0]);
});

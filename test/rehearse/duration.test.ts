import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { creationRates } from '../../src/model/duration.ts';
import { read } from '../docs/documents.ts';
import { openStage, type StageOptions } from './stage.ts';

const minuteMs = 60_000;
const requestMs = 300;

beforeEach(() =>
  vi.useFakeTimers({
    now: Date.UTC(2026, 10, 20, 9),
    toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date', 'performance'],
  }),
);
afterEach(() => vi.useRealTimers());

/** How many minutes a whole rehearsal takes at a server that answers in 0.3 s, at this pace. */
async function minutesAt(pace: StageOptions['pace']): Promise<number> {
  const stage = openStage({ hasFiles: true, tickMs: requestMs, ...(pace === undefined ? {} : { pace }) });
  const startedAt = Date.now();
  let isDone = false;
  const run = stage.run().finally(() => {
    isDone = true;
  });
  while (!isDone) await vi.advanceTimersByTimeAsync(requestMs);
  const { cases } = await run;
  expect(cases.filter(({ verdict }) => verdict !== 'as-assumed')).toEqual([]);
  expect(stage.log.filter((line) => / (?:403|429)$/u.test(line))).toEqual([]);
  return Math.round((Date.now() - startedAt) / minuteMs);
}

test('a rehearsal takes as long as its page says, at the usual pace and at the limits that GitHub documents', async () => {
  const usual = await minutesAt({});
  const documented = await minutesAt({
    createsPerMinute: creationRates.perMinute.documented,
    createsPerHour: creationRates.perHour.documented,
  });
  const page = read('docs/rehearsing.md').replace(/\s+/gu, ' ');
  expect(page).toContain(
    `it took ${usual} minutes with the limits of a new configuration, and ${documented} at those that GitHub documents`,
  );
});

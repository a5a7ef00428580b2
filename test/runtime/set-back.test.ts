import { beforeEach, expect, test } from 'vitest';
import type { Store } from '../../src/model/store.ts';
import { openStore } from '../../src/store/open.ts';
import { halfLink, updateOf } from '../contract/store/samples.ts';
import { scrub } from '../support/scrub.ts';

/** What is stored as a moment of our clock, which is set back then. */
let store: Store;
beforeEach(() => {
  store = openStore(':memory:', { mode: 'write', now: () => 1_000, scrub });
  return () => store.close();
});

const day = 86_400_000;

/** A clock that stood at `now` when both routes were read. */
function readAt(now: number): void {
  const cursor = { changes: null, listing: null, isComplete: true, readAt: 5, sweptAt: null, early: [] };
  for (const route of ['kettle', 'pot']) store.cursors.put(route, 'tracker', { ...cursor, polledAt: now });
}

/** What waits, was sent and was spent at a clock that stood at `now`. */
function keep(now: number): () => unknown {
  const { links, outbox, setAside, budgets, cursors } = store;
  const { id } = links.add(halfLink(1));
  const names = ['late', 'sent', 'parked'];
  outbox.replace(
    'kettle',
    [id],
    names.map((name) => updateOf(id, name, 'x')),
  );
  const [late, sent, parked] = names.map((name) => `${id}:${name}`) as [string, string, string];
  outbox.mark(late, { notBeforeAt: now + 30, waitingSince: now - 9 });
  outbox.mark(sent, { state: 'sent', sentAt: now - 1 });
  outbox.mark(parked, { state: 'parked', notBeforeAt: now + 50 });
  const place = { route: 'kettle', side: 'tracker', ref: 1, stage: 'read', cause: 'side', why: 'x' } as const;
  setAside.put({ ...place, at: now, retryAt: now + 60, content: 'c', version: '1' });
  budgets.backOff('github', now + 70, 'too fast');
  budgets.spend('github', 'create', { at: now - 2, points: 1 });
  return () => ({
    late: outbox.get(late)?.notBeforeAt,
    since: outbox.get(late)?.waitingSince,
    sent: outbox.get(sent)?.sentAt,
    parked: outbox.get(parked)?.notBeforeAt,
    retry: setAside.get('kettle', 'tracker', 1)?.retryAt,
    pause: budgets.lastBackoff('github')?.until,
    spent: budgets.since('github', ['create'], 0).map(({ at }) => at),
    polled: ['kettle', 'pot'].map((route) => cursors.get(route, 'tracker')?.polledAt),
  });
}
const at = (now: number) => ({
  ...{ late: now + 30, since: now - 9, sent: now - 1, parked: now + 50, retry: now + 60, pause: now + 70 },
  ...{ spent: [now - 2], polled: [now, now] },
});

test.each([2_000, 3_600_000, day, 400 * day])('comes nearer by %i ms, as the clock was set back, once', (ms) => {
  const now = 500 * day;
  readAt(now);
  const kept = keep(now);
  store.moments.followClock(now - ms);
  expect(kept()).toStrictEqual(at(now - ms));
  store.moments.followClock(now - ms);
  expect(kept()).toStrictEqual(at(now - ms));
});

test.each([0, 500, -60_000])('stays where it is, as the clock was corrected by %i ms', (ms) => {
  const now = 500 * day;
  readAt(now);
  const kept = keep(now);
  store.moments.followClock(now - ms);
  expect(kept()).toStrictEqual(at(now));
});

test('stays where it is before the first read', () => {
  const kept = keep(day);
  store.moments.followClock(0);
  expect(kept()).toMatchObject({ late: day + 30, pause: day + 70 });
});

import { beforeEach, expect, test } from 'vitest';
import { attachmentLinkId } from '../../src/model/ids.ts';
import type { Store } from '../../src/model/store.ts';
import { openStore } from '../../src/store/open.ts';
import { sampleReceipt } from '../contract/store/receipts.ts';
import { halfLink, updateOf } from '../contract/store/samples.ts';
import { scrub } from '../support/scrub.ts';

/** What is stored as a moment of our clock, which is set back then. */
let store: Store;
/** An earlier version did not store when something was stored. */
let clock: number | null = 0;
beforeEach(() => {
  store = openStore(':memory:', { mode: 'write', now: () => clock as number, scrub });
  return () => store.close();
});

const day = 86_400_000;

/** A clock that stood at `now` when both routes were read. */
function readAt(now: number): void {
  const cursor = { changes: null, listing: null, isComplete: true, readAt: 5, sweptAt: null, early: [] };
  for (const route of ['kettle', 'pot']) store.cursors.put(route, 'tracker', { ...cursor, polledAt: now });
}

/** What waits, was sent and was spent at a clock that stood at `now`. */
function keep(now: number, isEarlier = false): () => Readonly<Record<string, unknown>> {
  clock = isEarlier ? null : now;
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

const back = [2_000, 3_600_000, day, 400 * day];
test.each([...back.map((ms) => [ms, false] as const), ...back.map((ms) => [ms, true] as const)])(
  'comes nearer by %i ms, as the clock was set back, once; of an earlier version: %j',
  (ms, isEarlier) => {
    const now = 500 * day;
    readAt(now);
    const kept = keep(now, isEarlier);
    store.moments.followClock(now - ms);
    expect(kept()).toStrictEqual(at(now - ms));
    store.moments.followClock(now - ms);
    expect(kept()).toStrictEqual(at(now - ms));
  },
);

test.each([0, 500, -60_000])('stays where it is, as the clock was corrected by %i ms', (ms) => {
  const now = 500 * day;
  readAt(now);
  const kept = keep(now);
  store.moments.followClock(now - ms);
  expect(kept()).toStrictEqual(at(now));
});

test('of an earlier version stays where it is before the first read', () => {
  const kept = keep(day, true);
  store.moments.followClock(0);
  expect(kept()).toMatchObject({ late: day + 30, pause: day + 70 });
});

/** The clock was ahead within one cycle, so that no read tells, and is right again. */
test.each([2_000, 20 * 3_600_000, 400 * day])(
  'what was stored while the clock was %i ms ahead counts from now',
  (ms) => {
    const now = 500 * day;
    readAt(now);
    const kept = keep(now + ms);
    const { links, receipts } = store;
    const { id: link } = links.add(halfLink(2));
    const files = [{ key: 'k', at: 0, id: 9, answeredAt: now + ms, attachmentLink: attachmentLinkId(1) }];
    receipts.save({ ...sampleReceipt(link), answeredAt: now + ms, files });
    store.moments.followClock(now);
    const aligned = { ...at(now), polled: [now, now], spent: [now] };
    expect(kept()).toStrictEqual(aligned);
    expect(receipts.get(link)).toMatchObject({ answeredAt: now, files: [{ answeredAt: now }] });
    expect(store.setAside.get('kettle', 'tracker', 1)?.sinceAt).toBe(now);
    store.moments.followClock(now + 10);
    expect(kept()).toStrictEqual(aligned);
  },
);

test('what was stored by the right clock stays, while what was stored by one ahead comes nearer', () => {
  const now = 500 * day;
  readAt(now);
  clock = now;
  store.budgets.backOff('tracker', now + 90, 'busy');
  const place = { route: 'kettle', side: 'github', stage: 'read', cause: 'side', why: 'x', version: '1' } as const;
  store.setAside.put({ ...place, ref: 7, at: now, retryAt: now + day, content: 'c' });
  keep(now + 20 * 3_600_000);
  store.moments.followClock(now + 50);
  expect(store.budgets.backoffOf('tracker', now + 50)?.until).toBe(now + 90);
  expect(store.setAside.get('kettle', 'github', 7)?.retryAt).toBe(now + day);
  expect(store.budgets.backoffOf('github', now + 50)?.until).toBe(now + 120);
});

test('a revised item counts from its revision', () => {
  const now = 500 * day;
  readAt(now);
  keep(now);
  const item = store.setAside.get('kettle', 'tracker', 1);
  if (item === null) throw new Error('nothing set aside');
  clock = now + 400 * day;
  store.setAside.revise({ ...item, retryAt: now + 400 * day + 30 });
  store.moments.followClock(now);
  expect(store.setAside.get('kettle', 'tracker', 1)?.retryAt).toBe(now + 30);
});

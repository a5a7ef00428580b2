import { describe, expect, test } from 'vitest';
import type { TrackerReplica } from '../../../src/model/replica.ts';
import type { TrackerRequest } from './fake-tracker.ts';
import { replicaOf, startAt } from './small-tracker.ts';

const bugs = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ id: index + 1, changedAt: startAt - 1000 }));
const searches = (asked: readonly TrackerRequest[]) => asked.filter((one) => one.path === '/bug');
const cursor = (at: number): string => JSON.stringify({ sinceAt: at });
const since = (one: TrackerRequest | undefined): number => Date.parse(one?.query.get('last_change_time') ?? '');

async function listAll(replica: TrackerReplica): Promise<number[]> {
  const seen: number[] = [];
  for (let page = await replica.list(null); ; page = await replica.list(page.next)) {
    seen.push(...page.items.map((bug) => bug.id));
    if (page.next === null) return seen;
  }
}

describe('a full reading', () => {
  test.each([
    ['fewer than a page', 3, 10, 1000],
    ['exactly a page', 10, 10, 1000],
    ['several pages', 25, 10, 1000],
    ['a server maximum below the page', 25, 10, 4],
    ['a server maximum that divides the count', 24, 10, 4],
    ['a server maximum of one', 5, 10, 1],
    ['an empty product', 0, 10, 1000],
  ])('brings everything once: %s', async (_name, count, pageSize, cap) => {
    const { replica } = replicaOf({ bugs: bugs(count), cap }, pageSize);
    expect(await listAll(replica)).toEqual(bugs(count).map((bug) => bug.id));
  });

  test('continues after a page that lost a bug because it was just hidden', async () => {
    let pages = 0;
    const { replica } = replicaOf({
      bugs: bugs(30),
      meddle: ({ path, query }) => {
        pages += path === '/bug' ? 1 : 0;
        const isSecond = path === '/bug' && pages === 2;
        if (isSecond) query.set('limit', '9');
        return null;
      },
    });
    expect(await listAll(replica)).toEqual(bugs(30).map((bug) => bug.id));
  });

  test('asks by id, in order, for named fields only', async () => {
    const { asked, replica } = replicaOf({ bugs: bugs(12) });
    await listAll(replica);
    const second = searches(asked)[1]?.query;
    expect(Object.fromEntries(second ?? [])).toMatchObject({
      product: 'Widget',
      f1: 'bug_id',
      o1: 'greaterthan',
      v1: '10',
      order: 'bug_id',
      limit: '10',
    });
    expect(second?.get('include_fields')?.split(',')).toEqual(
      expect.arrayContaining(['id', 'creator', 'groups', 'last_change_time']),
    );
    expect(second?.has('offset')).toBe(false);
  });

  test('is not disturbed by a bug that leaves while it goes on', async () => {
    const { replica, world } = replicaOf({ bugs: bugs(25) });
    const first = await replica.list(null);
    world.hidden.add(2);
    const second = await replica.list(first.next);
    expect(second.items[0]?.id).toBe(11);
  });

  test('drops bugs of other products, since a search fails open', async () => {
    const { replica } = replicaOf({ bugs: [{ id: 1 }, { id: 2, product: 'Secret' }, { id: 3 }] });
    expect(await listAll(replica)).toEqual([1, 3]);
  });

  test('takes a bug that a page shows twice', async () => {
    expect(await listAll(replicaOf({ bugs: [{ id: 1 }, { id: 2 }, { id: 2 }, { id: 3 }] }).replica)).toEqual([
      1, 2, 2, 3,
    ]);
  });

  test('stops with words when the server does not page by id', async () => {
    const { replica } = replicaOf({ bugs: [{ id: 2 }, { id: 1 }] });
    await expect(replica.list(null)).rejects.toMatchObject({
      name: 'SideError',
      kind: 'refused',
      message: expect.stringContaining('does not page its search by bug id'),
    });
    await expect(
      replicaOf({
        bugs: bugs(3),
        meddle: (one) => {
          one.query.delete('f1');
          return null;
        },
      }).replica.list('2'),
    ).rejects.toMatchObject({ kind: 'refused' });
  });
});

describe('a bug that the tracker fails on', () => {
  test('is left out and reported, and all others arrive', async () => {
    const { replica } = replicaOf({ bugs: bugs(25), poison: new Set([1, 7, 20]) });
    expect((await replica.list(null)).failed?.map(({ ref }) => ref)).toEqual([1, 7]);
    expect(await listAll(replica)).toEqual(
      bugs(25)
        .map((bug) => bug.id)
        .filter((id) => ![1, 7, 20].includes(id)),
    );
  });

  test('at the end of a page does not end the reading', async () => {
    const { replica } = replicaOf({ bugs: bugs(25), poison: new Set([9, 10]) });
    expect(await listAll(replica)).toHaveLength(23);
  });

  test('once only is not left out: a bad moment is not a bad bug', async () => {
    let failures = 2;
    const { replica, warnings } = replicaOf({
      bugs: bugs(1),
      meddle: (one) => {
        const fails = one.query.get('include_fields') !== 'id' && failures-- > 0;
        return fails ? { body: { error: true, code: 100500, message: 'Deadlock found' } } : null;
      },
    });
    expect((await replica.list(null)).items).toHaveLength(1);
    expect(warnings).toEqual([]);
  });

  test('is not looked for while the tracker is ill altogether', async () => {
    const { asked, replica } = replicaOf({
      bugs: bugs(5),
      meddle: () => ({ body: { error: true, code: 100500, message: 'no database' } }),
    });
    await expect(replica.list(null)).rejects.toMatchObject({ name: 'SideError', kind: 'later' });
    // The page, its ids, its first id, the newest bug, the oldest.
    expect(asked).toHaveLength(5);
  });

  test('is not looked for when the server itself says that it is ill', async () => {
    const { asked, replica } = replicaOf({
      bugs: bugs(5),
      meddle: () => ({ status: 500, body: { error: true, code: 100500, message: 'no database' } }),
    });
    await expect(replica.list(null)).rejects.toMatchObject({ name: 'SideError', kind: 'later' });
    expect(asked).toHaveLength(5);
  });

  test.each([
    ['the first', [1], 25],
    ['the last', [25], 25],
    ['neighbours', [9, 10, 11], 25],
    ['at the ends of pages', [1, 10, 11, 20, 24], 25],
    ['far apart', [1, 500, 898, 899], 900],
  ])('even in a list of ids is left out and reported: %s', async (_name, unlisted, count) => {
    const { replica } = replicaOf({ bugs: bugs(count), unlisted: new Set(unlisted) });
    const [seen, failed]: [number[], number[]] = [[], []];
    for (let page = await replica.list(null); ; page = await replica.list(page.next)) {
      seen.push(...page.items.map(({ id }) => id));
      failed.push(...(page.failed?.map(({ ref }) => ref) ?? []));
      if (page.next === null) break;
    }
    expect(failed).toEqual(unlisted);
    expect(seen).toEqual(bugs(count).flatMap(({ id }) => (unlisted.includes(id) ? [] : [id])));
  });

  test('even in a list of ids keeps its place among ids with gaps, and costs little again', async () => {
    const some = [3, 70_000, 70_001, 1_999_999].map((id) => ({ id, changedAt: startAt }));
    const { asked, replica } = replicaOf({ bugs: some, unlisted: new Set([70_000]) });
    expect(await listAll(replica)).toEqual([3, 70_001, 1_999_999]);
    expect(asked.length).toBeLessThan(60);
    const before = asked.length;
    expect(await listAll(replica)).toEqual([3, 70_001, 1_999_999]);
    expect(asked.length - before).toBeLessThan(20);
  });

  test('even in a list of ids does not end a poll', async () => {
    const changed = [4, 9, 17].map((id) => ({ id, changedAt: startAt }));
    const { replica } = replicaOf({ bugs: [{ id: 1 }, ...changed], unlisted: new Set([9]) });
    const { items, failed, cursor: next } = await replica.changes(cursor(startAt));
    expect([items.map(({ id }) => id), failed?.map(({ ref }) => ref)]).toEqual([[4, 17], [9]]);
    expect(next).toBe(cursor(startAt));
  });

  test('is not named where the tracker ignores the limits of a search, or fails on every list', async () => {
    const ignoring = replicaOf({
      bugs: bugs(5),
      unlisted: new Set([3]),
      meddle: ({ query }) => {
        query.delete('f99');
        return null;
      },
    });
    await expect(listAll(ignoring.replica)).rejects.toMatchObject({ kind: 'later' });
    const every = replicaOf({ bugs: bugs(5), unlisted: new Set([1, 2, 3, 4, 5]) });
    await expect(listAll(every.replica)).rejects.toMatchObject({ kind: 'later' });
  });

  test('in a large page is found without an address that is too long', async () => {
    const { asked, replica } = replicaOf({ bugs: bugs(900), poison: new Set([450]) }, 1000);
    expect(await listAll(replica)).toHaveLength(899);
    expect(Math.max(...asked.map((one) => one.url.length))).toBeLessThan(4000);
  });
});

describe('a poll', () => {
  test('with no cursor brings nothing and begins at the server’s own time', async () => {
    const { replica } = replicaOf({ bugs: bugs(3) });
    expect(await replica.changes(null)).toEqual({
      items: [],
      comments: [],
      readAt: startAt,
      cursor: cursor(startAt),
    });
  });

  test('asks from a minute before its cursor, in UTC, and brings what changed', async () => {
    const changed = [
      { id: 1, changedAt: startAt - 61_000 },
      { id: 2, changedAt: startAt - 60_000 },
      { id: 3, changedAt: startAt + 5000 },
    ];
    const { asked, replica } = replicaOf({ bugs: changed, now: startAt + 9000 });
    const { items, readAt } = await replica.changes(cursor(startAt));
    expect(items.map((bug) => bug.id)).toEqual([2, 3]);
    expect(readAt).toBe(startAt + 9000);
    expect(searches(asked)[0]?.query.get('last_change_time')).toBe('2026-11-21T09:59:00Z');
  });

  test.each([
    ['the newest change', startAt, [startAt + 8000], startAt + 9000, startAt + 8000],
    ['where it was, when nothing happened lately', startAt, [], startAt + 9000, startAt],
    [
      'five minutes behind the server, when nothing happened for long',
      startAt,
      [],
      startAt + 900_000,
      startAt + 600_000,
    ],
    ['where it was, when all that came is older', startAt, [startAt - 30_000], startAt + 9000, startAt],
    [
      'the beginning of the reading at most, when a change is dated later',
      startAt,
      [startAt + 99_000],
      startAt + 9000,
      startAt + 9000,
    ],
    ['where it was, when the server’s clock goes back by a moment', startAt, [], startAt - 30_000, startAt],
    ['the server’s clock, when that goes back', startAt, [startAt - 901_000], startAt - 900_000, startAt - 901_000],
    ['the server’s clock, when it was two days ahead', startAt + 172_800_000, [], startAt, startAt - 300_000],
    [
      'the server’s clock, when it was thousands of years ahead',
      Date.UTC(9999, 11, 31),
      [startAt - 3_600_000],
      startAt,
      startAt - 300_000,
    ],
  ])('moves its cursor to %s', async (_name, from, changedAts, now, to) => {
    const { replica } = replicaOf({ bugs: changedAts.map((changedAt, index) => ({ id: index + 1, changedAt })), now });
    expect((await replica.changes(cursor(from))).cursor).toBe(cursor(to));
  });

  test('does not lose a bug that changes on an early page while later pages are read', async () => {
    const { replica, world } = replicaOf({ bugs: bugs(15).map((bug) => ({ ...bug, changedAt: startAt })) });
    world.meddle = (one) => {
      if (one.query.get('v1') !== '10') return null;
      world.now = startAt + 200_000;
      world.bugs[2] = { id: 3, changedAt: startAt + 80_000 };
      world.bugs[14] = { id: 15, changedAt: startAt + 190_000 };
      return null;
    };
    const first = await replica.changes(cursor(startAt));
    expect(first.items.at(-1)?.changedAt).toBe(startAt + 190_000);
    const second = await replica.changes(first.cursor);
    expect(second.items.find((bug) => bug.id === 3)?.changedAt).toBe(startAt + 80_000);
  });

  test('is one request when nothing happened, and two at most', async () => {
    const { asked, replica, world } = replicaOf({ bugs: bugs(3), cap: 100 }, 100);
    await listAll(replica);
    const polls: number[] = [];
    for (const changed of [[], [1], [1, 2], []]) {
      world.now += 3_600_000;
      for (const id of changed) world.bugs[id - 1] = { id, changedAt: world.now };
      const before = asked.length;
      await replica.changes(cursor(world.now - 60_000));
      polls.push(asked.length - before);
    }
    expect(polls).toEqual([1, 1, 2, 1]);
  });

  /** How many requests a poll takes that shows nine bugs of forty, after a greeting. */
  async function quietPoll(): Promise<number> {
    const { asked, replica, world } = replicaOf({ bugs: bugs(40) }, 100);
    await replica.hello();
    for (const index of world.bugs.keys())
      if (index >= 9) world.bugs[index] = { id: index + 1, changedAt: startAt - 86_400_000 };
    const before = asked.length;
    expect((await replica.changes(cursor(startAt - 1_000))).items).toHaveLength(9);
    return asked.length - before;
  }

  /**
   * How many of forty changes a poll finds on a tracker that cuts every page to `cap`, in pages of our own of
   * `pageSize`.
   */
  async function foundOf40(cap: number, pageSize: number): Promise<number> {
    const { replica } = replicaOf({ bugs: bugs(40), cap }, pageSize);
    await replica.hello();
    return (await replica.changes(cursor(startAt))).items.length;
  }

  test('stays one request while few bugs are shown again, once a greeting has looked how many come at once', async () => {
    expect(await quietPoll()).toBe(1);
  });

  test.each([
    [3, 100],
    [12, 100],
    [100, 7],
  ])('goes on over a silent maximum of %i, in pages of %i, greeted or not', async (cap, pageSize) => {
    expect(await foundOf40(cap, pageSize)).toBe(40);
  });

  test('goes on over a silent maximum that it has not met yet', async () => {
    const { asked, replica } = replicaOf({ bugs: bugs(9), cap: 3 });
    expect((await replica.changes(cursor(startAt))).items).toHaveLength(9);
    expect(since(searches(asked)[3])).toBe(startAt - 60_000);
  });

  test('takes the time from the tracker’s own clock when the answer brings no date', async () => {
    const { replica } = replicaOf({
      bugs: bugs(1),
      now: startAt + 9000,
      meddle: (one) => (one.path === '/bug' ? { body: { bugs: [] }, headers: { date: '' } } : null),
    });
    expect((await replica.changes(cursor(startAt))).readAt).toBe(startAt + 9000);
  });
});

import { describe, expect, test } from 'vitest';
import { iso, replicaOf, type SmallTracker, startAt } from './api/small-tracker.ts';

/** The web server dates its answers by a clock of its own; bugs are stamped by the database. */
const minuteMs = 60_000;
const skews = [
  ['ahead of', 20 * minuteMs],
  ['behind', -20 * minuteMs],
] as const;

const withoutTime: Pick<SmallTracker, 'meddle'> = {
  meddle: ({ path }) =>
    path === '/time' ? { status: 404, body: { error: true, code: 32614, message: 'no such resource' } } : null,
};

async function greeted(options: Partial<SmallTracker>) {
  const tracker = replicaOf(options);
  await tracker.replica.hello();
  return tracker;
}

describe.each(skews)('a web server that is %s its database', (_name, dateSkewMs) => {
  const bug = { id: 1, changedAt: startAt, comments: [{ id: 11, at: startAt }] };

  /** After a quiet hour something happens, and the answer that could have shown it came a moment too early. */
  async function losesNothing(options: Partial<SmallTracker>) {
    const { world, replica } = await greeted({ dateSkewMs, bugs: [bug], ...options });
    let { cursor } = await replica.changes(null);
    let [thread] = await replica.threads([{ ref: 1, sinceAt: null }]);
    for (let hour = 1; hour <= 3; hour += 1) {
      world.now += 60 * minuteMs;
      ({ cursor } = await replica.changes(cursor));
      [thread] = await replica.threads([{ ref: 1, sinceAt: thread?.readAt ?? null }]);
      world.now += minuteMs;
      const comments = [...(world.bugs[0]?.comments ?? []), { id: 11 + hour, at: world.now }];
      world.bugs[0] = { id: 1, changedAt: world.now, comments };
      world.now += minuteMs;
      const changes = await replica.changes(cursor);
      expect(changes.items, `hour ${hour}`).toHaveLength(1);
      const [late] = await replica.threads([{ ref: 1, sinceAt: thread?.readAt ?? null }]);
      expect(late?.comments.map(({ id }) => id)).toContain(11 + hour);
      ({ cursor } = changes);
      [thread] = late === undefined ? [] : [late];
    }
  }

  test('loses no change and no comment', () => losesNothing({}));

  test('loses none either when the tracker does not report its time', () => losesNothing(withoutTime));

  test('dates answers by the clock of the database', async () => {
    const { replica } = await greeted({ dateSkewMs, bugs: [bug] });
    expect((await replica.changes(JSON.stringify({ sinceAt: startAt }))).readAt).toBe(startAt);
    expect((await replica.list(null)).readAt).toBe(startAt);
    expect((await replica.threads([{ ref: 1, sinceAt: null }]))[0]?.readAt).toBe(startAt);
  });

  test('is measured again at every greeting', async () => {
    const { world, replica } = await greeted({ dateSkewMs, bugs: [bug] });
    Object.assign(world, { dateSkewMs: 0 });
    await replica.hello();
    expect((await replica.list(null)).readAt).toBe(startAt);
  });
});

describe.each([
  ['two days ahead', 2 * 86_400_000],
  ['in the year 9999', Date.UTC(9999, 11, 31) - startAt],
  ['six minutes ahead', 6 * minuteMs],
  ['three years behind', -3 * 365 * 86_400_000],
])('one answer whose date is %s', (_name, wrongMs) => {
  test.each([true, false])(
    'hides no change and no comment that comes later (at a greeting: %s)',
    async (isAtGreeting) => {
      const tracker = replicaOf({
        bugs: [{ id: 1, changedAt: startAt - minuteMs, comments: [{ id: 11, at: startAt - minuteMs }] }],
      });
      const { world, replica } = tracker;
      const wrongly = async <T>(work: () => Promise<T>): Promise<T> => {
        Object.assign(world, { dateSkewMs: wrongMs });
        return work().finally(() => Object.assign(world, { dateSkewMs: 0 }));
      };
      if (isAtGreeting) await wrongly(() => replica.hello());
      else await replica.hello();
      const { cursor } = await replica.changes(null);
      const next = await wrongly(() => replica.changes(cursor));
      const [thread] = await wrongly(() => replica.threads([{ ref: 1, sinceAt: null }]));
      world.now += 10 * minuteMs;
      world.bugs[0] = {
        id: 1,
        changedAt: world.now,
        comments: [...(world.bugs[0]?.comments ?? []), { id: 12, at: world.now }],
      };
      world.now += minuteMs;
      expect((await replica.changes(next.cursor)).items).toHaveLength(1);
      const [later] = await replica.threads([{ ref: 1, sinceAt: thread?.readAt ?? null }]);
      expect(later?.comments.map(({ id }) => id)).toContain(12);
    },
  );
});

test('a cursor ahead of the tracker goes back a day, and brings the changes since then', async () => {
  const { world, replica } = await greeted({
    bugs: [
      { id: 1, changedAt: startAt - 3_600_000 },
      { id: 2, changedAt: startAt - 90_000_000 },
    ],
  });
  const found = await replica.changes(JSON.stringify({ sinceAt: Date.UTC(2099, 0, 1) }));
  expect(found.items.map(({ id }) => id)).toEqual([1]);
  world.now += 10 * minuteMs;
  world.bugs[0] = { id: 1, changedAt: world.now };
  expect((await replica.changes(found.cursor)).items).toHaveLength(1);
});

describe('a tracker that does not tell its time', () => {
  test('is followed from the newest change that it names', async () => {
    const { asked, replica } = await greeted({ ...withoutTime, bugs: [{ id: 1, changedAt: startAt - 5000 }] });
    expect((await replica.changes(null)).cursor).toBe(JSON.stringify({ sinceAt: startAt - 5000 }));
    expect(asked.at(-1)?.query.get('order')).toBe('changeddate DESC');
  });

  test('is followed from the beginning while it has no bugs', async () => {
    const { replica } = await greeted(withoutTime);
    expect((await replica.changes(null)).cursor).toBe(JSON.stringify({ sinceAt: 0 }));
  });

  test('does not move its cursor while nothing happens', async () => {
    const { world, replica } = await greeted(withoutTime);
    world.now += 24 * 60 * minuteMs;
    const cursor = JSON.stringify({ sinceAt: startAt });
    expect(await replica.changes(cursor)).toMatchObject({ cursor, readAt: startAt });
  });

  test('may change a bug on an early page while later pages are read', async () => {
    const bugs = Array.from({ length: 15 }, (_, index) => ({ id: index + 1, changedAt: startAt }));
    const { world, replica } = await greeted({ bugs, dateSkewMs: 20 * minuteMs });
    world.meddle = (one) => {
      if (one.path === '/time') return withoutTime.meddle(one);
      if (one.query.get('v1') !== '10' || world.now !== startAt) return null;
      world.now = startAt + 200_000;
      world.bugs[2] = { id: 3, changedAt: startAt + 80_000 };
      world.bugs[14] = { id: 15, changedAt: startAt + 190_000 };
      return null;
    };
    await replica.hello();
    const first = await replica.changes(JSON.stringify({ sinceAt: startAt }));
    expect(first.items.at(-1)?.changedAt).toBe(startAt + 190_000);
    const { items } = await replica.changes(first.cursor);
    expect(items.find(({ id }) => id === 3)?.changedAt, iso(startAt)).toBe(startAt + 80_000);
  });
});

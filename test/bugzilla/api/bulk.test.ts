import { describe, expect, test } from 'vitest';
import { type Bug, openTracker, type TrackerOptions } from '../../../src/bugzilla/api/tracker.ts';
import { fakeTracker, type Reply, type TrackerRequest } from './fake-tracker.ts';
import { iso, type SmallTracker, smallTracker, startAt } from './small-tracker.ts';

const url = 'http://tracker.example.test';
const ids = (count: number, from = 1) => Array.from({ length: count }, (_, index) => from + index);

interface Scenario {
  readonly bugs?: readonly number[];
  readonly hidden?: readonly number[];
  readonly poison?: readonly number[];
  readonly cap?: number;
  readonly meddle?: SmallTracker['meddle'];
}

/** A tracker with bugs, comments, attachments and history that identifies keys like 5.2. */
function openScenario(
  { bugs = [], hidden = [], poison = [], cap = 10_000, meddle = () => null }: Scenario,
  options: Partial<TrackerOptions> = {},
) {
  const world: Partial<SmallTracker> = {
    bugs: bugs.map((id) => ({ id, comments: [{ id: id * 10, at: startAt }] })),
    hidden: new Set(hidden),
    poison: new Set(poison),
    cap,
    meddle: (asked) => meddle(asked) ?? identity(asked) ?? others(asked),
  };
  const small = smallTracker(world);
  const tracker = openTracker({ url, fetch: small.fetch, ...options });
  const others = (asked: TrackerRequest): Reply | null => {
    const [, first, what] = /^\/bug\/(\d+)\/(attachment|history)$/.exec(asked.path) ?? [];
    if (what === undefined) return null;
    const refs = [Number(first), ...asked.query.getAll('ids').map(Number)];
    const gone = refs.find((ref) => hidden.includes(ref));
    if (gone !== undefined) return { status: 401, body: { error: true, code: 102, message: `bug ${gone}` } };
    if (refs.some((ref) => poison.includes(ref))) return { body: { error: true, code: 100500, message: 'inner' } };
    return what === 'history'
      ? { body: { bugs: refs.map((id) => ({ id, alias: [], history: [] })) } }
      : { body: { bugs: Object.fromEntries(refs.map((id) => [id, [{ id: id * 3, bug_id: id }]])), attachments: {} } };
  };
  return { ...small, tracker };
}

const absent: Reply = { status: 404, body: { error: true, code: 32614, message: 'not found' } };

function identity({ path, query }: TrackerRequest): Reply | null {
  if (path === '/whoami') return absent;
  return path === '/valid_login' ? { body: { result: query.has('api_key') } } : null;
}

async function all(bugs: AsyncIterable<Bug>): Promise<readonly number[]> {
  const seen: number[] = [];
  for await (const { id } of bugs) seen.push(id);
  return seen;
}

describe('a full reading with comments, attachments and history', () => {
  test.each([
    [500, 1],
    [501, 1],
    [600, 1_000_000],
    [1001, 10_000],
    [2500, 1_000_000],
  ])('of %i bugs from %i on takes at most 0.02 requests a bug, including the check of the key', async (count, from) => {
    const { asked, tracker } = openScenario(
      { bugs: ids(count, from) },
      { apiKey: 'k'.repeat(40), login: 'bridge@example.test' },
    );
    const found = await all(tracker.readBugs({ product: 'Widget' }));
    expect(found).toEqual(ids(count, from));
    expect((await tracker.readComments(found)).found.size).toBe(count);
    expect((await tracker.readAttachments(found)).found.size).toBe(count);
    expect((await tracker.readHistory(found)).found.size).toBe(count);
    expect(asked.length / count).toBeLessThanOrEqual(0.02);
    expect(Math.max(...asked.map((one) => one.url.length))).toBeLessThan(8000);
  });

  test.each([1, 7, 100])('over a silent maximum of %i misses and repeats nothing', async (cap) => {
    const { tracker } = openScenario({ bugs: ids(205), cap });
    expect(await all(tracker.readBugs({}))).toEqual(ids(205));
    expect((await tracker.searchBugs({ limit: 0 })).map(({ id }) => id)).toEqual(ids(205));
    expect((await tracker.getBugs(ids(205))).map(({ id }) => id)).toEqual(ids(205));
  });

  test('puts the caller’s charts behind its own', async () => {
    const { asked, tracker } = openScenario({ bugs: ids(2) });
    await all(
      tracker.readBugs(
        { charts: [{ field: 'see_also', operator: 'isnotempty' }] },
        { includeFields: ['summary'], pageSize: 2 },
      ),
    );
    expect(asked.map(({ query }) => String(query))).toEqual([
      'f2=see_also&o2=isnotempty&f1=bug_id&o1=greaterthan&v1=0&order=bug_id&limit=2&include_fields=summary%2Cid',
      'f2=see_also&o2=isnotempty&f1=bug_id&o1=greaterthan&v1=2&order=bug_id&limit=2&include_fields=summary%2Cid',
    ]);
  });
});

describe('a bug that cannot be read', () => {
  const bugs = ids(300);
  test.each(['readComments', 'readAttachments', 'readHistory'] as const)(
    'costs %s that bug alone, with the reason',
    async (method) => {
      const { asked, tracker } = openScenario({ bugs, hidden: [7], poison: [200] });
      const { found, leftOut } = await tracker[method](bugs);
      expect([...found.keys()].sort((one, other) => one - other)).toEqual(bugs.filter((id) => id !== 7 && id !== 200));
      expect(leftOut.map(({ bug, failure }) => [bug, failure.kind, failure.code])).toEqual([
        [7, 'hidden', 102],
        [200, 'unknown-outcome', 100500],
      ]);
      expect(asked.length).toBeLessThan(45);
    },
  );

  test('that is missing is reported as missing', async () => {
    const { tracker } = openScenario({ bugs: [1] });
    const { found, leftOut } = await tracker.readComments([1, 2]);
    expect([[...found.keys()], leftOut.map(({ bug, failure }) => [bug, failure.kind])]).toEqual([
      [1],
      [[2, 'missing']],
    ]);
  });

  const readings = ['readComments', 'readAttachments', 'readHistory'] as const;
  /** The tracker answers, and says nothing of bug 2: in requests about many bugs, or in any. */
  const silentOn =
    (isSilent: (refs: readonly number[]) => boolean) =>
    ({ path, query }: TrackerRequest): Reply | null => {
      const [, first, what] = /^\/bug\/(\d+)\/(attachment|history|comment)$/.exec(path) ?? [];
      const refs = [Number(first), ...query.getAll('ids').map(Number)];
      if (what === undefined || !refs.includes(2) || !isSilent(refs)) return null;
      const told = refs.filter((ref) => ref !== 2);
      if (what === 'history') return { body: { bugs: told.map((id) => ({ id, alias: [], history: [] })) } };
      return { body: { bugs: Object.fromEntries(told.map((id) => [id, what === 'comment' ? { comments: [] } : []])) } };
    };

  test.each(readings)('that an answer to %s about many omits is asked for alone', async (method) => {
    const { tracker } = openScenario({ bugs: ids(5), meddle: silentOn(({ length }) => length > 1) });
    const { found, leftOut } = await tracker[method](ids(5));
    expect([[...found.keys()].toSorted(), leftOut]).toEqual([ids(5), []]);
  });

  test.each(readings)('of which no answer to %s says anything is neither missing nor hidden', async (method) => {
    const { asked, tracker } = openScenario({ bugs: ids(5), meddle: silentOn(() => true) });
    const { found, leftOut } = await tracker[method](ids(5));
    expect([[...found.keys()], leftOut.map(({ bug, failure }) => [bug, failure.kind])]).toEqual([
      [1, 3, 4, 5],
      [[2, 'unknown-outcome']],
    ]);
    expect(asked.length).toBeLessThan(8);
  });

  test('that the answer omits does not count as empty', async () => {
    const { tracker } = openScenario({ bugs: [1], meddle: () => ({ body: { bugs: {} } }) });
    expect((await tracker.readComments([1])).leftOut.map(({ bug }) => bug)).toEqual([1]);
  });

  test('does not end a search, and is reported to the caller', async () => {
    const { tracker } = openScenario({ bugs, poison: [3, 250] });
    const leftOut: number[] = [];
    const found = await all(tracker.readBugs({}, { pageSize: 100, onLeftOut: ({ bug }) => leftOut.push(bug) }));
    expect(found).toEqual(bugs.filter((id) => id !== 3 && id !== 250));
    expect(leftOut).toEqual([3, 250]);
  });

  test('is not looked for at length while the tracker fails on everything', async () => {
    const { asked, tracker } = openScenario({ bugs, poison: bugs });
    await expect(tracker.readComments(bugs)).rejects.toMatchObject({ kind: 'unknown-outcome', code: 100500 });
    expect(asked.length).toBeLessThan(25);
  });

  test.each([
    [
      'a tracker that is shut down',
      { status: 503, headers: { 'retry-after': '60' }, body: '<html>' },
      { kind: 'unavailable', retryAfterMs: 60_000 },
      1,
    ],
    ['a limit', { status: 429, body: '<html>' }, { kind: 'limited', retryAfterMs: null }, 1],
    ['a page of a proxy', { status: 200, body: '<html>' }, { kind: 'unknown-outcome', code: null }, 5],
    ['a server that fails on everything', { status: 500, body: '<html>' }, { kind: 'unknown-outcome', code: null }, 5],
  ])('is not looked for behind %s', async (_name, reply, failure, requests) => {
    const { asked, tracker } = openScenario({ bugs, meddle: () => reply });
    await expect(tracker.readHistory(bugs)).rejects.toMatchObject(failure);
    expect(asked).toHaveLength(requests);
  });
});

describe('several bugs by id', () => {
  test('come in the order asked for, without those that cannot be seen', async () => {
    const { asked, tracker } = openScenario({ bugs: ids(5), hidden: [2] });
    expect((await tracker.getBugs([4, 2, 99, 1, 4])).map(({ id }) => id)).toEqual([4, 1, 4]);
    expect(asked[0]?.query.get('id')).toBe('4,2,99,1');
  });

  test('take no more requests than their addresses need', async () => {
    const { asked, tracker } = openScenario({ bugs: ids(1200, 1_000_000) });
    expect(await tracker.getBugs(ids(1200, 1_000_000))).toHaveLength(1200);
    expect(asked).toHaveLength(3);
    expect(Math.max(...asked.map((one) => one.url.length))).toBeLessThan(8000);
  });
});

describe('since a time', () => {
  const stamps = [startAt - 1000, startAt, startAt, startAt + 1000];
  const comments = stamps.map((at, index) => ({ id: index + 1, bug_id: 1, creation_time: iso(at) }));
  const history = stamps.map((at) => ({ when: iso(at), who: 'bob', changes: [] }));

  test('brings all of that very second, which the tracker’s own parameter would not', async () => {
    const { asked, fetch } = fakeTracker(({ path }) => ({
      body: path.endsWith('history') ? { bugs: [{ id: 1, alias: [], history }] } : { bugs: { 1: { comments } } },
    }));
    const tracker = openTracker({ url, fetch });
    const since = startAt + 500;
    expect((await tracker.readComments([1], { since })).found.get(1)?.map(({ id }) => id)).toEqual([2, 3, 4]);
    expect((await tracker.readHistory([1], { since })).found.get(1)).toHaveLength(3);
    expect(asked.map(({ query }) => query.get('new_since'))).toEqual(['2026-11-21T09:59:59Z', '2026-11-21T09:59:59Z']);
  });
});

import { describe, expect, test } from 'vitest';
import { replicaOf, startAt } from './api/small-tracker.ts';

const all = (...refs: number[]) => refs.map((ref) => ({ ref, sinceAt: null }));
const bugs = (count: number, from = 1) =>
  Array.from({ length: count }, (_, index) => ({ id: from + index, comments: [{ id: 1000 + index, at: startAt }] }));

describe('threads', () => {
  test('of many bugs come in one request, each comment with its own address', async () => {
    const { asked, replica } = replicaOf({ bugs: bugs(3) });
    const threads = await replica.threads(all(1, 2, 3));
    expect(asked).toHaveLength(1);
    expect(threads.map((thread) => thread.ref)).toEqual([1, 2, 3]);
    expect(threads[1]).toMatchObject({ isWhole: true, readAt: startAt });
    expect(threads[1]?.comments).toEqual([
      {
        side: 'tracker',
        id: 1001,
        ref: 2,
        count: 0,
        url: 'http://tracker.example.test/show_bug.cgi?id=2#c0',
        author: { login: 'bob@example.test', name: 'bob' },
        text: 'x',
        isPrivate: false,
        createdAt: startAt,
        changedAt: startAt,
      },
    ]);
  });

  test('of no bug ask nothing', async () => {
    const { asked, replica } = replicaOf();
    expect(await replica.threads([])).toEqual([]);
    expect(asked).toHaveLength(0);
  });

  test('since a time bring comments of that very second, in a request of their own', async () => {
    const comments = [-61_000, -59_000, 0, 1000].map((offset, index) => ({ id: index + 1, at: startAt + offset }));
    const { asked, replica } = replicaOf({
      bugs: [
        { id: 1, comments },
        { id: 2, comments },
        { id: 3, comments },
      ],
    });
    const threads = await replica.threads([
      { ref: 1, sinceAt: startAt },
      { ref: 2, sinceAt: startAt - 10_000 },
      ...all(3),
    ]);
    const ids = Object.fromEntries(threads.map((thread) => [thread.ref, thread.comments.map((comment) => comment.id)]));
    expect(ids).toEqual({ 1: [2, 3, 4], 2: [1, 2, 3, 4], 3: [1, 2, 3, 4] });
    expect(threads.map((thread) => [thread.ref, thread.isWhole])).toEqual([
      [3, true],
      [2, false],
      [1, false],
    ]);
    expect(asked.map((one) => one.query.get('new_since'))).toEqual([null, '2026-11-21T09:58:50Z']);
  });

  test('since the beginning of time ask from no earlier', async () => {
    const { asked, replica } = replicaOf({ bugs: bugs(1) });
    expect((await replica.threads([{ ref: 1, sinceAt: 0 }]))[0]?.comments).toHaveLength(1);
    expect(asked[0]?.query.get('new_since')).toBe('1970-01-01T00:00:00Z');
  });

  test('keep the private mark', async () => {
    const { replica } = replicaOf({ bugs: [{ id: 1, comments: [{ id: 1, at: startAt, isPrivate: true }] }] });
    expect((await replica.threads(all(1)))[0]?.comments[0]?.isPrivate).toBe(true);
  });

  test('go in batches with short addresses', async () => {
    const many = bugs(430, 1_000_000_000);
    const { asked, replica } = replicaOf({ bugs: many });
    expect(await replica.threads(all(...many.map((bug) => bug.id)))).toHaveLength(430);
    expect(asked).toHaveLength(3);
    expect(Math.max(...asked.map((one) => one.url.length))).toBeLessThan(6000);
  });

  test('go in larger batches where little is expected, those of similar times together', async () => {
    const many = bugs(500, 1_000_000);
    const { asked, replica } = replicaOf({ bugs: many });
    const asks = many.map(({ id }, index) => ({ ref: id, sinceAt: index % 2 === 0 ? startAt : startAt - 3_600_000 }));
    expect(await replica.threads(asks)).toHaveLength(500);
    expect(asked.map((one) => one.query.get('new_since'))).toEqual(['2026-11-21T08:59:00Z', '2026-11-21T09:59:00Z']);
  });

  test('leave out the hidden, the missing and those the tracker fails on, and nothing else', async () => {
    const { replica, warnings } = replicaOf({ bugs: bugs(40), hidden: new Set([1, 17]), poison: new Set([23]) });
    const threads = await replica.threads(all(...bugs(41).map((bug) => bug.id)));
    expect(threads.map((thread) => thread.ref)).toEqual(
      bugs(40)
        .map((bug) => bug.id)
        .filter((id) => ![1, 17, 23].includes(id)),
    );
    expect(warnings).toEqual([expect.stringContaining('bug 23')]);
  });

  test('of a single bug survive one bad moment of the tracker', async () => {
    let failures = 1;
    const { replica } = replicaOf({
      bugs: bugs(1),
      meddle: () => (failures-- > 0 ? { body: { error: true, code: 100500, message: 'x' } } : null),
    });
    expect(await replica.threads(all(1))).toHaveLength(1);
  });

  test.each([
    [
      'a shut down tracker',
      { status: 503, headers: { 'retry-after': '60' }, body: '<html>' },
      { kind: 'later', at: startAt + 60_000 },
      1,
    ],
    ['dropped answers', { status: 502, body: '<html>' }, { kind: 'later', at: null }, 3],
    ['a wrong key', { status: 400, body: { error: true, code: 306, message: 'invalid' } }, { kind: 'unauthorized' }, 1],
  ])('are not cut in halves over %s', async (_name, reply, failure, requests) => {
    const { asked, replica } = replicaOf({ bugs: bugs(8), meddle: () => reply });
    await expect(replica.threads(all(1, 2, 3))).rejects.toMatchObject({ name: 'SideError', ...failure });
    expect(asked).toHaveLength(requests);
  });
});

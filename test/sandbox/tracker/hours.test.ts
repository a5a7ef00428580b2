import { describe, expect, it } from 'vitest';
import { openWriting, type Writing } from '../recorded/writes.ts';

const hoursOf = async ({ get }: Writing, bug = 1) => {
  const { actual_time, estimated_time, remaining_time } = await get('alice', bug);
  return [actual_time, estimated_time, remaining_time];
};

/** Bug 1 with ten hours estimated. */
async function estimated(): Promise<Writing> {
  const writing = openWriting();
  await writing.put('alice', 1, { estimated_time: 10, remaining_time: 10 });
  writing.tick();
  return writing;
}

describe('hours', () => {
  it('are changed as they are written, and told with what was kept before', async () => {
    const writing = await estimated();
    expect(await writing.put('alice', 1, { estimated_time: '12.50', remaining_time: 3 })).toEqual({
      estimated_time: '10.00 -> 12.50',
      remaining_time: '10.00 -> 3',
    });
    expect(await hoursOf(writing)).toEqual([0, 12.5, 3]);
    expect(await writing.put('alice', 1, { estimated_time: 12.5 })).toEqual({});
  });

  it('worked are taken off those that remain, and come with a comment', async () => {
    const writing = await estimated();
    expect(await writing.put('alice', 1, { work_time: 2.5, comment: { body: 'worked' } })).toEqual({
      remaining_time: '10.00 -> 7.5',
    });
    expect(await hoursOf(writing)).toEqual([2.5, 10, 7.5]);
    expect(await writing.history('alice', 1)).toEqual([
      'alice: estimated_time 0.00 -> 10',
      'alice: remaining_time 0.00 -> 10',
      'alice: work_time  -> 2.50',
      'alice: remaining_time 10.00 -> 7.5',
    ]);
    expect(writing.world.commentsOf(1).at(-1)).toMatchObject({ text: 'worked', workTime: 2.5 });
  });

  it('worked without a word get an empty comment', async () => {
    const writing = await estimated();
    expect(await writing.put('alice', 1, { work_time: 12 })).toEqual({ remaining_time: '10.00 -> 0' });
    expect(await hoursOf(writing)).toEqual([12, 10, 0]);
    expect(writing.world.commentsOf(1).at(-1)).toMatchObject({ text: '', workTime: 12 });
    expect(await writing.put('alice', 1, { work_time: -2 })).toEqual({ remaining_time: '0.00 -> 2' });
    expect(await hoursOf(writing)).toEqual([10, 10, 2]);
  });

  it('that remain can be set while some are told as worked', async () => {
    const writing = await estimated();
    await writing.put('alice', 1, { work_time: 1, remaining_time: 20 });
    expect(await hoursOf(writing)).toEqual([1, 10, 20]);
  });

  it('no longer remain on a bug that is closed', async () => {
    const writing = await estimated();
    const { status, remaining_time } = (await writing.put('alice', 1, {
      status: 'RESOLVED',
      resolution: 'FIXED',
    })) as Record<string, string>;
    expect([status, remaining_time]).toEqual(['UNCONFIRMED -> RESOLVED', '10.00 -> 0']);
  });

  it('are kept in hundredths', async () => {
    const writing = await estimated();
    await writing.put('alice', 1, { work_time: 0.333 });
    expect(await hoursOf(writing)).toEqual([0.33, 10, 9.67]);
  });

  it.each([
    [{ estimated_time: 'x' }, '400 52'],
    [{ remaining_time: '1e3' }, '400 52'],
    [{ estimated_time: 100_000 }, '400 54'],
    [{ remaining_time: -1 }, '400 55'],
    [{ work_time: 'x' }, '400 52'],
  ])('are refused as %j', async (body, expected) => {
    expect(await (await estimated()).put('alice', 1, body)).toBe(expected);
  });

  it.each([{ estimated_time: 1 }, { remaining_time: 1 }, { work_time: 1 }, { deadline: '2027-01-01' }])(
    'are for the time-tracking group only: %j',
    async (body) => {
      const writing = await estimated();
      expect(await writing.put('bridge', 1, body)).toBe('401 115');
      expect(await writing.put('bob', 1, body)).toBe('401 115');
      expect(await writing.put('bridge', 1, { work_time: 0, estimated_time: 10 })).toEqual({});
    },
  );

  it('are shown to the time-tracking group only, in the bug and in its history', async () => {
    const writing = await estimated();
    await writing.put('alice', 1, { work_time: 1, deadline: '2027-01-01', whiteboard: 'w' });
    expect(Object.keys(await writing.get('bridge', 1)).filter((name) => name.endsWith('_time'))).toEqual([
      'creation_time',
      'last_change_time',
    ]);
    expect(await writing.history('bridge', 1)).toEqual(['alice: whiteboard  -> w']);
    expect(await writing.history('alice', 1)).toContain('alice: deadline  -> 2027-01-01');
  });

  it('can be told with a comment of their own', async () => {
    const writing = await estimated();
    writing.world.as('alice').change(1, { work_time: 1, comment: { body: 'x' } });
    expect(await hoursOf(writing)).toEqual([1, 10, 9]);
  });
});

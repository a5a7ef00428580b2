import { describe, expect, it } from 'vitest';
import { openWriting, type Writing } from '../recorded/writes.ts';

type Body = Readonly<Record<string, unknown>>;

/** How a bug of alice's comes to a status. */
const ways: Readonly<Record<string, readonly Body[]>> = {
  UNCONFIRMED: [{ status: 'RESOLVED', resolution: 'FIXED' }, { status: 'UNCONFIRMED' }],
  CONFIRMED: [],
  IN_PROGRESS: [{ status: 'IN_PROGRESS' }],
  RESOLVED: [{ status: 'RESOLVED', resolution: 'FIXED' }],
  VERIFIED: [{ status: 'RESOLVED', resolution: 'FIXED' }, { status: 'VERIFIED' }],
  DUPLICATE: [{ dupe_of: 1 }],
};

/** Bug 3 is alice's, in a status; bugs 1 and 2 are bob's. */
async function at(status: string, options: Parameters<typeof openWriting>[0] = {}): Promise<Writing> {
  const writing = openWriting(options);
  await writing.file('alice');
  for (const step of ways[status] ?? []) expect(await writing.put('alice', 3, step)).toBeTypeOf('object');
  writing.tick();
  return writing;
}

const statuses = ['UNCONFIRMED', 'CONFIRMED', 'IN_PROGRESS', 'RESOLVED', 'VERIFIED'];
const moves: Readonly<Record<string, string>> = {
  UNCONFIRMED: 'UNCONFIRMED CONFIRMED IN_PROGRESS RESOLVED',
  CONFIRMED: 'CONFIRMED IN_PROGRESS RESOLVED',
  IN_PROGRESS: 'CONFIRMED IN_PROGRESS RESOLVED',
  RESOLVED: 'UNCONFIRMED CONFIRMED RESOLVED VERIFIED',
  VERIFIED: 'UNCONFIRMED CONFIRMED VERIFIED',
};

describe('a status', () => {
  it.each(statuses.flatMap((from) => statuses.map((to) => [from, to] as const)))(
    '%s is followed by %s as the workflow says',
    async (from, to) => {
      const { put, get } = await at(from);
      const outcome = await put('alice', 3, { status: to.toLowerCase(), resolution: 'fixed' });
      const mayFollow = moves[from]?.split(' ').includes(to) === true;
      if (!mayFollow) expect(outcome).toBe('400 123');
      else {
        const isClosed = ['RESOLVED', 'VERIFIED'].includes(to);
        expect(await get('alice', 3)).toMatchObject({
          status: to,
          resolution: isClosed ? 'FIXED' : '',
          is_open: !isClosed,
          is_confirmed: to !== 'UNCONFIRMED' && !(from === 'UNCONFIRMED' && isClosed),
        });
      }
    },
  );

  it('UNCONFIRMED is only for products that know it', async () => {
    const { world, put } = await at('RESOLVED');
    world.as('alice').change(3, { product: 'Gadget', component: 'Firmware', version: 'A1' });
    expect(await put('alice', 3, { status: 'UNCONFIRMED' })).toBe('400 123');
  });
});

describe('the end of a bug', () => {
  it.each([
    ['CONFIRMED', { resolution: 'FIXED' }, '400 122'],
    ['CONFIRMED', { resolution: 'NOPE' }, '404 51'],
    ['CONFIRMED', { resolution: '' }, '400 50'],
    ['CONFIRMED', { resolution: 'DUPLICATE' }, '400 122'],
    ['CONFIRMED', { status: '' }, '400 50'],
    ['CONFIRMED', { status: 'NOPE' }, '404 51'],
    ['CONFIRMED', { status: 'RESOLVED' }, '400 121'],
    ['CONFIRMED', { status: 'RESOLVED', resolution: '' }, '400 121'],
    ['CONFIRMED', { status: 'RESOLVED', resolution: 'NOPE' }, '404 51'],
    ['CONFIRMED', { status: 'RESOLVED', resolution: 'DUPLICATE' }, '400 119'],
    ['CONFIRMED', { status: 'RESOLVED', resolution: 'DUPLICATE', dupe_of: 3 }, '400 118'],
    ['CONFIRMED', { status: 'RESOLVED', resolution: 'DUPLICATE', dupe_of: 99 }, '404 101'],
    ['CONFIRMED', { dupe_of: 3 }, '400 118'],
    ['CONFIRMED', { dupe_of: '' }, '400 50'],
    ['CONFIRMED', { dupe_of: 'nope' }, '400 100'],
    ['CONFIRMED', { status: 'RESOLVED', dupe_of: 1 }, '400 121'],
    ['VERIFIED', { dupe_of: 1 }, '400 123'],
    ['RESOLVED', { resolution: '' }, '400 121'],
    ['RESOLVED', { resolution: 'DUPLICATE' }, '400 119'],
  ])('of a %s one is not %j: %s', async (status, body, expected) => {
    expect(await (await at(status)).put('alice', 3, body)).toBe(expected);
  });

  it.each([
    [
      'CONFIRMED',
      { status: 'RESOLVED', resolution: 'wontfix' },
      { status: 'CONFIRMED -> RESOLVED', resolution: ' -> WONTFIX' },
    ],
    [
      'CONFIRMED',
      { status: 'RESOLVED', resolution: 'FIXED', dupe_of: 1 },
      { status: 'CONFIRMED -> RESOLVED', resolution: ' -> FIXED' },
    ],
    ['CONFIRMED', { status: 'IN_PROGRESS', resolution: 'FIXED', dupe_of: 1 }, { status: 'CONFIRMED -> IN_PROGRESS' }],
    [
      'CONFIRMED',
      { bug_status: 'RESOLVED', resolution: 'DUPLICATE', dup_id: 1 },
      { status: 'CONFIRMED -> RESOLVED', resolution: ' -> DUPLICATE', dupe_of: ' -> 1' },
    ],
    ['RESOLVED', { resolution: 'INVALID' }, { resolution: 'FIXED -> INVALID' }],
    ['RESOLVED', { status: 'VERIFIED' }, { status: 'RESOLVED -> VERIFIED' }],
    ['RESOLVED', { dupe_of: 1 }, { resolution: 'FIXED -> DUPLICATE', dupe_of: ' -> 1' }],
    ['RESOLVED', { status: 'CONFIRMED' }, { status: 'RESOLVED -> CONFIRMED', resolution: 'FIXED -> ' }],
    [
      'VERIFIED',
      { status: 'UNCONFIRMED' },
      { status: 'VERIFIED -> UNCONFIRMED', resolution: 'FIXED -> ', is_confirmed: '1 -> 0' },
    ],
    ['DUPLICATE', { dupe_of: 2 }, { dupe_of: '1 -> 2' }],
    ['DUPLICATE', { dupe_of: 1 }, {}],
    [
      'DUPLICATE',
      { status: 'CONFIRMED' },
      { status: 'RESOLVED -> CONFIRMED', resolution: 'DUPLICATE -> ', dupe_of: '1 -> ' },
    ],
    ['DUPLICATE', { resolution: 'FIXED' }, { resolution: 'DUPLICATE -> FIXED', dupe_of: '1 -> ' }],
    ['DUPLICATE', { status: 'VERIFIED' }, { status: 'RESOLVED -> VERIFIED' }],
  ])('of a %s one is %j', async (status, body, expected) => {
    expect(await (await at(status)).put('alice', 3, body)).toEqual(expected);
  });
});

describe('a duplicate', () => {
  it('is told on both bugs, and its reporter is put on the cc list of the other', async () => {
    const { world, put, history } = await at('CONFIRMED');
    await put('alice', 3, { dupe_of: 1, comment: { body: 'the same' } });
    expect(world.commentsOf(3).at(-1)?.text).toBe(
      'the same\n\n*** This bug has been marked as a duplicate of bug 1 ***',
    );
    expect(world.commentsOf(1).at(-1)?.text).toBe('*** Bug 3 has been marked as a duplicate of this bug. ***');
    expect(world.bug(1)?.cc).toEqual(['alice@example.test']);
    expect([await history('alice', 3), await history('alice', 1)]).toEqual([
      ['alice: status CONFIRMED -> RESOLVED', 'alice: resolution  -> DUPLICATE'],
      ['alice: cc  -> alice@example.test'],
    ]);
  });

  it('says nothing on the bug that it no longer duplicates', async () => {
    const { world, put } = await at('DUPLICATE');
    const changedAt = world.bug(1)?.changedAt;
    await put('alice', 3, { dupe_of: 2 });
    expect([world.bug(1)?.changedAt, world.commentsOf(2).at(-1)?.text]).toEqual([
      changedAt,
      '*** Bug 3 has been marked as a duplicate of this bug. ***',
    ]);
  });

  it('does not put a reporter on the cc list of a bug that may not be seen by the reporter', async () => {
    const { world, put } = await at('CONFIRMED');
    world.as('alice').change(3, { groups: { add: ['security'] } });
    await put('alice', 1, { dupe_of: 3 });
    expect(world.bug(3)?.cc).toEqual([]);
  });

  it('cannot lead back to itself', async () => {
    const { put } = await at('DUPLICATE');
    await put('alice', 1, { dupe_of: 2 });
    expect(await put('alice', 2, { dupe_of: 3 })).toBe('400 118');
  });

  it('needs a target that may be seen', async () => {
    const { world, put } = await at('CONFIRMED');
    world.hide(1);
    expect(await put('bridge', 3, { dupe_of: 1 })).toBe('401 102');
    expect(await put('alice', 3, { dupe_of: 1 })).toMatchObject({ dupe_of: ' -> 1' });
  });
});

describe('a setting', () => {
  const comment = { body: 'why' };

  it('asks for a comment on a changed resolution', async () => {
    const { world, put } = await at('CONFIRMED', { settings: { commentonchange_resolution: '1' } });
    const close = { status: 'RESOLVED', resolution: 'FIXED' };
    expect(await put('alice', 3, close)).toBe('400 32000');
    const words = 'You have to specify a comment when changing the Resolution of a bug from (empty) to FIXED.';
    expect(() => world.as('alice').change(3, close)).toThrow(words);
    expect(await put('alice', 3, { ...close, comment })).toBeTypeOf('object');
    expect(await put('alice', 3, { resolution: 'INVALID' })).toBe('400 32000');
    expect(await put('alice', 3, { status: 'CONFIRMED' })).toBeTypeOf('object');
  });

  it('asks for a comment on a duplicate', async () => {
    const { put } = await at('CONFIRMED', { settings: { commentonduplicate: '1' } });
    expect(await put('alice', 3, { dupe_of: 1 })).toBe('400 32000');
    expect(await put('alice', 3, { dupe_of: 1, comment })).toBeTypeOf('object');
  });

  it('keeps a bug from being fixed while it depends on open ones', async () => {
    const { put } = await at('CONFIRMED', { settings: { noresolveonopenblockers: '1' } });
    await put('alice', 3, { depends_on: { add: [1] } });
    expect(await put('alice', 3, { status: 'RESOLVED', resolution: 'FIXED' })).toBe('400 32000');
    expect(await put('alice', 3, { status: 'RESOLVED', resolution: 'INVALID' })).toBeTypeOf('object');
    expect(await put('alice', 3, { resolution: 'FIXED' })).toBe('400 32000');
    await put('alice', 1, { status: 'RESOLVED', resolution: 'FIXED' });
    expect(await put('alice', 3, { resolution: 'FIXED' })).toBeTypeOf('object');
  });
});

/** Moves of a bug of bob's, in Widget's UI: bob has it himself unless it is given to alice; nobody tests it. */
const rights: readonly (readonly [
  who: string,
  owner: string,
  before: readonly Body[],
  move: Body,
  isAllowed: boolean,
])[] = [
  ['bob', 'alice', [], { status: 'RESOLVED', resolution: 'INVALID' }, true],
  ['bob', 'alice', [], { status: 'CONFIRMED' }, false],
  ['bob', 'bob', [], { status: 'CONFIRMED' }, false],
  ['bob', 'bob', [{ status: 'CONFIRMED' }], { status: 'IN_PROGRESS' }, true],
  ['bob', 'alice', [{ status: 'CONFIRMED' }], { status: 'IN_PROGRESS' }, false],
  [
    'bob',
    'alice',
    [{ status: 'CONFIRMED' }, { status: 'RESOLVED', resolution: 'FIXED' }],
    { status: 'CONFIRMED' },
    true,
  ],
  [
    'bob',
    'alice',
    [{ status: 'CONFIRMED' }, { status: 'RESOLVED', resolution: 'FIXED' }],
    { status: 'UNCONFIRMED' },
    false,
  ],
  ['bob', 'alice', [{ status: 'RESOLVED', resolution: 'FIXED' }], { status: 'UNCONFIRMED' }, true],
  ['bob', 'alice', [{ status: 'RESOLVED', resolution: 'FIXED' }], { status: 'CONFIRMED' }, false],
  ['carol', 'alice', [], { status: 'CONFIRMED' }, true],
  ['carol', 'alice', [], { status: 'IN_PROGRESS' }, true],
  ['carol', 'alice', [], { status: 'RESOLVED', resolution: 'INVALID' }, false],
  ['carol', 'alice', [{ status: 'CONFIRMED' }], { status: 'IN_PROGRESS' }, false],
  ['bridge', 'alice', [], { status: 'CONFIRMED' }, true],
];

describe('the right to move', () => {
  it.each(rights)(
    'is asked of %s when %s has the bug, after %j, for %j: %s',
    async (who, owner, before, move, isAllowed) => {
      const { world, put } = openWriting();
      world.as('alice').change(1, { component: 'UI', qa_contact: '', assigned_to: `${owner}@example.test` });
      for (const change of before) world.as('alice').change(1, change);
      const outcome = await put(who, 1, move);
      if (isAllowed) expect(outcome).toBeTypeOf('object');
      else expect(outcome).toBe('400 123');
    },
  );
});

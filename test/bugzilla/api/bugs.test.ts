/** Sections 3 and 4.1 to 4.6 through the public client, against the embedded tracker over HTTP. */

import { describe, expect, test } from 'vitest';
import { type Bug, type BugChange, type NewBug, openTracker, type Search } from '../../../src/bugzilla/api/tracker.ts';
import { setUp, startAt } from './setup.ts';

const minimal = {
  product: 'Widget',
  component: 'Core',
  version: '1.0',
  summary: 'It fails',
  op_sys: 'All',
  platform: 'All',
};
const mail = (name: string): string => `${name}@example.test`;

describe('Create Bug', () => {
  test('takes every field', async () => {
    const { as } = await setUp();
    const alice = as('alice');
    const blocked = await alice.createBug(minimal);
    const wanted = {
      ...minimal,
      description: 'Always.',
      priority: 'High',
      severity: 'critical',
      alias: ['it-fails'],
      assigned_to: mail('bob'),
      cc: [mail('carol')],
      groups: ['security'],
      qa_contact: mail('alice'),
      status: 'IN_PROGRESS',
      target_milestone: '2.0',
      flags: [{ name: 'needinfo', status: '?', requestee: mail('bob'), new: true }],
      keywords: ['crash'],
      blocks: [blocked],
      see_also: ['https://github.com/o/r/issues/1'],
      url: 'https://example.test/',
      whiteboard: 'board',
      deadline: '2027-01-31',
      estimated_time: 2.5,
      cf_branch: 'main',
      cf_area: ['docs', 'ui'],
      cf_impact: 'high',
      cf_notes: 'one',
    } as const satisfies NewBug;
    const bug = await alice.getBug(await alice.createBug({ ...wanted, comment_is_private: true }));
    const { description, flags, cc, ...same } = wanted;
    expect(bug).toMatchObject({
      ...same,
      is_open: true,
      is_confirmed: true,
      creator: mail('alice'),
      resolution: '',
      creation_time: startAt,
    });
    expect(bug.flags).toMatchObject([{ name: 'needinfo', status: '?', requestee: mail('bob'), setter: mail('alice') }]);
    expect(bug.cc).toEqual(expect.arrayContaining([...cc, mail('bob')]));
    expect(bug.assigned_to_detail).toMatchObject({ name: mail('bob'), email: mail('bob'), real_name: 'Bob Bølle' });
    expect(await alice.getComments('it-fails')).toMatchObject([{ text: description, count: 0, is_private: true }]);
    expect((await alice.getBug(blocked)).depends_on).toEqual([bug.id]);
  });

  test.each<[string, Partial<NewBug> & Record<string, unknown>, object]>([
    ['an unknown component', { component: 'None' }, { kind: 'invalid', code: 51 }],
    ['an unknown product', { product: 'None' }, { kind: 'refused', code: 106 }],
    ['an empty summary', { summary: '' }, { kind: 'invalid', code: 107 }],
    ['a summary that is too long', { summary: 'x'.repeat(256) }, { kind: 'invalid', code: 104 }],
    ['a field that does not exist', { nonsense: 1 }, { kind: 'invalid', code: 53 }],
    ['a status of a closed bug', { status: 'RESOLVED', resolution: 'FIXED' }, { kind: 'refused', code: 123 }],
    ['an unknown person', { cc: ['nobody@example.test'] }, { kind: 'invalid', code: 504 }],
    ['a link that is none', { see_also: ['https://example.test/x'] }, { kind: 'invalid', code: 112 }],
  ])('is told of %s', async (_name, wrong, failure) => {
    const { as } = await setUp();
    await expect(as('alice').createBug({ ...minimal, ...wrong })).rejects.toMatchObject({
      name: 'TrackerError',
      ...failure,
    });
  });

  test('reports that an anonymous reader may not', async () => {
    const { as } = await setUp();
    await expect(as(null).createBug(minimal)).rejects.toMatchObject({ kind: 'credentials', code: 410 });
  });
});

describe('Update Bug', () => {
  /** A change, and what the bug shows afterwards. */
  const table: readonly (readonly [BugChange, Partial<Bug>])[] = [
    [{ alias: 'x' }, { alias: ['x'] }],
    [{ alias: { add: ['x', 'y'], remove: ['none'] } }, { alias: ['x', 'y'] }],
    [{ alias: { set: ['z'] } }, { alias: ['z'] }],
    [{ assigned_to: mail('bob') }, { assigned_to: mail('bob') }],
    [{ blocks: { add: [2] } }, { blocks: [2] }],
    [{ blocks: { set: [2] } }, { blocks: [2] }],
    [{ depends_on: { add: [2], remove: [99] } }, { depends_on: [2] }],
    [{ cc: { add: [mail('bob')], remove: [mail('carol')] } }, { cc: [mail('bob')] }],
    [{ is_cc_accessible: false }, { is_cc_accessible: false }],
    [{ is_creator_accessible: false }, { is_creator_accessible: false }],
    [
      { component: 'UI', reset_assigned_to: true, reset_qa_contact: true },
      { component: 'UI', assigned_to: mail('bob'), qa_contact: '' },
    ],
    [{ deadline: '2027-01-31' }, { deadline: '2027-01-31' }],
    [{ dupe_of: 2 }, { dupe_of: 2, status: 'RESOLVED', resolution: 'DUPLICATE', is_open: false }],
    [
      { estimated_time: 4, remaining_time: 3 },
      { estimated_time: 4, remaining_time: 3 },
    ],
    [
      { remaining_time: 3, work_time: 1.5, comment: { body: 'worked' } },
      { remaining_time: 3, actual_time: 1.5 },
    ],
    [{ groups: { add: ['security'] } }, { groups: ['security'] }],
    [{ keywords: { add: ['crash', 'regression'] } }, { keywords: ['crash', 'regression'] }],
    [{ keywords: { set: ['security'] } }, { keywords: ['security'] }],
    [
      { op_sys: 'Linux', platform: 'PC' },
      { op_sys: 'Linux', platform: 'PC' },
    ],
    [
      { priority: 'High', severity: 'major' },
      { priority: 'High', severity: 'major' },
    ],
    [
      { product: 'Gadget', component: 'Firmware', version: 'A1', target_milestone: 'Rev B' },
      { product: 'Gadget', component: 'Firmware', version: 'A1', target_milestone: 'Rev B' },
    ],
    [{ qa_contact: mail('bob') }, { qa_contact: mail('bob') }],
    [
      { status: 'RESOLVED', resolution: 'INVALID' },
      { status: 'RESOLVED', resolution: 'INVALID', is_open: false },
    ],
    [{ see_also: { add: ['https://github.com/o/r/issues/1'] } }, { see_also: ['https://github.com/o/r/issues/1'] }],
    [
      { summary: 'Other', url: 'https://x.test/', whiteboard: 'w' },
      { summary: 'Other', url: 'https://x.test/', whiteboard: 'w' },
    ],
    [
      { version: '2.0', target_milestone: '2.0' },
      { version: '2.0', target_milestone: '2.0' },
    ],
    [
      { cf_branch: 'b', cf_area: ['net'] },
      { cf_branch: 'b', cf_area: ['net'] },
    ],
    [
      { cf_impact: 'low', cf_notes: 'a\nb' },
      { cf_impact: 'low', cf_notes: 'a\r\nb' },
    ],
    [{ cf_due: '2027-05-06 07:08:09' }, { cf_due: '2027-05-06T07:08:09Z' }],
  ];

  test.each(table)('%j', async (change, shown) => {
    const { as, wait } = await setUp();
    const alice = as('alice');
    for (const summary of ['one', 'two']) await alice.createBug({ ...minimal, summary, cc: [mail('carol')] });
    wait(5000);
    const updated = await alice.updateBug(1, change);
    expect(updated).toMatchObject({ id: 1, last_change_time: startAt + 5000 });
    expect(Object.keys(updated.changes).length).toBeGreaterThan(0);
    expect(await alice.getBug(1)).toMatchObject(shown);
  });

  test('flags are requested, granted, doubled and cleared', async () => {
    const { as } = await setUp();
    const alice = as('alice');
    const id = await alice.createBug(minimal);
    const flags = async () =>
      ((await alice.getBug(id)).flags ?? []).map(({ name, status, requestee }) => [name, status, requestee]);
    await alice.updateBug(id, { flags: [{ name: 'needinfo', status: '?', requestee: mail('bob') }] });
    await alice.updateBug(id, { flags: [{ name: 'needinfo', status: '?', requestee: mail('carol'), new: true }] });
    expect(await flags()).toEqual([
      ['needinfo', '?', mail('bob')],
      ['needinfo', '?', mail('carol')],
    ]);
    const [first] = (await alice.getBug(id)).flags ?? [];
    await expect(alice.updateBug(id, { flags: [{ name: 'needinfo', status: '+' }] })).rejects.toMatchObject({
      kind: 'invalid',
      code: 132,
    });
    await alice.updateBug(id, { flags: [{ id: first?.id ?? 0, status: 'X' }] });
    await alice.updateBug(id, { flags: [{ name: 'needinfo', status: '+' }] });
    expect((await flags()).map(([name, status]) => [name, status])).toEqual([['needinfo', '+']]);
  });

  test('a comment comes along, and its privacy is changed later', async () => {
    const { as } = await setUp();
    const alice = as('alice');
    const id = await alice.createBug(minimal);
    expect((await alice.updateBug(id, { comment: { body: 'secret', is_private: true } })).changes).toEqual({});
    const comment = (await alice.getComments(id))[1];
    expect(comment).toMatchObject({ text: 'secret', is_private: true });
    await alice.updateBug(id, { comment_is_private: { [comment?.id ?? 0]: false } });
    expect(await alice.getComment(comment?.id ?? 0)).toMatchObject({ is_private: false });
  });

  test('several bugs change together or not at all', async () => {
    const { as } = await setUp();
    const alice = as('alice');
    const ids = [
      await alice.createBug(minimal),
      await alice.createBug({ ...minimal, alias: 'x' }),
      await alice.createBug(minimal),
    ];
    expect((await alice.updateBug([1, 'x'], { priority: 'High' })).map(({ id }) => id).sort()).toEqual([1, 2]);
    await expect(alice.updateBug([1, 99], { priority: 'Low' })).rejects.toMatchObject({ kind: 'missing' });
    await expect(alice.updateBug([1, 3], { alias: 'y' })).rejects.toMatchObject({ kind: 'invalid', code: 103 });
    expect((await alice.getBugs(ids)).map(({ priority }) => priority)).toEqual(['High', 'High', '---']);
  });

  test.each<[string, BugChange, object]>([
    ['a resolution of an open bug', { resolution: 'FIXED' }, { kind: 'refused', code: 122 }],
    ['a closed status without a resolution', { status: 'RESOLVED' }, { kind: 'refused', code: 121 }],
    [
      'a step that the workflow does not have',
      { status: 'VERIFIED', resolution: 'FIXED' },
      { kind: 'refused', code: 123 },
    ],
    ['an unknown keyword', { keywords: { add: ['none'] } }, { kind: 'invalid', code: 51 }],
    ['an unknown group', { groups: { add: ['none'] } }, { kind: 'refused', code: 120 }],
    ['a link that is none', { see_also: { add: ['https://example.test/x'] } }, { kind: 'invalid', code: 112 }],
    ['a duplicate of itself', { dupe_of: 1 }, { kind: 'invalid', code: 118 }],
    ['a circle of blockers', { blocks: { add: [2] }, depends_on: { add: [2] } }, { kind: 'invalid', code: 116 }],
  ])('is told of %s', async (_name, change, failure) => {
    const { as } = await setUp();
    const alice = as('alice');
    for (const summary of ['one', 'two']) await alice.createBug({ ...minimal, summary });
    await expect(alice.updateBug(1, change)).rejects.toMatchObject(failure);
  });

  test('is told whose rights do not suffice', async () => {
    const { as } = await setUp();
    const id = await as('alice').createBug(minimal);
    await expect(as('bob').updateBug(id, { priority: 'High' })).rejects.toMatchObject({ kind: 'refused', code: 115 });
    await expect(as(null).updateBug(id, { priority: 'High' })).rejects.toMatchObject({
      kind: 'credentials',
      code: 410,
    });
  });

  test('reopening clears the resolution', async () => {
    const { as } = await setUp();
    const alice = as('alice');
    const id = await alice.createBug(minimal);
    await alice.updateBug(id, { status: 'RESOLVED', resolution: 'FIXED' });
    expect((await alice.updateBug(id, { status: 'CONFIRMED' })).changes).toMatchObject({
      resolution: { removed: 'FIXED', added: '' },
    });
    expect(await alice.getBug(id)).toMatchObject({ status: 'CONFIRMED', resolution: '', is_open: true });
  });
});

describe('Get Bug and Bug History', () => {
  test('tell missing and hidden bugs apart', async () => {
    const { as } = await setUp();
    const hidden = await as('alice').createBug({ ...minimal, groups: ['security'] });
    await expect(as('bob').getBug(hidden)).rejects.toMatchObject({ kind: 'hidden', code: 102 });
    await expect(as('bob').getBug(99)).rejects.toMatchObject({ kind: 'missing', code: 101 });
    await expect(as('bob').getBug('no-such-alias')).rejects.toMatchObject({ kind: 'missing', code: 100 });
  });

  test('choose their fields', async () => {
    const { as } = await setUp();
    const alice = as('alice');
    const id = await alice.createBug(minimal);
    expect(await alice.getBug(id, { includeFields: ['summary', 'last_change_time'] })).toEqual({
      id,
      summary: 'It fails',
      last_change_time: startAt,
    });
    expect(await alice.getBug(id, { includeFields: ['_default', '_extra'] })).toMatchObject({
      id,
      tags: [],
      cf_area: [],
    });
    expect(await alice.getBug(id, { excludeFields: ['cc', 'cc_detail'] })).not.toHaveProperty('cc');
    expect(await as(null).getBug(id)).not.toHaveProperty('estimated_time');
  });

  test('show who changed what and when', async () => {
    const { as, wait } = await setUp();
    const alice = as('alice');
    const id = await alice.createBug({ ...minimal, alias: 'x' });
    for (const priority of ['High', 'Low']) {
      wait(60_000);
      await alice.updateBug(id, { priority });
    }
    expect(await alice.bugHistory('x')).toEqual({
      id,
      alias: ['x'],
      history: [
        {
          when: startAt + 60_000,
          who: mail('alice'),
          changes: [{ field_name: 'priority', removed: '---', added: 'High' }],
        },
        {
          when: startAt + 120_000,
          who: mail('alice'),
          changes: [{ field_name: 'priority', removed: 'High', added: 'Low' }],
        },
      ],
    });
    expect((await alice.bugHistory(id, { newSince: startAt + 60_000 })).history).toHaveLength(1);
    const other = await alice.createBug(minimal);
    expect((await alice.bugHistory([id, other])).map(({ id: bug, history }) => [bug, history.length])).toEqual([
      [id, 2],
      [other, 0],
    ]);
  });
});

describe('Search Bugs', () => {
  const filings: readonly Partial<NewBug>[] = [
    { summary: 'alpha one', keywords: ['crash'], whiteboard: 'left right', target_milestone: '2.0' },
    {
      summary: 'alpha two',
      component: 'UI',
      version: '1.1',
      priority: 'High',
      severity: 'major',
      url: 'https://x.test/',
    },
    {
      product: 'Gadget',
      component: 'Firmware',
      version: 'A1',
      summary: 'beta',
      op_sys: 'Linux',
      platform: 'PC',
      alias: 'bee',
    },
    {
      summary: 'gamma',
      assigned_to: mail('bob'),
      qa_contact: mail('alice'),
      see_also: ['https://github.com/o/r/issues/1'],
    },
  ];

  const table: readonly (readonly [Search, readonly number[]])[] = [
    [{ product: 'Gadget' }, [3]],
    [{ product: ['Gadget', 'Widget'] }, [1, 2, 3, 4]],
    [{ product: 'None' }, []],
    [{ component: 'UI' }, [2]],
    [{ alias: 'bee' }, [3]],
    [{ assigned_to: mail('bob') }, [2, 4]],
    [{ creator: mail('alice'), id: [2, 3] }, [2, 3]],
    [{ creation_time: startAt + 2000 }, [3, 4]],
    [{ last_change_time: startAt + 3000 }, [4]],
    [{ op_sys: 'Linux' }, [3]],
    [{ platform: 'PC' }, [3]],
    [{ priority: 'High' }, [2]],
    [{ severity: 'major' }, [2]],
    [{ status: ['RESOLVED'] }, [1]],
    [{ resolution: 'FIXED' }, [1]],
    [{ resolution: '' }, [2, 3, 4]],
    [{ summary: 'alpha' }, [1, 2]],
    [{ target_milestone: '2.0' }, [1]],
    [{ qa_contact: mail('alice') }, [4]],
    [{ url: 'https://x.test/' }, [2]],
    [{ version: ['1.1', 'A1'] }, [2, 3]],
    [{ whiteboard: 'left' }, [1]],
    [{ other: { keywords: 'crash' } }, [1]],
    [{ quicksearch: 'beta' }, [3]],
    [{ limit: 2, offset: 1, order: 'bug_id' }, [2, 3]],
    [{ limit: 2, order: ['bug_id DESC'] }, [4, 3]],
    [{ limit: 0 }, [1, 2, 3, 4]],
    [{ charts: [{ field: 'see_also', operator: 'substring', value: 'github.com/o/r' }] }, [4]],
    [
      {
        charts: [
          {
            any: [
              { field: 'bug_id', operator: 'equals', value: 1 },
              { field: 'product', operator: 'equals', value: 'Gadget' },
            ],
          },
        ],
      },
      [1, 3],
    ],
    [{ charts: [{ field: 'bug_id', operator: 'lessthan', value: 3, not: true }] }, [3, 4]],
  ];

  test('finds by every criterion', async () => {
    const { as, wait } = await setUp();
    const alice = as('alice');
    for (const filing of filings) {
      const id = await alice.createBug({ ...minimal, ...filing });
      if (id === 1) await alice.updateBug(id, { status: 'RESOLVED', resolution: 'FIXED' });
      wait(1000);
    }
    for (const [search, found] of table) {
      const ids = (await alice.searchBugs(search, { includeFields: ['id'] })).map(({ id }) => id);
      const isOrdered = search.order !== undefined;
      expect([search, isOrdered ? ids : ids.toSorted()]).toEqual([search, found]);
    }
    const pages: number[] = [];
    for await (const { id } of alice.readBugs(
      { summary: 'a', charts: [{ field: 'bug_id', operator: 'greaterthan', value: 1 }] },
      { pageSize: 2 },
    ))
      pages.push(id);
    expect(pages).toEqual([2, 3, 4]);
  });

  test('over a silent maximum needs the reading by id to find all', async () => {
    const { as } = await setUp({ maxSearchResults: 3 });
    const alice = as('alice');
    for (let count = 0; count < 8; count += 1) await alice.createBug(minimal);
    expect(await alice.searchBugs({ limit: 8 })).toHaveLength(3);
    expect((await alice.searchBugs({ limit: 0 })).map(({ id }) => id)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
  });

  /** What a list of texts finds, of which no bug has both. */
  async function foundByLists(): Promise<readonly (readonly number[])[]> {
    const { world, url } = await setUp();
    const { apiKey, login } = world.user('alice');
    const alice = openTracker({ url, apiKey, login });
    await alice.createBug({ ...minimal, summary: 'It crashes', whiteboard: 'one', url: 'https://a.example.test/' });
    await alice.createBug({ ...minimal, summary: 'A hole', whiteboard: 'two', url: 'https://b.example.test/' });
    await alice.createBug({ ...minimal, summary: 'Another', whiteboard: 'three', url: 'https://c.example.test/' });
    const lists: readonly Search[] = [
      { summary: ['crashes', 'hole'] },
      { whiteboard: ['one', 'two'] },
      { url: ['a.example.test', 'b.example.test'] },
    ];
    return Promise.all(lists.map(async (search) => (await alice.searchBugs(search)).map(({ id }) => id).toSorted()));
  }

  test('for a list of texts finds what has any of them', async () => {
    expect(await foundByLists()).toEqual([
      [1, 2],
      [1, 2],
      [1, 2],
    ]);
  });
});

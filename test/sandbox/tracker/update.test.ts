import { describe, expect, it } from 'vitest';
import { openWriting, type Writing } from '../recorded/writes.ts';

type Body = Readonly<Record<string, unknown>>;
const [alice, bob, carol] = ['alice@example.test', 'bob@example.test', 'carol@example.test'];
const issue = 'https://github.com/o/r/issues/';

/** Bug 3 is alice's, with something in every list; bug 1 holds the alias `taken`, bug 2 is hidden. */
async function ready(): Promise<Writing> {
  const writing = openWriting();
  await writing.file('alice', {
    ...{ alias: ['one', 'two'], cc: [bob], keywords: ['crash'], see_also: [`${issue}1`], depends_on: [1] },
  });
  writing.world.as('alice').change(1, { alias: 'taken' });
  writing.world.hide(2);
  writing.tick();
  return writing;
}

const changed: readonly (readonly [Body, Body])[] = [
  [{ summary: ' new\nline ' }, { summary: 's -> new line' }],
  [
    { short_desc: 'n', status_whiteboard: 'w' },
    { summary: 's -> n', whiteboard: ' -> w' },
  ],
  [
    { url: ' https://x.test/ ', whiteboard: ' w ' },
    { url: ' -> https://x.test/', whiteboard: ' -> w' },
  ],
  [
    { priority: 'high', platform: 'pc' },
    { priority: '--- -> High', platform: 'All -> PC' },
  ],
  [
    { rep_platform: 'PC', bug_severity: 'major' },
    { platform: 'All -> PC', severity: 'normal -> major' },
  ],
  [
    { component: 'ui', version: '2.0', target_milestone: 'future' },
    { component: 'Core -> UI', version: '1.0 -> 2.0', target_milestone: '--- -> Future' },
  ],
  [{ deadline: '2027-01-31' }, { deadline: ' -> 2027-01-31' }],
  [
    { is_cc_accessible: false, is_creator_accessible: 0 },
    { is_cc_accessible: '1 -> 0', is_creator_accessible: '1 -> 0' },
  ],
  [{ is_cc_accessible: 'false' }, {}],
  [
    { assigned_to: bob, qa_contact: '' },
    { assigned_to: `${alice} -> ${bob}`, qa_contact: `${carol} -> ` },
  ],
  [{ assigned_to: bob, reset_assigned_to: true }, {}],
  [
    { component: 'UI', reset_assigned_to: true, reset_qa_contact: true },
    { component: 'Core -> UI', assigned_to: `${alice} -> ${bob}`, qa_contact: `${carol} -> ` },
  ],
  [{ alias: 'new' }, { alias: 'one, two -> new' }],
  [{ alias: ['two', 'new'] }, { alias: 'one -> new' }],
  [{ alias: { add: ['new'], remove: ['two', 'absent'] } }, { alias: 'two -> new' }],
  [{ alias: { add: ['a'], remove: ['one'], set: ['two'] } }, { alias: 'one -> ' }],
  [{ alias: { set: [] } }, { alias: 'one, two -> ' }],
  [{ alias: { add: ['three four'] } }, { alias: ' -> three' }],
  [{ alias: null }, {}],
  [{ cc: { add: [carol, bob], remove: [alice] } }, { cc: ` -> ${carol}` }],
  [{ cc: { add: [carol], remove: [carol] } }, {}],
  [{ cc: { set: [] } }, {}],
  [{ cc: { remove: [bob] } }, { cc: `${bob} -> ` }],
  [{ keywords: { add: 'SECURITY regression' } }, { keywords: ' -> regression, security' }],
  [{ keywords: { add: ['security'], remove: ['crash'], set: ['regression'] } }, { keywords: 'crash -> regression' }],
  [{ keywords: { remove: ['security'] } }, {}],
  [{ see_also: { add: [`${issue}1`, 'http://github.com/O/R/issues/1'] } }, {}],
  [
    { see_also: { add: ['http://github.com/o/r/pull/2'], remove: [`${issue}1`.toUpperCase(), 'not even a URL'] } },
    { see_also: `${issue}1 -> https://github.com/o/r/pull/2` },
  ],
  [{ see_also: { set: [] } }, {}],
  [{ see_also: { add: [1] } }, { see_also: ' -> http://tracker.example.test/show_bug.cgi?id=1' }],
  [{ see_also: { add: ['taken'] } }, { see_also: ' -> http://tracker.example.test/show_bug.cgi?id=1' }],
  [
    { see_also: { add: ['https://bugs.debian.org/cgi-bin/bugreport.cgi?bug=12'] } },
    { see_also: ' -> https://bugs.debian.org/12' },
  ],
  [
    { see_also: { add: ['https://bugzilla.example.com/show_bug.cgi?ctype=xml&id=12#c3'] } },
    { see_also: ' -> https://bugzilla.example.com/show_bug.cgi?id=12' },
  ],
  [
    { see_also: { add: ['https://jira.example.com/browse/ABC-1?x=1'] } },
    { see_also: ' -> https://jira.example.com/browse/ABC-1' },
  ],
  [{ depends_on: { add: [2], remove: [1, 77] } }, { depends_on: '1 -> 2' }],
  [{ depends_on: { set: ['taken'] } }, {}],
  [{ depends_on: { set: '1 2' }, blocks: {} }, { depends_on: ' -> 2' }],
  [{ depends_on: { add: [2], set: [] } }, { depends_on: '1 -> ' }],
  [
    { depends_on: { remove: [1] }, blocks: { add: [1] } },
    { depends_on: '1 -> ', blocks: ' -> 1' },
  ],
  [{ groups: { add: ['security'] } }, { groups: ' -> security' }],
  [
    {
      comment: { body: 'x' },
      no_such_field: 1,
      update_token: 'old',
      cf_nope: 1,
      delta_ts: 'x',
      is_confirmed: false,
      creator: bob,
    },
    {},
  ],
];

describe('an update of alice', () => {
  it.each(changed)('%j changes %j', async (body, expected) => {
    const { put, get } = await ready();
    expect(await put('alice', 3, body)).toEqual(expected);
    const hasMoved = Object.keys(expected).length > 0 || 'comment' in body;
    expect((await get('alice', 3))['last_change_time']).toBe(`2026-11-21T09:44:3${hasMoved ? 1 : 0}Z`);
  });
});

const refused: readonly (readonly [string, Body, string])[] = [
  ['alice', { summary: ' ' }, '400 107'],
  ['alice', { summary: 'x'.repeat(256) }, '400 104'],
  ['alice', { whiteboard: 'x'.repeat(256) }, '400 104'],
  ['alice', { priority: 'P1' }, '404 51'],
  ['alice', { priority: '' }, '400 50'],
  ['alice', { component: 'Nope' }, '404 51'],
  ['alice', { component: '' }, '400 105'],
  ['alice', { version: '' }, '400 50'],
  ['alice', { target_milestone: '9' }, '404 51'],
  ['alice', { assigned_to: '' }, '400 50'],
  ['alice', { assigned_to: 'nobody@example.test' }, '404 51'],
  ['alice', { qa_contact: 'nobody@example.test' }, '404 51'],
  ['alice', { deadline: 'tomorrow' }, '400 56'],
  ['alice', { deadline: '2027-02-30' }, '400 56'],
  ['alice', { alias: 'taken' }, '400 103'],
  ['alice', { alias: { add: ['12'] } }, '400 103'],
  ['alice', { alias: { add: ['a 7'] } }, '400 103'],
  ['alice', { alias: { add: ['x'.repeat(41)] } }, '400 103'],
  ['alice', { cc: { add: ['nobody@example.test'] } }, '404 51'],
  ['alice', { keywords: { add: ['nope'] } }, '404 51'],
  ['alice', { keywords: { remove: ['nope'] } }, '404 51'],
  ['alice', { keywords: ['crash'] }, '200 100500'],
  ['alice', { cc: bob }, '200 100500'],
  ['alice', { cc: { add: bob } }, '200 100500'],
  ['alice', { depends_on: 1 }, '200 100500'],
  ['alice', { comment: 'a text' }, '200 100500'],
  ['alice', { comment: { body: 'x'.repeat(65_536) } }, '400 114'],
  ['alice', { comment_is_private: { 999: true } }, '400 117'],
  ['bridge', { comment: { body: 'x', is_private: true } }, '401 113'],
  ['bridge', { comment_is_private: { 4: true } }, '401 113'],
  ['alice', { see_also: { add: ['https://example.test/x'] } }, '400 112'],
  ['alice', { see_also: { add: ['ftp://github.com/o/r/issues/1'] } }, '400 112'],
  ['alice', { see_also: { add: [`https://bugzilla.example.com/${'x'.repeat(255)}/show_bug.cgi?id=1`] } }, '400 112'],
  ['alice', { see_also: { add: [3] } }, '400 32000'],
  ['alice', { see_also: { add: [99] } }, '404 101'],
  ['bridge', { see_also: { add: [2] } }, '401 102'],
  ['alice', { depends_on: { add: [3] } }, '400 116'],
  ['alice', { blocks: { add: [1] } }, '400 116'],
  ['alice', { depends_on: { add: [99] } }, '404 101'],
  ['bridge', { depends_on: { add: [2] } }, '401 102'],
  ['bridge', { groups: { add: ['security'] } }, '401 120'],
  ['alice', { groups: { add: ['nope'] } }, '401 120'],
  ['alice', { groups: { remove: ['security'] } }, '401 120'],
  ['alice', { product: 'Nope' }, '401 106'],
  ['alice', { product: ' ' }, '400 50'],
  ['alice', { product: null }, '400 50'],
  ['bridge', { product: 'Secret', component: 'Vault', version: 'unspecified' }, '401 106'],
  ['alice', { product: 'Gadget' }, '404 51'],
  ['alice', { product: 'Gadget', component: 'Firmware' }, '404 51'],
];

describe('an update is refused', () => {
  it.each(refused)('to %s: %j with %s', async (who, body, expected) => {
    const { world, put } = await ready();
    const before = JSON.stringify([world.bugs(), world.commentsOf(3)]);
    expect(await put(who, 3, { ...body, url: 'https://x.test/' })).toBe(expected);
    expect(JSON.stringify([world.bugs(), world.commentsOf(3)])).toBe(before);
  });
});

describe('several bugs', () => {
  it('are changed all or none, those of the body instead of the one in the path', async () => {
    const { world, put } = await ready();
    expect(await put('alice', 3, { ids: [1, 'taken', 2], whiteboard: 'w' })).toEqual({ whiteboard: ' -> w' });
    expect(world.bugs().map(({ whiteboard }) => whiteboard)).toEqual(['w', 'w', '']);
    expect(await put('alice', 3, { ids: [1, 99], whiteboard: 'x' })).toBe('404 101');
    expect(await put('bridge', 3, { ids: [3, 2], whiteboard: 'x' })).toBe('401 102');
    expect(await put('alice', 3, { ids: [3, 1], status: 'IN_PROGRESS', resolution: 'x' })).toMatchObject({
      status: 'CONFIRMED -> IN_PROGRESS',
    });
    expect(await put('alice', 3, { ids: [2, 3], status: 'CONFIRMED', blocks: { add: [1] } })).toBe('400 116');
    expect(world.bugs().map(({ status, whiteboard }) => [status, whiteboard])).toEqual([
      ['IN_PROGRESS', 'w'],
      ['UNCONFIRMED', 'w'],
      ['IN_PROGRESS', ''],
    ]);
  });

  it.each([
    [{ alias: 'new' }, '400 103'],
    [{ alias: { remove: ['one'] } }, '400 103'],
    [{ dupe_of: 1 }, '400 32000'],
  ])('cannot share %j', async (body, expected) => {
    expect(await (await ready()).put('alice', 3, { ids: [3, 1], ...body })).toBe(expected);
  });
});

describe('the other end', () => {
  it('of a relation or a link to a bug of the tracker changes too, whether something comes or goes', async () => {
    const { put, get, history, tick } = await ready();
    await put('alice', 3, { see_also: { add: [1] }, depends_on: { remove: [1] } });
    expect(await get('alice', 1)).toMatchObject({
      blocks: [],
      see_also: ['http://tracker.example.test/show_bug.cgi?id=3'],
    });
    tick();
    await put('alice', 3, { see_also: { remove: ['http://tracker.example.test/show_bug.cgi?id=1'] } });
    expect(await get('alice', 1)).toMatchObject({ see_also: [], last_change_time: '2026-11-21T09:44:32Z' });
    expect((await history('alice', 1)).slice(2)).toEqual([
      'alice: see_also  -> http://tracker.example.test/show_bug.cgi?id=3',
      'alice: blocks 3 -> ',
      'alice: see_also http://tracker.example.test/show_bug.cgi?id=3 -> ',
    ]);
  });

  it('of a relation may be hidden, as long as it stays', async () => {
    const { put } = await ready();
    await put('alice', 3, { depends_on: { add: [2] } });
    expect(await put('bridge', 3, { depends_on: { remove: [1] } })).toEqual({ depends_on: '1 -> ' });
    expect(await put('bridge', 3, { depends_on: { remove: [2] } })).toBe('401 102');
  });
});

describe('a bug that moves to another product', () => {
  const gadget = { product: 'Gadget', component: 'Firmware', version: 'A1' };

  it('needs a milestone there, leaves groups and enters groups', async () => {
    const { put, get } = await ready();
    await put('alice', 3, { groups: { add: ['security'] }, target_milestone: '2.0' });
    expect(await put('alice', 3, gadget)).toBe('404 51');
    expect(await put('alice', 3, { ...gadget, target_milestone: '---' })).toEqual({
      ...{
        product: 'Widget -> Gadget',
        component: 'Core -> Firmware',
        version: '1.0 -> A1',
        target_milestone: '2.0 -> ---',
        groups: 'security -> ',
      },
    });
    await put('alice', 3, { product: 'Secret', component: 'Vault', version: 'unspecified' });
    expect(await get('alice', 3)).toMatchObject({ product: 'Secret', groups: ['security'] });
    expect(await put('alice', 3, { groups: { remove: ['security'] } })).toBe('401 120');
  });

  it('gets the first milestone when the reporter wants another but may not choose one', async () => {
    const { put, get } = await ready();
    expect(await put('bob', 1, { ...gadget, target_milestone: 'Rev B' })).toMatchObject({
      product: 'Widget -> Gadget',
    });
    expect(await get('bob', 1)).toMatchObject({ product: 'Gadget', target_milestone: '---' });
  });
});

describe('comments', () => {
  it('come with an update, and become private and public by it', async () => {
    const { world, put, history, tick } = await ready();
    const privacy = () => world.commentsOf(1).map(({ isPrivate }) => isPrivate);
    await put('alice', 1, {
      comment: { comment: 'by its other name', is_private: true },
      comment_is_private: { 3: true },
    });
    expect(world.commentsOf(1).map(({ text }) => text)).toEqual(['', 'I see it too.', 'by its other name']);
    expect(privacy()).toEqual([false, true, true]);
    tick();
    expect(await put('bridge', 1, { comment_is_private: { 3: true } })).toEqual({});
    await put('alice', 1, { comment_is_private: { 3: false } });
    expect(privacy()).toEqual([false, false, true]);
    const privacyLines = (who: string) =>
      history(who, 1).then((lines) => lines.filter((line) => line.includes('isprivate')));
    expect(await privacyLines('alice')).toEqual([
      'alice: longdescs.isprivate 0 -> 1',
      'alice: longdescs.isprivate 1 -> 0',
    ]);
    expect(await privacyLines('bridge')).toEqual(['alice: longdescs.isprivate 1 -> 0']);
  });
});

describe('history', () => {
  it.each([
    [
      [{ see_also: { add: [`${issue}8`] } }, { see_also: { add: [`${issue}9`] } }],
      `alice: see_also  -> ${issue}8, ${issue}9`,
    ],
    [[{ depends_on: { add: [2] } }, { depends_on: { remove: [2] } }], 'alice: depends_on 2 -> 2, '],
    [[{ cc: { add: [carol] } }, { cc: { remove: [carol] } }], `alice: cc ${carol} -> ${carol} `],
    [
      [{ status: 'IN_PROGRESS' }, { status: 'CONFIRMED' }],
      'alice: status CONFIRMED IN_PROGRESS -> IN_PROGRESS CONFIRMED',
    ],
    [
      [{ url: 'https://x.test/' }, { url: 'https://y.test/' }],
      'alice: url https://x.test/ -> https://x.test/https://y.test/',
    ],
  ])('glues what one person does to a field in one second: %j', async (changes, expected) => {
    const { put, history } = await ready();
    for (const change of changes) await put('alice', 3, change);
    expect(await history('alice', 3)).toEqual([expected]);
  });
});

describe('the right to change a field', () => {
  it.each([
    [
      'bob',
      {
        whiteboard: 'w',
        summary: 'n',
        version: '2.0',
        keywords: { add: ['crash'] },
        status: 'RESOLVED',
        resolution: 'INVALID',
      },
      'the reporter may',
    ],
    ['bob', { target_milestone: '2.0' }, '401 115'],
    ['bob', { assigned_to: bob }, '401 115'],
    ['bob', { qa_contact: bob }, '401 115'],
    ['bob', { reset_assigned_to: true }, 'without a change everybody may'],
    ['bob', { status: 'CONFIRMED' }, '400 123'],
    ['carol', { assigned_to: bob, target_milestone: '2.0', status: 'CONFIRMED' }, 'the QA contact may'],
    ['bob', { cc: { remove: [alice] } }, 'the reporter may'],
  ])('is asked of %s on a bug of bob’s, for %j', async (who, body, expected) => {
    const outcome = await openWriting().put(who, 1, body);
    if (expected.endsWith('may')) expect(outcome).toBeTypeOf('object');
    else expect(outcome).toBe(expected);
  });

  it.each([
    ['bob', { priority: 'High' }, '401 115'],
    ['bob', { product: 'Gadget' }, '404 51'],
    ['bob', { product: 'Gadget', component: 'Firmware', version: 'A1' }, '401 115'],
    ['bob', { depends_on: { remove: [1] } }, '401 115'],
    ['bob', { alias: 'x' }, '401 115'],
    ['bob', { see_also: { add: [`${issue}5`] } }, '401 115'],
    ['bob', { keywords: { remove: ['crash'] } }, '401 115'],
    ['bob', { status: 'IN_PROGRESS' }, '400 123'],
    ['bob', { dupe_of: 1 }, '401 115'],
    ['bob', { cc: { add: [carol] } }, ''],
    ['bob', { cc: { remove: [bob] } }, ''],
    ['bob', { comment: { body: 'x' } }, ''],
    ['bridge-insider', { cc: { remove: [bob] }, priority: 'High' }, ''],
  ])('is asked of %s on a bug of alice’s, for %j', async (who, body, expected) => {
    const { world, put } = await ready();
    world.as('alice').change(3, { qa_contact: '' });
    const outcome = await put(who, 3, body);
    if (expected === '') expect(outcome).toBeTypeOf('object');
    else expect(outcome).toBe(expected);
  });

  it('to take others off the cc list is the editors’', async () => {
    const { world, put } = await ready();
    world.as('alice').change(3, { cc: { add: [carol] }, qa_contact: '' });
    expect(await put('bob', 3, { cc: { remove: [carol] } })).toBe('400 32000');
  });
});

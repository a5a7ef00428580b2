import { describe, expect, it, test } from 'vitest';
import { openWriting } from '../recorded/writes.ts';

type Body = Readonly<Record<string, unknown>>;
const [alice, bob, carol] = ['alice@example.test', 'bob@example.test', 'carol@example.test'];

/** Who files what, and how the bug stands then, as alice sees it. */
const filed: readonly (readonly [string, string, Body, Body])[] = [
  [
    'defaults',
    'alice',
    {},
    {
      status: 'CONFIRMED',
      priority: '---',
      severity: 'normal',
      op_sys: 'All',
      platform: 'All',
      target_milestone: '---',
      url: '',
    },
  ],
  ['the owner and the QA contact of the component', 'bob', {}, { assigned_to: alice, qa_contact: carol, creator: bob }],
  ['an empty QA contact, which is none given', 'alice', { qa_contact: '' }, { qa_contact: carol }],
  [
    'people of one’s own choice',
    'alice',
    { assigned_to: bob, qa_contact: alice },
    { assigned_to: bob, qa_contact: alice },
  ],
  [
    'people chosen without the right to',
    'bob',
    { assigned_to: bob, qa_contact: bob },
    { assigned_to: alice, qa_contact: carol },
  ],
  [
    'a status chosen without the right to',
    'bob',
    { status: 'IN_PROGRESS' },
    { status: 'UNCONFIRMED', is_confirmed: false },
  ],
  ['a status that is none, from somebody who has no choice', 'bob', { status: 'NOPE' }, { status: 'UNCONFIRMED' }],
  [
    'a status chosen by somebody who may confirm',
    'carol',
    { status: 'in_progress' },
    { status: 'IN_PROGRESS', is_confirmed: true },
  ],
  [
    'a product without UNCONFIRMED',
    'bob',
    { product: 'gadget', component: 'firmware', version: 'a1' },
    { product: 'Gadget', component: 'Firmware', version: 'A1', status: 'CONFIRMED' },
  ],
  [
    'keywords in a text, in any case',
    'alice',
    { keywords: 'Security, CRASH crash' },
    { keywords: ['crash', 'security'] },
  ],
  [
    'keywords and relations without editbugs',
    'bob',
    { keywords: ['crash'], depends_on: [1], blocks: [2] },
    { keywords: [], depends_on: [], blocks: [] },
  ],
  ['relations', 'alice', { depends_on: [1], blocks: '2' }, { depends_on: [1], blocks: [2] }],
  ['an alias in a text, or several', 'alice', { alias: 'one two' }, { alias: ['one', 'two'] }],
  ['cc in any case', 'bob', { cc: ['Carol@Example.test', 'alice@example.test', carol] }, { cc: [alice, carol] }],
  ['a summary with control characters', 'bob', { summary: ' a\nb\r\nc\td\u0000e ' }, { summary: 'a b c d e' }],
  ['a summary of 255 characters of any plane', 'bob', { summary: '🦊'.repeat(255) }, { summary: '🦊'.repeat(255) }],
  ['the old name of the platform', 'bob', { rep_platform: 'PC' }, { platform: 'PC' }],
  [
    'internal names',
    'bob',
    { bug_severity: 'major', bug_file_loc: 'https://x.test/' },
    { severity: 'major', url: 'https://x.test/' },
  ],
  [
    'a mandatory group',
    'alice',
    { product: 'Secret', component: 'Vault', version: 'unspecified' },
    { groups: ['security'] },
  ],
  ['a group of which one is not', 'bob', { groups: ['security'] }, { groups: ['security'] }],
  ['no groups', 'bob', { groups: [] }, { groups: [] }],
  [
    'a deadline and hours from a timetracker',
    'alice',
    { deadline: '2027-2-3', estimated_time: '4.5' },
    { deadline: '2027-02-03', estimated_time: 4.5, remaining_time: 4.5 },
  ],
  [
    'a deadline and hours from others',
    'bob',
    { deadline: 'tomorrow', estimated_time: 'many' },
    { deadline: null, estimated_time: 0, remaining_time: 0 },
  ],
  [
    'what cannot be set',
    'alice',
    { creator: bob, creation_time: '2001-01-01', last_change_time: 'x', is_confirmed: false, id: 99 },
    { creator: alice, creation_time: '2026-11-21T09:44:30Z', is_confirmed: true },
  ],
];

describe('a filed bug', () => {
  it.each(filed)('has %s', async (_name, who, body, expected) => {
    const writing = openWriting();
    const id = await writing.file(who, body);
    expect(id).toBe(3);
    expect(await writing.get('alice', 3)).toMatchObject(expected);
  });

  it('shows the other end of its relations and its links, in one changeset each', async () => {
    const writing = openWriting();
    writing.tick();
    await writing.file('alice', { depends_on: [1], see_also: [2] });
    expect(await writing.get('alice', 1)).toMatchObject({ blocks: [3], last_change_time: '2026-11-21T09:44:31Z' });
    expect(await writing.get('alice', 2)).toMatchObject({
      see_also: ['http://tracker.example.test/show_bug.cgi?id=3'],
    });
    expect([await writing.history('alice', 1), await writing.history('alice', 3)]).toEqual([
      ['alice: blocks  -> 3'],
      [],
    ]);
  });

  it('has its description as the first comment, private when it is asked for', async () => {
    const { world, file } = openWriting();
    await file('alice', { description: ' text\r\n', comment_is_private: true });
    await file('bob', { comment: 'under the other name' });
    await file('bob', { description: null });
    expect([3, 4, 5].map((bug) => world.commentsOf(bug).map(({ text, isPrivate }) => [text, isPrivate]))).toEqual([
      [[' text', true]],
      [['under the other name', false]],
      [['', false]],
    ]);
  });
});

const refused: readonly (readonly [string, string, Body, string])[] = [
  ['an unknown argument', 'bob', { zzz: 1 }, '400 53'],
  ['tags of the description', 'bob', { comment_tags: ['x'] }, '400 53'],
  ['an unknown custom field', 'bob', { cf_nope: 1 }, '400 53'],
  ['a duplicate', 'alice', { dupe_of: 1 }, '400 53'],
  [
    'a closed duplicate, for its status',
    'alice',
    { status: 'RESOLVED', resolution: 'DUPLICATE', dupe_of: 1 },
    '400 123',
  ],
  ['what only reads show', 'alice', { is_open: true }, '400 53'],
  ['no product', 'bob', { product: '' }, '400 50'],
  ['no component', 'bob', { component: '' }, '400 105'],
  ['no version', 'bob', { version: ' ' }, '400 50'],
  ['no summary', 'bob', { summary: '\n' }, '400 107'],
  ['a long summary', 'bob', { summary: 'x'.repeat(256) }, '400 104'],
  ['a hidden product', 'bob', { product: 'Secret', component: 'Vault', version: 'unspecified' }, '401 106'],
  ['an unknown component', 'bob', { component: 'Nope' }, '404 51'],
  ['a milestone of another product', 'bob', { target_milestone: 'Rev B' }, '404 51'],
  ['an unknown status', 'alice', { status: 'NOPE' }, '404 51'],
  ['a closed status', 'alice', { status: 'RESOLVED', resolution: 'FIXED' }, '400 123'],
  [
    'a status that the product does not know',
    'alice',
    { product: 'Gadget', component: 'Firmware', version: 'A1', status: 'UNCONFIRMED' },
    '400 123',
  ],
  ['a resolution, as the bug is open', 'alice', { resolution: 'FIXED' }, '400 122'],
  ['the resolution of a duplicate', 'alice', { resolution: 'DUPLICATE' }, '400 122'],
  ['an unknown resolution', 'alice', { resolution: 'NOPE' }, '404 51'],
  [
    'a closed status and resolution from somebody who has no choice',
    'bob',
    { status: 'RESOLVED', resolution: 'FIXED' },
    '400 122',
  ],
  ['an unknown assignee', 'alice', { assigned_to: 'nobody@example.test' }, '404 51'],
  ['unknown cc', 'bob', { cc: ['nobody@example.test'] }, '401 504'],
  ['an alias that is taken', 'bob', { alias: 'Taken' }, '400 103'],
  ['an alias of digits', 'bob', { alias: ['123'] }, '400 103'],
  ['a long alias', 'bob', { alias: ['x'.repeat(41)] }, '400 103'],
  ['an alias with a space', 'bob', { alias: ['a b'] }, '400 103'],
  ['an alias with a comma', 'bob', { alias: ['a,b'] }, '400 103'],
  [
    'a group that the product does not know',
    'alice',
    { product: 'Gadget', component: 'Firmware', version: 'A1', groups: ['security'] },
    '401 120',
  ],
  ['a private description from an outsider', 'bob', { comment_is_private: true }, '401 113'],
  ['a long description', 'bob', { description: 'x'.repeat(65_536) }, '400 114'],
  ['a relation to what is missing', 'alice', { depends_on: [99] }, '404 101'],
  ['a relation to what is hidden', 'bridge', { blocks: [2] }, '401 102'],
  ['a loop', 'alice', { depends_on: [1], blocks: [1] }, '400 116'],
  ['a link to nothing known', 'bob', { see_also: ['https://example.test/x'] }, '400 112'],
  ['hours that are no number', 'alice', { estimated_time: 'many' }, '400 52'],
  ['a deadline that is no date', 'alice', { deadline: '2027-02-30' }, '400 56'],
];

describe('a bug is refused for', () => {
  it.each(refused)('%s', async (_name, who, body, expected) => {
    const { world, file } = openWriting();
    world.as('alice').change(1, { alias: 'taken' });
    world.hide(2);
    expect(await file(who, body)).toBe(expected);
    expect([world.bugs().length, world.bug(1)?.blocks]).toEqual([2, []]);
  });

  it('an empty description where one is needed', async () => {
    const { world, file } = openWriting();
    world.state.needsDescription = true;
    expect([await file('bob', { description: ' ' }), await file('bob', { description: 'd' })]).toEqual([
      '400 32000',
      3,
    ]);
  });

  it('nothing when the reporter may not choose a priority: the default takes its place', async () => {
    const { file, get } = openWriting({ settings: { letsubmitterchoosepriority: '0' } });
    await file('alice', { priority: 'High' });
    expect(await get('alice', 3)).toMatchObject({ priority: '---' });
  });
});

test('a bug that names no groups is in those that its product has for the members of them', async () => {
  const writing = openWriting();
  const [widget] = writing.world.state.products;
  if (widget !== undefined) writing.world.state.products[0] = { ...widget, defaultGroups: ['security'] };
  const groupsOf = (person: string, groups?: readonly string[]): readonly string[] | undefined => {
    const bug = writing.world.as(person).file({ summary: 'A bug', ...(groups === undefined ? {} : { groups }) });
    return writing.world.bug(bug)?.groups;
  };
  expect([groupsOf('alice'), groupsOf('alice', []), groupsOf('bob')]).toEqual([['security'], [], []]);
});

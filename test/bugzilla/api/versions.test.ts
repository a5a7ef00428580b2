import { describe, expect, test } from 'vitest';
import { openTracker, type Tracker } from '../../../src/bugzilla/api/tracker.ts';
import { fakeTracker, type Reply } from './fake-tracker.ts';

const at = Date.parse('2026-11-21T10:00:00Z');
const answering = (body: unknown, reply: Partial<Reply> = {}): Tracker =>
  openTracker({ url: 'http://tracker.example.test', fetch: fakeTracker(() => ({ body, ...reply })).fetch });
const bug = (fields: object) => answering({ bugs: [{ id: 1, ...fields }] }).getBug(1);

describe('a bug is the same whatever the version calls it', () => {
  const table: readonly (readonly [string, object, object])[] = [
    ['5.x: an alias in a list', { alias: ['x'] }, { alias: ['x'] }],
    ['BMO: an alias as a text', { alias: 'x' }, { alias: ['x'] }],
    ['BMO: no alias', { alias: null }, { alias: [] }],
    ['4.x: no alias', { alias: '' }, { alias: [] }],
    ['a number as a text', { id: '12', dupe_of: '7', blocks: ['3'] }, { id: 12, dupe_of: 7, blocks: [3] }],
    ['a boolean as a number', { is_open: 1, is_confirmed: 0 }, { is_open: true, is_confirmed: false }],
    ['a boolean as a text', { is_open: '1', is_confirmed: '0' }, { is_open: true, is_confirmed: false }],
    ['a time with its zone', { last_change_time: '2026-11-21T10:00:00Z' }, { last_change_time: at }],
    ['a time without one', { last_change_time: '2026-11-21T10:00:00' }, { last_change_time: at }],
    ['a time as the database writes it', { last_change_time: '2026-11-21 10:00:00' }, { last_change_time: at }],
    ['hours as a text', { estimated_time: '1.50', actual_time: 0 }, { estimated_time: 1.5, actual_time: 0 }],
    [
      'Red Hat: one component in a list',
      { component: ['Core'], version: ['1.0'] },
      { component: 'Core', version: '1.0' },
    ],
    [
      'nothing where there is no contact',
      { qa_contact: null, qa_contact_detail: null },
      { qa_contact: '', qa_contact_detail: null },
    ],
    ['no deadline', { deadline: null, dupe_of: null }, { deadline: null, dupe_of: null }],
    [
      'custom fields of every form',
      { cf_a: 'x', cf_b: ['x', 'y'], cf_c: null, cf_d: 7, cf_e: '2027-02-03T04:05:06Z' },
      { cf_a: 'x', cf_b: ['x', 'y'], cf_c: null, cf_d: 7, cf_e: '2027-02-03T04:05:06Z' },
    ],
    [
      'null where the tracker does not tell',
      {
        ...{ creator_detail: null, cc_detail: null, flags: null, creation_time: null, is_open: null },
        estimated_time: null,
        priority: 'P1',
      },
      { priority: 'P1' },
    ],
    ['an anonymous reader’s view of people', { creator_detail: { name: 'bob' } }, { creator_detail: { name: 'bob' } }],
  ];

  test.each(table)('%s', async (_name, wire, shown) => {
    expect(await bug(wire)).toEqual({ id: 1, ...shown });
  });

  test('and fields that were not sent stay absent', async () => {
    expect(await bug({})).toEqual({ id: 1 });
  });

  test('and unknown fields are left out', async () => {
    expect(await bug({ triage_owner: 'x', cf_odd: { deep: true } })).toEqual({ id: 1 });
  });

  test.each([{ id: 'x' }, { id: null }, { blocks: 'all' }, { last_change_time: 'yesterday' }])(
    'but not %o',
    async (wire) => {
      await expect(bug(wire)).rejects.toMatchObject({ name: 'TrackerError', kind: 'unknown-outcome' });
    },
  );
});

describe('a bug that a tracker leaves out of its answer', () => {
  const leftOut = (faultCode: unknown): object => ({
    bugs: [],
    faults: [{ id: '7', faultCode, faultString: 'You are not authorized.' }],
  });
  test.each([
    [102, 'hidden'],
    ['101', 'missing'],
    [null, 'missing'],
  ])('is not there for the reason that it gives: %s', async (faultCode, kind) => {
    const left = answering(leftOut(faultCode)).getBug(7);
    await expect(left).rejects.toMatchObject({
      name: 'TrackerError',
      kind,
      message: expect.stringContaining('You are not authorized'),
    });
  });
});

describe('harmony', () => {
  test.each([true, false])('confirms a login with a bare %s', async (answer) => {
    expect(await answering(answer).validLogin('bob@example.test')).toBe(answer);
  });

  test.each([
    [{ alias: ['x'] }, 'x'],
    [{ alias: 'x' }, 'x'],
    [{ alias: ['x', 'y'] }, ['x', 'y']],
    [{}, undefined],
  ])('is given %j of a new bug as %j, as one alias in a list makes it fail', async (given, sent) => {
    const { fetch, asked } = fakeTracker(() => ({ body: { id: 1 } }));
    const tracker = openTracker({ url: 'http://tracker.example.test', fetch });
    await tracker.createBug({ product: 'P', component: 'C', version: '1', summary: 's', ...given });
    expect(asked.at(-1)?.body['alias']).toEqual(sent);
  });

  test.each([
    [{ alias: { set: ['x'] } }, 'x'],
    [{ alias: { add: ['x'] } }, { add: ['x'] }],
    [{ alias: { set: [] } }, { set: [] }],
  ])('is given the change %j as %j', async (given, sent) => {
    const { fetch, asked } = fakeTracker(() => ({ body: { bugs: [{ id: 1, changes: {} }] } }));
    await openTracker({ url: 'http://tracker.example.test', fetch }).updateBug(1, given);
    expect(asked.at(-1)?.body['alias']).toEqual(sent);
  });

  test('fails inside without words', async () => {
    const failing = answering({ error: true, code: 100500, message: null }).createComment(1, { comment: 'x' });
    await expect(failing).rejects.toMatchObject({
      kind: 'unknown-outcome',
      code: 100500,
      message: expect.stringContaining('no reason given'),
    });
  });

  test('knows no such value with status 400', async () => {
    const asked = answering(
      { error: true, code: 51, message: "There is no field named 'x'." },
      { status: 400 },
    ).createComment(1, {
      comment: 'x',
    });
    await expect(asked).rejects.toMatchObject({ kind: 'invalid', code: 51 });
  });
});

describe('an attachment', () => {
  const attachment = (fields: object) =>
    answering({ bugs: {}, attachments: { 9: { id: 9, bug_id: 1, ...fields } } }).getAttachment(9);
  const table: readonly (readonly [string, object, object])[] = [
    [
      '5.2: flags as numbers',
      { is_private: 0, is_patch: 1, is_obsolete: 0 },
      { is_private: false, is_patch: true, is_obsolete: false },
    ],
    ['5.3: flags as booleans', { is_private: true, is_patch: false }, { is_private: true, is_patch: false }],
    ['its content in bytes', { data: 'AP9hYg==' }, { data: Uint8Array.of(0, 255, 97, 98) }],
    ['its content in lines of base64', { data: 'AP9h\nYg==\n' }, { data: Uint8Array.of(0, 255, 97, 98) }],
    ['deleted', { data: null, size: null }, { data: null, size: null }],
    ['with null where the tracker does not tell', { flags: null, creation_time: null, is_patch: null }, {}],
    ['deleted, as others say it', { data: '', size: 0 }, { data: null, size: 0 }],
  ];

  test.each(table)('%s', async (_name, wire, shown) => {
    expect(await attachment(wire)).toEqual({ id: 9, bug_id: 1, ...shown });
  });

  test('that does not exist is missing, although the tracker answers with success', async () => {
    const answer = answering({ bugs: {}, attachments: {} }).getAttachment(9);
    await expect(answer).rejects.toMatchObject({ kind: 'missing', message: expect.stringContaining('attachment 9') });
  });

  test.each([
    ['5.2', { ids: [12, 13] }, [12, 13]],
    ['5.0', { ids: ['12'] }, [12]],
    ['harmony and BMO', { attachments: { 12: { id: 12 }, 13: {} } }, [12, 13]],
  ])('is created with an answer as of %s', async (_version, body, created) => {
    const file = { data: 'x', file_name: 'x', summary: 'x', content_type: 'text/plain' };
    expect(await answering(body).createAttachment([1, 2], file)).toEqual(created);
  });

  test.each([{ ids: [] }, { ids: [0] }, {}, { attachments: { x: {} } }])(
    'is not created by the answer %j',
    async (body) => {
      const file = { data: 'x', file_name: 'x', summary: 'x', content_type: 'text/plain' };
      await expect(answering(body).createAttachment(1, file)).rejects.toMatchObject({ kind: 'unknown-outcome' });
    },
  );
});

describe('a comment', () => {
  const comment = (fields: object) =>
    answering({ bugs: {}, comments: { 9: { id: 9, bug_id: 1, ...fields } } }).getComment(9);
  const whole = {
    attachment_id: null,
    count: null,
    text: '',
    creator: '',
    time: at,
    creation_time: at,
    is_private: true,
  };
  const table: readonly (readonly [string, object, object])[] = [
    ['with both times', { time: '2026-11-21T10:00:00Z', creation_time: '2026-11-21T10:00:00Z' }, {}],
    ['of 5.0, with the old names', { time: '2026-11-21T10:00:00Z', author: 'bob' }, { creator: 'bob' }],
    [
      'without tags where there are none',
      { creation_time: '2026-11-21T10:00:00Z', is_private: false },
      { is_private: false },
    ],
    [
      'with tags',
      { creation_time: '2026-11-21T10:00:00Z', tags: ['spam'], is_private: 0 },
      { tags: ['spam'], is_private: false },
    ],
  ];

  test.each(table)('%s', async (_name, wire, shown) => {
    expect(await comment(wire)).toEqual({ id: 9, bug_id: 1, ...whole, ...shown });
  });

  test('without any time is not understood', async () => {
    await expect(comment({ text: 'x' })).rejects.toMatchObject({
      kind: 'unknown-outcome',
      message: expect.stringContaining('time'),
    });
  });
});

describe('history', () => {
  test('never shows the text that 5.x leaks with it', async () => {
    const changes = [
      { field_name: 'longdescs.isprivate', removed: '1', added: '0', comment: { thetext: 'very private text' } },
    ];
    const history = [{ when: '2026-11-21T10:00:00Z', who: 'alice', changes }];
    const shown = await answering({ bugs: [{ id: 1, alias: [], history }] }).bugHistory(1);
    expect(shown).toEqual({
      id: 1,
      alias: [],
      history: [{ when: at, who: 'alice', changes: [{ field_name: 'longdescs.isprivate', removed: '1', added: '0' }] }],
    });
  });
});

describe('what a tracker says of itself', () => {
  const absent = { error: true, code: 32614, message: 'not found' };
  const helpers: readonly (readonly [string, (tracker: Tracker) => Promise<unknown>])[] = [
    ['version', (tracker) => tracker.version()],
    ['time', (tracker) => tracker.time()],
    ['whoAmI', (tracker) => tracker.whoAmI()],
    ['validLogin', (tracker) => tracker.validLogin('me')],
    ['fields', (tracker) => tracker.fields()],
    ['products', (tracker) => tracker.products(['Widget'])],
    ['parameters', (tracker) => tracker.parameters()],
  ];

  test.each(helpers)('%s is null where the tracker does not report it', async (_name, help) => {
    expect(await help(answering(absent, { status: 404 }))).toBeNull();
  });

  test.each(helpers)('%s is an error while the tracker is down', async (_name, help) => {
    await expect(help(answering('<html>', { status: 503, headers: { 'retry-after': '60' } }))).rejects.toMatchObject({
      kind: 'unavailable',
    });
  });

  test('its version, time and parameters come in plain forms', async () => {
    expect(await answering({ version: 20260820.1 }).version()).toBe('20260820.1');
    expect(await answering({ db_time: '2026-11-21T10:00:00Z' }).time()).toEqual({ db_time: at, web_time: null });
    expect(await answering({ parameters: { requirelogin: '0', maxattachmentsize: 1000 } }).parameters()).toEqual({
      requirelogin: '0',
      maxattachmentsize: '1000',
    });
  });
});

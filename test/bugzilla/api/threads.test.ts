/** Sections 4.7 to 4.13 through the public client, against the embedded tracker over HTTP. */

import { describe, expect, test } from 'vitest';
import type { Attachment, AttachmentChange, NewAttachment } from '../../../src/bugzilla/api/tracker.ts';
import { setUp, startAt } from './setup.ts';

const minimal = {
  product: 'Widget',
  component: 'Core',
  version: '1.0',
  summary: 'It fails',
  op_sys: 'All',
  platform: 'All',
};
const file: NewAttachment = { data: 'hello', file_name: 'a.txt', summary: 'A file', content_type: 'text/plain' };
const mail = (name: string): string => `${name}@example.test`;

describe('Create and Get Attachment', () => {
  test('carry every field, and the content byte for byte', async () => {
    const { as } = await setUp();
    const alice = as('alice');
    const bug = await alice.createBug({ ...minimal, alias: 'x' });
    const data = Uint8Array.from({ length: 300 }, (_, index) => index % 256);
    const flags = [{ name: 'review', status: '?', requestee: mail('bridge-insider') }] as const;
    const [id = 0] = await alice.createAttachment('x', { ...file, data, is_private: true, comment: 'Look.', flags });
    const attachment = await alice.getAttachment(id);
    expect(attachment).toMatchObject({
      id,
      bug_id: bug,
      size: 300,
      creation_time: startAt,
      last_change_time: startAt,
      file_name: 'a.txt',
      summary: 'A file',
      content_type: 'text/plain',
      is_private: true,
      is_obsolete: false,
      is_patch: false,
      creator: mail('alice'),
      flags: [{ name: 'review', status: '?', requestee: mail('bridge-insider'), setter: mail('alice') }],
    });
    expect(attachment.data).toEqual(data);
    expect(await alice.getAttachment(id, { data: false })).not.toHaveProperty('data');
    expect((await alice.getComments(bug))[1]).toMatchObject({
      attachment_id: id,
      text: expect.stringContaining('Look.'),
    });
  });

  test('are listed by bug without their contents, and with them on demand', async () => {
    const { as } = await setUp();
    const alice = as('alice');
    const bugs = [await alice.createBug(minimal), await alice.createBug(minimal), await alice.createBug(minimal)];
    expect(await alice.createAttachment(bugs.slice(0, 2), file)).toEqual([1, 2]);
    await alice.createAttachment(1, { data: '+a', file_name: 'a.patch', summary: 'A patch', is_patch: true });
    expect(
      (await alice.getAttachments(1)).map(({ id, is_patch, content_type, data }) => [id, is_patch, content_type, data]),
    ).toEqual([
      [1, false, 'text/plain', undefined],
      [3, true, 'text/plain', undefined],
    ]);
    expect(
      (await alice.getAttachments(2, { data: true })).map(({ data }) => new TextDecoder().decode(data ?? undefined)),
    ).toEqual(['hello']);
    const found = await alice.getAttachments(bugs);
    expect([...found].map(([bug, attachments]) => [bug, attachments.length])).toEqual([
      [1, 2],
      [2, 1],
      [3, 0],
    ]);
    expect([...(await alice.readAttachments([...bugs, 99])).found.keys()]).toEqual(bugs);
  });

  test('keep private ones from outsiders', async () => {
    const { as } = await setUp();
    const bug = await as('alice').createBug(minimal);
    const [id = 0] = await as('alice').createAttachment(bug, { ...file, is_private: true });
    expect(await as('bob').getAttachments(bug)).toEqual([]);
    await expect(as('bob').getAttachment(id)).rejects.toMatchObject({ kind: 'refused', code: 304 });
    await expect(as('bob').getAttachment(99)).rejects.toMatchObject({ kind: 'missing', code: null });
  });

  test.each<[string, Partial<NewAttachment>, object]>([
    ['too large', { data: new Uint8Array(1000 * 1024 + 1) }, { kind: 'invalid', code: 600 }],
    ['of no known type', { content_type: 'nonsense' }, { kind: 'invalid', code: 601 }],
    ['empty', { data: '' }, { kind: 'invalid', code: 606 }],
  ])('refuse one that is %s', async (_name, wrong, failure) => {
    const { as } = await setUp();
    const bug = await as('alice').createBug(minimal);
    await expect(as('alice').createAttachment(bug, { ...file, ...wrong })).rejects.toMatchObject(failure);
  });
});

describe('Update Attachment', () => {
  const table: readonly (readonly [AttachmentChange, Partial<Attachment>])[] = [
    [{ file_name: 'b.txt' }, { file_name: 'b.txt' }],
    [{ summary: 'Another' }, { summary: 'Another' }],
    [{ content_type: 'text/html' }, { content_type: 'text/html' }],
    [{ is_patch: true }, { is_patch: true }],
    [{ is_private: true }, { is_private: true }],
    [{ is_obsolete: true, comment: 'old' }, { is_obsolete: true }],
  ];

  test.each(table)('%j', async (change, shown) => {
    const { as, wait } = await setUp();
    const alice = as('alice');
    const bug = await alice.createBug(minimal);
    const [id = 0] = await alice.createAttachment(bug, { ...file, content_type: 'text/css' });
    wait(1000);
    const updated = await alice.updateAttachment(id, change);
    expect(updated).toMatchObject({ id, last_change_time: startAt + 1000 });
    expect(Object.keys(updated.changes).length).toBeGreaterThan(0);
    expect(await alice.getAttachment(id)).toMatchObject(shown);
    expect((await alice.getComments(bug)).at(-1)?.text.endsWith(change.comment ?? 'A file')).toBe(
      change.summary === undefined,
    );
  });

  test('sets flags, on several at once', async () => {
    const { as } = await setUp();
    const alice = as('alice');
    const bug = await alice.createBug(minimal);
    const ids = [...(await alice.createAttachment(bug, file)), ...(await alice.createAttachment(bug, file))];
    const updated = await alice.updateAttachment(ids, { flags: [{ name: 'review', status: '+' }] });
    expect(updated.map(({ id }) => id)).toEqual(ids);
    expect(
      (await alice.getAttachments(bug)).map(({ flags }) => flags?.map(({ name, status }) => name + status)),
    ).toEqual([['review+'], ['review+']]);
  });

  test('is told of what is not there and of what cannot be changed', async () => {
    const { as } = await setUp();
    const bug = await as('alice').createBug(minimal);
    const [id = 0] = await as('alice').createAttachment(bug, file);
    await expect(as('alice').updateAttachment(99, { summary: 'x' })).rejects.toMatchObject({
      kind: 'refused',
      code: 32000,
    });
    const unknown = { data: 'x' } as AttachmentChange;
    await expect(as('alice').updateAttachment(id, unknown)).rejects.toMatchObject({ kind: 'invalid', code: -32601 });
    await expect(as('bob').updateAttachment(id, { summary: 'x' })).rejects.toMatchObject({
      kind: 'refused',
      code: 32000,
    });
  });
});

describe('Get and Create Comments', () => {
  test('by bug, by several, by id and since a time', async () => {
    const { as, wait } = await setUp();
    const alice = as('alice');
    const bugs = [
      await alice.createBug({ ...minimal, description: 'first', alias: 'x' }),
      await alice.createBug(minimal),
    ];
    wait(60_000);
    const id = await alice.createComment('x', { comment: 'second  ' });
    wait(60_000);
    const secret = await alice.createComment(1, { comment: 'third', is_private: true, work_time: 1.5 });
    const comments = await alice.getComments('x');
    expect(comments.map(({ text, count, is_private }) => [text, count, is_private])).toEqual([
      ['first', 0, false],
      ['second', 1, false],
      ['third', 2, true],
    ]);
    expect(comments[1]).toEqual({
      id,
      bug_id: 1,
      attachment_id: null,
      count: 1,
      text: 'second',
      creator: mail('alice'),
      time: startAt + 60_000,
      creation_time: startAt + 60_000,
      is_private: false,
      tags: [],
    });
    expect((await alice.getBug(1)).actual_time).toBe(1.5);
    expect((await alice.getComments(1, { newSince: startAt + 60_000 })).map(({ text }) => text)).toEqual(['third']);
    expect(
      [...(await alice.getComments(bugs, { newSince: startAt }))].map(([bug, found]) => [bug, found.length]),
    ).toEqual([
      [1, 2],
      [2, 0],
    ]);
    const { found } = await alice.readComments(bugs, { since: startAt + 60_000 });
    expect(found.get(1)?.map(({ text }) => text)).toEqual(['second', 'third']);
    expect(await alice.getComment(secret)).toMatchObject({ text: 'third', is_private: true });
    await expect(as('bob').getComment(secret)).rejects.toMatchObject({ kind: 'hidden', code: 110 });
    await expect(alice.getComment(999)).rejects.toMatchObject({ kind: 'missing', code: 111 });
    expect(await as('bob').getComments('x')).toHaveLength(2);
  });

  test.each<[string, string, object]>([
    ['nothing', '', { kind: 'invalid', code: 50 }],
    ['white space', ' \n', { kind: 'invalid', code: 50 }],
    ['more than fits', 'x'.repeat(65_536), { kind: 'invalid', code: 114 }],
  ])('refuse %s', async (_name, comment, failure) => {
    const { as } = await setUp();
    const bug = await as('alice').createBug(minimal);
    await expect(as('alice').createComment(bug, { comment })).rejects.toMatchObject(failure);
  });

  test('refuse what the account may not', async () => {
    const { as } = await setUp();
    const bug = await as('alice').createBug(minimal);
    await expect(as('bob').createComment(bug, { comment: 'x', is_private: true })).rejects.toMatchObject({
      kind: 'refused',
      code: 113,
    });
    await expect(as(null).createComment(bug, { comment: 'x' })).rejects.toMatchObject({
      kind: 'credentials',
      code: 410,
    });
  });
});

describe('Comment Tags', () => {
  test('are added, found and removed', async () => {
    const { as } = await setUp();
    const alice = as('alice');
    const bug = await alice.createBug({ ...minimal, description: 'x' });
    const id = (await alice.getComments(bug))[0]?.id ?? 0;
    expect(await alice.updateCommentTags(id, { add: ['spam', 'obsolete'] })).toEqual(['obsolete', 'spam']);
    expect((await alice.getComment(id)).tags).toEqual(['obsolete', 'spam']);
    expect(await alice.searchCommentTags('spa')).toEqual(['spam']);
    expect(await alice.searchCommentTags('s', { limit: 1 })).toHaveLength(1);
    expect(await alice.updateCommentTags(id, { remove: ['spam', 'none'] })).toEqual(['obsolete']);
  });

  test.each<[string, string, object]>([
    ['sp am', 'alice', { kind: 'invalid', code: 126 }],
    ['x'.repeat(25), 'alice', { kind: 'invalid', code: 127 }],
    ['xy', 'alice', { kind: 'invalid', code: 128 }],
    ['spam', 'bob', { kind: 'refused', code: 304 }],
  ])('refuse "%s" of %s', async (tag, name, failure) => {
    const { as } = await setUp();
    const bug = await as('alice').createBug({ ...minimal, description: 'x' });
    const id = (await as('alice').getComments(bug))[0]?.id ?? 0;
    await expect(as(name).updateCommentTags(id, { add: [tag] })).rejects.toMatchObject(failure);
  });
});

describe('what the tracker says of itself', () => {
  test('in every respect that it tells', async () => {
    const { as } = await setUp();
    const alice = as('alice');
    expect(await alice.version()).toBe('5.2');
    expect(await alice.time()).toEqual({ db_time: startAt, web_time: startAt });
    expect(await alice.hello()).toBe(mail('alice'));
    expect(await alice.whoAmI()).toBe(mail('alice'));
    expect(await alice.validLogin(mail('alice'))).toBe(true);
    expect(await alice.validLogin(mail('bob'))).toBe(false);
    const [status] = (await alice.fields('bug_status')) ?? [];
    expect(status?.values?.find(({ name }) => name === 'RESOLVED')?.can_change_to?.map(({ name }) => name)).toContain(
      'VERIFIED',
    );
    expect((await alice.fields())?.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['short_desc', 'bug_status']),
    );
    expect(await alice.products(['Widget', 'None'])).toMatchObject([
      { name: 'Widget', has_unconfirmed: true, components: [{ name: 'Core' }, { name: 'UI' }] },
    ]);
    expect((await as('bob').products())?.map(({ name }) => name)).not.toContain('Secret');
    expect((await alice.parameters())?.['maxattachmentsize']).toBe('1000');
    expect(await as(null).whoAmI()).toBeNull();
  });

  test('with every way of sending the key that this version takes', async () => {
    const { as } = await setUp();
    expect(await as('alice', { auth: 'query' }).hello()).toBe(mail('alice'));
    expect(await as('alice', { auth: 'auto' }).hello()).toBe(mail('alice'));
    await expect(as('alice', { auth: 'header' }).hello()).rejects.toMatchObject({ kind: 'credentials' });
    await expect(as('alice', { auth: 'bearer' }).getBug(1)).rejects.toMatchObject({ kind: 'credentials' });
    await expect(as('alice', { apiKey: 'wrong' }).getBug(1)).rejects.toMatchObject({ kind: 'credentials', code: 306 });
  });
});

import { describe, expect, it } from 'vitest';
import { loadTrackerWorld } from '../../../src/sandbox/tracker/world/load.ts';
import insider from '../../../src/sandbox/world-data/insider.json' with { type: 'json' };
import { type Asking, askedTracker } from '../recorded/asked.ts';

const hello = Buffer.from('hello').toString('base64');
const plain = { data: hello, file_name: 'h.txt', summary: 'h', content_type: 'text/plain' };
const at = (second: number): string => `2026-11-21T12:00:0${second}Z`;

/** A tracker with two bugs, 1 and 2, filed by bob. */
function withBugs(): Asking {
  const asking = askedTracker();
  for (const summary of ['a', 'b']) asking.world.as('bob').file({ summary });
  asking.tick();
  return asking;
}

/** The same, with attachment 1 of alice on bug 1. */
async function withAttachment(more: object = {}): Promise<Asking> {
  const asking = withBugs();
  expect((await asking.ask('alice', 'POST', '/rest/bug/1/attachment', { ...plain, ...more })).body).toEqual({
    ids: [1],
  });
  asking.tick();
  return asking;
}

const bytes = (size: number): string => Buffer.alloc(size, 'x').toString('base64');

/** Attachment 1 as alice sees it. */
const read = async ({ ask }: Asking) => (await ask('alice', 'GET', '/rest/bug/attachment/1')).body.attachments[1];
const textsOf = async ({ ask }: Asking, caller = 'alice') =>
  (await ask(caller, 'GET', '/rest/bug/1/comment')).body.bugs[1].comments.map(({ text }: { text: string }) => text);

describe('an attachment that is added', () => {
  it('is shown with all its fields, of which yes and no are numbers', async () => {
    const asking = await withAttachment({ file_name: 'log.txt', summary: 'A log' });
    expect(await read(asking)).toEqual({
      ...{
        id: 1,
        bug_id: 1,
        creator: 'alice@example.test',
        file_name: 'log.txt',
        summary: 'A log',
        content_type: 'text/plain',
      },
      ...{
        data: hello,
        size: 5,
        is_patch: 0,
        is_private: 0,
        is_obsolete: 0,
        flags: [],
        creation_time: at(1),
        last_change_time: at(1),
      },
    });
  });

  it('moves the time of its bug, leaves a comment of its own and no history', async () => {
    const asking = await withAttachment({ comment: 'look  \n' });
    const { comments } = (await asking.ask('alice', 'GET', '/rest/bug/1/comment')).body.bugs[1];
    expect(comments[1]).toMatchObject({
      id: 3,
      attachment_id: 1,
      text: 'Created attachment 1\nh\n\nlook',
      creation_time: at(1),
    });
    expect(asking.world.bug(1)?.changedAt).toBe(Date.parse(at(1)));
    expect((await asking.ask('alice', 'GET', '/rest/bug/1/history')).body.bugs[0].history).toEqual([]);
  });

  it.each([
    ['harmony', 'https://github.com/acme/widget/pull/14\n', 'text/x-github-pull-request'],
    ['harmony', 'See https://github.com/acme/widget/pull/14', 'text/plain'],
    ['harmony', 'https://github.example.test/acme/widget/pull/14', 'text/plain'],
    ['5.2', 'https://github.com/acme/widget/pull/14', 'text/plain'],
  ] as const)('gets a type of its own on a %s if it is %s', async (version, content, type) => {
    const asking = withBugs();
    asking.world.state.version = version;
    await asking.ask('alice', 'POST', '/rest/bug/1/attachment', {
      ...plain,
      data: Buffer.from(content).toString('base64'),
    });
    expect((await read(asking)).content_type).toBe(type);
  });

  it('leaves a comment of two lines when nothing is said about it', async () => {
    expect(await textsOf(await withAttachment())).toEqual(['', 'Created attachment 1\nh']);
  });

  it('goes to the bugs of the body, once to each, and not to that of the path', async () => {
    const { ask, world } = withBugs();
    expect(await ask('alice', 'POST', '/rest/bug/1/attachment', { ...plain, ids: [2] })).toEqual({
      status: 201,
      body: { ids: [1] },
    });
    expect((await ask('alice', 'POST', '/rest/bug/1/attachment', { ...plain, ids: [2, 1] })).body).toEqual({
      ids: [2, 3],
    });
    expect([...world.state.attachments.values()].map(({ id, bug }) => [id, bug])).toEqual([
      [1, 2],
      [2, 2],
      [3, 1],
    ]);
  });

  it.each([
    ['a folder before the name', { file_name: '..\\x/../etc/passwd' }, { file_name: 'passwd' }],
    ['a name that is too long', { file_name: `${'n'.repeat(300)}.txt` }, { file_name: `${'n'.repeat(251)}.txt` }],
    ['control characters in a name', { file_name: 'a\u0000b\tc' }, { file_name: 'a b c' }],
    ['a summary that is too long', { summary: 's'.repeat(300) }, { summary: 's'.repeat(255) }],
    ['a summary of wide characters', { summary: 'ä'.repeat(200) }, { summary: 'ä'.repeat(127) }],
    ['spaces around the summary', { summary: ' \n s ' }, { summary: 's' }],
    [
      'a patch with another type',
      { is_patch: true, content_type: 'image/png' },
      { is_patch: 1, content_type: 'text/plain' },
    ],
    ['a patch without a type', { is_patch: 1, content_type: undefined }, { is_patch: 1, content_type: 'text/plain' }],
    [
      'a type with a charset',
      { content_type: 'application/vnd.x+y; charset=z' },
      { content_type: 'application/vnd.x+y; charset=z' },
    ],
    ['the text false', { is_private: 'false' }, { is_private: 1 }],
    ['bytes that are not base64', { data: '!!!not base64!!!' }, { size: 6 }],
    ['the greatest size', { data: bytes(1_024_000) }, { size: 1_024_000 }],
  ])('takes %s', async (_what, given, shown) => {
    const asking = await withAttachment(given);
    expect(await read(asking)).toMatchObject(shown);
  });

  it.each([
    ['alice', 50, 400, 'no data', { data: undefined }],
    ['alice', 50, 400, 'null data', { data: null }],
    ['alice', 606, 400, 'nothing in it', { data: '' }],
    ['alice', 600, 400, 'a byte too many', { data: bytes(1_024_001) }],
    ['alice', 604, 400, 'no summary', { summary: '  ' }],
    ['alice', 603, 400, 'no file name', { file_name: undefined }],
    ['alice', 601, 400, 'no type', { content_type: undefined }],
    ['alice', 601, 400, 'a type of another kind', { content_type: 'font/woff' }],
    ['alice', 51, 404, 'an unknown flag', { flags: [{ name: 'nope', status: '?' }] }],
    ['alice', 100_500, 201, 'flags that are no list', { flags: { name: 'review', status: '?' } }],
    ['alice', 114, 400, 'a comment that is too long', { comment: 'c'.repeat(65_536) }],
    ['alice', 101, 404, 'a bug that is not there', { ids: [1, 99] }],
    ['bridge', 113, 401, 'privacy from an outsider', { is_private: true }],
    ['bridge', 102, 401, 'a hidden bug', { ids: [2] }],
    [null, 410, 401, 'no login', {}],
  ])('is refused to %s with %i (%i) for %s, and nothing is left of it', async (caller, code, status, _what, given) => {
    const { ask, world } = withBugs();
    world.hide(2);
    const before = structuredClone([...world.state.bugs, ...world.state.comments, ...world.state.history]);
    const answer = await ask(caller, 'POST', '/rest/bug/1/attachment', { ...plain, ...given });
    expect([answer.status, answer.body.code]).toEqual([status, code]);
    expect([...world.state.bugs, ...world.state.comments, ...world.state.history]).toEqual(before);
    expect(world.state.attachments.size).toBe(0);
  });

  it('is as large as the settings allow', async () => {
    const { ask, world } = withBugs();
    world.state.settings = { ...world.state.settings, maxattachmentsize: '1' };
    const sizes = [1024, 1025].map((size) =>
      ask('alice', 'POST', '/rest/bug/1/attachment', { ...plain, data: bytes(size) }),
    );
    expect((await Promise.all(sizes)).map(({ status }) => status)).toEqual([201, 400]);
  });
});

describe('reading attachments', () => {
  it('answers by bug and by id, each under its own key, and leaves out what does not exist', async () => {
    const { ask } = await withAttachment();
    await ask('alice', 'POST', '/rest/bug/2/attachment', plain);
    const only = 'include_fields=id';
    expect((await ask('alice', 'GET', `/rest/bug/1/attachment?ids=2&attachment_ids=1&${only}`)).body).toEqual({
      bugs: { 1: [{ id: 1 }], 2: [{ id: 2 }] },
      attachments: { 1: { id: 1 } },
    });
    expect((await ask('alice', 'GET', `/rest/bug/attachment/2?attachment_ids=99&ids=1&${only}`)).body).toEqual({
      bugs: { 1: [{ id: 1 }] },
      attachments: { 2: { id: 2 } },
    });
    expect(await ask('alice', 'GET', '/rest/bug/attachment/99')).toEqual({
      status: 200,
      body: { bugs: {}, attachments: {} },
    });
  });

  it('leaves out the content when it is not wanted', async () => {
    const { ask } = await withAttachment();
    const [attachment] = (await ask('alice', 'GET', '/rest/bug/1/attachment?exclude_fields=data,flags')).body.bugs[1];
    expect(Object.keys(attachment)).not.toContain('data');
    expect(attachment.size).toBe(5);
  });

  it.each([
    ['/rest/bug/attachment/x', 400, 52],
    ['/rest/bug/nope/attachment', 400, 100],
    ['/rest/bug/99/attachment', 404, 101],
    ['/rest/bug/1/attachment?ids=99', 404, 101],
  ])('fails at %s with %i (%i)', async (path, status, code) => {
    const { ask } = await withAttachment();
    const answer = await ask('alice', 'GET', path);
    expect([answer.status, answer.body.code]).toEqual([status, code]);
  });

  it('shows private ones to insiders, and in lists to their creator', async () => {
    const asking = withBugs();
    const { ask } = asking;
    for (const _ of [1, 2]) await ask('bob', 'POST', '/rest/bug/1/attachment', plain);
    await ask('alice', 'PUT', '/rest/bug/attachment/1', { is_private: true });
    const seen = async (caller: string | null) =>
      (await ask(caller, 'GET', '/rest/bug/1/attachment')).body.bugs[1].map(({ id }: { id: number }) => id);
    expect([await seen('alice'), await seen('bob'), await seen('bridge'), await seen(null)]).toEqual([
      [1, 2],
      [1, 2],
      [2],
      [2],
    ]);
    for (const caller of ['bob', 'bridge', null]) {
      const answer = await ask(caller, 'GET', '/rest/bug/attachment/1');
      expect([answer.status, answer.body.code]).toEqual([401, 304]);
    }
    expect((await ask('bridge', 'GET', '/rest/bug/attachment/2?attachment_ids=1')).body.code).toBe(304);
  });

  it('takes for insiders whom the settings name', async () => {
    const { ask, world } = await withAttachment({ is_private: true });
    world.state.settings = { ...world.state.settings, insidergroup: 'canconfirm' };
    const codes = ['carol', 'bob'].map(async (caller) => (await ask(caller, 'GET', '/rest/bug/attachment/1')).status);
    expect(await Promise.all(codes)).toEqual([200, 401]);
  });

  it('hides those of a hidden bug', async () => {
    const { ask, world } = await withAttachment();
    world.hide(1);
    for (const path of ['/rest/bug/1/attachment', '/rest/bug/attachment/1']) {
      expect((await ask('bridge', 'GET', path)).body.code).toBe(102);
    }
  });
});

describe('an attachment that is changed', () => {
  it.each([
    ['summary', 'new', 'h', 'new', 'description'],
    ['file_name', 'x/new.txt', 'h.txt', 'new.txt', 'filename'],
    ['content_type', 'text/html', 'text/plain', 'text/html', 'mimetype'],
    ['is_patch', true, '0', '1', 'ispatch'],
    ['is_private', true, '0', '1', 'isprivate'],
    ['is_obsolete', 1, '0', '1', 'isobsolete'],
  ])(
    'says so of its %s in the answer, the history and both times',
    async (name, value, removed, added, historyName) => {
      const asking = await withAttachment();
      const { ask, world } = asking;
      const answer = await ask('alice', 'PUT', '/rest/bug/attachment/1', { [name]: value });
      expect(answer.body).toEqual({
        attachments: [{ id: 1, last_change_time: at(2), changes: { [name]: { removed, added } } }],
      });
      expect((await ask('alice', 'GET', '/rest/bug/1/history')).body.bugs[0].history).toEqual([
        {
          when: at(2),
          who: 'alice@example.test',
          changes: [{ field_name: `attachments.${historyName}`, removed, added, attachment_id: 1 }],
        },
      ]);
      expect((await read(asking)).last_change_time).toBe(at(2));
      expect(world.bug(1)?.changedAt).toBe(Date.parse(at(2)));
    },
  );

  it('rewrites the comments on it with its summary, without a new time', async () => {
    const asking = await withAttachment({ comment: 'first' });
    await asking.ask('alice', 'PUT', '/rest/bug/attachment/1', { comment: ' second ' });
    await asking.ask('alice', 'PUT', '/rest/bug/attachment/1', { summary: 'now this' });
    const heading = 'attachment 1\nnow this\n\n';
    expect(await textsOf(asking)).toEqual(['', `Created ${heading}first`, `Comment on ${heading}second`]);
    expect(asking.world.commentsOf(1).map(({ text }) => text)).toEqual(await textsOf(asking));
    const [created] = asking.world.commentsOf(1).slice(1);
    expect(
      (await asking.ask('alice', 'GET', `/rest/bug/comment/${created?.id}`)).body.comments[created?.id ?? 0].text,
    ).toBe(`Created ${heading}first`);
    expect(created?.at).toBe(Date.parse(at(1)));
  });

  it('that is only commented on keeps its time, and its bug does not', async () => {
    const asking = await withAttachment();
    const answer = await asking.ask('alice', 'PUT', '/rest/bug/attachment/1', { comment: 'well' });
    expect(answer.body).toEqual({ attachments: [{ id: 1, last_change_time: at(1), changes: {} }] });
    expect(asking.world.bug(1)?.changedAt).toBe(Date.parse(at(2)));
    const last = (await asking.ask('alice', 'GET', '/rest/bug/1/comment')).body.bugs[1].comments.at(-1);
    expect(last).toMatchObject({ attachment_id: 1, is_private: false, text: 'Comment on attachment 1\nh\n\nwell' });
  });

  it('to what it was moves no time', async () => {
    const { ask, world } = await withAttachment();
    const same = { summary: 'h', is_private: false, comment: ' ', flags: [] };
    expect((await ask('alice', 'PUT', '/rest/bug/attachment/1', same)).body.attachments[0]).toMatchObject({
      last_change_time: at(1),
      changes: {},
    });
    expect([world.bug(1)?.changedAt, world.commentsOf(1).length]).toEqual([Date.parse(at(1)), 2]);
  });

  it('keeps its type when it becomes a patch, unless a type comes along', async () => {
    const asking = await withAttachment({ content_type: 'image/png' });
    await asking.ask('alice', 'PUT', '/rest/bug/attachment/1', { is_patch: true });
    expect((await read(asking)).content_type).toBe('image/png');
    await asking.ask('alice', 'PUT', '/rest/bug/attachment/1', { content_type: 'text/html' });
    expect((await read(asking)).content_type).toBe('text/plain');
  });

  it('of a private one carries comments that are private too, and history that only insiders see', async () => {
    const asking = await withAttachment({ is_private: true });
    await asking.ask('alice', 'PUT', '/rest/bug/attachment/1', { comment: 'secret', summary: 'more' });
    expect([(await textsOf(asking)).length, (await textsOf(asking, 'bridge')).length]).toEqual([3, 1]);
    const changesetsSeenBy = async (caller: string) =>
      (await asking.ask(caller, 'GET', '/rest/bug/1/history')).body.bugs[0].history.length;
    expect([await changesetsSeenBy('alice'), await changesetsSeenBy('bridge')]).toEqual([1, 0]);
    asking.tick();
    await asking.ask('alice', 'PUT', '/rest/bug/attachment/1', { is_private: false });
    expect(await changesetsSeenBy('bridge')).toBe(2);
  });

  it('may be several, named by the body, all or none of them', async () => {
    const { ask, world } = await withAttachment();
    await ask('alice', 'POST', '/rest/bug/2/attachment', plain);
    const both = await ask('alice', 'PUT', '/rest/bug/attachment/77', { ids: [1, '2'], summary: 'both', comment: 'c' });
    expect(both.body.attachments.map(({ id }: { id: number }) => id)).toEqual([1, 2]);
    expect([world.commentsOf(1), world.commentsOf(2)].map((all) => all.at(-1)?.text)).toEqual([
      'Comment on attachment 1\nboth\n\nc',
      'Comment on attachment 2\nboth\n\nc',
    ]);
    const one = await ask('alice', 'PUT', '/rest/bug/attachment/1', { ids: [1, 77], summary: 'one' });
    expect([one.status, one.body.code, world.state.attachments.get(1)?.summary]).toEqual([400, 32_000, 'both']);
  });

  it.each([
    ['alice', 1, 67_399, 'its content', { data: hello }],
    ['alice', 1, 67_399, 'an unknown field', { zzz: 1 }],
    ['alice', 1, 604, 'no summary', { summary: '' }],
    ['alice', 1, 601, 'no type', { content_type: 'nonsense' }],
    ['alice', 1, 32_000, 'no file name', { file_name: ' ' }],
    ['alice', 99, 32_000, 'an unknown id', { summary: 'x' }],
    ['alice', 'x', 52, 'an id that is no number', { summary: 'x' }],
    ['bob', 1, 32_000, 'somebody without rights', { summary: 'x' }],
    ['bob', 1, 32_000, 'a mere comment without rights', { comment: 'x' }],
    ['bridge', 2, 32_000, 'a private one by an outsider', { summary: 'x' }],
    ['bridge', 1, 113, 'privacy by an outsider', { is_private: true }],
    ['bridge', 3, 32_000, 'one of a hidden bug', { summary: 'x' }],
    [null, 1, 410, 'no login', { summary: 'x' }],
  ])('is refused to %s for %s with %i: %s', async (caller, id, code, _what, body) => {
    const { ask, world } = await withAttachment();
    await ask('alice', 'POST', '/rest/bug/1/attachment', { ...plain, is_private: true });
    await ask('alice', 'POST', '/rest/bug/2/attachment', plain);
    world.hide(2);
    const state = () => structuredClone([...world.state.attachments, ...world.state.bugs, ...world.state.comments]);
    const before = state();
    const answer = await ask(caller, 'PUT', `/rest/bug/attachment/${id}`, body);
    expect([answer.status, answer.body.code]).toEqual([code === 410 || code === 113 ? 401 : 400, code]);
    expect(state()).toEqual(before);
  });

  it('is allowed to its creator without any rights, and to editbugs', async () => {
    const { ask } = withBugs();
    await ask('bob', 'POST', '/rest/bug/1/attachment', plain);
    for (const caller of ['bob', 'bridge']) {
      expect((await ask(caller, 'PUT', '/rest/bug/attachment/1', { summary: caller })).status).toBe(200);
    }
  });

  it('disappears with its bug', async () => {
    const { ask, world } = await withAttachment();
    world.remove(1);
    expect((await ask('alice', 'GET', '/rest/bug/attachment/1')).body).toEqual({ bugs: {}, attachments: {} });
  });
});

describe('the loaded world’s attachments', () => {
  it('are shown as the real tracker showed them to an insider', async () => {
    const { ask, world } = askedTracker();
    loadTrackerWorld(world);
    for (const [bug, attachments] of Object.entries(insider.attachments)) {
      const shown = (await ask('alice', 'GET', `/rest/bug/${bug}/attachment`)).body.bugs[bug];
      const expected = attachments.map(
        ({ data_omitted, ...attachment }: { data_omitted?: boolean; data: string | null }) => ({
          ...attachment,
          ...(data_omitted === true ? { data: bytesOfNothing } : {}),
        }),
      );
      expect(shown).toEqual(expected);
    }
  });

  it('count nothing for deleted content: no size with the content, a size of 0 without', async () => {
    const { ask, world } = askedTracker();
    loadTrackerWorld(world);
    expect((await ask('alice', 'GET', '/rest/bug/attachment/8')).body.attachments[8]).toMatchObject({
      size: null,
      data: null,
    });
    const list = (await ask('alice', 'GET', '/rest/bug/10/attachment?exclude_fields=data')).body.bugs[10];
    expect(list.find(({ id }: { id: number }) => id === 8).size).toBe(0);
  });

  it('go on being counted where the real tracker stopped', async () => {
    const { ask, world } = askedTracker();
    loadTrackerWorld(world);
    const flags = [{ name: 'review', status: '+' }];
    expect((await ask('alice', 'POST', '/rest/bug/1/attachment', { ...plain, flags })).body).toEqual({ ids: [13] });
    expect(world.state.attachments.get(13)?.flags.map(({ id }) => id)).toEqual([5]);
  });
});

/** The one attachment whose content was too long to be written down reads as so many zeros. */
const bytesOfNothing = Buffer.alloc(1_024_000).toString('base64');

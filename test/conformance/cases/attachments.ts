import { type Case, section } from '../case.ts';
import { at, check, either, equal, fails, isRecord, listAt, notOffered, ok, recordAt, sameSet } from '../judge.ts';
import { groupOf } from '../needs.ts';
import { commented, hidden } from '../samples.ts';
import { isTime } from '../shape.ts';
import type { Tracker } from '../tracker.ts';
import { noSuchId } from './reading.ts';

/** Sections 4.7 to 4.9, and who sees private attachments. */

const get = section('4.7');

const list = async (tracker: Tracker, bug: number, caller = tracker.main) =>
  listAt(ok(await caller.get(`/bug/${bug}/attachment`, { exclude_fields: 'data' })), 'bugs', bug).filter(isRecord);

const reads: readonly Case[] = [
  get('all attachments of a bug, under its id', ['/by-bug', '/response'], async (tracker) => {
    const bug = await tracker.file();
    const ids = [await tracker.attach(bug), await tracker.attach(bug)];
    const body = recordAt(ok(await tracker.main.get(`/bug/${bug}/attachment`)));
    equal(Object.keys(recordAt(body, 'bugs')), [String(bug)], 'bugs');
    equal(body['attachments'], {}, 'attachments');
    equal(
      listAt(body, 'bugs', bug).map((one) => at(one, 'id')),
      ids,
      'ids',
    );
    equal(at(body, 'bugs', bug, 0, 'data'), 'aGVsbG8=', 'data');
  }),
  get('a bug without attachments has an empty list', ['/by-bug'], async (tracker) => {
    equal(await list(tracker, await tracker.file()), [], 'attachments');
  }),
  get('one attachment, under its id', ['/by-id', '/response'], async (tracker) => {
    const { attachment } = await commented(tracker);
    const body = recordAt(ok(await tracker.main.get(`/bug/attachment/${attachment}`)));
    equal(Object.keys(recordAt(body, 'attachments')), [String(attachment)], 'attachments');
    equal(body['bugs'], {}, 'bugs');
  }),
  get('an obsolete attachment is still listed', ['/by-bug'], async (tracker) => {
    const bug = await tracker.file();
    const id = await tracker.attach(bug);
    await tracker.changeAttachment(id, { is_obsolete: true });
    equal(
      (await list(tracker, bug)).map((one) => one['id']),
      [id],
      'ids',
    );
  }),
  get('an attachment that does not exist', ['/missing'], async (tracker) => {
    const reply = await tracker.main.get(`/bug/attachment/${noSuchId}`);
    if (at(reply.body, 'error') === true) return 'a missing attachment is an error';
    equal(ok(reply), { bugs: {}, attachments: {} }, 'answer');
    return 'a missing attachment is left out, as measured on 5.2';
  }),
  get('an attachment id that is no number', ['/missing', '7/codes'], async (tracker) => {
    fails(await tracker.main.get('/bug/attachment/abc'), 400, 52);
  }),
  get('attachments of a bug that does not exist', ['/missing'], async (tracker) => {
    fails(await tracker.main.get(`/bug/${noSuchId}/attachment`), 404, 101);
  }),
  get(
    'attachments of a hidden bug are refused to anonymous readers',
    ['/rights', '5/groups'],
    async (tracker) => {
      const { bug } = await hidden(tracker, String(await groupOf(tracker)));
      fails(await tracker.anonymous.get(`/bug/${bug}/attachment`), 401, 102, 410);
    },
    ['group'],
  ),
  get('include_fields leaves the content out', ['/by-bug'], async (tracker) => {
    const { bug } = await commented(tracker);
    const body = ok(await tracker.main.get(`/bug/${bug}/attachment`, { include_fields: 'id,size' }));
    sameSet(Object.keys(recordAt(body, 'bugs', bug, 0)), ['id', 'size'], 'fields');
  }),
];

const rights = section('1');

const privacy: readonly Case[] = [
  rights(
    'private attachments are listed for insiders only',
    ['/private-attachments', '/insidergroup', '4.7/rights', '5/insider'],
    async (tracker) => {
      const bug = await tracker.file();
      const [open, secret] = [await tracker.attach(bug), await tracker.attach(bug, { is_private: true })];
      sameSet(
        (await list(tracker, bug)).map((one) => one['id']),
        [open, secret],
        'for an insider',
      );
      equal(
        (await list(tracker, bug, tracker.other)).map((one) => one['id']),
        [open],
        'for others',
      );
    },
    ['insider', 'outsider'],
  ),
  rights(
    'a private attachment is refused by id to those who are no insiders',
    ['/private-attachments', '4.7/rights', '5/insider', '7/codes'],
    async (tracker) => {
      const secret = await tracker.attach(await tracker.scratch(), { is_private: true });
      fails(await tracker.other.get(`/bug/attachment/${secret}`), 401, 304);
      equal(Number((await tracker.attachment(secret))['is_private']), 1, 'is_private for an insider');
    },
    ['insider', 'outsider'],
  ),
  rights(
    'a submitter sees their own private attachment in the list',
    ['/private-attachments'],
    async (tracker) => {
      const bug = await tracker.file();
      const id = await tracker.attach(bug, {}, tracker.other);
      await tracker.changeAttachment(id, { is_private: true });
      equal(
        (await list(tracker, bug, tracker.other)).map((one) => one['id']),
        [id],
        'for the submitter',
      );
    },
    ['insider', 'outsider', 'editor'],
  ),
  rights(
    'private comments are shown to insiders only',
    ['/insidergroup', '4.10/private', '5/insider'],
    async (tracker) => {
      const bug = await tracker.file();
      const secret = await tracker.comment(bug, 'Not for all.', { is_private: true });
      check(
        (await tracker.comments(bug)).some(({ id }) => id === secret),
        'comments for an insider',
        'the private one too',
        'without it',
      );
      equal((await tracker.comments(bug, {}, tracker.other)).length, 1, 'comments for others');
      fails(await tracker.other.get(`/bug/comment/${secret}`), 401, 110);
    },
    ['insider', 'outsider'],
  ),
];

const create = section('4.8');

const made: readonly Case[] = [
  create('the answer is a list of ids', ['/response'], async (tracker) => {
    const reply = await tracker.tryAttach(await tracker.scratch());
    equal(listAt(ok(reply, [200, 201]), 'ids').length, 1, 'ids');
    return either(reply.status, 'status of a creation', { spec: 201, measured: 201 });
  }),
  create('one attachment for several bugs', ['/ids', '/comment'], async (tracker) => {
    const [one, other] = [await tracker.file(), await tracker.file()];
    const reply = await tracker.tryAttach(one, { ids: [one, other], comment: 'For both.' });
    const ids = listAt(ok(reply, [200, 201]), 'ids').map(Number);
    equal(ids.length, 2, 'ids');
    const bugs: unknown[] = [];
    for (const id of ids) bugs.push((await tracker.attachment(id))['bug_id']);
    sameSet(bugs, [one, other], 'bugs of the attachments');
    for (const bug of [one, other])
      check(String((await tracker.comments(bug)).at(-1)?.['text']).includes('For both.'), 'comment', 'on both', bug);
  }),
  create('the bug of the path and the list of the body', ['/path-and-ids'], async (tracker) => {
    const [path, body] = [await tracker.file(), await tracker.file()];
    const id = await tracker.attach(path, { ids: [body] });
    return either((await tracker.attachment(id))['bug_id'], 'the bug that gets it', { spec: path, measured: body });
  }),
  create('without ids, the bug of the path', ['/ids'], async (tracker) => {
    const bug = await tracker.file();
    equal((await tracker.attachment(await tracker.attach(bug, { ids: undefined })))['bug_id'], bug, 'bug_id');
  }),
  create(
    'data, file_name, summary and content_type are kept',
    ['/data', '/file_name', '/summary', '/content_type'],
    async (tracker) => {
      const given = { data: 'UE5H', file_name: 'picture.png', summary: 'A picture 🦊', content_type: 'image/png' };
      const read = await tracker.attachment(await tracker.attach(await tracker.scratch(), given));
      for (const [field, value] of Object.entries(given)) equal(read[field], value, field);
    },
  ),
  create(
    'a comment is added with the attachment, and leads to it',
    ['/comment', '2.6/attachment_id'],
    async (tracker) => {
      const bug = await tracker.file();
      const id = await tracker.attach(bug, { comment: 'See what I made.' });
      const comment = (await tracker.comments(bug)).at(-1);
      equal(comment?.['attachment_id'], id, 'attachment_id');
      check(String(comment?.['text']).endsWith('See what I made.'), 'text', 'the comment at its end', comment);
    },
  ),
  create(
    'is_patch makes it text/plain, and no content_type is needed',
    ['/is_patch', '/content_type'],
    async (tracker) => {
      const bug = await tracker.scratch();
      const read = await tracker.attachment(await tracker.attach(bug, { is_patch: true, content_type: undefined }));
      equal([Number(read['is_patch']), read['content_type']], [1, 'text/plain'], 'is_patch and content_type');
      const forced = await tracker.attachment(await tracker.attach(bug, { is_patch: true, content_type: 'image/png' }));
      equal(forced['content_type'], 'text/plain', 'content_type of a patch');
    },
  ),
  create(
    'is_private makes it private',
    ['/is_private'],
    async (tracker) => {
      const read = await tracker.attachment(await tracker.attach(await tracker.scratch(), { is_private: true }));
      equal(Number(read['is_private']), 1, 'is_private');
    },
    ['insider'],
  ),
  create(
    'is_private is refused to those who are no insiders',
    ['/is_private', '7/codes'],
    async (tracker) => {
      fails(await tracker.tryAttach(await tracker.scratch(), { is_private: true }, tracker.other), 401, 113);
    },
    ['outsider'],
  ),
  create('is_patch and is_private are false by default', ['/is_patch', '/is_private'], async (tracker) => {
    const read = await tracker.attachment(await tracker.attach(await tracker.scratch()));
    equal([Number(read['is_patch']), Number(read['is_private'])], [0, 0], 'is_patch and is_private');
  }),
  create('an empty list of obsoletes is taken', ['/obsoletes'], async (tracker) => {
    await tracker.attach(await tracker.scratch(), { obsoletes: [] });
  }),
  ...(
    [
      ['no data', { data: undefined }, 400, 50, ['/data']],
      ['empty data', { data: '' }, 400, 606, ['/data']],
      ['no file name', { file_name: undefined }, 400, 603, ['/file_name']],
      ['no summary', { summary: undefined }, 400, 604, ['/summary']],
      ['a content type that is none', { content_type: 'nonsense' }, 400, 601, ['/content_type']],
    ] as const
  ).map(([name, extra, status, code, rules]) =>
    create(`${name} is refused`, [...rules, '7/codes'], async (tracker) => {
      const bug = await tracker.file();
      fails(await tracker.tryAttach(bug, extra), status, code);
      equal(await list(tracker, bug), [], 'attachments afterwards');
    }),
  ),
  create('what is larger than the tracker says is refused', ['/data', '8/attachment-size'], async (tracker) => {
    const maximum = Number((await tracker.vocabulary()).parameters['maxattachmentsize']);
    if (!(maximum > 0 && maximum <= 4000)) return notOffered('the tracker tells no size up to 4 MB');
    const data = Buffer.alloc(maximum * 1024 + 1, 'x').toString('base64');
    fails(await tracker.tryAttach(await tracker.scratch(), { data }), 400, 600);
  }),
  create('without a key', ['5/login-required'], async (tracker) => {
    fails(await tracker.tryAttach(await tracker.scratch(), {}, tracker.anonymous), 401, 410);
  }),
  create('on a bug that does not exist', ['/ids'], async (tracker) =>
    fails(await tracker.tryAttach(noSuchId), 404, 101),
  ),
];

const update = section('4.9');

const edited: readonly Case[] = [
  ...(
    [
      ['file_name', 'hello.txt', 'renamed.txt'],
      ['summary', 'hello', 'another summary'],
      ['content_type', 'text/plain', 'text/html'],
    ] as const
  ).map(([field, from, to]) =>
    update(
      `${field} is changed, and the answer tells from what to what`,
      [`/${field}`, '/response'],
      async (tracker) => {
        const id = await tracker.attach(await tracker.file());
        equal(
          (await tracker.changeAttachment(id, { [field]: to }))['changes'],
          { [field]: { removed: from, added: to } },
          'changes',
        );
        equal((await tracker.attachment(id))[field], to, field);
      },
    ),
  ),
  ...(['is_patch', 'is_obsolete'] as const).map((field) =>
    update(`${field} is changed, and told as 0 and 1`, [`/${field}`, '/response'], async (tracker) => {
      const id = await tracker.attach(await tracker.file());
      const { changes } = await tracker.changeAttachment(id, { [field]: true });
      equal(at(changes, field), { removed: '0', added: '1' }, `changes.${field}`);
      equal(Number((await tracker.attachment(id))[field]), 1, field);
      await tracker.changeAttachment(id, { [field]: false });
      equal(Number((await tracker.attachment(id))[field]), 0, `${field} afterwards`);
    }),
  ),
  update(
    'is_private is changed, and told as 0 and 1',
    ['/is_private', '/response'],
    async (tracker) => {
      const id = await tracker.attach(await tracker.file());
      equal(
        (await tracker.changeAttachment(id, { is_private: true }))['changes'],
        { is_private: { removed: '0', added: '1' } },
        'changes',
      );
      equal(Number((await tracker.attachment(id))['is_private']), 1, 'is_private');
    },
    ['insider'],
  ),
  update('an attachment that becomes a patch becomes text/plain', ['/is_patch'], async (tracker) => {
    const id = await tracker.attach(await tracker.file(), { content_type: 'text/html' });
    await tracker.changeAttachment(id, { is_patch: true });
    const type = (await tracker.attachment(id))['content_type'];
    return either(type, 'content_type of what became a patch', { spec: 'text/plain', measured: 'text/html' });
  }),
  update('a comment is added to the bug', ['/comment'], async (tracker) => {
    const bug = await tracker.file();
    const id = await tracker.attach(bug);
    await tracker.changeAttachment(id, { comment: 'About the attachment.' });
    const comment = (await tracker.comments(bug)).at(-1);
    check(String(comment?.['text']).endsWith('About the attachment.'), 'text', 'the comment', comment);
    equal(comment?.['attachment_id'], id, 'attachment_id');
  }),
  update('the answer has id, last_change_time and changes', ['/response'], async (tracker) => {
    const id = await tracker.attach(await tracker.file());
    const answer = await tracker.changeAttachment(id, { summary: 'another' });
    sameSet(Object.keys(answer), ['id', 'last_change_time', 'changes'], 'keys');
    equal([answer['id'], isTime(answer['last_change_time'])], [id, true], 'id and last_change_time');
    equal(answer['last_change_time'], (await tracker.attachment(id))['last_change_time'], 'last_change_time');
  }),
  update(
    'without a change, last_change_time is that of the previous update',
    ['/response', '/no-change'],
    async (tracker) => {
      const id = await tracker.attach(await tracker.file());
      const before = (await tracker.attachment(id))['last_change_time'];
      await tracker.tick();
      const answer = await tracker.changeAttachment(id, { summary: 'hello' });
      equal([answer['changes'], answer['last_change_time']], [{}, before], 'changes and last_change_time');
    },
  ),
  update('ids names several attachments', ['/ids'], async (tracker) => {
    const bug = await tracker.file();
    const [one, other] = [await tracker.attach(bug), await tracker.attach(bug)];
    const body = ok(await tracker.updateAttachment(one, { ids: [one, other], summary: 'both' }));
    sameSet(
      listAt(body, 'attachments').map((each) => at(each, 'id')),
      [one, other],
      'attachments',
    );
    equal((await tracker.attachment(other))['summary'], 'both', 'summary');
  }),
  update('the content cannot be changed', ['/content'], async (tracker) => {
    const id = await tracker.attach(await tracker.scratch());
    fails(await tracker.updateAttachment(id, { data: 'b3RoZXI=' }), 400, 67399, 32601);
    equal((await tracker.attachment(id))['data'], 'aGVsbG8=', 'data');
  }),
  update('an attachment that does not exist', ['/missing'], async (tracker) => {
    fails(await tracker.updateAttachment(noSuchId, { summary: 'x' }), 400, 32000);
  }),
  update(
    'somebody without rights',
    ['/rights'],
    async (tracker) => {
      const id = await tracker.attach(await tracker.scratch());
      fails(await tracker.updateAttachment(id, { summary: 'x' }, tracker.other), 400, 32000);
    },
    ['other without rights'],
  ),
  update('without a key', ['5/login-required'], async (tracker) => {
    const id = await tracker.attach(await tracker.scratch());
    fails(await tracker.updateAttachment(id, { summary: 'x' }, tracker.anonymous), 401, 410);
  }),
];

export const attachments: readonly Case[] = [...reads, ...privacy, ...made, ...edited];

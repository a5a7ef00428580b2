import { type Case, section } from '../case.ts';
import { at, check, either, equal, fails, listAt, numberAt, ok, recordAt, sameSet } from '../judge.ts';
import { groupOf } from '../needs.ts';
import { commented, hidden, samples } from '../samples.ts';
import { aliasOf, type Tracker } from '../tracker.ts';
import { noSuchId } from './reading.ts';

/** Sections 4.10 to 4.13: comments and their tags. */

const get = section('4.10');

const reads: readonly Case[] = [
  get('all comments of a bug, under its id', ['/by-bug', '/response'], async (tracker) => {
    const { bug, comment } = await commented(tracker);
    const body = recordAt(ok(await tracker.main.get(`/bug/${bug}/comment`)));
    equal(Object.keys(recordAt(body, 'bugs')), [String(bug)], 'bugs');
    equal(at(body, 'bugs', bug, 'comments', 1, 'id'), comment, 'id of the second');
    equal(body['comments'], {}, 'comments, when none was asked for by id');
  }),
  get('by alias, under the id', ['/by-bug'], async (tracker) => {
    const { a, bugs } = await samples(tracker);
    const body = ok(await tracker.main.get(`/bug/${aliasOf(bugs.a)}/comment`));
    equal(Object.keys(recordAt(body, 'bugs')), [String(a)], 'bugs');
  }),
  get('one comment, under its id', ['/by-id', '/response'], async (tracker) => {
    const { comment } = await commented(tracker);
    const body = recordAt(ok(await tracker.main.get(`/bug/comment/${comment}`)));
    equal([at(body, 'comments', comment, 'text'), body['bugs']], ['The first comment.', {}], 'text and bugs');
  }),
  get('a bug that is named several times comes once', ['/once'], async (tracker) => {
    const { a, bugs } = await samples(tracker);
    const body = ok(await tracker.main.get(`/bug/${a}/comment`, { ids: [a, aliasOf(bugs.a)] }));
    equal(Object.keys(recordAt(body, 'bugs')), [String(a)], 'bugs');
    equal(listAt(body, 'bugs', a, 'comments').length, 1, 'comments');
  }),
  get('several bugs at once', ['/once'], async (tracker) => {
    const { a, b } = await samples(tracker);
    const body = ok(await tracker.main.get(`/bug/${a}/comment`, { ids: [b] }));
    sameSet(Object.keys(recordAt(body, 'bugs')), [String(a), String(b)], 'bugs');
  }),
  get('new_since leaves out what is not newer', ['/new-since'], async (tracker) => {
    const bug = await tracker.file();
    await tracker.tick();
    await tracker.comment(bug, 'Earlier.');
    await tracker.tick();
    await tracker.comment(bug, 'Later.');
    const since = String((await tracker.comments(bug))[1]?.['time']);
    equal(
      (await tracker.comments(bug, { new_since: since })).map(({ text }) => text),
      ['Later.'],
      'comments since the earlier one',
    );
    const before = new Date(Date.parse(since) - 1000).toISOString().replace('.000', '');
    equal(
      (await tracker.comments(bug, { new_since: before })).map(({ text }) => text),
      ['Earlier.', 'Later.'],
      'a second before',
    );
  }),
  get('new_since does not matter for comments by id', ['/new-since-by-id'], async (tracker) => {
    const { comment } = await commented(tracker);
    const body = ok(await tracker.main.get(`/bug/comment/${comment}`, { new_since: '2099-01-01' }));
    equal(at(body, 'comments', comment, 'id'), comment, 'id');
  }),
  get('new_since that is no time', ['/new-since', '7/codes'], async (tracker) => {
    fails(await tracker.main.get(`/bug/${await tracker.scratch()}/comment`, { new_since: '' }), 400, 56);
  }),
  get('a comment that does not exist', ['/missing', '7/codes'], async (tracker) =>
    fails(await tracker.main.get(`/bug/comment/${noSuchId}`), 400, 111),
  ),
  get('a comment id that is no number', ['/missing'], async (tracker) =>
    fails(await tracker.main.get('/bug/comment/abc'), 400, 52),
  ),
  get('comments of a bug that does not exist', ['/missing'], async (tracker) =>
    fails(await tracker.main.get(`/bug/${noSuchId}/comment`), 404, 101),
  ),
  get(
    'comments of a hidden bug are refused to anonymous readers',
    ['/hidden', '5/groups'],
    async (tracker) => {
      const { bug, comment } = await hidden(tracker, String(await groupOf(tracker)));
      fails(await tracker.anonymous.get(`/bug/${bug}/comment`), 401, 102, 410);
      fails(await tracker.anonymous.get(`/bug/comment/${comment}`), 401, 102, 410);
    },
    ['group'],
  ),
  get(
    'private comments leave a gap in count',
    ['/private', '2.6/count'],
    async (tracker) => {
      const bug = await tracker.file();
      await tracker.comment(bug, 'Hidden.', { is_private: true });
      await tracker.comment(bug, 'Shown.');
      equal(
        (await tracker.comments(bug, {}, tracker.other)).map(({ count }) => count),
        [0, 2],
        'count',
      );
    },
    ['insider', 'outsider'],
  ),
];

const create = section('4.11');

const made: readonly Case[] = [
  create('the answer is the new comment’s id', ['/response', '/comment'], async (tracker) => {
    const bug = await tracker.file();
    const reply = await tracker.main.post(`/bug/${bug}/comment`, { comment: 'Said.' });
    const id = numberAt(ok(reply, [200, 201]), 'id');
    equal((await tracker.comments(bug)).at(-1)?.['id'], id, 'id');
    return either(reply.status, 'status of a creation', { spec: 201, measured: 201 });
  }),
  create('by alias', ['/by-alias'], async (tracker) => {
    const alias = `al-${tracker.word()}`;
    const bug = await tracker.file({ alias: await tracker.alias(alias) });
    ok(await tracker.main.post(`/bug/${alias}/comment`, { comment: 'By alias.' }), [200, 201]);
    equal((await tracker.comments(bug)).at(-1)?.['text'], 'By alias.', 'text');
  }),
  create('the text is kept, with leading spaces and every sign', ['/comment', '2.6/text'], async (tracker) => {
    const bug = await tracker.file();
    const text = '  Indented\n\n\ttab ü 🦊 <b>"quoted" & more</b>';
    const id = await tracker.comment(bug, text);
    equal((await tracker.readComment(id))['text'], text, 'text');
  }),
  create('line ends become those of Unix, and space at the end goes', ['2.6/text'], async (tracker) => {
    const id = await tracker.comment(await tracker.scratch(), 'one\r\ntwo  \n\n');
    equal((await tracker.readComment(id))['text'], 'one\ntwo', 'text');
  }),
  ...(
    [
      ['an empty comment', { comment: '' }],
      ['a comment of spaces and line ends', { comment: '  \n\t ' }],
      ['no comment', {}],
    ] as const
  ).map(([name, body]) =>
    create(`${name} is refused as not set`, ['/empty', '7/comment-empty', '7/codes'], async (tracker) => {
      const bug = await tracker.file();
      const reply = await tracker.main.post(`/bug/${bug}/comment`, body);
      fails(reply, 400, 50);
      check(String(at(reply.body, 'message')).includes('comment'), 'message', 'one that names the comment', reply.body);
      equal((await tracker.comments(bug)).length, 1, 'comments afterwards');
    }),
  ),
  create(
    'is_private makes it private',
    ['/is_private'],
    async (tracker) => {
      const id = await tracker.comment(await tracker.scratch(), 'Hidden.', { is_private: true });
      equal((await tracker.readComment(id))['is_private'], true, 'is_private');
    },
    ['insider'],
  ),
  create('a comment is public by default', ['/is_private'], async (tracker) => {
    const id = await tracker.comment(await tracker.scratch(), 'Shown.');
    equal((await tracker.readComment(id))['is_private'], false, 'is_private');
  }),
  create(
    'is_private is refused to those who are no insiders',
    ['/is_private', '7/private-not-permitted', '5/insider'],
    async (tracker) => {
      const bug = await tracker.file();
      const reply = await tracker.other.post(`/bug/${bug}/comment`, { comment: 'Hidden.', is_private: true });
      fails(reply, 401, 113);
      equal((await tracker.comments(bug)).length, 1, 'comments afterwards');
    },
    ['outsider'],
  ),
  create(
    'work_time adds hours',
    ['/work_time'],
    async (tracker) => {
      const bug = await tracker.file();
      await tracker.comment(bug, 'Worked.', { work_time: 1.5 });
      equal((await tracker.read(bug))['actual_time'], 1.5, 'actual_time');
    },
    ['time tracking'],
  ),
  create(
    'work_time from outside the time-tracking group adds nothing',
    ['/work_time-outside', '5/time-tracking'],
    async (tracker) => {
      const bug = await tracker.file();
      const reply = await tracker.other.post(`/bug/${bug}/comment`, { comment: 'Worked.', work_time: 1.5 });
      equal((await tracker.read(bug))['actual_time'], 0, 'actual_time');
      if (at(reply.body, 'error') === undefined) return 'work_time of others: ignored, as the interface says';
      fails(reply, 401, 115);
      return 'work_time of others: refused, as measured on 5.2';
    },
    ['time tracking', 'other without time tracking'],
  ),
  create('the longest comment fits, and one more sign does not', ['/length', '7/codes'], async (tracker) => {
    const bug = await tracker.file();
    await tracker.comment(bug, 'x'.repeat(65_535));
    fails(await tracker.main.post(`/bug/${bug}/comment`, { comment: 'x'.repeat(65_536) }), 400, 114);
  }),
  create('a comment moves the bug’s last_change_time', ['/response'], async (tracker) => {
    const bug = await tracker.file();
    await tracker.tick();
    const id = await tracker.comment(bug, 'Now.');
    equal((await tracker.read(bug))['last_change_time'], (await tracker.readComment(id))['time'], 'last_change_time');
  }),
  create('on a bug that does not exist', ['/missing'], async (tracker) => {
    fails(await tracker.main.post(`/bug/${noSuchId}/comment`, { comment: 'x' }), 404, 101);
  }),
  create('without a key', ['5/login-required'], async (tracker) => {
    fails(await tracker.anonymous.post(`/bug/${await tracker.scratch()}/comment`, { comment: 'x' }), 401, 410);
  }),
];

const find = section('4.12');
const limit = section('8');
const edit = section('4.13');

const tag = (tracker: Tracker, comment: number, body: Readonly<Record<string, unknown>>, caller = tracker.main) =>
  caller.put(`/bug/comment/${comment}/tags`, { comment_id: comment, ...body });

const newComment = async (tracker: Tracker): Promise<number> =>
  tracker.comment(await tracker.scratch(), 'To be tagged.');

/** Tags of this run are short, as a tag has at most 24 signs. */
const tagWord = (tracker: Tracker): string => `t${tracker.word()}`.slice(-24);

const tags: readonly Case[] = [
  edit(
    'add attaches tags, and the answer is the comment’s tags',
    ['/add', '/response'],
    async (tracker) => {
      const comment = await newComment(tracker);
      const [one, other] = [tagWord(tracker), tagWord(tracker)];
      sameSet(ok(await tag(tracker, comment, { add: [one, other] })), [one, other], 'answer');
      sameSet((await tracker.readComment(comment))['tags'], [one, other], 'tags');
    },
    ['tagger'],
  ),
  edit(
    'remove detaches tags',
    ['/remove'],
    async (tracker) => {
      const comment = await newComment(tracker);
      const [one, other] = [tagWord(tracker), tagWord(tracker)];
      await tag(tracker, comment, { add: [one, other] });
      equal(ok(await tag(tracker, comment, { remove: [one] })), [other], 'answer');
    },
    ['tagger'],
  ),
  edit(
    'adding what is there and removing what is not changes nothing',
    ['/add', '/remove'],
    async (tracker) => {
      const comment = await newComment(tracker);
      const one = tagWord(tracker);
      await tag(tracker, comment, { add: [one] });
      equal(ok(await tag(tracker, comment, { add: [one], remove: [`${one.slice(1)}z`] })), [one], 'answer');
    },
    ['tagger'],
  ),
  edit(
    'comment_id in the body may be left out',
    ['/comment_id'],
    async (tracker) => {
      const comment = await newComment(tracker);
      const one = tagWord(tracker);
      equal(ok(await tracker.main.put(`/bug/comment/${comment}/tags`, { add: [one] })), [one], 'answer');
    },
    ['tagger'],
  ),
  ...(
    [
      ['too short', 'ab', 128],
      ['too long', 'a'.repeat(25), 127],
      ['with a space', 'with space', 126],
      ['with a comma', 'a,b,c', 126],
    ] as const
  ).map(([name, word, code]) =>
    edit(
      `a tag ${name} is refused`,
      ['/add', '7/codes'],
      async (tracker) => {
        const comment = await newComment(tracker);
        fails(await tag(tracker, comment, { add: [word] }), 400, code);
        equal((await tracker.readComment(comment))['tags'], [], 'tags afterwards');
      },
      ['tagger'],
    ),
  ),
  edit(
    'tags do not move the bug’s last_change_time',
    ['/response'],
    async (tracker) => {
      const bug = await tracker.file();
      const comment = await tracker.comment(bug, 'To be tagged.');
      const before = (await tracker.read(bug))['last_change_time'];
      await tracker.tick();
      ok(await tag(tracker, comment, { add: [tagWord(tracker)] }));
      equal((await tracker.read(bug))['last_change_time'], before, 'last_change_time');
    },
    ['tagger'],
  ),
  edit(
    'tagging without a key',
    ['5/login-required'],
    async (tracker) => {
      fails(await tag(tracker, await newComment(tracker), { add: ['abc'] }, tracker.anonymous), 401, 410);
    },
    ['tagger'],
  ),
  edit(
    'tagging by somebody without rights',
    ['/rights', '5/groups'],
    async (tracker) => {
      fails(await tag(tracker, await newComment(tracker), { add: ['abc'] }, tracker.other), 401, 304);
    },
    ['tagger', 'other without rights'],
  ),
  edit(
    'a comment that does not exist',
    ['/missing'],
    async (tracker) => {
      const reply = await tag(tracker, noSuchId, { add: ['abc'] });
      if (at(reply.body, 'error') === true) return 'a missing comment is an error';
      equal(ok(reply), [], 'answer');
      return 'a missing comment has no tags, as measured on 5.2';
    },
    ['tagger'],
  ),
  find(
    'a part of a tag finds it',
    ['/substring', '/response'],
    async (tracker) => {
      const one = tagWord(tracker);
      await tag(tracker, await newComment(tracker), { add: [one] });
      equal(ok(await tracker.main.get(`/bug/comment/tags/${one.slice(1)}`)), [one], 'answer');
    },
    ['tagger'],
  ),
  find(
    'what no tag contains finds nothing',
    ['/substring'],
    async (tracker) => {
      equal(ok(await tracker.main.get(`/bug/comment/tags/zz${tracker.word()}`)), [], 'answer');
    },
    ['tagger'],
  ),
  limit(
    'limit caps the count',
    ['4.12/limit', '/tag-limit'],
    async (tracker) => {
      const stem = `l${tracker.word()}`.slice(-20);
      const words = Array.from({ length: 12 }, (_, index) => `${stem}${String.fromCharCode(97 + index)}`);
      await tag(tracker, await newComment(tracker), { add: words });
      equal(
        listAt(ok(await tracker.main.get(`/bug/comment/tags/${stem}`, { limit: 3 }))).length,
        3,
        'tags with limit 3',
      );
      const count = listAt(ok(await tracker.main.get(`/bug/comment/tags/${stem}`))).length;
      return either(count, 'tags without a limit', { spec: 10, measured: 7 });
    },
    ['tagger'],
  ),
  find(
    'searching tags without a key',
    ['5/login-required'],
    async (tracker) => {
      fails(await tracker.anonymous.get('/bug/comment/tags/abc'), 401, 410);
    },
    ['tagger'],
  ),
  find(
    'searching tags by somebody without rights',
    ['/rights'],
    async (tracker) => {
      fails(await tracker.other.get('/bug/comment/tags/abc'), 401, 304);
    },
    ['tagger', 'other without rights'],
  ),
];

export const comments: readonly Case[] = [...reads, ...made, ...tags];

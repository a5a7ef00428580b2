import { type Case, section } from '../case.ts';
import { at, check, equal, listAt, numberAt, recordAt } from '../judge.ts';
import { changed, commented } from '../samples.ts';
import { bit, filled, isKind, type Kind, orNull, records, text, texts, time, truth, whole } from '../shape.ts';
import type { Tracker } from '../tracker.ts';

/** Sections 2.4 to 2.7: what histories, attachments and comments are made of. */

const history = section('2.4');

async function firstChangeset(tracker: Tracker) {
  const { bug } = await changed(tracker);
  return recordAt(await tracker.history(bug), 0);
}

const histories: readonly Case[] = [
  history('each bug has id, alias and history', ['/bug-entry'], async (tracker) => {
    const { bug } = await changed(tracker);
    const changeset = recordAt((await tracker.main.get(`/bug/${bug}/history`)).body, 'bugs', 0);
    equal([changeset['id'], changeset['alias']], [bug, []], 'id and alias');
    isKind(changeset['history'], records, 'history');
  }),
  history('when is a time', ['/when'], async (tracker) =>
    isKind((await firstChangeset(tracker))['when'], time, 'when'),
  ),
  history('who is the login of the one who changed it', ['/who'], async (tracker) => {
    equal((await firstChangeset(tracker))['who'], await tracker.login(), 'who');
  }),
  history('changes is a list of objects', ['/changes'], async (tracker) => {
    isKind((await firstChangeset(tracker))['changes'], records, 'changes');
  }),
  history('changes made at one time are one changeset', ['/changes'], async (tracker) => {
    const bug = await tracker.file();
    await tracker.tick();
    await tracker.change(bug, { whiteboard: 'one', url: 'https://two.example.test/' });
    const changesets = await tracker.history(bug);
    equal(changesets.length, 1, 'changesets');
    equal(
      listAt(changesets, 0, 'changes')
        .map((change) => at(change, 'field_name'))
        .sort(),
      ['url', 'whiteboard'],
      'changes',
    );
  }),
  history('a change has field_name, removed and added', ['/field_name', '/removed', '/added'], async (tracker) => {
    const { from, to } = await changed(tracker);
    const change = recordAt(await firstChangeset(tracker), 'changes', 0);
    equal([change['field_name'], change['removed'], change['added']], ['priority', from, to], 'change');
  }),
  history('removed and added are texts, also of numbers and of nothing', ['/removed', '/added'], async (tracker) => {
    const [blocker, bug] = [await tracker.file(), await tracker.file()];
    await tracker.tick();
    await tracker.change(bug, { depends_on: { add: [blocker] } });
    const change = recordAt(await tracker.history(bug), 0, 'changes', 0);
    equal([change['field_name'], change['removed'], change['added']], ['depends_on', '', String(blocker)], 'change');
  }),
  history(
    'attachment_id is there when the change was on an attachment, and only then',
    ['/attachment_id'],
    async (tracker) => {
      const bug = await tracker.file();
      const attachment = await tracker.attach(bug);
      await tracker.tick();
      await tracker.changeAttachment(attachment, { summary: 'another summary' });
      const change = recordAt(await tracker.history(bug), -1, 'changes', 0);
      equal(change['attachment_id'], attachment, 'attachment_id');
      equal(
        at(await firstChangeset(tracker), 'changes', 0, 'attachment_id'),
        undefined,
        'attachment_id of another change',
      );
    },
  ),
];

const attachment = section('2.5');

const attachmentKinds: readonly (readonly [string, Kind])[] = [
  ['id', whole],
  ['bug_id', whole],
  ['data', filled],
  ['size', whole],
  ['creation_time', time],
  ['last_change_time', time],
  ['file_name', filled],
  ['summary', filled],
  ['content_type', filled],
  ['is_private', bit],
  ['is_obsolete', bit],
  ['is_patch', bit],
  ['creator', filled],
  ['flags', records],
];

const attachments: readonly Case[] = [
  ...attachmentKinds.map(([field, kind]) =>
    attachment(`${field} is ${kind.name}`, [`/${field}`], async (tracker) => {
      const { attachment: id } = await commented(tracker);
      isKind((await tracker.attachment(id))[field], kind, field);
    }),
  ),
  attachment(
    'what was attached reads back',
    ['/data', '/size', '/file_name', '/summary', '/content_type', '/creator', '/bug_id'],
    async (tracker) => {
      const bug = await tracker.scratch();
      const given = {
        data: 'gMO8AP8=',
        file_name: 'a b.bin',
        summary: 'Bytes ü',
        content_type: 'application/octet-stream',
      };
      const read = await tracker.attachment(await tracker.attach(bug, given));
      for (const [field, value] of Object.entries(given)) equal(read[field], value, field);
      equal(
        [read['size'], read['bug_id'], read['creator']],
        [5, bug, await tracker.login()],
        'size, bug_id and creator',
      );
      equal(
        [read['is_private'], read['is_obsolete'], read['is_patch']].map(Number),
        [0, 0, 0],
        'is_private, is_obsolete and is_patch',
      );
    },
  ),
  attachment(
    'last_change_time moves when the attachment is edited',
    ['/last_change_time', '/creation_time'],
    async (tracker) => {
      const bug = await tracker.file();
      const id = await tracker.attach(bug);
      const before = await tracker.attachment(id);
      equal(before['last_change_time'], before['creation_time'], 'last_change_time of a new attachment');
      await tracker.tick();
      await tracker.changeAttachment(id, { summary: 'renamed' });
      const after = await tracker.attachment(id);
      equal(after['creation_time'], before['creation_time'], 'creation_time');
      check(
        String(after['last_change_time']) > String(before['last_change_time']),
        'last_change_time',
        'a later one',
        after,
      );
    },
  ),
];

const comment = section('2.6');

const commentKinds: readonly (readonly [string, Kind])[] = [
  ['id', whole],
  ['bug_id', whole],
  ['attachment_id', orNull(whole)],
  ['count', whole],
  ['text', text],
  ['creator', filled],
  ['time', time],
  ['creation_time', time],
  ['is_private', truth],
];

const comments: readonly Case[] = [
  ...commentKinds.map(([field, kind]) =>
    comment(`${field} is ${kind.name}`, [`/${field}`], async (tracker) => {
      const { bug, comment: id } = await commented(tracker);
      for (const one of await tracker.comments(bug)) isKind(one[field], kind, field);
      isKind((await tracker.readComment(id))[field], kind, field);
    }),
  ),
  comment(
    'tags is a list of texts, where tags are in use',
    ['/tags'],
    async (tracker) => {
      const { comment: id } = await commented(tracker);
      isKind((await tracker.readComment(id))['tags'], texts, 'tags');
    },
    ['tagger'],
  ),
  comment('the description has count 0, and comments go on from 1', ['/count'], async (tracker) => {
    const bug = await tracker.file({ description: 'Number nought' });
    await tracker.comment(bug, 'Number one');
    await tracker.comment(bug, 'Number two');
    const read = await tracker.comments(bug);
    equal(
      read.map(({ count }) => count),
      [0, 1, 2],
      'count',
    );
    equal(
      read.map(({ text: said }) => said),
      ['Number nought', 'Number one', 'Number two'],
      'text',
    );
  }),
  comment('attachment_id leads to the attachment, and is null without one', ['/attachment_id'], async (tracker) => {
    const { bug, attachment: id } = await commented(tracker);
    equal(
      (await tracker.comments(bug)).map((one) => one['attachment_id']).slice(0, 3),
      [null, null, id],
      'attachment_id',
    );
  }),
  comment('time and creation_time are the same', ['/time', '/creation_time', '9/time'], async (tracker) => {
    for (const one of await tracker.comments((await commented(tracker)).bug))
      equal(one['time'], one['creation_time'], 'time');
  }),
  comment('creator is the login of the author', ['/creator'], async (tracker) => {
    equal((await tracker.readComment((await commented(tracker)).comment))['creator'], await tracker.login(), 'creator');
  }),
  comment('ids are unique across bugs and grow', ['/id'], async (tracker) => {
    const [one, other] = [await tracker.file(), await tracker.file()];
    const ids = [await tracker.comment(other, 'a'), await tracker.comment(one, 'b'), await tracker.comment(other, 'c')];
    equal(
      [...new Set(ids)].sort((a, b) => a - b),
      ids,
      'ids',
    );
  }),
];

const tag = section('2.7');

export const objects: readonly Case[] = [
  ...histories,
  ...attachments,
  ...comments,
  tag(
    'a tag is a plain text on a comment',
    ['/tag'],
    async (tracker) => {
      const id = await tracker.comment(await tracker.scratch(), 'To be tagged.');
      const tags = await tracker.main.put(`/bug/comment/${id}/tags`, { comment_id: id, add: ['plain-tag'] });
      equal(tags.body, ['plain-tag'], 'answer');
      equal((await tracker.readComment(id))['tags'], ['plain-tag'], 'tags');
      equal(numberAt(await tracker.readComment(id), 'id'), id, 'id');
    },
    ['tagger'],
  ),
];

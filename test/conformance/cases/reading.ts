import { type Case, section } from '../case.ts';
import { at, check, either, equal, fails, listAt, numberAt, ok, recordAt, sameSet } from '../judge.ts';
import { groupOf } from '../needs.ts';
import { changed, hidden, samples } from '../samples.ts';
import { aliasOf, type Tracker } from '../tracker.ts';

/** Sections 4.1 and 4.2: one bug, several bugs, and what happened to them. */

const get = section('4.1');

/** A number that no tracker has reached. */
export const noSuchId = 2 ** 31 - 7;

const bugs: readonly Case[] = [
  get('by id', ['/by-id'], async (tracker) => {
    const { a } = await samples(tracker);
    const body = ok(await tracker.main.get(`/bug/${a}`));
    equal(
      listAt(body, 'bugs').map((bug) => at(bug, 'id')),
      [a],
      'bugs',
    );
  }),
  get('by alias', ['/by-alias'], async (tracker) => {
    const { a, bugs: read } = await samples(tracker);
    equal((await tracker.read(aliasOf(read.a)))['id'], a, 'id');
  }),
  get('the answer has bugs and faults', ['/envelope'], async (tracker) => {
    const body = recordAt(ok(await tracker.main.get(`/bug/${await tracker.scratch()}`)));
    sameSet(Object.keys(body), ['bugs', 'faults'], 'keys');
  }),
  get('several through a search by id', ['/several'], async (tracker) => {
    const { a, b } = await samples(tracker);
    sameSet(await tracker.search({ id: `${a},${b}` }), [a, b], 'bugs');
  }),
  get('ids in the query are added to the one in the path', ['/several'], async (tracker) => {
    const { a, b, bugs: read } = await samples(tracker);
    const body = ok(await tracker.main.get(`/bug/${a}`, { ids: [aliasOf(read.b)], include_fields: 'id' }));
    sameSet(
      listAt(body, 'bugs').map((bug) => at(bug, 'id')),
      [a, b],
      'bugs',
    );
  }),
  get('a bug that is asked for twice comes once', ['/several'], async (tracker) => {
    const { a } = await samples(tracker);
    equal(listAt(ok(await tracker.main.get(`/bug/${a}`, { ids: [a] })), 'bugs').length, 1, 'bugs');
  }),
  get('include_fields takes field names', ['/include-fields'], async (tracker) => {
    const bug = await tracker.read(await tracker.scratch(), { include_fields: 'id,summary' });
    sameSet(Object.keys(bug), ['id', 'summary'], 'fields');
  }),
  get('include_fields=_default is what comes without it', ['/include-default', '2.1/default'], async (tracker) => {
    const { a, bugs: read } = await samples(tracker);
    // The token is made anew for every read, and only for reads of single bugs.
    const without = (bug: Readonly<Record<string, unknown>>) =>
      Object.keys(bug).filter((field) => field !== 'update_token');
    sameSet(without(await tracker.read(a, { include_fields: '_default' })), without(read.a), 'fields');
  }),
  get(
    'include_fields=_custom brings the custom fields alone',
    ['/include-custom', '2.1/custom'],
    async (tracker) => {
      const { custom } = await tracker.vocabulary();
      const fields = Object.keys(await tracker.read(await tracker.scratch(), { include_fields: '_custom' }));
      sameSet(
        fields,
        custom.map(({ name }) => name),
        'fields',
      );
    },
    ['custom fields'],
  ),
  get('include_fields=_extra brings the extra fields', ['/include-extra', '2.1/tags'], async (tracker) => {
    const fields = Object.keys(await tracker.read(await tracker.scratch(), { include_fields: '_extra' }));
    check(fields.includes('tags'), 'fields', 'tags among them', fields);
  }),
  get('exclude_fields leaves fields out', ['/include-fields'], async (tracker) => {
    const bug = await tracker.read(await tracker.scratch(), { exclude_fields: 'summary' });
    equal(['summary' in bug, 'id' in bug], [false, true], 'summary and id');
  }),
  get('an unknown field name is no error', ['/include-fields'], async (tracker) => {
    equal(
      Object.keys(await tracker.read(await tracker.scratch(), { include_fields: 'id,no_such_field' })),
      ['id'],
      'fields',
    );
  }),
  get('a bug that does not exist', ['/missing', '7/codes'], async (tracker) =>
    fails(await tracker.main.get(`/bug/${noSuchId}`), 404, 101),
  ),
  get('an alias that does not exist', ['/missing', '7/codes'], async (tracker) => {
    fails(await tracker.main.get(`/bug/no-such-${tracker.run}`), 400, 100);
  }),
  get('a list with commas is no bug', ['/missing'], async (tracker) => {
    const { a, b } = await samples(tracker);
    fails(await tracker.main.get(`/bug/${a},${b}`), 400, 100);
  }),
  get(
    'a hidden bug is refused to anonymous readers',
    ['/hidden', '5/groups'],
    async (tracker) => {
      const { bug } = await hidden(tracker, String(await groupOf(tracker)));
      const reply = await tracker.anonymous.get(`/bug/${bug}`);
      fails(reply, 401, 102, 410);
      equal((await tracker.read(bug))['id'], bug, 'the bug for a member');
    },
    ['group'],
  ),
];

const history = section('4.2');

const changesets: readonly Case[] = [
  history('what changed, in the order in which it happened', ['/response', '/by-id'], async (tracker) => {
    const { bug, from, to } = await changed(tracker);
    const read = await tracker.history(bug);
    equal(
      read.map(({ changes }) => changes),
      [
        [{ field_name: 'priority', removed: from, added: to }],
        [{ field_name: 'whiteboard', removed: '', added: 'second change' }],
      ],
      'changes',
    );
    check(
      String(at(read, 0, 'when')) < String(at(read, 1, 'when')),
      'when',
      'in order',
      read.map(({ when }) => when),
    );
  }),
  history('by alias', ['/by-alias'], async (tracker) => {
    const { a, bugs: read } = await samples(tracker);
    const changeset = recordAt(ok(await tracker.main.get(`/bug/${aliasOf(read.a)}/history`)), 'bugs', 0);
    equal([changeset['id'], changeset['alias']], [a, read.a['alias']], 'id and alias');
  }),
  history('a bug to which nothing happened has an empty one', ['/response'], async (tracker) => {
    equal(await tracker.history(await tracker.file()), [], 'history');
  }),
  history('when is the bug’s last_change_time', ['/response'], async (tracker) => {
    const { bug } = await changed(tracker);
    equal((await tracker.history(bug)).at(-1)?.['when'], (await tracker.read(bug))['last_change_time'], 'when');
  }),
  history('new_since leaves out what is older', ['/new-since'], async (tracker) => {
    const { bug } = await changed(tracker);
    const all = await tracker.history(bug);
    const since = String(at(all, 1, 'when'));
    const later = await tracker.history(bug, { new_since: since });
    return either(
      later.map(({ when }) => when),
      'a change at new_since itself',
      {
        spec: all.slice(1).map(({ when }) => when),
        measured: [],
      },
    );
  }),
  history('new_since may be a day', ['/new-since-day'], async (tracker) => {
    const { bug } = await changed(tracker);
    equal((await tracker.history(bug, { new_since: '2001-01-01' })).length, 2, 'changesets since 2001');
    equal((await tracker.history(bug, { new_since: '2099-01-01' })).length, 0, 'changesets since 2099');
  }),
  history('several bugs at once', ['/response'], async (tracker) => {
    const { a, b } = await samples(tracker);
    const body = ok(await tracker.main.get(`/bug/${a}/history`, { ids: [b] }));
    sameSet(
      listAt(body, 'bugs').map((bug) => numberAt(bug, 'id')),
      [a, b],
      'bugs',
    );
  }),
  history(
    'several values in one change are parted by a comma and a space',
    ['/response', '2.4/added'],
    async (tracker) => {
      const { keywords } = await tracker.vocabulary();
      const bug = await tracker.file();
      await tracker.change(bug, { keywords: { add: keywords.slice(0, 2) } });
      sameSet(
        String(at(await tracker.history(bug), 0, 'changes', 0, 'added')).split(', '),
        keywords.slice(0, 2),
        'added',
      );
    },
    ['keywords'],
  ),
  history('of a bug that does not exist', ['/missing'], async (tracker) => {
    fails(await tracker.main.get(`/bug/${noSuchId}/history`), 404, 101);
  }),
  history('new_since that is no time', ['/new-since'], async (tracker) => {
    fails(await tracker.main.get(`/bug/${await tracker.scratch()}/history`, { new_since: 'someday' }), 400, 56);
  }),
  history(
    'hours are hidden from those outside the time-tracking group',
    ['1/time-tracking', '5/time-tracking'],
    async (tracker) => {
      const bug = await tracker.file();
      await tracker.change(bug, { estimated_time: 5 });
      const names = (read: readonly unknown[]) =>
        read.flatMap((changeset) => listAt(changeset, 'changes')).map((change) => at(change, 'field_name'));
      check(
        names(await tracker.history(bug)).includes('estimated_time'),
        'history for a timetracker',
        'estimated_time',
        'none',
      );
      equal(names(await tracker.history(bug, {}, tracker.other)), [], 'history for others');
    },
    ['time tracking', 'other without time tracking'],
  ),
];

const across = section('1');

const rights: readonly Case[] = [
  across(
    'hours are left out of bugs for those outside the time-tracking group',
    ['/time-tracking', '5/time-tracking'],
    async (tracker) => {
      const bug = await tracker.scratch();
      const seen = await hoursSeen(tracker, bug);
      equal(seen, { main: ['actual_time', 'estimated_time', 'remaining_time'], other: [] }, 'hours');
    },
    ['time tracking', 'other without time tracking'],
  ),
  across(
    'anonymous readers see no hours',
    ['/time-tracking', '5/time-tracking'],
    async (tracker) => {
      const reply = await tracker.anonymous.get(`/bug/${await tracker.scratch()}`);
      equal(hoursOf(at(reply.body, 'bugs', 0) ?? {}), [], 'hours');
    },
    ['time tracking'],
  ),
];

const hoursOf = (bug: unknown): readonly string[] =>
  Object.keys(recordAt(bug))
    .filter((field) => field === 'actual_time' || field === 'estimated_time' || field === 'remaining_time')
    .sort();

async function hoursSeen(tracker: Tracker, bug: number) {
  return { main: hoursOf(await tracker.read(bug)), other: hoursOf(await tracker.read(bug, {}, tracker.other)) };
}

export const reading: readonly Case[] = [...bugs, ...changesets, ...rights];

import { type Case, section } from '../case.ts';
import {
  at,
  check,
  either,
  equal,
  fails,
  isRefused,
  listAt,
  notOffered,
  numberAt,
  ok,
  sameSet,
  textAt,
} from '../judge.ts';
import { groupOf, type Need } from '../needs.ts';
import { isTime } from '../shape.ts';
import type { Tracker } from '../tracker.ts';
import { noSuchId } from './reading.ts';

/** Section 4.5: each field of an update, what the answer tells, and what is refused. */

const here = section('4.5');

const first = (values: readonly string[]): string => values[0] ?? '';
const last = (values: readonly string[]): string => values.at(-1) ?? '';

/** Fields with one value: what a bug is filed with, and what it is changed to. */
type Change = readonly [from: string, to: string];
const single: readonly (readonly [
  field: string,
  change: (tracker: Tracker) => Promise<Change>,
  needs?: readonly Need[],
])[] = [
  ['summary', async (tracker) => [`Before ${tracker.word()}`, `After ${tracker.word()}`]],
  ['component', async (tracker) => ends((await tracker.place()).components), ['two components']],
  ['version', async (tracker) => ends((await tracker.place()).versions)],
  ['target_milestone', async (tracker) => ends((await tracker.place()).milestones), ['milestones']],
  ['op_sys', async (tracker) => ends((await tracker.vocabulary()).systems)],
  ['platform', async (tracker) => ends((await tracker.vocabulary()).platforms)],
  ['priority', async (tracker) => ends((await tracker.vocabulary()).priorities)],
  ['severity', async (tracker) => ends((await tracker.vocabulary()).severities)],
];

const ends = (values: readonly string[]): Change => [first(values), last(values)];

const values: readonly Case[] = [
  ...single.map(([field, change, needs = []]) =>
    here(
      `${field} is changed, and the answer tells from what to what`,
      [`/${field}`, '/changes'],
      async (tracker) => {
        const [from, to] = await change(tracker);
        if (from === to) return notOffered(`there is one ${field} only`);
        const bug = await tracker.file({ [field]: from });
        equal(
          at(await tracker.change(bug, { [field]: to }), 'changes', field),
          { removed: from, added: to },
          `changes.${field}`,
        );
        equal((await tracker.read(bug))[field], to, field);
      },
      [...needs, 'editor'],
    ),
  ),
  ...(
    [
      ['url', 'https://changed.example.test/'],
      ['whiteboard', '[changed] ü 🦊'],
      ['deadline', '2027-05-06'],
    ] as const
  ).map(([field, to]) =>
    here(
      `${field} is set and emptied again`,
      [`/${field}`],
      async (tracker) => {
        const bug = await tracker.file();
        equal(
          (await tracker.change(bug, { [field]: to }))['changes'],
          { [field]: { removed: '', added: to } },
          'changes',
        );
        equal((await tracker.read(bug))[field], to, field);
        await tracker.change(bug, { [field]: '' });
        check([null, ''].includes((await tracker.read(bug))[field] as null), field, 'nothing', 'something');
      },
      field === 'deadline' ? ['editor', 'time tracking'] : ['editor'],
    ),
  ),
  ...(['is_cc_accessible', 'is_creator_accessible'] as const).map((field) =>
    here(
      `${field} is switched off and on`,
      [`/${field}`],
      async (tracker) => {
        const bug = await tracker.file();
        for (const value of [false, true]) {
          const { changes } = await tracker.change(bug, { [field]: value });
          equal((await tracker.read(bug))[field], value, field);
          equal(Object.keys(changes ?? {}), [field], 'changes');
        }
      },
      ['editor'],
    ),
  ),
  here(
    'assigned_to takes a full login',
    ['/assigned_to'],
    async (tracker) => {
      const bug = await tracker.file();
      const login = await tracker.otherLogin();
      await tracker.change(bug, { assigned_to: login });
      equal((await tracker.read(bug))['assigned_to'], login, 'assigned_to');
    },
    ['other', 'editor'],
  ),
  here(
    'qa_contact takes a full login',
    ['/qa_contact'],
    async (tracker) => {
      const bug = await tracker.file();
      const login = await tracker.otherLogin();
      await tracker.change(bug, { qa_contact: login });
      equal((await tracker.read(bug))['qa_contact'], login, 'qa_contact');
    },
    ['other', 'editor', 'qa contacts'],
  ),
  here(
    'reset_assigned_to brings the component’s own back',
    ['/reset_assigned_to'],
    async (tracker) => {
      const { component, people } = await tracker.place();
      const bug = await tracker.file({ assigned_to: await tracker.otherLogin() });
      await tracker.change(bug, { reset_assigned_to: true });
      equal((await tracker.read(bug))['assigned_to'], people[component]?.assignee, 'assigned_to');
    },
    ['other', 'editor'],
  ),
  here(
    'reset_assigned_to uses the new component when that changes too',
    ['/reset_assigned_to'],
    async (tracker) => {
      const { components, people } = await tracker.place();
      const bug = await tracker.file();
      await tracker.change(bug, { component: last(components), reset_assigned_to: true });
      equal((await tracker.read(bug))['assigned_to'], people[last(components)]?.assignee, 'assigned_to');
    },
    ['two components', 'editor'],
  ),
  here(
    'reset_qa_contact brings the component’s own back',
    ['/reset_qa_contact'],
    async (tracker) => {
      const { component, people } = await tracker.place();
      const bug = await tracker.file();
      await tracker.change(bug, { qa_contact: await tracker.login() });
      await tracker.change(bug, { reset_qa_contact: true });
      equal((await tracker.read(bug))['qa_contact'], people[component]?.qaContact, 'qa_contact');
    },
    ['editor', 'qa contacts'],
  ),
];

/** Fields that are lists of texts, with two of their values. */
interface List {
  readonly field: string;
  readonly pair: (tracker: Tracker) => Promise<readonly [string | number, string | number]>;
  readonly hasSet: boolean;
  readonly needs?: readonly Need[];
}

const lists: readonly List[] = [
  { field: 'alias', pair: async (tracker) => [`al-${tracker.word()}`, `bl-${tracker.word()}`], hasSet: true },
  {
    field: 'keywords',
    pair: async (tracker) => pairOf((await tracker.vocabulary()).keywords),
    hasSet: true,
    needs: ['keywords'],
  },
  { field: 'depends_on', pair: async (tracker) => [await tracker.file(), await tracker.file()], hasSet: true },
  { field: 'blocks', pair: async (tracker) => [await tracker.file(), await tracker.file()], hasSet: true },
  {
    field: 'cc',
    pair: async (tracker) => [await tracker.login(), await tracker.otherLogin()],
    hasSet: false,
    needs: ['other'],
  },
  {
    field: 'see_also',
    pair: async () => ['https://github.com/o/r/issues/1', 'https://github.com/o/r/pull/2'],
    hasSet: false,
  },
];

const pairOf = ([one = '', other = '']: readonly string[]): readonly [string, string] => [one, other];

const listCases: readonly Case[] = lists.flatMap(({ field, pair, hasSet, needs = [] }) => [
  here(
    `${field}.add and .remove`,
    [`/${field}`, `/${field}-add-remove`, '/changes'],
    async (tracker) => {
      const bug = await tracker.file();
      const [one, other] = await pair(tracker);
      const { changes } = await tracker.change(bug, { [field]: { add: [one, other] } });
      sameSet(textAt(changes, field, 'added').split(', '), [String(one), String(other)], `changes.${field}.added`);
      sameSet((await tracker.read(bug))[field], [one, other], field);
      const removal = await tracker.change(bug, { [field]: { remove: [one] } });
      equal(at(removal, 'changes', field), { removed: String(one), added: '' }, `changes.${field}`);
      equal((await tracker.read(bug))[field], [other], field);
    },
    [...needs, 'editor'],
  ),
  here(
    `${field}: adding what is there and removing what is not changes nothing`,
    [`/${field}-absent`],
    async (tracker) => {
      const bug = await tracker.file();
      const [one, other] = await pair(tracker);
      await tracker.change(bug, { [field]: { add: [one] } });
      equal((await tracker.change(bug, { [field]: { add: [one], remove: [other] } }))['changes'], {}, 'changes');
      equal((await tracker.read(bug))[field], [one], field);
    },
    [...needs, 'editor'],
  ),
  ...(hasSet
    ? [
        here(
          `${field}.set overrides add and remove`,
          [`/${field}-set`],
          async (tracker) => {
            const bug = await tracker.file();
            const [one, other] = await pair(tracker);
            await tracker.change(bug, { [field]: { add: [one] } });
            await tracker.change(bug, { [field]: { set: [other], add: [one], remove: [other] } });
            equal((await tracker.read(bug))[field], [other], field);
            await tracker.change(bug, { [field]: { set: [] } });
            equal((await tracker.read(bug))[field], [], `${field} after an empty set`);
          },
          [...needs, 'editor'],
        ),
      ]
    : []),
]);

const ends_: readonly Case[] = [
  here(
    'a plain text as alias is a set',
    ['/alias-text'],
    async (tracker) => {
      const [one, other] = [`al-${tracker.word()}`, `bl-${tracker.word()}`];
      const bug = await tracker.file({ alias: await tracker.alias(one) });
      await tracker.change(bug, { alias: other });
      equal((await tracker.read(bug))['alias'], [other], 'alias');
    },
    ['editor'],
  ),
  here(
    'an alias for several bugs at once is refused',
    ['/alias-one-bug', '7/alias-several'],
    async (tracker) => {
      const [one, other] = [await tracker.file(), await tracker.file()];
      const alias = `al-${tracker.word()}`;
      isRefused(await tracker.update(one, { ids: [one, other], alias: { add: [alias] } }));
      equal([(await tracker.read(one))['alias'], (await tracker.read(other))['alias']], [[], []], 'aliases afterwards');
    },
    ['editor'],
  ),
  here(
    'depends_on shows on the other bug as blocks, and goes from there too',
    ['/depends_on', '/blocks'],
    async (tracker) => {
      const [one, other] = [await tracker.file(), await tracker.file()];
      await tracker.change(one, { depends_on: { add: [other] } });
      equal((await tracker.read(other))['blocks'], [one], 'blocks of the other bug');
      await tracker.change(other, { blocks: { remove: [one] } });
      equal((await tracker.read(one))['depends_on'], [], 'depends_on afterwards');
    },
    ['editor'],
  ),
  here(
    'a bug can neither depend on itself nor on what it blocks',
    ['/depends_on'],
    async (tracker) => {
      const [one, other] = [await tracker.scratch(), await tracker.file()];
      fails(await tracker.update(one, { depends_on: { add: [one] } }), 400, 116);
      fails(await tracker.update(one, { depends_on: { add: [other] }, blocks: { add: [other] } }), 400, 116);
    },
    ['editor'],
  ),
  here(
    'groups.add and .remove',
    ['/groups'],
    async (tracker) => {
      const group = await groupOf(tracker);
      const bug = await tracker.file();
      equal(
        at(await tracker.change(bug, { groups: { add: [group] } }), 'changes', 'groups'),
        { removed: '', added: group },
        'changes.groups',
      );
      equal((await tracker.read(bug))['groups'], [group], 'groups');
      await tracker.change(bug, { groups: { remove: [group] } });
      equal((await tracker.read(bug))['groups'], [], 'groups afterwards');
    },
    ['group'],
  ),
];

const commenting: readonly Case[] = [
  here('comment.body adds a comment, which changes does not tell', ['/comment', '/untracked'], async (tracker) => {
    const bug = await tracker.file();
    equal((await tracker.change(bug, { comment: { body: 'Said in an update.' } }))['changes'], {}, 'changes');
    equal((await tracker.comments(bug)).at(-1)?.['text'], 'Said in an update.', 'text');
  }),
  here('comment.comment is another name of comment.body', ['/comment'], async (tracker) => {
    const bug = await tracker.file();
    await tracker.change(bug, { comment: { comment: 'By its other name.' } });
    const read = await tracker.comments(bug);
    if (read.length === 1) return 'comment.comment is ignored';
    equal(read.at(-1)?.['text'], 'By its other name.', 'text');
  }),
  here(
    'comment.is_private makes it private',
    ['/comment'],
    async (tracker) => {
      const bug = await tracker.file();
      await tracker.change(bug, { comment: { body: 'Private.', is_private: true } });
      equal((await tracker.comments(bug)).at(-1)?.['is_private'], true, 'is_private');
    },
    ['insider'],
  ),
  here(
    'comment.is_private is refused to those who are no insiders',
    ['/comment', '7/private-not-permitted'],
    async (tracker) => {
      const bug = await tracker.file({}, tracker.other);
      fails(await tracker.update(bug, { comment: { body: 'Private.', is_private: true } }, tracker.other), 401, 113);
      equal((await tracker.comments(bug)).length, 1, 'comments afterwards');
    },
    ['outsider'],
  ),
  here(
    'comment_is_private hides a comment and shows it again',
    ['/comment_is_private', '/untracked'],
    async (tracker) => {
      const bug = await tracker.file();
      const comment = await tracker.comment(bug, 'Now public, now not.');
      for (const value of [true, false]) {
        const { changes } = await tracker.change(bug, { comment_is_private: { [comment]: value } });
        equal((await tracker.readComment(comment))['is_private'], value, 'is_private');
        equal(changes, {}, 'changes');
      }
    },
    ['insider'],
  ),
  here(
    'comment_is_private with a comment of another bug is refused',
    ['/comment_is_private'],
    async (tracker) => {
      const bug = await tracker.file();
      const elsewhere = await tracker.comment(await tracker.scratch(), 'On another bug.');
      fails(await tracker.update(bug, { comment_is_private: { [elsewhere]: true } }), 400, 117);
    },
    ['insider'],
  ),
];

const hours: readonly Case[] = [
  here(
    'estimated_time and remaining_time are set',
    ['/estimated_time', '/remaining_time'],
    async (tracker) => {
      const bug = await tracker.file();
      await tracker.change(bug, { estimated_time: 8.5, remaining_time: 6 });
      const { estimated_time, remaining_time } = await tracker.read(bug);
      equal([estimated_time, remaining_time], [8.5, 6], 'estimated_time and remaining_time');
    },
    ['time tracking', 'editor'],
  ),
  here(
    'work_time is added to actual_time and taken from remaining_time, and changes does not tell',
    ['/work_time', '/untracked'],
    async (tracker) => {
      const bug = await tracker.file();
      await tracker.change(bug, { remaining_time: 6 });
      const { changes } = await tracker.change(bug, { work_time: 1.5, comment: { body: 'Worked.' } });
      const { actual_time, remaining_time } = await tracker.read(bug);
      equal([actual_time, remaining_time], [1.5, 4.5], 'actual_time and remaining_time');
      equal(at(changes, 'work_time'), undefined, 'changes.work_time');
    },
    ['time tracking', 'editor'],
  ),
  here(
    'a remaining_time that is given wins over the deduction',
    ['/work_time'],
    async (tracker) => {
      const bug = await tracker.file();
      await tracker.change(bug, { remaining_time: 6 });
      await tracker.change(bug, { work_time: 1, remaining_time: 3, comment: { body: 'Worked.' } });
      equal((await tracker.read(bug))['remaining_time'], 3, 'remaining_time');
    },
    ['time tracking', 'editor'],
  ),
];

const answers: readonly Case[] = [
  here('the answer has id, alias, last_change_time and changes', ['/response'], async (tracker) => {
    const alias = `al-${tracker.word()}`;
    const bug = await tracker.file({ alias: await tracker.alias(alias) });
    const answer = await tracker.change(bug, { whiteboard: 'w' });
    sameSet(Object.keys(answer), ['id', 'alias', 'last_change_time', 'changes'], 'keys');
    equal([answer['id'], answer['alias']], [bug, [alias]], 'id and alias');
    check(isTime(answer['last_change_time']), 'last_change_time', 'a time', answer);
    equal(answer['last_change_time'], (await tracker.read(bug))['last_change_time'], 'last_change_time');
  }),
  here(
    'without a change, last_change_time is that of the previous update',
    ['/response', '/no-change'],
    async (tracker) => {
      const bug = await tracker.file();
      const before = (await tracker.read(bug))['last_change_time'];
      await tracker.tick();
      const answer = await tracker.change(bug, { summary: (await tracker.read(bug))['summary'] });
      equal([answer['changes'], answer['last_change_time']], [{}, before], 'changes and last_change_time');
    },
  ),
  here('by alias', ['/by-alias'], async (tracker) => {
    const alias = `al-${tracker.word()}`;
    const bug = await tracker.file({ alias: await tracker.alias(alias) });
    equal((await tracker.change(alias, { whiteboard: 'w' }))['id'], bug, 'id');
  }),
  here('ids names several bugs', ['/ids'], async (tracker) => {
    const [one, other] = [await tracker.file(), await tracker.file()];
    const body = ok(await tracker.update(one, { ids: [one, other], whiteboard: 'both' }));
    sameSet(
      listAt(body, 'bugs').map((bug) => numberAt(bug, 'id')),
      [one, other],
      'bugs',
    );
    equal(
      [(await tracker.read(one))['whiteboard'], (await tracker.read(other))['whiteboard']],
      ['both', 'both'],
      'whiteboards',
    );
  }),
  here('ids and the path together', ['/ids-and-path'], async (tracker) => {
    const [path, body] = [await tracker.file(), await tracker.file()];
    const answer = ok(await tracker.update(path, { ids: [body], whiteboard: 'w' }));
    const changed = listAt(answer, 'bugs')
      .map((bug) => numberAt(bug, 'id'))
      .sort((one, other) => one - other);
    return either(changed, 'bugs that are changed', { spec: [path, body], measured: [body] });
  }),
  here('one bug that cannot be changed keeps all of them as they were', ['/ids'], async (tracker) => {
    const bug = await tracker.file();
    fails(await tracker.update(bug, { ids: [bug, noSuchId], whiteboard: 'w' }), 404, 101);
    equal((await tracker.read(bug))['whiteboard'], '', 'whiteboard');
  }),
  here('one bad value keeps all of the update away', ['/atomic'], async (tracker) => {
    const bug = await tracker.file();
    isRefused(await tracker.update(bug, { whiteboard: 'w', comment: { body: 'c' }, severity: 'No such severity' }));
    equal(
      [(await tracker.read(bug))['whiteboard'], (await tracker.comments(bug)).length],
      ['', 1],
      'whiteboard and comments',
    );
  }),
];

const refused: readonly (readonly [
  name: string,
  body: Readonly<Record<string, unknown>>,
  status: number,
  code: number,
  rules: readonly string[],
  needs?: readonly Need[],
])[] = [
  ['an unknown component', { component: 'No such component' }, 404, 51, ['/component']],
  ['an unknown version', { version: 'No such version' }, 404, 51, ['/version']],
  ['an unknown milestone', { target_milestone: 'No such milestone' }, 404, 51, ['/target_milestone'], ['milestones']],
  ['an unknown priority', { priority: 'No such priority' }, 404, 51, ['/priority']],
  ['an unknown severity', { severity: 'No such severity' }, 404, 51, ['/severity']],
  ['an unknown platform', { platform: 'No such platform' }, 404, 51, ['/platform']],
  ['an unknown operating system', { op_sys: 'No such system' }, 404, 51, ['/op_sys']],
  ['an unknown assignee', { assigned_to: 'nobody@no-such.example.test' }, 404, 51, ['/assigned_to']],
  ['no assignee at all', { assigned_to: '' }, 400, 50, ['/assigned_to']],
  ['an unknown QA contact', { qa_contact: 'nobody@no-such.example.test' }, 404, 51, ['/qa_contact'], ['qa contacts']],
  [
    'an unknown person on the CC list',
    { cc: { add: ['nobody@no-such.example.test'] } },
    404,
    51,
    ['/cc', '7/cc-invalid'],
  ],
  ['an unknown group', { groups: { add: ['no-such-group'] } }, 401, 120, ['/groups', '7/group-invalid']],
  [
    'an unknown keyword to add',
    { keywords: { add: ['no-such-keyword'] } },
    404,
    51,
    ['/keywords', '7/keyword-invalid'],
  ],
  [
    'an unknown keyword to set',
    { keywords: { set: ['no-such-keyword'] } },
    404,
    51,
    ['/keywords', '7/keyword-invalid'],
  ],
  [
    'a see_also that is no URL of a bug',
    { see_also: { add: ['https://example.test/foo'] } },
    400,
    112,
    ['/see_also', '7/see-also-invalid'],
  ],
  ['a see_also that is no URL', { see_also: { add: ['not a url'] } }, 400, 112, ['/see_also', '7/see-also-invalid']],
  ['a deadline that is no day', { deadline: 'tomorrow' }, 400, 56, ['/deadline'], ['time tracking']],
  ['an empty summary', { summary: '' }, 400, 107, ['/summary']],
  ['a summary that is too long', { summary: 'x'.repeat(256) }, 400, 104, ['/summary']],
  ['a comment that is too long', { comment: { body: 'x'.repeat(65_536) } }, 400, 114, ['/comment']],
  ['a numeric alias', { alias: { add: ['123'] } }, 400, 103, ['/alias']],
  ['an alias that is too long', { alias: { add: ['a'.repeat(41)] } }, 400, 103, ['/alias']],
  ['a dependency on a bug that does not exist', { depends_on: { add: [noSuchId] } }, 404, 101, ['/depends_on']],
];

const refusals: readonly Case[] = [
  ...refused.map(([name, body, status, code, rules, needs = []]) =>
    here(
      `${name} is refused`,
      [...rules, '7/codes'],
      async (tracker) => {
        const bug = await tracker.scratch();
        const before = await tracker.read(bug, { exclude_fields: 'update_token' });
        fails(await tracker.update(bug, body), status, code);
        equal(await tracker.read(bug, { exclude_fields: 'update_token' }), before, 'the bug afterwards');
      },
      [...needs, 'editor'],
    ),
  ),
  here(
    'an invalid URL to remove from see_also is ignored',
    ['/see_also-absent'],
    async (tracker) => {
      equal(
        (await tracker.change(await tracker.scratch(), { see_also: { remove: ['not a url'] } }))['changes'],
        {},
        'changes',
      );
    },
    ['editor'],
  ),
  here(
    'an alias that another bug has is refused',
    ['/alias', '8/alias-unique'],
    async (tracker) => {
      const alias = `al-${tracker.word()}`;
      await tracker.file({ alias: await tracker.alias(alias) });
      fails(await tracker.update(await tracker.scratch(), { alias: { add: [alias] } }), 400, 103);
    },
    ['editor'],
  ),
  here('a bug that does not exist', ['/missing'], async (tracker) =>
    fails(await tracker.update(noSuchId, { whiteboard: 'w' }), 404, 101),
  ),
  here('without a key', ['5/login-required', '7/codes'], async (tracker) => {
    fails(await tracker.update(await tracker.scratch(), { whiteboard: 'w' }, tracker.anonymous), 401, 410);
  }),
  here(
    'somebody without rights',
    ['/rights', '5/groups', '7/codes'],
    async (tracker) => {
      const { priorities } = await tracker.vocabulary();
      // Who is assigned or looks after quality may change a bug too, so it must not be the other one.
      const login = await tracker.login();
      const bug = await tracker.file({ priority: first(priorities) });
      await tracker.change(bug, { assigned_to: login, qa_contact: login });
      fails(await tracker.update(bug, { priority: last(priorities) }, tracker.other), 401, 115);
    },
    ['other without rights', 'editor'],
  ),
  here(
    'a hidden bug is refused to those who may not see it',
    ['/rights', '5/groups'],
    async (tracker) => {
      const login = await tracker.login();
      const bug = await tracker.file({ groups: [await groupOf(tracker)] });
      await tracker.change(bug, { assigned_to: login, qa_contact: login });
      const reply = await tracker.update(bug, { whiteboard: 'w' }, tracker.other);
      if (at(reply.body, 'error') === undefined) return notOffered('the other key is in the group too');
      fails(reply, 401, 102);
    },
    ['group', 'other', 'editor'],
  ),
  here('an unknown field is ignored', ['/unknown-field'], async (tracker) => {
    const reply = await tracker.update(await tracker.scratch(), { no_such_field: 'x' });
    if (at(reply.body, 'error') === true) return 'an unknown field is refused';
    equal(at(reply.body, 'bugs', 0, 'changes'), {}, 'changes');
  }),
];

export const update: readonly Case[] = [
  ...values,
  ...listCases,
  ...ends_,
  ...commenting,
  ...hours,
  ...answers,
  ...refusals,
];

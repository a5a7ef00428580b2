import { type Case, section } from '../case.ts';
import { at, check, codeOf, equal, listAt, notOffered, numberAt, ok, recordAt, sameSet } from '../judge.ts';
import { groupOf, type Need } from '../needs.ts';
import { commented, flagged, samples } from '../samples.ts';
import {
  filled,
  isKind,
  type Kind,
  number,
  orNull,
  record,
  records,
  text,
  texts,
  time,
  truth,
  whole,
  wholes,
} from '../shape.ts';
import type { Tracker } from '../tracker.ts';

/** Section 2.1: each field of a bug, its type and, where we know it, its value. */

const here = section('2.1');

const day: Kind = {
  name: 'a day such as 2026-01-31',
  holds: (value) => typeof value === 'string' && /^\d{4}-\d\d-\d\d$/u.test(value),
};

const kinds: readonly (readonly [field: string, kind: Kind, needs?: readonly Need[]])[] = [
  ['id', whole],
  ['alias', texts],
  ['assigned_to', filled],
  ['assigned_to_detail', record],
  ['blocks', wholes],
  ['depends_on', wholes],
  ['cc', texts],
  ['cc_detail', records],
  ['classification', filled],
  ['component', filled],
  ['product', filled],
  ['version', filled],
  ['creation_time', time],
  ['last_change_time', time],
  ['creator', filled],
  ['creator_detail', record],
  ['deadline', orNull(day)],
  ['dupe_of', orNull(whole)],
  ['flags', records],
  ['groups', texts],
  ['is_cc_accessible', truth],
  ['is_creator_accessible', truth],
  ['is_confirmed', truth],
  ['is_open', truth],
  ['keywords', texts],
  ['op_sys', filled],
  ['platform', filled],
  ['priority', filled],
  ['severity', filled],
  ['qa_contact', text, ['qa contacts']],
  ['resolution', text],
  ['see_also', texts],
  ['status', filled],
  ['summary', filled],
  ['target_milestone', filled, ['milestones']],
  ['url', text],
  ['whiteboard', text],
  ['update_token', filled],
  ['actual_time', number, ['time tracking']],
  ['estimated_time', number, ['time tracking']],
  ['remaining_time', number, ['time tracking']],
];

const typed: readonly Case[] = kinds.map(([field, kind, needs = []]) =>
  here(
    `${field} is ${kind.name}`,
    [`/${field}`],
    async (tracker) => {
      const { bugs } = await samples(tracker);
      isKind(bugs.a[field], kind, field);
      isKind(bugs.b[field], kind, field);
    },
    needs,
  ),
);

const valued: readonly Case[] = [
  here(
    'what a bug was filed with reads back',
    ['/summary', '/product', '/version', '/creator', '/is_open', '/resolution'],
    async (tracker) => {
      const { product, component, version } = await tracker.place();
      const filing = await tracker.filing();
      const bug = await tracker.read(await tracker.file({ summary: filing['summary'] }));
      const given = {
        summary: filing['summary'],
        product,
        component,
        version,
        creator: await tracker.login(),
        is_open: true,
        resolution: '',
      };
      for (const [field, value] of Object.entries(given)) equal(bug[field], value, field);
      equal(bug['last_change_time'], bug['creation_time'], 'last_change_time of a new bug');
    },
  ),
  here(
    'alias, deadline, dupe_of, cc, groups and see_also are empty on a plain bug',
    ['/alias', '/deadline', '/dupe_of'],
    async (tracker) => {
      const bug = await tracker.read(await tracker.file());
      const empty = {
        alias: [],
        deadline: null,
        dupe_of: null,
        cc: [],
        cc_detail: [],
        see_also: [],
        blocks: [],
        depends_on: [],
        url: '',
      };
      for (const [field, value] of Object.entries(empty)) equal(bug[field], value, field);
    },
  ),
  here(
    'depends_on and blocks are two ends of one thing',
    ['/depends_on', '/blocks'],
    async (tracker) => {
      const { a, b, bugs } = await samples(tracker);
      equal(bugs.a['depends_on'], [b], 'depends_on');
      equal(bugs.b['blocks'], [a], 'blocks');
    },
    ['editor'],
  ),
  here('cc and cc_detail name the same people', ['/cc', '/cc_detail'], async (tracker) => {
    const { bugs } = await samples(tracker);
    equal(bugs.a['cc'], [await tracker.login()], 'cc');
    sameSet(
      listAt(bugs.a, 'cc_detail').map((person) => at(person, 'name')),
      listAt(bugs.a, 'cc'),
      'cc_detail',
    );
  }),
  here('a closed bug is not open and has a resolution', ['/is_open', '/resolution', '/status'], async (tracker) => {
    const { resolutions } = await tracker.vocabulary();
    const bug = await tracker.read((await samples(tracker)).closed);
    equal([bug['is_open'], bug['resolution']], [false, resolutions[0]], 'is_open and resolution');
  }),
  here(
    'is_confirmed tells an unconfirmed bug from a confirmed one',
    ['/is_confirmed'],
    async (tracker) => {
      const { initial } = await tracker.vocabulary();
      const { hasUnconfirmed } = await tracker.place();
      const other = initial.find((status) => status !== 'UNCONFIRMED');
      if (!hasUnconfirmed || !initial.includes('UNCONFIRMED') || other === undefined)
        return notOffered('the product has no UNCONFIRMED');
      const bug = await tracker.file({ status: 'UNCONFIRMED' });
      equal((await tracker.read(bug))['is_confirmed'], false, 'is_confirmed while UNCONFIRMED');
      await tracker.change(bug, { status: other });
      equal((await tracker.read(bug))['is_confirmed'], true, `is_confirmed once ${other}`);
    },
    ['editor'],
  ),
  here(
    'qa_contact is empty when there is none',
    ['/qa_contact'],
    async (tracker) => {
      const bug = await tracker.file();
      await tracker.change(bug, { qa_contact: '' });
      equal((await tracker.read(bug))['qa_contact'], '', 'qa_contact');
    },
    ['qa contacts', 'editor'],
  ),
  here(
    'qa_contact_detail describes the QA contact',
    ['/qa_contact_detail', '/qa_contact'],
    async (tracker) => {
      const bug = await tracker.file({ qa_contact: await tracker.login() });
      const read = await tracker.read(bug);
      equal(read['qa_contact'], await tracker.login(), 'qa_contact');
      equal(at(read, 'qa_contact_detail', 'name'), await tracker.login(), 'qa_contact_detail');
    },
    ['qa contacts', 'editor'],
  ),
  here('update_token changes with every update', ['/update_token'], async (tracker) => {
    const bug = await tracker.file();
    const before = (await tracker.read(bug))['update_token'];
    await tracker.tick();
    await tracker.change(bug, { whiteboard: tracker.word() });
    check((await tracker.read(bug))['update_token'] !== before, 'update_token', 'another one', before);
  }),
  here(
    'update_token is not given to those who are not logged in',
    ['/update_token', '5/update-token'],
    async (tracker) => {
      equal((await publicRead(tracker))['update_token'], undefined, 'update_token');
    },
  ),
  here(
    'flags set on a bug are in flags',
    ['/flags'],
    async (tracker) => {
      equal(listAt(await tracker.read(await flagged(tracker)), 'flags').length, 1, 'flags');
    },
    ['bug flags', 'editor'],
  ),
  here(
    'groups names the groups of a bug',
    ['/groups'],
    async (tracker) => {
      const group = await groupOf(tracker);
      equal((await tracker.read(await tracker.file({ groups: [group] })))['groups'], [group], 'groups');
    },
    ['group'],
  ),
  here('the envelope of a read has faults, shown empty', ['/faults'], async (tracker) => {
    equal(at(ok(await tracker.main.get(`/bug/${await tracker.scratch()}`)), 'faults'), [], 'faults');
  }),
  here('personal tags come when asked for, and not by default', ['/tags', '5/personal-tags'], async (tracker) => {
    const bug = await tracker.scratch();
    equal((await tracker.read(bug))['tags'], undefined, 'tags by default');
    isKind((await tracker.read(bug, { include_fields: 'tags' }))['tags'], texts, 'tags when named');
    isKind((await tracker.read(bug, { include_fields: '_extra' }))['tags'], texts, 'tags with _extra');
  }),
  here('a time is told in UTC and in whole seconds', ['0/datetime'], async (tracker) => {
    const { bugs } = await samples(tracker);
    for (const field of ['creation_time', 'last_change_time']) isKind(bugs.a[field], time, field);
  }),
  here(
    'all of 2.1 comes by default, and nothing that it does not know but custom fields',
    ['/default'],
    async (tracker) => {
      const known = new Set([...kinds.map(([field]) => field), 'qa_contact_detail']);
      const extra = Object.keys((await samples(tracker)).bugs.a).filter(
        (field) => !known.has(field) && !field.startsWith('cf_'),
      );
      if (extra.length > 0) return `more fields than the interface lists: ${extra.join(', ')}`;
    },
  ),
];

/** What an anonymous reader sees of a public bug; installations may require a login. */
async function publicRead(tracker: Tracker): Promise<Readonly<Record<string, unknown>>> {
  const reply = await tracker.anonymous.get(`/bug/${await tracker.scratch()}`);
  if (codeOf(reply) === 410) return notOffered('anonymous readers may see nothing');
  return recordAt(ok(reply), 'bugs', 0);
}

const user = section('2.2');
const people = ['assigned_to_detail', 'creator_detail', 'cc_detail', 'qa_contact_detail'] as const;

const users: readonly Case[] = [
  ...(
    [
      ['id', whole],
      ['real_name', text],
      ['name', filled],
      ['email', filled],
    ] as const
  ).map(([field, kind]) =>
    user(`a person’s ${field} is ${kind.name}`, [`/${field}`], async (tracker) => {
      const bug = (await samples(tracker)).bugs.a;
      const present = people
        .flatMap((name) => [bug[name]].flat())
        .filter((person) => person !== undefined && at(person, 'name') !== '');
      check(present.length >= 3, 'people of a bug', 'at least three', present.length);
      for (const person of present) isKind(at(person, field), kind, field);
    }),
  ),
  user('name is the login that the plain field has, and email is the same', ['/name', '/email'], async (tracker) => {
    const bug = (await samples(tracker)).bugs.a;
    equal(at(bug, 'creator_detail', 'name'), bug['creator'], 'name');
    equal(at(bug, 'assigned_to_detail', 'name'), bug['assigned_to'], 'name');
    equal(at(bug, 'creator_detail', 'email'), at(bug, 'creator_detail', 'name'), 'email');
  }),
  user('one person has one id everywhere', ['/id'], async (tracker) => {
    const bug = (await samples(tracker)).bugs.a;
    equal(numberAt(bug, 'cc_detail', 0, 'id'), numberAt(bug, 'creator_detail', 'id'), 'id');
  }),
];

const flag = section('2.3');
const flagKinds: readonly (readonly [string, Kind])[] = [
  ['id', whole],
  ['name', filled],
  ['type_id', whole],
  ['creation_date', time],
  ['modification_date', time],
  ['status', { name: '?, + or -', holds: (value) => value === '?' || value === '+' || value === '-' }],
  ['setter', filled],
];

const flags: readonly Case[] = flagKinds.flatMap(([field, kind]) => [
  flag(
    `a bug’s flag has ${field}, ${kind.name}`,
    [`/${field}`],
    async (tracker) => {
      isKind(at(await tracker.read(await flagged(tracker)), 'flags', 0, field), kind, field);
    },
    ['bug flags', 'editor'],
  ),
  flag(
    `an attachment’s flag has ${field}, ${kind.name}`,
    [`/${field}`, '2.5/flags'],
    async (tracker) => {
      const { attachment } = await commented(tracker);
      isKind(at(await tracker.attachment(attachment), 'flags', 0, field), kind, field);
    },
    ['attachment flags', 'editor'],
  ),
]);

export const bugFields: readonly Case[] = [...typed, ...valued, ...users, ...flags];

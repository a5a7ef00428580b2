import { type Case, section } from '../case.ts';
import {
  at,
  check,
  codeOf,
  either,
  equal,
  fails,
  isRecord,
  listAt,
  notOffered,
  ok,
  recordAt,
  sameSet,
  textAt,
} from '../judge.ts';
import { groupOf, type Need } from '../needs.ts';
import { changed, hidden, samples } from '../samples.ts';
import type { Query } from '../server.ts';
import { aliasOf, type Bug, type Tracker } from '../tracker.ts';
import { noSuchId } from './reading.ts';

/**
 * Section 4.3, and the limits of section 8. Every search here is narrowed to bugs of this run, so that what else the
 * tracker holds does not matter.
 */

const here = section('4.3');

const both = async (tracker: Tracker): Promise<string> => {
  const { a, b } = await samples(tracker);
  return `${a},${b}`;
};

/** Searches for what A has and then for what B has; each has to find its own bug alone. */
const finds =
  (value: (bug: Bug) => string, parameter: string) =>
  async (tracker: Tracker): Promise<void> => {
    const { a, b, bugs } = await samples(tracker);
    if (value(bugs.a) === value(bugs.b)) return notOffered(`the tracker offers one ${parameter} only`);
    const id = await both(tracker);
    equal(await tracker.search({ id, [parameter]: value(bugs.a) }), [a], `bugs with ${parameter} ${value(bugs.a)}`);
    equal(await tracker.search({ id, [parameter]: value(bugs.b) }), [b], `bugs with ${parameter} ${value(bugs.b)}`);
  };

const field = (name: string) => (bug: Bug) => String(bug[name]);

const plain: readonly (readonly [parameter: string, value?: (bug: Bug) => string, needs?: readonly Need[]])[] = [
  ['alias', (bug) => aliasOf(bug)],
  ['component', field('component'), ['two components']],
  ['id', field('id')],
  ['op_sys'],
  ['platform'],
  ['priority'],
  ['severity'],
  ['summary'],
  ['target_milestone', field('target_milestone'), ['milestones']],
  ['url'],
  ['version'],
  ['whiteboard'],
  ['keywords', (bug) => textAt(bug, 'keywords', 0), ['keywords', 'editor']],
];

const parameters: readonly Case[] = plain.map(([parameter, value = field(parameter), needs = []]) =>
  here(
    `${parameter} finds the bug that has it, and no other`,
    [parameter === 'keywords' ? '/advanced' : `/${parameter}`, '/and'],
    finds(value, parameter),
    needs,
  ),
);

const people: readonly Case[] = [
  ...(['assigned_to', 'creator', 'reporter', 'qa_contact'] as const).map((parameter) =>
    here(
      `${parameter} finds bugs by login`,
      [`/${parameter === 'reporter' ? 'creator' : parameter}`, ...(parameter === 'reporter' ? ['9/reporter'] : [])],
      async (tracker) => {
        const login = await tracker.login();
        const [mine, his] = [await tracker.file(await asks(tracker, parameter)), await theirs(tracker, parameter)];
        equal(
          await tracker.search({ id: `${mine},${his}`, [parameter]: login }),
          [mine],
          `bugs with ${parameter} ${login}`,
        );
      },
      parameter === 'qa_contact' ? ['qa contacts', 'other', 'editor'] : ['other', 'editor'],
    ),
  ),
];

async function asks(tracker: Tracker, parameter: string) {
  return parameter === 'creator' || parameter === 'reporter' ? {} : { [parameter]: await tracker.login() };
}

async function theirs(tracker: Tracker, parameter: string): Promise<number> {
  if (parameter === 'creator' || parameter === 'reporter') return tracker.file({}, tracker.other);
  return tracker.file({ [parameter]: await tracker.otherLogin() });
}

const states: readonly Case[] = [
  here('status finds bugs by status, whatever the resolution', ['/status'], async (tracker) => {
    const { a, closed, bugs } = await samples(tracker);
    const id = `${a},${closed}`;
    equal(await tracker.search({ id, status: String(bugs.a['status']) }), [a], 'bugs with the status of an open one');
    equal(
      await tracker.search({ id, status: String((await tracker.read(closed))['status']) }),
      [closed],
      'bugs with the status of a closed one',
    );
  }),
  here('resolution finds bugs by resolution', ['/resolution'], async (tracker) => {
    const { a, closed } = await samples(tracker);
    const [resolution = ''] = (await tracker.vocabulary()).resolutions;
    equal(await tracker.search({ id: `${a},${closed}`, resolution }), [closed], 'bugs');
  }),
  here('an empty resolution finds open bugs', ['/resolution-empty'], async (tracker) => {
    const { a, closed } = await samples(tracker);
    const id = `${a},${closed}`;
    equal(await tracker.search({ id, resolution: '---' }), [a], 'bugs with resolution ---');
    const found = await tracker.search({ id, resolution: '', order: 'bug_id' });
    return either(found, 'an empty resolution', { spec: [a], measured: [a, closed] });
  }),
  here('product finds bugs of a product', ['/product'], async (tracker) => {
    const { a } = await samples(tracker);
    const { product, others } = await tracker.place();
    equal(await tracker.search({ id: a, product }), [a], 'bugs of its product');
    equal(await tracker.search({ id: a, product: `No such ${tracker.run}` }), [], 'bugs of no product');
    for (const other of others.slice(0, 1))
      equal(await tracker.search({ id: a, product: other.name }), [], 'bugs of another product');
  }),
  here('a component’s name is looked for in all products', ['/component'], async (tracker) => {
    const { a, bugs } = await samples(tracker);
    equal(await tracker.search({ id: a, component: String(bugs.a['component']) }), [a], 'bugs');
  }),
];

const times: readonly Case[] = (['creation_time', 'last_change_time'] as const).flatMap((parameter) => [
  here(`${parameter} finds what is of that time or later`, [`/${parameter}`], async (tracker) => {
    const { a, b, bugs } = await samples(tracker);
    const id = await both(tracker);
    const [early, late] = [bugs.b, bugs.a].map((bug) => textAt(bug, parameter));
    const search = (time = '') => tracker.search({ id, [parameter]: time, order: 'bug_id' });
    if (parameter === 'creation_time') {
      sameSet(await search(early), [a, b], 'bugs since the first');
      equal(await search(late), [a], 'bugs since the second');
    }
    sameSet(
      await search(late),
      parameter === 'creation_time' ? [a] : [a, b].filter((one) => one === a || early === late),
      'bugs since the later one',
    );
    equal(await search(secondAfter(late)), [], 'bugs since the second after');
  }),
  here(`${parameter} that is no time is refused`, [`/${parameter}`, '7/codes'], async (tracker) => {
    fails(await tracker.main.get('/bug', { id: await both(tracker), [parameter]: 'now' }), 400, 56);
  }),
]);

const secondAfter = (time = ''): string => new Date(Date.parse(time) + 1000).toISOString().replace('.000', '');

const texts: readonly Case[] = [
  here('summary matches a part of it', ['/summary-part'], async (tracker) => {
    const { a, bugs } = await samples(tracker);
    const word = String(bugs.a['summary']).split(' ')[1] ?? '';
    equal(await tracker.search({ id: await both(tracker), summary: word.slice(1) }), [a], `bugs with ${word.slice(1)}`);
  }),
  here('summary is not split at spaces', ['/summary-spaces'], async (tracker) => {
    const { a, b, bugs } = await samples(tracker);
    const [, word, ...rest] = String(bugs.a['summary']).split(' ');
    equal(await tracker.search({ id: `${a},${b}`, summary: `${word} for` }), [a], 'bugs with two words in a row');
    const found = await tracker.search({ id: `${a},${b}`, summary: `${rest.at(-1)} ${word}` });
    return either(found, 'words in another order', { spec: [], measured: [a] });
  }),
  here('a list of summaries matches any of them', ['/summary-list', '/any'], async (tracker) => {
    const { a, b, bugs } = await samples(tracker);
    const [one, other] = [bugs.a, bugs.b].map((bug) => String(bug['summary']).split(' ')[1] ?? '');
    const found = await tracker.search({ id: `${a},${b}`, summary: [one ?? '', other ?? ''], order: 'bug_id' });
    if (found.length === 0) return 'a list of summaries: all of them are wanted, not any';
    sameSet(found, [a, b], 'bugs');
  }),
  here('whiteboard matches a part of it', ['/whiteboard-part'], async (tracker) => {
    const { a, bugs } = await samples(tracker);
    equal(
      await tracker.search({ id: await both(tracker), whiteboard: String(bugs.a['whiteboard']).slice(1, -1) }),
      [a],
      'bugs',
    );
  }),
  here('people are matched exactly', ['/exact'], async (tracker) => {
    const { a } = await samples(tracker);
    const part = (await tracker.login()).slice(0, -1);
    return either(await tracker.search({ id: a, creator: part }), 'a part of a login', { spec: [], measured: [a] });
  }),
  here('url is matched exactly', ['/exact'], async (tracker) => {
    const { a, bugs } = await samples(tracker);
    const part = String(bugs.a['url']).slice(0, -1);
    return either(await tracker.search({ id: a, url: part }), 'a part of a URL', { spec: [], measured: [a] });
  }),
  here('enumerated fields are matched exactly', ['/exact'], async (tracker) => {
    const { a, bugs } = await samples(tracker);
    equal(await tracker.search({ id: a, alias: aliasOf(bugs.a).slice(0, -1) }), [], 'bugs with a part of the alias');
  }),
  here('case depends on the database', ['/case'], async (tracker) => {
    const { a, bugs } = await samples(tracker);
    const found = await tracker.search({ id: a, summary: String(bugs.a['summary']).toUpperCase() });
    check(found.length <= 1, 'bugs', 'one or none', found);
    return `case: ${found.length === 1 ? 'ignored' : 'kept apart'}`;
  }),
];

const combining: readonly Case[] = [
  here('criteria are combined with AND', ['/and'], async (tracker) => {
    const { bugs } = await samples(tracker);
    const query = { id: await both(tracker), alias: aliasOf(bugs.a), whiteboard: String(bugs.b['whiteboard']) };
    equal(await tracker.search(query), [], 'bugs that are A and B at once');
  }),
  ...(['alias', 'severity', 'priority', 'version', 'status'] as const).map((parameter) =>
    here(`a repeated ${parameter} matches any of its values`, ['/any', `/${parameter}`], async (tracker) => {
      const { a, b, bugs } = await samples(tracker);
      const values = [bugs.a, bugs.b].map((bug) => String([bug[parameter]].flat()[0]));
      sameSet(await tracker.search({ id: `${a},${b}`, [parameter]: values }), [a, b], 'bugs');
    }),
  ),
  here('a repeated product matches any of them', ['/any', '/product'], async (tracker) => {
    const { a } = await samples(tracker);
    const { product } = await tracker.place();
    equal(await tracker.search({ id: a, product: [product, `No such ${tracker.run}`] }), [a], 'bugs');
  }),
  here('bugs that do not exist are left out without an error', ['/id'], async (tracker) => {
    const { a } = await samples(tracker);
    equal(await tracker.search({ id: `${a},${noSuchId}` }), [a], 'bugs');
  }),
  here('the answer is that of Get Bug', ['/response'], async (tracker) => {
    const { a, bugs } = await samples(tracker);
    const body = recordAt(ok(await tracker.main.get('/bug', { id: a })));
    const names = (bug: unknown) => Object.keys(recordAt(bug)).filter((name) => name !== 'update_token');
    sameSet(names(at(body, 'bugs', 0)), names(bugs.a), 'fields');
    return either('faults' in body, 'faults in the answer of a search', { spec: true, measured: false });
  }),
];

const advanced: readonly Case[] = [
  here('a custom search of the advanced screen', ['/advanced'], async (tracker) => {
    const { a } = await samples(tracker);
    equal(await tracker.search({ id: await both(tracker), f1: 'bug_id', o1: 'equals', v1: a }), [a], 'bugs');
  }),
  here('a custom search with OR in brackets, and one that is negated', ['/advanced'], async (tracker) => {
    const { a, b } = await samples(tracker);
    const or: Query = { j_top: 'OR', f1: 'bug_id', o1: 'equals', v1: a, f2: 'bug_id', o2: 'equals', v2: b };
    sameSet(await tracker.search(or), [a, b], 'bugs with OR');
    equal(await tracker.search({ id: `${a},${b}`, n1: 1, f1: 'bug_id', o1: 'equals', v1: a }), [b], 'bugs with NOT');
  }),
  here('a search in the change history', ['/advanced-history'], async (tracker) => {
    const { bug, to } = await changed(tracker);
    const { a } = await samples(tracker);
    equal(
      await tracker.search({ id: `${a},${bug}`, f1: 'priority', o1: 'changedto', v1: to }),
      [bug],
      'bugs whose priority became it',
    );
  }),
  here('an unknown field in a custom search is refused', ['/advanced', '7/codes'], async (tracker) => {
    fails(await tracker.main.get('/bug', { id: await both(tracker), f1: 'no_such', o1: 'equals', v1: 1 }), 400, 108);
  }),
  here('quicksearch', ['/quicksearch'], async (tracker) => {
    const { a, bugs } = await samples(tracker);
    equal(await tracker.search({ quicksearch: String(bugs.a['summary']).split(' ')[1] ?? '' }), [a], 'bugs');
  }),
  here('personal tags that nobody set find nothing', ['/tags'], async (tracker) => {
    equal(await tracker.search({ id: await both(tracker), tags: `none-${tracker.run}` }), [], 'bugs');
  }),
];

const limit = section('8');

const limits: readonly Case[] = [
  here('limit and offset cut a page out', ['/limit', '/offset', '8/offset'], async (tracker) => {
    const { a, b } = await samples(tracker);
    const sorted = [a, b].sort((one, other) => one - other);
    const page = (offset: number) => tracker.search({ id: `${a},${b}`, limit: 1, offset, order: 'bug_id' });
    equal([await page(0), await page(1), await page(2)], [[sorted[0]], [sorted[1]], []], 'pages');
  }),
  limit('a limit of 0 returns all', ['4.3/limit', '/limit-zero'], async (tracker) => {
    const { a, b } = await samples(tracker);
    sameSet(await tracker.search({ id: `${a},${b}`, limit: 0 }), [a, b], 'bugs');
  }),
  limit('a limit of 0 with an offset', ['/limit-zero', '/offset'], async (tracker) => {
    const sorted = [...(await both(tracker)).split(',').map(Number)].sort((one, other) => one - other);
    const found = await tracker.search({ id: sorted.join(','), limit: 0, offset: 1, order: 'bug_id' });
    return either(found, 'an offset with limit 0', { spec: sorted.slice(1), measured: sorted });
  }),
  limit('a limit above the maximum is no error', ['4.3/limit', '/limit-maximum'], async (tracker) => {
    const { a, b } = await samples(tracker);
    sameSet(await tracker.search({ id: `${a},${b}`, limit: 1_000_000 }), [a, b], 'bugs');
  }),
  here('a negative limit is refused', ['/limit'], async (tracker) => {
    fails(await tracker.main.get('/bug', { id: await both(tracker), limit: -1 }), 400, 52);
  }),
  here('an offset alone is refused', ['/offset'], async (tracker) => {
    fails(await tracker.main.get('/bug', { id: await both(tracker), offset: 1 }), 400, 50);
  }),
  here('include_fields works on searches', ['/response'], async (tracker) => {
    const { a } = await samples(tracker);
    const found = listAt(ok(await tracker.main.get('/bug', { id: a, include_fields: 'id,summary' })), 'bugs').filter(
      isRecord,
    );
    sameSet(Object.keys(found[0] ?? {}), ['id', 'summary'], 'fields');
  }),
  here('an order by internal names', ['/advanced'], async (tracker) => {
    const sorted = [...(await both(tracker)).split(',').map(Number)].sort((one, other) => other - one);
    equal(await tracker.search({ id: sorted.join(','), order: 'bug_id DESC' }), sorted, 'bugs');
  }),
  here(
    'anonymous readers do not find hidden bugs',
    ['/id', '5/groups'],
    async (tracker) => {
      const { bug } = await hidden(tracker, String(await groupOf(tracker)));
      const reply = await tracker.anonymous.get('/bug', { id: bug, include_fields: 'id' });
      if (codeOf(reply) === 410) return 'anonymous readers may not search at all';
      equal(at(reply.body, 'bugs'), [], 'bugs for anonymous readers');
      equal(await tracker.search({ id: bug }), [bug], 'bugs for a member');
    },
    ['group'],
  ),
];

export const search: readonly Case[] = [
  ...parameters,
  ...people,
  ...states,
  ...times,
  ...texts,
  ...combining,
  ...advanced,
  ...limits,
];

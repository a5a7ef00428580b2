/** A bug on which the tracker fails costs that bug, and nothing else. */

import { expect, test } from 'vitest';
import { setAsideOf } from '../../src/explain/set-aside.ts';
import { setAsideUnmapped, wantThread } from '../../src/kernel/set-aside.ts';
import { putThreadOff, setUnread } from '../../src/kernel/unread.ts';
import { bugId } from '../../src/model/ids.ts';
import type { Route } from '../../src/model/route.ts';
import { cycle } from '../../src/sync/cycle.ts';
import { sweep } from '../../src/sync/sweep.ts';
import { bot, contextOn, repo, type Stage, stage } from '../simulation/stage.ts';
import { branchRule, testLimits, widgetRoute } from '../support/routes.ts';

const route: Route = { ...widgetRoute, visibilityCheck: 'anonymous' };
const bugs = 20;

type Answer = (whole: string) => Response | Error;
const page = (status: number): Response =>
  new Response('<html><title>Oops</title></html>', { status, headers: { 'content-type': 'text/html' } });
const said = (status: number, code: number): Response =>
  Response.json({ error: true, code, message: 'Wide character' }, { status });

const kinds: readonly (readonly [string, Answer])[] = [
  ['a page with status 500', () => page(500)],
  ['a page with status 200', () => page(200)],
  ['an error inside, with status 500', () => said(500, 100500)],
  ['an error inside, with status 200', () => said(200, 100500)],
  ['status 400 and a code that nobody knows', () => said(400, 77777)],
  ['status 400 and code 32000', () => said(400, 32000)],
  [
    'half an answer',
    (whole) => new Response(whole.slice(0, whole.length / 2), { headers: { 'content-type': 'application/json' } }),
  ],
  [
    'no answer in time',
    () => Object.assign(new Error('The operation was aborted due to timeout'), { name: 'TimeoutError' }),
  ],
  [
    'a dropped connection',
    () => new TypeError('fetch failed', { cause: Object.assign(new Error('closed'), { code: 'UND_ERR_SOCKET' }) }),
  ],
];

interface Trouble {
  isBroken: (path: string, answer: string, isAnonymous: boolean) => boolean;
  answer: Answer;
}

interface House {
  readonly world: Stage;
  readonly trouble: Trouble;
  readonly asked: string[];
  once(count?: number, on?: Route): Promise<void>;
}

function house(count = bugs): House {
  const world = stage();
  for (let index = 1; index <= count; index += 1)
    world.tracker.as('alice').file({ summary: `Bug ${index}.`, description: `Hello ${index}.` });
  const trouble: Trouble = { isBroken: () => false, answer: () => page(500) };
  const asked: string[] = [];
  const { tracker } = world.servers;
  const broken: typeof fetch = async (input, init) => {
    const { pathname, search } = new URL(String(input));
    asked.push(pathname + search);
    const answer = await tracker(input, init);
    const text = await answer.clone().text();
    const isAnonymous = !JSON.stringify([...new Headers(init?.headers)]).includes('api') && !search.includes('api_key');
    if (init?.method !== 'GET' || !trouble.isBroken(pathname + search, text, isAnonymous)) return answer;
    const instead = trouble.answer(text);
    if (instead instanceof Error) throw instead;
    return instead;
  };
  Object.assign(world.servers, { tracker: broken });
  return {
    world,
    trouble,
    asked,
    async once(times = 1, on = route) {
      const context = contextOn(world, on, { limits: testLimits });
      for (let index = 0; index < times; index += 1) {
        world.clock.advance(61_000);
        await cycle(context, { isForced: true });
      }
    },
  };
}

const isList = (path: string): boolean => path.startsWith('/rest/bug?');
const shows =
  (...refs: readonly number[]) =>
  (path: string, answer: string): boolean =>
    isBug(path) && refs.some((ref) => answer.includes(`"Bug ${ref}.`));
/** Even where only ids are listed. */
const lists =
  (...refs: readonly number[]) =>
  (path: string, answer: string): boolean =>
    isList(path) && refs.some((ref) => new RegExp(`"id":${ref}\\b`, 'u').test(answer));
const isBug = (path: string): boolean => isList(path) || /^\/rest\/bug\/\d+(?:\?|$)/u.test(path);
const says =
  (...refs: readonly number[]) =>
  (path: string, answer: string): boolean =>
    /\/comment/u.test(path) && refs.some((ref) => answer.includes(`"more ${ref}"`));

const aside = ({ world }: House) => world.store.setAside.ofRoute('widget').map(({ ref }) => ref);
const onGithub = ({ world }: House, ref: number) =>
  world.github.commentsOf(repo, ref).filter(({ author }) => author === bot).length;
const onTracker = ({ world }: House, ref: number) => world.tracker.commentsOf(ref).length - 1;

/** People say something about each of these bugs and their issues, and one other bug becomes secret. */
function happen({ world }: House, refs: readonly number[]): void {
  for (const ref of refs) {
    world.tracker.as('alice').comment(ref, `more ${ref}`);
    world.github.as('mona').comment(repo, ref, `from GitHub ${ref}`);
  }
  world.tracker.hide(5);
}

const title5 = ({ world }: House): string | undefined => world.github.issue(repo, 5)?.title;

test.each([
  ...kinds.map((kind) => [...kind, shows] as const),
  ...kinds.map(([name, answer]) => [`${name}, even in a list of ids,`, answer, lists] as const),
])(
  '%s to a bug in a list: the others cross, and what became secret is withdrawn',
  async (_name, answer, isBrokenFor) => {
    const open = house();
    await open.once(2);
    happen(open, [9, 10, 11]);
    Object.assign(open.trouble, { isBroken: isBrokenFor(10), answer });
    await open.once(3);
    expect([9, 10, 11].map((ref) => onGithub(open, ref))).toEqual([1, 0, 1]);
    expect([9, 10, 11].map((ref) => onTracker(open, ref))).toEqual([2, 1, 2]);
    expect(setAsideOf(open.world.store, route).map(({ about, advice }) => `${about}: ${advice}`)).toEqual([
      expect.stringMatching(
        /#10: Ask an administrator of the tracker for the cause. bugferry tries again after 20\S+ \S+ UTC, and when the bug changes; bugferry resync bug 10 does/u,
      ),
    ]);
    expect(title5(open)).toMatch(/not public/);
  },
);

test.each(kinds)('%s to the comments of a bug: the others cross', async (_name, answer) => {
  const open = house();
  await open.once(2);
  happen(open, [9, 10, 11]);
  Object.assign(open.trouble, { isBroken: says(10), answer });
  await open.once(3);
  expect([9, 10, 11].map((ref) => onGithub(open, ref))).toEqual([1, 0, 1]);
  expect(aside(open)).toEqual([10]);
  expect(title5(open)).toMatch(/not public/);
});

const some = [[1], [bugs], [9, 10], [6, 13]];

test.each([
  ...[...some, [1, bugs]].map((refs) => [refs, 'shown', shows] as const),
  ...some.map((refs) => [refs, 'listed', lists] as const),
])('the bugs %s are named, and nothing is written for them: they cannot be %s', async (refs, _name, isBrokenFor) => {
  const open = house();
  await open.once(2);
  happen(open, [1, 6, 9, 10, 13, bugs]);
  open.trouble.isBroken = isBrokenFor(...refs);
  await open.once(3);
  expect(aside(open)).toEqual(refs);
  for (const ref of [1, 6, 9, 10, 13, bugs])
    expect([ref, onGithub(open, ref)]).toEqual([ref, refs.includes(ref) ? 0 : 1]);
});

test('a bug alone in its page is set aside', async () => {
  const open = house();
  await open.once(12);
  open.world.tracker.as('alice').comment(10, 'more 10');
  open.trouble.isBroken = shows(10);
  await open.once(1);
  expect(aside(open)).toEqual([10]);
});

test('a bug that can be read again crosses, at most a day later', async () => {
  const open = house();
  await open.once(2);
  happen(open, [10]);
  open.trouble.isBroken = shows(10);
  await open.once(30);
  open.trouble.isBroken = () => false;
  open.world.clock.advance(86_400_000);
  await open.once(2);
  expect([aside(open), onGithub(open, 10), onTracker(open, 10)]).toEqual([[], 1, 2]);
});

test('a bug that changes is read at once', async () => {
  const open = house();
  await open.once(2);
  happen(open, [10]);
  open.trouble.isBroken = says(10);
  await open.once(30);
  open.trouble.isBroken = () => false;
  open.world.tracker.as('alice').comment(10, 'and more');
  await open.once(2);
  expect([aside(open), onGithub(open, 10)]).toEqual([[], 2]);
});

test('an issue on whose comments GitHub fails is asked for again less and less often, whatever is heard of it', () => {
  const world = stage();
  const context = contextOn(world, widgetRoute, { limits: testLimits });
  const waits = [1, 2, 3].map(() => {
    putThreadOff(context, 7);
    const row = world.store.setAside.get('widget', 'github', 7);
    wantThread(context, 'github', 7);
    return [row?.count, (row?.retryAt ?? 0) - world.clock.now()];
  });
  expect(waits).toEqual([
    [1, 60_000],
    [2, 180_000],
    [3, 540_000],
  ]);
});

test.each([
  ['the fields', shows(10), 15],
  // In each cycle: apart from the other mirrored bugs, and, as it is not shown there, by its number.
  ['even its id', lists(10), 180],
  ['the comments', says(10), 15],
])('a bug that fails for good costs few requests: %s', async (_name, isBroken, most) => {
  const open = house();
  await open.once(2);
  happen(open, [10]);
  open.trouble.isBroken = isBroken;
  await open.once(20);
  const before = open.asked.length;
  await open.once(30);
  const spent = open.asked.length - before;
  open.trouble.isBroken = () => false;
  const calm = house();
  await calm.once(22);
  const calmBefore = calm.asked.length;
  await calm.once(30);
  expect(spent - (calm.asked.length - calmBefore)).toBeLessThan(most);
});

const saysAnything = (path: string, answer: string): boolean => /\/comment/u.test(path) && answer.includes('"10":');

test.each<readonly [string, string, Route, Trouble['isBroken']]>([
  ['its comments', 'its comments cannot be read', route, saysAnything],
  [
    'its comments, for readers without an account',
    'asked without an account, the tracker fails on its comments',
    route,
    (path, answer, isAnonymous) => isAnonymous && saysAnything(path, answer),
  ],
  [
    'the bug, for readers without an account',
    'asked without an account, the tracker fails on it',
    route,
    (path, answer, isAnonymous) => isAnonymous && shows(10)(path, answer),
  ],
  [
    'its files',
    'the tracker cannot list its files',
    { ...route, attachments: branchRule },
    (path, answer) => path.includes('/attachment') && answer.includes('"10":'),
  ],
])('%s fails, and every list shows the bug: it is asked for less and less often', async (_name, why, on, isBroken) => {
  const open = house();
  const row = () => open.world.store.setAside.get('widget', 'tracker', 10);
  await open.once(2, on);
  const alice = open.world.tracker.as('alice');
  alice.attach(10, { file_name: 'a.log', bytes: new TextEncoder().encode('a'), summary: 'A log', comment: 'more 10' });
  open.trouble.isBroken = isBroken;
  await open.once(1, on);
  const first = row();
  expect(first).toMatchObject({ count: 1, why });
  await open.once(12, on);
  expect(row()).toMatchObject({ count: 3, why, sinceAt: first?.sinceAt });
  // Of a hidden bug, nothing more is asked.
  open.world.tracker.hide(10);
  await open.once(3, on);
  expect(row()).toBeNull();
});

test.each([
  ['shown', shows],
  ['listed', lists],
])('during the first listing, bugs that cannot be %s', async (_name, isBrokenFor) => {
  const open = house();
  open.trouble.isBroken = isBrokenFor(10, 20);
  await open.once(3);
  expect(open.world.github.issues(repo)).toHaveLength(bugs - 2);
  expect(aside(open)).toEqual([10, 20]);
});

test.each([
  ['shown', shows],
  ['listed', lists],
])('during a full comparison, a bug that cannot be %s does not count as vanished', async (_name, isBrokenFor) => {
  const open = house();
  await open.once(2);
  open.trouble.isBroken = isBrokenFor(10);
  open.world.tracker.hide(5);
  const report = await sweep(contextOn(open.world, route, { limits: testLimits }), { isForced: false });
  expect(report).toMatchObject({ refusal: null });
  await open.once(1);
  expect(aside(open)).toEqual([10]);
  expect(title5(open)).toMatch(/not public/);
  expect(open.world.github.issue(repo, 10)?.title).toBe('Bug 10.');
});

test('a bug that only readers without an account cannot be shown is not taken for hidden', async () => {
  const open = house();
  await open.once(2);
  happen(open, [9, 10]);
  open.trouble.isBroken = (path, answer, isAnonymous) => isAnonymous && shows(10)(path, answer);
  await open.once(3);
  expect(open.world.github.issue(repo, 10)?.title).toBe('Bug 10.');
  expect([9, 10].map((ref) => onGithub(open, ref))).toEqual([1, 0]);
  open.trouble.isBroken = () => false;
  open.world.clock.advance(86_400_000);
  await open.once(2);
  expect([aside(open), onGithub(open, 10)]).toEqual([[], 1]);
});

test.each([
  ['comments', (path: string) => path.includes('/comment')],
  ['files', (path: string) => path.includes('/attachment')],
])('%s that readers without an account cannot be shown: nothing overtakes them', async (_name, isPart) => {
  const open = house();
  await open.once(2);
  const alice = open.world.tracker.as('alice');
  alice.attach(10, { file_name: 'a.log', bytes: new TextEncoder().encode('a'), summary: 'A log', comment: 'more 10' });
  alice.comment(10, 'later 10');
  alice.comment(9, 'more 9');
  const ofTen = (path: string, answer: string): boolean => path.includes('/10') || answer.includes('"10":');
  open.trouble.isBroken = (path, answer, isAnonymous) => isAnonymous && isPart(path) && ofTen(path, answer);
  await open.once(3);
  expect([9, 10].map((ref) => onGithub(open, ref))).toEqual([1, 0]);
  expect(aside(open)).toEqual([10]);
  open.trouble.isBroken = () => false;
  open.world.clock.advance(86_400_000);
  await open.once(2);
  expect(aside(open)).toEqual([]);
  const said = open.world.github.commentsOf(repo, 10).map(({ body }) => /more|later/u.exec(body)?.[0]);
  expect(said).toEqual(['more', 'later']);
});

const withFiles: Route = { ...route, attachments: branchRule };

test.each([
  ['thread', route, route],
  ['files', withFiles, withFiles],
  ['files', withFiles, route],
  ['public', route, route],
  ['public', route, { ...route, visibilityCheck: 'none' }],
] as const)('%s that failed once, of a bug that was read before and does not change', async (part, first, then) => {
  const open = house(1);
  await open.once(12, first);
  const changedAt = open.world.store.links.byBug(bugId(1))?.tracker?.changedAt;
  setUnread(contextOn(open.world, first, { limits: testLimits }), part, 1, 'it fails', changedAt);
  open.world.github.as('mona').edit(repo, 1, { title: 'From GitHub.' });
  await open.once(4, then);
  expect([aside(open), open.world.tracker.bug(1)?.summary]).toEqual([[], 'From GitHub.']);
});

test('an issue that is met unreadable again before its time is asked for no later', () => {
  const { world } = house(0);
  const fail = () =>
    setAsideUnmapped(contextOn(world, route, { limits: testLimits }), 'github', { ref: 1, why: 'it fails' }, 'side');
  fail();
  const first = world.store.setAside.get('widget', 'github', 1);
  for (let count = 0; count < 3; count += 1) {
    world.clock.advance(5_000);
    fail();
  }
  expect(world.store.setAside.get('widget', 'github', 1)).toEqual(first);
  world.clock.advance(60_000);
  fail();
  expect(world.store.setAside.get('widget', 'github', 1)).toMatchObject({
    count: 2,
    retryAt: world.clock.now() + 180_000,
  });
});

test.each(kinds)(
  '%s to everything: the tracker counts as out of reach, and no bug is set aside',
  async (_name, answer) => {
    const open = house();
    await open.once(2);
    happen(open, [9, 10, 11]);
    Object.assign(open.trouble, { isBroken: (path: string) => isBug(path) || path.includes('/comment'), answer });
    const before = open.asked.length;
    await expect(open.once(1)).rejects.toMatchObject({ name: 'SideError' });
    // Six of them are the greeting.
    expect(open.asked.length - before).toBeLessThan(18);
    expect(aside(open)).toEqual([]);
  },
);

test('what became secret is withdrawn while no list can be read', async () => {
  const open = house();
  await open.once(2);
  open.world.tracker.hide(5);
  open.trouble.isBroken = (path) => path.includes('last_change_time=');
  await expect(open.once(1)).rejects.toMatchObject({ name: 'SideError' });
  expect(title5(open)).toMatch(/not public/);
});

test('a tracker that fails on large pages is read in smaller ones, which are remembered', async () => {
  const open = house();
  open.trouble.isBroken = (path) => isList(path) && Number(/[?&]limit=(\d+)/u.exec(path)?.[1] ?? 0) > 2;
  await open.once(3);
  expect(open.world.github.issues(repo)).toHaveLength(bugs);
  expect(aside(open)).toEqual([]);
});

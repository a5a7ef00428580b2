/** I11: lists of changes that are very long, or never end, keep no cycle waiting, and no news. */

import { expect, test } from 'vitest';
import type { Side } from '../../../src/model/ids.ts';
import { cycle } from '../../../src/sync/cycle.ts';
import { contextOn, repo, type Stage, stage } from '../../simulation/stage.ts';
import { testLimits, widgetRoute } from '../../support/routes.ts';

const limits = { ...testLimits, writesPerCycle: 500 };
/** Of so few rows is a page here, so that these bugs fill more pages than one cycle reads. */
const [pageSize, count] = [3, 99];

interface House {
  readonly world: Stage;
  /** What becomes of an answer. */
  spoil: (answer: Response, side: Side, address: URL) => Promise<Response>;
  /** One cycle. Returns how many requests it sent. */
  next(): Promise<number>;
}

async function mirrored(bugs: number): Promise<House> {
  const world = stage();
  let requests = 0;
  const watched =
    (side: Side, send: typeof fetch): typeof fetch =>
    async (input, init) => {
      requests += 1;
      // Nobody waits for ever here.
      if (requests > 2_000) throw new TypeError('fetch failed');
      return found.spoil(await send(input, init), side, new URL(String(input)));
    };
  const { tracker, github } = world.servers;
  Object.assign(world.servers, { tracker: watched('tracker', tracker), github: watched('github', github) });
  const context = contextOn(world, widgetRoute, { limits, edges: { pageSize } });
  const found: House = {
    world,
    spoil: async (answer) => answer,
    async next() {
      world.clock.advance(61_000);
      requests = 0;
      await cycle(context, { isForced: true });
      return requests;
    },
  };
  for (let at = 1; at <= bugs; at += 1) world.tracker.as('alice').file({ summary: `Pan ${at}`, description: 'Hot.' });
  for (let at = 0; at < 30 && world.github.issues(repo).length < bugs; at += 1) await found.next();
  for (let at = 0; at < 3; at += 1) await found.next();
  expect(world.github.issues(repo)).toHaveLength(bugs);
  return found;
}

const titleOf = ({ github }: Stage, issue: number): string =>
  github.issues(repo).find(({ number }) => number === issue)?.title ?? '';

test('all bugs change at once: later changes come first, and no change is lost', async () => {
  const { world, next } = await mirrored(count);
  for (let at = 1; at <= count; at += 1) world.tracker.as('alice').change(at, { summary: `Pot ${at}` });
  const hasMore = () => world.store.cursors.get(widgetRoute.name, 'tracker')?.hasMore ?? false;
  expect(hasMore()).toBe(false);
  await next();
  expect([titleOf(world, 1), titleOf(world, count), hasMore()]).toEqual(['Pot 1', `Pan ${count}`, true]);
  world.clock.advance(10 * 60_000);
  world.tracker.as('alice').change(2, { summary: 'Lid' });
  await next();
  expect(titleOf(world, 2)).toBe('Lid');
  for (let at = 0; at < 3; at += 1) await next();
  const titles = Array.from({ length: count }, (_none, at) => titleOf(world, at + 1));
  expect(titles).toEqual(titles.map((_title, at) => (at === 1 ? 'Lid' : `Pot ${at + 1}`)));
  expect(hasMore()).toBe(false);
});

test('a search that never ends: cycles do, healthy bugs cross, and what is hidden is withdrawn', async () => {
  const found = await mirrored(4);
  const { world } = found;
  found.spoil = async (answer, side, { pathname, searchParams }) => {
    const after = searchParams.get('v1');
    if (side !== 'tracker' || !pathname.endsWith('/bug') || after === null) return answer;
    const { bugs } = (await answer.json()) as { readonly bugs: readonly object[] };
    const like = { ...world.tracker.bug(1), product: 'Elsewhere' };
    const more = Array.from({ length: pageSize }, (_none, at) => ({
      ...like,
      id: Math.max(Number(after), 100) + at + 1,
    }));
    return new Response(JSON.stringify({ bugs: [...bugs, ...more].slice(0, pageSize) }), answer);
  };
  world.tracker.as('alice').change(3, { summary: 'Pot' });
  world.github.as('mona').edit(repo, 2, { title: 'Lid' });
  const requests = [await found.next()];
  expect([titleOf(world, 3), world.tracker.bug(2)?.summary]).toEqual(['Pot', 'Lid']);
  world.tracker.as('admin').change(4, { groups: { add: ['security'] } });
  world.tracker.as('alice').change(1, { summary: 'Tin' });
  requests.push(await found.next());
  expect([titleOf(world, 4), titleOf(world, 1)]).toEqual(['Bug 4 is not public', 'Tin']);
  expect(Math.max(...requests)).toBeLessThan(100);
});

test('all issues change at once: later changes come first, and no change is lost', async () => {
  const { world, next } = await mirrored(count);
  const mona = world.github.as('mona');
  for (let at = 1; at <= count; at += 1) {
    mona.edit(repo, at, { title: `Pot ${at}` });
    mona.comment(repo, at, `Hot ${at}`);
    world.clock.advance(2_000);
  }
  await next();
  const titleOfBug = (bug: number): string | undefined => world.tracker.bug(bug)?.summary;
  const isTold = (bug: number): boolean =>
    world.tracker.commentsOf(bug).filter(({ text }) => text.includes(`Hot ${bug}`)).length === 1;
  expect(titleOfBug(count - 10)).toBe(`Pan ${count - 10}`);
  mona.edit(repo, 50, { title: 'Lid' });
  await next();
  expect(titleOfBug(50)).toBe('Lid');
  for (let at = 0; at < 6; at += 1) await next();
  const bugs = Array.from({ length: count }, (_none, at) => at + 1);
  expect(bugs.map(titleOfBug)).toEqual(bugs.map((bug) => (bug === 50 ? 'Lid' : `Pot ${bug}`)));
  expect(bugs.filter((bug) => !isTold(bug))).toEqual([]);
});

test.each([
  ['issues', /\/widget\/issues$/u],
  ['comments', /\/widget\/issues\/comments$/u],
])(
  'a list of %s that never ends: cycles do, healthy pairs cross, and what is hidden is withdrawn',
  async (name, path) => {
    const found = await mirrored(4);
    const { world } = found;
    const mona = world.github.as('mona');
    mona.comment(repo, 1, 'Warm.');
    await found.next();
    let last = 1_000;
    let like: object | undefined;
    found.spoil = async (answer, side, address) => {
      if (side !== 'github' || !path.test(address.pathname) || answer.status !== 200) return answer;
      const rows = (await answer.json()) as readonly object[];
      like = rows[0] ?? like;
      const at = new Date(world.clock.now()).toISOString().replace(/\.\d+/u, '');
      // Pull requests: nobody looks for those here.
      const of =
        name === 'issues' ? { pull_request: {} } : { issue_url: 'https://api.github.com/repos/acme/widget/issues/999' };
      const more = Array.from({ length: pageSize }, () => {
        last += 1;
        return { ...like, ...of, id: last, number: last, updated_at: at };
      });
      const isFirst = !address.searchParams.has('page') && address.searchParams.get('direction') === 'desc';
      const next = new URL(address);
      next.searchParams.set('page', String(Number(next.searchParams.get('page') ?? 1) + 1));
      const headers = { ...Object.fromEntries(answer.headers), link: `<${next}>; rel="next"` };
      return new Response(JSON.stringify(isFirst ? [like, ...more] : more), { headers });
    };
    mona.edit(repo, 3, { title: 'Pot' });
    mona.comment(repo, 3, 'Hot.');
    world.tracker.as('alice').change(2, { summary: 'Lid' });
    const requests = [await found.next()];
    expect([titleOf(world, 2), world.tracker.bug(3)?.summary]).toEqual(['Lid', 'Pot']);
    expect(world.tracker.commentsOf(3).filter(({ text }) => text.includes('Hot.'))).toHaveLength(2);
    world.tracker.as('admin').change(4, { groups: { add: ['security'] } });
    requests.push(await found.next());
    expect(titleOf(world, 4)).toBe('Bug 4 is not public');
    expect(Math.max(...requests)).toBeLessThan(150);
  },
);

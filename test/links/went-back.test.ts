import { describe, expect, test } from 'vitest';
import { bugId, issueNumber } from '../../src/model/ids.ts';
import { WentBack } from '../../src/model/outcome.ts';
import type { CursorRow } from '../../src/model/survey.ts';
import { createGithubWorld } from '../../src/sandbox/github/world/world.ts';
import { createTrackerWorld } from '../../src/sandbox/tracker/world/world.ts';
import { openStore } from '../../src/store/open.ts';
import { cycle } from '../../src/sync/cycle.ts';
import { sweep } from '../../src/sync/sweep.ts';
import { bot, contextOn, dyingCycle, repo, type Stage, stage } from '../simulation/stage.ts';
import { serversOf } from '../support/edges.ts';
import { testLimits, widgetRoute } from '../support/routes.ts';
import { scrub } from '../support/scrub.ts';

/** I4: a side that went back gives numbers again, and nothing is doubled, nor taken for what had the number before. */

async function turns(world: Stage, count = 1, isForced = false): Promise<void> {
  for (let index = 0; index < count; index += 1) {
    world.clock.advance(61_000);
    await cycle(contextOn(world, widgetRoute, { limits: testLimits }), { isForced });
  }
}

/** Issue 1 is by a person and bug 2 is, each with its counterpart. */
async function mirrored(): Promise<Stage> {
  const world = stage({ listLagMs: 0 });
  world.github.as('mona').open(repo, { title: 'before, on GitHub', body: 'Steps' });
  await turns(world, 3);
  world.tracker.as('alice').file({ summary: 'before, on the tracker', description: 'It fails.' });
  await turns(world, 3);
  return world;
}

function withTrackerAnew(world: Stage): Stage {
  const tracker = createTrackerWorld({ now: world.clock.now, url: 'https://bugs.example.test', listLagMs: 0 });
  world.clock.advance(600_000);
  return { ...world, tracker, servers: serversOf({ tracker, github: world.github, clock: world.clock }) };
}

function withGithubAnew(world: Stage): Stage {
  const github = createGithubWorld({ now: world.clock.now, url: 'https://github.com', listLagMs: 0 });
  // Ids go on over the whole of GitHub.
  for (const login of ['somebody', bot, 'mona']) github.addUser(login);
  github.addRepo(repo, { permissions: { [bot]: 'write', mona: 'admin' } });
  world.clock.advance(600_000);
  return { ...world, github, servers: serversOf({ tracker: world.tracker, github, clock: world.clock }) };
}

const titles = ({ github }: Stage) => github.issues(repo).map(({ number, title }) => [number, title]);
const summaries = ({ tracker }: Stage) => tracker.bugs().map(({ id, summary }) => [id, summary]);

/** The tracker lacks the last bugs, and gives their numbers again. */
function withoutNewest({ tracker: { state } }: Stage, count: number): void {
  for (let lost = 0; lost < count; lost += 1) {
    state.nextBug -= 1;
    state.bugs.delete(state.nextBug);
  }
}

const writesIn = ({ github }: Stage): number => github.requests.filter(({ method }) => method !== 'GET').length;

/** Four pairs, half of them by people on GitHub. */
async function four(): Promise<Stage> {
  const world = await mirrored();
  world.github.as('mona').open(repo, { title: 'third', body: 'Steps' });
  await turns(world, 2);
  world.tracker.as('alice').file({ summary: 'fourth', description: 'It fails.' });
  await turns(world, 3);
  return world;
}

test('an issue whose new bug has the number of another pair is not filed again', async () => {
  const world = await mirrored();
  withoutNewest(world, 1);
  world.clock.advance(600_000);
  world.github.as('mona').open(repo, { title: 'after the restore', body: 'Steps' });
  await turns(world, 8);
  expect(summaries(world)).toEqual([
    [1, 'before, on GitHub'],
    [2, 'after the restore'],
  ]);
  expect(titles(world)).toEqual([
    [1, 'before, on GitHub'],
    [2, 'before, on the tracker'],
    [3, 'after the restore'],
  ]);
  expect(world.store.links.byBug(bugId(2))).toMatchObject({ issue: 3, state: 'live' });
  expect(world.store.links.byIssue(repo, issueNumber(2))).toMatchObject({ bug: null, state: 'tombstone' });
});

test('a bug filed seconds after one that was lost, and that no read showed, is another one', async () => {
  const world = await mirrored();
  world.github.as('mona').open(repo, { title: 'just before', body: 'Steps' });
  const { tracker } = world.servers;
  const unread: typeof fetch = async (input, init) => {
    const isOfThird = /\/bug\/3\b|[?&]id=3\b/u.test(String(input));
    return isOfThird ? new Response('', { status: 503 }) : await tracker(input, init);
  };
  Object.assign(world.servers, { tracker: unread });
  await turns(world);
  Object.assign(world.servers, { tracker });
  expect(world.store.links.byBug(bugId(3))?.tracker).toMatchObject({ status: '' });
  withoutNewest(world, 1);
  await turns(world);
  world.github.as('mona').open(repo, { title: 'after the restore', body: 'Steps' });
  await turns(world, 8);
  expect(summaries(world).map(([, summary]) => summary)).toEqual([
    'before, on GitHub',
    'before, on the tracker',
    'after the restore',
  ]);
  expect(world.store.links.byBug(bugId(3))).toMatchObject({ issue: 4, state: 'live' });
});

test('a bug filed again by a process that died then is not taken for the one that had its number a minute ago', async () => {
  const world = await mirrored();
  world.github.as('mona').open(repo, { title: 'just before', body: 'Steps' });
  await turns(world, 2);
  expect(summaries(world)).toHaveLength(3);
  withoutNewest(world, 1);
  world.github.as('mona').open(repo, { title: 'after the restore', body: 'Steps' });
  const death = { route: widgetRoute, limits: testLimits, user: 'bridge', method: 'create', moment: 'after' } as const;
  await dyingCycle(world, cycle, death);
  await expect(turns(world)).rejects.toThrow(/bug 3 is not the one/u);
  await turns(world, 1, true);
  await turns(world, 6);
  expect(summaries(world).map(([, summary]) => summary)).toEqual([
    'before, on GitHub',
    'before, on the tracker',
    'after the restore',
  ]);
  expect(titles(world).map(([, title]) => title)).toEqual([
    'before, on GitHub',
    'before, on the tracker',
    'just before',
    'after the restore',
  ]);
});

describe('a tracker that lacks the newest bugs', () => {
  const sweepOnce = async (world: Stage): Promise<void> => {
    await sweep(contextOn(world, widgetRoute, { limits: { ...testLimits, brakeShare: 1 } }), { isForced: false });
  };

  test.each([
    ['two', 2, 'bug 4 and bug 3'],
    ['three', 3, 'bug 4 and bug 3'],
    ['all', 4, 'bug 4 and bug 3'],
  ])('stops the route before it writes: %s', async (_name, count, named) => {
    const world = await four();
    withoutNewest(world, count);
    world.github.as('mona').open(repo, { title: 'after the restore', body: 'Steps' });
    world.github.as('mona').edit(repo, 1, { title: 'edited after the restore' });
    const [before, writes] = [summaries(world), writesIn(world)];
    for (const work of [() => turns(world), () => sweepOnce(world)]) {
      const run = work();
      await expect(run).rejects.toThrow(WentBack);
      await expect(run).rejects.toThrow(new RegExp(`^${named}, the newest .* bugferry once --force`, 'u'));
    }
    expect([summaries(world), writesIn(world)]).toEqual([before, writes]);
    await turns(world, 1, true);
    await turns(world, 6);
    expect(summaries(world).filter(([, summary]) => summary === 'after the restore')).toHaveLength(1);
    expect(new Set(summaries(world).map(([, summary]) => summary)).size).toBe(summaries(world).length);
    expect(titles(world)).toHaveLength(5);
    expect(world.store.links.count('widget').byState).toMatchObject({ tombstone: count });
  });

  test.each<[what: string, act: (world: Stage) => void]>([
    ['the newest bug alone was deleted', (world) => world.tracker.remove(4)],
    ['older bugs were deleted', (world) => [1, 2].forEach((bug) => void world.tracker.remove(bug))],
    ['the newest bugs are hidden', (world) => [3, 4].forEach((bug) => void world.tracker.hide(bug))],
    [
      'a newer bug was mirrored since they were deleted',
      (world) => {
        world.tracker.as('alice').file({ summary: 'fifth', description: 'It fails.' });
        for (const bug of [3, 4]) world.tracker.remove(bug);
      },
    ],
  ])('went back only if nothing else explains it: %s', async (_what, act) => {
    const world = await four();
    act(world);
    await turns(world, 3);
    await sweepOnce(world);
    await turns(world, 2);
  });
});

test.each([
  ['one', 1],
  ['three', 3],
])('a product that was made anew, without the former bugs and with newer ones: %s', async (_name, count) => {
  const world = await four();
  for (const bug of [1, 2, 3, 4]) world.tracker.remove(bug);
  for (let newer = 1; newer <= count; newer += 1)
    world.tracker.as('alice').file({ summary: `newer ${newer}`, description: 'It fails.' });
  const before = [titles(world), writesIn(world)];
  for (let run = 0; run < 2; run += 1)
    await expect(turns(world)).rejects.toThrow(/^bug 4 and bug 3, .* product was made anew.* bugferry once --force/u);
  expect([titles(world), writesIn(world)]).toEqual(before);
  await turns(world, 1, true);
  await turns(world, 6);
  expect(titles(world)).toHaveLength(4 + count);
  expect(world.store.links.count('widget').byState).toMatchObject({ live: count, tombstone: 4 });
});

describe('a state that knows nothing, and a side that was made anew since', () => {
  const forgetting = (world: Stage, afterMs = 2 * 3_600_000): Stage => {
    const { clock } = world;
    clock.advance(afterMs);
    return { ...world, store: openStore(':memory:', { mode: 'write', now: clock.now, scrub }) };
  };

  test('an issue of the number that a bug of ours was filed from is another one', async () => {
    const world = forgetting(withGithubAnew(await mirrored()));
    world.github.as('mona').open(repo, { title: 'in the new repository', body: 'Steps' });
    const before = [titles(world), summaries(world)];
    for (let run = 0; run < 2; run += 1)
      await expect(turns(world)).rejects.toThrow(
        /bug 1 names acme\/widget#1, which was opened .* made anew .* --force/u,
      );
    expect([titles(world), summaries(world)]).toEqual(before);
    await turns(world, 1, true);
    await turns(world, 6);
    expect(titles(world)).toEqual([
      [1, 'in the new repository'],
      [2, 'before, on the tracker'],
    ]);
    expect(summaries(world)).toEqual([...(before[1] ?? []), [3, 'in the new repository']]);
  });

  test('so is one whose number the bridge wrote into See Also of a bug', async () => {
    const world = forgetting(withGithubAnew(await mirrored()));
    for (const title of ['one', 'two']) world.github.as('mona').open(repo, { title, body: 'Steps' });
    world.tracker.state.bugs.delete(1);
    await expect(turns(world)).rejects.toThrow(/bug 2 names acme\/widget#2, which was opened after/u);
    expect(summaries(world)).toEqual([[2, 'before, on the tracker']]);
    await turns(world, 1, true);
    await turns(world, 6);
    expect(titles(world)).toEqual([
      [1, 'one'],
      [2, 'two'],
    ]);
    expect(summaries(world).map(([, summary]) => summary)).toEqual(['before, on the tracker', 'one', 'two']);
  });

  test.each<[string, number, (world: Stage) => void]>([
    ['', 2 * 3_600_000, () => undefined],
    [', minutes after it was lost', 120_000, () => undefined],
    [', also if people go on talking there', 120_000, (world) => world.github.as('mona').comment(repo, 2, 'I, too')],
    [
      ', also if its body was replaced',
      2 * 3_600_000,
      ({ github }) => github.as(bot).edit(repo, 2, { body: 'Withdrawn.\n\n<!-- bugferry:1 acme bug=2 -->' }),
    ],
  ])('a bug of the number that an issue of ours names is another one%s', async (_name, afterMs, act) => {
    const world = forgetting(withTrackerAnew(await mirrored()), afterMs);
    for (const summary of ['one', 'two']) world.tracker.as('alice').file({ summary, description: 'It fails.' });
    act(world);
    const before = titles(world);
    await expect(turns(world)).rejects.toThrow(/acme\/widget#2 names bug 2, which was filed after .* gone back/u);
    expect(titles(world)).toEqual(before);
    await turns(world, 1, true);
    await turns(world, 6);
    expect(titles(world).slice(0, 2)).toEqual(before);
    expect(titles(world).map(([, title]) => title)).toContain('two');
  });

  test('is none where nothing was made anew', async () => {
    const first = await mirrored();
    const world = forgetting(first);
    const before = [titles(world), summaries(world)];
    await turns(world, 4);
    expect([titles(world), summaries(world)]).toEqual(before);
    expect(world.store.links.count('widget').whole).toBe(2);
  });
});

test('a tracker whose bug is another one stops the route before anything is written, until a person lets go of the pairs', async () => {
  const world = withTrackerAnew(await mirrored());
  world.tracker.as('alice').file({ summary: 'after the restore', description: 'It fails.' });
  const before = titles(world);
  const writes = world.github.requests.filter(({ method }) => method !== 'GET').length;
  await expect(turns(world)).rejects.toThrow(WentBack);
  await expect(turns(world)).rejects.toThrow(/bug 1 is not the one .* bugferry once --force/u);
  expect([titles(world), world.github.requests.filter(({ method }) => method !== 'GET').length]).toEqual([
    before,
    writes,
  ]);
  await turns(world, 1, true);
  await turns(world, 6);
  expect(titles(world)).toEqual([...before, [3, 'after the restore']]);
  expect(summaries(world)).toEqual([[1, 'after the restore']]);
});

test('so does a bug that is another one in another product, where no list of changes shows it', async () => {
  const world = withTrackerAnew(await mirrored());
  world.tracker.as('alice').file({ product: 'Gadget', summary: 'after the restore', description: 'It fails.' });
  const before = titles(world);
  await expect(turns(world)).rejects.toThrow(WentBack);
  expect(titles(world)).toEqual(before);
});

test('so does a repository that was made anew under its name', async () => {
  const world = withGithubAnew(await mirrored());
  // A state that knows the repository's number halts for that, too.
  const { repository: _number, ...row } = world.store.cursors.get('widget', 'github') ?? {};
  world.store.cursors.put('widget', 'github', row as CursorRow);
  world.github.as('mona').open(repo, { title: 'in the new repository', body: 'Steps' });
  const before = summaries(world);
  await expect(turns(world)).rejects.toThrow(/acme\/widget#1 is not the one .* made anew/u);
  expect(summaries(world)).toEqual(before);
  await turns(world, 1, true);
  await turns(world, 6);
  expect(summaries(world)).toEqual([...before, [3, 'in the new repository']]);
  expect(titles(world)).toEqual([[1, 'in the new repository']]);
});

/** A tracker that begins at bug 1 again. */
async function anew(pairs: Stage, filed: readonly string[]): Promise<Stage> {
  const world = withTrackerAnew(pairs);
  for (const product of filed)
    world.tracker.as('alice').file({ product, summary: 'in the new tracker', description: 'D' });
  await expect(turns(world)).rejects.toThrow(WentBack);
  return world;
}

describe('once --force lets go of all that a new tracker does not have', () => {
  const deleted = async (world: Stage): Promise<Stage> => {
    world.tracker.remove(3);
    await sweep(contextOn(world, widgetRoute, { limits: testLimits }), { isForced: true });
    return world;
  };

  test.each<[string, () => Promise<Stage>, readonly string[]]>([
    ['one bug, of another product', mirrored, ['Gadget']],
    ['a bug of each product', mirrored, ['Widget', 'Gadget']],
    ['all but one of the numbers', four, ['Widget', 'Gadget', 'Widget']],
    ['a pair that was given up before', async () => deleted(await four()), ['Widget']],
  ])('%s', async (_what, pairs, filed) => {
    const world = await anew(await pairs(), filed);
    await turns(world, 1, true);
    for (let more = 0; more < 4; more += 1) {
      world.tracker.as('alice').file({ summary: `more ${more}`, description: 'D' });
      await turns(world, 2);
    }
    expect(summaries(world)).toHaveLength(filed.length + 4);
    const own = filed.filter((product) => product === 'Widget').length;
    expect(world.store.links.count('widget').byState).toMatchObject({ live: own + 4 });
  });

  test('and of nothing that it hides, or that moved', async () => {
    const world = await four();
    const { state } = world.tracker;
    state.bugs.delete(1);
    Object.assign(state, { nextBug: 1 });
    world.clock.advance(600_000);
    world.tracker.as('alice').file({ summary: 'in its place', description: 'D' });
    Object.assign(state, { nextBug: 5 });
    world.tracker.hide(2);
    world.tracker.as('alice').change(3, { product: 'Gadget', component: 'Firmware' });
    await expect(turns(world)).rejects.toThrow(WentBack);
    await turns(world, 1, true);
    await turns(world, 3);
    const bugOf = (issue: number) => world.store.links.byIssue(repo, issueNumber(issue))?.bug;
    expect([1, 2, 3, 4].map(bugOf)).toEqual([null, 2, 3, 4]);
    world.tracker.unhide(2);
    world.tracker.as('alice').change(2, { summary: 'shown again' });
    await turns(world, 4);
    expect(titles(world)).toContainEqual([2, 'shown again']);
  });
});

/** The tracker says this of bug 2 as long as `is` holds; undefined leaves the time out. */
function sayingOfBug2(world: Stage, time: string | undefined, is: () => boolean): Stage {
  const ask: typeof fetch = async (input, init) => {
    const answer = await world.servers.tracker(input, init);
    if (!is() || !answer.headers.get('content-type')?.includes('json')) return answer;
    const said = JSON.parse(await answer.text(), (_key, value) => {
      const isBug2 = value?.id === 2 && value?.creation_time !== undefined && value?.summary !== undefined;
      return isBug2 ? { ...value, creation_time: time } : value;
    });
    return new Response(JSON.stringify(said), { status: answer.status, headers: answer.headers });
  };
  return { ...world, servers: { ...world.servers, tracker: ask } };
}

/** A wrong time is no sign of a tracker that went back, whether it comes or goes, and costs no other bug anything. */
test.each([
  ['2099-01-01T00:00:00Z'],
  ['9999-12-31T23:59:59Z'],
  ['1970-01-01T00:00:00Z'],
  ['1969-12-31T23:59:59Z'],
  ['0001-01-01T00:00:00Z'],
  ['1994-04-01T12:00:00Z'],
  ['2026-01-05T09:59:59Z'],
  [undefined],
  ['no time'],
  [''],
])('a bug that the tracker says was made at %s', async (time) => {
  let isWrong = false;
  const world = sayingOfBug2(await mirrored(), time, () => isWrong);
  for (const wrong of [true, false]) {
    isWrong = wrong;
    world.tracker.as('alice').change(2, { summary: `wrong: ${wrong}` });
    world.tracker.as('alice').file({ summary: `beside it: ${wrong}`, description: 'It fails.' });
    await turns(world, 4);
    expect(titles(world).map(([, title]) => title)).toContain(`beside it: ${wrong}`);
  }
  world.clock.advance(24 * 3_600_000);
  await turns(world, 2);
  expect(titles(world).slice(0, 2)).toEqual([
    [1, 'before, on GitHub'],
    [2, 'wrong: false'],
  ]);
  expect(world.store.setAside.ofRoute(widgetRoute.name)).toEqual([]);
});

test('a bug whose time was wrong when it was first read', async () => {
  let isWrong = true;
  const plain = stage({ listLagMs: 0 });
  for (const summary of ['One', 'Two', 'Three']) plain.tracker.as('alice').file({ summary, description: 'It fails.' });
  const world = sayingOfBug2(plain, '1970-01-01T00:00:00Z', () => isWrong);
  await turns(world, 3);
  isWrong = false;
  world.tracker.as('alice').change(2, { summary: 'Two, renamed' });
  await turns(world, 3);
  expect(titles(world).map(([, title]) => title)).toEqual(['One', 'Two, renamed', 'Three']);
});

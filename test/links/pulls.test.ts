import { beforeEach, describe, expect, test } from 'vitest';
import type { Context } from '../../src/kernel/context.ts';
import type { Route } from '../../src/model/route.ts';
import { namedItems } from '../../src/rules/links/pulls.ts';
import { cycle } from '../../src/sync/cycle.ts';
import { contextOn, dyingCycle, repo, type Stage, stage } from '../simulation/stage.ts';
import { type Fault, plant } from '../support/plant.ts';
import { routeOn, testLimits, widgetRoute } from '../support/routes.ts';
import { sample } from '../tiers/depth.ts';

/**
 * Bugs are told of pull requests that name them: once when one is opened, once when it ends (I4), and nothing goes back
 * to GitHub.
 */
const route: Route = { ...widgetRoute, visibilityCheck: 'anonymous', pulls: ['bug {bug}', 'bz#{bug}'] };
let world: Stage;

beforeEach(() => {
  world = stage();
});

type Turn = typeof cycle;

const mona = () => world.github.as('mona');
const context = (): Context => contextOn(world, route, { limits: testLimits, user: 'bridge-insider' });

async function turns(run: Turn = cycle, count = 3, on = context): Promise<void> {
  for (let index = 0; index < count; index += 1) {
    world.clock.advance(61_000);
    await run(on(), { isForced: false });
  }
}

/** A pair, at rest. */
async function begin(run: Turn = cycle, on = context): Promise<{ readonly bug: number; readonly issue: number }> {
  const bug = world.tracker.as('alice').file({ summary: 'It fails', description: 'Always.' });
  await turns(run, 4, on);
  return { bug, issue: world.github.issues(repo)[0]?.number ?? 0 };
}

const open = (body: string, title = 'A fix'): number => mona().openPull(repo, { title, body });
const said = (bug: number): readonly string[] =>
  world.tracker.commentsOf(bug).flatMap(({ text }) => (/pull request/u.test(text) ? text : []));
/** The pull requests in its See Also. */
const named = (bug: number): readonly string[] =>
  world.tracker.bug(bug)?.see_also.filter((url) => url.includes('/pull/')) ?? [];
const address = (pull: number): string => `https://github.com/${repo}/pull/${pull}`;
const writesTo = (side: string): number =>
  world.calls.filter((call) => call.side === side && ['create', 'update', 'comment', 'rewrite'].includes(call.method))
    .length;

describe('what a pull request names', () => {
  const tracker = 'https://bugs.example.test';
  test.each([
    ['Fixes #5', [], [5]],
    ['closes: acme/widget#5, resolved https://github.com/Acme/Widget/issues/6', [], [5, 6]],
    ['fixes other/widget#5, see #7', [], []],
    ['Bug 12 - a title', [12], []],
    ['BZ#12: a title', [12], []],
    [`See ${tracker}/show_bug.cgi?id=12.`, [12], []],
    ['debug 12, bug12x, a-bug 3 and 4 bugs', [12], []],
    ['https://elsewhere.example/show_bug.cgi?id=12', [], []],
    ['http://bugs.example.test/show_bug.cgi?id=12#c3', [12], []],
    ['See bugs.example.test/show_bug.cgi?id=12, <BUGS.example.test/show_bug.cgi?id=13>', [12, 13], []],
    [`${tracker}/show_bug.cgi?format=multiple&id=12 and ${tracker}/show_bug.cgi?a=1&amp;ctype&id=13&b=2`, [12, 13], []],
    [`${tracker}/show_bug.cgi?otherid=12, ${tracker}/show_bug.cgi?a=id=12, ${tracker}/show_bug.cgi?a=1 &id=12`, [], []],
    [`${tracker}/show_bug.cgi?id=12&id=13`, [12], []],
    [
      'old-bugs.example.test/show_bug.cgi?id=12, old.bugs.example.test/show_bug.cgi?id=12, ébugs.example.test/show_bug.cgi?id=12',
      [],
      [],
    ],
    [
      'https://elsewhere.example/bugs.example.test/show_bug.cgi?id=12, ftp://bugs.example.test/show_bug.cgi?id=12',
      [],
      [],
    ],
    [
      'https://bugs.example.test.elsewhere.example/show_bug.cgi?id=12, https://me@bugs.example.test/show_bug.cgi?id=12',
      [],
      [],
    ],
  ])('%s', (body, bugs, issues) => {
    const named = namedItems(route, { title: '', body }, route.pulls ?? []);
    expect([[...named.bugs], [...named.issues]]).toEqual([bugs, issues]);
  });

  test('is found in either scheme where the tracker has http itself', () => {
    const http = { ...route, newBugUrl: 'http://bugs.example.test/bugzilla/enter_bug.cgi?product=Widget' };
    const body =
      'https://bugs.example.test/bugzilla/show_bug.cgi?id=12, http://bugs.example.test/bugzilla/show_bug.cgi?id=13';
    expect([
      ...namedItems(http, { title: '', body: `${body}, http://bugs.example.test/show_bug.cgi?id=14` }, []).bugs,
    ]).toEqual([12, 13]);
  });

  test('is found at a former address of the tracker', () => {
    const moved = { ...route, formerUrls: ['http://old.test/bugs'] };
    const body = 'https://old.test/bugs/show_bug.cgi?id=12, http://old.test/show_bug.cgi?id=13';
    expect([...namedItems(moved, { title: '', body }, []).bugs]).toEqual([12]);
  });

  test('is found with the port of its scheme, and with slashes too many', () => {
    const moved = { ...route, formerUrls: ['http://old.test:80/bugs', 'https://older.test:8443'] };
    const body =
      'https://old.test:443//bugs///show_bug.cgi?id=12, old.test:80/bugs/show_bug.cgi?id=13, https://older.test:8443/show_bug.cgi?id=14, ' +
      'http://old.test:8080/bugs/show_bug.cgi?id=15, https://older.test/show_bug.cgi?id=16';
    expect([...namedItems(moved, { title: '', body }, []).bugs]).toEqual([12, 13, 14]);
  });

  test('takes no long time to find in long addresses', () => {
    const place = 'bugs.example.test/show_bug.cgi?';
    const long = [
      place.repeat(20_000),
      `${place}${'a=1&'.repeat(50_000)}`,
      `${place}${'a'.repeat(200_000)}`,
      `${place}a=&`.repeat(20_000),
      `bugs.example.test${'/'.repeat(200_000)}`,
      'bugs.example.test//'.repeat(20_000),
    ];
    const begins = performance.now();
    for (const body of [...long, 'https://'.repeat(50_000)])
      expect(namedItems(route, { title: '', body }, []).bugs.size).toBe(0);
    expect(performance.now() - begins).toBeLessThan(2_000);
  });

  test('is found in addresses and patterns with a hyphen', () => {
    const other = { ...route, newBugUrl: 'https://bugs-test.example/enter_bug.cgi?product=Widget' };
    const text = { title: 'Bug-12: a title', body: 'https://bugs-test.example/show_bug.cgi?id=13 and 14-bug' };
    const named = namedItems(other, text, ['BUG-{bug}', '{bug}-bug']);
    expect([...named.bugs].sort()).toEqual([12, 13, 14]);
  });

  test.each([...'\\^$.*+?()[]|/-#@&~,:;<=>!%'])('may be named with a %s', (sign) => {
    expect([...namedItems(route, { title: `bug${sign}12`, body: '' }, [`bug${sign}{bug}`]).bugs]).toEqual([12]);
  });

  test('is found behind any component', () => {
    const title = '[PR target/12] and PR c++/13, PR/14, PR a b/15, PR rtl-optimization/16';
    expect([...namedItems(route, { title, body: '' }, ['PR {component}/{bug}']).bugs]).toEqual([12, 13, 16]);
  });

  test('takes no long time to find in a long text', () => {
    const text = `${'fixes '.repeat(20_000)}${'bug '.repeat(20_000)}${'bug      '.repeat(5_000)}${'PR c/'.repeat(20_000)}PR ${'c'.repeat(20_000)}`;
    expect(namedItems(route, { title: '', body: text }, ['bug {bug}', 'PR {component}/{bug}']).bugs.size).toBe(0);
  });
});

describe('a bug that a pull request names', () => {
  test('is told with one write, which also names it in See Also, and once more when it is merged', async () => {
    const { bug } = await begin();
    const before = [writesTo('tracker'), writesTo('github')];
    const pull = open(`This is bug ${bug}.`, 'Free the worker');
    await turns();
    expect(said(bug)).toEqual([`GitHub user mona opened a pull request (${address(pull)}):\n\nFree the worker`]);
    expect(world.tracker.bug(bug)?.see_also).toContain(address(pull));
    expect(writesTo('tracker')).toBe((before[0] ?? 0) + 1);
    mona().comment(repo, pull, 'Nice.');
    mona().edit(repo, pull, { title: 'Free the worker early' });
    await turns();
    expect(said(bug)).toHaveLength(1);
    mona().merge(repo, pull);
    await turns(cycle, 6);
    expect(said(bug)[1]).toBe(
      `The pull request of GitHub user mona was merged (${address(pull)}):\n\nFree the worker early`,
    );
    expect(said(bug)).toHaveLength(2);
    expect([writesTo('tracker'), writesTo('github')]).toEqual([(before[0] ?? 0) + 2, before[1]]);
  });

  test('is told that it was closed, and once only if it is opened again', async () => {
    const { bug, issue } = await begin();
    const pull = open(`Fixes #${issue}`);
    await turns();
    mona().close(repo, pull);
    await turns();
    mona().reopen(repo, pull);
    await turns();
    mona().close(repo, pull);
    await turns();
    expect(said(bug).map((text) => /opened|closed|merged/u.exec(text)?.[0])).toEqual(['opened', 'closed']);
  });

  test('says what fixed it, and no second time that this was merged', async () => {
    const { bug, issue } = await begin();
    const pull = open(`Fixes #${issue}`);
    await turns();
    mona().merge(repo, pull);
    await turns(cycle, 6);
    const texts = world.tracker.commentsOf(bug).map(({ text }) => text.split('\n', 1)[0]);
    expect(texts.slice(1)).toEqual([
      `GitHub user mona opened a pull request (${address(pull)}):`,
      expect.stringMatching(new RegExp(`^Fixed by ${repo}#${pull} `, 'u')),
    ]);
    expect(world.tracker.bug(bug)?.status).toBe('RESOLVED');
  });

  test('has one that was opened and merged between two polls in See Also, with one write and one comment', async () => {
    const { bug, issue } = await begin();
    const before = writesTo('tracker');
    const pull = open(`Bug ${bug}`);
    mona().merge(repo, pull);
    await turns(cycle, 6);
    expect(said(bug)).toEqual([expect.stringMatching(/ was merged /u)]);
    expect([named(bug), writesTo('tracker') - before]).toEqual([[address(pull)], 1]);
    expect(world.github.commentsOf(repo, issue)).toEqual([]);
  });

  test.each(['before', 'after'] as const)(
    'has one that was merged at once just once if the bridge dies %s the write',
    async (moment) => {
      expect(await mergesAtOnce(moment)).toHaveLength(2);
    },
  );

  test('is told that it was merged although the tracker refuses the closing', async () => {
    const status = { ...route.status, completed: ['UNHEARD_OF', 'FIXED'] as const };
    const on = (): Context => contextOn(world, { ...route, status }, { limits: testLimits, user: 'bridge-insider' });
    const { bug, issue } = await begin(cycle, on);
    const pull = open(`Fixes #${issue}`);
    await turns(cycle, 3, on);
    mona().merge(repo, pull);
    await turns(cycle, 6, on);
    expect([world.tracker.bug(bug)?.status, said(bug).length]).toEqual(['CONFIRMED', 2]);
    expect(said(bug)[1]).toMatch(/ was merged /u);
  });

  test('is told that it was merged although a person has to decide whether the bug is closed', async () => {
    const asking: Route = { ...route, conflicts: 'ask' };
    const on = (): Context => contextOn(world, asking, { limits: testLimits, user: 'bridge-insider' });
    const { bug, issue } = await begin(cycle, on);
    const pull = open(`Fixes #${issue}`);
    await turns(cycle, 3, on);
    mona().merge(repo, pull);
    world.tracker.as('admin').change(bug, { status: 'IN_PROGRESS' });
    await turns(cycle, 6, on);
    expect([world.tracker.bug(bug)?.status, said(bug).length]).toEqual(['IN_PROGRESS', 2]);
  });

  test('is not told of one that was closed before anybody heard of it, nor of an old one that somebody touched', async () => {
    const { bug } = await begin();
    const [first, second] = [open(`Bug ${bug}`), open('Nothing')];
    mona().close(repo, first);
    mona().merge(repo, second);
    await turns();
    world.clock.advance(2 * 86_400_000);
    mona().edit(repo, second, { body: `Bug ${bug}` });
    await turns();
    expect(said(bug)).toEqual([]);
  });

  test('is not told of one that names more than ten, but of how one ended that it knows', async () => {
    const { told, pull } = await namesMany();
    expect(told).toEqual([expect.stringMatching(/ opened a pull request /u)]);
    mona().close(repo, pull);
    await turns();
    expect(world.tracker.bugs().flatMap(({ id }) => said(id))).toEqual([
      ...told,
      expect.stringMatching(/ was closed /u),
    ]);
    open('bug 1, bug 2, bug 3, bug 4, bug 5, bug 6, bug 7, bug 8, bug 9, bug 10');
    await turns(cycle, 6);
    expect(world.tracker.bugs().flatMap(({ id }) => said(id))).toHaveLength(12);
  });

  test('writes nothing to GitHub where its table shows See Also', async () => {
    const on = (): Context =>
      contextOn(world, { ...route, table: ['see_also'] }, { limits: testLimits, user: 'bridge-insider' });
    const { bug } = await begin(cycle, on);
    const before = writesTo('github');
    const pull = open(`Bug ${bug}`);
    await turns(cycle, 4, on);
    expect([world.tracker.bug(bug)?.see_also.includes(address(pull)), writesTo('github') - before]).toEqual([true, 0]);
  });

  test('shows a title as it stands on a tracker that reads Markdown', async () => {
    world = stage({ version: 'harmony', hasMarkdown: true });
    const on = (): Context =>
      contextOn(world, routeOn('harmony', route), { limits: testLimits, user: 'bridge-insider' });
    const { bug } = await begin(cycle, on);
    const title = '![x](https://evil.example/t.png) @alice [Log in](https://evil.example) \u202ex';
    const pull = open('A fix', title);
    // Where somebody attached it, the comment has the title.
    world.tracker
      .as('carol')
      .attach(bug, { bytes: Buffer.from(address(pull)), content_type: 'text/plain', summary: 'See there' });
    mona().edit(repo, pull, { body: `Bug ${bug}` });
    await turns(cycle, 4, on);
    const [, shown] = said(bug)[0]?.split('\n\n') ?? [];
    expect(shown).toBe(
      '!\\[x\\](https://evil.example/t.png) @\u200balice \\[Log in\\](https://evil.example) \u202ex\u202c',
    );
  });

  test('costs no request of its own while nothing happens', async () => {
    const { bug } = await begin();
    open(`Bug ${bug}`);
    await turns(cycle, 20);
    const before = world.calls.length;
    await turns(cycle, 1);
    const methods = world.calls.slice(before).flatMap(({ side, method }) => (side === 'github' ? method : []));
    expect(methods).toEqual(['changes']);
  });

  test('is told nothing where the route does not say so, or never writes to the tracker', async () => {
    const { pulls: _patterns, ...plain } = route;
    for (const other of [plain, { ...route, direction: 'to-github' as const }]) {
      const on = (): Context => contextOn(world, other, { limits: testLimits, user: 'bridge-insider' });
      const { bug } = await begin(cycle, on);
      open(`Bug ${bug}`);
      await turns(cycle, 3, on);
      expect(said(bug)).toEqual([]);
      world = stage();
    }
  });

  test.each(['before', 'after'] as const)('is told once if the bridge dies %s the write', async (moment) => {
    const { bug } = await begin();
    open(`Bug ${bug}`);
    await dyingCycle(world, cycle, { route, limits: testLimits, user: 'bridge-insider', method: 'update', moment });
    await turns(cycle, 6);
    expect(said(bug)).toHaveLength(1);
  });

  test.each([true, false])('is told once if an answer is lost (took effect: %s)', async (after) => {
    expect(await losesAnswer(after)).toHaveLength(1);
  });

  test('is not told again after the database was lost, and nothing of it comes to GitHub', async () => {
    const { bug, issue } = await begin();
    const pull = open(`Bug ${bug}`);
    await turns();
    const { store } = stage();
    const onNew = (): Context => contextOn({ ...world, store }, route, { limits: testLimits, user: 'bridge-insider' });
    await turns(cycle, 4, onNew);
    mona().edit(repo, pull, { title: 'Another title' });
    await turns(cycle, 4, onNew);
    expect([said(bug).length, world.github.commentsOf(repo, issue)]).toEqual([1, []]);
  });
});

async function losesAnswer(after: boolean, run: Turn = cycle): Promise<readonly string[]> {
  const { bug } = await begin(run);
  open(`Bug ${bug}`);
  let left = 1;
  world.faults = (side, cost) =>
    side === 'tracker' && cost === 'edit' && left-- > 0 ? { kind: 'drop', after } : { kind: 'none' };
  await turns(run, 8);
  return said(bug);
}

/** One pull request names eleven bugs at once, and another one bug and then the others. */
async function namesMany(run: Turn = cycle): Promise<{ readonly told: readonly string[]; readonly pull: number }> {
  const bugs = Array.from({ length: 11 }, (_, index) =>
    world.tracker.as('alice').file({ summary: `It fails ${index}`, description: '' }),
  );
  await turns(run, 6);
  const all = bugs.map((bug) => `bug ${bug}`).join(' ');
  open(all);
  const pull = open(`bug ${bugs[0]}`);
  await turns(run);
  mona().edit(repo, pull, { body: all });
  await turns(run);
  return { told: bugs.flatMap(said), pull };
}

/**
 * What the bug says and names of a pull request that was opened and merged between two polls, where the bridge dies at
 * the write.
 */
async function mergesAtOnce(moment: 'before' | 'after', run: Turn = cycle): Promise<readonly string[]> {
  const { bug } = await begin(run);
  mona().merge(repo, open(`Bug ${bug}`));
  await dyingCycle(world, run, { route, limits: testLimits, user: 'bridge-insider', method: 'update', moment });
  await turns(run, 6);
  return [...said(bug), ...named(bug)];
}

async function mergesFix(run: Turn): Promise<readonly string[]> {
  const { bug, issue } = await begin(run);
  const pull = open(`Fixes #${issue}`);
  await turns(run);
  mona().merge(repo, pull);
  await turns(run, 6);
  return said(bug);
}

const faults: readonly (Fault & { readonly name: string; readonly play: (run: Turn) => Promise<readonly string[]> })[] =
  [
    {
      name: 'that it was merged is said twice',
      file: 'rules/links/pulls.ts',
      from: 'return isClosing || isSaid(fixedRemark(url));',
      to: 'return false;',
      play: mergesFix,
    },
    {
      name: 'what was said is not recognised',
      file: 'rules/links/pulls.ts',
      from: 'told.includes(state) || commentLinks.some(({ remark }) => remark === pullRemark(state, url))',
      to: 'told.includes(state)',
      play: (run) => losesAnswer(true, run),
    },
    {
      name: 'one that was merged at once stands nowhere',
      file: 'sync/perform/operations/pull.ts',
      from: "!isReported(store.commentLinks.ofLink(id), pull, 'open')",
      to: "pull.state === 'open'",
      play: async (run) => {
        const { bug } = await begin(run);
        mona().merge(repo, open(`Bug ${bug}`));
        await turns(run);
        return named(bug);
      },
    },
    {
      name: 'an address of http times names nothing',
      file: 'rules/links/pulls.ts',
      from: "'(?:(?<![\\\\w-])https?:",
      to: "'(?:(?<![\\\\w-])https:",
      play: async (run) => {
        const { bug } = await begin(run);
        open(`http://bugs.example.test/show_bug.cgi?id=${bug}`);
        await turns(run);
        return said(bug);
      },
    },
    {
      name: 'one pull request mails everybody',
      file: 'sync/observe/pulls.ts',
      from: 'const linksMax = 10;',
      to: 'const linksMax = 10_000;',
      play: async (run) => (await namesMany(run)).told,
    },
  ];

describe('a planted fault is caught:', () => {
  test.each(sample(faults, 1))('$name', async ({ play, ...fault }) => {
    const { cycle: planted }: { cycle: Turn } = await import(`${plant(fault)}/sync/cycle.ts`);
    expect(await play(planted)).not.toHaveLength(1);
  });
});

test('on which we fail ourselves is set aside, and holds up nobody else', async () => {
  const from = '  const patterns = [addressPattern(route), ...written.map(asPattern)];';
  const to = `${from}
  if (text.includes('Poison')) throw new RangeError('of ours');`;
  const fault = { file: 'rules/links/pulls.ts', from, to };
  const { cycle: planted }: { cycle: Turn } = await import(`${plant(fault)}/sync/cycle.ts`);
  const { bug, issue } = await begin(planted);
  const poisoned = open(`Bug ${bug}: Poison`);
  const good = open(`Bug ${bug}`);
  mona().comment(repo, issue, 'And a comment.');
  await turns(planted);
  expect(named(bug)).toEqual([address(good)]);
  expect(world.tracker.commentsOf(bug).some(({ text }) => text.includes('And a comment.'))).toBe(true);
  expect(world.store.setAside.ofRoute('widget')).toMatchObject([{ side: 'github', ref: poisoned, stage: 'read' }]);
  await turns(cycle);
  expect(named(bug)).toEqual([address(good)]);
  mona().edit(repo, poisoned, { title: 'Another title' });
  await turns(cycle);
  expect(named(bug).toSorted()).toEqual([poisoned, good].map(address).toSorted());
  expect(world.store.setAside.ofRoute('widget')).toEqual([]);
});

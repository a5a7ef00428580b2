import { beforeEach, describe, expect, test } from 'vitest';
import type { Context } from '../../src/kernel/context.ts';
import type { Route } from '../../src/model/route.ts';
import { repoNamed } from '../../src/sandbox/github/world/state.ts';
import { cycle } from '../../src/sync/cycle.ts';
import { contextOn, dyingCycle, repo, type Stage, stage } from '../simulation/stage.ts';
import { edgeCodeIn } from '../support/edges.ts';
import { type Fault, plant } from '../support/plant.ts';
import { routeOn, testLimits, widgetRoute } from '../support/routes.ts';
import { sample } from '../tiers/depth.ts';

/** Bugs are told of commits that name them, with one comment for each push (I4), and nothing goes back to GitHub. */
const route: Route = {
  ...widgetRoute,
  visibilityCheck: 'anonymous',
  commits: { branch: null, patterns: ['bug {bug}', 'bz#{bug}', 'PR {component}/{bug}'] },
};
let world: Stage;

beforeEach(() => {
  world = stage();
});

type Turn = typeof cycle;

const mona = () => world.github.as('mona');
const on = (route: Route) => (): Context => contextOn(world, route, { limits: testLimits, user: 'bridge-insider' });
const context = on(route);

async function turns(run: Turn = cycle, count = 3, of = context): Promise<void> {
  for (let index = 0; index < count; index += 1) {
    world.clock.advance(61_000);
    await run(of(), { isForced: false });
  }
}

const file = (summary = 'It fails'): number => world.tracker.as('alice').file({ summary, description: 'Always.' });

/** A pair, at rest. */
async function begin(run: Turn = cycle, of = context): Promise<{ readonly bug: number; readonly issue: number }> {
  const bug = file();
  await turns(run, 4, of);
  return { bug, issue: world.github.issues(repo)[0]?.number ?? 0 };
}

const push = (message: string, place = {}): string => mona().push(repo, message, place);
const said = (bug: number): readonly string[] =>
  world.tracker.commentsOf(bug).flatMap(({ text }) => (/ this bug \(/u.test(text) ? text : []));
const allSaid = (): readonly string[] => world.tracker.bugs().flatMap(({ id }) => said(id));
const address = (sha: string): string => `https://github.com/${repo}/commit/${sha}`;
const writesTo = (side: string): number =>
  world.calls.filter((call) => call.side === side && ['create', 'update', 'comment', 'rewrite'].includes(call.method))
    .length;

describe('a bug that a commit names', () => {
  test.each([
    'Bug 1 - Free the worker',
    'bz#1: Free the worker',
    '[PR core/1] Free the worker',
    'Free it\n\nhttps://bugs.example.test/show_bug.cgi?id=1',
  ])('is told with one comment: %j', async (message) => {
    const { bug } = await begin();
    const before = [writesTo('tracker'), writesTo('github')];
    const sha = push(message);
    await turns(cycle, 6);
    const [title] = message.split('\n');
    expect([bug, said(bug)]).toEqual([
      1,
      [`A commit on main of ${repo} names this bug (${address(sha)}):\n\n- ${sha.slice(0, 7)} by mona: ${title}`],
    ]);
    expect([writesTo('tracker'), writesTo('github')]).toEqual([(before[0] ?? 0) + 1, before[1]]);
  });

  test('is told of all commits of a push at once, and of the next push apart', async () => {
    const { bug } = await begin();
    const shas = [push(`Bug ${bug}: one`), push('Nothing'), push(`Bug ${bug}: two`)];
    await turns();
    const line = (sha: string, words: string): string =>
      `- ${sha.slice(0, 7)} by mona: Bug ${bug}: ${words} (${address(sha)})`;
    const [one = '', , two = ''] = shas;
    expect(said(bug)).toEqual([
      `2 commits on main of ${repo} name this bug (${address(two)}):\n\n${line(one, 'one')}\n${line(two, 'two')}`,
    ]);
    push(`Bug ${bug}: three`);
    await turns(cycle, 6);
    expect(said(bug)).toHaveLength(2);
  });

  test('is told nothing that links to something else, and no address of an author', async () => {
    const { bug } = await begin();
    const author = { name: 'Nobody <no.body@home.example>', email: 'no.body@home.example' };
    push(`Bug ${bug}: comment 3, attachment #4 (by no.body@home.example)`, { author });
    push(`Bug ${bug}`, { author: { name: 'other@home.example', email: 'no.body@home.example' } });
    await turns();
    expect(said(bug)[0]?.split('\n').slice(2)).toEqual([
      expect.stringMatching(
        new RegExp(`^- \\w{7} by "Nobody <>": Bug ${bug}: comment\u200b 3, attachment\u200b #4 \\(by \\) \\(http`, 'u'),
      ),
      expect.stringMatching(new RegExp(`^- \\w{7}: Bug ${bug} \\(http`, 'u')),
    ]);
  });

  test('is shown a title as it stands on a tracker that reads Markdown', async () => {
    world = stage({ version: 'harmony', hasMarkdown: true });
    const of = on(routeOn('harmony', route));
    const { bug } = await begin(cycle, of);
    push(`Bug ${bug} ![x](https://evil.example/t.png) @alice`);
    await turns(cycle, 4, of);
    expect(said(bug)[0]).toMatch(/: Bug \d+ !\\\[x\\\]\(https:\/\/evil.example\/t.png\) @\u200balice$/u);
  });

  test('says what fixed it, and no second time that this commit names it', async () => {
    expect(await fixes()).toEqual([expect.stringMatching(new RegExp(`^Fixed by ${repo}@`, 'u'))]);
  });

  test('says what fixed it, and nothing of the merge of that pull request', async () => {
    const { bug, issue } = await begin();
    const pull = mona().openPull(repo, { title: `Bug ${bug}: a fix`, body: `Fixes #${issue}` });
    mona().merge(repo, pull);
    await turns(cycle, 6);
    expect([said(bug), world.tracker.bug(bug)?.status]).toEqual([[], 'RESOLVED']);
    expect(world.tracker.commentsOf(bug).at(-1)?.text).toMatch(new RegExp(`^Fixed by ${repo}#${pull} `, 'u'));
  });

  test('is told of what comes with a merge, and of the merge only if that alone names it', async () => {
    const { bug } = await begin();
    const [base, side] = [push('A base'), push(`Bug ${bug}: on the side`, { branch: 'side' })];
    push(`Merge bug ${bug}`, { parents: [push('Another'), side] });
    await turns();
    expect(said(bug)).toEqual([expect.stringMatching(/^A commit .*\n\n.* on the side$/su)]);
    push(`Merge bug ${bug} again`, {
      parents: [repoNamed(world.github.state, repo).git.branches.get('main') ?? '', base],
    });
    await turns();
    expect(said(bug)[1]).toMatch(/: Merge bug \d+ again$/u);
  });

  test('is not told of commits from before, of those on other branches, nor of a branch that was moved by force', async () => {
    const bug = file();
    const before = push(`Bug ${bug}: before`);
    await turns(cycle, 4);
    push(`Bug ${bug}: elsewhere`, { branch: 'elsewhere' });
    await turns();
    push(`Bug ${bug}: instead`, { parents: [] });
    push(`Bug ${bug}: and more`);
    await turns();
    push('A reset', { parents: [before] });
    await turns();
    expect(said(bug)).toEqual([]);
    push(`Bug ${bug}: after`);
    await turns();
    expect(said(bug)).toHaveLength(1);
  });

  test('is told once of a commit that leaves the branch and comes back', async () => {
    const { bug } = await begin();
    const { git } = repoNamed(world.github.state, repo);
    const before = git.branches.get('main') ?? '';
    const sha = push(`Bug ${bug}`);
    await turns();
    git.branches.set('main', before);
    await turns();
    git.branches.set('main', sha);
    await turns();
    expect(said(bug)).toHaveLength(1);
  });

  test('is told of the branch that the route names', async () => {
    const of = on({ ...route, commits: { branch: 'stable', patterns: ['bug {bug}'] } });
    const { bug } = await begin(cycle, of);
    push('A branch', { branch: 'stable' });
    await turns(cycle, 2, of);
    push(`Bug ${bug}: on the default branch`);
    push(`Bug ${bug}: there`, { branch: 'stable' });
    await turns(cycle, 3, of);
    expect(said(bug)).toEqual([expect.stringMatching(/^A commit on stable .* there$/su)]);
  });

  test('is not told of what another default branch has, but of what comes to it', async () => {
    const { bug } = await begin();
    push(`Bug ${bug}: of years`, { branch: 'develop' });
    world.github.setRepo(repo, { defaultBranch: 'develop' });
    await turns();
    push(`Bug ${bug}: new`);
    await turns();
    expect(said(bug)).toEqual([expect.stringMatching(/^A commit on develop .* new$/su)]);
  });

  test('is told nothing while it is private, and nothing of it comes to GitHub', async () => {
    const { bug } = await begin();
    world.tracker.as('admin').change(bug, { groups: { add: ['security'] } });
    await turns(cycle, 4);
    const before = writesTo('github');
    push(`Bug ${bug}`);
    await turns(cycle, 4);
    expect([said(bug), writesTo('github')]).toEqual([[], before]);
  });

  test('is told nothing where the route does not say so', async () => {
    const { commits: _rule, ...plain } = route;
    const { bug } = await begin(cycle, on(plain));
    push(`Bug ${bug}`);
    await turns(cycle, 3, on(plain));
    expect([said(bug), world.github.requests.filter(({ path }) => path.endsWith('/commits'))]).toEqual([[], []]);
  });
});

describe('a push', () => {
  test('that names more than fifty bugs is told to none', async () => {
    expect(await namesMany(51)).toEqual([]);
    expect(await namesMany(50)).toHaveLength(50);
  });

  test.each([
    [310, '11 more commits that were not read'],
    [300, '1 more commit that was not read'],
  ])('is read up to three hundred commits, and says how many it has besides (%i)', async (further, words) => {
    const { bug } = await begin();
    push(`Bug ${bug}`);
    for (let index = 0; index < further; index += 1) push(`Commit ${index}`);
    await turns();
    expect(said(bug)).toEqual([expect.stringMatching(new RegExp(`\\n\\nThe push contains ${words}\\.$`, 'u'))]);
  });

  test('lists twenty commits, the newest', async () => {
    const { bug } = await begin();
    for (let index = 0; index < 21; index += 1) push(`Bug ${bug}: step ${index}`);
    await turns();
    expect(said(bug)[0]).toMatch(/^21 commits .*step 1 .*\n\n1 earlier commit is not listed\.$/su);
  });

  test('counts the earlier commits', async () => {
    const { bug } = await begin();
    for (let index = 0; index < 23; index += 1) push(`Bug ${bug}: step ${index}`);
    await turns();
    expect(said(bug)[0]?.split('\n')).toHaveLength(24);
    expect(said(bug)[0]).toMatch(/^23 commits .*step 3 .*\n\n3 earlier commits are not listed\.$/su);
  });

  test('costs no counted request while nothing happens', async () => {
    const { bug } = await begin();
    push(`Bug ${bug}`);
    await turns(cycle, 20);
    const before = world.github.requests.length;
    await turns(cycle, 2);
    const asked = world.github.requests.slice(before);
    expect(asked.filter(({ path }) => path.endsWith('/commits')).map(({ status }) => status)).toEqual([304, 304]);
    expect(asked.filter(({ status }) => status !== 304)).toEqual([]);
  });

  test.each(['before', 'after'] as const)('is told once if the bridge dies %s the write', async (moment) => {
    const { bug } = await begin();
    push(`Bug ${bug}`);
    await dyingCycle(world, cycle, { route, limits: testLimits, user: 'bridge-insider', method: 'comment', moment });
    await turns(cycle, 6);
    expect(said(bug)).toHaveLength(1);
  });

  test.each([true, false])('is told once if an answer is lost (took effect: %s)', async (after) => {
    expect(await losesAnswer(after)).toHaveLength(1);
  });

  test('is told once after the database was lost, and nothing of it comes to GitHub', async () => {
    const { bug, issue } = await begin();
    push(`Bug ${bug}`);
    await turns();
    const { store } = stage();
    const onNew = (): Context => contextOn({ ...world, store }, route, { limits: testLimits, user: 'bridge-insider' });
    await turns(cycle, 6, onNew);
    expect([said(bug).length, world.github.commentsOf(repo, issue)]).toEqual([1, []]);
  });
});

async function losesAnswer(after: boolean, run: Turn = cycle): Promise<readonly string[]> {
  const { bug } = await begin(run);
  push(`Bug ${bug}`);
  let left = 1;
  world.faults = (side, cost) =>
    side === 'tracker' && cost === 'create' && left-- > 0 ? { kind: 'drop', after } : { kind: 'none' };
  await turns(run, 8);
  return said(bug);
}

/** One push names so many bugs, in a commit each. */
async function namesMany(count: number, run: Turn = cycle): Promise<readonly string[]> {
  const bugs = Array.from({ length: count }, (_, index) => file(`It fails ${index}`));
  await turns(run, 8);
  const before = allSaid().length;
  for (const bug of bugs) push(`Bug ${bug}`);
  await turns(run, 4);
  return allSaid().slice(before);
}

/** What the bug says after a commit that names and fixes it. */
async function fixes(run: Turn = cycle): Promise<readonly string[]> {
  const { bug, issue } = await begin(run);
  push(`Bug ${bug}: a fix\n\nFixes #${issue}`);
  await turns(run, 6);
  return world.tracker
    .commentsOf(bug)
    .slice(1)
    .map(({ text }) => text);
}

const faults: readonly (Fault & {
  readonly name: string;
  readonly play: (run: Turn) => Promise<readonly string[]>;
  readonly right: number;
})[] = [
  {
    name: 'what fixed a bug names it again',
    file: 'rules/links/pushes.ts',
    from: 'if (isClosing) return [];',
    to: '',
    play: fixes,
    right: 1,
  },
  {
    name: 'what was said is not recognised',
    file: 'rules/links/pushes.ts',
    from: '!isSaid(pushRemark(url))',
    to: 'true',
    play: (run) => losesAnswer(true, run),
    right: 1,
  },
  {
    name: 'one push mails everybody',
    file: 'rules/links/pushes.ts',
    from: 'if (named.size > linksMax) return;',
    to: '',
    play: (run) => namesMany(51, run),
    right: 0,
  },
];

describe('a planted fault is caught:', () => {
  test.each(sample(faults, 1))('$name', async ({ play, right, ...fault }) => {
    const { cycle: planted }: { cycle: Turn } = await import(`${plant(fault)}/sync/cycle.ts`);
    expect(await play(planted)).not.toHaveLength(right);
  });
});

test.each([
  [
    'names bugs',
    'rules/links/pulls.ts',
    '  const patterns = [addressPattern(route), ...written.map(asPattern)];',
    'text',
  ],
  [
    'is read',
    'github/reading/commits.ts',
    '  const { sha, html_url: url, commit, author: account, parents } = wire;',
    'commit.message',
  ],
])('a commit on which we fail ourselves while it %s holds up nobody else', async (_what, file, from, text) => {
  const to = `${from}\n  if (${text}.includes('Poison')) throw new RangeError('of ours');`;
  const folder = plant({ file, from, to });
  const { cycle: planted }: { cycle: Turn } = await import(`${folder}/sync/cycle.ts`);
  const code = await edgeCodeIn(folder);
  const of = (): Context => contextOn(world, route, { limits: testLimits, user: 'bridge-insider', edges: { code } });
  const { bug, issue } = await begin(planted, of);
  push(`Bug ${bug}: Poison`);
  push(`Bug ${bug}: good`);
  mona().comment(repo, issue, 'And a comment.');
  await turns(planted, 3, of);
  expect(said(bug).join('')).toContain('good');
  expect(said(bug).join('')).not.toContain('Poison');
  expect(world.tracker.commentsOf(bug).some(({ text: words }) => words.includes('And a comment.'))).toBe(true);
});

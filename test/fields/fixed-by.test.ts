import { beforeEach, describe, expect, test } from 'vitest';
import type { Context } from '../../src/kernel/context.ts';
import { SideError } from '../../src/model/outcome.ts';
import type { Route } from '../../src/model/route.ts';
import { cycle } from '../../src/sync/cycle.ts';
import { contextOn, dyingCycle, repo, type Stage, stage } from '../simulation/stage.ts';
import { type Fault, plant } from '../support/plant.ts';
import { testLimits, widgetRoute } from '../support/routes.ts';

/**
 * A pull request or a commit closes an issue: its bug says which, in the e-mail that says that it is closed, once (I4)
 * and nothing private (I9).
 */
const route: Route = { ...widgetRoute, visibilityCheck: 'anonymous' };
const [tools, vault] = ['acme/tools', 'acme/vault'];
let world: Stage;

beforeEach(() => {
  world = stage();
  world.github.addRepo(tools, { permissions: { mona: 'admin' } });
  // Our account may read what the readers of the tracker may not.
  world.github.addRepo(vault, { isPrivate: true, permissions: { 'bugferry-bot': 'read', mona: 'admin' } });
});

type Turn = typeof cycle;
interface Play {
  readonly bug: number;
  readonly issue: number;
}

const mona = () => world.github.as('mona');
const context = (): Context => contextOn(world, route, { limits: testLimits, user: 'bridge-insider' });

async function turns(run: Turn = cycle, count = 4, on = context): Promise<void> {
  for (let index = 0; index < count; index += 1) {
    world.clock.advance(61_000);
    await run(on(), { isForced: false });
  }
}

async function begin(run: Turn = cycle): Promise<Play> {
  const bug = world.tracker.as('alice').file({ summary: 'It fails', description: 'Always.' });
  await turns(run);
  return { bug, issue: world.github.issues(repo)[0]?.number ?? 0 };
}

function merge(home: string, body: string): number {
  const pull = mona().openPull(home, { title: 'A fix', body });
  mona().merge(home, pull);
  return pull;
}

const said = ({ bug }: Play): readonly string[] =>
  world.tracker.commentsOf(bug).flatMap(({ text }) => (text.includes('Fixed by') ? text : []));
const closersRead = (): number => world.calls.filter(({ method }) => method === 'closer').length;
const updates = (): number =>
  world.calls.filter(({ side, method }) => side === 'tracker' && method === 'update').length;
const statusOf = ({ bug }: Play): string | undefined => world.tracker.bug(bug)?.status;

describe('a bug that is closed with its issue', () => {
  test('names the pull request, its commit and its author, in the write that closes it', async () => {
    const play = await begin();
    const before = updates();
    const pull = merge(repo, `Fixes #${play.issue}`);
    await turns();
    const [text = ''] = said(play);
    expect(text).toMatch(
      new RegExp(
        `^Fixed by acme/widget#${pull} \\([0-9a-f]{7}\\) by mona \\(https://github\\.com/acme/widget/pull/${pull}\\)\\.$`,
        'u',
      ),
    );
    expect([said(play).length, statusOf(play), updates() - before]).toEqual([1, 'RESOLVED', 1]);
    const sent = world.calls.findLast(({ side, method }) => side === 'tracker' && method === 'update')?.args[1];
    expect(sent).toMatchObject({ resolution: 'FIXED', comment: text });
  });

  test('names a commit', async () => {
    const play = await begin();
    const sha = mona().push(repo, `Free the worker\n\nCloses: #${play.issue}`);
    await turns();
    const short = sha.slice(0, 7);
    expect(said(play)).toEqual([
      `Fixed by acme/widget@${short} by mona (https://github.com/acme/widget/commit/${sha}).`,
    ]);
  });

  test('names nothing where a person closed the issue, and asks GitHub only once', async () => {
    const play = await begin();
    expect(closersRead()).toBe(0);
    mona().close(repo, play.issue);
    await turns();
    expect([said(play), statusOf(play), closersRead()]).toEqual([[], 'RESOLVED', 1]);
  });

  test('does not ask where the issue was closed as not planned', async () => {
    const play = await begin();
    mona().close(repo, play.issue, 'not_planned');
    await turns();
    expect([statusOf(play), closersRead()]).toEqual(['RESOLVED', 0]);
  });

  test('names a pull request of another public repository', async () => {
    const play = await begin();
    const pull = merge(tools, `Fixes ${repo}#${play.issue}`);
    await turns();
    expect(said(play)).toEqual([expect.stringContaining(`${tools}#${pull} `)]);
  });

  test('names none of a private one, although our account sees it', async () => {
    expect(await namesVault()).toEqual([]);
    expect(world.tracker.bugs().find(({ product }) => product === 'Widget')?.status).toBe('RESOLVED');
  });

  test('names a pull request of its own repository, even if that is private', async () => {
    world.github.setPrivate(repo, true);
    const play = await begin();
    merge(repo, `Fixes #${play.issue}`);
    await turns();
    expect(said(play)).toHaveLength(1);
  });

  test('says it again only for a new closing', async () => {
    const play = await begin();
    const first = merge(repo, `Fixes #${play.issue}`);
    await turns();
    mona().reopen(repo, play.issue);
    await turns();
    mona().close(repo, play.issue);
    await turns();
    expect(said(play)).toHaveLength(1);
    mona().reopen(repo, play.issue);
    await turns();
    const second = merge(repo, `Fixes #${play.issue}`);
    await turns();
    expect(said(play).map((text) => Number(/#(\d+)/u.exec(text)?.[1]))).toEqual([first, second]);
  });

  test('does not say it again if only the bug was opened, and a one-way route closes it', async () => {
    expect(await closesAgain()).toHaveLength(1);
  });

  test('names what fixed it however long the bridge was down', async () => {
    expect(await comesBackLate()).toHaveLength(1);
    expect(world.tracker.bugs().find(({ product }) => product === 'Widget')?.status).toBe('RESOLVED');
  });

  test('names none in a backfill of issues that were closed long ago, and does not ask', async () => {
    expect(await backfills()).toEqual([]);
    expect([world.tracker.bugs().filter(({ status }) => status === 'RESOLVED').length, closersRead()]).toEqual([3, 0]);
  });

  test('names none where a pair meets for the first time and the issue was closed long ago', async () => {
    expect(await meetsLate()).toEqual([]);
    expect(closersRead()).toBe(0);
  });

  test('is closed without it once GitHub has not told for ten minutes', async () => {
    const play = await begin();
    merge(repo, `Fixes #${play.issue}`);
    await turns(cycle, 2, silent);
    expect(statusOf(play)).not.toBe('RESOLVED');
    await turns(cycle, 12, silent);
    expect([statusOf(play), said(play)]).toEqual(['RESOLVED', []]);
  });

  test('says it if GitHub tells a little later', async () => {
    expect(await tellsLater()).toHaveLength(1);
  });

  test.each(['before', 'after'] as const)('says it once if the bridge dies %s the write', async (moment) => {
    expect(await dies(moment)).toHaveLength(1);
  });

  test.each([true, false])('says it once if the answer is lost (took effect: %s)', async (after) => {
    expect(await losesAnswer(after)).toHaveLength(1);
  });

  test('is told from the words of a person that begin alike', async () => {
    const play = await begin();
    const line = 'Fixed by acme/other#7 (https://github.com/acme/other/pull/7).';
    world.tracker.as('bridge-insider').comment(play.bug, `${line}\n\nPlease test it.`);
    await turns();
    expect(world.github.commentsOf(repo, play.issue).map(({ body }) => body)).toEqual([
      expect.stringContaining('Please test it.'),
    ]);
  });

  test('never comes back to GitHub, also after the database was lost', async () => {
    expect(await comesBack()).toEqual([]);
  });
});

/** GitHub answers everything but what closed an issue. */
function silent(): Context {
  const now = context();
  const closer = async () => {
    throw new SideError('later', 'GitHub is out of reach', { side: 'github' });
  };
  return { ...now, github: { ...now.github, closer } };
}

async function tellsLater(run: Turn = cycle): Promise<readonly string[]> {
  const play = await begin(run);
  merge(repo, `Fixes #${play.issue}`);
  await turns(run, 2, silent);
  await turns(run);
  return said(play);
}

const dayMs = 86_400_000;

/** A pull request fixes an issue, and the bridge hears of it two weeks later. Somebody talked about it meanwhile. */
async function comesBackLate(run: Turn = cycle): Promise<readonly string[]> {
  const play = await begin(run);
  merge(repo, `Fixes #${play.issue}`);
  world.clock.advance(14 * dayMs);
  mona().comment(repo, play.issue, 'Thank you.');
  await turns(run);
  return said(play);
}

/** Three issues were fixed long before the bridge begins. It writes to them, so they seem to have changed today. */
async function backfills(run: Turn = cycle): Promise<readonly string[]> {
  for (const title of ['It fails', 'It hangs', 'It leaks'])
    merge(repo, `Fixes #${mona().open(repo, { title, body: 'Always.' })}`);
  world.clock.advance(14 * dayMs);
  await turns(run, 8);
  return world.tracker.bugs().flatMap(({ id }) => said({ bug: id, issue: 0 }));
}

/** The bridge's account linked an open bug to an issue that was fixed long ago. */
async function meetsLate(run: Turn = cycle): Promise<readonly string[]> {
  const bug = world.tracker.as('alice').file({ summary: 'It fails', description: 'Always.' });
  const issue = mona().open(repo, { title: 'It fails', body: 'Always.' });
  world.tracker.as('bridge-insider').change(bug, { see_also: { add: [`https://github.com/${repo}/issues/${issue}`] } });
  world.clock.advance(60_000);
  merge(repo, `Fixes #${issue}`);
  world.clock.advance(14 * dayMs);
  await turns(run, 8);
  return said({ bug, issue });
}

async function namesVault(run: Turn = cycle): Promise<readonly string[]> {
  const play = await begin(run);
  merge(vault, `Fixes ${repo}#${play.issue}`);
  await turns(run);
  return said(play);
}

async function closesAgain(run: Turn = cycle): Promise<readonly string[]> {
  const on = () =>
    contextOn(world, { ...route, direction: 'to-tracker' }, { limits: testLimits, user: 'bridge-insider' });
  const issue = mona().open(repo, { title: 'It fails', body: 'Always.' });
  await turns(run, 4, on);
  const play = { issue, bug: world.tracker.bugs().find(({ product }) => product === 'Widget')?.id ?? 0 };
  merge(repo, `Fixes #${issue}`);
  await turns(run, 4, on);
  world.tracker.as('alice').change(play.bug, { status: 'CONFIRMED' });
  await turns(run, 4, on);
  expect(statusOf(play)).toBe('RESOLVED');
  return said(play);
}

async function comesBack(run: Turn = cycle): Promise<readonly string[]> {
  const play = await begin(run);
  merge(repo, `Fixes #${play.issue}`);
  await turns(run);
  // A new database knows nothing.
  const store = stage().store;
  await turns(run, 6, () => contextOn({ ...world, store }, route, { limits: testLimits, user: 'bridge-insider' }));
  expect(said(play)).toHaveLength(1);
  return world.github.commentsOf(repo, play.issue).map(({ body }) => body);
}

async function dies(moment: 'before' | 'after', run: Turn = cycle): Promise<readonly string[]> {
  const play = await begin(run);
  merge(repo, `Fixes #${play.issue}`);
  await dyingCycle(world, run, { route, limits: testLimits, user: 'bridge-insider', method: 'update', moment });
  await turns(run, 6);
  return said(play);
}

async function losesAnswer(after: boolean, run: Turn = cycle): Promise<readonly string[]> {
  const play = await begin(run);
  merge(repo, `Fixes #${play.issue}`);
  let left = 1;
  world.faults = (side, cost) =>
    side === 'tracker' && cost === 'edit' && left-- > 0 ? { kind: 'drop', after } : { kind: 'none' };
  await turns(run, 8);
  return said(play);
}

type Probe = (run: Turn) => Promise<readonly string[]>;
const faults: readonly (Fault & { readonly name: string; readonly play: Probe; readonly right: number })[] = [
  {
    name: 'a private repository is named',
    file: 'sync/perform/fixed-by.ts',
    from: '!isPrivate || sameName(repo, own)',
    to: 'true',
    play: namesVault,
    right: 0,
  },
  {
    name: 'what was fixed while the bridge was down is not named',
    file: 'sync/perform/fixed-by.ts',
    from: "return typeof agreed === 'string' && isOpenView(agreed) && bug !== null && at > bug.createdAt;",
    to: 'return false;',
    play: comesBackLate,
    right: 1,
  },
  {
    name: 'a backfill names the fix of each closed issue',
    file: 'sync/perform/fixed-by.ts',
    from: 'bug !== null && at > bug.createdAt',
    to: 'bug !== null',
    play: backfills,
    right: 0,
  },
  {
    name: 'a pair that meets for the first time names an old fix',
    file: 'sync/perform/fixed-by.ts',
    from: "typeof agreed === 'string' && isOpenView(agreed) &&",
    to: '',
    play: meetsLate,
    right: 0,
  },
  {
    name: 'it is said again',
    file: 'sync/perform/fixed-by.ts',
    from: 'isRemarked(store.commentLinks.ofLink(link.id), fixedRemark(closer.url)) ? null :',
    to: '',
    play: closesAgain,
    right: 1,
  },
  {
    name: 'it comes back as the words of a person',
    file: 'rules/comments/provenance.ts',
    from: "if (marker?.kind === 'fixed') return",
    to: "if (marker?.kind === 'fixed') return null; else if (false) return",
    play: comesBack,
    right: 0,
  },
];

describe('a planted fault is caught:', () => {
  test.each(faults)('$name', async ({ play, right, ...fault }) => {
    const { cycle: planted }: { cycle: Turn } = await import(`${plant(fault)}/sync/cycle.ts`);
    expect(await play(planted)).not.toHaveLength(right);
  });
});

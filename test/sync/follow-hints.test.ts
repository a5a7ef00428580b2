import { describe, expect, test } from 'vitest';
import type { Context } from '../../src/kernel/context.ts';
import type { Hint } from '../../src/model/control.ts';
import { bugId } from '../../src/model/ids.ts';
import { cycle } from '../../src/sync/cycle.ts';
import { isConcerned } from '../../src/sync/observe/reread.ts';
import { contextOn, repo, type Stage, stage } from '../simulation/stage.ts';
import { testLimits, widgetRoute } from '../support/routes.ts';

/** A pair on two sides whose lists show nothing any more: whatever crosses here, the polls cannot have told. */
async function pair(): Promise<{ world: Stage; context: Context; issue: number }> {
  const world = stage();
  world.tracker.as('alice').file({ summary: 'A bug', description: 'It fails.' });
  const context = contextOn(world, widgetRoute, { limits: testLimits });
  for (let count = 0; count < 3; count += 1) {
    world.clock.advance(61_000);
    await cycle(context, { isForced: false });
  }
  return { world, context: { ...context, ...lagging(context) }, issue: world.github.issues(repo)[0]?.number ?? 0 };
}

function lagging({ tracker, github, clock }: Context): Pick<Context, 'tracker' | 'github'> {
  const changes = async (cursor: string | null) => ({
    items: [],
    comments: [],
    readAt: clock.now(),
    cursor: cursor ?? '',
  });
  return { tracker: { ...tracker, changes }, github: { ...github, changes } };
}

const ofIssue = (ref: number, isThread = false): Hint => ({ side: 'github', ref, repo, isThread });
const ofBug = (ref: number): Hint => ({ side: 'tracker', ref, repo: null, isThread: false });

async function hinted(
  { world, context }: { world: Stage; context: Context },
  ...hints: Hint[]
): Promise<readonly string[]> {
  world.clock.advance(5_000);
  const { operations } = await cycle(context, { isForced: false, hints });
  return operations.map(({ kind, on }) => `${kind} ${on}`);
}

describe('a hint', () => {
  test('about a changed issue carries the change over although the lists lag', async () => {
    const set = await pair();
    set.world.github.as('mona').edit(repo, set.issue, { title: 'A better title' });
    expect(await hinted(set)).toEqual([]);
    expect(await hinted(set, ofIssue(set.issue))).toEqual(['update tracker']);
    expect(set.world.tracker.bug(1)?.summary).toBe('A better title');
  });

  test('about a changed bug carries the change over, comment and all', async () => {
    const set = await pair();
    const alice = set.world.tracker.as('alice');
    alice.change(1, { severity: 'major' });
    alice.comment(1, 'It fails on Mondays too.');
    expect(await hinted(set, ofBug(1))).toEqual(expect.arrayContaining(['update github', 'comment github']));
  });

  test('about a new comment, and about an edited one, carries it over', async () => {
    const set = await pair();
    const mona = set.world.github.as('mona');
    const comment = mona.comment(repo, set.issue, 'Which version?');
    expect(await hinted(set, ofIssue(set.issue, true))).toEqual(['comment tracker']);
    mona.editComment(repo, comment, 'Which version, and which build?');
    expect(await hinted(set, ofIssue(set.issue, true))).toEqual(['comment tracker']);
  });

  test('is one of thousands: a cycle reads a hundred items, those of pairs first, and leaves the others to the poll', async () => {
    const set = await pair();
    const { world } = set;
    world.tracker.hide(1);
    world.github.as('mona').edit(repo, set.issue, { title: 'A better title' });
    const flood = Array.from({ length: 4_000 }, (_, index) => [ofIssue(10 + index), ofBug(10 + index)]).flat();
    const before = world.calls.length;
    await hinted(set, ...flood, ofIssue(set.issue), ofBug(1));
    expect(world.calls.slice(before).filter(({ method }) => method === 'probe').length).toBeLessThanOrEqual(100);
    expect(world.github.issue(repo, set.issue)?.title).not.toMatch(/A b/u);
  });

  test('about a comment that was edited twice tells what changed since the tracker was told, not since the last edit', async () => {
    const set = await pair();
    const mona = set.world.github.as('mona');
    const comment = mona.comment(repo, set.issue, 'Does it fail in version one as well as in the others?');
    await hinted(set, ofIssue(set.issue, true));
    mona.editComment(repo, comment, 'Does it fail in version two as well as in the others?');
    mona.editComment(repo, comment, 'Does it fail in version two as well as in all others?');
    await hinted(set, ofIssue(set.issue, true));
    // What is reported has to show on the tracker first; no poll tells here, so it is looked for when its time has
    // come.
    set.world.clock.advance(600_000);
    await hinted(set);
    await hinted(set);
    const said = set.world.tracker.commentsOf(1).at(-1)?.text;
    expect(said).toContain('in version [-…-]{+two+} as well as in [-…-]{+all+} others?');
  });

  test('about a deleted comment has the thread read, so that its copy is left for good', async () => {
    const set = await pair();
    const mona = set.world.github.as('mona');
    const comment = mona.comment(repo, set.issue, 'Which version?');
    await hinted(set, ofIssue(set.issue, true));
    mona.deleteComment(repo, comment);
    set.world.clock.advance(600_000);
    await hinted(set, ofIssue(set.issue, true));
    const link = set.world.store.links.byBug(bugId(1));
    const commentLinks = link === null ? [] : set.world.store.commentLinks.ofLink(link.id);
    expect(commentLinks.filter(({ source }) => source === comment).map(({ state }) => state)).toEqual(['gone']);
  });

  test('about a new bug and a new issue makes their counterparts', async () => {
    const set = await pair();
    const bug = set.world.tracker.as('alice').file({ summary: 'Another', description: 'Always.' });
    const issue = set.world.github.as('mona').open(repo, { title: 'A third', body: 'Never.' });
    const done = await hinted(set, ofBug(bug), ofIssue(issue));
    expect(done).toEqual(expect.arrayContaining(['create github', 'create tracker']));
  });

  test('about a deleted issue buries its link, which no poll would tell', async () => {
    const set = await pair();
    set.world.github.as('mona').deleteIssue(repo, set.issue);
    await hinted(set, ofIssue(set.issue));
    expect(set.world.store.links.byBug(bugId(1))).toMatchObject({ state: 'tombstone' });
  });

  test('that is repeated, late or about nothing asks a little and writes nothing', async () => {
    const set = await pair();
    const wrong = [ofBug(1), ofBug(1), ofIssue(set.issue, true), ofBug(4711), ofIssue(4711)];
    expect(await hinted(set, ...wrong)).toEqual([]);
    const probes = set.world.calls.filter(({ method }) => method === 'probe');
    expect(probes).toHaveLength(4);
    expect(await hinted(set)).toEqual([]);
  });
});

test('a hint concerns the route of its link, of its repository, and every route while it has none', async () => {
  const { context } = await pair();
  const other = { ...context, route: { ...widgetRoute, name: 'other', repo: 'other' } };
  expect(
    [ofBug(1), ofBug(2), ofIssue(1), { ...ofIssue(1), repo: 'ACME/Widget' }].map((hint) => isConcerned(context, hint)),
  ).toEqual([true, true, true, true]);
  expect([ofBug(1), ofBug(2), ofIssue(1)].map((hint) => isConcerned(other, hint))).toEqual([false, true, false]);
});

describe('hints about bugs that our account is not shown', () => {
  const quarterMs = 15 * 60_000;
  const probes = (world: Stage): number =>
    world.calls.filter(({ side, method }) => side === 'tracker' && method === 'probe').length;

  async function noisy(count: number): Promise<{ set: { world: Stage; context: Context }; bugs: readonly number[] }> {
    const set = await pair();
    const alice = set.world.tracker.as('alice');
    const bugs = Array.from({ length: count }, (_none, index) =>
      alice.file({ summary: `Canary ${index}`, description: 'Canary.', groups: ['security'] }),
    );
    return { set, bugs };
  }

  test('cost one look for all routes and wake none, until a quarter of an hour is over', async () => {
    const { set, bugs } = await noisy(1);
    const hint = ofBug(bugs[0] ?? 0);
    const other = { ...set.context, route: { ...widgetRoute, name: 'other', repo: 'other' } };
    await hinted(set, hint);
    await hinted({ ...set, context: other }, hint);
    expect(probes(set.world)).toBe(1);
    expect([isConcerned(set.context, hint), isConcerned(other, hint)]).toEqual([false, false]);
    set.world.clock.advance(quarterMs);
    expect(isConcerned(set.context, hint)).toBe(true);
    await hinted(set, hint);
    expect(probes(set.world)).toBe(2);
  });

  test('cost twenty probes a quarter of an hour, however many bugs they name, and leave the probes of pairs', async () => {
    const { set, bugs } = await noisy(60);
    for (const bug of bugs) await hinted(set, ofBug(bug));
    expect(probes(set.world)).toBe(20);
    set.world.tracker.as('alice').change(1, { severity: 'major' });
    expect(isConcerned(set.context, ofBug(1))).toBe(true);
    expect(await hinted(set, ofBug(1))).toEqual(['update github']);
  });

  test('do not keep a bug back that becomes public: the next poll brings it, and its hints count again', async () => {
    const { set, bugs } = await noisy(1);
    const [bug = 0] = bugs;
    await hinted(set, ofBug(bug));
    set.world.tracker.as('alice').change(bug, { groups: { remove: ['security'] } });
    const polling = contextOn(set.world, widgetRoute, { limits: testLimits });
    const context = { ...polling, unreadable: set.context.unreadable };
    expect(await hinted({ ...set, context }, ofBug(bug))).toContain('create github');
    expect(isConcerned(context, ofBug(bug))).toBe(true);
  });

  test('of a pair that was withdrawn are left likewise, and the poll brings it back', async () => {
    const set = await pair();
    const admin = set.world.tracker.as('admin');
    admin.change(1, { groups: { add: ['security'] } });
    for (let count = 0; count < 5; count += 1) await hinted(set, ofBug(1));
    expect([probes(set.world), set.world.github.issues(repo)[0]?.title]).toEqual([1, 'Bug 1 is not public']);
    admin.change(1, { groups: { remove: ['security'] } });
    const polling = contextOn(set.world, widgetRoute, { limits: testLimits });
    for (let count = 0; count < 4; count += 1)
      await hinted({ ...set, context: { ...polling, unreadable: set.context.unreadable } });
    expect(set.world.github.issues(repo)[0]?.title).toBe('A bug');
  });
});

import { describe, expect, test } from 'vitest';
import type { Context } from '../../src/kernel/context.ts';
import type { Decision } from '../../src/model/control.ts';
import { otherSide, type Side } from '../../src/model/ids.ts';
import type { Route } from '../../src/model/route.ts';
import { cycle } from '../../src/sync/cycle.ts';
import { decide } from '../../src/sync/decide-by-hand.ts';
import { contextOn, repo, type Stage, stage } from '../simulation/stage.ts';
import { testLimits, widgetRoute } from '../support/routes.ts';

const asking: Route = { ...widgetRoute, conflicts: 'ask' };

interface Set {
  readonly world: Stage;
  readonly context: Context;
  readonly issue: number;
}

async function cycles({ world, context }: Omit<Set, 'issue'>, count = 2): Promise<number> {
  let written = 0;
  for (let index = 0; index < count; index += 1) {
    world.clock.advance(61_000);
    written += (await cycle(context, { isForced: false })).applied;
  }
  return written;
}

/** Bug 1 and its issue, whose titles were changed on both sides, differently. */
async function torn(route: Route = asking): Promise<Set> {
  const world = stage();
  world.tracker.as('alice').file({ summary: 'A bug', description: 'It fails.' });
  const context = contextOn(world, route, { limits: testLimits });
  await cycles({ world, context }, 3);
  const issue = world.github.issues(repo)[0]?.number ?? 0;
  world.tracker.as('alice').change(1, { summary: "The tracker's" });
  world.github.as('mona').edit(repo, issue, { title: "GitHub's" });
  await cycles({ world, context });
  return { world, context, issue };
}

const titles = ({ world, issue }: Set) => [world.tracker.bug(1)?.summary, world.github.issue(repo, issue)?.title];
const conflicts = ({ world }: Set) => world.store.findings.ofRoute('widget', 9).conflicts;

function decisionOf(set: Set, keep: Side, change: Partial<Decision> = {}): Decision {
  const [conflict] = conflicts(set);
  if (conflict === undefined) throw new Error('there is no conflict');
  const { link, field, tracker, github } = conflict;
  return { link, field, tracker, github, keep, ...change };
}

describe('a conflict that a person decides', () => {
  test.each<[Side, string]>([
    ['tracker', "The tracker's"],
    ['github', "GitHub's"],
  ])('for %s is carried over once, leaves both sides quiet, and keeps what lost in the ledger', async (keep, title) => {
    const set = await torn();
    expect(titles(set)).toEqual(["The tracker's", "GitHub's"]);
    expect(decide(set.context, decisionOf(set, keep))).toBeNull();
    expect(await cycles(set)).toBe(1);
    expect([titles(set), conflicts(set)]).toEqual([[title, title], []]);
    expect(await cycles(set)).toBe(0);
    const [line] = set.world.store.ledger.latest('widget', 9).filter(({ kind }) => kind === 'conflict');
    expect(line?.detail).toMatchObject({
      field: 'title',
      keep,
      kept: title,
      lost: keep === 'tracker' ? "GitHub's" : "The tracker's",
    });
  });

  test('is asked about again when the side that loses is changed before it is written', async () => {
    const set = await torn();
    expect(decide(set.context, decisionOf(set, 'tracker'))).toBeNull();
    set.world.github.as('mona').edit(repo, set.issue, { title: 'A third' });
    await cycles(set);
    expect(titles(set)).toEqual(["The tracker's", 'A third']);
    expect(conflicts(set)).toMatchObject([{ field: 'title', github: 'A third', kept: null }]);
  });

  test.each<[string, Partial<Decision>, string]>([
    ['other values than those that stand', { github: 'Something else' }, 'the values have changed meanwhile'],
    ['a field without a conflict', { field: 'status' }, 'no longer open'],
  ])('about %s is not decided', async (_name, change, why) => {
    const set = await torn();
    expect(decide(set.context, decisionOf(set, 'tracker', change))).toContain(why);
    expect(await cycles(set)).toBe(0);
    expect(titles(set)).toEqual(["The tracker's", "GitHub's"]);
  });

  test('twice is decided once', async () => {
    const set = await torn();
    const decision = decisionOf(set, 'github');
    expect(decide(set.context, decision)).toBeNull();
    await cycles(set);
    expect(decide(set.context, { ...decision, keep: 'tracker' })).toContain('no longer open');
    expect(await cycles(set)).toBe(0);
  });

  test('is not decided against a side that the route never writes', async () => {
    const set = await torn();
    for (const keep of ['tracker', 'github'] as const) {
      const direction = otherSide(keep) === 'tracker' ? 'to-github' : 'to-tracker';
      expect(decide({ ...set.context, route: { ...asking, direction } }, decisionOf(set, keep))).toContain(
        'never writes',
      );
    }
  });

  test('on first contact, where nothing was agreed yet, is decided like any other', async () => {
    const world = stage();
    const issue = world.github.as('mona').open(repo, { title: "GitHub's", body: 'It fails.' });
    const bug = world.tracker.as('alice').file({ summary: "The tracker's", description: 'It fails.' });
    world.tracker.as('bridge').change(bug, { see_also: { add: [`https://github.com/${repo}/issues/${issue}`] } });
    const set = { world, context: contextOn(world, asking, { limits: testLimits }), issue };
    await cycles(set, 4);
    expect(conflicts(set).map(({ field, kept }) => [field, kept])).toEqual([['title', null]]);
    expect(decide(set.context, decisionOf(set, 'github'))).toBeNull();
    await cycles(set);
    expect([titles(set), conflicts(set)]).toEqual([["GitHub's", "GitHub's"], []]);
    expect(await cycles(set)).toBe(0);
  });
});

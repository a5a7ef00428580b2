import { describe, expect, test } from 'vitest';
import { setAsideOf } from '../../src/explain/set-aside.ts';
import type { Context } from '../../src/kernel/context.ts';
import type { Route } from '../../src/model/route.ts';
import { cycle } from '../../src/sync/cycle.ts';
import { contextOn, repo, type Stage, stage } from '../simulation/stage.ts';
import { type Fault, plant } from '../support/plant.ts';
import { testLimits, widgetRoute } from '../support/routes.ts';

/** I11, for our own faults: a throw while one item is at work costs that item and nothing else. */
const route: Route = { ...widgetRoute, visibilityCheck: 'anonymous' };

const poison = 'POISON';

interface Planted extends Fault {
  readonly name: string;
}

/** The piece of code, preceded by a throw where what it works on says POISON. */
const throwing = (name: string, file: string, from: string, about: string): Planted => ({
  name,
  file,
  from,
  to: `if (JSON.stringify(${about} ?? null).includes('${poison}')) throw new RangeError('it says ${poison}');\n${from}`,
});

const stages: readonly Planted[] = [
  throwing(
    'an item is stored',
    'sync/observe/observe-items.ts',
    'const said = from.length > 0 ? null : claimOf(route, item, session.own);',
    'item',
  ),
  throwing(
    'a thread is stored',
    'sync/observe/observe-thread.ts',
    "const isTooEarly = side === 'github' && thread.isWhole",
    'thread.comments',
  ),
  throwing('a body is read', 'sync/observe/read-threads.ts', 'const body = readBody(route, link, issue,', 'link'),
  throwing(
    'visibility is recorded',
    'sync/withdraw/check-visibility.ts',
    'const check = { at: clock.now(), of: bugDigest(bug) };',
    'bug',
  ),
  throwing('it is compared with what is known', 'sync/observe/observe-items.ts', 'const lagMs = item.kind', 'item'),
  throwing(
    'it is asked whether to read its thread',
    'sync/observe/read-threads.ts',
    'if (tracker === null || tracker.isPrivate || state',
    'tracker',
  ),
  throwing(
    'it is asked whether it is public',
    'sync/withdraw/check-visibility.ts',
    "if (link === null || link.state !== 'live' || link.tracker === null",
    'link',
  ),
  throwing('it is digested', 'rules/privacy/gate.ts', 'const { dupeOf, seeAlso, dependsOn = []', 'bug'),
  throwing(
    'what planning needs is read',
    'sync/observe/select.ts',
    "const target = link.github?.reason === 'duplicate' ?",
    'link',
  ),
  throwing('it is planned', 'rules/plan/plan.ts', "if (link.state !== 'live') return nothing;", 'link'),
  throwing(
    'it is written',
    'sync/perform/operations/performing.ts',
    'const why = whyInVain(context, operation);',
    'link',
  ),
  throwing(
    'a text is rendered',
    'sync/perform/operations/comment.ts',
    'const rendering = render(context.route, textInputOf(context, link, commentLink), operation);',
    'commentLink',
  ),
];

/** Whether a pair is public, and what its threads hold, is looked at in each cycle nevertheless. */
const looked = ['sync/withdraw/check-visibility.ts', 'sync/observe/read-threads.ts', 'rules/privacy/gate.ts'];

type Cycle = typeof cycle;

async function cycleWith(fault: Planted): Promise<Cycle> {
  const { cycle: faulty }: { cycle: Cycle } = await import(`${plant(fault)}/sync/cycle.ts`);
  return faulty;
}

async function run(world: Stage, turn: Cycle, cycles = 4, change: Partial<Context> = {}): Promise<void> {
  const context = { ...contextOn(world, route, { limits: { ...testLimits, brakeShare: 1 } }), ...change };
  for (let index = 0; index < cycles; index += 1) {
    world.clock.advance(61_000);
    await turn(context, { isForced: false });
  }
}

const titles = ({ github }: Stage): readonly string[] => github.issues(repo).map(({ title }) => title);
const aside = ({ store }: Stage): readonly string[] =>
  setAsideOf(store, route).map(({ about, stage: at }) => `${about}: ${at}`);
const file = ({ tracker }: Stage, summary: string, description = 'It leaks.') =>
  tracker.as('alice').file({ summary, description });

describe.each(stages)('a throw when $name', (fault) => {
  test('costs that item and nothing else, until it changes', async () => {
    const turn = await cycleWith(fault);
    const world = stage();
    for (const word of ['One', poison, 'Two']) file(world, `${word} kettle`, `${word} leaks.`);
    world.tracker.as('alice').change(2, { comment: { body: `${poison} too` } });
    world.github.as('mona').open(repo, { title: 'A pan', body: 'Hot.' });
    await run(world, turn);
    expect(titles(world)).toEqual(expect.arrayContaining(['One kettle', 'Two kettle', 'A pan']));
    expect(world.tracker.bug(4)?.summary).toBe('A pan');
    expect(aside(world)).toEqual([expect.stringMatching(/^bug 2\b/u)]);
    // What the error quotes stays out of everything that is told.
    expect(JSON.stringify(setAsideOf(world.store, route))).not.toContain(`says ${poison}`);
    const before = world.store.setAside.ofRoute(route.name);
    await run(world, turn, 2);
    if (!looked.includes(fault.file)) expect(world.store.setAside.ofRoute(route.name)).toEqual(before);
    await run(world, cycle, 3, { version: '0.0.1' });
    expect(aside(world)).toEqual([]);
    expect(titles(world)).toContain(`${poison} kettle`);
  });

  test('keeps nothing on GitHub that became private', async () => {
    const turn = await cycleWith(fault);
    const world = stage();
    for (const word of ['One', 'Two', 'Three']) file(world, `${word} kettle`);
    await run(world, cycle);
    world.tracker.as('alice').change(2, { summary: `${poison} secret`, comment: { body: `${poison} too` } });
    await run(world, turn, 2);
    world.tracker.as('admin').change(2, { groups: { add: ['security'] } });
    world.tracker.as('alice').change(3, { summary: 'Three pots' });
    await run(world, turn, 3);
    expect(titles(world)).not.toContain('Two kettle');
    expect(titles(world).join()).not.toContain('secret');
    expect(titles(world)).toContain('Three pots');
  });
});

/** I4: what could not be recorded, or be read afterwards, was made all the same. */
test.each([
  throwing('', 'sync/perform/operations/create.ts', 'const answered = fieldsOn(context, seen, operation.on);', 'item'),
  throwing('', 'sync/perform/operations/create.ts', 'const copied = withMentions(context, link, made, body);', 'item'),
  throwing('', 'sync/perform/record.ts', 'const deviates = namesIn(target).filter(', 'target'),
  throwing('', 'text/marker.ts', 'const match = /<!-- bugferry:1 (\\S+) bug=(\\d+)(?: comment=', 'body'),
])('a throw in $file makes no second counterpart', async (fault) => {
  const turn = await cycleWith(fault);
  const world = stage();
  for (const word of ['One', poison, 'Two']) {
    file(world, `${word} kettle`, `${word} leaks.`);
    world.github.as('mona').open(repo, { title: `${word} pan`, body: `${word} is hot.` });
  }
  for (let change = 0; change < 4; change += 1) {
    await run(world, turn, 3);
    world.tracker.as('alice').change(2, { summary: `${poison} kettle ${change}` });
    world.github.as('mona').edit(repo, 2, { title: `${poison} pan ${change}` });
    world.clock.advance(1_800_000);
  }
  await run(world, cycle, 4, { version: '0.0.1' });
  const expected = ['One', poison, 'Two'].flatMap((word) => [`${word} kettle`, `${word} pan`]);
  const found = (all: readonly string[]) => all.map((title) => title.replace(/ \d$/u, '')).sort();
  expect(found(titles(world))).toEqual(expected.toSorted());
  expect(found(world.tracker.bugs().map(({ summary }) => summary))).toEqual(expected.toSorted());
  expect(aside(world)).toEqual([]);
});

test('a throw while a withdrawal is decided leaves all others withdrawn', async () => {
  const turn = await cycleWith(
    throwing('', 'rules/privacy/gate.ts', 'const { state, frozenBy, reason, tracker, visibility } = link;', 'link'),
  );
  const world = stage();
  for (const word of [poison, 'One', 'Two']) file(world, `${word} kettle`);
  await run(world, cycle);
  for (const bug of [1, 2, 3]) world.tracker.as('admin').change(bug, { groups: { add: ['security'] } });
  await run(world, turn, 3);
  expect(titles(world)).toEqual([`${poison} kettle`, 'Bug 2 is not public', 'Bug 3 is not public']);
  await run(world, cycle, 2, { version: '0.0.1' });
  expect(titles(world)).not.toContain(`${poison} kettle`);
});

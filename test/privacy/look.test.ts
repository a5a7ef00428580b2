import { describe, expect, test } from 'vitest';
import type { Context } from '../../src/kernel/context.ts';
import { bugId } from '../../src/model/ids.ts';
import { SideError } from '../../src/model/outcome.ts';
import type { Route } from '../../src/model/route.ts';
import type { LookAsk } from '../../src/model/survey.ts';
import { cycle } from '../../src/sync/cycle.ts';
import { lookTurns } from '../../src/sync/observe/recheck-mirrored.ts';
import { inheritDoubts } from '../../src/sync/settle/settle.ts';
import { sweep } from '../../src/sync/sweep.ts';
import { contextOn, repo, type Stage, stage } from '../simulation/stage.ts';
import { type Fault, plant } from '../support/plant.ts';
import { branchRule, testLimits, widgetRoute } from '../support/routes.ts';
import { sample } from '../tiers/depth.ts';

/** I9. What no list of changes shows: a bug that becomes secret, or leaves the product, without anything else. */
const checking: Route = { ...widgetRoute, visibilityCheck: 'anonymous' };

interface World {
  readonly stage: Stage;
  readonly context: Context;
  run(count?: number): Promise<void>;
}

interface Options {
  readonly bugs?: number;
  readonly route?: Route;
  readonly user?: string;
  /** What the tracker returns at once. */
  readonly most?: number;
  readonly turn?: typeof cycle;
}

/** Mirrored bugs, the later ones changed later, and a tracker at rest. */
async function mirrored({
  bugs = 3,
  route = checking,
  user = 'bridge',
  most = 10_000,
  turn = cycle,
}: Options = {}): Promise<World> {
  const world = stage();
  world.tracker.state.maxSearchResults = most;
  for (let index = 0; index < bugs; index += 1) {
    world.clock.advance(1_000);
    world.tracker.as('alice').file({ summary: `Kettle ${index}`, description: 'It leaks.' });
  }
  const context = contextOn(world, route, { limits: { ...testLimits, writesPerCycle: 5_000, brakeShare: 0.3 }, user });
  const run = async (count = 1) => {
    for (let index = 0; index < count; index += 1) {
      world.clock.advance(61_000);
      await turn(context, { isForced: false });
    }
  };
  await run(6);
  expect(world.github.issues(repo)).toHaveLength(bugs);
  return { stage: world, context, run };
}

/** Changes a bug as a script in the tracker's database does: nothing else shows it, not even its time. */
function silently(
  { tracker }: Stage,
  bug: number,
  change: { readonly groups?: string[]; readonly product?: string },
): void {
  const found = tracker.state.bugs.get(bug);
  if (found !== undefined) tracker.state.bugs.set(bug, { ...found, ...change });
}

const issueOf = ({ store, github }: Stage, bug: number) =>
  github.issues(repo).find(({ number }) => number === store.links.byBug(bugId(bug))?.issue);
const isWithdrawn = (world: Stage, bug: number): boolean => issueOf(world, bug)?.title === `Bug ${bug} is not public`;
const saysMoved = (world: Stage, bug: number): boolean =>
  issueOf(world, bug)?.body.includes('moved to product Gadget') === true;
const standing = (world: Stage): number =>
  world.github.issues(repo).filter(({ title }) => title.startsWith('Kettle')).length;
const asked = ({ calls }: Stage): readonly string[] =>
  calls.flatMap(({ side, method }) => (side === 'tracker' ? [method] : []));

/** How many cycles pass until the issue of the bug is withdrawn. */
async function cyclesUntilWithdrawn({ stage: world, run }: World, bug: number, most: number): Promise<number> {
  for (let count = 1; count <= most; count += 1) {
    await run();
    if (isWithdrawn(world, bug)) return count;
  }
  return Number.POSITIVE_INFINITY;
}

const none = widgetRoute;

describe('a bug is withdrawn in the next cycle', () => {
  const ways: readonly (readonly [string, (world: Stage) => void])[] = [
    ['becomes secret without anything else', (world) => silently(world, 1, { groups: ['security'] })],
    ['moves to a secret product', (world) => silently(world, 1, { product: 'Gadget', groups: ['security'] })],
    ['becomes secret', (world) => world.tracker.hide(1)],
  ];
  const accounts = [
    ['that sees little, asked for by the anonymous reader', { user: 'bridge', route: checking }],
    ['that sees all, asked for by the anonymous reader', { user: 'bridge-insider', route: checking }],
    ['that sees little', { user: 'bridge', route: none }],
    ['that sees all', { user: 'bridge-insider', route: none }],
  ] as const;
  test.each(ways.flatMap(([way, act]) => accounts.map(([account, options]) => [way, account, act, options] as const)))(
    'that %s, with an account %s',
    async (_way, _account, act, options) => {
      const world = await mirrored(options);
      act(world.stage);
      expect(await cyclesUntilWithdrawn(world, 1, 3)).toBe(1);
      expect(standing(world.stage)).toBe(2);
    },
  );

  test.each(accounts)(
    'but one that only moved to another public product keeps its words, with an account %s',
    async (_account, options) => {
      const { stage: world, run } = await mirrored(options);
      silently(world, 1, { product: 'Gadget' });
      await run(3);
      expect([saysMoved(world, 1), standing(world), issueOf(world, 1)?.isLocked]).toEqual([true, 3, false]);
    },
  );

  test('also on a route that a person has paused', async () => {
    const { stage: world, run } = await mirrored();
    world.store.pauses.save('widget', { at: world.clock.now(), why: null });
    silently(world, 1, { groups: ['security'] });
    await run();
    expect(isWithdrawn(world, 1)).toBe(true);
  });
});

/** How many of the secret bugs stand, of two, while the tracker never answers our account about these. */
async function standingSecrets(unread: readonly number[], options: Options = {}): Promise<number> {
  const { stage: world, context } = await mirrored({ ...options, bugs: 10 });
  const probe = async (bug: number) => {
    if (unread.includes(bug)) throw new SideError('later', 'an internal error', { side: 'tracker' });
    return context.tracker.probe(bug);
  };
  const broken = { ...context, tracker: { ...context.tracker, probe } };
  for (const bug of [2, 5]) silently(world, bug, { groups: ['security'] });
  for (let count = 0; count < 2; count += 1) {
    world.clock.advance(61_000);
    await (options.turn ?? cycle)(broken, { isForced: false });
  }
  return [2, 5].filter((bug) => !isWithdrawn(world, bug)).length;
}

describe('a bug about which the tracker never answers our account', () => {
  test('is withdrawn when everybody is told that it is hidden', async () => {
    expect(await standingSecrets([2])).toBe(0);
  });

  test('stays missed without an anonymous reader, and takes no turn of a later one', async () => {
    expect(await standingSecrets([2], { route: none })).toBe(1);
  });

  test('stops the route with two others before any answer, as a tracker that is down does', async () => {
    const { stage: world, context } = await mirrored({ bugs: 10, route: none });
    const probe = async () => Promise.reject(new SideError('later', 'an internal error', { side: 'tracker' }));
    for (const bug of [2, 5, 7]) silently(world, bug, { groups: ['security'] });
    world.clock.advance(61_000);
    await expect(cycle({ ...context, tracker: { ...context.tracker, probe } }, { isForced: false })).rejects.toThrow(
      'internal error',
    );
    expect(world.store.looks.missed('widget')).toHaveLength(3);
  });
});

/** The bugs that are written to, if people answered on all issues, and most of the bugs moved and cannot be read. */
async function writtenUnsettled(
  turn: typeof cycle = cycle,
  Failure: typeof SideError = SideError,
): Promise<readonly unknown[]> {
  const { stage: world, context } = await mirrored({ route: none, turn, bugs: 12 });
  const probe = async () => {
    throw new Failure('later', 'an internal error', { side: 'tracker' });
  };
  // Once some failed, a cycle asks for a few of them only.
  for (let bug = 1; bug <= 11; bug += 1) silently(world, bug, { product: 'Gadget' });
  for (let bug = 1; bug <= 12; bug += 1)
    world.github.as('mona').comment(repo, issueOf(world, bug)?.number ?? 0, 'Mine leaks, too.');
  const before = world.calls.length;
  for (let count = 0; count < 3; count += 1) {
    world.clock.advance(61_000);
    await turn({ ...context, tracker: { ...context.tracker, probe } }, { isForced: false }).catch(
      (failure: unknown) => {
        if (!(failure instanceof Failure)) throw failure;
      },
    );
  }
  expect(world.store.looks.missed('widget')).toHaveLength(11);
  return world.calls
    .slice(before)
    .flatMap(({ side, method, args: [bug] }) => (side === 'tracker' && method === 'comment' ? [bug] : []));
}

test('for a bug that a look missed, nothing is written until it is known what became of it, and others do not wait', async () => {
  expect(await writtenUnsettled()).toEqual([12]);
});

/**
 * What is written for all bugs of a route that moved together, after somebody answered on GitHub; and whether the sweep
 * has their issues say so.
 */
async function writtenMoved(
  turn: typeof cycle = cycle,
): Promise<{ readonly written: readonly string[]; readonly isSaid: boolean }> {
  const { stage: world, context, run } = await mirrored({ route: none, turn });
  for (const bug of [1, 2, 3]) silently(world, bug, { product: 'Gadget' });
  world.github.as('mona').comment(repo, issueOf(world, 1)?.number ?? 0, 'Mine leaks, too.');
  const before = world.calls.length;
  await run(2);
  const written = world.calls
    .slice(before)
    .flatMap(({ method }) => (['comment', 'update', 'rewrite'].includes(method) ? [method] : []));
  await sweep(context, { isForced: true });
  await run(4);
  return { written, isSaid: [1, 2, 3].every((bug) => saysMoved(world, bug)) };
}

test('for bugs that moved together, nothing is written until the full comparison has seen them', async () => {
  expect(await writtenMoved()).toEqual({ written: [], isSaid: true });
});

/**
 * The titles sent to GitHub after the process died before it made two issues, and the second bug became secret without
 * anything else.
 */
async function publishedLate(change: Parameters<typeof silently>[2]): Promise<readonly string[]> {
  const { stage: world, context, run } = await mirrored({ route: none, user: 'bridge-insider' });
  const { promise: death, resolve: die } = Promise.withResolvers<void>();
  const create = async () => {
    die();
    return await new Promise<never>(() => undefined);
  };
  for (const summary of ['Sooner', 'Later'])
    world.tracker.as('alice').file({ summary, description: 'It leaks as well.' });
  world.clock.advance(61_000);
  void cycle({ ...context, github: { ...context.github, create } }, { isForced: false });
  await death;
  inheritDoubts(context);
  silently(world, 5, change);
  const before = world.calls.length;
  await run(2);
  return world.calls
    .slice(before)
    .flatMap(({ method, args: [draft] }) => (method === 'create' ? [Object(draft).title] : []));
}

test.each([{ product: 'Gadget' }, { groups: ['security'] }])(
  'a bug whose issue is planned is looked at as well: %o',
  async (change) => {
    expect(await publishedLate({})).toContain('Later');
    expect(await publishedLate(change)).not.toContain('Later');
  },
);

/** Of 25 that the tracker returns at once, two are those that changed last. */
const [bugs, perLook] = [60, 23];
const lapMax = Math.ceil(bugs / perLook) + 1;

/** The most cycles that any of these bugs stands, if each becomes secret at another moment. */
async function slowest(turn: typeof cycle = cycle): Promise<number> {
  const world = await mirrored({ bugs, most: 25, turn });
  let most = 0;
  for (const bug of [1, 24, 25, 46, 47, 58]) {
    silently(world.stage, bug, { groups: ['security'] });
    most = Math.max(most, await cyclesUntilWithdrawn(world, bug, lapMax + 1));
  }
  return most;
}

/** GitHub does not show the issue of a hidden bug for some time, and no look is due when it shows it again. */
async function shownAgain(options: Options, gone: 'before' | 'half', turn: typeof cycle = cycle): Promise<World> {
  const world = await mirrored({ ...options, turn });
  const { github, tracker } = world.stage;
  const issue = issueOf(world.stage, 1)?.number ?? 0;
  tracker.as('alice').comment(1, 'Kettle words.');
  await world.run(2);
  if (gone === 'before') github.setHidden(repo, issue, true);
  tracker.hide(1);
  world.stage.between = (side, method) => {
    if (side === 'github' && method === 'erase') github.setHidden(repo, issue, true);
  };
  await world.run(2);
  world.stage.between = () => undefined;
  github.setHidden(repo, issue, false);
  github.as('mona').label(repo, issue, 'odd');
  const { lookTurns: turns } = world.context;
  for (let count = 0; count < 3; count += 1) {
    world.stage.clock.advance(61_000);
    await turn({ ...world.context, lookTurns: { ...turns, isDue: () => false } }, { isForced: false });
  }
  return world;
}

test.each([
  ['before it was withdrawn', 'before', { route: none }],
  ['while it was withdrawn', 'half', { route: none }],
  ['before it was withdrawn, read without an account', 'before', { route: checking }],
  ['while it was withdrawn, read without an account', 'half', { route: checking }],
  ['while it was withdrawn, for an account that sees all', 'half', { route: none, user: 'bridge-insider' }],
] as const)(
  'an issue that vanished %s, and is there again, shows nothing of its hidden bug',
  async (_name, gone, options) => {
    const { stage: world } = await shownAgain(options, gone);
    const { github } = world;
    expect(isWithdrawn(world, 1)).toBe(true);
    expect(JSON.stringify(github.commentsOf(repo, issueOf(world, 1)?.number ?? 0))).not.toContain('Kettle');
  },
);

test.each([none, checking])(
  'an issue that vanished, and is there again, goes on with its public bug',
  async (route) => {
    const world = await mirrored({ route });
    const issue = issueOf(world.stage, 1)?.number ?? 0;
    world.stage.github.setHidden(repo, issue, true);
    world.stage.tracker.as('alice').change(1, { summary: 'Kettle, new' });
    await world.run(2);
    world.stage.github.setHidden(repo, issue, false);
    world.stage.github.as('mona').label(repo, issue, 'odd');
    await world.run(2);
    expect(issueOf(world.stage, 1)).toMatchObject({ title: 'Kettle, new', isLocked: false });
  },
);

describe('with more bugs than one look takes', () => {
  test('each has its turn within a lap', async () => {
    expect(await slowest()).toBeLessThanOrEqual(lapMax);
  });

  test('those that changed last have theirs each time', async () => {
    const world = await mirrored({ bugs, most: 25 });
    for (const bug of [bugs, bugs - 1]) {
      silently(world.stage, bug, { groups: ['security'] });
      expect(await cyclesUntilWithdrawn(world, bug, 2)).toBe(1);
    }
  });

  test('it is known since when all were looked at', async () => {
    const { stage: world, run } = await mirrored({ bugs, most: 25 });
    await run(3);
    const age = world.clock.now() - (world.store.looks.oldestAt('anonymous') ?? 0);
    expect(age / 61_000).toBeLessThanOrEqual(lapMax);
  });

  test('the look goes on where a process before it ended', async () => {
    const world = await mirrored({ bugs, most: 25 });
    silently(world.stage, 50, { groups: ['security'] });
    for (let count = 0; count < lapMax; count += 1) {
      world.stage.clock.advance(61_000);
      await cycle(contextOn(world.stage, checking, { limits: testLimits }), { isForced: false });
    }
    expect(isWithdrawn(world.stage, 50)).toBe(true);
  });
});

/** Whether it is noticed that the anonymous reader is shown nothing any more, while nothing else happens. */
async function closed(turn: typeof cycle = cycle): Promise<boolean> {
  const { stage: world, run } = await mirrored({ turn });
  Object.assign(world.tracker.state.settings, { requirelogin: '1' });
  return run().then(
    () => false,
    (failure: unknown) => failure instanceof SideError && failure.kind === 'refused',
  );
}

test('a tracker that begins to want a login from everybody stops the route, and nothing is withdrawn', async () => {
  expect(await closed()).toBe(true);
});

describe('what is no secret stays', () => {
  test('a deleted bug, whose pair the full comparison gives up', async () => {
    const { stage: world, context, run } = await mirrored();
    world.tracker.remove(1);
    await run(2);
    expect([standing(world), world.store.links.byBug(bugId(1))?.state]).toEqual([3, 'live']);
    await sweep({ ...context, limits: { ...context.limits, brakeShare: 1 } }, { isForced: false });
    expect([standing(world), world.store.links.byBug(bugId(1))?.state]).toEqual([3, 'tombstone']);
  });

  test('the pairs of bugs that a tracker from a backup lacks, until it has them again', async () => {
    expect(await livingAfterLoss()).toBe(20);
  });

  test('bugs that lists do not show, though they are shown when asked for', async () => {
    const { stage: world, context, run } = await mirrored();
    const { anonymousReader: reader } = context;
    if (reader === null) throw new Error('There is no anonymous reader.');
    Object.assign(context, {
      anonymousReader: { ...reader, access: reader.access, lookAt: async () => nothingShown([1, 2, 3]) },
    });
    await run();
    expect([standing(world), world.store.looks.missed('widget')]).toEqual([3, []]);
  });

  test('bugs that no list shows any more, for three requests more than at rest', async () => {
    for (const route of [checking, none]) {
      const { stage: world, requests } = await withEmptyLists(route);
      expect([requests, standing(world), world.store.looks.missed('widget')]).toEqual([5, 12, []]);
    }
  });

  test('a file of a bug that one list left out: it is checked again', async () => {
    expect(await isFileChecked()).toBe(true);
  });

  test.each([3, 12, 30])('all %i bugs of a product that seems to have another name', async (count) => {
    const { stage: world, run } = await mirrored({ bugs: count, most: 10 });
    for (let bug = 1; bug <= count; bug += 1) silently(world, bug, { product: 'Gadget' });
    await run(5);
    expect(standing(world)).toBe(count);
  });
});

/** A tracker whose lists are empty, without an error, and how many requests a cycle then takes. */
async function withEmptyLists(
  route: Route,
  turn: typeof cycle = cycle,
): Promise<{ readonly stage: Stage; readonly requests: number }> {
  const { stage: world, context } = await mirrored({ bugs: 12, route, turn });
  const lookAt = async ({ inTurn }: LookAsk) => nothingShown(inTurn);
  const { anonymousReader: reader, tracker } = context;
  const lists = { tracker: { ...tracker, lookAt }, anonymousReader: reader === null ? null : { ...reader, lookAt } };
  world.clock.advance(61_000);
  await turn({ ...context, ...lists }, { isForced: false });
  const before = asked(world).length;
  world.clock.advance(61_000);
  await turn({ ...context, ...lists }, { isForced: false });
  // The look itself is not counted here.
  return { stage: world, requests: asked(world).length - before + 1 };
}

/** Whether a mirrored file counts as public again after one look that did not show its bug. */
async function isFileChecked(turn: typeof cycle = cycle): Promise<boolean> {
  const { stage: world, context, run } = await mirrored({ route: { ...checking, attachments: branchRule }, turn });
  world.tracker
    .as('alice')
    .attach(1, { bytes: new TextEncoder().encode('x'), file_name: 'kettle.log', comment: 'The log.' });
  await run(4);
  const { anonymousReader: reader } = context;
  const lookAt = async ({ inTurn }: LookAsk) => nothingShown(inTurn);
  world.clock.advance(61_000);
  await turn({ ...context, anonymousReader: reader === null ? null : { ...reader, lookAt } }, { isForced: false });
  await run(2);
  const link = world.store.links.byBug(bugId(1));
  const files = link === null ? [] : world.store.attachmentLinks.ofLink(link.id);
  return files.length === 1 && files.every(({ checkedDigest }) => checkedDigest !== null);
}

/** How many of 20 pairs live on while the tracker lacks 15 of the bugs, with a full comparison in between. */
async function livingAfterLoss(turn: typeof cycle = cycle): Promise<number> {
  const { stage: world, context, run } = await mirrored({ bugs: 20, turn });
  for (let bug = 1; bug <= 15; bug += 1) world.tracker.state.bugs.delete(bug);
  await run(2);
  await sweep(context, { isForced: false });
  await run();
  return Array.from({ length: 20 }, (_, index) => world.store.links.byBug(bugId(index + 1))).filter(
    (link) => link?.state === 'live',
  ).length;
}

const nothingShown = (all: readonly number[]) => ({
  reached: all.length,
  asked: new Set(all),
  shown: new Map<number, { readonly product: string; readonly changedAt: number | null }>(),
});

describe('at rest, a look is one request', () => {
  test('in each cycle of a route, and none of a route that publishes nothing', async () => {
    const { stage: world, run } = await mirrored();
    const before = asked(world).length;
    await run(3);
    expect(asked(world).slice(before)).toEqual(['changes', 'lookAt', 'changes', 'lookAt', 'changes', 'lookAt']);
    const other = contextOn(world, { ...checking, direction: 'to-tracker' }, { limits: testLimits });
    const then = asked(world).length;
    await cycle(other, { isForced: false });
    expect(asked(world).slice(then)).not.toContain('lookAt');
  });

  test('for all routes of a tracker together, whichever of them runs', async () => {
    const { stage: world, context } = await mirrored();
    const routes = ['widget', 'pot', 'pan'].map((name) => ({ ...checking, name }));
    const turns = lookTurns(routes);
    const runOf = async (names: readonly string[]) => {
      const before = asked(world).length;
      world.clock.advance(61_000);
      for (const route of routes.filter(({ name }) => names.includes(name)))
        await cycle({ ...context, route, lookTurns: turns }, { isForced: false });
      return asked(world)
        .slice(before)
        .filter((method) => method === 'lookAt').length;
    };
    expect([await runOf(['widget', 'pot', 'pan']), await runOf(['widget', 'pot', 'pan'])]).toEqual([1, 1]);
    // A hint starts a cycle of one route alone, and one that is down never takes the turn of others.
    expect([await runOf(['pan']), await runOf(['pot', 'pan']), await runOf(['pot', 'pan'])]).toEqual([1, 1, 1]);
    silently(world, 1, { groups: ['security'] });
    // It may be the turn of a route behind the bug's own.
    await runOf(['widget', 'pot', 'pan']);
    await runOf(['widget', 'pot', 'pan']);
    expect(isWithdrawn(world, 1)).toBe(true);
  });
});

/** Each of these leaves something that became secret on GitHub, or takes off what did not. */
const faults: readonly (Fault & {
  readonly name: string;
  /** The copy of the code recognises failures of its own class only. */
  readonly isCaught: (turn: typeof cycle, Failure: typeof SideError) => Promise<boolean>;
})[] = [
  {
    name: 'nobody looks at what is mirrored',
    file: 'sync/observe/poll.ts',
    from: '  await recheckMirrored(context);\n',
    to: '',
    isCaught: async (turn) => (await lonely(turn)) > 1 && (await lonely(turn, {}, { product: 'Gadget' })) > 1,
  },
  {
    name: 'a look that never moves on',
    file: 'sync/observe/recheck-mirrored.ts',
    from: 'store.looks.moveOn(',
    to: 'void (',
    isCaught: async (turn) => (await slowest(turn)) > lapMax,
  },
  {
    name: 'a look that asks as the account only',
    file: 'sync/observe/recheck-mirrored.ts',
    from: '(anonymousReader ?? tracker).lookAt(ask)',
    to: 'tracker.lookAt(ask)',
    isCaught: async (turn) => !(await closed(turn)),
  },
  {
    name: 'a moved bug counts as shown',
    file: 'sync/observe/recheck-mirrored.ts',
    from: '!isHidden(each) && shown.get(each.bug)?.product !== each.product',
    to: 'false',
    isCaught: async (turn) => (await lonely(turn, {}, { product: 'Gadget' })) > 1,
  },
  {
    name: 'what is missed is forgotten',
    file: 'sync/observe/recheck-mirrored.ts',
    from: 'store.looks.miss(each);',
    to: 'void each;',
    isCaught: async (turn) => (await lonely(turn)) > 1,
  },
  {
    name: 'the look is left out while a person has paused the route',
    file: 'sync/observe/poll.ts',
    from: '  await recheckMirrored(context);\n',
    to: '  if (context.store.pauses.of(context.route.name) === null) await recheckMirrored(context);\n',
    isCaught: async (turn) => {
      const world = await mirrored({ turn });
      world.stage.store.pauses.save('widget', { at: 1, why: null });
      silently(world.stage, 1, { groups: ['security'] });
      return (await cyclesUntilWithdrawn(world, 1, 2)) > 1;
    },
  },
  {
    name: 'a product that has another name moves as a whole',
    file: 'sync/observe/recheck-mirrored.ts',
    from: 'found.length > Math.max(1, of * brakeShare)',
    to: 'brakeShare < 0',
    isCaught: async (turn) => {
      const { stage: world, run } = await mirrored({ bugs: 12, turn });
      for (let bug = 1; bug <= 12; bug += 1) silently(world, bug, { product: 'Gadget' });
      for (let cycle = 0; cycle < 3; cycle += 1) await run();
      return world.github.issues(repo).some(({ state }) => state === 'closed');
    },
  },
  {
    name: 'a bug that cannot be read takes the turn of those behind it',
    file: 'sync/observe/recheck-mirrored.ts',
    from: 'const known = ofItem(failure);',
    to: 'throw failure;',
    isCaught: (turn) =>
      standingSecrets([2], { route: none, turn }).then(
        (standing) => standing > 1,
        () => true,
      ),
  },
  {
    name: 'a bug that was missed is planned before anybody knows what became of it',
    file: 'sync/observe/select.ts',
    from: 'missed.has(id) ||',
    to: '',
    isCaught: async (turn, Failure) => (await writtenUnsettled(turn, Failure)).length > 1,
  },
  {
    name: 'bugs that moved together are written to',
    file: 'sync/observe/select.ts',
    from: 'seemsMoved(context, link) ||',
    to: '',
    isCaught: async (turn) => (await writtenMoved(turn)).written.length > 0,
  },
  {
    name: 'a list that shows nothing is believed',
    file: 'sync/observe/recheck-mirrored.ts',
    from: 'if (await isWrong(context, found)) return;',
    to: '',
    isCaught: async (turn) => (await withEmptyLists(checking, turn)).requests > 5,
  },
  {
    name: 'files of a bug that was missed are not checked again',
    file: 'sync/observe/recheck-mirrored.ts',
    from: '    markDirty(context, id);\n    store.looks.settle(id);',
    to: '    store.looks.settle(id);',
    isCaught: async (turn) => !(await isFileChecked(turn)),
  },
  {
    name: 'a bug that the tracker lacks is given up at once',
    file: 'sync/observe/recheck-mirrored.ts',
    from: "probe.gone.kind !== 'hidden' && link.issue !== null",
    to: 'link.issue === null',
    isCaught: async (turn) => (await livingAfterLoss(turn)) < 20,
  },
];

async function lonely(
  turn: typeof cycle,
  options: Options = {},
  change: Parameters<typeof silently>[2] = { groups: ['security'] },
) {
  const world = await mirrored({ ...options, turn });
  silently(world.stage, 1, change);
  return cyclesUntilWithdrawn(world, 1, 2);
}

test.each(sample(faults, 2))('a planted fault is caught: $name', async ({ isCaught, ...fault }) => {
  const folder = plant(fault);
  const { cycle: turn }: { cycle: typeof cycle } = await import(`${folder}/sync/cycle.ts`);
  const { SideError: Failure }: { SideError: typeof SideError } = await import(`${folder}/model/outcome.ts`);
  expect(await isCaught(turn, Failure)).toBe(true);
});

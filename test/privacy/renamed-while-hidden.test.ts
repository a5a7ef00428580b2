/** Issues whose titles change while their bugs are hidden. */

import { describe, expect, test } from 'vitest';
import { issueNumber } from '../../src/model/ids.ts';
import { SideError } from '../../src/model/outcome.ts';
import { openStore } from '../../src/store/open.ts';
import { cycle } from '../../src/sync/cycle.ts';
import { contextOn, repo, type Stage, stage } from '../simulation/stage.ts';
import { type Fault, plant } from '../support/plant.ts';
import { testLimits, widgetRoute } from '../support/routes.ts';
import { scrub } from '../support/scrub.ts';

type Turn = typeof cycle;

/** Cycles of an account that sees hidden bugs. */
async function cycles(world: Stage, turn: Turn, count = 4): Promise<void> {
  const context = contextOn(world, widgetRoute, { limits: testLimits, user: 'bridge-insider' });
  for (let index = 0; index < count; index += 1) {
    world.clock.advance(61_000);
    await turn(context, { isForced: false }).catch((failure: unknown) => {
      if (failure !== lost) throw failure;
    });
  }
}

const lost = new Error('no answer came');

const change = (world: Stage, what: Readonly<Record<string, unknown>>): void =>
  void world.tracker.as('alice').change(1, what);
const hide = (world: Stage): void => change(world, { groups: { add: ['security'] } });
const show = (world: Stage): void => change(world, { groups: { remove: ['security'] } });
const rename = (world: Stage, title: string): unknown => world.github.as('mona').edit(repo, 1, { title });
const titles = (world: Stage) => [world.tracker.bug(1)?.summary, world.github.issue(repo, 1)?.title];

async function opened(turn: Turn): Promise<Stage> {
  const world = stage();
  world.github.as('mona').open(repo, { title: 'First title' });
  await cycles(world, turn);
  return world;
}

/** People give their issue another title while its bug is hidden. */
async function renamed(turn: Turn) {
  const world = await opened(turn);
  hide(world);
  await cycles(world, turn);
  rename(world, 'Second title');
  await cycles(world, turn);
  show(world);
  await cycles(world, turn);
  return titles(world);
}

/** The bug's title, which had come over, is withdrawn from the issue, and no answer comes to that. */
async function withdrawn(turn: Turn) {
  const world = await opened(turn);
  change(world, { summary: 'Title of the tracker' });
  await cycles(world, turn);
  hide(world);
  world.between = (side, method, when) => {
    if (side !== 'github' || method !== 'update' || when !== 'after') return;
    world.between = () => undefined;
    throw lost;
  };
  await cycles(world, turn);
  const meanwhile = titles(world);
  show(world);
  await cycles(world, turn);
  return [meanwhile, titles(world)];
}

/** Somebody renames the issue that we opened for a bug, and that says now that the bug is hidden. */
async function renamedOurs(turn: Turn) {
  const world = stage();
  world.tracker.as('alice').file({ summary: 'Title of the tracker' });
  await cycles(world, turn);
  hide(world);
  await cycles(world, turn);
  rename(world, 'What was here?');
  show(world);
  await cycles(world, turn);
  return titles(world);
}

test('a title that people gave their issue crosses when the bug is public again', async () => {
  expect(await renamed(cycle)).toEqual(['Second title', 'Second title']);
});

test("a title that we withdrew is nobody's edit, even if no answer came", async () => {
  const both = ['Title of the tracker', 'Title of the tracker'];
  expect(await withdrawn(cycle)).toEqual([['Title of the tracker', 'First title'], both]);
});

test('an issue that we opened has the title of its bug again', async () => {
  expect(await renamedOurs(cycle)).toEqual(['Title of the tracker', 'Title of the tracker']);
});

/** The state is lost before a bug is hidden whose issue mona opened; the ledger knows nothing of its title. */
async function lostThenHidden(before: (world: Stage) => void, between: Stage['between'] = () => undefined) {
  const known = await opened(cycle);
  before(known);
  await cycles(known, cycle);
  known.clock.advance(3_600_000);
  hide(known);
  const world = { ...known, store: openStore(':memory:', { mode: 'write', now: known.clock.now, scrub }), between };
  await cycles(world, cycle, 8);
  const meanwhile = titles(world)[1];
  show(world);
  world.between = () => undefined;
  await cycles(world, cycle, 8);
  return [meanwhile, ...titles(world)];
}

describe('after a lost state, the issue of a hidden bug', () => {
  test.each<[string, (world: Stage) => void, string]>([
    ['that nobody renamed', () => undefined, 'First title'],
    ['that people renamed', (world) => rename(world, 'Second title'), 'Second title'],
  ])('%s keeps its title', async (_what, before, title) => {
    expect(await lostThenHidden(before)).toEqual([title, title, title]);
  });

  const renameBug = (world: Stage): void => change(world, { summary: 'Title of the tracker' });
  test('loses the title that the bridge gave it, and has it again later', async () => {
    const later = ['Title of the tracker', 'Title of the tracker'];
    expect(await lostThenHidden(renameBug)).toEqual(['Bug 1 is not public', ...later]);
  });

  test('is neutral while GitHub does not say who renamed it', async () => {
    const failing: Stage['between'] = (_side, method) => {
      if (method === 'lastActors') throw new SideError('later', 'GitHub does not answer');
    };
    const [meanwhile] = await lostThenHidden(() => undefined, failing);
    expect(meanwhile).toBe('Bug 1 is not public');
  });
});

/**
 * The bridge dies as it makes an issue, and before it runs again, people write over the body, marker and all: the issue
 * counts as theirs, gets a bug of its own, and that bug is hidden.
 */
/** GitHub keeps no version of the body from before. */
const noVersions: Stage['between'] = (_side, method) => {
  if (method === 'firstText') throw new SideError('refused', 'GitHub keeps no versions', { side: 'github' });
};

async function writtenOver(after: (world: Stage) => void, between: Stage['between'] = () => undefined) {
  const world = stage();
  world.tracker.as('alice').file({ summary: 'Title of the tracker' });
  world.between = (side, method, when) => {
    if (side !== 'github' || method !== 'create' || when !== 'after') return;
    world.between = noVersions;
    world.github.as('mona').edit(repo, 1, { body: 'Words of people' });
    throw lost;
  };
  await cycles(world, cycle);
  world.clock.advance(600_000);
  await cycles(world, cycle);
  after(world);
  await cycles(world, cycle);
  const bug = world.store.links.byIssue(repo, issueNumber(1))?.bug ?? 0;
  expect(world.tracker.bug(bug)?.creator).toBe('bridge-insider@example.test');
  world.between = between;
  world.tracker.as('admin').change(bug, { groups: { add: ['security'] } });
  await cycles(world, cycle);
  return world.github.issue(repo, 1)?.title;
}

describe('an issue of ours whose body people wrote over at the moment of a crash', () => {
  const silent: Stage['between'] = (_side, method) => {
    if (method === 'lastActors') throw new SideError('later', 'GitHub does not answer');
  };
  test.each<[string, string, (world: Stage) => void, Stage['between']?]>([
    ['loses the title that we gave it', 'Bug 2 is not public', () => undefined],
    ['keeps a title that people gave it', 'Of people', (world) => rename(world, 'Of people')],
    [
      'loses our title also if people renamed it, and we took that back',
      'Bug 2 is not public',
      (world) => {
        rename(world, 'Of people');
        world.github.as('bugferry-bot').edit(repo, 1, { title: 'Title of the tracker' });
      },
    ],
    ['loses any title while GitHub does not say whose it is', 'Bug 2 is not public', () => undefined, silent],
  ])('%s', async (_what, title, after, between) => {
    expect(await writtenOver(after, between)).toBe(title);
  });
});

describe('planted faults', () => {
  const load = async (fault: Omit<Fault, 'file'>, file: string): Promise<Turn> =>
    (await import(`${plant({ ...fault, file })}/sync/cycle.ts`)).cycle;

  test('what people wrote meanwhile is forgotten', async () => {
    const turn = await load(
      { from: '  const base: Base = isOwn\n', to: '  const base: Base = isOwn && shown.title === undefined\n' },
      'sync/withdraw/record-withdrawal.ts',
    );
    expect(await renamed(turn)).toEqual(['First title', 'First title']);
  });

  test("the title that we put back counts as people's", async () => {
    const turn = await load({ from: 'withTitle(now.base, step.patch)', to: 'now.base' }, 'sync/withdraw/withdraw.ts');
    expect((await withdrawn(turn))[1]).toEqual(['First title', 'First title']);
  });

  test("what stands in place of a hidden title counts as people's", async () => {
    const turn = await load(
      { from: 'isPeoples({ commentLinks: context.', to: '!!({ commentLinks: context.' },
      'sync/withdraw/record-withdrawal.ts',
    );
    expect(await renamedOurs(turn)).not.toEqual(['Title of the tracker', 'Title of the tracker']);
  });
});

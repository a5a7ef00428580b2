import { beforeEach, describe, expect, test } from 'vitest';
import { writers } from '../../src/kernel/backoff.ts';
import type { Context } from '../../src/kernel/context.ts';
import { SideError } from '../../src/model/outcome.ts';
import type { Route } from '../../src/model/route.ts';
import { cycle } from '../../src/sync/cycle.ts';
import { contextOn, repo, type Stage, stage } from '../simulation/stage.ts';
import { type Fault, plant } from '../support/plant.ts';
import { testLimits, widgetRoute } from '../support/routes.ts';
import { sample } from '../tiers/depth.ts';

/**
 * What closed an issue is worth a short wait and one question: neither holds up the closing for long, nor asks a side
 * that wants rest.
 */
const route: Route = { ...widgetRoute, visibilityCheck: 'anonymous' };
const toTracker: Route = { ...route, direction: 'to-tracker' };
let world: Stage;

beforeEach(() => {
  world = stage();
});

interface Built {
  readonly cycle: typeof cycle;
  /** The planted code knows only its own errors. */
  readonly SideError: typeof SideError;
}
const built: Built = { cycle, SideError };

const mona = () => world.github.as('mona');
const context = (on = route): Context => contextOn(world, on, { limits: testLimits, user: 'bridge-insider' });

async function turns(run: Built, count = 4, on: () => Context = context): Promise<void> {
  for (let index = 0; index < count; index += 1) {
    world.clock.advance(61_000);
    await run.cycle(on(), { isForced: false });
  }
}

async function begin(run: Built): Promise<{ readonly bug: number; readonly issue: number }> {
  const bug = world.tracker.as('alice').file({ summary: 'It fails', description: 'Always.' });
  await turns(run);
  return { bug, issue: world.github.issues(repo)[0]?.number ?? 0 };
}

function merge(issue: number): void {
  mona().merge(repo, mona().openPull(repo, { title: 'A fix', body: `Fixes #${issue}` }));
}

const ofWidget = () => world.tracker.bugs().filter(({ product }) => product === 'Widget');
const closedBugs = (): readonly number[] => ofWidget().flatMap(({ id, status }) => (status === 'RESOLVED' ? [id] : []));

/** GitHub answers everything but what closed an issue. */
function withCloser(closer: Context['github']['closer']): () => Context {
  const now = context();
  return () => ({ ...now, github: { ...now.github, closer } });
}

/** The bugs that are closed although people go on talking on the issue. */
async function goesOn(run: Built): Promise<readonly unknown[]> {
  const { issue } = await begin(run);
  merge(issue);
  const silent = withCloser(async () => {
    throw new run.SideError('later', 'GitHub is out of reach', { side: 'github' });
  });
  for (let index = 0; index < 14; index += 1) {
    mona().comment(repo, issue, `Word ${index}`);
    await turns(run, 1, silent);
  }
  return closedBugs();
}

/** The questions after the first answers, all of which say that GitHub wants to be left alone for an hour. */
async function limited(run: Built): Promise<readonly unknown[]> {
  const asked: number[] = [];
  for (let index = 0; index < 3 * writers; index += 1) {
    world.tracker.as('alice').file({ summary: `It fails ${index}`, description: 'Always.' });
  }
  await turns(run, 8);
  for (const { number } of world.github.issues(repo)) mona().close(repo, number);
  const rushed = withCloser(async (issue) => {
    asked.push(issue);
    throw new run.SideError('later', 'API rate limit exceeded', { side: 'github', at: world.clock.now() + 3_600_000 });
  });
  await turns(run, 14, rushed);
  return asked.slice(writers);
}

async function longAgo(run: Built): Promise<readonly unknown[]> {
  merge(mona().open(repo, { title: 'It fails', body: 'Always.' }));
  world.clock.advance(2 * 24 * 3_600_000);
  await turns(run, 6, () => context(toTracker));
  return world.calls.filter(({ method }) => method === 'closer');
}

/**
 * The bugs that are closed although the tracker refuses such comments, in a write of its own and beside another change.
 */
async function refused(run: Built): Promise<readonly unknown[]> {
  const { issue } = await begin(run);
  const strict = (): Context => {
    const now = context();
    const update: Context['tracker']['update'] = async (bug, patch) =>
      patch.comment === undefined ? now.tracker.update(bug, patch) : { kind: 'refused', why: 'You may not comment' };
    return { ...now, tracker: { ...now.tracker, update } };
  };
  mona().edit(repo, issue, { title: 'It fails often' });
  merge(issue);
  await turns(run, 4, strict);
  return closedBugs();
}

describe('a closing', () => {
  test('crosses without the comment if the tracker refuses that', async () => {
    expect(await refused(built)).toHaveLength(1);
    expect(ofWidget().map(({ summary }) => summary)).toEqual(['It fails often']);
  });

  test('says it also if the tracker refuses another change beside it', async () => {
    const { bug, issue } = await begin(built);
    const strict = (): Context => {
      const now = context();
      const update: Context['tracker']['update'] = async (seen, patch) =>
        patch.summary === undefined
          ? now.tracker.update(seen, patch)
          : { kind: 'refused', why: 'You may not rename it' };
      return { ...now, tracker: { ...now.tracker, update } };
    };
    mona().edit(repo, issue, { title: 'It fails often' });
    merge(issue);
    await turns(built, 4, strict);
    expect([
      closedBugs(),
      world.tracker.commentsOf(bug).filter(({ text }) => text.startsWith('Fixed by ')).length,
    ]).toEqual([[bug], 1]);
  });

  test('waits ten minutes at most, although the issue goes on changing', async () => {
    expect(await goesOn(built)).toHaveLength(1);
  });

  test('asks no more once GitHub wants to be left alone, and crosses all the same', async () => {
    expect(await limited(built)).toEqual([]);
    expect(world.store.budgets.backoffOf('github', world.clock.now())).not.toBeNull();
    expect(closedBugs()).toHaveLength(3 * writers);
  });

  test('of long ago crosses without a question', async () => {
    expect(await longAgo(built)).toEqual([]);
    expect(closedBugs()).toHaveLength(1);
  });
});

const faults: readonly (Fault & {
  readonly name: string;
  readonly play: (run: Built) => Promise<readonly unknown[]>;
  readonly right: number;
})[] = [
  {
    name: 'a refused comment keeps the bug open',
    file: 'sync/perform/operations/update.ts',
    from: "outcome === 'waits' || outcome.kind !== 'refused') return outcome;",
    to: 'true) return outcome;',
    play: refused,
    right: 1,
  },
  {
    name: 'the wait begins again with each change',
    file: 'sync/perform/fixed-by.ts',
    from: '{ waitingSince: since }',
    to: '{ waitingSince: null }',
    play: goesOn,
    right: 1,
  },
  {
    name: 'GitHub is asked on although it wants to be left alone',
    file: 'sync/perform/ask-in-time.ts',
    from: 'keepBackoff({ ...context, name: context.route.name }, failure);',
    to: '',
    play: limited,
    right: 0,
  },
  {
    name: 'GitHub is asked about closings of long ago',
    file: 'sync/perform/fixed-by.ts',
    from: '!wasClosedWhileMirrored(link, seen, clock.now())',
    to: 'false',
    play: longAgo,
    right: 0,
  },
];

describe('a planted fault is caught:', () => {
  test.each(sample(faults, 2))('$name', async ({ play, right, ...fault }) => {
    const root = plant(fault);
    const { cycle: planted }: Pick<Built, 'cycle'> = await import(`${root}/sync/cycle.ts`);
    const { SideError: ownError }: Pick<Built, 'SideError'> = await import(`${root}/model/outcome.ts`);
    expect(await play({ cycle: planted, SideError: ownError })).not.toHaveLength(right);
  });
});

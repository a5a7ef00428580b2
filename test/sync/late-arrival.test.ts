/** What a process sent right before it died, and what arrives only while the next one runs. */

import { describe, expect, test } from 'vitest';
import type { Context } from '../../src/kernel/context.ts';
import type { BugDraft } from '../../src/model/plan/draft.ts';
import { cycle } from '../../src/sync/cycle.ts';
import { inheritDoubts } from '../../src/sync/settle/settle.ts';
import { contextOn, repo, type Stage, stage } from '../simulation/stage.ts';
import { type Fault, plant } from '../support/plant.ts';
import { testLimits, widgetRoute } from '../support/routes.ts';

/** No net may catch it, as none catches the end of a process. */
class Died extends Error {
  override readonly name = 'AbortError';
}

interface Engine {
  readonly cycle: typeof cycle;
  readonly inheritDoubts: typeof inheritDoubts;
}
const engine: Engine = { cycle, inheritDoubts };

interface Play {
  readonly world: Stage;
  /** Cycles of one process, ten seconds apart. */
  cycles(context: Context, count: number): Promise<void>;
  /** A new process. */
  begin(): Context;
  /**
   * A process that dies as soon as it has sent a new bug, which is still on its way. The tracker may have put it off
   * before.
   */
  dies(isPutOff?: boolean): Promise<void>;
  /** The bug that was on its way first arrives. */
  arrive(): void;
  titles(): readonly string[];
}

/** A world at rest, and the processes that run in it one after the other. */
async function started({
  cycle: turn,
  inheritDoubts: inherit,
}: Engine): Promise<Pick<Play, 'world' | 'begin' | 'cycles'>> {
  const world = stage();
  const begin = (): Context => {
    const context = contextOn(world, widgetRoute, { limits: testLimits });
    inherit(context);
    return context;
  };
  const cycles = async (context: Context, count: number): Promise<void> => {
    for (let index = 0; index < count; index += 1) {
      world.clock.advance(10_001);
      await turn(context, { isForced: false });
    }
  };
  await cycles(begin(), 2);
  return { world, begin, cycles };
}

/** An issue without a bug. */
async function opened(parts: Engine): Promise<Play> {
  const { world, begin, cycles } = await started(parts);
  const drafts: BugDraft[] = [];
  const play: Play = {
    world,
    cycles,
    begin,
    async dies(isPutOff = false) {
      const context = begin();
      let left = isPutOff ? 1 : 0;
      const create: Context['tracker']['create'] = async (draft) => {
        if (left-- > 0) return { kind: 'later', why: 'busy', at: world.clock.now() + 1000, wholeSide: false };
        drafts.push(draft);
        throw new Died();
      };
      await expect(cycles({ ...context, tracker: { ...context.tracker, create } }, 9)).rejects.toThrow(Died);
    },
    arrive() {
      const [draft] = drafts;
      if (draft === undefined) throw new Error('No bug was sent');
      world.tracker
        .as('bridge')
        .file({ summary: draft.summary, description: draft.description, see_also: [draft.seeAlso ?? ''] });
    },
    titles: () => world.tracker.bugs().map(({ summary }) => summary),
  };
  world.github.as('mona').open(repo, { title: 'First title' });
  return play;
}

/** The dead process had waited for its turn for ten minutes; its bug arrives after the first cycle of the next one. */
async function arrivesLate(parts: Engine, isPutOff = false): Promise<readonly string[]> {
  const play = await opened(parts);
  await play.dies(isPutOff);
  play.world.clock.advance(600_000);
  const next = play.begin();
  await parts.cycle(next, { isForced: false });
  play.arrive();
  await play.cycles(next, 4);
  return play.titles();
}

/**
 * Two processes die in a row, the second with a newer title; only the first one's bug arrives, after it was given up.
 */
async function arrivesOutdated(parts: Engine): Promise<readonly string[]> {
  const play = await opened(parts);
  await play.dies();
  play.world.github.as('mona').edit(repo, 1, { title: 'Second title' });
  await play.dies();
  play.arrive();
  await play.cycles(play.begin(), 6);
  return [...play.titles(), play.world.github.issue(repo, 1)?.title ?? ''];
}

/** The same, and somebody comments on the bug before anybody has seen it. */
async function arrivesTalkedAbout(parts: Engine): Promise<readonly string[]> {
  const play = await opened(parts);
  await play.dies();
  play.world.github.as('mona').edit(repo, 1, { title: 'Second title' });
  await play.dies();
  play.arrive();
  play.world.clock.advance(1_000);
  play.world.tracker.as('alice').comment(1, 'Words');
  await play.cycles(play.begin(), 6);
  return [...play.titles(), play.world.github.issue(repo, 1)?.title ?? ''];
}

/** Somebody gives the bug another status before anybody has seen it. Answers both sides' in the end. */
async function arrivesMoved(parts: Engine, status: string, resolution: string): Promise<readonly string[]> {
  const play = await opened(parts);
  await play.dies();
  play.arrive();
  play.world.clock.advance(1_000);
  play.world.tracker.as('alice').change(1, { status, resolution });
  await play.cycles(play.begin(), 6);
  const { state, labels } = play.world.github.issue(repo, 1) ?? {};
  const shown = (labels ?? []).filter((label) => label.startsWith('status: '));
  return [play.world.tracker.bug(1)?.status ?? '', state ?? '', ...shown];
}

/**
 * The process dies between an issue and its answer, and somebody gives the issue another title within the same second.
 */
async function renamedAtOnce(parts: Engine): Promise<readonly string[]> {
  const { world, begin, cycles } = await started(parts);
  const bug = world.tracker.as('alice').file({ summary: 'A bug' });
  const context = begin();
  const create: Context['github']['create'] = async (draft) => {
    await context.github.create(draft);
    world.github.as('mona').edit(repo, 1, { title: 'Renamed' });
    throw new Died();
  };
  await expect(cycles({ ...context, github: { ...context.github, create } }, 9)).rejects.toThrow(Died);
  await cycles(begin(), 9);
  return [world.tracker.bug(bug)?.summary ?? '', ...world.github.issues(repo).map(({ title }) => title)];
}

/**
 * The process dies between an issue and its answer, and lists show the issue only later. Answers how many issues there
 * are in the end.
 */
async function issueOf(parts: Engine): Promise<number> {
  const { world, begin, cycles } = await started(parts);
  world.github.setListLag(() => 300_000);
  world.tracker.as('alice').file({ summary: 'A bug' });
  const context = begin();
  const create: Context['github']['create'] = async (draft) => {
    await context.github.create(draft);
    throw new Died();
  };
  await expect(cycles({ ...context, github: { ...context.github, create } }, 9)).rejects.toThrow(Died);
  await cycles(begin(), 60);
  return world.github.issues(repo).length;
}

test('an issue that no list shows yet is found by its number, also by the next process', async () => {
  expect(await issueOf(engine)).toBe(1);
});

describe('a bug that arrives while the next process runs', () => {
  test('is waited for from the beginning of that process', async () => {
    expect(await arrivesLate(engine)).toEqual(['First title']);
    expect(await arrivesLate(engine, true)).toEqual(['First title']);
  });

  test('with an older title gets the newer one', async () => {
    expect(await arrivesOutdated(engine)).toEqual(['Second title', 'Second title']);
    expect(await arrivesTalkedAbout(engine)).toEqual(['Second title', 'Second title']);
  });
});

test('the status that somebody gave to a bug whose filing is in doubt is an edit', async () => {
  expect(await arrivesMoved(engine, 'RESOLVED', 'FIXED')).toEqual(['RESOLVED', 'closed']);
  expect(await arrivesMoved(engine, 'IN_PROGRESS', '')).toEqual(['IN_PROGRESS', 'open', 'status: in progress']);
});

test('a new title of an issue whose creation is in doubt is not taken for an older one of ours', async () => {
  expect(await renamedAtOnce(engine)).toEqual(['Renamed', 'Renamed']);
});

describe('planted faults', () => {
  const load = async (fault: Fault): Promise<Engine> => {
    const folder = plant(fault);
    return {
      ...(await import(`${folder}/sync/cycle.ts`)),
      ...(await import(`${folder}/sync/settle/settle.ts`)),
    };
  };

  test('nobody waits for what a dead process sent', async () => {
    const fault = {
      file: 'sync/settle/settle.ts',
      from: 'row.why === null && !isTakenOver && !isImport(row)',
      to: 'false',
    };
    expect(await arrivesLate(await load(fault))).toEqual(['First title', 'First title']);
  });

  test('what was put off before looks like an import', async () => {
    const fault = { file: 'kernel/outbox.ts', from: 'notBeforeAt: null, why: null });', to: 'why: null });' };
    expect(await arrivesLate(await load(fault), true)).toEqual(['First title', 'First title']);
  });

  test('a doubt that is taken over looks like an import', async () => {
    const fault = {
      file: 'sync/settle/settle.ts',
      from: '{ waitingSince: clock.now() }',
      to: '{ notBeforeAt: clock.now() }',
    };
    expect(await issueOf(await load(fault))).toBe(2);
  });

  test('a bug counts as made with what its issue says now', async () => {
    const fault = { file: 'sync/settle/settle.ts', from: '{ ...target, ...made }', to: 'target' };
    expect(await arrivesOutdated(await load(fault))).toEqual(['First title', 'First title']);
  });

  test('a new plan forgets what was sent before', async () => {
    const fault = {
      file: 'rules/limits/brake-and-budget.ts',
      from: '{ ...operation, tried: known.tried }',
      to: 'operation',
    };
    expect(await arrivesTalkedAbout(await load(fault))).toEqual(['First title', 'First title']);
  });

  test('any title of an issue that seems untouched counts as ours', async () => {
    const fault = { file: 'sync/settle/settle.ts', from: "field !== 'title' && isUntouched", to: 'isUntouched' };
    expect(await renamedAtOnce(await load(fault))).toEqual(['A bug', 'A bug']);
  });
});

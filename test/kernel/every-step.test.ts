import { afterAll, describe, expect, test } from 'vitest';
import { setAsideOf } from '../../src/explain/set-aside.ts';
import type { Route } from '../../src/model/route.ts';
import { keepCanaries } from '../simulation/canary.ts';
import { simulateMoves } from '../simulation/moving.ts';
import { simulateRestores } from '../simulation/restores/restoring.ts';
import { type Engine, simulate } from '../simulation/simulate.ts';
import { contextOn, repo, type Stage, stage } from '../simulation/stage.ts';
import { isOfMany, itemOf, onStep, withSteps } from '../support/faults/steps.ts';
import { callersHere, isNet, onPoisonedStep, watchSteps } from '../support/faults/watched-steps.ts';
import type { Fault } from '../support/plant.ts';
import { branchRule, testLimits, widgetRoute } from '../support/routes.ts';
import { perTier, some } from '../tiers/depth.ts';

/**
 * I11, for our own faults, without a list of places: each function that works on one item does so within the net and
 * under the watch of that item, and may throw there.
 */
const rooms = ['kernel', 'rules', 'sync'];

const { during, blamed } = watchSteps();
const copies: { readonly remove: () => void }[] = [];
afterAll(() => {
  for (const { remove } of copies) remove();
});

async function engineOf(faults: readonly Fault[] = []): Promise<Engine> {
  const copy = withSteps(rooms, faults);
  copies.push(copy);
  const { cycle }: Pick<Engine, 'cycle'> = await import(`${copy.folder}/sync/cycle.ts`);
  const { sweep }: Pick<Engine, 'sweep'> = await import(`${copy.folder}/sync/sweep.ts`);
  return {
    cycle: (context, options) => cycle({ ...context, watch: { during } }, options),
    sweep: (context, options) => sweep({ ...context, watch: { during } }, options),
  };
}

/** Runs this, and names the steps on one item that nothing watches, each with those that called it. */
async function unwatchedIn(run: () => Promise<unknown>): Promise<readonly string[]> {
  const [gaps, ofMany] = [new Map<string, string>(), new Set<string>()];
  onStep((step, given) => {
    if (isOfMany(given)) ofMany.add(step);
    if (blamed() === undefined && !isNet(step) && !gaps.has(step) && itemOf(given).length > 0)
      gaps.set(step, `${step} < ${callersHere()}`);
  });
  await run();
  onStep(null);
  return [...gaps].flatMap(([step, place]) => (ofMany.has(step) ? [] : [place]));
}

const route: Route = { ...widgetRoute, visibilityCheck: 'anonymous', attachments: branchRule, milestones: true };
const words = ['One', 'POISON', 'Two'] as const;
const [one, poison, two] = words;
const titles = ({ github }: Stage): readonly string[] => github.issues(repo).map(({ title }) => title);

/**
 * People at work on three bugs and an issue. Returns what went wrong with those that say nothing of poison.
 * @param listen told of each step on the poisoned pair alone
 */
async function course(engine: Engine, listen: (step: string) => void = () => undefined): Promise<readonly string[]> {
  const world = stage();
  const { tracker, github, store, clock } = world;
  const wrong: string[] = [];
  const expectThat = (isSo: boolean | undefined, what: string) => isSo || wrong.push(what);
  const context = () => contextOn(world, route, { limits: { ...testLimits, brakeShare: 1 } });
  const attempt = async (work: () => Promise<unknown>) => {
    clock.advance(61_000);
    await work().catch((error: unknown) => wrong.push(error instanceof Error ? (error.stack ?? '') : String(error)));
  };
  const cycles = async (count: number) => {
    for (let index = 0; index < count; index += 1) await attempt(() => engine.cycle(context(), { isForced: false }));
  };
  const issueOf = (word: string) => github.issues(repo).find(({ title }) => title.startsWith(word))?.number;
  if (listen.length > 0) onPoisonedStep(store, listen);

  for (const word of words) tracker.as('alice').file({ summary: `${word} kettle`, description: `${word} leaks.` });
  tracker.as('alice').change(2, { comment: { body: `${poison} too` } });
  tracker.as('alice').attach(2, { bytes: new TextEncoder().encode('x'), file_name: `${poison}.bin`, comment: poison });
  github.as('mona').open(repo, { title: 'Pan is hot', body: 'Pan burns.' });
  await cycles(3);
  expectThat(titles(world).includes(`${one} kettle`) && titles(world).includes(`${two} kettle`), 'not opened');
  expectThat(tracker.bug(4)?.summary === 'Pan is hot', 'not filed');

  for (const [index, word] of words.entries()) {
    tracker.as('alice').change(index + 1, { summary: `${word} pot`, comment: { body: `${word} again` } });
    const issue = issueOf(word);
    if (issue === undefined) continue;
    github.as('mona').comment(repo, issue, `${word} on GitHub`);
    github.as('mona').label(repo, issue, 'component: Nope', 'severity: major');
  }
  await cycles(2);
  expectThat(titles(world).includes(`${one} pot`) && titles(world).includes(`${two} pot`), 'not renamed');
  for (const bug of [1, 3])
    expectThat(
      tracker.commentsOf(bug).some(({ text }) => text.includes('on GitHub')),
      `no comment on bug ${bug}`,
    );

  for (const [index, word] of words.entries()) {
    tracker.as('alice').change(index + 1, { status: 'RESOLVED', resolution: 'FIXED' });
    const issue = issueOf(word);
    if (issue !== undefined) github.as('mona').edit(repo, issue, { title: `${word} in conflict` });
  }
  await cycles(2);
  expectThat(github.issue(repo, issueOf(two) ?? 0)?.state === 'closed', 'not closed');
  await attempt(() => engine.sweep(context(), { isForced: false }));

  for (const bug of [2, 3]) tracker.as('admin').change(bug, { groups: { add: ['security'] } });
  tracker.as('alice').change(1, { summary: `${one} at last` });
  await cycles(2);
  expectThat(!titles(world).some((title) => title.startsWith(two)), 'not withdrawn');
  expectThat(titles(world).includes(`${one} at last`), 'not renamed after a withdrawal');
  for (const { about } of setAsideOf(store, route)) expectThat(about.startsWith('bug 2'), `${about} is set aside`);
  if (listen.length > 0) onStep(null);
  return wrong;
}

const engine = await engineOf();

describe('is watched on each item', () => {
  test('in a course of all stages', async () => {
    expect(await unwatchedIn(async () => expect(await course(engine)).toEqual([]))).toEqual([]);
  });

  const seeds = Array.from({ length: perTier({ check: 0, test: 1, deep: 8 }) }, (_, index) => index + 1);
  const simulations = {
    plain: (seed: number) => simulate(engine, seed),
    hostile: (seed: number) => simulate(engine, seed, { hasMallory: true }),
    canaries: (seed: number) => keepCanaries(engine, seed),
    moves: (seed: number) => simulateMoves(engine, seed),
    restores: (seed: number) => simulateRestores(engine, seed),
  };
  const runs = seeds.flatMap((seed) => Object.entries(simulations).map(([name, run]) => [name, seed, run] as const));
  test.each(runs.length > 0 ? runs : [['plain', 3, simulations.plain] as const])('in %s, seed %i', async (...given) => {
    const [, seed, run] = given;
    expect(await unwatchedIn(() => run(seed))).toEqual([]);
  });

  /** Each takes a net away. */
  const torn: readonly Fault[] = [
    {
      file: 'sync/perform/perform.ts',
      from: "await sparing(context, workOn(context, job.link, 'write'), () => drainRows(context, job, state));",
      to: 'await drainRows(context, job, state);',
    },
    {
      file: 'sync/settle/confirm.ts',
      from: "spareOf(context, each.link, 'read', (link) => isWaiting(context, link, each))",
      to: '((link) => link !== null && isWaiting(context, link, each))(store.links.byId(each.link))',
    },
    {
      file: 'sync/observe/select.ts',
      from: "(link) => spare(context, workOn(context, link, 'read'), () => isLeft(context, link)) === false",
      to: '(link) => !isLeft(context, link)',
    },
  ];
  test.each(some(torn, 3))('which notices that one in $file is gone', async (fault) => {
    const faulty = await engineOf([fault]);
    expect(await unwatchedIn(() => course(faulty))).not.toEqual([]);
  });
});

const steps = new Set<string>();
await course(engine, (step) => steps.add(step));

describe('costs that item and nothing else', () => {
  test('all steps are met', () => {
    expect(steps.size).toBeGreaterThan(200);
  });

  test.each(some([...steps].toSorted(), 12))('a throw in %s', async (step) => {
    const thrown = (each: string) => {
      if (each === step) throw new RangeError('a fault of ours');
    };
    expect(await course(engine, thrown)).toEqual([]);
  });
});

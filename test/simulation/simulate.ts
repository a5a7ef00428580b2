import type { Context } from '../../src/kernel/context.ts';
import type { Side } from '../../src/model/ids.ts';
import type { Direction, Route, VisibilityCheck, Visitors } from '../../src/model/route.ts';
import type { LookAsk } from '../../src/model/survey.ts';
import { type FaultSource, noFaults } from '../../src/sandbox/server/faults.ts';
import { type TrackerVersion, trackerVersions } from '../../src/sandbox/tracker/installation/versions.ts';
import type { CycleOptions, CycleReport } from '../../src/sync/cycle.ts';
import { inheritDoubts } from '../../src/sync/settle/settle.ts';
import type { SweepReport } from '../../src/sync/sweep.ts';
import { drawDelays, drawFaults, withLostWrites } from '../support/drawn-faults.ts';
import { type Random, random } from '../support/random.ts';
import { routeOn, testLimits, widgetRoute } from '../support/routes.ts';
import { keepTouched, mailViolations, withMails } from './mails.ts';
import { mallory } from './mallory.ts';
import { allLinks, violations } from './oracle.ts';
import { contextOn, type Stage, stage } from './stage.ts';
import { vaultViolations } from './vault/vault.ts';
import { withPeople } from './world/assignments.ts';
import { ruleOf } from './world/attachments.ts';
import { choosers, fieldViolations, hasFields, withFields } from './world/fields.ts';
import { fixers, fixerViolations, withPulls } from './world/fixers.ts';
import { hints } from './world/hints.ts';
import { hasLabels, labelViolations, withLabels } from './world/labels.ts';
import { minimizeViolations, taggers } from './world/minimized.ts';
import { noActions, people } from './world/people.ts';
import { loginChangers, renamers } from './world/renames.ts';
import { policiesOf, readEdited, renewalViolations } from './world/renewals.ts';
import { threadViolations } from './world/threads.ts';
import { hasTypes, typeViolations, typists, withTypes } from './world/types.ts';
import { keepUnseen } from './world/unseen.ts';
import { lockpicks, visitorsOf, visitorViolations } from './world/visitors.ts';
import { voters, voteViolations, withVoters } from './world/voters.ts';

/** The engine under test; planted faults bring their own. */
export interface Engine {
  sweep(context: Context, options: { readonly isForced: boolean }): Promise<SweepReport>;
  cycle(context: Context, options: CycleOptions): Promise<CycleReport>;
}

/** The process dies here. Nothing of the engine may catch it. */
export class Crash extends Error {}

/** Ends what a process that died still makes of answers that it had: the next process begins after that. */
export const drained = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

export interface SimulationOptions {
  readonly whenQuiet?: WhenQuiet;
  /** What the tracker plays, instead of the version that the seed says. */
  readonly version?: TrackerVersion;
  /** Whether somebody without any rights does all that she can. */
  readonly hasMallory?: boolean;
}

/** Looks at what both sides came to once everybody rests; answers what is wrong with it. */
export type WhenQuiet = (context: Context, world: Stage) => Promise<readonly string[]>;

export interface Run {
  readonly seed: number;
  readonly violations: readonly string[];
  readonly crashes: number;
  readonly cycles: number;
  readonly writes: number;
}

/**
 * The whole engine on a virtual clock: people edit both sides, requests fail, limits hit, the process dies between any
 * two awaits and starts again on the same state. Then everybody rests, and everything must have arrived exactly once.
 */
export async function simulate(
  engine: Engine,
  seed: number,
  { whenQuiet = async () => [], version = versionOf(seed), hasMallory = false }: SimulationOptions = {},
): Promise<Run> {
  const draw = random(seed);
  const lagMs = draw.chance(0.5) ? draw.below(9_000) : 0;
  const world = stage({ listLagMs: lagMs, version, hasMarkdown: seed % 2 === 0 });
  const actions = noActions();
  const attachments = ruleOf(seed);
  keepUnseen(world, actions);
  const touched = keepTouched(world);
  const crowd = people(world, draw, actions, { files: attachments !== null, labels: hasLabels(seed) });
  const villain = hasMallory ? mallory(seed, world, actions) : null;
  const found: string[] = [];
  const count = { crashes: 0, cycles: 0 };
  const writesPerCycle = draw.pick([3, 10, 500]);
  const user = draw.pick(['bridge', 'bridge-insider']);
  const direction = draw.pick(['both', 'both', 'both', 'both', 'to-github', 'to-tracker'] as const);
  const options: Restart = {
    attachments,
    policies: policiesOf(seed),
    writesPerCycle,
    user,
    direction,
    isShuffled: draw.chance(0.5),
    hasLabels: hasLabels(seed),
    hasTypes: hasTypes(seed),
    hasFields: hasFields(seed),
    visitors: visitorsOf(seed),
    hasOptedOut: seed % 2 === 0,
    seed,
    visibilityCheck: seed % 4 === 3 ? 'none' : 'anonymous',
  };
  const hear = hints(seed);
  const [type, choose, unlock, tag] = [
    typists(seed, world),
    choosers(seed, world),
    lockpicks(seed, world),
    taggers(seed, world),
  ];
  const [rename, changeLogin] = [renamers(seed, world), loginChangers(seed, world)];
  const [fix, vote] = [fixers(seed, world), voters(seed, world)];
  let live = fresh(world, draw, options);

  const turn = async (): Promise<CycleReport | null> => {
    count.cycles += 1;
    const [before, saidBefore] = [writesOf(world), callsOf(world, saying)];
    try {
      return await Promise.race([engine.cycle(live.context, { isForced: false, hints: hear(world) }), live.death]);
    } catch (error) {
      if (error instanceof Crash) {
        count.crashes += 1;
        await drained();
        live = fresh(world, draw, options);
      } else if (!isSideError(error)) throw error;
      return null;
    } finally {
      // A way through the workflow takes more requests than operations, three at most; so do relations.
      if (writesOf(world) - before > writesPerCycle * 5)
        found.push(`I6: a cycle wrote ${writesOf(world) - before} times`);
      const said = callsOf(world, saying) - saidBefore;
      if (said > writesPerCycle)
        found.push(`I6: a cycle made and said ${said} things, and may write ${writesPerCycle}`);
      found.push(...cursorsWentBack(world));
    }
  };

  crowd.begin();
  const lists = lagging(world, seed, lagMs);
  if (draw.chance(0.3)) world.tracker.as('alice').file({ summary: 'Poison' });
  for (let acts = draw.below(8); acts > 0; acts -= 1) crowd.act();
  world.faults = losing(seed, withDelays(world, seed, drawFaults(draw.next, draw.pick([0, 0.04, 0.15]))));
  const crashShare = draw.pick([0, 0.01, 0.04]);
  world.between = around(() => {
    world.clock.advance(draw.below(1_500));
    if (draw.chance(0.15)) crowd.act();
    villain?.interfere();
    if (draw.chance(crashShare)) live.die();
  });
  for (let index = 0; index < 6 + draw.below(8); index += 1) {
    await turn();
    for (let acts = draw.below(4); acts > 0; acts -= 1) crowd.act();
    type();
    choose();
    unlock();
    tag();
    rename();
    changeLogin();
    fix();
    vote();
    for (let acts = 0; acts < 3; acts += 1) villain?.act();
    world.clock.advance(draw.below(draw.pick([500, 5_000, 60_000])));
  }

  world.faults = noFaults;
  lists.settle();
  world.between = around(() => world.clock.advance(draw.below(1_500)));
  const swept = await engine.sweep(live.context, { isForced: false });
  if (swept.refusal !== null) found.push(`I6: ${swept.refusal.why}`);
  await calm(world, turn, found);
  // What refers to something that came only now is made right by the next sweep.
  readEdited(world, actions, allLinks(world));
  await engine.sweep(live.context, { isForced: true });
  await calm(world, turn, found);
  if (villain !== null) {
    found.push(...(await villain.delays(turn, { direction, writesPerCycle })));
    await calm(world, turn, found);
    await engine.sweep(live.context, { isForced: true });
    await calm(world, turn, found);
    found.push(...villain.violations(allLinks(world)));
    if (seed % 4 === 0) found.push(...(await vaultViolations(engine, seed)));
  }
  found.push(
    ...violations(world, actions, direction, options.hasOptedOut),
    ...renewalViolations(world, actions, allLinks(world), direction, seed),
  );
  if (options.hasLabels && direction !== 'to-tracker') found.push(...labelViolations(world, allLinks(world)));
  if (options.hasTypes && direction !== 'to-tracker') found.push(...typeViolations(world, allLinks(world)));
  if (options.hasFields && direction !== 'to-tracker') found.push(...fieldViolations(world, allLinks(world)));
  found.push(...threadViolations(world, actions, allLinks(world)));
  found.push(...fixerViolations(world, allLinks(world)));
  // A pull request or a commit may name any bug.
  if (direction === 'both') found.push(...mailViolations(world, touched, allLinks(world), seed));
  found.push(...minimizeViolations(world, allLinks(world), direction, seed));
  if (direction === 'to-github') found.push(...visitorViolations(world, allLinks(world), options.visitors));
  const run = async () => {
    await engine.sweep(live.context, { isForced: true });
    for (let index = 0; index < 2; index += 1) await turn();
  };
  found.push(...(await voteViolations(seed, world, run)));
  found.push(...(await whenQuiet(live.context, world)));
  return {
    seed,
    violations: [...new Set(found)],
    crashes: count.crashes,
    cycles: count.cycles,
    writes: writesOf(world),
  };
}

/**
 * In a quarter of the seeds GitHub says "later" in all its ways. They are drawn apart, so that they change no other
 * draw.
 */
function withDelays(world: Stage, seed: number, faults: FaultSource): FaultSource {
  const draw = random(seed ^ 0x1a7e2);
  if (!draw.chance(0.25)) return faults;
  world.github.limits.replicaLagsMs = Array.from({ length: 7 }, () => draw.pick([0, 5_000, 90_000, 400_000]));
  return drawDelays(faults, draw.next, draw.pick([0, 0.05, 0.15]));
}

/** I1 and I2: with nobody editing, a bounded number of cycles leads to one that does nothing, and so does the next. */
async function calm(world: Stage, turn: () => Promise<CycleReport | null>, found: string[]): Promise<void> {
  let quiet = 0;
  for (let index = 0; index < 60 && quiet < 3; index += 1) {
    world.clock.advance(index < 20 ? 61_000 : 3_700_000);
    const before = writesOf(world);
    const report = await turn();
    const isQuiet =
      report !== null && report.plan.operations.length === 0 && writesOf(world) === before && !isWaiting(world);
    quiet = isQuiet ? quiet + 1 : 0;
  }
  if (quiet < 3) found.push('I1: it does not come to rest');
}

/** What the state keeps as planned or in doubt holds `status` out of step, even if no cycle plans it any more. */
function isWaiting({ store }: Stage): boolean {
  const { planned, sent } = store.outbox.count('widget');
  return planned + sent > 0;
}

/**
 * In one of eight runs, each list of GitHub's hides what is newer than up to ten minutes; in another, each change comes
 * late on its own; in a third, each list comes from a state of its own, up to ten minutes old, so that rows go back to
 * earlier versions; in a fourth, single reads do so, too.
 */
function lagging(world: Stage, seed: number, otherwiseMs: number): { settle(): void } {
  const draw = random(seed + 0x1a9_0000);
  const behindMs = () => draw.pick([0, 0, draw.below(2_000), draw.below(60_000), draw.below(600_000)]);
  if (seed % 8 === 5) world.github.setListLag(() => (draw.chance(0.5) ? 0 : draw.below(600_000)));
  if (seed % 8 === 7) world.github.setBehind({ listMs: behindMs });
  if (seed % 8 === 3) world.github.setBehind({ listMs: behindMs, itemMs: () => (draw.chance(0.5) ? 0 : behindMs()) });
  if (seed % 8 === 1) world.github.setChangeLag(behindMs);
  return {
    settle() {
      world.github.setListLag(() => otherwiseMs);
      world.github.setChangeLag(null);
      world.github.setBehind(null);
    },
  };
}

interface Process {
  readonly context: Context;
  /** Rejects when the process dies; whatever else it was doing never ends. */
  readonly death: Promise<never>;
  die(): void;
}

/** What stays the same over restarts. */
interface Restart {
  readonly writesPerCycle: number;
  readonly user: string;
  readonly direction: Direction;
  readonly attachments: Route['attachments'];
  readonly policies: Pick<Route, 'copies' | 'deletions'>;
  /** I10: the order of links carries no meaning. */
  readonly isShuffled: boolean;
  readonly hasLabels: boolean;
  readonly hasTypes: boolean;
  readonly hasFields: boolean;
  readonly visitors: Visitors;
  readonly hasOptedOut: boolean;
  readonly seed: number;
  readonly visibilityCheck: VisibilityCheck;
}

function fresh(
  world: Stage,
  draw: Random,
  {
    policies,
    writesPerCycle,
    user,
    direction,
    attachments,
    isShuffled,
    hasOptedOut,
    seed,
    visibilityCheck,
    hasLabels: showsMore,
    hasTypes: showsTypes,
    hasFields: showsFields,
    visitors,
  }: Restart,
): Process {
  const { promise: death, reject } = Promise.withResolvers<never>();
  death.catch(() => undefined);
  let isDead = false;
  const limits = { ...testLimits, writesPerCycle };
  const begun = routeOn(world.tracker.state.version, widgetRoute);
  const labelled = showsMore ? withLabels(begun) : begun;
  const typed = showsTypes ? withTypes(labelled) : labelled;
  const fielded = showsFields ? withFields(typed) : typed;
  const route = withPeople(
    withVoters(seed, {
      ...withMails(seed, withPulls(seed, fielded)),
      ...policies,
      visitors,
      direction,
      attachments,
      visibilityCheck,
      dependencies: true,
      table: ['alias', 'url', 'cc', 'depends_on'],
    }),
    hasOptedOut,
  );
  const die = () => {
    isDead = true;
    reject(new Crash('the process dies'));
  };
  const context = contextOn(world, route, {
    limits,
    random: draw.next,
    user,
    isDead: () => isDead,
    ...(isShuffled ? { shuffle: draw.shuffle } : {}),
  });
  inheritDoubts(context);
  return { context: withCalmLooks(context, world), death, die };
}

/**
 * Nothing happens around a look, and nothing goes wrong with it, so that seeds run as they did without. The canaries
 * disturb it.
 */
const around =
  (act: () => void): Stage['between'] =>
  (_side, method) => {
    if (method !== 'lookAt') act();
  };

function withCalmLooks(context: Context, { servers }: Stage): Context {
  const { tracker, anonymousReader } = context;
  const calm = <R extends Pick<Context['tracker'], 'lookAt'>>(reader: R): R =>
    Object.assign(Object.create(reader), { lookAt: (ask: LookAsk) => servers.spared(() => reader.lookAt(ask)) });
  return { ...context, tracker: calm(tracker), anonymousReader: anonymousReader && calm(anonymousReader) };
}

/** No operation takes two of these: of them, a cycle may do no more than it may carry out operations. */
const saying: readonly string[] = ['create', 'comment'];

const callsOf = (world: Stage, methods: readonly string[]): number =>
  world.calls.filter(({ method }) => methods.includes(method)).length;

export const writesOf = (world: Stage): number => callsOf(world, [...saying, 'update', 'rewrite', 'erase', 'minimize']);

export const isSideError = (error: unknown): boolean => error instanceof Error && error.name === 'SideError';

/** I7: what was read once is never given up again. */
function cursorsWentBack(world: Stage): readonly string[] {
  const last = positions.get(world) ?? { tracker: [], github: [] };
  const now = { tracker: sinceAt(world, 'tracker'), github: sinceAt(world, 'github') };
  positions.set(world, now);
  const went = (side: Side): boolean => last[side].some((at, index) => (now[side][index] ?? at) < at);
  return (['tracker', 'github'] as const).filter(went).map((side) => `I7: the cursor of ${side} went back`);
}

const positions = new WeakMap<Stage, Readonly<Record<Side, readonly number[]>>>();

/**
 * All positions that a cursor tells of: GitHub's has one for issues and one for comments. A list that was begun anew
 * has none yet.
 */
function sinceAt(world: Stage, side: Side): readonly number[] {
  const found: number[] = [];
  const cursor = world.store.cursors.get('widget', side);
  JSON.parse((cursor?.isComplete ? cursor.changes : null) ?? '{}', (_name, value: unknown) => {
    if (typeof value !== 'object' || value === null || !('sinceAt' in value)) return value;
    found.push('lookedAt' in value && value.lookedAt === null ? Number.NaN : Number(value.sinceAt));
    return value;
  });
  return found;
}

/** Versions differ in what they ask, answer, keep and lose. */
export const versionOf = (seed: number): TrackerVersion =>
  trackerVersions[Math.floor(seed / 7) % trackerVersions.length] ?? '5.2';

/**
 * Some trackers lose writes that they answer as done. They draw from numbers of their own, so that all else goes as it
 * would without.
 */
const losesWrites = (seed: number): boolean => seed % 5 === 1;
const losing = (seed: number, faults: FaultSource): FaultSource =>
  losesWrites(seed)
    ? readBack(withLostWrites(faults, random(seed + 5_000_000_000).next, 0.3, versionOf(seed) === 'harmony'))
    : faults;

/**
 * Nothing goes wrong with the reads behind a creation that was lost: a new bug that cannot be read back is believed
 * (ARCHITECTURE, Gaps).
 */
function readBack(faults: FaultSource): FaultSource {
  let spared = 0;
  return (side, cost) => {
    if (side === 'tracker' && cost === 'read' && spared > 0) {
      spared -= 1;
      return { kind: 'none' };
    }
    const fault = faults(side, cost);
    if (fault.kind === 'lost' && cost === 'create') spared = 8;
    return fault;
  };
}

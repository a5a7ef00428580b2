import type { Context } from '../../../src/kernel/context.ts';
import type { Route } from '../../../src/model/route.ts';
import { noFaults } from '../../../src/sandbox/server/faults.ts';
import type { TrackerVersion } from '../../../src/sandbox/tracker/installation/versions.ts';
import { adoptState } from '../../../src/sync/adopt.ts';
import { inheritDoubts } from '../../../src/sync/settle/settle.ts';
import { drawFaults } from '../../support/drawn-faults.ts';
import { type Random, random } from '../../support/random.ts';
import { routeOn, testLimits, widgetRoute } from '../../support/routes.ts';
import { scrub } from '../../support/scrub.ts';
import { allLinks } from '../oracle.ts';
import { Crash, drained, type Engine, isSideError, type Run, versionOf } from '../simulate.ts';
import { contextOn, type Stage, stage } from '../stage.ts';
import { onBranch } from '../world/attachments.ts';
import { crowdOf, saidNothing } from './crowd.ts';
import { editsOn, pairs } from './edits.ts';
import { type Command, closedByNobody, leavingOn } from './leaving.ts';
import { restoreViolations } from './oracle.ts';
import { pastOf } from './past.ts';
import { statesOf } from './states.ts';
import { watchRaces } from './unread.ts';
import { falseAlarms, foundButInDoubt, keptTitles } from './withdrawn.ts';
import { noWriters, writersOn } from './writers.ts';

export interface RestoreOptions {
  readonly version?: TrackerVersion;
  /** Two daemons run in turn, each on a state of its own, which began as copies of one. */
  readonly hasTwins?: boolean;
  /** People migrate, cut over and take that back between the cycles. */
  readonly isLeaving?: boolean;
  /** Whether people may write over copies; not while seeds run that once failed without. */
  readonly hasWriters?: boolean;
}

/**
 * What goes back in time: states of any age are put back at any moment, by `state restore`, as a volume, or not at all;
 * trackers go back to a dump. People edit, talk, hide and show bugs all the while; requests fail, and the process dies
 * between any two awaits. In the end what people did last stands, nothing is doubled, nothing private is on GitHub, and
 * no word of ours crosses.
 */
export async function simulateRestores(
  engine: Engine,
  seed: number,
  { version = versionOf(seed), hasTwins = false, isLeaving = false, hasWriters = true }: RestoreOptions = {},
): Promise<Run> {
  const draw = random(seed + 380_000_000);
  const lagMs = draw.chance(0.3) ? draw.below(5_000) : 0;
  const bare = stage({ version, listLagMs: lagMs });
  const states = statesOf(bare.clock.now, scrub);
  bare.store.close();
  const world: Stage = { ...bare, store: states.store };
  const options = drawOptions(seed, draw, version);
  const [said, edits, titles] = [saidNothing(), editsOn(world), keptTitles(world)];
  watchRaces(world, edits);
  const writers = hasWriters ? writersOn(world, seed, said) : noWriters;
  const crowd = crowdOf(world, draw, said);
  const editor = random(seed + 390_000_000);
  // A lost state takes what a copy says for what was edited, and leaves it.
  const isEdited = editor.chance(0.4);
  const act = () => {
    // Stamps have whole seconds: what people take back within that of our write counts as a write that got lost.
    world.clock.advance(1_001);
    edits.watch(crowd.act);
    edits.watch(writers.act);
    writers.note();
    if (isEdited && editor.chance(0.25)) crowd.edit(editor);
    titles.forget();
  };
  const found: string[] = [];
  const count = { crashes: 0, cycles: 0 };
  let isFirst = false;
  let live = fresh(world, draw, options);
  const begin = () => {
    live.die();
    live = fresh(world, draw, options);
  };
  const past = pastOf({ world, states, draw, edits, said, writers, mayLose: !isEdited, hasTwins });
  const run = async (work: (context: Context) => Promise<unknown>): Promise<void> => {
    count.cycles += 1;
    try {
      await Promise.race([work(live.context), live.death]);
      isFirst = false;
      found.push(...failures(world));
    } catch (error) {
      if (error instanceof Crash) {
        count.crashes += 1;
        await drained();
        live = fresh(world, draw, options);
      } else if (isStop(error)) {
        found.push(...past.stopped(error, live.context));
      } else if (!isSideError(error)) throw error;
    }
  };
  const meanwhile = () => {
    if (!hasWriters) return;
    world.clock.advance(1_001);
    if (isEdited && draw.chance(0.2)) edits.watch(() => crowd.edit(draw));
    edits.watch(writers.act);
    writers.note();
  };
  const leaving = isLeaving ? leavingOn(world, seed, options.user, meanwhile) : null;
  const command = (of: Command) => {
    const { isDead } = live;
    return run((context) => of(context, isDead));
  };
  const cycleOnce = () =>
    run(async (context) => {
      const since = world.clock.now();
      await engine.cycle(context, { isForced: past.letsGo() });
      // A command need not read both sides.
      edits.seen(since);
      writers.seen(since);
    });
  const turn = () => {
    const next = leaving?.next() ?? null;
    return next === null ? cycleOnce() : command(next);
  };

  for (let acts = 6; acts > 0; acts -= 1) act();
  for (let index = 0; index < 3 && !leaving?.first; index += 1) {
    await cycleOnce();
    world.clock.advance(61_000);
  }
  world.faults = drawFaults(draw.next, draw.pick([0, 0, 0.04]));
  const crashShare = draw.pick([0, 0.01, 0.04]);
  world.between = () => {
    world.clock.advance(draw.below(1_500));
    if (draw.chance(0.05)) act();
    if (draw.chance(0.02)) past.copy();
    // The first cycle after something came back is the one that must not be cut short.
    if (draw.chance(crashShare) || (isFirst && editor.chance(0.02))) live.die();
  };
  if (leaving?.first) await command(leaving.first);
  for (let index = 0; index < 10; index += 1) {
    await turn();
    for (let acts = draw.below(4); acts > 0; acts -= 1) act();
    if (draw.chance(0.3)) past.copy();
    world.clock.advance(draw.below(draw.pick([500, 5_000, 60_000])));
    titles.note();
    const back = draw.chance(0.25) ? past.goBack() : null;
    if (back !== null) begin();
    if (back !== null) writers.goneBack();
    isFirst ||= back !== null;
    // To put something back takes longer than lists are late.
    if (back !== null) world.clock.advance(lagMs);
    // The first number that is given again may be that of a bug which the bridge files.
    if (back === 'tracker' && editor.chance(0.5)) crowd.open();
    else if (back === 'tracker') for (let count = draw.below(4); count > 0; count -= 1) crowd.begin();
    if (back === 'lost' && draw.chance(0.5)) await run(adoptState);
  }

  world.faults = noFaults;
  world.between = () => world.clock.advance(draw.below(500));
  for (let index = 0; index < 16; index += 1) {
    world.clock.advance(index < 12 ? 61_000 : 3_700_000);
    if (index === 6 || index === 12) await run((context) => engine.sweep(context, { isForced: index === 12 }));
    if (index === 2 && leaving !== null) await command(leaving.end);
    await cycleOnce();
    if (index === 11) found.push(...foundButInDoubt(live.context));
  }
  found.push(...restoreViolations(world, said, past, options.route, writers.isTheirs), ...titles.violations());
  if (!past.isTrackerOlder()) found.push(...writers.violations(options.route));
  found.push(...(await falseAlarms(world, options.route)));
  if (!past.isTrackerOlder()) found.push(...closedByNobody(world, pairs(world)));
  if (options.route.direction === 'both') found.push(...edits.violations(allLinks(world)));
  const writes = world.calls.filter(({ method }) => ['create', 'update', 'comment', 'rewrite'].includes(method)).length;
  states.close();
  return { seed, violations: [...new Set(found)], crashes: count.crashes, cycles: count.cycles, writes };
}

/** I11: nothing that goes back makes the bridge itself fail. */
const failures = ({ store }: Stage): readonly string[] =>
  store.setAside
    .ofRoute('widget')
    .flatMap(({ cause, side, ref, why }) =>
      cause === 'fault' ? [`I11: the bridge failed on ${side} ${ref}: ${why}`] : [],
    );

/** By its name: planted faults have classes of their own. */
const isStop = (error: unknown): error is Error =>
  error instanceof Error && ['WentBack', 'SecondBridge'].includes(error.name);

interface Options {
  readonly route: Route;
  readonly user: string;
  readonly writesPerCycle: number;
}

function drawOptions(seed: number, draw: Random, version: TrackerVersion): Options {
  const user = draw.pick(['bridge', 'bridge-insider']);
  const route: Route = {
    ...routeOn(version, widgetRoute),
    attachments: onBranch,
    milestones: true,
    conflicts: draw.pick(['newest', 'newest', 'ask', 'github', 'tracker']),
    direction: draw.pick(['both', 'both', 'both', 'both', 'to-github']),
    visibilityCheck: user === 'bridge' || seed % 3 > 0 ? 'anonymous' : 'none',
    copies: draw.pick(['leave', 'restore']),
  };
  return { route, user, writesPerCycle: draw.pick([3, 10, 500]) };
}

interface Process {
  readonly context: Context;
  readonly isDead: () => boolean;
  readonly death: Promise<never>;
  die(): void;
}

function fresh(world: Stage, draw: Random, { route, user, writesPerCycle }: Options): Process {
  const { promise: death, reject } = Promise.withResolvers<never>();
  death.catch(() => undefined);
  let isDead = false;
  const die = () => {
    isDead = true;
    reject(new Crash('the process dies'));
  };
  const limits = { ...testLimits, writesPerCycle };
  const context = contextOn(world, route, { limits, random: draw.next, user, isDead: () => isDead });
  inheritDoubts(context);
  return { context, isDead: () => isDead, death, die };
}

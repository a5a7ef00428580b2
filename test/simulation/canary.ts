import { archive } from '../../src/archive/archive.ts';
import type { Context } from '../../src/kernel/context.ts';
import { bugId } from '../../src/model/ids.ts';
import { SecondBridge, SideError } from '../../src/model/outcome.ts';
import type { Route, VisibilityCheck } from '../../src/model/route.ts';
import { type FaultSource, noFaults } from '../../src/sandbox/server/faults.ts';
import type { TrackerVersion } from '../../src/sandbox/tracker/installation/versions.ts';
import { letGoOn } from '../../src/sync/adopt.ts';
import { inheritDoubts } from '../../src/sync/settle/settle.ts';
import { drawFaults } from '../support/drawn-faults.ts';
import { type Random, random } from '../support/random.ts';
import { routeOn, testLimits, widgetRoute } from '../support/routes.ts';
import { type Canaries, canariesIn, isPublished } from './canaries.ts';
import { mallory } from './mallory.ts';
import { allLinks } from './oracle.ts';
import { statesThatReturn } from './restores/states.ts';
import { noWriters, overwritersOn } from './restores/writers.ts';
import { Crash, drained, type Engine, type Run, versionOf, writesOf } from './simulate.ts';
import { contextOn, repo, type Stage, stage } from './stage.ts';
import { archivist } from './world/archives.ts';
import { onBranch } from './world/attachments.ts';
import { builtRooms, captureOutputs, echoing, type Outputs, type Rooms, secrets } from './world/leaks.ts';
import { pauser } from './world/pauses.ts';
import { noActions } from './world/people.ts';
import { silence } from './world/silence.ts';

export interface CanaryOptions {
  readonly rooms?: Rooms;
  /** What the tracker plays, instead of the version that the seed says. */
  readonly version?: TrackerVersion;
  readonly archive?: typeof archive;
  /** Whether states go back in time. */
  readonly hasRestores?: boolean;
  /** Whether somebody without any rights does all that she can. */
  readonly hasMallory?: boolean;
  /** Whether people write over copies. */
  readonly hasWriters?: boolean;
}

/**
 * The canaries: whatever can be private bears words that occur nowhere else. People hide things and show them again at
 * any moment, also between two requests; requests fail, limits hit, the process dies. What must hold (I9):
 *
 *   sent    no write to GitHub holds a canary that was hidden when the cycle began and could be seen to be (lists lag);
 *           what is hidden later, between the cycle's reading and its writing, is the race, and the next cycle
 *           withdraws it
 *   says    no line of the log and of the terminal, and no line of the ledger, either; once all is quiet, nothing that
 *           the bridge keeps about its own work does, and nothing that it answers people
 *   secrets none of our keys and tokens is ever said or kept, although every refusal of a server repeats them
 *   silent  of a bug that becomes secret, by whatever way, nothing stands on GitHub after as many cycles as a lap of
 *           looks takes and one more, not counting those in which something went wrong
 *   stands  once all is quiet, GitHub shows no canary of what is hidden: titles, bodies, comments, labels, milestones,
 *           the attachment store's tip; also on a route that a person has paused, on which nothing else is written
 *   archived  an archive of the tracker holds none either (archives.ts)
 */
export async function keepCanaries(
  engine: Engine,
  seed: number,
  { rooms = builtRooms, version = versionOf(seed), archive: run = archive, ...has }: CanaryOptions = {},
): Promise<Run> {
  const draw = random(seed);
  const lagMs = draw.chance(0.3) ? draw.below(5_000) : 0;
  const bare = stage({ listLagMs: lagMs, version, hasGroupExtension: true });
  const outputs = captureOutputs(bare.clock, rooms);
  const world: Stage = { ...bare, store: outputs.store };
  const canaries = canariesIn(world, draw);
  const found: string[] = [];
  const count = { crashes: 0, cycles: 0 };
  // Ten pairs and more, as there are with hers, are a mass change to a brake that allows nothing.
  const drawn = { ...drawOptions(seed, draw, version), isBraked: has.hasMallory !== true };
  const editor = random(seed + 402_000_000);
  const copies = editor.pick(['leave', 'restore'] as const);
  const options = has.hasWriters === true ? { ...drawn, route: { ...drawn.route, copies } } : drawn;
  const writers = has.hasWriters === true ? overwritersOn(world, seed) : noWriters;
  const paused = pauser(seed, world, options.route.name);
  const silent = silence(seed, world);
  const archived = archivist(seed, world, canaries, run);
  const faults = { drawn: 0 };
  const past = has.hasRestores === true ? statesThatReturn(seed, outputs) : null;
  const villain = has.hasMallory === true ? mallory(seed, world, noActions()) : null;
  let live = fresh(world, draw, options, outputs);
  let began = { at: 0, calls: 0 };

  const turn = async (): Promise<void> => {
    count.cycles += 1;
    began = { at: world.clock.now(), calls: world.calls.length };
    paused.begin();
    silent.begin();
    const [faultsBefore, crashesBefore] = [faults.drawn, count.crashes];
    let isWhole = false;
    try {
      await Promise.race([engine.cycle(live.context, { isForced: false }), live.death]);
      isWhole = true;
    } catch (error) {
      if (error instanceof Crash) {
        count.crashes += 1;
        await drained();
        live = fresh(world, draw, options, outputs);
      } else if (!(error instanceof SideError)) throw error;
      else if (past !== null && error instanceof SecondBridge) letGoOn(live.context);
      else outputs.failed(options.route.name, error);
    } finally {
      canaries.count();
      writers.seen(began.at);
      const old = hiddenSince(canaries, began.at - lagMs);
      found.push(
        ...sent(world, began, old),
        ...paused.violations(began.calls),
        ...silent.violations(isWhole && faults.drawn === faultsBefore && count.crashes === crashesBefore),
        ...leaked(
          outputs,
          old.filter((each) => !canaries.retired().has(each)),
        ),
      );
    }
  };

  for (let acts = 3 + draw.below(6); acts > 0; acts -= 1) canaries.act();
  world.faults = counted(drawFaults(draw.next, draw.pick([0, 0.04, 0.15])), faults);
  const crashShare = draw.pick([0, 0.01, 0.04]);
  world.between = () => {
    world.clock.advance(draw.below(1_500));
    if (draw.chance(0.08)) canaries.act();
    villain?.interfere();
    if (has.hasWriters === true && editor.chance(0.08)) writers.act();
    paused.act();
    silent.act();
    past?.copy(0.02);
    if (draw.chance(crashShare)) live.die();
  };
  for (let index = 0; index < 8 + draw.below(8); index += 1) {
    await turn();
    if (index % 6 === 3) found.push(...(await archived.renew()));
    for (let acts = draw.below(4); acts > 0; acts -= 1) canaries.act();
    villain?.act();
    writers.act();
    world.clock.advance(draw.below(draw.pick([500, 5_000, 60_000])));
    past?.copy(0.3);
    if (past?.goBack()) {
      live.die();
      live = fresh(world, draw, options, outputs);
    }
  }

  // A copy that people wrote over says what they wrote.
  const isLeft = (bug: number, words: string) =>
    writers.isTheirs(bug, words) || (past !== null && isGone(world, bug, words));
  const shownIn = () => canaries.shown().filter(({ bug, words }) => !isLeft(bug, words));
  const staysPaused = paused.end();
  world.faults = noFaults;
  world.between = () => world.clock.advance(draw.below(500));
  world.clock.advance(61_000);
  await engine.sweep(live.context, { isForced: false });
  for (let index = 0; index < 12; index += 1) {
    world.clock.advance(61_000);
    // Files that a lost state does not know go with the next full comparison of pairs that it found again.
    if (past !== null && index === 6) await engine.sweep(live.context, { isForced: false });
    await turn();
  }
  found.push(...published(world, canaries, canaries.old(staysPaused)));
  // What is to be shown may wait for its turn longer than what is to be hidden.
  for (let [index, before] = [0, -1]; index < 28 && writesOf(world) !== before; index += 1) {
    before = writesOf(world);
    world.clock.advance(61_000);
    await turn();
  }
  found.push(
    ...(await archived.end()),
    ...(villain?.violations(allLinks(world)) ?? []),
    ...published(world, canaries, canaries.old(staysPaused)),
    ...(staysPaused ? [] : shownIn().flatMap((canary) => missing(world, canary))),
    ...kept(
      outputs,
      options.route,
      [...canaries.hidden().keys()].filter((each) => !canaries.retired().has(each)),
    ),
  );
  const writes = world.calls.filter(({ side, method }) => side === 'github' && method in texts).length;
  return { seed, violations: [...new Set(found)], crashes: count.crashes, cycles: count.cycles, writes };
}

const counted =
  (draw: FaultSource, faults: { drawn: number }): FaultSource =>
  (side, cost) => {
    const fault = draw(side, cost);
    if (fault.kind !== 'none') faults.drawn += 1;
    return fault;
  };

/** What of a write to GitHub is sent: the item that was seen is not. */
const texts: Readonly<Record<string, (args: readonly unknown[]) => unknown>> = {
  create: ([draft]) => draft,
  update: ([, patch]) => patch,
  comment: ([, text]) => text,
  rewrite: ([, , text]) => text,
  put: ([uploads]) => (Array.isArray(uploads) ? uploads.map((upload: { path: string }) => upload.path) : ''),
};

/** What was hidden, and could be seen to be, at that time. */
const hiddenSince = (canaries: Canaries, at: number): readonly string[] =>
  [...canaries.hidden()].filter(([, since]) => since + 1_000 < at).map(([canary]) => canary);

function leaked(outputs: Outputs, old: readonly string[]): readonly string[] {
  const [said, written, remarks] = [outputs.said(), outputs.written(), outputs.remarks()];
  return [
    ...old.filter((canary) => said.includes(canary)).map((canary) => `I9: ${canary} was said, and was hidden before`),
    ...old
      .filter((canary) => written.includes(canary))
      .map((canary) => `I9: the ledger got ${canary}, which was hidden before`),
    ...secrets.filter((secret) => said.includes(secret)).map((secret) => `secret: ${secret} was said`),
    ...secrets.filter((secret) => remarks.includes(secret)).map((secret) => `secret: ${secret} was kept`),
  ];
}

function kept(outputs: Outputs, route: Route, hidden: readonly string[]): readonly string[] {
  const [remarks, answers, all] = [outputs.remarks(), outputs.answers(route), outputs.kept()];
  return [
    ...hidden
      .filter((canary) => remarks.includes(canary))
      .map((canary) => `I9: the state says ${canary} in words of our own`),
    ...hidden.filter((canary) => answers.includes(canary)).map((canary) => `I9: people who ask are told ${canary}`),
    ...secrets.filter((secret) => all.includes(secret)).map((secret) => `secret: ${secret} stands in the state`),
  ];
}

function sent(world: Stage, began: { calls: number }, old: readonly string[]): readonly string[] {
  const writes = world.calls.slice(began.calls).filter(({ side, method }) => side === 'github' && method in texts);
  return writes.flatMap(({ method, args }) => {
    const words = JSON.stringify(texts[method]?.(args) ?? '');
    return old
      .filter((canary) => words.includes(canary))
      .map((canary) => `I9: ${method} on GitHub sent ${canary}, which was hidden before`);
  });
}

/** @param old titles that issues go on showing where nothing but withdrawals is written */
function published(world: Stage, canaries: Canaries, old: ReadonlySet<string>): readonly string[] {
  const issues = world.github.issues(repo).map((issue) => [issue, world.github.commentsOf(repo, issue.number)]);
  const files = [...world.github.files(repo, 'attachments')]
    .filter(([path]) => hasIssue(world, path))
    .map(([path, bytes]) => [path, new TextDecoder().decode(bytes)]);
  const milestones = world.github.state.repos.get(repo)?.milestones ?? [];
  const places = JSON.stringify([issues, files, [...milestones.values()]]);
  const left = [...canaries.hidden().keys()].filter((canary) => places.includes(canary) && !old.has(canary));
  return left.map((canary) => `I9: ${canary} is hidden and stands on GitHub`);
}

/** A file that was copied before its bug got an issue stays if the state is lost (docs/privacy.md). */
function hasIssue({ github, store }: Stage, path: string): boolean {
  const bug = Number(/^\d+-\d+\/(\d+)\//u.exec(path)?.[1] ?? 0);
  const isNamed = github.issues(repo).some(({ body }) => body.trimEnd().endsWith(` bug=${bug} -->`));
  return isNamed || store.links.byBug(bugId(bug)) !== null;
}

/** I3: what everybody may see came across, and came back. */
const missing = (world: Stage, { words, bug }: { words: string; bug: number }): readonly string[] =>
  isPublished(world, bug, words) ? [] : [`I3: ${words} of bug ${bug} can be seen by everybody, and is not on GitHub`];

/** An older state takes the copy of a comment that was hidden and shown since for deleted by people (docs/gaps.md). */
function isGone({ tracker, store }: Stage, bug: number, words: string): boolean {
  const comment = tracker.commentsOf(bug).find(({ text }) => text.includes(words));
  const link = store.links.byBug(bugId(bug));
  const rows =
    link === null || comment === undefined ? [] : store.commentLinks.ofSource(link.id, 'tracker', comment.id);
  return rows.some(({ state }) => state === 'gone');
}

interface Options {
  readonly route: Route;
  readonly user: string;
  readonly writesPerCycle: number;
  readonly isBraked: boolean;
}

/**
 * An account that is not an insider does not see a bug become private: only the visibility check detects it in time.
 */
function drawOptions(seed: number, draw: Random, version: TrackerVersion): Omit<Options, 'isBraked'> {
  const user = draw.pick(['bridge', 'bridge-insider']);
  const visibilityCheck: VisibilityCheck = user === 'bridge' || seed % 3 > 0 ? 'anonymous' : 'none';
  const table = ['alias', 'url', 'see_also', 'cc', 'flags', 'deadline', 'whiteboard', 'depends_on'];
  const route: Route = {
    ...routeOn(version, widgetRoute),
    attachments: onBranch,
    visibilityCheck,
    dependencies: true,
    milestones: true,
    table,
  };
  return { user, route, writesPerCycle: draw.pick([3, 10, 500]) };
}

interface Process {
  readonly context: Context;
  readonly death: Promise<never>;
  die(): void;
}

function fresh(
  world: Stage,
  draw: Random,
  { route, user, writesPerCycle, isBraked }: Options,
  outputs: Outputs,
): Process {
  const { promise: death, reject } = Promise.withResolvers<never>();
  death.catch(() => undefined);
  let isDead = false;
  const die = () => {
    isDead = true;
    reject(new Crash('the process dies'));
  };
  const share = draw.pick([0.000_001, 1]);
  const limits = { ...testLimits, writesPerCycle, brakeShare: isBraked ? share : 1 };
  // What a dead process would have said is heard by nobody.
  const tell: Outputs['tell'] = (event) => {
    if (!isDead) outputs.tell(event);
  };
  const context = contextOn(world, route, { limits, random: draw.next, user, tell, isDead: () => isDead });
  inheritDoubts(context);
  return { context: withEchoes(context), death, die };
}

function withEchoes(context: Context): Context {
  const { tracker, github, anonymousReader, files } = context;
  return {
    ...context,
    tracker: echoing(tracker, 'tracker'),
    github: echoing(github, 'github'),
    anonymousReader: anonymousReader && echoing(anonymousReader, 'tracker'),
    files: files && {
      attachmentClient: echoing(files.attachmentClient, 'tracker'),
      attachmentStore: files.attachmentStore && echoing(files.attachmentStore, 'github'),
      linked: echoing(files.linked, 'github'),
    },
  };
}

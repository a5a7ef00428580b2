import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { random } from '../../support/random.ts';
import type { Measured } from '../benchmark.ts';
import { readsOf, writesOf } from '../support/bridge.ts';
import { compareSides } from './compare.ts';
import { sizeFor } from './generate.ts';
import { lifeOf } from './life.ts';
import { sharpest } from './limits.ts';
import { neededFor } from './needed.ts';
import { type Ended, type Program, programFor } from './program.ts';
import { openSides, type Sides } from './sides.ts';

export interface Rehearsed {
  /** One for each phase, in order. */
  readonly phases: readonly Measured[];
  readonly whole: Measured;
  readonly differences: readonly string[];
}

interface Stage {
  readonly sides: Sides;
  readonly program: Program;
  readonly bugs: number;
  readonly days: number;
  readonly report: (progress: string) => void;
}

const kills = 5;
const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

/**
 * A whole tracker moves, lives on both sides for a month, is cut over and archived, by the built program on a virtual
 * clock.
 */
export async function rehearse(bugs: number, days: number, report: (progress: string) => void): Promise<Rehearsed> {
  const folder = mkdtempSync(join(tmpdir(), 'bugferry-size-'));
  const sides = await openSides(sizeFor(bugs));
  try {
    const program = programFor(sides, folder);
    const stage = { sides, program, bugs, days, report };
    const phases: Measured[] = [];
    const add = async (name: string, work: () => Promise<Work>): Promise<void> => {
      phases.push(await measured(stage, name, work));
    };
    const [comments, files] = [
      [...sides.tracker.state.comments.values()].flat().length,
      sides.tracker.state.attachments.size,
    ];
    const needed = neededFor(sides.tracker.state);
    await add('migrate', () => migrateKilled(stage));
    await add('verify', () => once(stage, 'verify'));
    await add('a month', () => liveFor(stage));
    const before = compareSides(sides, false);
    if (before.count > 0) report(before.differences.join('\n'));
    await add('cutover', () => once(stage, 'cutover', '--yes', 'comment,close', '--json'));
    const site = join(folder, 'site');
    await add('archive', () => once(stage, 'archive', site, '--json'));
    await add('compare the archive', () => once(stage, 'archive', site, '--verify', '--json'));
    const after = compareSides(sides, true);
    const migrateHours = phases[0]?.numbers['virtualHours'] ?? 0;
    const stateBytes = bytesIn(folder, 'state.db');
    const whole: Measured = {
      name: `${bugs.toLocaleString('en')} bugs`,
      numbers: {
        bugs,
        comments,
        files,
        pairs: after.pairs,
        commentsCompared: after.comments,
        filesCompared: after.files,
        differencesBeforeCutover: before.count,
        differences: after.count,
        mostMb: Math.max(...phases.map(({ numbers }) => numbers['mostMb'] ?? 0)),
        stateMb: stateBytes / 1e6,
        stateBytesPerBug: stateBytes / bugs,
        ...sharpest(sides.asked),
        migrateHours,
        migrateHoursNeeded: needed.hours,
        migrateTimesNeeded: migrateHours / needed.hours,
        minutesForEachKill: ((migrateHours - needed.hours) * 60) / kills,
      },
    };
    return { phases, whole, differences: [...before.differences, ...after.differences] };
  } finally {
    await sides.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

const bytesIn = (folder: string, name: string): number =>
  readdirSync(folder)
    .filter((file) => file === name || file === `${name}-wal`)
    .reduce((sum, file) => sum + statSync(join(folder, file)).size, 0);

/** What a phase says of itself besides what is counted for all. */
interface Work {
  readonly mostMb: number;
  readonly numbers: Measured['numbers'];
}

async function measured({ sides, bugs, report }: Stage, name: string, work: () => Promise<Work>): Promise<Measured> {
  report(name);
  const { servers, tracker } = sides;
  const [trackerFrom, githubFrom, mailsFrom] = [
    servers.tracker.lines.length,
    servers.github.lines.length,
    tracker.state.events.size,
  ];
  const [startedAt, startedMs] = [sides.now(), performance.now()];
  const { mostMb, numbers } = await work();
  const ofTracker = servers.tracker.lines.slice(trackerFrom);
  const ofGithub = servers.github.lines.slice(githubFrom);
  const hours = (sides.now() - startedAt) / hourMs;
  // What one request changes and says is one mail.
  const told = [...tracker.state.events.values()].slice(mailsFrom).filter(({ who }) => who === 'bridge@example.test');
  const mails = new Set(told.map(({ bug, at }) => `${bug} ${at}`)).size;
  const found = {
    trackerReadsPerBug: readsOf(ofTracker) / bugs,
    trackerWritesPerBug: writesOf(ofTracker) / bugs,
    githubReadsPerBug: readsOf(ofGithub) / bugs,
    githubWritesPerBug: writesOf(ofGithub) / bugs,
    virtualHours: hours,
    mails,
    mostMb,
    ...numbers,
    realMinutes: (performance.now() - startedMs) / minuteMs,
  };
  report(`${name}: ${JSON.stringify(found)}`);
  return { name, numbers: found };
}

async function once({ program }: Stage, ...args: readonly string[]): Promise<Work> {
  const ended = await program.run(...args).ended;
  // Its own words are too long for the end of an output to name what differs.
  checkWell(args, args[0] === 'cutover' && ended.code !== 0 ? await program.run('verify').ended : ended);
  return { mostMb: ended.mostMb, numbers: {} };
}

function checkWell(args: readonly string[], { code, out, err }: Ended): void {
  if (code !== 0) throw new Error(`${args.join(' ')} ended with ${code}: ${err.slice(-2_000)}\n${out.slice(-2_000)}`);
}

/**
 * Killed between two writes, at moments spread over the whole, before or after the write took effect; and started again
 * each time.
 */
async function migrateKilled(stage: Stage): Promise<Work> {
  const { sides, program, report } = stage;
  const draw = random(20_261_123);
  const { state } = sides.tracker;
  const expected = state.bugs.size + state.attachments.size;
  const moments = Array.from({ length: kills }, (_, nth) =>
    Math.floor((expected * (nth + 0.2 + 0.6 * draw.next())) / kills),
  );
  let [writes, mostMb, killed] = [0, 0, 0];
  for (;;) {
    const running = program.run('migrate', '--json', '--no-verify');
    const [moment, dies] = [moments[killed], draw.pick(['before', 'after'] as const)];
    sides.onWrite((when) => {
      if (when === 'after') {
        writes += 1;
        if (writes % 500 === 0) report(`migrate: ${writes} of some ${expected} writes, ${sides.now() / hourMs} h`);
      }
      if (moment !== undefined && writes >= moment && when === dies) running.kill();
    });
    const ended = await running.ended;
    mostMb = Math.max(mostMb, ended.mostMb);
    if (ended.code !== null) {
      sides.onWrite(() => undefined);
      checkWell(['migrate'], ended);
      return { mostMb, numbers: { kills: killed } };
    }
    killed += 1;
    sides.wait(minuteMs);
  }
}

/** The daemon, while people work on both sides; it is ended once all has crossed. */
async function liveFor(stage: Stage): Promise<Work> {
  const { sides, program, days, report } = stage;
  const life = lifeOf(sides, days, 20_261_122);
  // A bug that is hidden last has its turn to be looked at within this many cycles, of which there is one an hour
  // (docs/privacy.md).
  const cyclesToLook = Math.ceil((1.1 * stage.bugs) / 500) + 1;
  const untilAt = sides.now() + (days * 24 + Math.max(12, cyclesToLook)) * hourMs;
  const running = program.run('run');
  let isStopped = false;
  let [toldAt, requests] = [sides.now(), 0];
  sides.onTime(() => {
    life.goOn();
    requests += 1;
    if (sides.now() - toldAt >= 24 * hourMs) {
      toldAt = sides.now();
      report(`a month: ${((untilAt - sides.now()) / 24 / hourMs).toFixed(1)} days left after ${requests} requests`);
    }
    if (!life.isOver() || sides.now() < untilAt || isStopped) return;
    isStopped = true;
    running.stop();
  });
  const ended = await running.ended;
  sides.onTime(() => undefined);
  checkWell(['run'], ended);
  return { mostMb: ended.mostMb, numbers: { changes: life.changes } };
}

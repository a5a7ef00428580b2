import { ledgerInWords, operationInWords, timeInWords } from '../../src/explain/words.ts';
import type { OutboxRow } from '../../src/model/plan/outbox.ts';
import { freePort } from '../../src/sandbox/server/free-port.ts';
import { pause, type Running, start } from '../e2e/process.ts';
import { serve } from '../e2e/world.ts';
import { violations } from '../simulation/oracle.ts';
import type { Stage } from '../simulation/stage.ts';
import { noActions, people } from '../simulation/world/people.ts';
import { drawFaults } from '../support/drawn-faults.ts';
import { random } from '../support/random.ts';
import { growthIn, type Sample, sampleOf } from './gauge.ts';
import { openHooks } from './hooks.ts';
import { unexplainedIn, warningsIn } from './log-lines.ts';
import { notInStep, openVisitor, serverOn } from './visitor.ts';

export interface SoakOptions {
  /** How long people are at work. The rest afterwards takes some ten seconds more. */
  readonly busyMs: number;
  readonly seed: number;
  /** How often the daemon is stopped or killed meanwhile. */
  readonly restarts: number;
  /** Told now and then how it goes. */
  readonly report: (line: string) => void;
}

export interface Soaked {
  /** Everything that is wrong; empty when nothing is. */
  readonly complaints: readonly string[];
  readonly acts: number;
  readonly faults: number;
  readonly writes: number;
  /** Webhooks and pages that the daemon answered, as it should. */
  readonly hooks: number;
  readonly pages: number;
  readonly warnings: number;
  readonly memoryMax: number;
  readonly handlesMax: number;
}

const faultShare = 0.03;
const stepMs = 100;
const startMaxMs = 90_000;
const sampleEveryMs = 1_000;
const checkEveryMs = 500;
/** Hooks are on and off in turns, so many times. */
const turns = 8;

/**
 * The built daemon between both sandbox servers over HTTP: people edit at random, requests go wrong, and the process is
 * stopped and killed. Webhooks come for half of the time, and somebody looks at the pages. At the end everything goes
 * right again, people pause, and both sides have to be in step.
 */
export async function soak({ busyMs, seed, restarts, report }: SoakOptions): Promise<Soaked> {
  const draw = random(seed);
  const faultsAt: number[] = [];
  let isTroubled = true;
  const drawn = drawFaults(draw.next, faultShare);
  const server = serverOn(await freePort());
  const served = await serve({
    http: { http: server },
    trouble(side, cost) {
      const fault = isTroubled ? drawn(side, cost) : { kind: 'none' as const };
      if (fault.kind === 'none') return fault;
      faultsAt.push(Date.now());
      // A pause as long as the real GitHub asks for would be most of the run.
      return fault.kind === 'limited' ? { ...fault, retryAfterSeconds: 1 } : fault;
    },
  });
  const complaints: string[] = [];
  const outputs: string[] = [];
  const lives: Sample[][] = [];
  const complain = (words: string) => {
    if (!complaints.includes(words)) complaints.push(words);
  };
  const beganAt = Date.now();
  let checkedAt = 0;
  let acts = 0;
  let hasDied = false;
  let running: Running | null = null;
  let page: { leave(): Promise<void> } | null = null;
  const stage = served.stage();
  const actions = noActions();
  const crowd = people(stage, draw, actions);
  const [hooks, visitor] = [
    openHooks(server, stage, random(seed + 1), complain),
    openVisitor(server, random(seed + 2), complain),
  ];
  const step = (now: number) => {
    if (draw.chance(0.4)) {
      acts += 1;
      crowd.act();
    }
    if (now - checkedAt < checkEveryMs) return;
    checkedAt = now;
    hooks.send(Math.floor(((now - beganAt) * turns) / busyMs) % 2 === 0);
    visitor.check();
  };
  const live = async (forMs: number): Promise<Running> => {
    const life: Sample[] = [];
    lives.push(life);
    const process = start(['run', '--config', served.configFile]);
    let isUp = false;
    for (let until = Date.now() + startMaxMs; Date.now() < until; await pause(stepMs)) {
      const now = Date.now();
      step(now);
      // A life is as long on a machine on which it takes long to begin.
      if (!isUp && process.output().includes('"msg":"started"')) [isUp, until] = [true, now + forMs];
      const sample = now - (life.at(-1)?.at ?? 0) < sampleEveryMs ? null : sampleOf(process.child.pid ?? 0, now);
      if (sample !== null) life.push(sample);
      if (process.child.exitCode === null) continue;
      complain(`the daemon ended by itself with ${process.child.exitCode}`);
      hasDied = true;
      break;
    }
    if (!isUp && !hasDied) complain(`the daemon had not started after ${startMaxMs / 1000} s`);
    return process;
  };
  try {
    crowd.begin();
    page = visitor.listen();
    for (let life = 0; life <= restarts && !hasDied; life += 1) {
      // The last life is as long as all others together, so that what grows has the time to.
      running = await live(life === restarts ? busyMs / 2 : busyMs / 2 / restarts);
      report(
        `life ${life + 1} of ${restarts + 1}: ${acts} acts, ${served.writes()} writes, ${faultsAt.length} faults, ${hooks.count()} hooks, ${visitor.count()} pages`,
      );
      if (life === restarts) break;
      await running.end(draw.chance(0.5) ? 'SIGKILL' : 'SIGTERM');
      outputs.push(running.output());
    }
    isTroubled = false;
    const unsettled = hasDied
      ? []
      : await untilQuiet({
          contentOfBoth: served.contentOfBoth,
          report,
          notInStep: () => notInStep(server),
          waiting: () => waitingIn(served.stage()),
        });
    complaints.push(...unsettled);
    await Promise.all([hooks.done(), visitor.done(), page.leave()]);
    complaints.push(...parkedWithoutReason(served.stage(), report));
    const isQuiet = !hasDied && unsettled.length === 0;
    const code = await running?.end('SIGTERM');
    outputs.push(running?.output() ?? '');
    if (code !== 0) complaints.push(`SIGTERM ended it with ${code}`);
    running = null;
    // What is not finished is not yet as it has to be in the end.
    if (isQuiet) complaints.push(...violations({ ...stage, store: served.stage().store }, actions));
    complaints.push(...lives.flatMap(growthIn), ...outputs.flatMap((output) => unexplainedIn(output, faultsAt)));
  } finally {
    await page?.leave();
    await running?.end('SIGKILL');
    await served.close();
  }
  const samples = lives.flat();
  return {
    complaints,
    acts,
    faults: faultsAt.length,
    writes: served.writes(),
    hooks: hooks.count(),
    pages: visitor.count(),
    warnings: outputs.map(warningsIn).reduce((sum, count) => sum + count, 0),
    memoryMax: Math.max(0, ...samples.map(({ memory }) => memory)),
    handlesMax: Math.max(0, ...samples.map(({ handles }) => handles)),
  };
}

const quietMs = 7_000;
const quietMaxMs = 180_000;
const reportEveryMs = 10_000;

interface Settling {
  readonly contentOfBoth: () => string;
  readonly report: (line: string) => void;
  readonly notInStep: () => Promise<readonly string[]>;
  readonly waiting: () => readonly string[];
}

/**
 * Waits until nothing changed on either side for longer than a full comparison is apart, and the daemon itself says
 * that all is in step: what failed several times is put off for longer than that. Answers with what is still in the way
 * when the time is over.
 */
async function untilQuiet({ contentOfBoth, report, notInStep: check, waiting }: Settling): Promise<readonly string[]> {
  const beganAt = Date.now();
  let [seen, since, reportedAt] = [contentOfBoth(), beganAt, beganAt];
  for (;;) {
    const now = Date.now();
    if (contentOfBoth() !== seen) [seen, since] = [contentOfBoth(), now];
    const wrong = now - since < quietMs ? ['both sides still change'] : await check();
    if (wrong.length === 0) {
      report(`at rest after ${Math.round((now - beganAt) / 1000)} s`);
      return [];
    }
    if (now - reportedAt >= reportEveryMs) {
      reportedAt = now;
      report([...wrong, ...waiting()].join('; '));
    }
    if (now - beganAt > quietMaxMs) return ['it does not come to rest', ...wrong, ...waiting()];
    await pause(1_000);
  }
}

/** What people do that one side takes and the other refuses. Whatever else is parked is a fault. */
const refusals = /would appear on both the "depends on" and "blocks" parts of the dependency tree/u;

function parkedWithoutReason({ store }: Stage, report: (line: string) => void): readonly string[] {
  const parked = store.outbox.parked('widget').map((row) => ({ why: row.why ?? '', words: wordsOf(row) }));
  store.close();
  for (const { words } of parked) report(words);
  return parked.filter(({ why }) => !refusals.test(why)).map(({ words }) => words);
}

const lastMax = 5;

/** What the bridge still wants to write, and what it did last. */
function waitingIn({ store }: Stage): readonly string[] {
  const rows = [...store.outbox.sent('widget'), ...store.outbox.due('widget', Number.MAX_SAFE_INTEGER)];
  const done = store.ledger
    .latest('widget', lastMax)
    .map((line) => `bug ${line.bug} = #${line.issue}: ${ledgerInWords(line)}`);
  store.close();
  return [...rows.slice(0, lastMax).map(wordsOf), ...new Set(done.map((words) => `done: ${short(words)}`))];
}

function wordsOf({ operation, state, attempts, notBeforeAt, why }: OutboxRow): string {
  const waits = notBeforeAt === null ? '' : `, not before ${timeInWords(notBeforeAt)}`;
  const wish = short(operationInWords(operation, null, 'planned').what);
  return `${state} ${operation.about}: ${wish}, on ${operation.on}, ${attempts} attempts${waits}${why === null ? '' : `, ${why}`}`;
}

const short = (words: string): string => words.replaceAll(/\s+/gu, ' ').slice(0, 160);

import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { serveGithub } from '../../src/sandbox/github/server/server.ts';
import { createGithubWorld, type GithubWorld } from '../../src/sandbox/github/world/world.ts';
import type { Fault, FaultSource } from '../../src/sandbox/server/faults.ts';
import { pause, type Running, start } from '../e2e/process.ts';
import { drawFaults } from '../support/drawn-faults.ts';
import { type Random, random } from '../support/random.ts';
import { type Act, type Actions, noActions } from './actions.ts';
import { configFor } from './config.ts';
import { githubActs } from './github-people.ts';
import { type Keys, type Routed, routedBy } from './keys.ts';
import { violations } from './oracle.ts';
import { untilQuiet, wishesOf } from './rest.ts';
import { bugsOf, openLiveTracker, Refused } from './tracker.ts';
import { trackerActs } from './tracker-people.ts';
import { openWay, type Way } from './way.ts';

export interface LiveOptions {
  /** Where the tracker is, without /rest. */
  readonly url: string;
  readonly keys: Keys;
  readonly seed: number;
  /** How long people are at work. The first run before and the rest afterwards come on top. */
  readonly busyMs: number;
  /** How often the daemon is stopped or killed meanwhile. */
  readonly restarts: number;
  readonly report: (line: string) => void;
}

export interface Lived {
  /** What is wrong, a line each; empty when nothing is. */
  readonly complaints: readonly string[];
  readonly acts: number;
  readonly faults: number;
  readonly requests: number;
  readonly writes: number;
}

const faultShare = 0.02;
const actEveryMs = 150;

/** One whole mirror between a live tracker and the sandbox's GitHub, with the built daemon in the middle. */
interface Place {
  readonly options: LiveOptions;
  readonly github: GithubWorld;
  readonly routed: readonly Routed[];
  readonly way: Way;
  readonly configFile: string;
  readonly actions: Actions;
  readonly draw: Random;
  /** People act only between the first run and the rest, and so do faults. */
  isBusy: boolean;
}

/**
 * People edit both sides by seed, requests go wrong on the way, and the daemon is stopped and killed. Then people
 * pause, an oracle that never asks the bridge compares both sides, and `verify` and `status` have to agree with it.
 */
export async function live(options: LiveOptions): Promise<Lived> {
  const { keys, seed, report } = options;
  const draw = random(seed);
  const drawn = drawFaults(random(seed + 1).next, faultShare);
  let faults = 0;
  const trouble: FaultSource = (side, cost) => {
    const fault = place?.isBusy ? shortened(drawn(side, cost)) : { kind: 'none' as const };
    if (fault.kind !== 'none') faults += 1;
    return fault;
  };
  const github = createGithubWorld({ now: Date.now, url: '', webUrl: 'https://github.com' });
  // Other repositories each time: bugs keep the addresses of issues of earlier runs.
  const routed = routedBy(keys, `acme/live-${Date.now().toString(36)}`);
  for (const login of ['bugferry-bot', 'mona']) github.addUser(login);
  for (const { repo } of routed) github.addRepo(repo, { permissions: { 'bugferry-bot': 'write', mona: 'admin' } });
  const folder = mkdtempSync(join(tmpdir(), 'bugferry-live-'));
  const server = await serveGithub(github, { port: 0, faults: trouble, sleep: pause });
  const way = await openWay(options.url, trouble);
  const configFile = join(folder, 'bridge.json');
  writeFileSync(
    configFile,
    JSON.stringify(configFor({ tracker: way.url, github: server.url, keys, routed, state: join(folder, 'state.db') })),
  );
  let isWell = false;
  const place: Place = { options, github, routed, way, configFile, actions: noActions(), draw, isBusy: false };
  try {
    const complaints = await run(place);
    isWell = complaints.length === 0;
    return { complaints, acts: place.actions.acts, faults, requests: way.requests(), writes: way.writes() };
  } finally {
    await way.close();
    await server.close();
    if (isWell) rmSync(folder, { recursive: true, force: true });
    else report(`the state and the log of the daemon are in ${folder}`);
  }
}

/** A pause as long as the real GitHub asks for would be most of the run. Some answers are slower than a second. */
function shortened(fault: Fault): Fault {
  if (fault.kind === 'limited') return { ...fault, retryAfterSeconds: 1 };
  return fault.kind === 'slow' ? { kind: 'slow', delayMs: fault.delayMs * 10 } : fault;
}

async function run(place: Place): Promise<readonly string[]> {
  const { options, configFile, draw } = place;
  const { busyMs, restarts, report } = options;
  const log = join(dirname(configFile), 'daemon.log');
  const end = async (running: Running, signal: 'SIGKILL' | 'SIGTERM') => {
    const code = await running.end(signal);
    appendFileSync(log, running.output());
    return code;
  };
  const unfit = await failedChecks(configFile);
  if (unfit.length > 0) return unfit;
  let daemon: Running | null = null;
  try {
    daemon = start(['run', '--config', configFile]);
    const first = await untilQuiet({ ...place, wishes: () => wishesOf(configFile), report }, daemon);
    if (first.length > 0) return [...first, lastWordsOf(daemon)];
    const issues = place.routed.flatMap(({ repo }) => place.github.issues(repo));
    report(`first run done: ${issues.length} issues`);
    place.isBusy = true;
    const acting = act(place);
    for (let life = 0; life <= restarts; life += 1) {
      await pause(busyMs / (restarts + 1));
      if (daemon.child.exitCode !== null)
        return [`the daemon ended by itself with ${daemon.child.exitCode}`, lastWordsOf(daemon)];
      if (life === restarts) break;
      await end(daemon, draw.chance(0.6) ? 'SIGKILL' : 'SIGTERM');
      daemon = start(['run', '--config', configFile]);
      report(`life ${life + 2} of ${restarts + 1}, ${place.actions.acts} acts`);
    }
    place.isBusy = false;
    await acting;
    const unsettled = await untilQuiet({ ...place, wishes: () => wishesOf(configFile), report }, daemon);
    const code = await end(daemon, 'SIGTERM');
    const found = await violations({
      url: options.url,
      keys: options.keys,
      github: place.github,
      routed: place.routed,
      actions: place.actions,
    });
    const ended = code === 0 ? [] : [`SIGTERM ended it with ${code}`];
    return [...unsettled, ...ended, ...found, ...(await ownWord(place, found.length === 0))];
  } finally {
    place.isBusy = false;
    await daemon?.end('SIGKILL');
  }
}

/** One act after the other on either side, until people pause. What a side's rules forbid is not done. */
async function act(place: Place): Promise<void> {
  const { options, github, routed, actions, draw } = place;
  const { url, keys } = options;
  const member = openLiveTracker(url, keys.member.key);
  let serial = 0;
  const text = (what: string) => {
    serial += 1;
    return `${what} no ${options.seed}-${serial}.`;
  };
  // A member on the CC list sees a hidden bug, too, and nothing that is said there ever crosses.
  const bugs: number[] = [];
  for (const { product } of routed)
    bugs.push(...(await bugsOf(openLiveTracker(url, null), product)).map(({ id }) => id));
  const insider = openLiveTracker(url, keys.insider.key);
  const acts = [
    trackerActs({ keys, insider, member, draw, actions, text, bugs }),
    githubActs({ github, repos: routed.map(({ repo }) => repo), draw, actions, text }),
  ].map((side) => side.flatMap((each) => Array.from<Act>({ length: each.weight }).fill(each)));
  while (place.isBusy) {
    try {
      await draw.pick(draw.pick(acts)).act();
      actions.acts += 1;
    } catch (error) {
      if (!(error instanceof Refused) && !isGithubRefusal(error)) throw error;
    }
    await pause(actEveryMs);
  }
}

const isGithubRefusal = (error: unknown): boolean => error instanceof Error && error.constructor.name === 'Refusal';

/** What `check` finds wrong with the keys or the tracker, which the run would find again in a hundred ways. */
async function failedChecks(configFile: string): Promise<readonly string[]> {
  const checked = start(['check', '--config', configFile]);
  await checked.ended;
  const lines = checked.output().split('\n');
  return lines.filter((line) => line.startsWith('failure '));
}

/** What the bridge itself says has to be what the oracle found. */
async function ownWord({ configFile, options }: Place, isWell: boolean): Promise<readonly string[]> {
  const found: string[] = [];
  for (const command of ['verify', 'status']) {
    const asked = start([command, '--config', configFile]);
    const code = await asked.ended;
    if (code !== 0 || !isWell) options.report(asked.output());
    if ((code === 0) !== isWell)
      found.push(`${command} ends with ${code}, and the oracle found ${isWell ? 'nothing' : 'differences'}`);
  }
  return found;
}

const lastWordsOf = (daemon: Running): string =>
  `its last words: ${daemon.output().trim().split('\n').slice(-5).join('\n')}`;

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
import { type Judged, violations } from './oracle.ts';
import { untilQuiet, wishesOf } from './rest.ts';
import { bugsOf, openLiveTracker, Refused } from './tracker.ts';
import { trackerActs } from './tracker-people.ts';
import { openWay, type Way } from './way.ts';

export interface PlaceOptions {
  /** Where the tracker is, without /rest. */
  readonly url: string;
  readonly keys: Keys;
  readonly seed: number;
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

/** One whole mirror between a live tracker and the sandbox's GitHub, with the built daemon in the middle. */
export interface Place {
  readonly options: PlaceOptions;
  readonly github: GithubWorld;
  readonly routed: readonly Routed[];
  readonly way: Way;
  readonly configFile: string;
  readonly actions: Actions;
  readonly draw: Random;
  /** Makes a text that stands nowhere else. */
  readonly text: (what: string) => string;
  /** Whether requests go wrong. */
  isBusy: boolean;
}

/** @param work answers with what is wrong */
export async function inPlace(
  options: PlaceOptions,
  work: (place: Place) => Promise<readonly string[]>,
): Promise<Lived> {
  const { keys, seed, report } = options;
  const draw = random(seed);
  const drawn = drawFaults(random(seed + 1).next, faultShare);
  let [faults, serial] = [0, 0];
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
  const text = (what: string): string => {
    serial += 1;
    return `${what} no ${seed}-${serial}.`;
  };
  const place: Place = { options, github, routed, way, configFile, actions: noActions(), draw, text, isBusy: false };
  try {
    const unfit = await failedChecks(configFile);
    const complaints = unfit.length > 0 ? unfit : await work(place);
    isWell = complaints.length === 0;
    return { complaints, acts: place.actions.acts, faults, requests: way.requests(), writes: way.writes() };
  } finally {
    place.isBusy = false;
    await way.close();
    await server.close();
    if (isWell) rmSync(folder, { recursive: true, force: true });
    else {
      writeFileSync(
        join(folder, 'acts.json'),
        JSON.stringify(place.actions, (_key, value) => listed(value)),
      );
      report(`the state, the log of the daemon and what people did are in ${folder}`);
    }
  }
}

const listed = (value: unknown): unknown => (value instanceof Map || value instanceof Set ? [...value] : value);

/** A pause as long as the real GitHub asks for would be most of the run. Some answers are slower than a second. */
function shortened(fault: Fault): Fault {
  if (fault.kind === 'limited') return { ...fault, retryAfterSeconds: 1 };
  return fault.kind === 'slow' ? { kind: 'slow', delayMs: fault.delayMs * 10 } : fault;
}

/** What `check` finds wrong with the keys or the tracker, which the run would find again in a hundred ways. */
async function failedChecks(configFile: string): Promise<readonly string[]> {
  const checked = start(['check', '--config', configFile]);
  await checked.ended;
  const lines = checked.output().split('\n');
  return lines.filter((line) => line.startsWith('failure '));
}

export const begin = ({ configFile }: Place): Running => start(['run', '--config', configFile]);

/** What a daemon wrote is kept in one file. */
export async function end(place: Place, daemon: Running, signal: 'SIGKILL' | 'SIGTERM'): Promise<number | null> {
  const code = await daemon.end(signal);
  appendFileSync(join(dirname(place.configFile), 'daemon.log'), daemon.output());
  return code;
}

/** @returns what is wrong, a line each */
export const quiet = (place: Place, daemon: Running): Promise<readonly string[]> =>
  untilQuiet({ ...place, wishes: () => wishesOf(place.configFile), report: place.options.report }, daemon);

/** @returns what does one act on either side. What a side's rules forbid is not done. */
export async function actorOf({ options, github, routed, actions, draw, text }: Place): Promise<() => Promise<void>> {
  const { url, keys } = options;
  const member = openLiveTracker(url, keys.member.key);
  // A member on the CC list sees a hidden bug, too, and nothing that is said there ever crosses.
  const bugs: number[] = [];
  for (const { product } of routed)
    bugs.push(...(await bugsOf(openLiveTracker(url, null), product)).map(({ id }) => id));
  const insider = openLiveTracker(url, keys.insider.key);
  const acts = [
    trackerActs({ keys, insider, member, draw, actions, text, bugs }),
    githubActs({ github, repos: routed.map(({ repo }) => repo), draw, actions, text }),
  ].map((side) => side.flatMap((each) => Array.from<Act>({ length: each.weight }).fill(each)));
  return async () => {
    try {
      await draw.pick(draw.pick(acts)).act();
      actions.acts += 1;
    } catch (error) {
      if (!(error instanceof Refused) && !isGithubRefusal(error)) throw error;
    }
    await pause(actEveryMs);
  };
}

const actEveryMs = 150;

const isGithubRefusal = (error: unknown): boolean => error instanceof Error && error.constructor.name === 'Refusal';

export const judgedIn = ({ options: { url, keys }, github, routed, actions }: Place): Judged => ({
  url,
  keys,
  github,
  routed,
  actions,
});

/** What the oracle finds, and whether the bridge itself says the same. */
export async function judge(place: Place, more: readonly string[] = []): Promise<readonly string[]> {
  const { configFile, options } = place;
  const differing = await violations(judgedIn(place));
  const [isWell, found] = [differing.length === 0, [...differing, ...more]];
  for (const command of ['verify', 'status']) {
    const asked = start([command, '--config', configFile]);
    const code = await asked.ended;
    if (code !== 0 || !isWell) options.report(asked.output());
    if ((code === 0) !== isWell)
      found.push(`${command} ends with ${code}, and the oracle found ${isWell ? 'nothing' : 'differences'}`);
  }
  return found;
}

export const lastWordsOf = (daemon: Running): string =>
  `its last words: ${daemon.output().trim().split('\n').slice(-5).join('\n')}`;

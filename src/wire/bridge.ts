import { allCharacters } from '../bugzilla/map.ts';
import type { Config } from '../config/config.ts';
import { peopleBook } from '../config/people-book.ts';
import { limitsOf, routesOf } from '../config/routes.ts';
import { secretBook } from '../config/secret-book.ts';
import { ownVersion } from '../config/version.ts';
import type { Configured } from '../explain/route-status.ts';
import { retirementInWords } from '../explain/words.ts';
import { backoffInForce, heldWhile, type SideBackoff } from '../kernel/backoff.ts';
import type { EngineEvent } from '../kernel/context.ts';
import { rowReader } from '../kernel/read-rows.ts';
import { unreadableBugs } from '../kernel/unreadable.ts';
import type { ControlQueue } from '../model/control.ts';
import type { Side } from '../model/ids.ts';
import type { VerifyReport } from '../model/reports/verification.ts';
import type { Route } from '../model/route.ts';
import type { Clock, Fetch, Watch } from '../model/runtime.ts';
import type { Store } from '../model/store.ts';
import type { Retirement } from '../model/survey.ts';
import { checksVisibility } from '../rules/privacy/gate.ts';
import { type Failure, releasers } from '../runtime/cleanup.ts';
import { systemClock, systemRandom } from '../runtime/clock.ts';
import { countedFetch } from '../runtime/fetch.ts';
import { httpFetch } from '../runtime/http-fetch.ts';
import { createLog, type Log, type LogOptions } from '../runtime/log.ts';
import { schedule } from '../runtime/schedule.ts';
import { scrubOf } from '../runtime/scrub.ts';
import { fileControlQueue } from '../store/control-queue.ts';
import { openStore } from '../store/open.ts';
import { type Adoption, adoptState, isKnown, letGoOn } from '../sync/adopt.ts';
import {
  cyclePass,
  type Daemon,
  type DaemonOptions,
  daemon,
  isCut,
  type PassOptions,
  type RouteRun,
  sweepPass,
} from '../sync/daemon.ts';
import { lookTurns } from '../sync/observe/recheck-mirrored.ts';
import { type Preview, previewOf } from '../sync/preview.ts';
import type { VerifyProgress as Progress } from '../verify/inspection.ts';
import { type VerifyOptions, verify } from '../verify/verify.ts';
import { type BridgeRoute, bridgeRoute } from './bridge-route.ts';
import { anonymousReadersOf, githubClientOf, type LastPause, sidesOf, trackerClientOf } from './edges.ts';
import { greetingsOf, shared } from './greeting.ts';
import { allowancesOf, straysIn } from './view.ts';
import { watched } from './watched.ts';

export { findLink, readStory } from '../explain/find.ts';
export { creationsLeft, workIn } from '../explain/forecast.ts';
export { statusOf } from '../explain/route-status.ts';
export { whyNoLink } from '../explain/why-no-link.ts';
export { redactionOf } from '../rules/privacy/redactions.ts';
export { retryable } from '../sync/commands.ts';
export { whyNoPair } from '../sync/pair-by-hand.ts';
export type { BridgeRoute } from './bridge-route.ts';

export interface BridgeOptions {
  /** `write` to change the state, `read` to only look at it, `copy` for a private copy of it. */
  readonly mode: 'write' | 'read' | 'copy';
  /** Once it aborts, no further write is started; those in flight are finished. */
  readonly signal: AbortSignal;
  readonly tell: (event: EngineEvent) => void;
  readonly warn: (message: string) => void;
  /** Ignores the answers of earlier greetings. */
  readonly asksAnew?: boolean;
  /** Called with the HTTP status of every answer of a side; null when there was no answer. */
  readonly answered?: (side: Side, status: number | null) => void;
}

export interface Bridge {
  readonly store: Store;
  readonly clock: Clock;
  readonly watch: Watch;
  /** Those that are enabled. */
  readonly routes: readonly BridgeRoute[];
  /** All routes of the configuration. */
  readonly configured: readonly Route[];
  readonly allowances: Configured;
  /** Holds commands for the next cycle of the process that may write. */
  readonly controlQueue: ControlQueue;
  /** Routes that the configuration does not have, although the state holds pairs of them. */
  readonly strays: readonly string[];
  close(): void;
}

/** Builds a bridge. Sends no requests yet. Throws when the state file is locked or unusable; see `isStateProblem`. */
export function openBridge(
  config: Config,
  { mode, signal, tell, warn, asksAnew = false, answered = () => {} }: BridgeOptions,
): Bridge {
  const clock = systemClock(signal);
  const opened = openStore(config.state, { mode, now: clock.now, scrub: scrubOf(config.secrets), warn });
  const held = heldWhile(opened, () => signal.aborted);
  const { watch, store } = watched(held, config.state, { mode, clock, warn });
  const send: Fetch = (...request) => {
    opened.flush();
    return httpFetch(...request);
  };
  const fetchOf = (side: Side): Fetch => countedFetch(send, (status) => answered(side, status));
  const secrets = secretBook(config, warn);
  const lastPause: LastPause = (side) => store.budgets.lastBackoff(side)?.until ?? null;
  const trackerClient = trackerClientOf(config, clock, fetchOf('tracker'), { secrets, lastPause });
  const githubClient = githubClientOf(config, clock, fetchOf('github'), { secrets, lastPause });
  const announced = announcer(mode === 'read' ? null : store, clock, warn);
  const characters = allCharacters();
  const anonymousReaderOf = anonymousReadersOf(config, clock, { characters, warn }, lastPause);
  const allowances = allowancesOf(config);
  const controlQueue = fileControlQueue(config.state, clock.now);
  const book = peopleBook(config.people, warn);
  const configured = routesOf(config);
  const enabledRoutes = configured.filter(({ isEnabled }) => isEnabled);
  const amongRoutes = {
    watch,
    version: ownVersion(),
    unreadable: unreadableBugs(),
    lookTurns: lookTurns(enabledRoutes),
    strays: straysIn(config, opened, warn),
  };
  const greetings = greetingsOf(config, opened, {
    clock,
    isKept: mode !== 'read',
    sinceAt: asksAnew ? clock.now() : 0,
    warn,
  });
  const served = shared<boolean>(clock);
  const routes = enabledRoutes.map((enabled) => {
    const route = { ...enabled, people: book.current() };
    const greeting = greetings();
    const rows = rowReader({ ...amongRoutes, route: route.name, store });
    const clients = { tracker: { ...trackerClient, rows }, github: { ...githubClient, rows } };
    const sides = sidesOf(route, clients, { characters, kept: greeting, warn });
    const anonymous = anonymousReaderOf(route, rows, greeting.tracker);
    const anonymousReader = checksVisibility(route) ? anonymous : null;
    const common = {
      route,
      limits: limitsOf(config),
      allowances,
      ...sides,
      anonymousReader,
      store,
      clock,
      random: systemRandom,
      tell,
      controlQueue,
      ...amongRoutes,
    };
    return { ...bridgeRoute(common, clients, book, { announced, greeting, served }), anonymous };
  });
  const close = (): void => {
    watch.close();
    opened.close();
  };
  return { store, clock, watch, routes, configured, allowances, controlQueue, strays: amongRoutes.strays, close };
}

/** Warns once of the end of the interface version that GitHub announces, and keeps its date where there is a store. */
function announcer(
  store: Store | null,
  { now }: Pick<Clock, 'now'>,
  warn: BridgeOptions['warn'],
): (retirement: Retirement | null) => void {
  let isTold = false;
  return (retirement) => {
    store?.retirements.save('github', retirement);
    const words = retirementInWords(retirement, now());
    if (words !== null && !isTold) warn(`GitHub ${words}.`);
    isTold ||= words !== null;
  };
}

/** An event of a running bridge. */
export type BridgeEvent = EngineEvent;
/** The result of a cycle or a sweep of one route. */
export type BridgeRun = RouteRun;
export type BridgeDaemon = Daemon;

export type BridgePreview = Preview;
export interface RouteAdoption {
  /** Null if the state knows the pairs of the route. */
  readonly adoption: Adoption | null;
  /** Whether the route had stopped for a second bridge. */
  readonly goesOn: boolean;
}
export type VerifyProgress = Progress;
export type BridgeLog = Log;

/** The backoff that keeps a route from running; null when it may run. */
export const backoffOf = (route: BridgeRoute): SideBackoff | null => backoffInForce(route);

/** One cycle of every route. What a route has no time to write follows, up to the limit of a cycle. */
export async function passOf(bridge: Bridge, options: PassOptions): Promise<readonly RouteRun[]> {
  const runs: RouteRun[] = [];
  const written = new Map<string, number>();
  const { writesPerCycle = Number.POSITIVE_INFINITY } = bridge.allowances;
  for (let { routes } = bridge; routes.length > 0; ) {
    const passed = await cyclePass(routes, options);
    runs.push(...passed);
    for (const run of passed)
      if (run.kind === 'cycle') written.set(run.route, (written.get(run.route) ?? 0) + run.report.applied);
    const cut = new Set(passed.filter(isCut).map(({ route }) => route));
    const mayGoOn = (name: string): boolean => (written.get(name) ?? 0) < writesPerCycle;
    routes = routes.filter(({ name }) => cut.has(name) && mayGoOn(name));
  }
  return runs;
}

/** One cycle of every route, whatever it leaves to do. */
export const cycleOf = (bridge: Bridge, options: PassOptions): Promise<readonly RouteRun[]> =>
  cyclePass(bridge.routes, options);

/** One full comparison of every route. */
export const sweepOf = (bridge: Bridge, options: PassOptions): Promise<readonly RouteRun[]> =>
  sweepPass(bridge.routes, options);

/** What a cycle of this route would do now. For a bridge on a copy of the state, because it writes to the state. */
export async function preview(route: BridgeRoute): Promise<Preview> {
  return previewOf(await route.context('cycle'));
}

/**
 * Finds the pairs of a route again, unless the state has them, without writing to either side. Throws `SideError`.
 */
export async function adoptionOf(route: BridgeRoute): Promise<RouteAdoption> {
  const context = await route.context();
  return isKnown(context)
    ? { adoption: null, goesOn: letGoOn(context) }
    : { adoption: await adoptState(context), goesOn: false };
}

/** Reads both sides of a route again and compares them. Throws `SideError`, and the signal's reason when it aborts. */
export async function verifyRoute(route: BridgeRoute, options: VerifyOptions): Promise<VerifyReport> {
  return verify(await route.context(), options);
}

/** Passes by the clock. */
export const daemonOf = (bridge: Bridge, options: Omit<DaemonOptions, 'runners' | 'schedule'>): Daemon =>
  daemon({ ...options, runners: bridge.routes, schedule });

/** Waits until `signal` aborts, then releases everything in reverse order, within one limit for all. */
export async function endOf(
  signal: AbortSignal,
  limitMs: number,
  held: readonly (readonly [name: string, release: () => void | Promise<void>])[],
): Promise<readonly Failure[]> {
  const all = releasers(limitMs);
  for (const [name, release] of held) all.add(name, release);
  if (!signal.aborted) await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
  return all.release();
}

export const openLog = (config: Config, options: Omit<LogOptions, 'secrets'>): Log =>
  createLog({ ...options, secrets: config.secrets });

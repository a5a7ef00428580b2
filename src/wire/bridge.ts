import type { TrackerClient } from '../bugzilla/connection/client.ts';
import { allCharacters } from '../bugzilla/map.ts';
import { bugzillaReplica } from '../bugzilla/replica.ts';
import { surveyTracker } from '../bugzilla/survey.ts';
import { type Config, secretsOf } from '../config/config.ts';
import { type PeopleBook, peopleBook } from '../config/people-book.ts';
import { limitsOf, routesOf } from '../config/routes.ts';
import { ownVersion } from '../config/version.ts';
import { retirementInWords } from '../explain/words.ts';
import { surveyAttachmentStore } from '../github/attachments/survey.ts';
import type { GithubClient } from '../github/connection/client.ts';
import { githubImporter } from '../github/imports/importer.ts';
import { whyUnread } from '../github/reading/commits.ts';
import { readIssueFields } from '../github/reading/offered-fields.ts';
import { githubReplica } from '../github/replica.ts';
import { repositoryOf } from '../github/repository.ts';
import { readIssueTypes, surveyRepository } from '../github/survey.ts';
import type { Context, EngineEvent, Session } from '../kernel/context.ts';
import { heldWhile, type Paused, pauseInForce } from '../kernel/pause.ts';
import { unreadableBugs } from '../kernel/unreadable.ts';
import type { ControlQueue } from '../model/control.ts';
import type { Side } from '../model/ids.ts';
import type { Importer } from '../model/migration.ts';
import { SideError } from '../model/outcome.ts';
import type { AnonymousReader, GithubReplica, TrackerReplica } from '../model/replica.ts';
import type { VerifyReport } from '../model/reports/verification.ts';
import type { Route } from '../model/route.ts';
import type { Clock } from '../model/runtime.ts';
import type { Store } from '../model/store.ts';
import type { Retirement, Survey } from '../model/survey.ts';
import { fieldsOfLabels } from '../rules/labels/labels-and-fields.ts';
import { checksVisibility, whyRefused } from '../rules/privacy/gate.ts';
import { type Failure, releasers } from '../runtime/cleanup.ts';
import { systemClock, systemRandom } from '../runtime/clock.ts';
import { countedFetch } from '../runtime/fetch.ts';
import { httpFetch } from '../runtime/http-fetch.ts';
import { createLog, type Log, type LogOptions } from '../runtime/log.ts';
import { schedule } from '../runtime/schedule.ts';
import { scrubOf } from '../runtime/scrub.ts';
import { fileControlQueue } from '../store/control-queue.ts';
import { openStore } from '../store/open.ts';
import { type Adoption, adopt, isKnown, meet } from '../sync/adopt.ts';
import {
  type Daemon,
  type DaemonOptions,
  daemon,
  type PassOptions,
  pass,
  type RouteRun,
  type RouteRunner,
  sweepPass,
} from '../sync/daemon.ts';
import { isConcerned, lookTurns } from '../sync/observe/poll.ts';
import { markAssignedDirty } from '../sync/observe/reassign.ts';
import { type Preview, previewOf } from '../sync/preview.ts';
import { inheritDoubts } from '../sync/settle/settle-doubts.ts';
import type { VerifyProgress as Progress } from '../verify/inspection.ts';
import { type VerifyOptions, verify } from '../verify/verify.ts';
import { tellDashboard } from './dashboard.ts';
import { anonymousReadersOf, filesOf, githubClientOf, readOf, trackerClientOf } from './edges.ts';
import { type Greeter, greetingsOf, shared, unlessLookedAt } from './greeting.ts';
import { allowancesOf, warnOfStrays } from './view.ts';

export { findLink, readStory } from '../explain/find.ts';
export { creationsLeft, statusOf } from '../explain/route-status.ts';
export { whyNoLink } from '../explain/why-no-link.ts';
export { redactionOf } from '../rules/privacy/redactions.ts';
export { retryable } from '../sync/commands.ts';
export { audit } from '../sync/withdraw/list-published.ts';

/** Trackers may return fewer bugs at once; GitHub returns at most a hundred. */
const trackerPageSize = 500;

export interface BridgeOptions {
  /** `write` to change the state, `read` to only look at it, `copy` for a private copy of it. */
  readonly mode: 'write' | 'read' | 'copy';
  /** Once it aborts, no further write is started; those in flight are finished. */
  readonly signal: AbortSignal;
  readonly tell: (event: EngineEvent) => void;
  readonly warn: (message: string) => void;
  /** Asks the sides for everything, whatever earlier greetings told. */
  readonly asksAnew?: boolean;
  /** Called with the HTTP status of every answer of a side; null when there was no answer. */
  readonly answered?: (side: Side, status: number | null) => void;
}

export interface Bridge {
  readonly store: Store;
  readonly clock: Clock;
  /** Those that are enabled. */
  readonly routes: readonly BridgeRoute[];
  /** All routes of the configuration. */
  readonly configured: readonly Route[];
  readonly allowances: Context['allowances'];
  /** Holds commands for the next cycle of the process that may write. */
  readonly controlQueue: ControlQueue;
  close(): void;
}

/** A route with its two sides. Its context is made on first use, because a side may be down at the start. */
export interface BridgeRoute extends RouteRunner {
  readonly route: Route;
  readonly tracker: TrackerReplica;
  readonly github: GithubReplica;
  readonly survey: Survey;
  readonly importer: Importer;
  /** When GitHub's token expires, as GitHub said at the last login; null if it does not, or did not say. */
  tokenEndsAt(): number | null;
  /** The tracker as the anonymous reader sees it, whether or not the route checks visibility. */
  readonly anonymous: AnonymousReader;
}

/** Builds a bridge. Sends no requests yet. Throws when the state file is locked or unusable; see `isStateProblem`. */
export function openBridge(
  config: Config,
  { mode, signal, tell, warn, asksAnew = false, answered = () => {} }: BridgeOptions,
): Bridge {
  const clock = systemClock(signal);
  const opened = openStore(config.state, { mode, now: clock.now, scrub: scrubOf(secretsOf(config)), warn });
  const store = heldWhile(opened, () => signal.aborted);
  warnOfStrays(config, opened, warn);
  const fetchOf = (side: Side): typeof fetch => countedFetch(httpFetch, (status) => answered(side, status));
  const trackerClient = trackerClientOf(config, clock, fetchOf('tracker'));
  const githubClient = githubClientOf(config, clock, fetchOf('github'));
  let isTold = false;
  const announced = (retirement: Retirement | null): void => {
    if (mode !== 'read') store.retirements.save('github', retirement);
    if (retirement !== null && !isTold) warn(`GitHub ${retirementInWords(retirement)}.`);
    isTold ||= retirement !== null;
  };
  const characters = allCharacters();
  const anonymousReaderOf = anonymousReadersOf(config, clock, characters, warn);
  const allowances = allowancesOf(config);
  const controlQueue = fileControlQueue(config.state, clock.now);
  const book = peopleBook(config.people, warn);
  const configured = routesOf(config);
  const enabledRoutes = configured.filter(({ isEnabled }) => isEnabled);
  const amongRoutes = { version: ownVersion(), unreadable: unreadableBugs(), lookTurns: lookTurns(enabledRoutes) };
  const greetings = greetingsOf(config, opened, {
    clock,
    isKept: mode !== 'read',
    sinceAt: asksAnew ? clock.now() : 0,
  });
  const served = shared<boolean>(clock);
  const routes = enabledRoutes.map((enabled) => {
    const route = { ...enabled, people: book.current() };
    const { product } = route.selection;
    const greeting = greetings();
    const further = { details: route.table, labels: fieldsOfLabels(route) };
    const tracker = bugzillaReplica({
      client: trackerClient,
      product,
      url: trackerClient.url,
      pageSize: trackerPageSize,
      ...further,
      characters,
      kept: greeting.tracker,
      warn,
    });
    const github = githubReplica({ client: githubClient, ...readOf(route), kept: greeting.github });
    const files = filesOf(route, { trackerClient, githubClient, characters, warn });
    const anonymous = anonymousReaderOf(route);
    const anonymousReader = checksVisibility(route) ? anonymous : null;
    const common = {
      route,
      limits: limitsOf(config),
      allowances,
      tracker,
      github,
      files,
      anonymousReader,
      store,
      clock,
      random: systemRandom,
      tell,
      controlQueue,
      ...amongRoutes,
    };
    return { ...bridgeRoute(common, githubClient, trackerClient, book, { announced, greeting, served }), anonymous };
  });
  return { store, clock, routes, configured, allowances, controlQueue, close: () => opened.close() };
}

/** An event of a running bridge. */
export type BridgeEvent = EngineEvent;
/** The result of a cycle or a sweep of one route. */
export type BridgeRun = RouteRun;
export type BridgeDaemon = Daemon;

export type BridgePreview = Preview;
export type BridgeAdoption = Adoption;
export type VerifyProgress = Progress;
export type BridgeLog = Log;

/** The pause that keeps a route from running; null when it may run. */
export const pauseOf = (route: BridgeRoute): Paused | null => pauseInForce(route);

/** One cycle of every route. */
export const passOf = (bridge: Bridge, options: PassOptions): Promise<readonly RouteRun[]> =>
  pass(bridge.routes, options);

/** One full comparison of every route. */
export const sweepOf = (bridge: Bridge, options: PassOptions): Promise<readonly RouteRun[]> =>
  sweepPass(bridge.routes, options);

/** What a cycle of this route would do now. For a bridge on a copy of the state, because it writes to the state. */
export async function preview(route: BridgeRoute): Promise<Preview> {
  return previewOf(await route.context('cycle'));
}

/**
 * Finds the pairs of a route again, without writing to either side; null when the state has them. Throws `SideError`.
 */
export async function adoptionOf(route: BridgeRoute): Promise<Adoption | null> {
  const context = await route.context();
  return isKnown(context) ? null : adopt(context);
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
  createLog({ ...options, secrets: secretsOf(config) });

function bridgeRoute(
  common: Omit<Context, 'session'> & Pick<Bridge, 'controlQueue'>,
  client: GithubClient,
  trackerClient: TrackerClient,
  book: PeopleBook,
  { announced, greeting, served }: Greeter,
): Omit<BridgeRoute, 'anonymous'> {
  const { route, tracker, github, anonymousReader } = common;
  let session: Session | null = null;
  let isFresh = false;
  let tokenEndsAt: number | null = null;
  let { people, webHost } = route;
  const contextOf = (of: Session): Context => ({
    ...common,
    route: { ...route, webHost, people: book.current() },
    session: of,
  });
  const isServed = async (isLookedAt = false): Promise<boolean | null> =>
    anonymousReader === null
      ? null
      : unlessLookedAt(greeting.tracker, isLookedAt, () => served(anonymousReader.isServed));
  const hasLook = (): boolean => common.store.looks.inTurn('anonymous', common.lookTurns.sharing(route), 1).length > 0;
  const admitted = async (of: 'cycle' | undefined): Promise<Session> => {
    greeting.begin();
    const { session: found, repository } = await meet(tracker, github);
    announced(repository.retirement);
    tokenEndsAt = repository.tokenEndsAt;
    // The address of the API may be that of a proxy.
    webHost = repository.webHost ?? route.webHost;
    const why = whyRefused(route, {
      isPrivate: repository.isPrivate,
      isServed: await isServed(of === 'cycle' && hasLook()),
    });
    if (why !== null) throw new SideError('refused', why);
    return found;
  };
  return {
    name: route.name,
    store: common.store,
    clock: common.clock,
    tell: common.tell,
    controlQueue: common.controlQueue,
    route,
    tracker,
    github,
    async context(of) {
      const isFirst = session === null;
      isFresh &&= !greeting.isOutdated();
      if (session === null || !isFresh) session = await admitted(of);
      if (isFirst && greeting.isKept) inheritDoubts(common);
      isFresh = true;
      const context = contextOf(session);
      if (context.route.people !== people) markAssignedDirty(context);
      people = context.route.people;
      return context;
    },
    ...(route.dashboard === true ? { report: () => tellDashboard(session === null ? null : contextOf(session)) } : {}),
    tokenEndsAt: () => tokenEndsAt,
    known: () => (session === null ? null : contextOf(session)),
    survey: {
      tracker: (login) =>
        surveyTracker(trackerClient, { product: route.selection.product, login, now: common.clock.now }),
      repository: (place) => surveyRepository(client, place, common.clock.now),
      whyUnread: (place, branch) => whyUnread(repositoryOf(client, place), branch),
      types: (place) => readIssueTypes(client, place),
      fields: ({ owner }) => readIssueFields(client, owner),
      isServed: () => isServed(),
      place: (rule) => surveyAttachmentStore(client, rule),
    },
    importer: githubImporter({ client, owner: route.owner, repo: route.repo }),
    isConcerned: (hint) => isConcerned(common, hint),
    renew() {
      isFresh = false;
      greeting.renew();
    },
  };
}

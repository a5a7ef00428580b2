import type { HttpBindings } from '@hono/node-server';
import { bugzillaAttachments } from '../../../src/bugzilla/attachments.ts';
import { createTrackerClient } from '../../../src/bugzilla/connection/client.ts';
import { bugzillaReplica } from '../../../src/bugzilla/replica.ts';
import { branchStore } from '../../../src/github/attachments/branch-store.ts';
import { createGithubClient } from '../../../src/github/connection/client.ts';
import { githubReplica } from '../../../src/github/replica.ts';
import type { Context } from '../../../src/kernel/context.ts';
import { unreadableBugs } from '../../../src/kernel/unreadable.ts';
import type { Hint } from '../../../src/model/control.ts';
import { accountIn } from '../../../src/model/people.ts';
import type { Route } from '../../../src/model/route.ts';
import { type Lane, unwatched } from '../../../src/model/runtime.ts';
import type { Store } from '../../../src/model/store.ts';
import { githubServer } from '../../../src/sandbox/github/server/server.ts';
import { createGithubWorld, type GithubWorld } from '../../../src/sandbox/github/world/world.ts';
import { trackerServer } from '../../../src/sandbox/tracker/server/server.ts';
import { createTrackerWorld, type TrackerWorld } from '../../../src/sandbox/tracker/world/world.ts';
import { openStore } from '../../../src/store/open.ts';
import { type CycleReport, cycle } from '../../../src/sync/cycle.ts';
import { lookTurns } from '../../../src/sync/observe/recheck-mirrored.ts';
import { type SweepReport, sweep } from '../../../src/sync/sweep.ts';
import { readOf } from '../../../src/wire/edges.ts';
import { linkedFiles, serversOf } from '../../support/edges.ts';
import { testLimits, widgetRoute } from '../../support/routes.ts';
import { scrub } from '../../support/scrub.ts';
import { type CountedServer, isQuery, type Line, serveCounted } from './counted-server.ts';

export const repo = 'acme/widget';

/**
 * The whole bridge with its real clients and its real store between two counted servers, on a clock that only moves
 * when told.
 */
export interface Bridged {
  readonly tracker: TrackerWorld;
  readonly github: GithubWorld;
  readonly store: Store;
  readonly context: Context;
  readonly servers: { readonly tracker: CountedServer; readonly github: CountedServer };
  wait(ms: number): void;
  pass(hints?: readonly Hint[]): Promise<CycleReport>;
  sweep(): Promise<SweepReport>;
  /**
   * Cycles, a minute apart, until one plans nothing any more and no late comment is waited for. Answers how many wrote
   * something.
   */
  settle(report?: (issues: number) => void): Promise<number>;
  /** What has been counted since `mark` was called last. */
  counted(): Counted;
  mark(): void;
  close(): Promise<void>;
}

export interface Counted {
  readonly tracker: readonly Line[];
  readonly github: readonly Line[];
  readonly bytes: number;
}

export interface BridgedOptions {
  readonly route?: Partial<Route>;
  /** The state file; in memory unless told. */
  readonly file?: string;
  /**
   * The tracker says of every bug that it is asked for by a look that it is there: those that are only remembered are
   * nowhere.
   */
  readonly showsAll?: boolean;
  /** A tracker of its own; it must go by the clock that `clock` makes. */
  readonly tracker?: TrackerWorld;
  /** The clock of that tracker. */
  readonly clock?: Moving;
}

/** A clock that only moves when told. */
export interface Moving {
  now(): number;
  wait(ms: number): void;
}

function movingClock(): Moving {
  let now = Date.parse('2026-11-21T10:00:00Z');
  return {
    now: () => now,
    wait: (ms) => {
      now += ms;
    },
  };
}

const minuteMs = 60_000;

const showingAll =
  (serve: ReturnType<typeof trackerServer>['fetch']): typeof serve =>
  (request, ...rest) => {
    const asked = new URL(request.url).searchParams;
    if (asked.get('include_fields') !== 'id,product,groups,last_change_time') return serve(request, ...rest);
    const ids = (asked.get('id') ?? '').split(',').map(Number);
    return Response.json({ bugs: ids.map((id) => ({ id, product: widgetRoute.selection.product, groups: [] })) });
  };

export async function bridged(options: BridgedOptions = {}): Promise<Bridged> {
  const { route: changes = {}, file = ':memory:', clock: moving = movingClock() } = options;
  const clock = { now: moving.now, sleep: async () => undefined };
  const tracker = options.tracker ?? createTrackerWorld({ now: clock.now, url: 'http://tracker.invalid' });
  const github = createGithubWorld({ now: clock.now, url: '', webUrl: 'https://github.com' });
  for (const login of ['bugferry-bot', 'mona']) github.addUser(login);
  github.addRepo(repo, { permissions: { 'bugferry-bot': 'write', mona: 'admin' } });
  const githubFetch = githubServer(github).fetch;
  // Writes to GitHub are a second apart, as it asks; and so their stamps differ.
  const paced = async (request: Request, env: HttpBindings): Promise<Response> => {
    if (request.method !== 'GET' && !(await isQuery(request))) moving.wait(1_000);
    return githubFetch(request, env);
  };
  const trackerFetch =
    options.showsAll === true ? showingAll(trackerServer(tracker).fetch) : trackerServer(tracker).fetch;
  const servers = { tracker: await serveCounted(trackerFetch), github: await serveCounted(paced) };
  github.state.url = servers.github.url;
  const store = openStore(file, { mode: 'write', now: clock.now, scrub });
  const context = await contextOf({
    route: { ...widgetRoute, ...changes },
    tracker,
    github,
    servers,
    store,
    clock,
  });
  const pass = (hints: readonly Hint[] = []) => cycle(context, { isForced: true, hints });
  const bytes = () => servers.tracker.traffic().bytes + servers.github.traffic().bytes;
  let marked = { tracker: 0, github: 0, bytes: 0 };
  return {
    tracker,
    github,
    store,
    context,
    servers,
    wait: moving.wait,
    pass,
    sweep: () => sweep(context, { isForced: true }),
    async settle(report = () => undefined) {
      let busy = 0;
      for (let quiet = 0; quiet < 3; ) {
        moving.wait(minuteMs);
        report(github.issues(repo).length);
        const { operations } = await pass();
        quiet = operations.length === 0 ? quiet + 1 : 0;
        if (operations.length > 0) busy += 1;
        if (busy > 100_000) throw new Error('The bridge does not come to rest.');
      }
      return busy;
    },
    counted: () => ({
      tracker: servers.tracker.lines.slice(marked.tracker),
      github: servers.github.lines.slice(marked.github),
      bytes: bytes() - marked.bytes,
    }),
    mark: () => {
      marked = { tracker: servers.tracker.lines.length, github: servers.github.lines.length, bytes: bytes() };
    },
    async close() {
      store.close();
      await servers.tracker.close();
      await servers.github.close();
    },
  };
}

interface Place extends Pick<Bridged, 'tracker' | 'github' | 'servers' | 'store'> {
  readonly route: Route;
  readonly clock: Context['clock'];
}

const timeoutMs = 60_000;
/** Requests are counted and not paced: that would only cost time. */
const open: Lane = { run: (_cost, request) => request() };

async function contextOf({ route, tracker, github, servers, store, clock }: Place): Promise<Context> {
  const { apiKey, login } = tracker.user('bridge');
  const warn = (): void => undefined;
  const trackerClient = createTrackerClient({
    url: servers.tracker.url,
    apiKey,
    login,
    auth: 'auto',
    lane: open,
    timeoutMs,
    now: clock.now,
  });
  const githubClient = createGithubClient({
    url: servers.github.url,
    token: 'token-of-bugferry-bot',
    lane: open,
    timeoutMs,
    now: clock.now,
  });
  const sides = {
    tracker: bugzillaReplica({
      client: trackerClient,
      product: route.selection.product,
      url: trackerClient.url,
      pageSize: 500,
      details: route.table,
      warn,
    }),
    github: githubReplica({ client: githubClient, ...readOf(route) }),
  };
  const files = route.attachments === null ? null : filesOf(route.attachments);
  const own = { tracker: accountIn(await sides.tracker.hello()), github: accountIn(await sides.github.hello()) };
  return {
    route,
    ...sides,
    files,
    anonymousReader: null,
    limits: testLimits,
    allowances: { tracker: [], github: [] },
    store,
    clock,
    random: () => 0,
    tell: () => undefined,
    session: { own, vocabulary: await sides.tracker.vocabulary() },
    watch: unwatched,
    lookTurns: lookTurns([route]),
    version: '0.0.0',
    unreadable: unreadableBugs(),
  };

  function filesOf(rule: NonNullable<Route['attachments']>) {
    return {
      attachmentClient: bugzillaAttachments({ client: trackerClient, url: trackerClient.url, warn }),
      attachmentStore: branchStore({ client: githubClient, ...rule }),
      linked: linkedFiles(serversOf({ tracker, github, clock }).files),
    };
  }
}

/** Requests that change something. */
export const writesOf = (lines: readonly Line[]): number =>
  lines.filter(({ method }) => !['GET', 'HEAD', 'QUERY'].includes(method)).length;

/** What every cycle asks: what has changed, and whether mirrored bugs are still shown. */
export const isPoll = ({ path }: Line): boolean =>
  path.includes('last_change_time=') ||
  new URLSearchParams(path.split('?')[1]).get('include_fields') === 'id,product,groups,last_change_time';

/** Reads that count: GitHub gives away answers that nothing has changed. */
export const readsOf = (lines: readonly Line[]): number =>
  lines.filter(({ method, status }) => ['GET', 'QUERY'].includes(method) && status !== 304).length;

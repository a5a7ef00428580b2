import { bugzillaAnonymousReader } from '../../src/bugzilla/anonymous-reader.ts';
import { bugzillaAttachments } from '../../src/bugzilla/attachments.ts';
import { createTrackerClient, type TrackerClient } from '../../src/bugzilla/connection/client.ts';
import { allCharacters, type CharacterSupport } from '../../src/bugzilla/map.ts';
import { bugzillaReplica } from '../../src/bugzilla/replica.ts';
import { githubFiles } from '../../src/github/attachments/linked-files.ts';
import { githubAttachmentStore } from '../../src/github/attachments/store.ts';
import { createGithubClient, type GithubClient } from '../../src/github/connection/client.ts';
import { githubImporter } from '../../src/github/imports/importer.ts';
import { githubReplica } from '../../src/github/replica.ts';
import type { AnonymousReader } from '../../src/model/anonymous-reader.ts';
import type { FilePorts, LinkedFiles } from '../../src/model/attachment.ts';
import type { Side } from '../../src/model/ids.ts';
import type { Importer } from '../../src/model/migration.ts';
import type { GithubReplica, TrackerReplica } from '../../src/model/replica.ts';
import type { Route } from '../../src/model/route.ts';
import { type Clock, type Lane, type RowReader, unwatchedRows } from '../../src/model/runtime.ts';
import type { Kept } from '../../src/model/survey.ts';
import { fieldsOfLabels } from '../../src/rules/labels/labels-and-fields.ts';
import { githubServer } from '../../src/sandbox/github/server/server.ts';
import { bucket } from '../../src/sandbox/github/world/uploads.ts';
import type { GithubWorld } from '../../src/sandbox/github/world/world.ts';
import { type FaultSource, noFaults } from '../../src/sandbox/server/faults.ts';
import { trackerServer } from '../../src/sandbox/tracker/server/server.ts';
import type { TrackerWorld } from '../../src/sandbox/tracker/world/world.ts';
import { readOf } from '../../src/wire/edges.ts';

/**
 * The servers of two sandbox worlds, asked without a socket: a `fetch` hands each request to the server, and the
 * server's answer back.
 */
export interface Servers {
  readonly tracker: typeof fetch;
  readonly github: typeof fetch;
  /** The hosts on which GitHub keeps the files of texts. They have no faults of their own, so this draws them. */
  readonly files: typeof fetch;
  /** What goes wrong, asked once for every request. */
  faults: FaultSource;
  /** Does something during which nothing goes wrong on the tracker, and no fault is drawn for it. */
  spared<T>(work: () => Promise<T>): Promise<T>;
}

interface Worlds {
  readonly tracker: TrackerWorld;
  readonly github: GithubWorld;
  readonly clock: Clock;
}

type Serve = (request: Request, env: object) => Response | Promise<Response>;

export function serversOf({ tracker, github, clock }: Worlds): Servers {
  let spared = 0;
  const faults: FaultSource = (side, cost) => servers.faults(side, cost);
  const onTracker: FaultSource = (side, cost) => (spared > 0 ? { kind: 'none' } : faults(side, cost));
  const trackerApp = trackerServer(tracker, { faults: onTracker, clock });
  const githubApp = githubServer(github, { faults, sleep: clock.sleep });
  const servers: Servers = {
    tracker: inProcess(trackerApp.fetch),
    github: inProcess(githubApp.fetch),
    files: disturbed(inProcess(githubApp.fetch), clock, faults),
    faults: noFaults,
    async spared(work) {
      spared += 1;
      try {
        return await work();
      } finally {
        spared -= 1;
      }
    },
  };
  return servers;
}

/** What a connection says that was there, and is gone without an answer. */
const cut = (): TypeError =>
  new TypeError('fetch failed', { cause: Object.assign(new Error('other side closed'), { code: 'UND_ERR_SOCKET' }) });

/** Requests are their address, method, headers and body: nobody waits, so nothing is given up. */
const inProcess =
  (serve: Serve): typeof fetch =>
  async (input, { method = 'GET', headers = {}, body = null } = {}) => {
    let isCut = false;
    const socket = {
      destroy: () => {
        isCut = true;
      },
    };
    const answer = await serve(new Request(String(input), { method, headers, body }), { incoming: { socket } });
    if (isCut) throw cut();
    return answer;
  };

const disturbed =
  (send: typeof fetch, clock: Clock, faults: FaultSource): typeof fetch =>
  async (input, init) => {
    const fault = faults('github', 'read');
    if (fault.kind === 'slow') await clock.sleep(fault.delayMs);
    else if (fault.kind !== 'none') throw cut();
    return send(String(input).replace(`${bucket}/`, 'https://github.com/bucket/'), init);
  };

export interface EdgeOptions {
  readonly servers: Servers;
  readonly worlds: Pick<Worlds, 'tracker' | 'github'>;
  readonly clock: Clock;
  /** Whose account the bridge uses on the tracker, by login or its local part. */
  readonly user: string;
  /** And on GitHub. */
  readonly bot: string;
  /** Items of a page; small ones are turned more often. */
  readonly pageSize?: number;
  readonly kept?: Kept;
  /** Once true, the process is dead: it sends nothing more, and hears of no answer. */
  readonly isDead?: () => boolean;
  /** When the last pause ends or ended that a side asked for. */
  readonly lastPause?: (side: Side) => number | null;
  /** The edges of a copy of src/, if not those of the project. */
  readonly code?: EdgeCode;
  readonly rows?: (route: Route) => RowReader;
}

/** What the ports are made of. */
const ofProject = {
  bugzillaAnonymousReader,
  bugzillaAttachments,
  bugzillaReplica,
  createTrackerClient,
  createGithubClient,
  githubAttachmentStore,
  githubReplica,
};
export type EdgeCode = typeof ofProject;

/** @param src a copy of src/ */
export async function edgeCodeIn(src: string): Promise<EdgeCode> {
  const files = ['bugzilla/anonymous-reader', 'bugzilla/attachments', 'bugzilla/replica', 'bugzilla/connection/client'];
  files.push('github/connection/client', 'github/attachments/store', 'github/replica');
  return Object.assign({}, ...(await Promise.all(files.map((file) => import(`${src}/${file}.ts`)))));
}

/** The ports of a bridge, as `wire.ts` makes them, but for lanes that never rest. */
export interface Edges {
  tracker(route: Route): TrackerReplica;
  github(route: Route): GithubReplica;
  anonymousReader(route: Route): AnonymousReader;
  files(route: Route): FilePorts | null;
  importer(route: Route): Importer;
}

const timeoutMs = 60_000;
const warn = (): void => undefined;

export function edgesOf(options: EdgeOptions): Edges {
  const { servers, worlds, clock, user, bot, pageSize, isDead = () => false, code = ofProject, kept } = options;
  const { rows = () => unwatchedRows, lastPause = () => null } = options;
  const characters = allCharacters();
  const keeping = kept === undefined ? {} : { kept };
  const alive = (send: typeof fetch): typeof fetch => mortal(send, isDead);
  const { apiKey, login } = worlds.tracker.user(user);
  const { url } = worlds.tracker;
  const tracker = code.createTrackerClient({
    ...{ url, apiKey, login, auth: 'query', timeoutMs, now: clock.now },
    ...{ lane: restlessLane(), fetch: alive(servers.tracker), lastPause: () => lastPause('tracker') },
  });
  const { url: root, users } = worlds.github.state;
  const token = users.get(bot)?.token ?? '';
  const github = code.createGithubClient({
    url: root,
    token,
    timeoutMs,
    now: clock.now,
    lane: restlessLane(),
    fetch: alive(servers.github),
    lastPause: () => lastPause('github'),
  });
  const shown = (route: Route) => ({ details: route.table, labels: fieldsOfLabels(route) });
  const paged = { ...(pageSize === undefined ? {} : { pageSize }), ...keeping };
  const on = (route: Route) => ({
    tracker: { ...tracker, rows: rows(route) },
    github: { ...github, rows: rows(route) },
  });
  return {
    tracker: (route) => {
      const { product } = route.selection;
      const replica = code.bugzillaReplica({
        client: on(route).tracker,
        product,
        url,
        pageSize: 500,
        ...paged,
        ...shown(route),
        characters,
        warn,
      });
      return greeted(replica, servers);
    },
    github: (route) => code.githubReplica({ client: on(route).github, ...readOf(route), ...paged }),
    anonymousReader: (route) =>
      code.bugzillaAnonymousReader({
        ...{ rows: rows(route), url, timeoutMs, now: clock.now, characters, warn },
        ...{ lane: restlessLane(), fetch: alive(servers.tracker), ...shown(route), ...keeping },
        lastPause: () => lastPause('tracker'),
      }),
    files: (route) => filesOf(route, { ...on(route), characters, linked: alive(servers.files), ...keeping }, code),
    importer: ({ owner, repo }) => githubImporter({ client: github, owner, repo }),
  };
}

interface FileEdges {
  readonly tracker: TrackerClient;
  readonly github: GithubClient;
  readonly characters: CharacterSupport;
  readonly linked: typeof fetch;
  readonly kept?: Kept;
}

function filesOf(
  { attachments }: Route,
  { tracker, github, characters, linked, ...keeping }: FileEdges,
  code: EdgeCode,
): FilePorts | null {
  if (attachments === null) return null;
  return {
    attachmentClient: code.bugzillaAttachments({ client: tracker, url: tracker.url, characters, warn, ...keeping }),
    attachmentStore: code.githubAttachmentStore(github, attachments),
    linked: linkedFiles(linked),
  };
}

/** The files of texts: the names of GitHub's hosts lead into the internet, as they do there. */
export const linkedFiles = (send: typeof fetch): LinkedFiles =>
  githubFiles({ resolve: async () => ['140.82.121.4'], timeoutMs, fetch: send });

/** As in production writes go one at a time and reads overtake them, but nobody waits for a window or a pause. */
export function restlessLane(): Lane {
  let last: Promise<unknown> = Promise.resolve();
  return {
    run(cost, request) {
      if (cost === 'read') return request();
      const turn = last.then(request);
      last = turn.catch(() => undefined);
      return turn;
    },
  };
}

/** A promise of its own for each call: one for all would hold everything that ever waited for it. */
const never = (): Promise<never> => new Promise(() => undefined);

const mortal =
  (send: typeof fetch, isDead: () => boolean): typeof fetch =>
  async (input, init) => {
    if (isDead()) return never();
    try {
      const answer = await send(input, init);
      return isDead() ? never() : answer;
    } catch (failure) {
      if (isDead()) return never();
      throw failure;
    }
  };

/**
 * Every bridge greets its tracker before anything else. Here the first call does, and what it comes to is for that call
 * to find out.
 */
function greeted(replica: TrackerReplica, { spared }: Servers): TrackerReplica {
  let greeting: Promise<unknown> | null = null;
  return new Proxy(replica, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name);
      if (typeof member !== 'function') return member;
      return async (...args: unknown[]) => {
        greeting ??= spared(() => target.hello()).catch(() => undefined);
        await greeting;
        // So does asking who we are again.
        return name === 'account' ? spared(async () => member.apply(target, args)) : member.apply(target, args);
      };
    },
  });
}

/** What processes on the same state keep of their sides. */
export function keptInMemory(): Kept {
  const stored = new Map<string, unknown>();
  return {
    recent: () => null,
    last: <T>(name: string) => (stored.get(name) ?? null) as T | null,
    since: () => null,
    keep: (name, content) => void stored.set(name, content),
  };
}

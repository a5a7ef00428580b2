import type { Context, EngineEvent, Session } from '../../src/kernel/context.ts';
import { unreadableBugs } from '../../src/kernel/unreadable.ts';
import type { AnonymousReader } from '../../src/model/anonymous-reader.ts';
import type { FilePorts } from '../../src/model/attachment.ts';
import type { Side } from '../../src/model/ids.ts';
import type { Account } from '../../src/model/people.ts';
import type { Limits, Route } from '../../src/model/route.ts';
import { type Clock, unwatched } from '../../src/model/runtime.ts';
import type { Store } from '../../src/model/store.ts';
import type { Allowance } from '../../src/rules/limits/brake-and-budget.ts';
import { createGithubWorld, type GithubWorld } from '../../src/sandbox/github/world/world.ts';
import { type FaultSource, noFaults } from '../../src/sandbox/server/faults.ts';
import { choicesIn } from '../../src/sandbox/tracker/installation/installation.ts';
import { markdownOf } from '../../src/sandbox/tracker/installation/markdown.ts';
import type { TrackerVersion } from '../../src/sandbox/tracker/installation/versions.ts';
import type { CustomField } from '../../src/sandbox/tracker/world/state.ts';
import { createTrackerWorld, type TrackerWorld } from '../../src/sandbox/tracker/world/world.ts';
import { openStore } from '../../src/store/open.ts';
import { lookTurns } from '../../src/sync/observe/recheck-mirrored.ts';
import { inheritDoubts } from '../../src/sync/settle/settle.ts';
import { type EdgeOptions, type Edges, edgesOf, type Servers, serversOf } from '../support/edges.ts';
import { scrub } from '../support/scrub.ts';

export const repo = 'acme/widget';

/** GitHub refuses whatever bears such a title, for ever. */
export const isPoison = (title: string): boolean => title.startsWith('Poison');

export const bot = 'bugferry-bot';

/** What our account wrote on an issue; others may have edited it since. */
export const commentsOfOurs = (github: GithubWorld, issue: number) =>
  github.commentsOf(repo, issue).filter(({ author }) => author === bot);

/** What the bridge's own remarks on an issue are about. A copy of people's words may quote such a marker, further up. */
export const remarksOn = (github: GithubWorld, issue: number): readonly string[] =>
  commentsOfOurs(github, issue).flatMap(({ body }) => /<!-- bugferry:1 \S+ remark=(\S+) -->$/u.exec(body)?.[1] ?? []);

/** Whoever writes such a line of ours under an issue of their own keeps that issue out, and nothing else. */
export const keepsOut = (body: string): boolean =>
  /<!-- bugferry:1 \S+ (?:dashboard=\S+|bug=\d+ moved) -->\s*$/u.test(body);

/** Two worlds, a clock that only moves when told, and a state database that survives crashes. */
export interface Stage {
  readonly tracker: TrackerWorld;
  readonly github: GithubWorld;
  readonly store: Store;
  readonly clock: Clock & { advance(ms: number): void };
  faults: FaultSource;
  /** What answers requests for the two worlds. */
  readonly servers: Servers;
  /** Called before and after each call of a port: people act, time passes, the process dies. */
  between: (side: Side, method: string, when: 'before' | 'after') => void;
  readonly calls: { side: Side; method: string; args: readonly unknown[] }[];
}

export function stage(
  options: {
    readonly listLagMs?: number;
    readonly version?: TrackerVersion;
    readonly hasMarkdown?: boolean;
    readonly hasGroupExtension?: boolean;
    readonly customFields?: readonly CustomField[];
  } = {},
): Stage {
  let now = Date.UTC(2026, 0, 5, 8);
  const clock = {
    now: () => now,
    sleep: async (ms: number) => {
      now += ms;
    },
    advance(ms: number) {
      now += ms;
    },
  };
  const lag = options.listLagMs === undefined ? {} : { listLagMs: options.listLagMs };
  const { listLagMs: _lag, ...installation } = options;
  const tracker = createTrackerWorld({ now: clock.now, url: 'https://bugs.example.test', ...installation, ...lag });
  const github = createGithubWorld({ now: clock.now, url: 'https://github.com', ...lag });
  for (const login of [bot, 'mona', 'hubot', 'hubot-two', 'octo']) github.addUser(login);
  github.addRepo(repo, { permissions: { [bot]: 'write', mona: 'admin', hubot: 'write', 'hubot-two': 'write' } });
  const store = openStore(':memory:', { mode: 'write', now: clock.now, scrub });
  const servers = serversOf({ tracker, github, clock });
  return { tracker, github, store, clock, servers, faults: noFaults, between: () => undefined, calls: [] };
}

export interface ContextOptions {
  readonly limits: Limits;
  readonly allowances?: Partial<Record<Side, readonly Allowance[]>>;
  readonly random?: () => number;
  readonly tell?: (event: EngineEvent) => void;
  readonly user?: string;
  /** Whether the anonymous reader currently sees nothing, although the tracker answers. */
  readonly isBlind?: () => boolean;
  /** Puts links into another order; none carries meaning (I10). */
  readonly shuffle?: <T>(list: readonly T[]) => T[];
  /** Once true, the process is dead: none of its calls ever returns. */
  readonly isDead?: () => boolean;
  /** The clock of the process, which may be wrong. */
  readonly clock?: Stage['clock'];
  readonly edges?: Pick<EdgeOptions, 'code' | 'rows' | 'pageSize' | 'kept'>;
}

/** A fresh process on the same state: what it knew in memory is gone. */
export function contextOn(stage: Stage, route: Route, options: ContextOptions): Context {
  const user = options.user ?? 'bridge';
  const isDead = options.isDead ?? (() => false);
  const clock = options.clock ?? stage.clock;
  const edges = edgesOn(stage, { user, isDead, clock, edges: options.edges ?? {} });
  const tracker = watched(stage, edges.tracker(route), isDead);
  const github = watched(stage, edges.github(route), isDead);
  const anonymous = {
    ...blinking(edges.anonymousReader(route), options.isBlind ?? (() => false)),
    side: 'tracker' as const,
  };
  const anonymousReader = watched(stage, anonymous, isDead);
  const files = filesOn(stage, edges.files(route), isDead);
  const allowances = { tracker: options.allowances?.tracker ?? [], github: options.allowances?.github ?? [] };
  return {
    route,
    limits: options.limits,
    allowances,
    tracker,
    github,
    files,
    anonymousReader: route.visibilityCheck === 'none' ? null : anonymousReader,
    store: shuffled(stage.store, options.shuffle),
    clock,
    random: options.random ?? (() => 0),
    tell: options.tell ?? (() => undefined),
    session: sessionOf(stage, user),
    watch: unwatched,
    lookTurns: lookTurns([route]),
    version: '0.0.0',
    unreadable: unreadableBugs(),
  };
}

interface Death {
  readonly route: Route;
  readonly limits: Limits;
  readonly user: string;
  /** The call of the tracker at which it dies, and whether that took effect. */
  readonly method: string;
  readonly moment: 'before' | 'after';
}

/**
 * Runs a cycle in a process that dies at a call of the tracker; without such a call, the cycle ends. The next process
 * takes over what is then in doubt.
 */
export async function dyingCycle(
  stage: Stage,
  run: (context: Context, options: { readonly isForced: boolean }) => Promise<unknown>,
  { route, limits, user, method, moment }: Death,
): Promise<void> {
  const { promise: death, resolve } = Promise.withResolvers<void>();
  let isDead = false;
  stage.between = (side, called, when) => {
    if (side !== 'tracker' || called !== method || when !== moment) return;
    isDead = true;
    resolve();
  };
  stage.clock.advance(61_000);
  await Promise.race([
    run(contextOn(stage, route, { limits, user, isDead: () => isDead }), { isForced: false }),
    death,
  ]);
  stage.between = () => undefined;
  inheritDoubts({ ...stage, route });
}

/**
 * The ports of one process. From now on the servers have the faults of this stage, which may be a copy of the one that
 * they were made for.
 */
export function edgesOn(
  stage: Stage,
  {
    user = 'bridge',
    isDead = () => false,
    clock = stage.clock,
    edges = {},
  }: Pick<ContextOptions, 'user' | 'isDead' | 'clock' | 'edges'> = {},
): Edges {
  stage.servers.faults = (side, cost) => stage.faults(side, cost);
  const { servers, store } = stage;
  const lastPause = (side: Side) => store.budgets.lastBackoff(side)?.until ?? null;
  return edgesOf({ pageSize: 7, ...edges, servers, worlds: stage, clock, user, bot, isDead, lastPause });
}

function filesOn(stage: Stage, files: FilePorts | null, isDead: () => boolean): FilePorts | null {
  if (files === null) return null;
  const { attachmentClient, attachmentStore, linked } = files;
  return {
    attachmentClient: watched(stage, { ...attachmentClient, side: 'tracker' as const }, isDead),
    attachmentStore:
      attachmentStore === null ? null : watched(stage, { ...attachmentStore, side: 'github' as const }, isDead),
    linked: watched(stage, { ...linked, side: 'github' as const }, isDead),
  };
}

function shuffled(store: Store, shuffle: ContextOptions['shuffle']): Store {
  if (shuffle === undefined) return store;
  return { ...store, links: { ...store.links, wanting: (route, limit) => shuffle(store.links.wanting(route, limit)) } };
}

const accountOf = (user: Account | undefined): Account => ({
  login: user?.login ?? bot,
  ...(user?.id === undefined ? {} : { id: user.id }),
});

function sessionOf(stage: Stage, user: string): Session {
  const { products, keywords } = stage.tracker.state;
  const widget = products[0];
  const { severity, priority } = choicesIn(stage.tracker.state);
  const values = {
    component: widget?.components.map(({ name }) => name) ?? [],
    severity: severity.values,
    priority: priority.values,
    keywords: keywords.map(({ name }) => name),
    milestone: widget?.milestones.map(({ name }) => name) ?? [],
    cf_area: ['docs', 'net', 'ui'],
    cf_impact: ['---', 'low', 'high'],
  };
  const numbers = Object.fromEntries(
    stage.tracker.state.customFields.flatMap(({ name, kind }) =>
      kind === 'integer' ? [[name, 'number' as const]] : [],
    ),
  );
  return {
    own: { tracker: accountOf(stage.tracker.user(user)), github: accountOf(stage.github.state.users.get(bot)) },
    vocabulary: {
      values,
      ...(markdownOf(stage.tracker.state) === 'none' ? {} : { takesMarkdown: true as const }),
      ...(markdownOf(stage.tracker.state) === 'site' ? { readsAllMarkdown: true as const } : {}),
      workflow,
      customs: { cf_area: 'several', cf_impact: 'one', ...numbers },
    },
  };
}

/** As measured on a stock 5.2 tracker. */
const workflow = {
  UNCONFIRMED: ['CONFIRMED', 'IN_PROGRESS', 'RESOLVED'],
  CONFIRMED: ['IN_PROGRESS', 'RESOLVED'],
  IN_PROGRESS: ['CONFIRMED', 'RESOLVED'],
  RESOLVED: ['UNCONFIRMED', 'CONFIRMED', 'VERIFIED'],
  VERIFIED: ['UNCONFIRMED', 'CONFIRMED'],
};

const refusal = { kind: 'refused', why: 'this title is poison' };

function isRefused(method: string, [draft]: readonly unknown[]): boolean {
  return (
    method === 'create' &&
    typeof draft === 'object' &&
    draft !== null &&
    'title' in draft &&
    isPoison(String(draft.title))
  );
}

/** A promise of its own for each call: one for all would hold everything that ever waited for it. */
const never = (): Promise<never> => new Promise(() => undefined);

function watched<R extends { readonly side: Side }>(stage: Stage, replica: R, isDead: () => boolean): R {
  return new Proxy(replica, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name);
      // An announcement is no request.
      if (typeof member !== 'function' || name === 'announce') return member;
      return async (...args: unknown[]) => {
        const method = String(name);
        if (isDead()) return never();
        stage.between(replica.side, method, 'before');
        if (isDead()) return never();
        stage.calls.push({ side: replica.side, method, args });
        const answer: unknown = isRefused(method, args) ? refusal : await member.apply(target, args);
        if (isDead()) return never();
        stage.between(replica.side, method, 'after');
        return isDead() ? never() : answer;
      };
    },
  });
}

/** An anonymous reader who at times sees nothing. */
function blinking(anonymousReader: AnonymousReader, isBlind: () => boolean): AnonymousReader {
  const shown = (ids: readonly number[]): readonly number[] => (isBlind() ? [] : ids);
  return {
    ...anonymousReader,
    bugs: (ids, ...rest) => anonymousReader.bugs(shown(ids), ...rest),
    comments: (ids, ...rest) => anonymousReader.comments(shown(ids), ...rest),
    attachments: (ids, ...rest) => anonymousReader.attachments(shown(ids), ...rest),
  };
}

/** Builds the HTTP server, which shows what happens in a bridge. */

import type { Config } from '../config/config.ts';
import { findLink, readStory } from '../explain/find.ts';
import { whyNoLink } from '../explain/why-no-link.ts';
import type { AdminPort } from '../http/admin-port.ts';
import { type ServerAccess, serverApp } from '../http/app.ts';
import { readinessOf } from '../http/health.ts';
import { type HttpServer, openServer } from '../http/server.ts';
import type { EngineEvent } from '../kernel/context.ts';
import type { Side } from '../model/ids.ts';
import type { Plan } from '../model/plan/operation.ts';
import type { Route } from '../model/route.ts';
import type { RouteStatus } from '../model/route-status.ts';
import { redactionOf } from '../rules/privacy/redactions.ts';
import { createMetrics } from '../runtime/metrics.ts';
import { scrubOf } from '../runtime/scrub.ts';
import type { Daemon, RouteRun } from '../sync/daemon.ts';
import { act } from './admin-actions.ts';
import type { Bridge } from './bridge.ts';
import { statusesIn } from './view.ts';

/** Observes a bridge, and opens the HTTP server once the bridge exists. */
export interface Observer {
  answered(side: Side, status: number | null): void;
  tell(event: EngineEvent): void;
  ran(runs: readonly RouteRun[]): void;
  /** Null when the configuration has no HTTP server. Throws `ListenError`; see `isStateProblem`. */
  open(bridge: Bridge, daemon: () => Daemon | null): Promise<HttpServer | null>;
}

interface ObserverOptions extends Pick<ServerAccess, 'failed' | 'warned'> {
  readonly version: string;
}

export function openObserver(config: Config, { version, ...log }: ObserverOptions): Observer {
  const { http } = config;
  const refused = new Map<string, Plan['operations']>();
  const scrub = scrubOf(config.secrets);
  const ran = new Set<string>();
  const listeners = new Set<() => void>();
  const changed = () => {
    for (const listener of listeners) listener();
  };
  let bridge: Bridge | null = null;
  const now = () => bridge?.clock.now() ?? 0;
  const statuses = () => (bridge === null ? [] : statusesOf(bridge));
  const metrics = createMetrics({ now, statuses });
  return {
    answered: metrics.answered,
    tell(event) {
      if (event.kind === 'withdrawn') {
        const { trouble, isBack } = event.withdrawn;
        metrics.withdrew(event.route, trouble === null ? (isBack ? 'restored' : 'withdrawn') : 'failed');
      }
      if (event.kind !== 'done') return;
      const { route, operation, result, ms } = event;
      metrics.done({ route, side: operation.on, kind: operation.kind, outcome: result.kind, ms });
      changed();
    },
    ran(list) {
      for (const run of list) {
        if (run.kind !== 'backoff' && run.kind !== 'paused') metrics.ran(run);
        ran.add(run.route);
        if (run.kind !== 'cycle') continue;
        if (run.report.refusal === null) refused.delete(run.route);
        else refused.set(run.route, run.report.plan.operations);
      }
      changed();
    },
    async open(opened, daemon) {
      bridge = opened;
      if (http === null) return null;
      const adminPort = adminPortOf(opened, {
        readiness: () => readinessOf({ statuses: statuses(), ran }),
        metrics: metrics.read,
        hinted: metrics.hinted,
        daemon,
        listeners,
        refused,
        version,
        homes: homesOf(config),
      });
      return openServer(serverApp(adminPort, { ...http, ...log, scrub, clock: opened.clock }), http);
    },
  };
}

interface AdminSources extends Pick<AdminPort, 'readiness' | 'metrics' | 'hinted'> {
  readonly daemon: () => Daemon | null;
  readonly listeners: Set<() => void>;
  /** By route. */
  readonly refused: ReadonlyMap<string, Plan['operations']>;
  readonly version: string;
  readonly homes: (route: Route | undefined) => ReturnType<AdminPort['homes']>;
}

/** Where both sides list what a route mirrors. A GitHub on this machine may do without https. */
const homesOf = ({ tracker, github }: Config): AdminSources['homes'] => {
  const { protocol } = new URL(github.url);
  return (route) => ({
    tracker: `${tracker.url}/buglist.cgi?${new URLSearchParams({ product: route?.selection.product ?? '' })}`,
    github: `${protocol}//${route?.webHost}/${route?.owner}/${route?.repo}/issues`,
  });
};

function adminPortOf(
  bridge: Bridge,
  { daemon, listeners, refused, version, homes, ...sources }: AdminSources,
): AdminPort {
  const { routes, configured, store, clock } = bridge;
  const redaction = redactionOf(store, configured);
  const startedAt = clock.now();
  return {
    ...sources,
    now: clock.now,
    statuses: () => statusesOf(bridge),
    hint: (hint) => daemon()?.hint(hint),
    link(id) {
      const link = store.links.byId(id);
      return link && redaction.link(link);
    },
    story(link) {
      const own = configured.filter(({ name }) => name === link.route);
      const [status = null] = statusesIn({ ...bridge, routes: own });
      return readStory(store, configured, link, clock.now(), status);
    },
    conflictsOf: (id) =>
      redaction.isHidden(id) ? [] : store.findings.ofLink(id).conflicts.filter(({ kept }) => kept === null),
    find: (target) => findLink(store, configured, target),
    whyNot: async (target) => (await whyNoLink(routes, target)).reasons,
    moving: (limit) =>
      routes
        .flatMap(({ name }) => [...store.outbox.sent(name), ...store.outbox.due(name, Number.MAX_SAFE_INTEGER)])
        .slice(0, limit)
        .map((row) => ({ ...row, operation: redaction.operation(row.operation) })),
    latest: (limit) =>
      routes
        .flatMap(({ name }) => store.ledger.latest(name, limit))
        .sort((one, other) => other.at - one.at)
        .slice(0, limit)
        .map(redaction.line),
    pairs(query, limit) {
      const found = store.pairs.list(query, limit + 1);
      const links = found.slice(0, limit);
      // Whoever searches must not learn from the answer what the title of a hidden bug says.
      const shown = query.words === '' ? links : links.filter(({ id }) => !redaction.isHidden(id));
      return { pairs: shown.map(redaction.link), next: found.length > limit ? (links.at(-1)?.id ?? null) : null };
    },
    planned(route, limit) {
      const plan = refused.get(route)?.map((operation) => ({ operation, notBeforeAt: null, why: null }));
      const all = plan ?? store.outbox.due(route, Number.MAX_SAFE_INTEGER);
      const operations = all.slice(0, limit).map((row) => ({ ...row, operation: redaction.operation(row.operation) }));
      return { operations, total: all.length };
    },
    homes: (name) => homes(configured.find((route) => route.name === name)),
    about: () => ({
      version,
      startedAt,
      next: daemon()?.next() ?? { pollAt: null, sweepAt: null },
      tokenEndsAt: routes[0]?.tokenEndsAt() ?? null,
    }),
    tally: store.ledger.tally,
    act(action) {
      const done = act(bridge, daemon(), action);
      return done.finally(() => {
        for (const listener of listeners) listener();
      });
    },
    listen(changed) {
      listeners.add(changed);
      return () => listeners.delete(changed);
    },
  };
}

const statusesOf = (bridge: Bridge): readonly RouteStatus[] => statusesIn({ ...bridge, routes: bridge.configured });

/** Builds the HTTP server, which shows what happens in a bridge. */

import { type Config, secretsOf } from '../config/config.ts';
import { findLink, readStory } from '../explain/find.ts';
import { statusOf } from '../explain/route-status.ts';
import { whyNoLink } from '../explain/why-no-link.ts';
import { sideInWords } from '../explain/words.ts';
import { decide } from '../fields/decide-by-hand.ts';
import type { AdminAction, AdminPort } from '../http/admin-port.ts';
import { type ServerAccess, serverApp } from '../http/app.ts';
import { readinessOf } from '../http/health.ts';
import { type HttpServer, openServer } from '../http/server.ts';
import type { EngineEvent } from '../kernel/context.ts';
import type { Side } from '../model/ids.ts';
import type { RouteStatus } from '../model/route-status.ts';
import { redactionOf } from '../privacy/redactions.ts';
import { createMetrics } from '../runtime/metrics.ts';
import { scrubOf } from '../runtime/scrub.ts';
import { retry } from '../sync/commands.ts';
import type { Daemon, RouteRun } from '../sync/daemon.ts';
import type { Bridge } from './bridge.ts';

/** Observes a bridge, and opens the HTTP server once the bridge exists. */
export interface Observer {
  answered(side: Side, status: number | null): void;
  tell(event: EngineEvent): void;
  ran(runs: readonly RouteRun[]): void;
  /** Null when the configuration has no HTTP server. Throws `ListenError`; see `isStateProblem`. */
  open(bridge: Bridge, daemon: () => Daemon | null): Promise<HttpServer | null>;
}

export function openObserver(config: Config, log: Pick<ServerAccess, 'failed' | 'warned'>): Observer {
  const { http } = config;
  const scrub = scrubOf(secretsOf(config));
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
        const { trouble, why } = event.withdrawn;
        metrics.withdrew(event.route, trouble === null ? (why === null ? 'restored' : 'withdrawn') : 'failed');
      }
      if (event.kind !== 'done') return;
      const { route, operation, result, ms } = event;
      metrics.done({ route, side: operation.on, kind: operation.kind, outcome: result.kind, ms });
      changed();
    },
    ran(list) {
      for (const run of list) {
        if (run.kind !== 'paused') metrics.ran(run);
        ran.add(run.route);
      }
      changed();
    },
    async open(opened, daemon) {
      bridge = opened;
      if (http === null) return null;
      const adminPort = adminPortOf(opened, {
        readiness: () => readinessOf({ statuses: statuses(), ran, now: now(), readyLagMs: http.readyLagMs }),
        metrics: metrics.read,
        hinted: metrics.hinted,
        daemon,
        listeners,
      });
      return openServer(serverApp(adminPort, { ...http, ...log, scrub, clock: opened.clock }), http);
    },
  };
}

interface AdminSources extends Pick<AdminPort, 'readiness' | 'metrics' | 'hinted'> {
  readonly daemon: () => Daemon | null;
  readonly listeners: Set<() => void>;
}

function adminPortOf(bridge: Bridge, { daemon, listeners, ...sources }: AdminSources): AdminPort {
  const { routes, store, clock } = bridge;
  const configured = routes.map(({ route }) => route);
  const redaction = redactionOf(store, configured);
  return {
    ...sources,
    now: clock.now,
    statuses: () => statusesOf(bridge),
    hint: (hint) => daemon()?.hint(hint),
    link(id) {
      const link = store.links.byId(id);
      return link && redaction.link(link);
    },
    story: (link) => readStory(store, configured, link),
    conflictsOf: (id) => (redaction.isHidden(id) ? [] : store.findings.ofLink(id).conflicts.filter(({ kept }) => kept === null)),
    find: (target) => findLink(store, configured, target),
    whyNot: (target) => whyNoLink(routes, target),
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
    tally: store.ledger.tally,
    act: (action) => act(bridge, daemon(), action),
    listen(changed) {
      listeners.add(changed);
      return () => listeners.delete(changed);
    },
  };
}

/** Carries out a person's action from a page, between two passes, and has the next pass start at once. */
async function act({ routes, store, controlQueue }: Bridge, daemon: Daemon | null, action: AdminAction): Promise<string> {
  const name =
    action.kind === 'retry' ? action.route : store.links.byId(action.kind === 'resync' ? action.link : action.conflict.link)?.route;
  const route = routes.find((each) => each.name === name);
  if (route === undefined || daemon === null) return 'It no longer exists; nothing was done.';
  const words = await daemon.between(() => {
    if (action.kind === 'retry') {
      return retry(route, [action.number]).length === 0 ? 'It is no longer waiting; nothing was done.' : 'It is tried again now.';
    }
    if (action.kind === 'decide') {
      const why = decide(route, { ...action.conflict, keep: action.keep });
      return why === null ? `Decided: ${sideInWords(action.keep)} wins. Its value is mirrored now.` : `Not decided: ${why}.`;
    }
    const link = store.links.byId(action.link);
    const [side, ref] = link?.bug ? (['tracker', link.bug] as const) : (['github', link?.issue ?? 0] as const);
    controlQueue.add({ kind: 'resync', route: route.name, side, ref });
    return 'Both ends are read again now.';
  });
  daemon.runSoon();
  return words;
}

const statusesOf = ({ routes, store, allowances, clock }: Bridge): readonly RouteStatus[] =>
  routes.map(({ route }) => statusOf(store, route, allowances, clock.now()));

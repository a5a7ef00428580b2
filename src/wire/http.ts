/** Puts the door over HTTP together: what happens in a bridge, made visible. */

import { type Config, secretsOf } from '../config/config.ts';
import { findLink, tellStory } from '../explain/find.ts';
import { statusOf } from '../explain/route-status.ts';
import { whyNoLink } from '../explain/why-no-link.ts';
import { sideInWords } from '../explain/words.ts';
import { decide } from '../fields/decide-by-hand.ts';
import type { AdminPort, Deed } from '../http/admin-port.ts';
import { serverApp } from '../http/app.ts';
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

/** Hears what a bridge does, and opens the door once there is something behind it. */
export interface Observer {
  answered(side: Side, status: number | null): void;
  tell(event: EngineEvent): void;
  ran(runs: readonly RouteRun[]): void;
  /** Null when the configuration wants no door. Throws `ServerStuck`; see `isStateProblem`. */
  open(bridge: Bridge, daemon: () => Daemon | null): Promise<HttpServer | null>;
}

export function openObserver(config: Config, failed: (error: unknown) => void): Observer {
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
      return openServer(serverApp(adminPort, { ...http, scrub, failed }), http);
    },
  };
}

interface Behind extends Pick<AdminPort, 'readiness' | 'metrics' | 'hinted'> {
  readonly daemon: () => Daemon | null;
  readonly listeners: Set<() => void>;
}

function adminPortOf(bridge: Bridge, { daemon, listeners, ...told }: Behind): AdminPort {
  const { routes, store, clock } = bridge;
  const placed = routes.map(({ route }) => route);
  const redaction = redactionOf(store, placed);
  return {
    ...told,
    now: clock.now,
    statuses: () => statusesOf(bridge),
    hint: (hint) => daemon()?.hint(hint),
    link(id) {
      const link = store.links.byId(id);
      return link && redaction.link(link);
    },
    story: (link) => tellStory(store, placed, link),
    conflictsOf: (id) => (redaction.isHidden(id) ? [] : store.findings.ofLink(id).conflicts.filter(({ kept }) => kept === null)),
    find: (target) => findLink(store, placed, target),
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
    act: (deed) => act(bridge, daemon(), deed),
    listen(changed) {
      listeners.add(changed);
      return () => listeners.delete(changed);
    },
  };
}

/** Carries out what a person asked for on a page, between two cycles, and has the next cycle come at once. */
async function act({ routes, store, controlQueue }: Bridge, daemon: Daemon | null, deed: Deed): Promise<string> {
  const name = deed.kind === 'retry' ? deed.route : store.links.byId(deed.kind === 'resync' ? deed.link : deed.conflict.link)?.route;
  const route = routes.find((each) => each.name === name);
  if (route === undefined || daemon === null) return 'That is gone meanwhile; nothing was done.';
  const words = await daemon.between(() => {
    if (deed.kind === 'retry') {
      return retry(route, [deed.number]).length === 0 ? 'It no longer waits; nothing was done.' : 'It is tried again now.';
    }
    if (deed.kind === 'decide') {
      const why = decide(route, { ...deed.conflict, keep: deed.keep });
      return why === null ? `Decided: ${sideInWords(deed.keep)} stays. It is carried over now.` : `Not decided: ${why}.`;
    }
    const link = store.links.byId(deed.link);
    const [side, ref] = link?.bug ? (['tracker', link.bug] as const) : (['github', link?.issue ?? 0] as const);
    controlQueue.add({ kind: 'resync', route: route.name, side, ref });
    return 'Both ends are read afresh now.';
  });
  daemon.runSoon();
  return words;
}

const statusesOf = ({ routes, store, allowances, clock }: Bridge): readonly RouteStatus[] =>
  routes.map(({ route }) => statusOf(store, route, allowances, clock.now()));

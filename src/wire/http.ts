/** Puts the door over HTTP together: what happens in a bridge, made visible. */

import { type Config, secretsOf } from '../config/config.ts';
import { findLink, tellStory } from '../explain/find.ts';
import { standingOf } from '../explain/route-status.ts';
import { whyNoLink } from '../explain/why-no-link.ts';
import { sideInWords } from '../explain/words.ts';
import { decide } from '../fields/decide.ts';
import type { Deed, Panel } from '../http/admin-port.ts';
import { doorApp } from '../http/app.ts';
import { readinessOf } from '../http/health.ts';
import { type Door, openDoor } from '../http/server.ts';
import type { EngineEvent } from '../kernel/context.ts';
import type { Side } from '../model/ids.ts';
import type { Standing } from '../model/route-status.ts';
import { discretionOf } from '../privacy/redactions.ts';
import { createMetrics } from '../runtime/metrics.ts';
import { scrubOf } from '../runtime/scrub.ts';
import { retry } from '../sync/commands.ts';
import type { Daemon, Visit } from '../sync/daemon.ts';
import type { Bridge } from './bridge.ts';

/** Hears what a bridge does, and opens the door once there is something behind it. */
export interface Porch {
  answered(side: Side, status: number | null): void;
  tell(event: EngineEvent): void;
  visited(visits: readonly Visit[]): void;
  /** Null when the configuration wants no door. Throws `DoorStuck`; see `isStateProblem`. */
  open(bridge: Bridge, daemon: () => Daemon | null): Promise<Door | null>;
}

export function openPorch(config: Config, failed: (error: unknown) => void): Porch {
  const { http } = config;
  const scrub = scrubOf(secretsOf(config));
  const visited = new Set<string>();
  const listeners = new Set<() => void>();
  const changed = () => {
    for (const listener of listeners) listener();
  };
  let bridge: Bridge | null = null;
  const now = () => bridge?.clock.now() ?? 0;
  const standings = () => (bridge === null ? [] : standingsOf(bridge));
  const metrics = createMetrics({ now, standings });
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
    visited(list) {
      for (const visit of list) {
        if (visit.kind !== 'paused') metrics.visited(visit);
        visited.add(visit.route);
      }
      changed();
    },
    async open(opened, daemon) {
      bridge = opened;
      if (http === null) return null;
      const panel = panelOf(opened, {
        readiness: () => readinessOf({ standings: standings(), visited, now: now(), readyLagMs: http.readyLagMs }),
        metrics: metrics.read,
        hinted: metrics.hinted,
        daemon,
        listeners,
      });
      return openDoor(doorApp(panel, { ...http, scrub, failed }), http);
    },
  };
}

interface Behind extends Pick<Panel, 'readiness' | 'metrics' | 'hinted'> {
  readonly daemon: () => Daemon | null;
  readonly listeners: Set<() => void>;
}

function panelOf(bridge: Bridge, { daemon, listeners, ...told }: Behind): Panel {
  const { routes, store, clock } = bridge;
  const placed = routes.map(({ route }) => route);
  const discretion = discretionOf(store, placed);
  return {
    ...told,
    now: clock.now,
    standings: () => standingsOf(bridge),
    hint: (hint) => daemon()?.hint(hint),
    link(id) {
      const link = store.links.byId(id);
      return link && discretion.link(link);
    },
    story: (link) => tellStory(store, placed, link),
    conflictsOf: (id) => (discretion.isHidden(id) ? [] : store.findings.ofLink(id).conflicts.filter(({ kept }) => kept === null)),
    find: (target) => findLink(store, placed, target),
    whyNot: (target) => whyNoLink(routes, target),
    moving: (limit) =>
      routes
        .flatMap(({ name }) => [...store.outbox.sent(name), ...store.outbox.due(name, Number.MAX_SAFE_INTEGER)])
        .slice(0, limit)
        .map((row) => ({ ...row, operation: discretion.operation(row.operation) })),
    latest: (limit) =>
      routes
        .flatMap(({ name }) => store.ledger.latest(name, limit))
        .sort((one, other) => other.at - one.at)
        .slice(0, limit)
        .map(discretion.line),
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
  daemon.wake();
  return words;
}

const standingsOf = ({ routes, store, allowances, clock }: Bridge): readonly Standing[] =>
  routes.map(({ route }) => standingOf(store, route, allowances, clock.now()));

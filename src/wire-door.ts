/** Puts the door over HTTP together: what happens in a bridge, made visible. */
import type { Config } from './config/config.ts';
import type { EngineEvent } from './engine/context.ts';
import type { Daemon, Visit } from './engine/daemon.ts';
import { standingOf } from './engine/standing.ts';
import { doorApp } from './http/app.ts';
import { type Door, openDoor } from './http/door.ts';
import { type LastVisit, readinessOf } from './http/health.ts';
import type { Panel } from './http/panel.ts';
import { SideError } from './model/outcome.ts';
import type { Side } from './model/side.ts';
import type { Standing } from './model/standing.ts';
import { createMetrics } from './runtime/metrics.ts';
import type { Bridge } from './wire.ts';

/** Hears what a bridge does, and opens the door once there is something behind it. */
export interface Porch {
  answered(side: Side, status: number | null): void;
  tell(event: EngineEvent): void;
  visited(visits: readonly Visit[]): void;
  /** Null when the configuration wants no door. Throws `DoorStuck`; see `isStateProblem`. */
  open(bridge: Bridge, daemon: () => Daemon | null): Promise<Door | null>;
}

export function openPorch({ http }: Config): Porch {
  const visits = new Map<string, LastVisit>();
  let bridge: Bridge | null = null;
  const now = () => bridge?.clock.now() ?? 0;
  const standings = () => (bridge === null ? [] : standingsOf(bridge));
  const metrics = createMetrics({ now, standings });
  return {
    answered: metrics.answered,
    tell(event) {
      if (event.kind !== 'done') return;
      const { route, operation, result, ms } = event;
      metrics.done({ route, side: operation.on, kind: operation.kind, outcome: result.kind, ms });
    },
    visited(list) {
      for (const visit of list) {
        if (visit.kind !== 'paused') metrics.visited(visit);
        visits.set(visit.route, lastVisit(visit));
      }
    },
    async open(opened, daemon) {
      bridge = opened;
      if (http === null) return null;
      const readiness = () => readinessOf({ standings: standings(), visits, now: now(), readyLagMs: http.readyLagMs });
      const { read, hinted } = metrics;
      const panel: Panel = { now, standings, readiness, metrics: read, hinted, hint: (hint) => daemon()?.hint(hint) };
      return openDoor(doorApp(panel, http), http);
    },
  };
}

const standingsOf = ({ routes, store, allowances, clock }: Bridge): readonly Standing[] =>
  routes.map(({ route }) => standingOf(store, route, allowances, clock.now()));

function lastVisit(visit: Visit): LastVisit {
  if (visit.kind === 'paused') return { isRefused: false, why: visit.why };
  if (visit.kind !== 'failed') return { isRefused: false, why: visit.report.refusal?.why ?? null };
  const { error } = visit;
  if (error instanceof SideError) return { isRefused: error.kind !== 'later', why: error.message };
  return { isRefused: true, why: 'the last cycle failed by a fault of bugferry itself; see the log' };
}

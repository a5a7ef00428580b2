/** Puts the door over HTTP together: what happens in a bridge, made visible. */
import { type Config, secretsOf } from './config/config.ts';
import { sideInWords } from './core/explain.ts';
import type { EngineEvent } from './engine/context.ts';
import type { Daemon, Visit } from './engine/daemon.ts';
import { decide } from './engine/decide.ts';
import { discretionOf } from './engine/discreet.ts';
import { findLink, tellStory } from './engine/find.ts';
import { retry } from './engine/retry.ts';
import { standingOf } from './engine/standing.ts';
import { whyNoLink } from './engine/why-no-link.ts';
import { doorApp } from './http/app.ts';
import { type Door, openDoor } from './http/door.ts';
import { type Halt, type LastVisit, readinessOf } from './http/health.ts';
import type { Deed, Panel } from './http/panel.ts';
import { SideError } from './model/outcome.ts';
import type { Scrub } from './model/scrub.ts';
import type { Side } from './model/side.ts';
import type { Standing } from './model/standing.ts';
import { createMetrics } from './runtime/metrics.ts';
import { scrubOf } from './runtime/scrub.ts';
import type { Bridge } from './wire.ts';

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
  const visits = new Map<string, LastVisit>();
  const halts = openHalts(scrub);
  const listeners = new Set<() => void>();
  const changed = () => {
    for (const listener of listeners) listener();
  };
  let bridge: Bridge | null = null;
  const now = () => bridge?.clock.now() ?? 0;
  const standings = () => (bridge === null ? [] : standingsOf(bridge));
  const metrics = createMetrics({ now, standings, isHalted: (route) => halts.list().some((halt) => halt.route === route) });
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
        visits.set(visit.route, lastVisit(visit, scrub));
        halts.visited(visit);
      }
      changed();
    },
    async open(opened, daemon) {
      bridge = opened;
      if (http === null) return null;
      const panel = panelOf(opened, {
        readiness: () => readinessOf({ standings: standings(), visits, now: now(), readyLagMs: http.readyLagMs }),
        halts: halts.list,
        metrics: metrics.read,
        hinted: metrics.hinted,
        daemon,
        listeners,
      });
      return openDoor(doorApp(panel, { ...http, scrub, failed }), http);
    },
  };
}

interface Behind extends Pick<Panel, 'readiness' | 'halts' | 'metrics' | 'hinted'> {
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
async function act({ routes, store, errands }: Bridge, daemon: Daemon | null, deed: Deed): Promise<string> {
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
    errands.add({ kind: 'resync', route: route.name, side, ref });
    return 'Both ends are read afresh now.';
  });
  daemon.wake();
  return words;
}

const standingsOf = ({ routes, store, allowances, clock }: Bridge): readonly Standing[] =>
  routes.map(({ route }) => standingOf(store, route, allowances, clock.now()));

function lastVisit(visit: Visit, { words }: Pick<Scrub, 'words'>): LastVisit {
  if (visit.kind === 'paused') return { isRefused: false, why: words(visit.why) };
  if (visit.kind !== 'failed') return { isRefused: false, why: visit.report.refusal?.why ?? null };
  const { error } = visit;
  if (error instanceof SideError) return { isRefused: error.kind !== 'later', why: words(error.message) };
  return { isRefused: true, why: 'the last cycle failed by a fault of bugferry itself; see the log' };
}

/** What stops whole routes now. A full comparison that the brake refused stays refused until one goes through, whatever cycles do. */
export function openHalts({ words }: Pick<Scrub, 'words'>): { visited(visit: Visit): void; list(): readonly Halt[] } {
  const [cycles, sweeps] = [new Map<string, Halt>(), new Map<string, Halt>()];
  return {
    visited(visit) {
      const { route, kind } = visit;
      // The page tells of pauses by themselves: a side asked for them.
      if (kind === 'paused') return void cycles.delete(route);
      const place = kind === 'sweep' ? sweeps : cycles;
      place.delete(route);
      if (kind === 'failed') {
        const needsPerson = !(visit.error instanceof SideError) || visit.error.kind !== 'later';
        cycles.set(route, { route, why: lastVisit(visit, { words }).why ?? '', needsPerson });
      } else if (visit.report.refusal !== null) {
        const what = kind === 'sweep' ? 'The full comparison' : 'The plan';
        const why = `The brake refused: ${visit.report.refusal.why}. Look at bugferry plan, and see "The brake" in docs/operating.md.`;
        place.set(route, { route, why: `${what} is not carried out. ${words(why)}`, needsPerson: true });
      }
    },
    list: () => [...new Map([...sweeps, ...cycles]).values()],
  };
}

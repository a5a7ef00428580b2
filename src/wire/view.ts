/** The state as commands read it that ask neither side: they need no secrets, and nothing here leads to a client. */

import type { Config, Settings } from '../config/config.ts';
import { peopleBook } from '../config/people-book.ts';
import { routesOf } from '../config/routes.ts';
import { type Configured, statusOf } from '../explain/route-status.ts';
import { strayAdvice, withStrays } from '../explain/strays.ts';
import type { ControlQueue } from '../model/control.ts';
import { type CreationRate, creationRates } from '../model/duration.ts';
import type { Bug, Issue } from '../model/item.ts';
import type { Route } from '../model/route.ts';
import type { RouteStatus } from '../model/route-status.ts';
import type { Clock } from '../model/runtime.ts';
import type { Store } from '../model/store.ts';
import type { Allowance } from '../rules/limits/brake-and-budget.ts';
import { whyHidden } from '../rules/privacy/gate.ts';
import { systemClock } from '../runtime/clock.ts';
import { scrubOf } from '../runtime/scrub.ts';
import { fileControlQueue } from '../store/control-queue.ts';
import type { StateMode } from '../store/database.ts';
import { openStore } from '../store/open.ts';

export interface View {
  readonly store: Store;
  readonly clock: Clock;
  readonly routes: readonly Route[];
  readonly allowances: Configured;
  /** Holds commands for the next cycle of the process that may write. */
  readonly controlQueue: ControlQueue;
  /** Routes that the configuration does not have, although the state holds pairs of them. */
  readonly strays: readonly string[];
  close(): void;
}

export interface ViewOptions {
  readonly signal: AbortSignal;
  readonly warn: (message: string) => void;
}

/**
 * Opens the state, by default to read it, also while a bridge runs. Throws when it is missing or unusable; see
 * `isStateProblem`.
 */
export function openView(settings: Settings, { signal, warn }: ViewOptions, mode: StateMode = 'read'): View {
  const clock = systemClock(signal);
  const store = openStore(settings.state, { mode, now: clock.now, scrub: scrubOf(settings.secrets), warn });
  const people = peopleBook(settings.people, warn).current();
  return {
    store,
    clock,
    routes: routesOf(settings).map((route) => ({ ...route, people })),
    allowances: allowancesOf(settings),
    controlQueue: fileControlQueue(settings.state, clock.now),
    strays: straysIn(settings, store, warn),
    close: () => store.close(),
  };
}

/** The status of every route, with what people asked for meanwhile. */
export const statusesIn = ({
  store,
  clock,
  routes,
  allowances,
  controlQueue,
  strays,
}: Omit<View, 'close'>): readonly RouteStatus[] => {
  const now = clock.now();
  return routes.map((route) =>
    withStrays(statusOf(store, route, allowances, now, controlQueue.of(route.name)), strays, now),
  );
};

/** The two ends of each pair that everyone may know of. Leaves out frozen and hidden bugs. Asks neither side. */
export function* publicPairs(
  { store: { links } }: Pick<View, 'store'>,
  route: Route,
): Generator<{ readonly tracker: Bug; readonly github: Issue }> {
  for (const batch of links.batches(route.name)) {
    for (const link of batch) {
      const { state, tracker, github, isWithdrawn } = link;
      if (state === 'live' && tracker !== null && github !== null && !isWithdrawn && whyHidden(route, link) === null)
        yield { tracker, github };
    }
  }
}

/** GitHub blocks accounts that create too much content. For the tracker, its lane is limit enough. */
export function allowancesOf({ limits: { github, writesPerCycle } }: Pick<Config, 'limits'>): Configured {
  return {
    writesPerCycle,
    pauseBetweenWritesMs: github.pauseBetweenWritesMs,
    tracker: [],
    github: [
      { windowMs: 60_000, ...rateOf(github.createsPerMinute, creationRates.perMinute), name: 'creations a minute' },
      { windowMs: 3_600_000, ...rateOf(github.createsPerHour, creationRates.perHour), name: 'creations an hour' },
    ],
  };
}

const rateOf = (
  configured: number | undefined,
  { safe, documented }: CreationRate,
): Pick<Allowance, 'pointsMax' | 'risesTo'> =>
  configured === undefined ? { pointsMax: safe, risesTo: documented } : { pointsMax: configured };

/** Finds the routes that are no longer configured, and warns of them: nobody keeps their pairs in step. */
export function straysIn(
  config: Pick<Settings, 'routes'>,
  { links }: Store,
  warn: (message: string) => void,
): readonly string[] {
  const strays = links.routes().filter((name) => config.routes.every((route) => route.name !== name));
  for (const name of strays) warn(strayAdvice(name));
  return strays;
}

/** The state as it is shown by a command that asks neither side; so nothing here leads to a client. */

import { type Config, secretsOf } from '../config/config.ts';
import { routesOf } from '../config/routes.ts';
import type { Allowance } from '../kernel/brake-and-budget.ts';
import type { Side } from '../model/ids.ts';
import type { Route } from '../model/route.ts';
import type { Clock } from '../model/runtime.ts';
import type { Store } from '../model/store.ts';
import { systemClock } from '../runtime/clock.ts';
import { scrubOf } from '../runtime/scrub.ts';
import { openStore } from '../store/open.ts';

export interface View {
  readonly store: Store;
  readonly clock: Clock;
  readonly routes: readonly Route[];
  readonly allowances: Readonly<Record<Side, readonly Allowance[]>>;
  close(): void;
}

interface ViewOptions {
  readonly signal: AbortSignal;
  readonly warn: (message: string) => void;
}

/** Opens the state to read it, also while a bridge runs. Throws when it is missing or unusable; see `isStateProblem`. */
export function openView(config: Config, { signal, warn }: ViewOptions): View {
  const clock = systemClock(signal);
  const store = openStore(config.state, { mode: 'read', now: clock.now, scrub: scrubOf(secretsOf(config)), warn });
  warnOfStrays(config, store, warn);
  return { store, clock, routes: routesOf(config), allowances: allowancesOf(config), close: () => store.close() };
}

/** GitHub blocks accounts that create too much content. For the tracker, its lane is limit enough. */
export function allowancesOf({ limits: { github } }: Config): Readonly<Record<Side, readonly Allowance[]>> {
  return {
    tracker: [],
    github: [
      { windowMs: 60_000, pointsMax: github.createsPerMinute, name: 'creations a minute' },
      { windowMs: 3_600_000, pointsMax: github.createsPerHour, name: 'creations an hour' },
    ],
  };
}

/** Warns of routes that are no longer configured: their pairs are neither kept in step nor withdrawn, and no command shows them. */
export function warnOfStrays(config: Config, { links }: Store, warn: (message: string) => void): void {
  const strays = links.routes().filter((name) => config.routes.every((route) => route.name !== name));
  for (const name of strays)
    warn(
      `The state holds pairs of route ${name}, which the configuration does not have: they are not kept in step, nor withdrawn when they become private. If you renamed the route, give it the old name again.`,
    );
}

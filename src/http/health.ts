import { sideInWords } from '../core/explain.ts';
import { sides } from '../model/side.ts';
import type { Standing } from '../model/standing.ts';

/** Whether every route does its work: its credentials were accepted, and both sides were read not long ago. */
export interface Readiness {
  readonly isReady: boolean;
  readonly routes: readonly { readonly route: string; readonly isReady: boolean; readonly why: string | null }[];
}

/** The last visit to a route in this process. `why` is null when it went well. */
export interface LastVisit {
  readonly isRefused: boolean;
  readonly why: string | null;
}

/** Why nothing of a route is carried over, though its last reading may look well: the last visit failed, or the brake stopped it. */
export interface Halt {
  readonly route: string;
  readonly why: string;
  /** False when the next cycle may well go through by itself. */
  readonly needsPerson: boolean;
}

export interface Sighting {
  readonly standings: readonly Standing[];
  readonly visits: ReadonlyMap<string, LastVisit>;
  readonly now: number;
  readonly readyLagMs: number;
}

export function readinessOf(sighting: Sighting): Readiness {
  const routes = sighting.standings.map((standing) => {
    const why = whyNotReady(standing, sighting);
    return { route: standing.route, isReady: why === null, why };
  });
  return { isReady: routes.every(({ isReady }) => isReady), routes };
}

function whyNotReady(standing: Standing, { visits, now, readyLagMs }: Sighting): string | null {
  const visit = visits.get(standing.route);
  if (visit === undefined) return 'it has not been visited since the start';
  if (visit.isRefused) return visit.why;
  for (const side of sides) {
    const { polledAt, pause } = standing.sides[side];
    if (polledAt !== null && now - polledAt <= readyLagMs) continue;
    const since = polledAt === null ? 'was never read' : `was last read ${Math.round((now - polledAt) / 60_000)} min ago`;
    const because = pause?.why ?? visit.why;
    return `${sideInWords(side)} ${since}${because === null ? '' : `: ${because}`}`;
  }
  return null;
}

import { failingInWords, failingSince, isHalting } from '../explain/failure.ts';
import { adviceOnRefusal, refusedInWords } from '../explain/verdict.ts';
import { capital } from '../explain/words.ts';
import { sides } from '../model/ids.ts';
import type { RouteStatus, Standing } from '../model/route-status.ts';
import type { Refused } from '../model/store.ts';

/** Whether every route works: no problem that needs a person stops it, and both sides were read recently. */
export interface Readiness {
  readonly isReady: boolean;
  readonly routes: readonly RouteReadiness[];
}

interface RouteReadiness {
  readonly route: string;
  readonly standing: Standing;
  readonly isReady: boolean;
  /** What is the case and what to do; null for a route in step. A ready route may have a problem that ends by itself. */
  readonly why: string | null;
}

/** Why a route mirrors nothing, even if it was read recently. */
export interface Halt {
  readonly route: string;
  /** What happened, and what to do about it. */
  readonly why: string;
  /** False if the next cycle may succeed without help. */
  readonly needsPerson: boolean;
  /** The refusal, if the brake stops the route. */
  readonly refused?: Refused;
}

/** The problems that stop whole routes; those that need a person come first. */
export function haltsOf(statuses: readonly RouteStatus[]): readonly Halt[] {
  const halts = statuses.flatMap(({ route, failures, refusals }): readonly Halt[] => [
    ...failures
      .filter(isHalting)
      .map((failing) => ({ route, why: failingInWords(failing), needsPerson: failing.needsPerson })),
    ...refusals.map((refused) => ({ route, why: brakedInWords(refused), needsPerson: true, refused })),
  ]);
  return [...halts.filter(({ needsPerson }) => needsPerson), ...halts.filter(({ needsPerson }) => !needsPerson)];
}

const brakedInWords = (refused: Refused): string => `${capital(refusedInWords(refused))} ${adviceOnRefusal(refused)}`;

interface HealthInput {
  readonly statuses: readonly RouteStatus[];
  /** The routes with a finished run in this process. */
  readonly ran: ReadonlySet<string>;
}

export function readinessOf({ statuses, ran }: HealthInput): Readiness {
  const routes = statuses.map((status): RouteReadiness => {
    const { route, standing, verdict, isEnabled } = status;
    const hasRun = !isEnabled || ran.has(route);
    // A process that has just started knows from the state what the last one met.
    const words = [
      ...(standing === 'in step' ? [] : [verdict.facts, ...failingSince(verdict), verdict.todo]),
      hasRun ? null : 'It has not run since the start.',
    ].filter((each) => each !== null);
    return {
      route,
      standing,
      isReady: hasRun && isWorking(status),
      why: words.length === 0 ? null : words.join(' '),
    };
  });
  return { isReady: routes.every(({ isReady }) => isReady), routes };
}

/**
 * A side may be away for one cycle; after that, nobody may call the route ready. A full comparison that is late is due
 * at the next cycle, and holds no work back.
 */
const isWorking = ({ standing, verdict, sides: both, isEnabled }: RouteStatus): boolean =>
  !isEnabled ||
  !(
    sides.some((side) => both[side].isStale) ||
    standing === 'refused' ||
    (standing === 'failed' && verdict.tone === 'bad')
  );

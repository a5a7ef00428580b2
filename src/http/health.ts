import { failureInWords, isHalting } from '../explain/failure.ts';
import { staleInWords } from '../explain/standing.ts';
import { pauseInWords, sideInWords } from '../explain/words.ts';
import { sides } from '../model/ids.ts';
import type { Failing, RouteStatus } from '../model/route-status.ts';
import type { Refused } from '../model/store.ts';

/** Whether every route works: no problem that needs a person stops it, and both sides were read recently. */
export interface Readiness {
  readonly isReady: boolean;
  readonly routes: readonly RouteReadiness[];
}

export interface RouteReadiness {
  readonly route: string;
  readonly isReady: boolean;
  /** The problem; a ready route may have one that resolves itself. */
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
    ...refusals.map((refused) => ({ route, why: refusedInWords(refused), needsPerson: true, refused })),
  ]);
  return [...halts.filter(({ needsPerson }) => needsPerson), ...halts.filter(({ needsPerson }) => !needsPerson)];
}

export const failingInWords = (failing: Failing): string => `${capital(failureInWords(failing))} ${failing.advice}`;

function refusedInWords({ of, why }: Refused): string {
  const what = of === 'plan' ? 'The plan' : `The full comparison with ${sideInWords(of)}`;
  return `${what} is not carried out. The brake refused: ${why}. Check bugferry plan, and see "The brake" in docs/operating.md.`;
}

const capital = (text: string): string => `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;

export interface HealthInput {
  readonly statuses: readonly RouteStatus[];
  /** The routes with a finished run in this process. */
  readonly ran: ReadonlySet<string>;
  readonly now: number;
}

export function readinessOf(input: HealthInput): Readiness {
  const routes = input.statuses.map((status) => {
    const why = whyNotReady(status, input);
    const [halt] = haltsOf([status]);
    return { route: status.route, isReady: why === null, why: why ?? halt?.why ?? whyIdle(status) };
  });
  return { isReady: routes.every(({ isReady }) => isReady), routes };
}

/** Why a route mirrors nothing although nothing is wrong. */
function whyIdle({ isEnabled, rest }: RouteStatus): string | null {
  if (!isEnabled) return 'it is switched off (enabled: false)';
  return rest === null ? null : pauseInWords(rest);
}

function whyNotReady(status: RouteStatus, { ran, now }: HealthInput): string | null {
  const [halt] = haltsOf([status]);
  if (halt?.needsPerson) return halt.why;
  if (!status.isEnabled) return null;
  if (!ran.has(status.route)) return 'it has not run since the start';
  const stale = staleInWords(status, now);
  const because = sides.flatMap((side) => status.sides[side].pause?.why ?? [])[0] ?? halt?.why;
  return stale === null || because === undefined ? stale : `${stale}: ${because}`;
}

import { CommanderError } from 'commander';
import { ConfigProblems } from '../config/problem.ts';
import { RoutePaused } from '../model/control.ts';
import { Halted, SideError } from '../model/outcome.ts';
import type { RouteStatus } from '../model/route-status.ts';
import { isStateProblem, stateTroubleIn } from '../wire/trouble.ts';

/** The exit code of a command, for scripts. If several apply, the highest wins. */
export const exitCodes = {
  /** Success; queued work is not a failure. */
  well: 0,
  /** Finished, but something is parked or conflicting. */
  attention: 1,
  /** Wrong usage, configuration or state file: nothing was started. */
  usage: 2,
  /** The brake refused a plan, or a side went back: nothing was written. */
  braked: 3,
  /** A side is unreachable or refused the credentials. */
  unreachable: 4,
  /** A bug in bugferry (EX_SOFTWARE). */
  fault: 70,
  /** Ctrl-C or SIGTERM ended `once` before its work was done. */
  interrupted: 130,
} as const;

/** The exit code of a finished command, from the status of its routes. */
export const codeOf = (statuses: readonly RouteStatus[]): number =>
  statuses.some(({ needsPerson }) => needsPerson) ? exitCodes.attention : exitCodes.well;

/** An error that the user can fix. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

export interface Ending {
  readonly code: number;
  /** Null if everything was printed already. */
  readonly message: string | null;
}

/** What a thrown error means for the user. */
export function endingOf(error: unknown): Ending {
  if (error instanceof CommanderError)
    return { code: error.exitCode === 0 ? exitCodes.well : exitCodes.usage, message: null };
  if (
    error instanceof ConfigProblems ||
    error instanceof UsageError ||
    error instanceof RoutePaused ||
    isStateProblem(error)
  ) {
    return { code: exitCodes.usage, message: error.message };
  }
  if (error instanceof Halted) return { code: exitCodes.braked, message: error.message };
  if (error instanceof SideError) return { code: exitCodes.unreachable, message: error.message };
  const trouble = stateTroubleIn(error);
  if (trouble !== null) return { code: exitCodes.usage, message: trouble };
  const words = error instanceof Error ? error.message : String(error);
  return {
    code: exitCodes.fault,
    message: `This is a bug in bugferry: ${words}\n  Run it again with --verbose to see where, and please report it.`,
  };
}

/** Where an unexpected error came from. */
export const stackOf = (error: unknown): string =>
  error instanceof Error && error.stack !== undefined ? error.stack : String(error);

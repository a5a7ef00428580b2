import { CommanderError } from 'commander';
import { ConfigProblems } from '../config/problem.ts';
import { SideError } from '../model/outcome.ts';
import type { RouteStatus } from '../model/route-status.ts';
import { isStateProblem, stateTroubleIn } from '../wire/bridge.ts';

/** How a command ended, for scripts. The highest that applies wins. */
export const exitCodes = {
  /** All well. */
  well: 0,
  /** Finished, but something is parked or conflicting. */
  attention: 1,
  /** Wrong usage, configuration or state file: nothing was begun. */
  usage: 2,
  /** The brake refused a plan. */
  braked: 3,
  /** A side could not be reached, or refused the credentials. */
  unreachable: 4,
  /** A fault of the program itself (EX_SOFTWARE). */
  fault: 70,
} as const;

/** The exit code that a finished command earns by how its routes stand. */
export const codeOf = (statuses: readonly RouteStatus[]): number =>
  statuses.some(({ needsPerson }) => needsPerson) ? exitCodes.attention : exitCodes.well;

/** Something the person at the keyboard can put right. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

export interface Ending {
  readonly code: number;
  /** Null when everything has been said. */
  readonly message: string | null;
}

/** What a thrown error means for the person who ran the command. */
export function endingOf(error: unknown): Ending {
  if (error instanceof CommanderError) return { code: error.exitCode === 0 ? exitCodes.well : exitCodes.usage, message: null };
  if (error instanceof ConfigProblems || error instanceof UsageError || isStateProblem(error)) {
    return { code: exitCodes.usage, message: error.message };
  }
  if (error instanceof SideError) return { code: exitCodes.unreachable, message: error.message };
  const trouble = stateTroubleIn(error);
  if (trouble !== null) return { code: exitCodes.usage, message: trouble };
  const words = error instanceof Error ? error.message : String(error);
  return {
    code: exitCodes.fault,
    message: `This is a fault of bugferry itself: ${words}\n  With --verbose it says where; please report it.`,
  };
}

/** Where an unexpected error came from. */
export const stackOf = (error: unknown): string => (error instanceof Error && error.stack !== undefined ? error.stack : String(error));

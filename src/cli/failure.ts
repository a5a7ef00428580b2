import { CommanderError } from 'commander';
import { ConfigProblems } from '../config/problem.ts';
import { SideError } from '../model/outcome.ts';
import { isStateProblem, stateTroubleIn } from '../wire.ts';
import { exitCodes } from './exit-code.ts';

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

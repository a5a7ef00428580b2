import type { Standing } from '../model/standing.ts';

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
export const codeOf = (standings: readonly Standing[]): number =>
  standings.some(({ needsPerson }) => needsPerson) ? exitCodes.attention : exitCodes.well;

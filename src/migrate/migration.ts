import type { Context } from '../kernel/context.ts';
import type { Importer } from '../model/migration.ts';

/** Everything that migrating one route needs. */
export interface Migration {
  readonly context: Context;
  /** Null writes through the normal API, within its budgets. */
  readonly importer: Importer | null;
  readonly numbers: Numbers;
  /** How many issues to make at most; null makes all. */
  readonly limit: number | null;
  readonly tell: (event: MigrateEvent) => void;
}

/**
 *   free  issues get the numbers that GitHub gives them
 *   keep  the issue of bug 12 is issue 12
 */
export type Numbers = 'free' | 'keep';

/**
 *   recovering  finds the outcome of an earlier run's imports
 *   reading     reads both sides completely
 *   importing   sends issues, with many in flight at a time
 *   adopting    reads GitHub again, to find the new issues
 *   finishing   writes everything that an import cannot express, within the budgets
 *   remainder   mirrors the remaining changes before a cut-over
 *   leaving     comments on bugs where their issues are, or closes the bugs
 *   returning   restores the status of bugs that a cut-over closed
 */
export type Phase =
  | 'recovering'
  | 'reading'
  | 'importing'
  | 'adopting'
  | 'finishing'
  | 'remainder'
  | 'leaving'
  | 'returning';

/** What limits the speed of a migration: GitHub's limits, the queue of imports, or reads. */
type Limit = 'github' | 'imports' | 'creations' | 'reading' | 'tracker';

export type MigrateEvent =
  | { readonly kind: 'phase'; readonly route: string; readonly phase: Phase }
  | {
      readonly kind: 'progress';
      readonly route: string;
      readonly phase: Phase;
      readonly done: number;
      readonly total: number;
      /** Imports that GitHub has accepted and not finished. */
      readonly inFlight: number;
      readonly parked: number;
      readonly limitedBy: Limit;
    }
  | { readonly kind: 'parked'; readonly route: string; readonly about: string; readonly why: string }
  | { readonly kind: 'waiting'; readonly route: string; readonly until: number; readonly why: string };

/** The result of a migration. The state holds the rest, including parked operations. */
export interface MigrateReport {
  readonly imported: number;
  readonly parked: number;
  /** Issues that hold the number of a bug that is not mirrored. */
  readonly placeholders: number;
  /** Why it stopped before its end; null when it did not. */
  readonly stopped: string | null;
}

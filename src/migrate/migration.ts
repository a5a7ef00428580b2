import type { Context } from '../kernel/context.ts';
import type { Importer } from '../model/migration.ts';

/** What migrating one route needs besides its context. */
export interface Migration {
  readonly context: Context;
  /** Null writes through the normal interface, within its budgets. */
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
 *   recovering  finding out what became of an earlier run's imports
 *   reading     both sides, from end to end
 *   importing   issues are sent, many on their way at a time
 *   adopting    GitHub is read again, to learn what was made
 *   finishing   what an import cannot say, within the budgets
 *   remainder   what is left to carry over before a cut-over
 *   leaving     bugs are told where they are, or closed
 *   returning   bugs that a cut-over closed get back the status that they had
 */
export type Phase = 'recovering' | 'reading' | 'importing' | 'adopting' | 'finishing' | 'remainder' | 'leaving' | 'returning';

/** What holds a migration up: GitHub's limits, a queue of imports, or whatever is read. */
export type Limit = 'github' | 'imports' | 'creations' | 'reading' | 'tracker';

export type MigrateEvent =
  | { readonly kind: 'phase'; readonly route: string; readonly phase: Phase }
  | {
      readonly kind: 'progress';
      readonly route: string;
      readonly phase: Phase;
      readonly done: number;
      readonly total: number;
      /** Imports that GitHub has taken and not finished. */
      readonly inFlight: number;
      readonly parked: number;
      readonly limitedBy: Limit;
    }
  | { readonly kind: 'parked'; readonly route: string; readonly about: string; readonly why: string }
  | { readonly kind: 'waiting'; readonly route: string; readonly until: number; readonly why: string };

/** What a migration came to. What is left, and what is parked, stands in the state like everything else. */
export interface MigrateReport {
  readonly imported: number;
  readonly parked: number;
  /** Issues that hold the number of a bug that is not mirrored. */
  readonly placeholders: number;
  /** Why it stopped before its end; null when it did not. */
  readonly stopped: string | null;
}

/** What a rehearsal at GitHub found: whether GitHub does what the bridge assumes of it, case by case. */

export type CaseVerdict = 'as-assumed' | 'differs' | 'not-tried';

export interface CaseResult {
  readonly id: string;
  readonly family: string;
  /** The assumption, as one sentence. */
  readonly assumes: string;
  /** The files below `src` that rely on it. */
  readonly usedIn: readonly string[];
  readonly verdict: CaseVerdict;
  readonly expected: string;
  /** Null if it was not tried. */
  readonly seen: string | null;
  /** Why it was not tried; otherwise null. */
  readonly why: string | null;
  /** What a difference means for the operator; null if there is none. */
  readonly means: string | null;
}

/** The result of a rehearsal. `cases` contains those that have been run so far. */
export interface Measured {
  readonly bugferry: string;
  /** The root of the REST interface. */
  readonly server: string;
  /** As the server reports it. */
  readonly serverVersion: string;
  readonly repository: string;
  readonly startedAt: string;
  /** Null as long as cases are left. */
  readonly endedAt: string | null;
  readonly requests: number;
  readonly cases: readonly CaseResult[];
}

/** An issue, or a comment on the issue of that number, which a rehearsal made. */
export interface Made {
  readonly issue: number;
  readonly id: number;
  /** Its id in GraphQL. */
  readonly node: string;
}

/** What is kept between two runs of one rehearsal: the results so far, and what later cases may use again. */
export interface Progress extends Measured {
  /** Issues and comments that several cases share, by name. */
  readonly made: Readonly<Record<string, Made>>;
  /** How many names were given out. */
  readonly names: number;
  /** Branches that were made, or were to be made. */
  readonly branches: readonly string[];
  /** When content was created, epoch milliseconds. */
  readonly creations: readonly number[];
  /** What cleaning up could not take away; null before. */
  readonly left: readonly string[] | null;
}

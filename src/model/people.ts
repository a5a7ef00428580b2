import type { Side } from './ids.ts';

/**
 * Who can have caused a change by hand: the author of the bug and of the issue, or of the comment that was edited; null
 * for our own accounts, and where nobody edits.
 */
export type Authors = Readonly<Record<Side, string | null>>;

/** Maps tracker users to GitHub users. Logins are case-insensitive on both sides; each appears here at most once. */
export interface People {
  /** GitHub login by tracker login in lower case. */
  readonly github: ReadonlyMap<string, string>;
  /** Tracker login by GitHub login in lower case. */
  readonly tracker: ReadonlyMap<string, string>;
  /** Tracker accounts that mean "unassigned". A bug that loses its assignee goes to the first of them. */
  readonly nobody: readonly string[];
}

/** Whether two logins are the same: both sides treat them case-insensitively. */
export const isLogin = (login: string | undefined, own: string): boolean => login?.toLowerCase() === own.toLowerCase();

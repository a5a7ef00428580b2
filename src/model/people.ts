import type { Side } from './ids.ts';
import type { Person } from './item.ts';

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

/** An account, as its side says: the login may change and be given to others, the number never. */
export type Account = Pick<Person, 'login' | 'id'>;

/** Our account, as its side says. */
export const accountIn = ({
  login,
  id,
}: {
  readonly login: string | null;
  readonly id?: number | undefined;
}): Account | null => (login === null ? null : { login, ...(id === undefined ? {} : { id }) });

/** Our accounts, as far as the sides say. */
export type OwnAccounts = Readonly<Record<Side, Account | null>>;

/** Whether somebody is that account: by the number, or by the login where only that is known of one of them. */
export function isBy(person: Account | null | undefined, account: Account | null): boolean {
  if (!person || account === null) return false;
  if (person.id !== undefined && account.id !== undefined) return person.id === account.id;
  return isLogin(person.login, account.login);
}

import type { Writer } from '../../model/migration.ts';

export interface WriterChoice {
  readonly writer: Writer;
  /** False if a person must agree first, because the result cannot be undone. */
  readonly isByItself: boolean;
  /** For people: the consequences of the permission, and the options. */
  readonly why: string;
}

/**
 * The writer that a migration uses by default.
 * @param mayImport whether our account administers the repository; null if GitHub does not say
 * @param keepsNumbers whether issues must get the numbers of their bugs, which only imports can do
 */
export function chosenWriter(repo: string, mayImport: boolean | null, keepsNumbers: boolean): WriterChoice {
  const isByItself = mayImport !== false;
  if (mayImport === true) {
    const why = `migrate would take --writer import, as the account administers ${repo}: no one is notified, and dates are kept`;
    return { writer: 'import', isByItself, why };
  }
  if (mayImport === null) {
    const why = `migrate would try --writer import, because GitHub does not say whether the account administers ${repo}; it stops if GitHub refuses`;
    return { writer: 'import', isByItself, why };
  }
  const api = "--writer api, which is slow, notifies people, and gives everything today's date";
  const otherwise = keepsNumbers ? `or go without --numbers keep and use ${api}` : `or use ${api}`;
  const why = `only an account that administers ${repo} may import: for a migration, give the account the admin role, ${otherwise}`;
  return { writer: 'api', isByItself, why };
}

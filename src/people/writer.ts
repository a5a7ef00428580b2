/**
 * How a migration makes issues.
 *
 *   import  by GitHub's issue import, which only administrators may use
 *   api     through the normal interface, within GitHub's limits on content
 */
export type Writer = 'import' | 'api';

export interface WriterChoice {
  readonly writer: Writer;
  /** False where a person has to agree first, because what follows cannot be taken back. */
  readonly isByItself: boolean;
  /** For people: what follows from the right, and what can be done about it. */
  readonly why: string;
}

/**
 * What a migration takes unless it is told.
 * @param mayImport whether our account administers the repository; null when GitHub does not tell
 * @param keepsNumbers whether issues are to get the numbers of their bugs, which only imports can
 */
export function chosenWriter(repo: string, mayImport: boolean | null, keepsNumbers: boolean): WriterChoice {
  const isByItself = mayImport !== false;
  if (mayImport === true) {
    const why = `migrate would take --writer import, as the account administers ${repo}: nobody is notified, and dates stay`;
    return { writer: 'import', isByItself, why };
  }
  if (mayImport === null) {
    const why = `migrate would try --writer import, as GitHub does not tell whether the account administers ${repo}; it stops where that is refused`;
    return { writer: 'import', isByItself, why };
  }
  const api = "--writer api, which is slow, notifies people, and gives everything today's date";
  const otherwise = keepsNumbers ? `or go without --numbers keep and use ${api}` : `or use ${api}`;
  const why = `migrate would not import: imports need an account that administers ${repo}. Give it the admin role for the migration, ${otherwise}`;
  return { writer: 'api', isByItself, why };
}

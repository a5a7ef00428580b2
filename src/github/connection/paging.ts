import type { Repository } from '../repository.ts';
import type { Answer } from './client.ts';

export interface NextPage {
  readonly path: string;
  /** True when the server did not say that there is one. */
  readonly isGuess: boolean;
}

/**
 * Where a list goes on behind a page, or null on its last. A page that is full, from a server that sends no Link header, is not
 * taken for the last: the next number is a guess, which ends the list when it brings nothing new.
 */
export function nextPage(
  { client, pageSize }: Repository,
  answer: Answer,
  { path, rows }: { path: string; rows: number },
): NextPage | null {
  if (answer.headers['link'] === undefined) return rows < pageSize ? null : { path: pathOfNext(path), isGuess: true };
  const next = nextPath(answer, client.root);
  return next === null ? null : { path: next, isGuess: false };
}

function pathOfNext(path: string): string {
  const page = /[?&]page=(\d+)/u.exec(path)?.[1];
  return page === undefined ? `${path}&page=2` : path.replace(/([?&]page=)\d+/u, `$1${Number(page) + 1}`);
}

/**
 * The address of the next page from the Link header, below the API's root, or null on the last page. Its path and query are
 * followed as they stand: the path names the repository by id, and the parameters may be a cursor instead of a page number.
 * Its host is not: a server behind a proxy may know itself by another name, and our credentials are for nobody else.
 */
export function nextPath(answer: Answer, root: URL): string | null {
  const link = answer.headers['link'];
  if (link === undefined) return null;
  const next = /<([^<>]+)>\s*;[^,<]*\brel="next"/u.exec(String(link))?.[1];
  if (next === undefined) return null;
  const { pathname, search } = new URL(next, root);
  const base = root.pathname.replace(/\/+$/u, '');
  return (pathname.startsWith(`${base}/`) ? pathname.slice(base.length) : pathname) + search;
}

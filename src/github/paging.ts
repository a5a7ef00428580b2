import type { Answer } from './client.ts';

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

import { withoutSlash } from '../../model/named.ts';
import { SideError } from '../../model/outcome.ts';
import type { Repository } from '../repository.ts';
import type { Answer } from './client.ts';

export interface NextPage {
  readonly path: string;
  /** True if the next page is a guess. */
  readonly isGuess: boolean;
}

/**
 * The next page of a list, or null after the last, where GitHub sends no Link header if all fits on one page. A full
 * page of another server without Link headers does not count as the last: the next number is a guess, and the list ends
 * if it returns nothing new.
 * @throws SideError if the header leads back to this page or an earlier one: the list would never end
 */
export function nextPage(
  { client, pageSize }: Repository,
  answer: Answer,
  { path, rows }: { path: string; rows: number },
): NextPage | null {
  if (answer.headers['link'] === undefined)
    return rows < pageSize || isFromGithub(answer) ? null : { path: pathOfNext(path), isGuess: true };
  const next = nextPath(answer, client.root);
  if (next !== null && leadsBack(path, next))
    throw new SideError('later', `GitHub answers that ${next} follows ${path}: that list does not end.`);
  return next === null ? null : { path: next, isGuess: false };
}

/** The address before the query may name the repository in another way, and cursors have no order. */
function leadsBack(path: string, next: string): boolean {
  const [from, to] = [path, next].map((each) => pageIn(each));
  return to === undefined ? queryOf(path) === queryOf(next) : to <= (from ?? 1);
}

const queryOf = (path: string): string => path.slice(path.indexOf('?'));

function pageIn(path: string): number | undefined {
  const page = /[?&]page=(\d+)/u.exec(path)?.[1];
  return page === undefined ? undefined : Number(page);
}

/**
 * It is in every answer of GitHub and of an Enterprise Server; a proxy that takes headers out would hardly leave it in.
 */
const isFromGithub = ({ headers }: Answer): boolean => headers['x-github-request-id'] !== undefined;

export function pathOfNext(path: string): string {
  const page = pageIn(path);
  return page === undefined ? `${path}&page=2` : path.replace(/([?&]page=)\d+/u, `$1${page + 1}`);
}

/**
 * The path of the next page from the Link header, below the API's root, or null on the last page. Its path and query
 * are used unchanged: the path contains the repository's id, and the parameters may be a cursor instead of a page
 * number. Its host is ignored: a server behind a proxy may know itself by another name, and our credentials must not go
 * elsewhere.
 */
export function nextPath(answer: Answer, root: URL): string | null {
  const link = answer.headers['link'];
  if (link === undefined) return null;
  const next = /<([^<>]+)>\s*;[^,<]*\brel="next"/u.exec(String(link))?.[1];
  if (next === undefined) return null;
  const { pathname, search } = new URL(next, root);
  const base = withoutSlash(root.pathname);
  return (pathname.startsWith(`${base}/`) ? pathname.slice(base.length) : pathname) + search;
}

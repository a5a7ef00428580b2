import { SideError } from '../model/outcome.ts';
import type { Answer } from './client.ts';

/**
 * The address of the next page from the Link header, below the API's root, or null on the last page. It is followed as it
 * stands: its path names the repository by id, and its parameters may be a cursor instead of a page number.
 * @throws SideError when it does not lie below the root: our credentials are not for anybody else.
 */
export function nextPath(answer: Answer, root: URL): string | null {
  const link = answer.headers['link'];
  if (link === undefined) return null;
  const next = /<([^<>]+)>\s*;[^,<]*\brel="next"/u.exec(String(link))?.[1];
  if (next === undefined) return null;
  const url = new URL(next, root);
  const base = root.pathname.replace(/\/+$/u, '');
  if (url.origin === root.origin && url.pathname.startsWith(`${base}/`)) return url.pathname.slice(base.length) + url.search;
  throw new SideError(
    'refused',
    `GitHub's next page is at ${url.origin}${url.pathname}, which is not below ${root.href}. Correct the API's url in the configuration.`,
  );
}

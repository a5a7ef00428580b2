import { SideError } from '../model/outcome.ts';
import type { Answer } from './client.ts';

/**
 * The address of the next page from the Link header, or null on the last page. It is followed as it stands: its path names the
 * repository by id, and its parameters may be a cursor instead of a page number.
 * @throws SideError when it leads to another origin, which must not see our credentials.
 */
export function nextUrl(answer: Answer, root: URL): string | null {
  const link = answer.headers['link'];
  if (link === undefined) return null;
  const next = /<([^<>]+)>\s*;[^,<]*\brel="?next"?/u.exec(String(link))?.[1];
  if (next === undefined) return null;
  const url = new URL(next, root);
  if (url.origin !== root.origin) {
    throw new SideError(
      'refused',
      `GitHub's next page is at ${url.origin}, but the API is configured at ${root.origin}. Correct the url in the configuration.`,
    );
  }
  return url.href;
}

import { sameName } from '../model/named.ts';
import type { Route } from '../model/route.ts';
import { githubMarker, mirroredLine } from './marker.ts';

/**
 * The number in the URL of an issue of the route's repository, or null for any other URL: other hosts have repositories
 * of that name, too.
 */
export function issueNumberIn(
  { webHost, owner, repo }: Pick<Route, 'webHost' | 'owner' | 'repo'>,
  url: string,
): number | null {
  const match = /^(https?):\/\/([^/?#]+)\/([^/?#]+\/[^/?#]+)\/issues\/([1-9]\d{0,14})(?:[?#].*)?$/u.exec(url);
  const [, scheme, host = '', place = '', number] = match ?? [];
  if (!sameName(place, `${owner}/${repo}`)) return null;
  const isThere = [webHost, `${webHost}:${scheme === 'https' ? 443 : 80}`].some((each) => sameName(host, each));
  return isThere ? Number(number) : null;
}

/** The line under an issue that began on GitHub, which names its bug. */
export function issueFooter(route: Route, bug: number, url: string): string {
  return `---\n*Mirrored as [bug ${bug}](${url}).*\n\n${githubMarker(route.instance, { bug, comment: null })}`;
}

/** The comment that names a bug's issue if see_also does not take the URL. */
export const bugPointer = (issueUrl: string): string => mirroredLine(issueUrl);

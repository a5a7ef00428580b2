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

/** The bug, with its address, that our line over the text of an issue names; null if there is no such line. */
export function bugOver(body: string): { readonly bug: number; readonly url: string } | null {
  const [line = ''] = body.split('\n', 1);
  // The name of the person who filed the bug comes first, and may contain anything.
  const at = line.startsWith('**') ? line.lastIndexOf('** opened [bug ') : -1;
  const [, bug, url] = (at < 0 ? null : /^\*\* opened \[bug (\d+)\]\((\S+?)\) on /u.exec(line.slice(at))) ?? [];
  return bug === undefined || url === undefined ? null : { bug: Number(bug), url };
}

/** The address of the tracker that has this bug or attachment, without the scheme: people may reach one tracker by both. */
export const trackerIn = (url: string): string =>
  url
    .replace(/^https?:\/\//iu, '')
    .replace(/\/(?:(?:show_bug|attachment)\.cgi.*)?$/isu, '')
    .toLowerCase();

/** A full body has no room for another line; the bug still names its issue. */
export const hasRoomForFooter = (body: string): boolean => body.length < 65_000;

/** The line under an issue that began on GitHub, which names its bug. */
export function issueFooter(route: Route, bug: number, url: string): string {
  return `---\n*Mirrored as [bug ${bug}](${url}).*\n\n${githubMarker(route.instance, { bug, comment: null })}`;
}

/** The comment that names a bug's issue if see_also does not take the URL. */
export const bugPointer = (issueUrl: string): string => mirroredLine(issueUrl);

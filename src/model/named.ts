import type { Route } from './route.ts';

/** A bug or an issue as a person names it. */
export type Named =
  | { readonly kind: 'bug'; readonly id: number; readonly about: string }
  | { readonly kind: 'issue'; readonly repo: string; readonly number: number; readonly about: string };

/**
 * Parses the name of a bug or an issue as people type or paste it; null when it names neither:
 *
 *   12   bug 12   bug #12   https://bugs.example.org/show_bug.cgi?id=12
 *   acme/widget#5   issue acme/widget#5   https://github.com/acme/widget/issues/5
 */
export function namedIn(text: string): Named | null {
  const words = text.trim();
  const bug =
    /^(?:bug\s*)?#?(\d{1,15})$/iu.exec(words) ??
    /^https?:\/\/[^\s?]+\/show_bug\.cgi\?(?:\S*&)?id=(\d{1,15})(?:[&#]\S*)?$/iu.exec(words);
  if (bug !== null) return { kind: 'bug', id: Number(bug[1]), about: `Bug ${bug[1]}` };
  const issue =
    /^(?:issue\s+)?([^/\s]+\/[^/#\s]+)#(\d{1,15})$/iu.exec(words) ??
    /^https?:\/\/[^/\s]+\/([^/\s]+\/[^/\s]+)\/(?:issues|pull)\/(\d{1,15})(?:[?#]\S*)?$/iu.exec(words);
  if (issue === null) return null;
  const repo = issue[1] ?? '';
  return { kind: 'issue', repo, number: Number(issue[2]), about: `${repo}#${issue[2]}` };
}

/** Whether GitHub treats two repository names as the same. */
export const sameName = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase();

/** An address, without the slashes that a person may have written behind it. */
export const withoutSlash = (address: string): string => address.replace(/(?<!\/)\/+$/u, '');

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

/**
 * The address of the tracker that has this bug or attachment, without the scheme: people may reach one tracker by both.
 * A port that the scheme means anyway says nothing, nor does a second slash.
 */
export const trackerIn = (url: string): string =>
  url
    .replace(/^(?:https:\/\/([^/?#]*?)(?::443)?|http:\/\/([^/?#]*?)(?::80)?)(?=[/?#]|$)/iu, '$1$2')
    .replace(/\/{2,}/gu, '/')
    .replace(/\/(?:(?:show_bug|attachment)\.cgi.*)?$/isu, '')
    .toLowerCase();

/** The page of an attachment, on the tracker on which a bug or one of its comments has this address. */
export const attachmentPage = (url: string, id: number): string =>
  `${url.replace(/\/show_bug\.cgi.*$/u, '')}/attachment.cgi?id=${id}`;

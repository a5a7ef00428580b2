import type { References } from './references.ts';

/**
 * Whether an address leads into GitHub: there, a link to it would put an event into somebody's issue.
 * @param webHost where the pages of the GitHub at hand are, beside github.com
 */
export function isGithubPage(url: string, webHost = 'github.com'): boolean {
  return /^(?:https?|ftp):\/\/(?:[^/?#@\s]*@)?(?:www\.|gist\.)?github\.com\b/iu.test(url) || isPageOf(webHost, url);
}

/** Whether it leads into an Enterprise Server, which has no redirection of its own for links that are to leave no trace. */
export const isEnterprisePage = (url: string, webHost = 'github.com'): boolean => webHost !== 'github.com' && isPageOf(webHost, url);

function isPageOf(webHost: string, url: string): boolean {
  const host = /^(?:https?|ftp):\/\/(?:www\.|gist\.)?([^/?#\s]+)/iu.exec(url)?.[1];
  return host?.toLowerCase() === webHost.toLowerCase();
}

export const redirection = 'https://redirect.github.com';

/**
 * A link to GitHub would put an event into somebody's issue; by way of GitHub's own redirection it does not. What is mirrored may be
 * linked to.
 */
export function betterThan(url: string, references: References): string {
  const seen = url.replace(/\p{Cf}/gu, '');
  return references.page(url) ?? (github.test(seen) ? seen.replace(github, redirection) : url);
}

/** As browsers read it: with signs that nobody sees, without a scheme, with strokes of another kind, a port or a name of an account. */
const github = /^(?:(?:https?|ftp):[/\\]*|[/\\]{2,})(?:[^/\\?#@]*@)?(?:www\.)?github\.com\.?(?::\d*)?(?=[/\\?#]|$)/iu;

/** An Enterprise Server has no such redirection, so there is no link: the address stands as code. */
export const leavesTrace = (url: string, references: References): boolean =>
  isEnterprisePage(url, references.webHost) && references.page(url) === null;

/**
 * Whether an address leads into GitHub: there, a link to it would put an event into somebody's issue.
 * @param webHost where the pages of the GitHub at hand are, beside github.com
 */
export function isGithubPage(url: string, webHost = 'github.com'): boolean {
  return /^https?:\/\/(?:www\.|gist\.)?github\.com\b/iu.test(url) || isPageOf(webHost, url);
}

/** Whether it leads into an Enterprise Server, which has no redirection of its own for links that are to leave no trace. */
export const isEnterprisePage = (url: string, webHost = 'github.com'): boolean => webHost !== 'github.com' && isPageOf(webHost, url);

function isPageOf(webHost: string, url: string): boolean {
  const host = /^https?:\/\/(?:www\.|gist\.)?([^/?#\s]+)/iu.exec(url)?.[1];
  return host?.toLowerCase() === webHost.toLowerCase();
}

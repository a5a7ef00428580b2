/** What the words of trackers refer to, as addresses; null where there is nothing to link to, or nothing that may be shown. */
export interface References {
  bug(id: number): string | null;
  /** A comment by its number within a bug; the bug is null for the one that the text stands in. */
  comment(bug: number | null, count: number): string | null;
  attachment(id: number): string | null;
  /** A page of the tracker or of GitHub, where a better address is known for it. */
  page(url: string): string | null;
  /** Where the pages of the GitHub at hand are; absent for github.com. */
  readonly webHost?: string;
}

export const noReferences: References = { bug: () => null, comment: () => null, attachment: () => null, page: () => null };

/** Nothing is known of what the words refer to; addresses of the same GitHub are. */
export const withoutTargets = ({ webHost }: References): References =>
  webHost === undefined ? noReferences : { ...noReferences, webHost };

const pattern = /\bbug\s#?(\d{1,9})(?:,?\s(?:comment|c)\s?#?(\d{1,6}))?\b|\bcomment\s#?(\d{1,6})\b|\battachment\s#?(\d{1,9})\b/giu;

export interface Part {
  readonly text: string;
  /** Null for plain words. */
  readonly url: string | null;
}

/** Cuts plain words at what refers to something known. Source: how Bugzilla itself turns words into links. */
export function referencesIn(text: string, references: References): readonly Part[] {
  const parts: Part[] = [];
  let end = 0;
  for (const match of text.matchAll(pattern)) {
    const url = urlOf(match, references);
    if (url === null) continue;
    if (match.index > end) parts.push({ text: text.slice(end, match.index), url: null });
    parts.push({ text: match[0], url });
    end = match.index + match[0].length;
  }
  if (end < text.length) parts.push({ text: text.slice(end), url: null });
  return parts;
}

function urlOf([, bug, bugComment, comment, attachment]: RegExpMatchArray, references: References): string | null {
  if (bug !== undefined && bugComment !== undefined) return references.comment(Number(bug), Number(bugComment));
  if (bug !== undefined) return references.bug(Number(bug));
  if (comment !== undefined) return references.comment(null, Number(comment));
  return attachment === undefined ? null : references.attachment(Number(attachment));
}

/** What GitHub's references mean on the tracker: words such as `bug 12`, which the tracker turns into links; null for the unknown. */
export interface IssueReferences {
  /** The repository is null for the one that the text stands in. */
  issue(repository: string | null, number: number): string | null;
  page(url: string): string | null;
}

export const noIssues: IssueReferences = { issue: () => null, page: () => null };

const trackerLink = /\b(bugs?|comment|attachment)(?=\s*#?\s*\d)/giu;
const issueNumber = /(?<![\w/#.-])(?:([\w.-]+\/[\w.-]+))?#(\d{1,9})\b/gu;

/**
 * Words of GitHub for the tracker. What was written there about a bug of something else must not become a link to one of ours, so a
 * character without width comes between; numbers of issues become the bugs that mirror them.
 */
export function trackerWords(text: string, issues: IssueReferences): string {
  return unlinked(text).replace(
    issueNumber,
    (whole, repository: string | undefined, number: string) => issues.issue(repository ?? null, Number(number)) ?? whole,
  );
}

/** Words that the tracker would turn into links, broken by a character without width. */
export const unlinked = (text: string): string => text.replace(trackerLink, '$1\u200b');

/**
 * Whether an address leads into GitHub: there, a link to it would put an event into somebody's issue.
 * @param webHost where the pages of the GitHub at hand are, beside github.com
 */
export function isGithubPage(url: string, webHost = 'github.com'): boolean {
  return /^(?:https?|ftp):\/\/(?:[^/?#@\s]*@)?(?:www\.|gist\.)?github\.com\b/iu.test(url) || isPageOf(webHost, url);
}

/** Whether it leads into an Enterprise Server, which has no redirection of its own for links that are to leave no trace. */
const isEnterprisePage = (url: string, webHost = 'github.com'): boolean => webHost !== 'github.com' && isPageOf(webHost, url);

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

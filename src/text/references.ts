import type { HiddenFile } from '../model/plan/operation.ts';
import { mark } from './canonical.ts';

/**
 * Targets of references in tracker text, as URLs; null if there is nothing to link to, or nothing that may be shown.
 */
export interface References {
  bug(id: number): string | null;
  /** A comment by its number within a bug; the bug is null for the bug that contains the text. */
  comment(bug: number | null, count: number): string | null;
  attachment(id: number): string | null;
  /** A page of the tracker or of GitHub, if a better URL is known for it. */
  page(url: string): string | null;
  /** The host of GitHub's pages; absent for github.com. */
  readonly webHost?: string;
}

/** What a text is written with: it has the same parts with each of them. */
export type SeveralReferences = readonly [References, ...(readonly References[])];

export const noReferences: References = {
  bug: () => null,
  comment: () => null,
  attachment: () => null,
  page: () => null,
};

/** No targets are known; URLs of the same GitHub are still recognised. */
export const withoutTargets = ({ webHost }: References): References =>
  webHost === undefined ? noReferences : { ...noReferences, webHost };

/** Between a word and its number. The tracker takes any space, or none; people also write a colon. */
const space = String.raw`\s{0,3}(?::\s?)?`;
const gap = `${space}(?:#\\s?)?`;
const more = String.raw`(?:\s{0,3},\s{0,3}#?\d{1,9})`;

/** Source: `quoteUrls` in Bugzilla's Template.pm. A list whose bug precedes it is one of that bug's comments. */
const pattern = new RegExp(
  [
    String.raw`\bbug${gap}(?<bug>\d{1,9})(?:(?:\s?,|(?=\s))\s{0,3}(?:comment|c)\s?#?(?<bugComment>\d{1,6})\b|,?\s{1,3}comments${gap}\d{1,6}${more}*|)\b`,
    String.raw`\bbugs${space}(?<bugs>#?\d{1,9}${more}+)\b`,
    String.raw`\bcomment${gap}(?<comment>\d{1,6})\b`,
    String.raw`\bcomments${space}(?<comments>#?\d{1,6}${more}+)\b`,
    String.raw`\battachment${gap}(?<attachment>\d{1,9})\b`,
    String.raw`(?<=^\*\*\* This bug has been marked as a duplicate of )(?<original>\d{1,9})(?= \*\*\*$)`,
  ].join('|'),
  'gimu',
);

/** A reference in tracker text: where it stands, and what it names. */
export interface Reference {
  readonly index: number;
  readonly text: string;
  readonly kind: 'bug' | 'comment' | 'attachment';
  readonly id: number;
  /** For a comment: its bug; null for the bug that contains the text. */
  readonly bug: number | null;
}

/** All references of a text, in order; each number of a list is one. */
export function referencesIn(text: string): readonly Reference[] {
  return [...text.matchAll(pattern)].flatMap(({ index, 0: whole, groups = {} }): readonly Reference[] => {
    const { bug, bugComment, bugs, comment, comments, attachment, original } = groups;
    const one = { index, text: whole, bug: null };
    if (bug !== undefined && bugComment !== undefined)
      return [{ ...one, kind: 'comment', id: Number(bugComment), bug: Number(bug) }];
    if (bug !== undefined) return [{ ...one, kind: 'bug', id: Number(bug), text: upToNumber(whole) }];
    if (comment !== undefined) return [{ ...one, kind: 'comment', id: Number(comment) }];
    if (attachment !== undefined) return [{ ...one, kind: 'attachment', id: Number(attachment) }];
    if (original !== undefined) return [{ ...one, kind: 'bug', id: Number(original) }];
    const list = bugs ?? comments ?? '';
    const first = index + whole.length - list.length;
    return [...list.matchAll(/#?(\d+)/gu)].map((item) => ({
      ...{ ...one, index: first + item.index, text: item[0] },
      kind: bugs === undefined ? ('comment' as const) : ('bug' as const),
      id: Number(item[1]),
    }));
  });
}

/** A bug without the list of its comments. */
const upToNumber = (whole: string): string => /^\D*\d+/u.exec(whole)?.[0] ?? whole;

/** Whether a line, or a part of it, may refer to anything. */
export const mayRefer = (line: string): boolean => line.includes('://') || line.search(pattern) !== -1;

export interface Part {
  readonly text: string;
  /** Null for plain text. */
  readonly url: string | null;
}

/** Cuts plain text at references to known targets. Source: how Bugzilla itself turns text into links. */
export function cutAtReferences(text: string, references: References): readonly Part[] {
  const parts: Part[] = [];
  let end = 0;
  for (const named of referencesIn(text)) {
    const url = urlOf(named, references);
    if (url === null) continue;
    if (named.index > end) parts.push({ text: text.slice(end, named.index), url: null });
    parts.push({ text: named.text, url });
    end = named.index + named.text.length;
  }
  if (end < text.length) parts.push({ text: text.slice(end), url: null });
  return parts;
}

function urlOf({ kind, id, bug }: Reference, references: References): string | null {
  if (kind === 'comment') return references.comment(bug, id);
  return references[kind](id);
}

/**
 * The meaning of GitHub's references on the tracker: text such as `bug 12`, which the tracker turns into links; null if
 * unknown.
 */
export interface IssueReferences {
  /** The repository is null for the one that contains the text. */
  issue(repository: string | null, number: number): string | null;
  page(url: string): string | null;
}

export const noIssues: IssueReferences = { issue: () => null, page: () => null };

const trackerLink = /\b(bugs?|comments?|attachment)(?=\s*(?:#\s*)?\d)/giu;
const issueNumber = /(?<![\w/#.-])(?:([\w.-]+\/[\w.-]+))?#(\d{1,9})\b/gu;

/**
 * GitHub text for the tracker. A mention of another project's bug must not become a link to one of ours, so a
 * zero-width character breaks it; issue numbers become the bugs that mirror them.
 */
export function trackerWords(text: string, issues: IssueReferences): string {
  return unlinked(text).replace(
    issueNumber,
    (whole, repository: string | undefined, number: string) =>
      issues.issue(repository ?? null, Number(number)) ?? whole,
  );
}

/** Text that the tracker would turn into links, broken by a zero-width character. */
export const unlinked = (text: string): string => text.replace(trackerLink, '$1\u200b');

/**
 * The host that a browser would ask, however it is spelled: with an account, in wide, invisible or percent characters,
 * without a scheme.
 */
function hostOf(url: string): string {
  const seen = withoutInvisible(url).replace(/^[/\\]{2,}/u, 'https://');
  if (!/^(?:https?|ftp):/iu.test(seen) || !URL.canParse(seen)) return '';
  return new URL(seen).host.replace(/^www\./u, '').replace(/\.(?=:|$)/u, '');
}

const withoutInvisible = (url: string): string => url.replace(/\p{Cf}/gu, '');

const isHostOf = (owner: string, host: string): boolean => host === owner || host === `gist.${owner}`;
const withoutPort = (host: string): string => host.replace(/:\d+$/u, '');

/**
 * Whether a URL leads to GitHub: there, a link to it would add an event to the issue it names.
 * @param webHost the host of GitHub's pages, in addition to github.com
 */
export function isGithubPage(url: string, webHost = 'github.com'): boolean {
  const host = hostOf(url);
  return isHostOf('github.com', withoutPort(host)) || isHostOf(webHost.toLowerCase(), host);
}

/** Words in which no parser finds an address of GitHub, even within another one, as its scheme is broken. */
export const withoutScheme = (words: string, webHost?: string): string =>
  words.replace(/\b(?:https?|ftp):(?=(\/\/[\p{L}\p{N}\p{Cf}\u3002\uff0e\uff61._:@%-]*))/giu, (scheme, host: string) =>
    isGithubPage(scheme + host, webHost) ? scheme + mark : scheme,
  );

export const redirection = 'https://redirect.github.com';

/**
 * A link to GitHub would add an event to the issue it names; GitHub's own redirection avoids that. Mirrored items may
 * be linked to.
 */
export function betterThan(url: string, references: References): string {
  const better = references.page(url);
  if (better !== null || withoutPort(hostOf(url)) !== 'github.com') return better ?? url;
  return withoutInvisible(url).replace(/^[^/\\]*[/\\]*[^/\\?#]*/u, redirection);
}

/** An Enterprise Server has no such redirection, so there is no link: the URL appears as code. */
export const leavesTrace = (url: string, { webHost, page }: References): boolean =>
  webHost !== undefined &&
  webHost !== 'github.com' &&
  isHostOf(webHost.toLowerCase(), hostOf(url)) &&
  page(url) === null;

/** Ends at what no address of a copy contains. */
const address = /https?:\/\/[^\s<>"`|*[\]\\]+/giu;
/** Where attachment stores keep their files: a branch, and a release. */
const inStore = /\/(?:raw|blob|releases\/download)\//iu;
const numbered = /\/(\d{1,15})-[^/]*$/u;

/**
 * The text in which the addresses of copies of these files are those of their pages on the tracker. The address of a
 * copy has the name of the file, and is known by the number that the bridge puts before the name.
 */
export function withoutCopiesOf(files: readonly HiddenFile[], text: string): string {
  const pages = new Map(files.map(({ id, url }) => [id, url]));
  return text.replace(address, (run) => {
    const found = run.slice(0, endOf(run));
    const [place = ''] = found.split(/[?#]/u, 1);
    const [, id] = (inStore.test(place) && numbered.exec(place)) || [];
    return (id !== undefined && pages.get(Number(id))?.concat(run.slice(found.length))) || run;
  });
}

/** A bracket that the address does not open belongs to the words around it, with all that follows. */
function endOf(run: string): number {
  let open = 0;
  for (let at = 0; at < run.length; at += 1) {
    if (run[at] === '(') open += 1;
    if (run[at] === ')' && open === 0) return at;
    if (run[at] === ')') open -= 1;
  }
  return run.length - (/[.,;:!?'_~]{1,9}$/u.exec(run)?.[0].length ?? 0);
}

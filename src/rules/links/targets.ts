import type { AttachmentLink } from '../../model/attachment.ts';
import type { BugId, Side } from '../../model/ids.ts';
import { bodyId, type CommentLink, type Link } from '../../model/link.ts';
import { trackerIn } from '../../model/named.ts';
import type { PublicTarget, Target, TargetComment, TargetFile } from '../../model/plan/public.ts';
import type { Route } from '../../model/route.ts';
import type { CommentNames } from '../../model/store.ts';
import { type IssueReferences, type References, referencesIn } from '../../text/references.ts';

/** The references found in a text, whether or not their targets exist. */
export interface Referred {
  /** Bugs by their ids. */
  readonly bugs: ReadonlySet<number>;
  /** Attachments by their ids. */
  readonly attachments: ReadonlySet<number>;
  /** Issues; the repository is null for the text's own. */
  readonly issues: readonly { readonly repo: string | null; readonly number: number }[];
}

/** An address can spell a number in other signs. */
const spelledNumber = /&#|%3\d/u;

/** The numbers in texts that may be those of comments, and of files. */
export interface Numbers extends CommentNames {
  readonly files: readonly number[];
}

/** Null if a text may spell a number in another way: then it may refer to any. */
export function numbersIn(texts: readonly string[]): Numbers | null {
  if (texts.some((text) => spelledNumber.test(text))) return null;
  const all = (pattern: RegExp): readonly number[] =>
    texts.flatMap((text) => [...text.matchAll(pattern)].map(([, number]) => Number(number)));
  const named = texts.flatMap((text) => referencesIn(text).flatMap(({ kind, id }) => (kind === 'comment' ? id : [])));
  return {
    counts: [...new Set([...named, ...all(/#c(\d{1,9})/giu)])],
    ids: [...new Set(all(/issuecomment-(\d{1,15})/giu))],
    files: [...new Set(all(/(\d{1,15})/gu))],
  };
}

const pageWord = /\/(show_bug|attachment)\.cgi\?id=(\d{1,9})\b/giu;
const issueWord = /(?:(?<![\w.-])([\w.-]+\/[\w.-]+))?#(\d{1,9})\b|\/([\w.-]+\/[\w.-]+)\/issues\/(\d{1,9})\b/gu;

/**
 * Finds references, also in code, where they do not count; too many do no harm. `side` is where the text was written.
 */
export function referredIn(text: string, side: Side): Referred {
  const [named, pages] = side === 'tracker' ? [referencesIn(text), [...text.matchAll(pageWord)]] : [[], []];
  const pagesOf = (name: string): readonly number[] =>
    pages.flatMap(([, page, id]) => (page?.toLowerCase() === name ? Number(id) : []));
  const bugs = named.flatMap(({ kind, id, bug }) => (kind === 'bug' ? id : (bug ?? [])));
  const attachments = named.flatMap(({ kind, id }) => (kind === 'attachment' ? id : []));
  const issues = [...text.matchAll(issueWord)].flatMap(([, named, word, repo, page]) => {
    if (page !== undefined) return [{ repo: repo ?? null, number: Number(page) }];
    return side === 'github' ? [{ repo: named ?? null, number: Number(word) }] : [];
  });
  return {
    bugs: new Set([...bugs, ...pagesOf('show_bug')]),
    attachments: new Set([...attachments, ...pagesOf('attachment')]),
    // Each costs a reading of its link, and a text may name the same one thousands of times.
    issues: [...new Map(issues.map((each) => [`${each.repo}#${each.number}`, each])).values()],
  };
}

/** A link as a target of references. `gate` decides whether it may be one, and which of its comments and files. */
export function targetOf(
  link: Link,
  commentLinks: readonly CommentLink[],
  attachmentLinks: readonly AttachmentLink[],
): Target {
  const { bug, issue, repo } = link;
  const [bugUrl, issueUrl] = [link.tracker?.url ?? null, link.github?.url ?? null];
  const comments = commentLinks.flatMap((commentLink) => commentOf(commentLink, bugUrl, issueUrl) ?? []);
  const open = attachmentLinks.filter(({ origin, state }) => origin === 'tracker' && state !== 'withdrawn');
  const files = open.map(({ source, url, copy }) => ({ id: Number(source), url, copyUrl: copy?.url ?? null }));
  return { bug, bugUrl, repo, issue, issueUrl, comments, files };
}

/** The same target, without the addresses of its copies. */
export const onTracker = ({ comments, files, ...target }: Target): Target => ({
  ...target,
  issueUrl: null,
  comments: comments.map((each) => ({ ...each, issueUrl: null })),
  files: files.map((each) => ({ ...each, copyUrl: null })),
});

function commentOf(commentLink: CommentLink, bugUrl: string | null, issueUrl: string | null): TargetComment | null {
  if (commentLink.count === null || commentLink.part > 1 || bugUrl === null) return null;
  const onGithub = commentLink.origin === 'github' ? commentLink.source : (commentLink.copy?.id ?? null);
  const page =
    onGithub === null || issueUrl === null
      ? null
      : onGithub === bodyId
        ? issueUrl
        : `${issueUrl}#issuecomment-${onGithub}`;
  return { count: commentLink.count, bugUrl: `${bugUrl}#c${commentLink.count}`, issueUrl: page };
}

/**
 * Resolves the references in a tracker text to an issue, comment or file on GitHub, or else to the tracker's page.
 * @param mention called for each reference: it may have to be rendered differently later, as its target is copied,
 *   hidden or moved
 */
export function referencesOf(
  { formerUrls = [] }: Pick<Route, 'formerUrls'>,
  own: BugId | null,
  targets: readonly PublicTarget[],
  mention: (what: string) => void = () => {},
): References {
  const bug = (id: number): string | null => {
    const target = targets.find((each) => each.bug === id);
    mention(bugMention(id));
    return target?.issueUrl ?? target?.bugUrl ?? null;
  };
  const comment = (of: number | null, count: number): string | null => {
    const found = targets.find((each) => each.bug === (of ?? own))?.comments.find((each) => each.count === count);
    mention(commentMention(of ?? own ?? 0, count));
    return found?.issueUrl ?? found?.bugUrl ?? null;
  };
  const fileWith = (id: number): TargetFile | undefined => {
    mention(attachmentMention(id));
    return targets.flatMap(({ files }) => files).find((file) => file.id === id);
  };
  const attachment = (id: number): string | null => {
    const file = fileWith(id);
    return file?.copyUrl ?? file?.url ?? null;
  };
  const page = (url: string): string | null => {
    if (
      targets.some(({ issueUrl }) => issueUrl !== null && isSamePage(issueUrl, url.replace(/#issuecomment-\d+$/u, '')))
    )
      return url;
    const [, kind, id, count] = /^https?:.+\/(show_bug|attachment)\.cgi\?id=(\d{1,9})(?:#c(\d+))?$/iu.exec(url) ?? [];
    if (id === undefined) return null;
    const isThere = (own: string | null): boolean =>
      own !== null && [own, ...formerUrls].some((each) => trackerIn(each) === trackerIn(url));
    if (kind?.toLowerCase() === 'attachment') {
      const file = fileWith(Number(id));
      return file !== undefined && isThere(file.url) ? file.copyUrl : null;
    }
    const isOfBug = count === undefined || count === '0';
    mention(isOfBug ? bugMention(Number(id)) : commentMention(Number(id), Number(count)));
    const target = targets.find((each) => each.bug === Number(id) && isThere(each.bugUrl));
    if (target === undefined || target.issueUrl === null) return null;
    return isOfBug ? target.issueUrl : comment(target.bug, Number(count));
  };
  return { bug, comment, attachment, page };
}

export const bugMention = (bug: number): string => `bug ${bug}`;
export const commentMention = (bug: number, count: number): string => `bug ${bug} comment ${count}`;
export const attachmentMention = (id: number): string => `attachment ${id}`;

/** The attachment that a mention names; null if it names something else. */
export function attachmentIn(mention: string): number | null {
  const [, id] = /^attachment (\d+)$/u.exec(mention) ?? [];
  return id === undefined ? null : Number(id);
}

/** Resolves the references in a GitHub text to the tracker's words. */
export function issueReferencesOf(ownRepo: string, targets: readonly Target[]): IssueReferences {
  return {
    issue(repository, number) {
      const target = targets.find(({ repo, issue }) => issue === number && isSamePage(repo, repository ?? ownRepo));
      return target === undefined || target.bug === null ? null : `bug ${target.bug}`;
    },
    page(url) {
      const [page = '', fragment] = url.split('#');
      const target = targets.find(({ issueUrl }) => issueUrl !== null && isSamePage(issueUrl, page));
      if (target === undefined || target.bug === null) return null;
      if (fragment === undefined) return `bug ${target.bug}`;
      const comment = target.comments.find(({ issueUrl }) => issueUrl !== null && isSamePage(issueUrl, url));
      return comment === undefined ? null : `bug ${target.bug} comment ${comment.count}`;
    },
  };
}

const isSamePage = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase();

import type { AttachmentLink } from '../model/attachment.ts';
import type { BugId, IssueNumber, Side } from '../model/ids.ts';
import { bodyId, type CommentLink, type Link } from '../model/link.ts';
import type { PublicTarget } from '../privacy/gate.ts';
import type { IssueReferences, References } from '../text/references.ts';

/** Something that texts refer to and that everybody may see: a bug, its issue, and those of its comments that are known. */
export interface Target {
  readonly bug: BugId | null;
  readonly bugUrl: string | null;
  readonly repo: string;
  readonly issue: IssueNumber | null;
  readonly issueUrl: string | null;
  readonly comments: readonly TargetComment[];
  readonly files: readonly TargetFile[];
}

export interface TargetComment {
  /** Its number within the bug. */
  readonly count: number;
  readonly bugUrl: string;
  readonly issueUrl: string | null;
}

/** A public attachment. */
export interface TargetFile {
  readonly id: number;
  /** Its page on the tracker, and where its copy stands, if any does. */
  readonly url: string;
  readonly copyUrl: string | null;
}

/** What a text may refer to, before anybody has looked whether it exists. */
export interface Referred {
  /** Bugs by their ids. */
  readonly bugs: ReadonlySet<number>;
  /** Attachments by their ids. */
  readonly attachments: ReadonlySet<number>;
  /** Issues; the repository is null for the one that the text stands in. */
  readonly issues: readonly { readonly repo: string | null; readonly number: number }[];
}

const bugWord = /\bbug\s#?(\d{1,9})\b|\/show_bug\.cgi\?id=(\d{1,9})\b/giu;
const attachmentWord = /\battachment\s#?(\d{1,9})\b|\/attachment\.cgi\?id=(\d{1,9})\b/giu;
const issueWord = /(?:(?<![\w.-])([\w.-]+\/[\w.-]+))?#(\d{1,9})\b|\/([\w.-]+\/[\w.-]+)\/issues\/(\d{1,9})\b/gu;

/** More than really counts is no harm: code is not told from words here. `side` is where the text was written. */
export function referredIn(text: string, side: Side): Referred {
  const bugs = side === 'tracker' ? [...text.matchAll(bugWord)].map(([, word, page]) => Number(word ?? page)) : [];
  const attachments = side === 'tracker' ? [...text.matchAll(attachmentWord)].map(([, word, page]) => Number(word ?? page)) : [];
  const issues = [...text.matchAll(issueWord)].flatMap(([, named, word, repo, page]) => {
    if (page !== undefined) return [{ repo: repo ?? null, number: Number(page) }];
    return side === 'github' ? [{ repo: named ?? null, number: Number(word) }] : [];
  });
  return { bugs: new Set(bugs), attachments: new Set(attachments), issues };
}

/** A link as something to refer to. Whether it may be pointed at, and by which comments and files, `gate` decides. */
export function targetOf(link: Link, commentLinks: readonly CommentLink[], attachmentLinks: readonly AttachmentLink[]): Target {
  const { bug, issue, repo } = link;
  const [bugUrl, issueUrl] = [link.tracker?.url ?? null, link.github?.url ?? null];
  const comments = commentLinks.flatMap((commentLink) => commentOf(commentLink, bugUrl, issueUrl) ?? []);
  const open = attachmentLinks.filter(({ origin, state }) => origin === 'tracker' && state !== 'withdrawn');
  const files = open.map(({ source, url, copy }) => ({ id: Number(source), url, copyUrl: copy?.url ?? null }));
  return { bug, bugUrl, repo, issue, issueUrl, comments, files };
}

function commentOf(commentLink: CommentLink, bugUrl: string | null, issueUrl: string | null): TargetComment | null {
  if (commentLink.count === null || commentLink.part > 1 || bugUrl === null) return null;
  const onGithub = commentLink.origin === 'github' ? commentLink.source : (commentLink.copy?.id ?? null);
  const page = onGithub === null || issueUrl === null ? null : onGithub === bodyId ? issueUrl : `${issueUrl}#issuecomment-${onGithub}`;
  return { count: commentLink.count, bugUrl: `${bugUrl}#c${commentLink.count}`, issueUrl: page };
}

/**
 * What the words of a text of the tracker mean: an issue, comment or file on GitHub, else the page of the tracker.
 * @param mention is told what may look different one day: a bug or comment without a counterpart, and any attachment
 */
export function referencesOf(own: BugId | null, targets: readonly PublicTarget[], mention: (what: string) => void = () => {}): References {
  const bug = (id: number): string | null => {
    const target = targets.find((each) => each.bug === id);
    if (target === undefined || target.issueUrl === null) mention(bugMention(id));
    return target?.issueUrl ?? target?.bugUrl ?? null;
  };
  const comment = (of: number | null, count: number): string | null => {
    const found = targets.find((each) => each.bug === (of ?? own))?.comments.find((each) => each.count === count);
    if (found === undefined || found.issueUrl === null) mention(commentMention(of ?? own ?? 0, count));
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
    if (targets.some(({ issueUrl }) => issueUrl !== null && isSamePage(issueUrl, url.replace(/#issuecomment-\d+$/u, '')))) return url;
    const file = /^https?:.+\/attachment\.cgi\?id=(\d{1,9})$/u.exec(url)?.[1];
    if (file !== undefined) return fileWith(Number(file))?.copyUrl ?? null;
    const [, tracker, id, count] = /^(https?:.+\?id=)(\d+)(?:#c(\d+))?$/u.exec(url) ?? [];
    const target = targets.find((each) => each.bugUrl !== null && isSamePage(each.bugUrl, `${tracker}${id}`));
    if (id === undefined) return null;
    if (target === undefined || target.issueUrl === null) {
      mention(count === undefined || count === '0' ? bugMention(Number(id)) : commentMention(Number(id), Number(count)));
      return null;
    }
    return count === undefined || count === '0' ? target.issueUrl : comment(target.bug, Number(count));
  };
  return { bug, comment, attachment, page };
}

export const bugMention = (bug: number): string => `bug ${bug}`;
export const commentMention = (bug: number, count: number): string => `bug ${bug} comment ${count}`;
export const attachmentMention = (id: number): string => `attachment ${id}`;

/** What a text of GitHub refers to, in the words of the tracker. */
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

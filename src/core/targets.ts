import type { BugId, IssueNumber } from '../model/ids.ts';
import { bodyId, type Entry, type Link } from '../model/link.ts';
import type { Side } from '../model/side.ts';
import type { IssueReferences, References } from './text/references.ts';

/** Something that texts refer to and that everybody may see: a bug, its issue, and those of its comments that are known. */
export interface Target {
  readonly bug: BugId | null;
  readonly bugUrl: string | null;
  readonly repo: string;
  readonly issue: IssueNumber | null;
  readonly issueUrl: string | null;
  readonly comments: readonly TargetComment[];
}

export interface TargetComment {
  /** Its number within the bug. */
  readonly count: number;
  readonly bugUrl: string;
  readonly issueUrl: string | null;
}

/** What a text may refer to, before anybody has looked whether it exists. */
export interface Referred {
  /** Bugs by their ids. */
  readonly bugs: ReadonlySet<number>;
  /** Issues; the repository is null for the one that the text stands in. */
  readonly issues: readonly { readonly repo: string | null; readonly number: number }[];
}

const bugWord = /\bbug\s#?(\d{1,9})\b|\/show_bug\.cgi\?id=(\d{1,9})\b/giu;
const issueWord = /(?:(?<![\w.-])([\w.-]+\/[\w.-]+))?#(\d{1,9})\b|\/([\w.-]+\/[\w.-]+)\/issues\/(\d{1,9})\b/gu;

/** More than really counts is no harm: code is not told from words here. `side` is where the text was written. */
export function referredIn(text: string, side: Side): Referred {
  const bugs = side === 'tracker' ? [...text.matchAll(bugWord)].map(([, word, page]) => Number(word ?? page)) : [];
  const issues = [...text.matchAll(issueWord)].flatMap(([, named, word, repo, page]) => {
    if (page !== undefined) return [{ repo: repo ?? null, number: Number(page) }];
    return side === 'github' ? [{ repo: named ?? null, number: Number(word) }] : [];
  });
  return { bugs: new Set(bugs), issues };
}

/** A link as something to refer to; null when it is frozen, buried or hidden, and must not be pointed at. */
export function targetOf(link: Link, entries: readonly Entry[]): Target | null {
  if (link.state !== 'live' || link.tracker?.isPrivate === true) return null;
  const { bug, issue, repo } = link;
  const [bugUrl, issueUrl] = [link.tracker?.url ?? null, link.github?.url ?? null];
  return { bug, bugUrl, repo, issue, issueUrl, comments: entries.flatMap((entry) => commentOf(entry, bugUrl, issueUrl) ?? []) };
}

function commentOf(entry: Entry, bugUrl: string | null, issueUrl: string | null): TargetComment | null {
  if (entry.count === null || entry.part > 1 || bugUrl === null) return null;
  const onGithub = entry.origin === 'github' ? entry.source : entry.copy;
  const page = onGithub === null || issueUrl === null ? null : onGithub === bodyId ? issueUrl : `${issueUrl}#issuecomment-${onGithub}`;
  return { count: entry.count, bugUrl: `${bugUrl}#c${entry.count}`, issueUrl: page };
}

/** What the words of a text of the tracker mean: an issue or comment on GitHub, else the page of the tracker. */
export function referencesOf(own: BugId | null, targets: readonly Target[]): References {
  const bug = (id: number): string | null => {
    const target = targets.find((each) => each.bug === id);
    return target?.issueUrl ?? target?.bugUrl ?? null;
  };
  const comment = (of: number | null, count: number): string | null => {
    const found = targets.find((each) => each.bug === (of ?? own))?.comments.find((each) => each.count === count);
    return found?.issueUrl ?? found?.bugUrl ?? null;
  };
  const page = (url: string): string | null => {
    if (targets.some(({ issueUrl }) => issueUrl !== null && isSamePage(issueUrl, url.replace(/#issuecomment-\d+$/u, '')))) return url;
    const [, tracker, id, count] = /^(https?:.+\?id=)(\d+)(?:#c(\d+))?$/u.exec(url) ?? [];
    const target = targets.find((each) => each.bugUrl !== null && isSamePage(each.bugUrl, `${tracker}${id}`));
    if (target === undefined || target.issueUrl === null) return null;
    return count === undefined || count === '0' ? target.issueUrl : comment(target.bug, Number(count));
  };
  return { bug, comment, attachment: () => null, page };
}

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

import type { CommentRecord, IssueRecord } from './records.ts';
import type { GithubState } from './state.ts';

/**
 * What lists show while single changes reach them late: each change has its own delay, so a list may show a change before an earlier
 * one. Reads of single items never lag.
 */
export interface Versions {
  /** The delay of the next change. */
  readonly lagMs: () => number;
  /** By id, in the order of the changes. */
  readonly issues: Map<number, Version<IssueRecord>[]>;
  readonly comments: Map<number, Version<CommentRecord>[]>;
}

interface Version<T> {
  readonly item: T;
  /** Tells whether the item has changed since. */
  readonly mark: string;
  readonly shownAt: number;
}

/** Everything of now is shown at once; later changes have a delay. */
export function versionsFrom(state: GithubState, lagMs: () => number): Versions {
  const versions: Versions = { lagMs, issues: new Map(), comments: new Map() };
  keepVersions({ ...state, versions: { ...versions, lagMs: () => 0 } });
  return versions;
}

/** To be called after whatever may have changed something. */
export function keepVersions(state: GithubState): void {
  const { versions, repos, now } = state;
  if (versions === null) return;
  for (const repo of repos.values()) {
    for (const issue of repo.issues.values()) {
      keep(versions.issues, { ...issue, comments: [...issue.comments] }, markOf(issue), now, versions.lagMs);
      let earlierAt = 0;
      for (const comment of issue.comments) {
        const mark = JSON.stringify([comment.body, comment.minimized, comment.updatedAt]);
        // A replica that knows a comment knows the earlier ones of its issue.
        const lagMs = (): number => Math.max(versions.lagMs(), earlierAt - now());
        keep(versions.comments, { ...comment }, mark, now, lagMs);
        earlierAt = versions.comments.get(comment.id)?.[0]?.shownAt ?? 0;
      }
    }
  }
}

function keep<T extends { readonly id: number }>(
  known: Map<number, Version<T>[]>,
  item: T,
  mark: string,
  now: () => number,
  lagMs: () => number,
): void {
  const earlier = known.get(item.id) ?? [];
  if (earlier.at(-1)?.mark === mark) return;
  // A list never goes back to an earlier version.
  const shownAt = Math.max(now() + lagMs(), earlier.at(-1)?.shownAt ?? 0);
  known.set(item.id, [...earlier, { item, mark, shownAt }]);
}

function markOf(issue: IssueRecord): string {
  const { title, body, state, stateReason, duplicateOfId, labels, assignees, milestone, type, fieldValues, blockedBy, comments } = issue;
  const { updatedAt, isLocked, fate } = issue;
  const ids = [labels, assignees, blockedBy, comments].map((list) => list.map(({ id }) => id));
  const values = [...fieldValues].map(([id, value]) => [id, value]);
  return JSON.stringify([title, body, state, stateReason, duplicateOfId, ids, milestone?.id, type, values, updatedAt, isLocked, fate.kind]);
}

/** The issue as lists show it now; null if they do not show it yet. What is gone is gone at once. */
export const listedIssue = ({ versions, now }: GithubState, issue: IssueRecord): IssueRecord | null =>
  versions === null ? issue : shown(versions.issues.get(issue.id), now());

export const listedComment = ({ versions, now }: GithubState, comment: CommentRecord): CommentRecord | null =>
  versions === null ? comment : shown(versions.comments.get(comment.id), now());

const shown = <T>(versions: readonly Version<T>[] | undefined, now: number): T | null =>
  versions?.findLast(({ shownAt }) => shownAt <= now)?.item ?? null;

import type { CommentRecord, IssueRecord } from './records.ts';
import type { GithubState } from './state.ts';

/**
 * What replicas show. Single changes reach lists late: each change has its own delay, so a list may show a change
 * before an earlier one. And each read may come from a replica that is behind as a whole, so a row may go back to an
 * earlier version.
 */
export interface Versions {
  /** The delay of the next change in lists. */
  readonly lagMs: () => number;
  readonly behind: Behind;
  /** By id, in the order of the changes. */
  readonly issues: Map<number, Version<IssueRecord>[]>;
  readonly comments: Map<number, Version<CommentRecord>[]>;
}

/** How far the replica is behind that answers a read; called for each read. */
export interface Behind {
  readonly listMs: () => number;
  /** Of reads of single issues and comments. */
  readonly itemMs: () => number;
}

export const upToDate: Behind = { listMs: () => 0, itemMs: () => 0 };

interface Version<T> {
  readonly item: T;
  /** Tells whether the item has changed since. */
  readonly mark: string;
  readonly madeAt: number;
  /** When lists show it. */
  readonly shownAt: number;
}

/** Everything of now is shown at once; later changes have a delay. */
export function versionsFrom(state: GithubState, lagMs: () => number, behind: Behind): Versions {
  const versions: Versions = { lagMs, behind, issues: new Map(), comments: new Map() };
  keepVersions({ ...state, now: () => 0, versions: { ...versions, lagMs: () => 0 } });
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
  known.set(item.id, [...earlier, { item, mark, madeAt: now(), shownAt }]);
}

function markOf(issue: IssueRecord): string {
  const {
    title,
    body,
    state,
    stateReason,
    duplicateOfId,
    labels,
    assignees,
    milestone,
    type,
    fieldValues,
    blockedBy,
    comments,
  } = issue;
  const { updatedAt, isLocked, fate } = issue;
  const ids = [assignees, blockedBy, comments].map((list) => list.map(({ id }) => id));
  const names = [labels.map(({ name }) => name), milestone?.title];
  const values = [...fieldValues].map(([id, value]) => [id, value]);
  return JSON.stringify([
    title,
    body,
    state,
    stateReason,
    duplicateOfId,
    ids,
    names,
    type,
    values,
    updatedAt,
    isLocked,
    fate.kind,
  ]);
}

type AnswerKind = 'list' | 'item';

/**
 * The row as a read shows it that begins now: the same for all rows of one list. Null for a row that is not there yet.
 * What is gone is gone at once.
 */
function reader(
  state: GithubState,
  place: AnswerKind,
): <T extends { readonly id: number }>(known: VersionTable<T>, row: T) => T | null {
  const { versions } = state;
  if (versions === null) return (_known, row) => row;
  const asOf = state.now() - (place === 'list' ? versions.behind.listMs() : versions.behind.itemMs());
  return (known, row) =>
    known(versions)
      .get(row.id)
      ?.findLast((version) => timeIn(version, place) <= asOf)?.item ?? null;
}

type VersionTable<T> = (versions: Versions) => ReadonlyMap<number, readonly Version<T>[]>;

const timeIn = ({ madeAt, shownAt }: Version<unknown>, place: AnswerKind): number =>
  place === 'list' ? shownAt : madeAt;

const issuesOf: VersionTable<IssueRecord> = ({ issues }) => issues;
const commentsOf: VersionTable<CommentRecord> = ({ comments }) => comments;

/** Issues as one list shows them. */
export function issueReader(state: GithubState, place: AnswerKind): (issue: IssueRecord) => IssueRecord | null {
  const read = reader(state, place);
  return (issue) => read(issuesOf, issue);
}

export function commentReader(state: GithubState, place: AnswerKind): (comment: CommentRecord) => CommentRecord | null {
  const read = reader(state, place);
  return (comment) => read(commentsOf, comment);
}

import type { IssueRecord, Repo, User } from '../records.ts';

/** What closed an issue, unless a person pressed the button. */
export type Closer =
  | { readonly kind: 'pull'; readonly repo: Repo; readonly pull: IssueRecord }
  | { readonly kind: 'commit'; readonly repo: Repo; readonly sha: string; readonly author: User };

/** How a pull request was merged. */
export interface Merge {
  /** The commit on the branch. */
  readonly sha: string;
  readonly at: number;
}

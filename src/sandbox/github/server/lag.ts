import { issueNodeId } from '../shapes/shapes.ts';
import type { IssueRecord } from '../world/records.ts';
import type { GithubState } from '../world/state.ts';
import { unheard } from './errors.ts';

/** Replicates a new issue; each issue takes its own time. */
export function spread(state: GithubState, issue: IssueRecord): void {
  const lags = state.limits.replicaLagsMs;
  const lagMs = lags[state.heardAt.size % lags.length] ?? 0;
  state.heardAt.set(issue.id, state.now() + lagMs);
}

export const isHeardOf = (state: GithubState, issue: IssueRecord): boolean =>
  (state.heardAt.get(issue.id) ?? 0) <= state.now();

/** Throws 422 for a write that meets a replica without the issue. */
export function checkHeardOf(state: GithubState, issue: IssueRecord | undefined): void {
  if (issue !== undefined && !isHeardOf(state, issue)) throw unheard(issueNodeId(issue));
}

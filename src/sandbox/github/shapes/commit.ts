import type { components } from '@octokit/openapi-types';
import { commitOf, type Git } from '../world/git/git.ts';
import { fullName, type Repo } from '../world/records.ts';
import type { GithubState } from '../world/state.ts';
import { isoStamp, nodeId, userShape } from './shapes.ts';

type Schemas = components['schemas'];

/**
 * One commit of a list or of a comparison. The account of its author is that which has the address; null if none has.
 */
export function commitShape(state: GithubState, repo: Repo, sha: string): Schemas['commit'] {
  const { message, author, parents, tree, at } = commitOf(repo.git, sha);
  const api = `${state.url}/repos/${fullName(repo)}`;
  const page = `${state.webUrl ?? state.url}/${fullName(repo)}/commit`;
  const signature = { ...author, date: isoStamp(at) };
  const account = [...state.users.values()].find(({ login }) => author.email.startsWith(`${login}@`));
  const user = account === undefined ? null : userShape(state, account);
  return {
    sha,
    node_id: nodeId('C', Number.parseInt(sha.slice(0, 12), 16)),
    commit: {
      author: signature,
      committer: signature,
      message,
      tree: { sha: tree, url: `${api}/git/trees/${tree}` },
      url: `${api}/git/commits/${sha}`,
      comment_count: 0,
      verification: { verified: false, reason: 'unsigned', signature: null, payload: null, verified_at: null },
    },
    url: `${api}/commits/${sha}`,
    html_url: `${page}/${sha}`,
    comments_url: `${api}/commits/${sha}/comments`,
    author: user,
    committer: user,
    parents: parents.map((each) => ({ sha: each, url: `${api}/commits/${each}`, html_url: `${page}/${each}` })),
  };
}

/** What two commits have that the other has not. */
export interface Compared {
  readonly base: string;
  readonly head: string;
  readonly mergeBase: string;
  /** The oldest first. */
  readonly ahead: readonly string[];
  readonly behind: readonly string[];
}

/** `commits` are those of a page; changed files are shown nowhere, as if none had changed. */
export function comparisonShape(
  state: GithubState,
  repo: Repo,
  { base, head, mergeBase, ahead, behind }: Compared,
  commits: readonly string[],
): Schemas['commit-comparison'] {
  const page = `${state.webUrl ?? state.url}/${fullName(repo)}/compare/${base}...${head}`;
  return {
    url: `${state.url}/repos/${fullName(repo)}/compare/${base}...${head}`,
    html_url: page,
    permalink_url: page,
    diff_url: `${page}.diff`,
    patch_url: `${page}.patch`,
    base_commit: commitShape(state, repo, base),
    merge_base_commit: commitShape(state, repo, mergeBase),
    status: statusOf(ahead.length, behind.length),
    ahead_by: ahead.length,
    behind_by: behind.length,
    total_commits: ahead.length,
    commits: commits.map((sha) => commitShape(state, repo, sha)),
    files: [],
  };
}

function statusOf(ahead: number, behind: number): Schemas['commit-comparison']['status'] {
  if (behind > 0) return ahead > 0 ? 'diverged' : 'behind';
  return ahead > 0 ? 'ahead' : 'identical';
}

/** The newest commit that both have in their history; null if they have nothing in common. */
export function compared(
  git: Git,
  base: string,
  head: string,
  inOrder: (from: string) => readonly string[],
): Compared | null {
  const [ofBase, ofHead] = [inOrder(base), inOrder(head)];
  const mergeBase = ofHead.find((sha) => ofBase.includes(sha) && git.commits.has(sha));
  if (mergeBase === undefined) return null;
  const without = (all: readonly string[], others: readonly string[]) =>
    all.filter((sha) => !others.includes(sha)).reverse();
  return { base, head, mergeBase, ahead: without(ofHead, ofBase), behind: without(ofBase, ofHead) };
}

import { forbidden } from '../../server/errors.ts';
import { editIssue } from '../issues.ts';
import { fullName, type IssueRecord, mayPush, type Repo, type User } from '../records.ts';
import { type GithubState, stamp } from '../state.ts';
import type { Closer } from './closer.ts';
import { addCommit, addTree, commitOf, historyOf, type Signature } from './git.ts';

/** Merges a pull request, on the website. Issues that its text says it fixes are closed by it. */
export function mergePull(
  state: GithubState,
  user: User,
  { repo, issue: pull }: { repo: Repo; issue: IssueRecord },
): void {
  if (!mayPush(user, repo)) throw forbidden();
  const sha = commitOn(state, repo, user, {
    message: `Merge pull request #${pull.number} from ${pull.author.login}/fix\n\n${pull.title}`,
  });
  editIssue(state, user, { repo, issue: pull }, { state: 'closed' });
  Object.assign(pull, { merge: { sha, at: stamp(state) }, stateReason: null });
  closeNamed(state, user, repo, pull.body ?? '', { kind: 'pull', repo, pull });
}

/** Where a commit goes, and whose it is. */
export interface CommitPlace {
  /** The default one if absent. */
  readonly branch?: string;
  /** Its parents, by digest; by default the last commit of the branch. Others move the branch by force, or merge. */
  readonly parents?: readonly string[];
  /** Who signed it; by default the person who pushes it. */
  readonly author?: Signature;
}

interface CommitDraft extends CommitPlace {
  readonly message: string;
}

/**
 * Pushes a commit; returns its digest. On the default branch, issues that its message says it fixes are closed by it.
 */
export function pushCommit(state: GithubState, user: User, repo: Repo, draft: CommitDraft): string {
  if (!mayPush(user, repo)) throw forbidden();
  const sha = commitOn(state, repo, user, draft);
  if ((draft.branch ?? repo.defaultBranch) === repo.defaultBranch)
    closeNamed(state, user, repo, draft.message, { kind: 'commit', repo, sha, author: user });
  return sha;
}

/** The default branch was moved: its new commits close what they say they fix. */
export function closeByCommits(state: GithubState, user: User, repo: Repo, from: string | undefined): void {
  const head = repo.git.branches.get(repo.defaultBranch);
  if (head === undefined) return;
  const known = from === undefined ? [] : historyOf(repo.git, from);
  for (const sha of historyOf(repo.git, head).filter((each) => !known.includes(each)))
    closeNamed(state, user, repo, commitOf(repo.git, sha).message, { kind: 'commit', repo, sha, author: user });
}

function commitOn(
  state: GithubState,
  repo: Repo,
  user: User,
  { message, branch = repo.defaultBranch, parents, author }: CommitDraft,
): string {
  const { git } = repo;
  const tip = git.branches.get(branch) ?? git.branches.get(repo.defaultBranch);
  const after = parents ?? (tip === undefined ? [] : [tip]);
  const [first] = after;
  const tree = first === undefined ? addTree(git, null, []) : commitOf(git, first).tree;
  const signed = author ?? { name: user.name, email: `${user.login}@users.noreply.github.invalid` };
  const sha = addCommit(git, { tree, parents: after, message, author: signed, at: stamp(state) });
  git.branches.set(branch, sha);
  return sha;
}

/** `Fixes #5`, `closes: acme/widget#5`. */
const closingWords = /\b(?:close[sd]?|fix(?:e[sd])?|resolve[sd]?):? +([\w.-]+\/[\w.-]+)?#(\d+)/giu;

/** Closes only where the user may push, as on GitHub. */
function closeNamed(state: GithubState, user: User, home: Repo, text: string, closer: Closer): void {
  for (const [, name = fullName(home), number] of text.matchAll(closingWords)) {
    const repo = state.repos.get(name.toLowerCase());
    const issue = repo?.issues.get(Number(number));
    if (
      repo === undefined ||
      issue === undefined ||
      issue.isPull ||
      issue.fate.kind !== 'there' ||
      !mayPush(user, repo)
    )
      continue;
    editIssue(state, user, { repo, issue }, { state: 'closed', closer });
  }
}

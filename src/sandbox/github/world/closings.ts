import { forbidden } from '../server/errors.ts';
import type { Closer } from './closer.ts';
import { addCommit, addTree, commitOf } from './git.ts';
import { editIssue } from './issues.ts';
import { fullName, type IssueRecord, mayPush, type Repo, type User } from './records.ts';
import { type GithubState, stamp } from './state.ts';

const branch = 'main';

/** Merges a pull request, on the website. Issues that its text says it fixes are closed by it. */
export function mergePull(state: GithubState, user: User, { repo, issue: pull }: { repo: Repo; issue: IssueRecord }): void {
  if (!mayPush(user, repo)) throw forbidden();
  const sha = commitOn(repo, user, `Merge pull request #${pull.number}\n\n${pull.title}`);
  editIssue(state, user, { repo, issue: pull }, { state: 'closed' });
  Object.assign(pull, { merge: { sha, at: stamp(state) }, stateReason: null });
  closeNamed(state, user, repo, pull.body ?? '', { kind: 'pull', repo, pull });
}

/** Pushes a commit to the default branch; returns its digest. Issues that its message says it fixes are closed by it. */
export function pushCommit(state: GithubState, user: User, repo: Repo, message: string): string {
  if (!mayPush(user, repo)) throw forbidden();
  const sha = commitOn(repo, user, message);
  closeNamed(state, user, repo, message, { kind: 'commit', repo, sha, author: user });
  return sha;
}

function commitOn({ git }: Repo, user: User, message: string): string {
  const tip = git.branches.get(branch);
  const tree = tip === undefined ? addTree(git, null, []) : commitOf(git, tip).tree;
  const author = { name: user.name, email: `${user.login}@users.noreply.github.invalid` };
  const sha = addCommit(git, { tree, parents: tip === undefined ? [] : [tip], message, author });
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
    if (repo === undefined || issue === undefined || issue.isPull || issue.fate.kind !== 'there' || !mayPush(user, repo)) continue;
    editIssue(state, user, { repo, issue }, { state: 'closed', closer });
  }
}

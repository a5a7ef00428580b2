import { createHash } from 'node:crypto';
import { Refusal } from '../../server/errors.ts';

/** The contents of a repository as git keeps them: by git's digests. */
export interface Git {
  readonly blobs: Map<string, Uint8Array>;
  readonly trees: Map<string, readonly GitEntry[]>;
  readonly commits: Map<string, GitCommit>;
  /** Commits, by the name of a branch. */
  readonly branches: Map<string, string>;
  /** Names of tags. */
  readonly tags: Set<string>;
  /** Branches that refuse a forced update. */
  readonly protectedBranches: Set<string>;
}

export interface GitEntry {
  /** Within its folder. */
  readonly path: string;
  readonly mode: '100644' | '040000';
  readonly type: 'blob' | 'tree';
  readonly sha: string;
}

export interface GitCommit {
  readonly tree: string;
  readonly parents: readonly string[];
  readonly message: string;
  readonly author: Signature;
  /** When it was made; no part of its digest. */
  readonly at: number;
}

export interface Signature {
  readonly name: string;
  readonly email: string;
}

/** A file to add to a tree, or to remove with null; `path` may contain folders. */
export interface GitChange {
  readonly path: string;
  readonly sha: string | null;
}

export const emptyGit = (): Git => ({
  blobs: new Map(),
  trees: new Map(),
  commits: new Map(),
  branches: new Map(),
  tags: new Set(),
  protectedBranches: new Set(),
});

const octocat: Signature = { name: 'The Octocat', email: 'octocat@github.invalid' };

/** A repository that was created with a first file. */
export function startedGit(at: number): Git {
  const git = emptyGit();
  const tree = addTree(git, null, [{ path: 'README.md', sha: addBlob(git, new TextEncoder().encode('# Sandbox\n')) }]);
  git.branches.set('main', addCommit(git, { tree, parents: [], message: 'Begin', author: octocat, at }));
  return git;
}

export function addBlob(git: Git, bytes: Uint8Array): string {
  const sha = named('blob', bytes);
  git.blobs.set(sha, bytes);
  return sha;
}

/** `base` with the changes applied. Empty folders disappear, as in git. */
export function addTree(git: Git, base: string | null, changes: readonly GitChange[]): string {
  const entries = new Map((base === null ? [] : treeOf(git, base)).map((entry) => [entry.path, entry]));
  const inFolders = Map.groupBy(changes, ({ path }) => path.split('/', 1)[0] ?? '');
  for (const [name, list] of inFolders) {
    if (name === '' || name === '.' || name === '..' || name.toLowerCase() === '.git')
      throw unprocessable('tree.path contains a malformed path component');
    const inside = list
      .filter(({ path }) => path.includes('/'))
      .map(({ path, sha }) => ({ path: path.slice(name.length + 1), sha }));
    const here = list.find(({ path }) => path === name);
    const old = entries.get(name);
    if (here?.sha === null) entries.delete(name);
    else if (here !== undefined)
      entries.set(name, { path: name, mode: '100644', type: 'blob', sha: blobNamed(git, here.sha) });
    else {
      const sha = addTree(git, old?.type === 'tree' ? old.sha : null, inside);
      if (treeOf(git, sha).length === 0) entries.delete(name);
      else entries.set(name, { path: name, mode: '040000', type: 'tree', sha });
    }
  }
  return keepTree(git, [...entries.values()]);
}

export function addCommit(git: Git, commit: GitCommit): string {
  treeOf(git, commit.tree);
  const { tree, parents, message, author } = commit;
  const signed = `author ${author.name} <${author.email}>`;
  const text = [`tree ${tree}`, ...parents.map((parent) => `parent ${parent}`), signed, '', message].join('\n');
  const sha = named('commit', new TextEncoder().encode(text));
  git.commits.set(sha, commit);
  return sha;
}

export function addBranch(git: Git, branch: string, commit: string): void {
  if (git.branches.has(branch)) throw unprocessable('Reference already exists');
  commitOf(git, commit);
  git.branches.set(branch, commit);
}

/** @param isForced whether the branch may drop commits */
export function moveBranch(git: Git, branch: string, commit: string, isForced = false): void {
  const tip = git.branches.get(branch);
  if (tip === undefined) throw unprocessable('Reference does not exist');
  const isForward = isAncestor(git, tip, commit);
  if (!isForced && !isForward) throw unprocessable('Update is not a fast forward');
  if (!isForward && git.protectedBranches.has(branch)) throw unprocessable('Cannot force-push to this branch');
  git.branches.set(branch, commit);
}

export function dropBranch(git: Git, branch: string): void {
  if (!git.branches.has(branch)) throw unprocessable('Reference does not exist');
  if (git.protectedBranches.has(branch)) throw unprocessable('Cannot delete this branch');
  git.branches.delete(branch);
}

export function dropTag(git: Git, tag: string): void {
  if (!git.tags.delete(tag)) throw unprocessable('Reference does not exist');
}

/** All entries of a tree and its folders, with full paths. */
export const entriesBelow = (git: Git, sha: string, prefix = ''): readonly GitEntry[] =>
  treeOf(git, sha).flatMap((entry) => {
    const here = { ...entry, path: prefix + entry.path };
    return entry.type === 'tree' ? [here, ...entriesBelow(git, entry.sha, `${here.path}/`)] : [here];
  });

/** The commits from this one back to the first, each once and before its parents, newest first. */
export function historyOf(git: Git, commit: string): readonly string[] {
  const found = new Set<string>();
  const open = [commit];
  for (let sha = open.shift(); sha !== undefined; sha = open.shift()) {
    if (found.has(sha)) continue;
    found.add(sha);
    open.push(...commitOf(git, sha).parents);
  }
  // A commit is made after its parents.
  return [...git.commits.keys()].filter((sha) => found.has(sha)).reverse();
}

/** The blob at a path of a branch; null if there is none. */
export function fileAt(git: Git, branch: string, path: string): Uint8Array | null {
  const tip = git.branches.get(branch);
  let sha = tip === undefined ? null : commitOf(git, tip).tree;
  for (const name of path.split('/'))
    sha = sha === null ? null : (git.trees.get(sha)?.find((entry) => entry.path === name)?.sha ?? null);
  return sha === null ? null : (git.blobs.get(sha) ?? null);
}

/** All files of a branch, by path. */
export function filesOn(git: Git, branch: string): ReadonlyMap<string, Uint8Array> {
  const files = new Map<string, Uint8Array>();
  const walk = (tree: string, prefix: string): void => {
    for (const { path, type, sha } of treeOf(git, tree)) {
      if (type === 'tree') walk(sha, `${prefix}${path}/`);
      else files.set(prefix + path, git.blobs.get(sha) ?? new Uint8Array());
    }
  };
  const tip = git.branches.get(branch);
  if (tip !== undefined) walk(commitOf(git, tip).tree, '');
  return files;
}

export function treeOf(git: Git, sha: string): readonly GitEntry[] {
  const entries = git.trees.get(sha);
  if (entries === undefined) throw unprocessable('tree.sha is not a valid tree');
  return entries;
}

export function commitOf(git: Git, sha: string): GitCommit {
  const commit = git.commits.get(sha);
  if (commit === undefined) throw unprocessable('Object does not exist');
  return commit;
}

/** GitHub refuses git data before a repository has its first commit. */
export function needsCommits(git: Git): void {
  if (git.branches.size === 0) throw new Refusal(409, { message: 'Git Repository is empty.', status: '409' });
}

/** In the form of git's own refusals, which name no field. */
export const unprocessable = (message: string): Refusal =>
  new Refusal(422, { message, documentation_url: 'https://docs.github.com/rest/git', status: '422' });

function blobNamed(git: Git, sha: string): string {
  if (!git.blobs.has(sha)) throw unprocessable('tree.sha is not a valid blob');
  return sha;
}

function keepTree(git: Git, entries: readonly GitEntry[]): string {
  // Git compares folders as if their names ended with a slash, byte by byte.
  const key = ({ path, type }: GitEntry) => Buffer.from(type === 'tree' ? `${path}/` : path);
  const inOrder = [...entries].sort((one, other) => Buffer.compare(key(one), key(other)));
  const parts = inOrder.flatMap(({ mode, path, sha }) => [
    Buffer.from(`${mode.replace(/^0/u, '')} ${path}\0`),
    Buffer.from(sha, 'hex'),
  ]);
  const sha = named('tree', Buffer.concat(parts));
  git.trees.set(sha, inOrder);
  return sha;
}

const isAncestor = (git: Git, ancestor: string, commit: string): boolean => historyOf(git, commit).includes(ancestor);

const named = (type: string, bytes: Uint8Array): string =>
  createHash('sha1').update(`${type} ${bytes.length}\0`).update(bytes).digest('hex');

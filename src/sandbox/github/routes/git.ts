/** Git data over HTTP. Source: GitHub's REST API, "Git database". */

import type { components } from '@octokit/openapi-types';
import { type Ask, created, ok, type Route, repoOf, valueIn } from '../server/ask.ts';
import { forbidden, invalid, notFound } from '../server/errors.ts';
import { isoStamp } from '../shapes/shapes.ts';
import { closeByCommits } from '../world/git/closings.ts';
import {
  addBlob,
  addBranch,
  addCommit,
  addTree,
  commitOf,
  dropBranch,
  dropTag,
  entriesBelow,
  type Git,
  type GitChange,
  moveBranch,
  needsCommits,
  type Signature,
  treeOf,
  unprocessable,
} from '../world/git/git.ts';
import { fullName, mayPush } from '../world/records.ts';
import { stamp } from '../world/state.ts';

type Schemas = components['schemas'];

export const gitRoutes: readonly Route[] = [
  {
    method: 'POST',
    path: '/git/blobs',
    answer(ask) {
      const [content, encoding] = [textOf(ask, 'content'), valueIn(ask.body, 'encoding')];
      const bytes = new Uint8Array(Buffer.from(content, encoding === 'base64' ? 'base64' : 'utf8'));
      const sha = addBlob(writable(ask), bytes);
      return created({ sha, url: `${placeOf(ask)}/blobs/${sha}` });
    },
  },
  {
    method: 'GET',
    path: '/git/blobs/:sha',
    answer(ask) {
      const sha = ask.params['sha'] ?? '';
      const bytes = readable(ask).blobs.get(sha);
      if (bytes === undefined) throw notFound();
      return ok({
        sha,
        node_id: nodeOf('B', sha),
        url: `${placeOf(ask)}/blobs/${sha}`,
        size: bytes.length,
        encoding: 'base64',
        content: Buffer.from(bytes).toString('base64'),
      });
    },
  },
  {
    method: 'POST',
    path: '/git/trees',
    answer(ask) {
      const git = writable(ask);
      const base = valueIn(ask.body, 'base_tree');
      const sha = addTree(git, typeof base === 'string' ? base : null, changesIn(ask));
      // Whether GitHub accepts this is unknown; a client that avoids it is safe.
      if (treeOf(git, sha).length === 0) throw unprocessable('Invalid tree info');
      return created(treeShape(git, sha));
    },
  },
  {
    method: 'GET',
    path: '/git/trees/:sha',
    answer(ask) {
      const git = readable(ask);
      const sha = ask.params['sha'] ?? '';
      if (!git.trees.has(sha)) throw notFound();
      return ok(ask.query.has('recursive') ? wholeShape(git, sha) : treeShape(git, sha));
    },
  },
  {
    method: 'POST',
    path: '/git/commits',
    answer(ask) {
      const parents = valueIn(ask.body, 'parents');
      const commit = {
        message: textOf(ask, 'message'),
        tree: textOf(ask, 'tree'),
        parents: Array.isArray(parents) ? parents.map(String) : [],
        author: authorIn(ask),
        at: stamp(ask.state),
      };
      return created(gitCommitShape(ask, addCommit(writable(ask), commit), commit));
    },
  },
  {
    method: 'GET',
    path: '/git/commits/:sha',
    answer(ask) {
      const sha = ask.params['sha'] ?? '';
      const git = readable(ask);
      if (!git.commits.has(sha)) throw notFound();
      return ok(gitCommitShape(ask, sha, commitOf(git, sha)));
    },
  },
  {
    method: 'GET',
    path: '/git/ref/heads/:branch{.+}',
    answer(ask) {
      const branch = ask.params['branch'] ?? '';
      return ok(refShape(ask, branch, readable(ask).branches.get(branch)));
    },
  },
  {
    method: 'POST',
    path: '/git/refs',
    answer(ask) {
      const branch = textOf(ask, 'ref').replace(/^refs\/heads\//u, '');
      const sha = textOf(ask, 'sha');
      addBranch(writable(ask), branch, sha);
      return created(refShape(ask, branch, sha));
    },
  },
  {
    method: 'PATCH',
    path: '/git/refs/heads/:branch{.+}',
    answer(ask) {
      const branch = ask.params['branch'] ?? '';
      const sha = textOf(ask, 'sha');
      const repo = repoOf(ask);
      const from = repo.git.branches.get(branch);
      moveBranch(writable(ask), branch, sha, valueIn(ask.body, 'force') === true);
      if (branch === repo.defaultBranch) closeByCommits(ask.state, ask.caller, repo, from);
      return ok(refShape(ask, branch, sha));
    },
  },
  {
    method: 'DELETE',
    path: '/git/refs/heads/:branch{.+}',
    answer(ask) {
      dropBranch(writable(ask), ask.params['branch'] ?? '');
      return { status: 204, body: null };
    },
  },
  {
    method: 'DELETE',
    path: '/git/refs/tags/:tag',
    answer(ask) {
      dropTag(writable(ask), ask.params['tag'] ?? '');
      return { status: 204, body: null };
    },
  },
];

function readable(ask: Ask): Git {
  const { git } = repoOf(ask);
  needsCommits(git);
  return git;
}

function writable(ask: Ask): Git {
  const repo = repoOf(ask);
  if (!mayPush(ask.caller, repo)) throw forbidden();
  needsCommits(repo.git);
  return repo.git;
}

function textOf(ask: Ask, key: string): string {
  const value = valueIn(ask.body, key);
  if (typeof value !== 'string') throw invalid({ resource: 'GitObject', code: 'missing_field', field: key });
  return value;
}

/** GitHub signs with the account's name and address if the request has no author. */
function authorIn({ body, caller: { name, login } }: Ask): Signature {
  const said = valueIn(body, 'author');
  const [ours, theirs] = [valueIn(said, 'name'), valueIn(said, 'email')];
  if (typeof ours === 'string' && typeof theirs === 'string') return { name: ours, email: theirs };
  return { name, email: `${login}@example.test` };
}

function changesIn(ask: Ask): readonly GitChange[] {
  const tree = valueIn(ask.body, 'tree');
  if (!Array.isArray(tree)) throw invalid({ resource: 'Tree', code: 'missing_field', field: 'tree' });
  return tree.map((entry: unknown) => {
    const sha = valueIn(entry, 'sha');
    return { path: String(valueIn(entry, 'path')), sha: sha === null ? null : String(sha) };
  });
}

const treeShape = (git: Git, sha: string) => ({ sha, tree: treeOf(git, sha), truncated: false });

const wholeShape = (git: Git, sha: string) => ({ sha, tree: entriesBelow(git, sha), truncated: false });

/** The address of the repository's git data. */
const placeOf = (ask: Ask): string => `${ask.state.url}/repos/${fullName(repoOf(ask))}/git`;

const nodeOf = (kind: string, name: string): string => `${kind}_${Buffer.from(name).toString('base64url')}`;

function gitCommitShape(
  ask: Ask,
  sha: string,
  { tree, parents, message, author, at }: ReturnType<typeof commitOf>,
): Schemas['git-commit'] {
  const page = `${ask.state.webUrl ?? ask.state.url}/${fullName(repoOf(ask))}/commit`;
  const addresses = (of: string) => ({ url: `${placeOf(ask)}/commits/${of}`, html_url: `${page}/${of}` });
  const signed = { ...author, date: isoStamp(at) };
  return {
    sha,
    node_id: nodeOf('C', sha),
    ...addresses(sha),
    author: signed,
    committer: signed,
    message,
    tree: { sha: tree, url: `${placeOf(ask)}/trees/${tree}` },
    parents: parents.map((parent) => ({ sha: parent, ...addresses(parent) })),
    verification: { verified: false, reason: 'unsigned', signature: null, payload: null, verified_at: null },
  };
}

function refShape(ask: Ask, branch: string, sha: string | undefined): Schemas['git-ref'] {
  if (sha === undefined) throw notFound();
  const ref = `refs/heads/${branch}`;
  const url = `${placeOf(ask)}/${ref}`;
  return {
    ref,
    node_id: nodeOf('REF', ref),
    url,
    object: { type: 'commit', sha, url: `${placeOf(ask)}/commits/${sha}` },
  };
}

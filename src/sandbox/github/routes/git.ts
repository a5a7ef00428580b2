/** Git data over HTTP. Source: GitHub's REST API, "Git database". */

import { type Ask, created, ok, type Route, repoOf, valueIn } from '../server/ask.ts';
import { forbidden, invalid, notFound, Refusal } from '../server/errors.ts';
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
} from '../world/git/git.ts';
import { mayPush } from '../world/records.ts';
import { stamp } from '../world/state.ts';

export const gitRoutes: readonly Route[] = [
  {
    method: 'POST',
    path: '/git/blobs',
    answer(ask) {
      const [content, encoding] = [textOf(ask, 'content'), valueIn(ask.body, 'encoding')];
      const bytes = new Uint8Array(Buffer.from(content, encoding === 'base64' ? 'base64' : 'utf8'));
      return created({ sha: addBlob(writable(ask), bytes), url: ask.state.url });
    },
  },
  {
    method: 'GET',
    path: '/git/blobs/:sha',
    answer(ask) {
      const bytes = readable(ask).blobs.get(ask.params['sha'] ?? '');
      if (bytes === undefined) throw notFound();
      return ok({
        sha: ask.params['sha'],
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
      if (treeOf(git, sha).length === 0) throw new Refusal(422, { message: 'Invalid tree info', status: '422' });
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
      return created(commitShape(addCommit(writable(ask), commit), commit));
    },
  },
  {
    method: 'GET',
    path: '/git/commits/:sha',
    answer(ask) {
      const sha = ask.params['sha'] ?? '';
      const git = readable(ask);
      if (!git.commits.has(sha)) throw notFound();
      return ok(commitShape(sha, commitOf(git, sha)));
    },
  },
  {
    method: 'GET',
    path: '/git/ref/heads/:branch{.+}',
    answer(ask) {
      const branch = ask.params['branch'] ?? '';
      return ok(refShape(branch, readable(ask).branches.get(branch)));
    },
  },
  {
    method: 'POST',
    path: '/git/refs',
    answer(ask) {
      const branch = textOf(ask, 'ref').replace(/^refs\/heads\//u, '');
      const sha = textOf(ask, 'sha');
      addBranch(writable(ask), branch, sha);
      return created(refShape(branch, sha));
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
      return ok(refShape(branch, sha));
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

const commitShape = (sha: string, { tree, parents, message }: ReturnType<typeof commitOf>) => ({
  sha,
  message,
  tree: { sha: tree },
  parents: parents.map((parent) => ({ sha: parent })),
});

function refShape(branch: string, sha: string | undefined) {
  if (sha === undefined) throw notFound();
  return { ref: `refs/heads/${branch}`, object: { type: 'commit', sha } };
}

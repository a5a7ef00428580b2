/** The shelf straight on the world, without HTTP; the real one has to behave like this. */

import { createHash } from 'node:crypto';
import { headBytesMax, type Parcel, type Shelf, type Shelved } from '../../model/attachment.ts';
import type { Outcome } from '../../model/outcome.ts';
import type { Clock } from '../../model/runtime.ts';
import { type FaultSource, noFaults } from '../server/faults.ts';
import type { DirectDoor } from './direct.ts';
import { forbidden } from './server/errors.ts';
import { onShelf } from './shelf-outcome.ts';
import {
  addBlob,
  addBranch,
  addCommit,
  addTree,
  commitOf,
  dropBranch,
  fileAt,
  type GitChange,
  moveBranch,
  needsCommits,
  treeOf,
} from './world/git.ts';
import { fullName, mayPush, type Repo } from './world/records.ts';
import { repoNamed, userNamed } from './world/state.ts';
import type { GithubWorld } from './world/world.ts';

export interface DirectShelfOptions {
  readonly user: string;
  /** `owner/name`. */
  readonly repo: string;
  readonly branch: string;
  readonly clock: Clock;
  readonly faults?: FaultSource;
}

interface Desk extends DirectDoor {
  readonly repo: Repo;
  readonly branch: string;
}

export function directShelf(world: GithubWorld, { user, repo, branch, clock, faults = noFaults }: DirectShelfOptions): Shelf {
  const { state } = world;
  const desk: Desk = { state, user: userNamed(state, user), repo: repoNamed(state, repo), branch, clock, faults };
  return {
    put: (parcels) => put(desk, parcels),
    async read(paths, show) {
      for (const path of paths) show(path, fileAt(desk.repo.git, branch, path));
      return { kind: 'applied', item: null };
    },
    async remove(paths) {
      const standing = paths.filter((path) => fileAt(desk.repo.git, branch, path) !== null);
      const changes = standing.map((path) => ({ path, sha: null }));
      const outcome = await change(desk, changes, { isAnew: true });
      const left = standing.length === 0 ? null : 'old commits can be found by their names';
      return outcome.kind === 'applied' ? { kind: 'applied', item: { left } } : outcome;
    },
  };
}

async function put(desk: Desk, parcels: readonly Parcel[]): Promise<readonly Outcome<Shelved>[]> {
  const { repo, branch, state } = desk;
  const outcomes: Outcome<Shelved>[] = [];
  const changes = new Map<string, Uint8Array>();
  for (const { path, open } of parcels) {
    const opened = await open();
    if (opened.kind !== 'applied') {
      outcomes.push(opened);
      continue;
    }
    const bytes = opened.item;
    const page = `${state.webUrl ?? state.url}/${fullName(repo)}/raw`;
    const url = `${page}/${[...branch.split('/'), ...path.split('/')].map(encodeURIComponent).join('/')}`;
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    outcomes.push({ kind: 'applied', item: { url, sha256, head: bytes.slice(0, headBytesMax) } });
    const standing = fileAt(repo.git, branch, path);
    if (standing === null || !Buffer.from(standing).equals(bytes)) changes.set(path, bytes);
  }
  if (changes.size === 0) return outcomes;
  const outcome = await change(
    desk,
    [...changes].map(([path, bytes]) => ({ path, sha: addBlob(repo.git, bytes) })),
  );
  if (outcome.kind === 'applied') return outcomes;
  return outcomes.map((each, index) => (changes.has(parcels[index]?.path ?? '') ? outcome : each));
}

/** `isAnew`: whether the branch begins anew, as the real shelf does where nobody else has committed. */
async function change(desk: Desk, changes: readonly GitChange[], { isAnew = false } = {}): Promise<Outcome<null>> {
  if (changes.length === 0) return { kind: 'applied', item: null };
  const { repo, branch, user } = desk;
  const { git } = repo;
  return onShelf(desk, { method: 'PATCH', path: `/repos/${fullName(repo)}/git/refs/heads/${branch}` }, () => {
    if (!mayPush(user, repo)) throw forbidden();
    needsCommits(git);
    const tip = git.branches.get(branch);
    const tree = addTree(git, tip === undefined ? null : commitOf(git, tip).tree, changes);
    if (isAnew && treeOf(git, tree).length === 0) {
      dropBranch(git, branch);
      return { answer: null };
    }
    const parents = tip === undefined || isAnew ? [] : [tip];
    const commit = addCommit(git, {
      tree,
      parents,
      message: 'Attachments',
      author: { name: 'bugferry', email: 'bugferry@bugferry.invalid' },
    });
    if (tip === undefined) addBranch(git, branch, commit);
    else moveBranch(git, branch, commit, isAnew);
    return { answer: null };
  });
}

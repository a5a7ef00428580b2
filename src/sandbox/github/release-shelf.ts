/** Files in releases, straight on the world, without HTTP; the real shelf has to behave like this. */

import { createHash } from 'node:crypto';
import { headBytesMax, type Parcel, type Shelf, type Shelved } from '../../model/attachment.ts';
import type { Outcome } from '../../model/outcome.ts';
import type { Clock } from '../../model/runtime.ts';
import { type FaultSource, noFaults } from '../server/faults.ts';
import type { DirectDoor } from './direct.ts';
import { assetUrl } from './shapes/release.ts';
import { onShelf } from './shelf-outcome.ts';
import { type AssetRecord, fullName, type ReleaseRecord, type Repo } from './world/records.ts';
import { addAsset, createRelease, deleteAsset } from './world/releases.ts';
import { repoNamed, userNamed } from './world/state.ts';
import type { GithubWorld } from './world/world.ts';

export interface DirectReleaseShelfOptions {
  readonly user: string;
  /** `owner/name`. */
  readonly repo: string;
  readonly tag: string;
  readonly clock: Clock;
  readonly faults?: FaultSource;
}

interface Desk extends DirectDoor {
  readonly repo: Repo;
  readonly tag: string;
}

export function directReleaseShelf(world: GithubWorld, options: DirectReleaseShelfOptions): Shelf {
  const { state } = world;
  const { clock, tag, faults = noFaults } = options;
  const desk: Desk = { state, user: userNamed(state, options.user), repo: repoNamed(state, options.repo), tag, clock, faults };
  return {
    async put(parcels) {
      const outcomes: Outcome<Shelved>[] = [];
      for (const parcel of parcels) outcomes.push(await put(desk, parcel));
      return outcomes;
    },
    async remove(paths) {
      for (const path of paths) {
        const standing = find(desk, nameOf(path));
        if (standing === null) continue;
        const outcome = await drop(desk, standing.asset);
        if (outcome.kind !== 'applied') return outcome;
      }
      return { kind: 'applied', item: { left: null } };
    },
    async read(paths, show) {
      for (const path of paths) show(path, find(desk, nameOf(path))?.asset.bytes ?? null);
      return { kind: 'applied', item: null };
    },
  };
}

async function put(desk: Desk, { path, type, open }: Parcel): Promise<Outcome<Shelved>> {
  const { state, user, repo } = desk;
  const opened = await open();
  if (opened.kind !== 'applied') return opened;
  const bytes = opened.item;
  const name = nameOf(path);
  const standing = find(desk, name);
  if (standing !== null && Buffer.from(standing.asset.bytes).equals(bytes)) return { kind: 'applied', item: shelved(desk, standing) };
  if (standing !== null) {
    const outcome = await drop(desk, standing.asset);
    if (outcome.kind !== 'applied') return outcome;
  }
  return onShelf(desk, { method: 'POST', path: `/repos/${fullName(repo)}/releases/assets` }, () => {
    const release = releaseWithRoom(desk);
    const asset = addAsset(state, user, { repo, release }, { name, label: path.split('/').at(-1) ?? name, type, bytes });
    return { answer: shelved(desk, { release, asset }) };
  });
}

const drop = ({ user, repo, ...door }: Desk, { id }: AssetRecord): Promise<Outcome<null>> =>
  onShelf({ user, ...door }, { method: 'DELETE', path: `/repos/${fullName(repo)}/releases/assets/${id}` }, () => {
    deleteAsset(user, repo, id);
    return { answer: null };
  });

function releaseWithRoom({ state, user, repo, tag }: Desk): ReleaseRecord {
  const ours = repo.releases.filter((release) => release.tag === tag || release.tag.startsWith(`${tag}-`));
  const open = ours.find(({ assets }) => assets.length < state.limits.assetsPerRelease);
  const name = ours.length === 0 ? tag : `${tag}-${ours.length + 1}`;
  return open ?? createRelease(state, user, repo, { tag: name, name, body: '', isDraft: false, isPrerelease: true });
}

function find({ repo }: Desk, name: string): { readonly release: ReleaseRecord; readonly asset: AssetRecord } | null {
  for (const release of repo.releases) {
    const asset = release.assets.find((each) => each.name === name);
    if (asset !== undefined) return { release, asset };
  }
  return null;
}

function shelved({ state, repo }: Desk, { release, asset }: { release: ReleaseRecord; asset: AssetRecord }): Shelved {
  const { bytes } = asset;
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  return { url: assetUrl(state, repo, release, asset), sha256, head: bytes.slice(0, headBytesMax) };
}

/** What the real shelf asks for, so that the number in front stays in front. */
const nameOf = (path: string): string =>
  (path.split('/').at(-1) ?? '').replace(/[^A-Za-z0-9._-]+/gu, '_').replace(/^[._-]+|[._-]+$/gu, '') || 'file';

import { forbidden, invalid, notFound, Refusal } from '../server/errors.ts';
import { unprocessable } from './git/git.ts';
import { type AssetRecord, mayPush, type ReleaseRecord, type Repo, type User } from './records.ts';
import { freshId, type GithubState, stamp } from './state.ts';

export interface ReleaseRequest {
  readonly tag: string;
  readonly name: string;
  readonly body: string;
  readonly isDraft: boolean;
  readonly isPrerelease: boolean;
}

/** Users who may push create releases; publishing one tags its commit. */
export function createRelease(state: GithubState, user: User, repo: Repo, request: ReleaseRequest): ReleaseRecord {
  if (!mayPush(user, repo)) throw forbidden();
  if (repo.git.branches.size === 0) throw unprocessable('Repository is empty.');
  if (!request.isDraft && repo.releases.some(({ tag, isDraft }) => !isDraft && tag === request.tag))
    throw invalid({ resource: 'Release', code: 'already_exists', field: 'tag_name' });
  const isImmutable = repo.hasImmutableReleases && !request.isDraft;
  const release: ReleaseRecord = {
    ...request,
    id: freshId(state),
    isImmutable,
    author: user,
    assets: [],
    createdAt: stamp(state),
  };
  repo.releases.push(release);
  if (!request.isDraft) repo.git.tags.add(request.tag);
  return release;
}

export interface AssetRequest {
  readonly name: string;
  readonly label: string | null;
  readonly type: string;
  readonly bytes: Uint8Array;
}

export function addAsset(
  state: GithubState,
  user: User,
  { repo, release }: { repo: Repo; release: ReleaseRecord },
  request: AssetRequest,
): AssetRecord {
  if (!mayPush(user, repo)) throw notFound();
  if (release.isImmutable)
    throw new Refusal(422, { message: 'Cannot upload assets to an immutable release.', status: '422' });
  const name = renamed(request.name);
  if (release.assets.some((asset) => asset.name === name))
    throw invalid({ resource: 'ReleaseAsset', code: 'already_exists', field: 'name' });
  if (release.assets.length >= state.limits.assetsPerRelease)
    throw invalid({
      resource: 'ReleaseAsset',
      code: 'custom',
      field: 'release',
      message: 'release has too many assets',
    });
  const asset: AssetRecord = {
    ...request,
    name,
    id: freshId(state),
    state: 'uploaded',
    uploader: user,
    createdAt: stamp(state),
  };
  release.assets.push(asset);
  return asset;
}

/** GitHub renames files with special characters, or with dots at either end. */
const renamed = (name: string): string =>
  name
    .replace(/[^A-Za-z0-9._-]+/gu, '.')
    .replace(/\.{2,}/gu, '.')
    .replace(/^\.+|\.+$/gu, '') || 'default';

/** The tag of the release stays. */
export function deleteRelease(user: User, repo: Repo, id: number): void {
  const release = releaseWith(user, repo, id);
  if (!mayPush(user, repo)) throw notFound();
  repo.releases.splice(repo.releases.indexOf(release), 1);
}

/** The newest release that is neither a draft nor a prerelease. */
export function latestRelease(repo: Repo): ReleaseRecord {
  const release = repo.releases.findLast(({ isDraft, isPrerelease }) => !isDraft && !isPrerelease);
  if (release === undefined) throw notFound();
  return release;
}

export function deleteAsset(user: User, repo: Repo, id: number): void {
  const { release, asset } = assetWith(repo, id);
  if (!mayPush(user, repo)) throw notFound();
  if (release.isImmutable)
    throw new Refusal(422, { message: 'Cannot delete asset from an immutable release.', status: '422' });
  release.assets.splice(release.assets.indexOf(asset), 1);
}

/** Only users who may push see drafts. */
export const visibleReleases = (user: User, repo: Repo): readonly ReleaseRecord[] =>
  repo.releases.filter(({ isDraft }) => !isDraft || mayPush(user, repo)).toReversed();

export function releaseWith(user: User, repo: Repo, id: number): ReleaseRecord {
  const release = visibleReleases(user, repo).find((each) => each.id === id);
  if (release === undefined) throw notFound();
  return release;
}

export function assetWith(repo: Repo, id: number): { readonly release: ReleaseRecord; readonly asset: AssetRecord } {
  for (const release of repo.releases) {
    const asset = release.assets.find((each) => each.id === id);
    if (asset !== undefined) return { release, asset };
  }
  throw notFound();
}

export const assetsOf = (repo: Repo): ReadonlyMap<string, Uint8Array> =>
  new Map(
    repo.releases.flatMap(({ tag, assets }) => assets.map(({ name, bytes }) => [`${tag}/${name}`, bytes] as const)),
  );

import { createHash } from 'node:crypto';
import type { components } from '@octokit/openapi-types';
import { type AssetRecord, fullName, type ReleaseRecord, type Repo } from '../world/records.ts';
import type { GithubState } from '../world/state.ts';
import { isoStamp, userShape } from './shapes.ts';

type Schemas = components['schemas'];

/** The upload address of the sandbox, as on an Enterprise Server. */
export const uploadFolder = '/api/uploads';

export function releaseShape(state: GithubState, repo: Repo, release: ReleaseRecord): Schemas['release'] {
  const path = `/repos/${fullName(repo)}/releases/${release.id}`;
  const at = isoStamp(release.createdAt);
  return {
    url: state.url + path,
    html_url: `${pagesOf(state, repo)}/releases/tag/${release.tag}`,
    assets_url: `${state.url}${path}/assets`,
    upload_url: `${state.url}${uploadFolder}${path}/assets{?name,label}`,
    tarball_url: null,
    zipball_url: null,
    id: release.id,
    node_id: nodeId('RE', release.id),
    tag_name: release.tag,
    target_commitish: repo.defaultBranch,
    name: release.name,
    body: release.body,
    draft: release.isDraft,
    prerelease: release.isPrerelease,
    immutable: release.isImmutable,
    created_at: at,
    published_at: release.isDraft ? null : at,
    author: userShape(state, release.author),
    assets: release.assets.map((asset) => assetShape(state, repo, release, asset)),
  };
}

export function assetShape(
  state: GithubState,
  repo: Repo,
  release: ReleaseRecord,
  asset: AssetRecord,
): Schemas['release-asset'] {
  const at = isoStamp(asset.createdAt);
  return {
    url: `${state.url}/repos/${fullName(repo)}/releases/assets/${asset.id}`,
    browser_download_url: assetUrl(state, repo, release, asset),
    id: asset.id,
    node_id: nodeId('RA', asset.id),
    name: asset.name,
    label: asset.label,
    state: asset.state,
    content_type: asset.type,
    size: asset.bytes.length,
    digest: state.limits.hasDigests ? `sha256:${createHash('sha256').update(asset.bytes).digest('hex')}` : null,
    download_count: 0,
    created_at: at,
    updated_at: at,
    uploader: userShape(state, asset.uploader),
  };
}

const assetUrl = (state: GithubState, repo: Repo, { tag }: ReleaseRecord, { name }: AssetRecord): string =>
  `${pagesOf(state, repo)}/releases/download/${tag}/${name}`;

const pagesOf = (state: GithubState, repo: Repo): string => `${state.webUrl ?? state.url}/${fullName(repo)}`;
const nodeId = (kind: string, id: number): string => `${kind}_${Buffer.from(`sandbox:${id}`).toString('base64url')}`;

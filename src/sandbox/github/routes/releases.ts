/** Releases and their assets over HTTP. Source: GitHub's REST API, "Releases" and "Release assets". */

import { type Ask, created, numberParam, ok, type Route, repoOf, textIn, valueIn } from '../server/ask.ts';
import { invalid } from '../server/errors.ts';
import { paged } from '../server/paging.ts';
import { assetShape, releaseShape } from '../shapes/release.ts';
import { fullName, type ReleaseRecord, type Repo } from '../world/records.ts';
import {
  addAsset,
  assetWith,
  createRelease,
  deleteAsset,
  deleteRelease,
  latestRelease,
  releaseWith,
  visibleReleases,
} from '../world/releases.ts';

export const releaseRoutes: readonly Route[] = [
  {
    method: 'GET',
    path: '/releases',
    answer(ask) {
      const repo = repoOf(ask);
      const { items, headers } = paged(ask, `/repositories/${repo.id}/releases`, visibleReleases(ask.caller, repo));
      return ok(
        items.map((release) => releaseShape(ask.state, repo, release)),
        headers,
      );
    },
  },
  {
    method: 'POST',
    path: '/releases',
    creates: 'release',
    answer(ask) {
      const repo = repoOf(ask);
      const tag = textIn(ask, 'tag_name', 'Release') ?? '';
      if (tag === '') throw invalid({ resource: 'Release', code: 'missing_field', field: 'tag_name' });
      const [name, body] = [textIn(ask, 'name', 'Release') ?? tag, textIn(ask, 'body', 'Release') ?? ''];
      const [isDraft, isPrerelease] = [valueIn(ask.body, 'draft') === true, valueIn(ask.body, 'prerelease') === true];
      return created(
        releaseShape(
          ask.state,
          repo,
          createRelease(ask.state, ask.caller, repo, { tag, name, body, isDraft, isPrerelease }),
        ),
      );
    },
  },
  {
    method: 'GET',
    path: '/releases/latest',
    answer(ask) {
      const repo = repoOf(ask);
      return ok(releaseShape(ask.state, repo, latestRelease(repo)));
    },
  },
  {
    method: 'DELETE',
    path: '/releases/:id',
    answer(ask) {
      deleteRelease(ask.caller, repoOf(ask), numberParam(ask, 'id'));
      return { status: 204, body: null };
    },
  },
  {
    method: 'GET',
    path: '/releases/assets/:id',
    answer(ask) {
      const repo = repoOf(ask);
      const { release, asset } = assetWith(repo, numberParam(ask, 'id'));
      // The content itself is on another host.
      if (ask.accept === 'application/octet-stream') {
        const location = `${ask.state.url}/${fullName(repo)}/releases/download/${release.tag}/${asset.name}`;
        return { status: 302, body: null, headers: { location } };
      }
      return ok(assetShape(ask.state, repo, release, asset));
    },
  },
  {
    method: 'DELETE',
    path: '/releases/assets/:id',
    answer(ask) {
      deleteAsset(ask.caller, repoOf(ask), numberParam(ask, 'id'));
      return { status: 204, body: null };
    },
  },
  {
    method: 'GET',
    path: '/releases/:id/assets',
    answer(ask) {
      const { repo, release } = releaseOf(ask);
      const { items, headers } = paged(ask, `/repositories/${repo.id}/releases/${release.id}/assets`, release.assets);
      return ok(
        items.map((asset) => assetShape(ask.state, repo, release, asset)),
        headers,
      );
    },
  },
];

/** Uploads have another host than the other routes, or their own folder. */
export const assetUploadRoutes: readonly Route[] = [
  {
    method: 'POST',
    path: '/releases/:id/assets',
    takesBytes: true,
    answer(ask) {
      const { repo, release } = releaseOf(ask);
      const { query, type } = ask;
      const request = { name: query.get('name') ?? '', label: query.get('label'), type, bytes: ask.bytes };
      return created(assetShape(ask.state, repo, release, addAsset(ask.state, ask.caller, { repo, release }, request)));
    },
  },
];

function releaseOf(ask: Ask): { readonly repo: Repo; readonly release: ReleaseRecord } {
  const repo = repoOf(ask);
  return { repo, release: releaseWith(ask.caller, repo, numberParam(ask, 'id')) };
}

/**
 * Releases of one repository and their assets. Source: GitHub's REST API, "Releases" and "Release assets". Nothing here
 * is retried.
 */

import * as z from 'zod';
import type { Ask } from '../connection/client.ts';
import { type Failure, noContent } from '../connection/failure.ts';
import { nextPath } from '../connection/paging.ts';
import { parseAnswer, time } from '../map.ts';
import type { GitRepository, Got } from './git-data.ts';

export interface Release {
  readonly id: number;
  readonly tag: string;
  /** The address for uploads of its assets. */
  readonly uploadUrl: string;
  /** An immutable release: its files can be neither added nor deleted. */
  readonly isImmutable: boolean;
  /** Epoch milliseconds; null if GitHub does not say. */
  readonly publishedAt: number | null;
}

export interface Asset {
  readonly id: number;
  readonly name: string;
  /** Bytes. */
  readonly size: number;
  /** SHA-256 in hexadecimal, computed by GitHub; null if it does not. */
  readonly sha256: string | null;
  /** False for the remains of an aborted upload. */
  readonly isWhole: boolean;
  /** The address for downloads. */
  readonly url: string;
}

const releaseSchema = z
  .object({
    id: z.number(),
    tag_name: z.string(),
    upload_url: z.string(),
    draft: z.boolean().default(false),
    immutable: z.boolean().default(false),
    published_at: time.nullish(),
  })
  .transform(
    ({ id, tag_name: tag, upload_url: template, draft, immutable: isImmutable, published_at: publishedAt }) => ({
      release: { id, tag, uploadUrl: template.replace(/\{.*/u, ''), isImmutable, publishedAt: publishedAt ?? null },
      isDraft: draft,
    }),
  );

const assetSchema = z
  .object({
    id: z.number(),
    name: z.string(),
    size: z.number(),
    state: z.string(),
    digest: z.string().nullish(),
    browser_download_url: z.string(),
  })
  .transform(
    ({ id, name, size, state, digest, browser_download_url: url }): Asset => ({
      id,
      name,
      size,
      url,
      isWhole: state === 'uploaded',
      sha256: /^sha256:([0-9a-f]{64})$/u.exec(digest ?? '')?.[1] ?? null,
    }),
  );

/** All published releases. */
export async function readReleases(repository: GitRepository): Promise<Got<readonly Release[]>> {
  const about = `list the releases of ${repository.name}`;
  const rows = await readAll(repository, `${repository.path}/releases?per_page=100`, about, releaseSchema);
  if (rows.kind === 'failed') return rows;
  return { kind: 'got', value: rows.value.filter(({ isDraft }) => !isDraft).map(({ release }) => release) };
}

/** Published, as drafts are not public; but never the latest, which a project shows to its users. */
export async function makeRelease(repository: GitRepository, tag: string): Promise<Got<Release>> {
  const body = {
    tag_name: tag,
    name: `Attachments of the bug tracker (${tag})`,
    body: 'Copies of files that people attached to bugs. The issues link to them; bugferry keeps them, so please do not change anything here.',
    prerelease: true,
    make_latest: 'false',
  };
  const about = `make the release ${tag} in ${repository.name}`;
  const made = await ask(
    repository,
    { method: 'POST', path: `${repository.path}/releases`, cost: 'create', about, body },
    releaseSchema,
  );
  return made.kind === 'failed' ? made : { kind: 'got', value: made.value.release };
}

export function readAssets(repository: GitRepository, { id, tag }: Release): Promise<Got<readonly Asset[]>> {
  const about = `list the files of the release ${tag} of ${repository.name}`;
  return readAll(repository, `${repository.path}/releases/${id}/assets?per_page=100`, about, assetSchema);
}

/** Null if it no longer exists. */
export async function readAsset(
  repository: GitRepository,
  { id, name }: Pick<Asset, 'id' | 'name'>,
): Promise<Got<Asset | null>> {
  const about = `look at the file ${name} in ${repository.name}`;
  const path = `${repository.path}/releases/assets/${id}`;
  const found = await ask(repository, { method: 'GET', path, cost: 'read', about }, assetSchema);
  return found.kind === 'failed' && isMissing(found.failure) ? { kind: 'got', value: null } : found;
}

/**
 * Null if it no longer exists. Source: GET /repos/{owner}/{repo}/releases/assets/{id}, as `application/octet-stream`
 */
export async function readContent(
  { client, name, path }: GitRepository,
  asset: Pick<Asset, 'id' | 'name'>,
): Promise<Got<Uint8Array | null>> {
  const about = `read the file ${asset.name} in ${name}`;
  const reply = await client.content({ path: `${path}/releases/assets/${asset.id}`, about });
  if (reply.kind === 'content') return { kind: 'got', value: reply.bytes };
  return isMissing(reply.failure) ? { kind: 'got', value: null } : reply;
}

interface AssetDraft {
  /** The name in the address, with only characters that GitHub keeps; see `assetName`. */
  readonly name: string;
  /** The text on the page of the release. */
  readonly label: string;
  readonly type: string;
  readonly bytes: Uint8Array;
}

export function uploadAsset(
  repository: GitRepository,
  release: Release,
  { name, label, type, bytes }: AssetDraft,
): Promise<Got<Asset>> {
  const about = `store a file in the release ${release.tag} of ${repository.name}`;
  const query = new URLSearchParams({ name, ...(label === name ? {} : { label }) });
  const path = `${release.uploadUrl}?${query}`;
  return ask(repository, { method: 'POST', path, cost: 'edit', about, content: { type, bytes } }, assetSchema);
}

/** A missing file counts as deleted. */
export async function deleteAsset(
  repository: GitRepository,
  { id, name }: Pick<Asset, 'id' | 'name'>,
): Promise<Failure | null> {
  const about = `delete the file ${name} in ${repository.name}`;
  const path = `${repository.path}/releases/assets/${id}`;
  const reply = await repository.client.send({ method: 'DELETE', path, cost: 'edit', about });
  return reply.kind === 'failed' && !isMissing(reply.failure) ? reply.failure : null;
}

const isMissing = (failure: Failure): boolean => failure.kind === 'gone' && failure.gone.kind !== 'moved';

async function readAll<T>(
  repository: GitRepository,
  first: string,
  about: string,
  schema: z.ZodType<T>,
): Promise<Got<readonly T[]>> {
  const rows: T[] = [];
  for (let path: string | null = first; path !== null; ) {
    const reply = await repository.client.send({ method: 'GET', path, cost: 'read', about });
    if (reply.kind !== 'answered')
      return { kind: 'failed', failure: reply.kind === 'failed' ? reply.failure : noContent(about) };
    const page = parseAnswer(z.array(schema), reply, about);
    if (page.kind === 'failed') return page;
    rows.push(...page.value);
    path = nextPath(reply, repository.client.root);
  }
  return { kind: 'got', value: rows };
}

async function ask<T>({ client }: GitRepository, request: Ask, schema: z.ZodType<T>): Promise<Got<T>> {
  const reply = await client.send(request);
  if (reply.kind !== 'answered')
    return { kind: 'failed', failure: reply.kind === 'failed' ? reply.failure : noContent(request.about) };
  const parsed = parseAnswer(schema, reply, request.about);
  return parsed.kind === 'failed' ? parsed : { kind: 'got', value: parsed.value };
}

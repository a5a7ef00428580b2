import {
  type AttachmentStore,
  headBytesMax,
  type Removal,
  type StoredFile,
  type Upload,
} from '../../model/attachment.ts';
import type { Outcome } from '../../model/outcome.ts';
import type { GithubClient } from '../connection/client.ts';
import { type Failure, unwrittenOutcome, writeOutcome } from '../connection/failure.ts';
import { advised, oneByOne } from './batch.ts';
import { type GitRepository, type Got, hexDigest } from './git-data.ts';
import {
  type Asset,
  deleteAsset,
  makeRelease,
  type Release,
  readAsset,
  readAssets,
  readContent,
  readReleases,
  uploadAsset,
} from './release-data.ts';

interface ReleaseStoreOptions {
  readonly client: GithubClient;
  readonly owner: string;
  readonly repo: string;
  /** The tag of the first release; the next ones are `tag-2` and so on. */
  readonly tag: string;
  /** The number of files per release. */
  readonly assetsMax?: number;
}

/** A release and its files by name. */
interface Bay {
  readonly release: Release;
  readonly assets: Map<string, Asset>;
}

interface ReleaseStorage {
  readonly repository: GitRepository;
  readonly tag: string;
  readonly assetsMax: number;
  /** The known files; null if they must be read. A file that is thought to exist is always checked. */
  bays: Bay[] | null;
}

/**
 * Files as assets of releases, each a separate upload. A name is unique across all releases, so after a lost answer,
 * searching for the name shows whether the upload succeeded. When a release is full, the next one follows.
 */
export function releaseStore({ client, owner, repo, tag, assetsMax = 1_000 }: ReleaseStoreOptions): AttachmentStore {
  const path = `/repos/${encodeURIComponent(owner)}/${encodeURIComponent(repo)}`;
  const storage: ReleaseStorage = {
    repository: { client, name: `${owner}/${repo}`, path },
    tag,
    assetsMax,
    bays: null,
  };
  return {
    put: (uploads) => oneByOne(uploads, (upload) => store(storage, upload)),
    remove: (paths) => remove(storage, paths),
    list: () => list(storage),
    read: (paths, show) => read(storage, paths, show),
  };
}

async function store(storage: ReleaseStorage, upload: Upload): Promise<Outcome<StoredFile>> {
  const bays = await baysOf(storage);
  if (bays.kind === 'failed') return outcomeOfLook(bays.failure);
  const opened = await upload.open();
  if (opened.kind !== 'applied') return opened;
  const bytes = opened.item;
  const content: Content = { upload, bytes, sha256: await hexDigest('SHA-256', new Uint8Array(bytes)) };
  const first = await storeOnce(storage, bays.value, content);
  if (first !== 'taken') return first;
  // Another process has stored a file with this name since the releases were read, or we did and lost the answer.
  storage.bays = null;
  const again = await baysOf(storage);
  if (again.kind === 'failed') return outcomeOfLook(again.failure);
  const second = await storeOnce(storage, again.value, content);
  const why = `GitHub says that a file called ${assetName(upload.path)} exists but does not show it; the next sweep tries again`;
  return second === 'taken' ? { kind: 'refused', why } : second;
}

interface Content {
  readonly upload: Upload;
  readonly bytes: Uint8Array;
  readonly sha256: string;
}

/** `taken` if GitHub has an unknown file with this name. */
async function storeOnce(
  storage: ReleaseStorage,
  bays: Bay[],
  content: Content,
): Promise<Outcome<StoredFile> | 'taken'> {
  const name = assetName(content.upload.path);
  const bay = bays.find(({ assets }) => assets.has(name));
  const known = bay?.assets.get(name);
  if (bay !== undefined && known !== undefined) {
    const now = await readAsset(storage.repository, known);
    if (now.kind === 'failed') return outcomeOfLook(now.failure);
    if (now.value !== null && isSame(now.value, content)) return stored(now.value, content);
    const failure = now.value === null ? null : await deleteAsset(storage.repository, known);
    if (failure !== null) return outcomeOfLook(failure);
    bay.assets.delete(name);
  }
  const target = await bayWithRoom(storage, bays);
  if (target.kind === 'failed') return outcomeOfLook(target.failure);
  const isFirst = !known && target.value.assets.size === 0;
  const outcome = await upload(storage, target.value, content);
  return isFirst && outcome !== 'taken' && outcome.kind === 'applied'
    ? { kind: 'applied', item: { ...outcome.item, isFirst: true } }
    : outcome;
}

async function upload(
  storage: ReleaseStorage,
  { release, assets }: Bay,
  content: Content,
): Promise<Outcome<StoredFile> | 'taken'> {
  const { upload, bytes } = content;
  const name = assetName(upload.path);
  const label = upload.path.split('/').at(-1) ?? name;
  const made = await uploadAsset(storage.repository, release, { name, label, type: mediaType(upload.type), bytes });
  if (made.kind === 'failed') {
    const { failure } = made;
    if (failure.kind === 'refused' && failure.faults?.includes('already_exists')) return 'taken';
    // Read again whether the release exists, and its files.
    storage.bays = null;
    return outcomeOfWrite(failure);
  }
  if (isSame(made.value, content)) {
    assets.set(made.value.name, made.value);
    return stored(made.value, content);
  }
  const failure = await deleteAsset(storage.repository, made.value);
  if (failure !== null) storage.bays = null;
  const why = `GitHub stored other content than was sent for ${upload.path}; the next sweep tries again`;
  return { kind: 'refused', why };
}

/** Compares the digest if GitHub reports one, which older assets lack. */
const isSame = ({ isWhole, size, sha256 }: Asset, content: Content): boolean =>
  isWhole && size === content.bytes.length && (sha256 === null || sha256 === content.sha256);

const stored = ({ url }: Asset, { bytes, sha256 }: Content): Outcome<StoredFile> => ({
  kind: 'applied',
  item: { url, sha256, head: bytes.slice(0, headBytesMax) },
});

/** GitHub notifies people of each release, so one that came out immutable is not followed by another at once. */
const sealedMs = 3_600_000;

async function bayWithRoom(storage: ReleaseStorage, bays: Bay[]): Promise<Got<Bay>> {
  const open = bays.find(({ assets, release }) => assets.size < storage.assetsMax && !release.isImmutable);
  if (open !== undefined) return { kind: 'got', value: open };
  const last = bays.at(-1);
  const { client, name } = storage.repository;
  if (last?.release.isImmutable && last.assets.size === 0 && client.now() - (last.release.publishedAt ?? 0) < sealedMs)
    return { kind: 'failed', failure: { kind: 'refused', why: sealed(name, last.release) } };
  const made = await makeRelease(
    storage.repository,
    tagOf(storage.tag, (last === undefined ? 0 : (numberOf(storage.tag, last.release.tag) ?? 0)) + 1),
  );
  if (made.kind === 'failed') {
    storage.bays = null;
    return made;
  }
  const bay: Bay = { release: made.value, assets: new Map() };
  bays.push(bay);
  return { kind: 'got', value: bay };
}

const sealed = (name: string, { tag }: Release): string =>
  `The release ${tag} of ${name} is immutable and accepts no files; bugferry makes another one after an hour.`;

const tagOf = (tag: string, number: number): string => (number === 1 ? tag : `${tag}-${number}`);

async function baysOf(storage: ReleaseStorage): Promise<Got<Bay[]>> {
  if (storage.bays !== null) return { kind: 'got', value: storage.bays };
  const releases = await readReleases(storage.repository);
  if (releases.kind === 'failed') return releases;
  const ours = releases.value.filter(({ tag }) => numberOf(storage.tag, tag) !== null);
  const bays: Bay[] = [];
  for (const release of ours.sort(
    (one, other) => (numberOf(storage.tag, one.tag) ?? 0) - (numberOf(storage.tag, other.tag) ?? 0),
  )) {
    const assets = await readAssets(storage.repository, release);
    if (assets.kind === 'failed') return assets;
    bays.push({ release, assets: new Map(assets.value.map((asset) => [asset.name, asset])) });
  }
  storage.bays = bays;
  return { kind: 'got', value: bays };
}

/** The number of our release with this tag; null if it is not ours. */
function numberOf(first: string, tag: string): number | null {
  if (tag === first) return 1;
  const number = tag.startsWith(`${first}-`) ? tag.slice(first.length + 1) : '';
  return /^[1-9]\d{0,5}$/u.test(number) && number !== '1' ? Number(number) : null;
}

/** A file that is no longer visible is searched again: another process may have stored it. */
async function remove(storage: ReleaseStorage, paths: readonly string[]): Promise<Outcome<Removal>> {
  storage.bays = null;
  const bays = await baysOf(storage);
  if (bays.kind === 'failed') return outcomeOfLook(bays.failure);
  for (const name of paths.map(assetName)) {
    for (const { assets } of bays.value) {
      const asset = assets.get(name);
      const failure = asset === undefined ? null : await deleteAsset(storage.repository, asset);
      if (failure !== null) return outcomeOfLook(failure);
      assets.delete(name);
    }
  }
  return { kind: 'applied', item: { left: null } };
}

async function list(storage: ReleaseStorage): Promise<Outcome<readonly string[]>> {
  storage.bays = null;
  const bays = await baysOf(storage);
  if (bays.kind === 'failed') return outcomeOfLook(bays.failure);
  return { kind: 'applied', item: bays.value.flatMap(({ assets }) => [...assets.keys()]) };
}

async function read(
  storage: ReleaseStorage,
  paths: readonly string[],
  show: (path: string, bytes: Uint8Array | null) => void,
): Promise<Outcome<null>> {
  storage.bays = null;
  const bays = await baysOf(storage);
  if (bays.kind === 'failed') return outcomeOfLook(bays.failure);
  for (const path of paths) {
    const name = assetName(path);
    const asset = bays.value.flatMap(({ assets }) => assets.get(name) ?? [])[0];
    const content = asset?.isWhole ? await readContent(storage.repository, asset) : null;
    if (content?.kind === 'failed') return outcomeOfLook(content.failure);
    show(path, content === null ? null : content.value);
  }
  return { kind: 'applied', item: null };
}

/** Nothing was written that a repetition would duplicate. */
const outcomeOfLook = (failure: Failure): Outcome<never> => advised(unwrittenOutcome(failure), advice);
const outcomeOfWrite = (failure: Failure): Outcome<never> => advised(writeOutcome(failure), advice);

const advice =
  'Check that the account may write the contents of the repository, that the repository is not empty, and that its releases are not immutable.';

/**
 * The asset name of a file. GitHub renames files with other characters, or dots in the wrong places; a name that it
 * keeps can be found again. The number at the start of the last path segment makes names unique, and with what follows
 * it says that the file is one of the bridge.
 */
export function assetName(path: string): string {
  const name = (path.split('/').at(-1) ?? '')
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .replace(/[^A-Za-z0-9._-]+/gu, '_')
    .replace(/\.{2,}/gu, '.')
    .replace(/^[._-]+|(?<![._-])[._-]+$/gu, '');
  return /^\d+$/u.test(name) ? `${name}-file` : name || 'file';
}

/** A type that is valid in a header; a tracker may report anything. */
export const mediaType = (type: string): string =>
  /^[\w.+-]{1,60}\/[\w.+-]{1,60}$/u.test(type) ? type : 'application/octet-stream';

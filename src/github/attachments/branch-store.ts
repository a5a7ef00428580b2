import * as z from 'zod';
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
import { parseAnswer } from '../map.ts';
import { advised, oneByOne } from './batch.ts';
import {
  type GitRepository,
  type Got,
  gitBlobSha,
  hexDigest,
  isOwnHistory,
  moveBranch,
  readBlob,
  readFiles,
  readTip,
  readTree,
  replaceBranch,
  type Tip,
  type TreeChange,
  writeBlob,
  writeCommit,
  writeTree,
} from './git-data.ts';

interface BranchStoreOptions {
  readonly client: GithubClient;
  readonly owner: string;
  readonly repo: string;
  /** Shares no history with the code; created if missing. */
  readonly branch: string;
}

interface BranchStorage extends BranchStoreOptions {
  readonly repository: GitRepository;
  /** The address of the repository's pages; null until known. */
  page: string | null;
}

/** How often someone else may move the branch first. */
const racesMax = 5;

/**
 * Files on a branch, written as git data: first the blobs, one by one; then the trees and the commit with all of them;
 * the branch last. Nothing is visible until the branch moves, so an earlier failure has written nothing. Existing
 * content is not written again, which also settles requests whose answers were lost.
 */
export function branchStore(options: BranchStoreOptions): AttachmentStore {
  const { client, owner, repo } = options;
  const path = `/repos/${encodeURIComponent(owner)}/${encodeURIComponent(repo)}`;
  const storage: BranchStorage = { ...options, repository: { client, name: `${owner}/${repo}`, path }, page: null };
  return {
    put: (uploads) => put(storage, uploads),
    remove: (paths) => remove(storage, paths),
    list: () => list(storage),
    read: (paths, show) => read(storage, paths, show),
  };
}

async function put(storage: BranchStorage, uploads: readonly Upload[]): Promise<readonly Outcome<StoredFile>[]> {
  const start = await begin(
    storage,
    uploads.map(({ path }) => path),
  );
  if (start.kind === 'failed') return uploads.map(() => outcomeOfLook(start.failure));
  const { page, tip, existing } = start.value;
  const changes: TreeChange[] = [];
  const outcomes = await oneByOne(uploads, async (upload) => {
    const { outcome, sha } = await store(storage, upload, existing, page);
    if (sha !== null) changes.push({ path: upload.path, sha });
    return outcome;
  });
  if (changes.length === 0) return outcomes;
  const failed = await commit(
    storage,
    tip,
    changes,
    `Add ${changes.length} ${changes.length === 1 ? 'attachment' : 'attachments'}`,
  );
  const isNew = new Set(changes.map(({ path }) => path));
  return failed === null
    ? outcomes
    : outcomes.map((outcome, index) => (isNew.has(uploads[index]?.path ?? '') ? failed : outcome));
}

/**
 * Removed files must not stay in the history either, so the branch restarts with the remaining files. If others have
 * committed to the branch, or GitHub protects it, its history is not ours to drop: then the removal is an ordinary
 * commit.
 */
async function remove(storage: BranchStorage, paths: readonly string[], races = 0): Promise<Outcome<Removal>> {
  const start = await begin(storage, paths);
  if (start.kind === 'failed') return outcomeOfLook(start.failure);
  const { tip } = start.value;
  const changes = [...start.value.existing.keys()].map((path) => ({ path, sha: null }));
  if (tip === null || changes.length === 0) return { kind: 'applied', item: { left: null } };
  const words = `Take away ${changes.length} ${changes.length === 1 ? 'attachment' : 'attachments'}`;
  const begun = await beginAnew(storage, tip, changes, words);
  if (begun === 'raced' && races < racesMax) return remove(storage, paths, races + 1);
  if (begun !== null && begun !== 'raced') return begun;
  const left = `the history of the branch ${storage.branch} of ${storage.repository.name} still contains it, as others have committed there or GitHub protects it`;
  return (await commit(storage, tip, changes, words)) ?? { kind: 'applied', item: { left } };
}

const leftOfHistory =
  'GitHub serves commits without a branch to anyone who has the SHA, until they are garbage-collected; GitHub support does that on request';

/** Null if the history must stay; `raced` if someone else has moved the branch in the meantime. */
async function beginAnew(
  storage: BranchStorage,
  tip: Tip,
  changes: readonly TreeChange[],
  message: string,
): Promise<Outcome<Removal> | 'raced' | null> {
  const { repository, branch } = storage;
  const isOwn = await isOwnHistory(repository, tip);
  if (isOwn.kind === 'failed') return outcomeOfLook(isOwn.failure);
  if (!isOwn.value) return null;
  const rest = await commitOfRest(repository, tip, changes, message);
  if (rest.kind === 'failed') return outcomeOfLook(rest.failure);
  const moved = await replaceBranch(repository, branch, tip, rest.value);
  if (moved === null) return 'raced';
  if (moved.kind === 'got') return { kind: 'applied', item: { left: leftOfHistory } };
  return moved.failure.kind === 'refused' ? null : outcomeOfMove(moved.failure);
}

/**
 * Null if no files are left: the branch is deleted then, as it is unknown whether GitHub accepts a commit without
 * files.
 */
async function commitOfRest(
  repository: GitRepository,
  tip: Tip,
  changes: readonly TreeChange[],
  message: string,
): Promise<Got<string | null>> {
  const paths = changes.map(({ path }) => path);
  const files = await readFiles(repository, tip.tree);
  if (files.kind === 'failed') return files;
  if (files.value.isWhole && files.value.paths.every((path) => paths.includes(path)))
    return { kind: 'got', value: null };
  const tree = await writeTree(repository, tip, changes);
  return tree.kind === 'failed' ? tree : writeCommit(repository, null, tree.value, message);
}

async function read(
  storage: BranchStorage,
  paths: readonly string[],
  show: (path: string, bytes: Uint8Array | null) => void,
): Promise<Outcome<null>> {
  const start = await begin(storage, paths);
  if (start.kind === 'failed') return outcomeOfLook(start.failure);
  for (const path of paths) {
    const sha = start.value.existing.get(path);
    const content = sha === undefined ? null : await readBlob(storage.repository, sha);
    if (content?.kind === 'failed') return outcomeOfLook(content.failure);
    show(path, content === null ? null : content.value);
  }
  return { kind: 'applied', item: null };
}

/** One request, or one for each folder if the branch is too large for that. */
async function list({ repository, branch }: BranchStorage): Promise<Outcome<readonly string[]>> {
  const tip = await readTip(repository, branch);
  if (tip.kind === 'failed') return outcomeOfLook(tip.failure);
  if (tip.value === null) return { kind: 'applied', item: [] };
  const files = await readFiles(repository, tip.value.tree);
  if (files.kind === 'failed') return outcomeOfLook(files.failure);
  if (files.value.isWhole) return { kind: 'applied', item: files.value.paths };
  const walked = await walk(repository, tip.value.tree, '');
  return walked.kind === 'failed' ? outcomeOfLook(walked.failure) : { kind: 'applied', item: walked.value };
}

async function walk(repository: GitRepository, tree: string, prefix: string): Promise<Got<readonly string[]>> {
  const entries = await readTree(repository, tree);
  if (entries.kind === 'failed') return entries;
  const paths: string[] = [];
  for (const { path, type, sha } of entries.value) {
    const inside: Got<readonly string[]> =
      type === 'tree' ? await walk(repository, sha, `${prefix}${path}/`) : { kind: 'got', value: [prefix + path] };
    if (inside.kind === 'failed') return inside;
    paths.push(...inside.value);
  }
  return { kind: 'got', value: paths };
}

interface Start {
  readonly page: string;
  readonly tip: Tip | null;
  /** The blob SHAs of the paths that exist. */
  readonly existing: ReadonlyMap<string, string>;
}

const pageSchema = z.object({ html_url: z.string() });

async function begin(storage: BranchStorage, paths: readonly string[]): Promise<Got<Start>> {
  const { repository, branch } = storage;
  if (storage.page === null) {
    const about = `look at the repository ${repository.name}`;
    const reply = await repository.client.send({ method: 'GET', path: repository.path, cost: 'read', about });
    if (reply.kind === 'failed') return reply;
    const parsed = reply.kind === 'answered' ? parseAnswer(pageSchema, reply, about) : null;
    if (parsed?.kind === 'failed') return parsed;
    storage.page = parsed?.value.html_url ?? '';
  }
  const tip = await readTip(repository, branch);
  if (tip.kind === 'failed') return tip;
  const existing = await find(repository, tip.value, paths);
  return existing.kind === 'failed'
    ? existing
    : { kind: 'got', value: { page: storage.page, tip: tip.value, existing: existing.value } };
}

/** Walks down to the paths, reading each existing folder once. */
async function find(
  repository: GitRepository,
  tip: Tip | null,
  paths: readonly string[],
): Promise<Got<ReadonlyMap<string, string>>> {
  const found = new Map<string, string>();
  if (tip === null) return { kind: 'got', value: found };
  const walk = async (tree: string, prefix: string, below: readonly string[]): Promise<Failure | null> => {
    const entries = await readTree(repository, tree);
    if (entries.kind === 'failed') return entries.failure;
    for (const { path, type, sha } of entries.value) {
      const full = prefix + path;
      if (type === 'blob' && below.includes(full)) found.set(full, sha);
      const inside = type === 'tree' ? below.filter((each) => each.startsWith(`${full}/`)) : [];
      const failure = inside.length === 0 ? null : await walk(sha, `${full}/`, inside);
      if (failure !== null) return failure;
    }
    return null;
  };
  const failure = await walk(tip.tree, '', paths);
  return failure === null ? { kind: 'got', value: found } : { kind: 'failed', failure };
}

/** Uploads one file unless it exists; `sha` is null if the tree need not change. */
async function store(
  { repository, branch }: BranchStorage,
  { path, open }: Upload,
  existing: ReadonlyMap<string, string>,
  page: string,
): Promise<{ readonly outcome: Outcome<StoredFile>; readonly sha: string | null }> {
  const opened = await open();
  if (opened.kind !== 'applied') return { outcome: opened, sha: null };
  const bytes = opened.item;
  const sha = await gitBlobSha(bytes);
  const url = `${page}/raw/${encoded(branch)}/${encoded(path)}`;
  const stored: Outcome<StoredFile> = {
    kind: 'applied',
    item: { url, sha256: await hexDigest('SHA-256', new Uint8Array(bytes)), head: bytes.slice(0, headBytesMax) },
  };
  if (existing.get(path) === sha) return { outcome: stored, sha: null };
  const written = await writeBlob(repository, bytes);
  if (written.kind === 'failed') return { outcome: outcomeOfLook(written.failure), sha: null };
  if (written.value === sha) return { outcome: stored, sha };
  const why = `GitHub stored other content than was sent for ${path}; the next sweep tries again`;
  return { outcome: { kind: 'refused', why }, sha: null };
}

/** Null once the branch has the changes. Keeps commits of others and adds the changes on top. */
async function commit(
  storage: BranchStorage,
  first: Tip | null,
  changes: readonly TreeChange[],
  message: string,
): Promise<Outcome<never> | null> {
  const { repository, branch } = storage;
  let tip = first;
  for (let races = 0; ; races += 1) {
    const tree = await writeTree(repository, tip, changes);
    if (tree.kind === 'failed') return outcomeOfLook(tree.failure);
    const made = await writeCommit(repository, tip, tree.value, message);
    if (made.kind === 'failed') return outcomeOfLook(made.failure);
    const moved = await moveBranch(repository, branch, tip, made.value);
    if (moved.kind === 'got') return null;
    if (moved.failure.kind !== 'refused' || races >= racesMax) return outcomeOfMove(moved.failure);
    const now = await readTip(repository, branch);
    if (now.kind === 'failed') return outcomeOfLook(now.failure);
    if (now.value?.commit === tip?.commit) return outcomeOfMove(moved.failure);
    tip = now.value;
  }
}

/** Nothing visible was written yet. */
const outcomeOfLook = (failure: Failure): Outcome<never> => advised(unwrittenOutcome(failure));

const outcomeOfMove = (failure: Failure): Outcome<never> => advised(writeOutcome(failure));

const encoded = (path: string): string => path.split('/').map(encodeURIComponent).join('/');

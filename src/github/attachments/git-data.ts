/**
 * Git data of one repository, below the level of files. Source: GitHub's REST API, "Git database". Nothing here is
 * retried.
 */

import * as z from 'zod';
import type { Answer, Ask } from '../connection/client.ts';
import { type Failure, noContent } from '../connection/failure.ts';
import { nextPath } from '../connection/paging.ts';
import { parseAnswer } from '../map.ts';
import type { Repository } from '../repository.ts';

export type GitRepository = Pick<Repository, 'client' | 'name' | 'path'>;

export type Got<T> =
  | { readonly kind: 'got'; readonly value: T }
  | { readonly kind: 'failed'; readonly failure: Failure };

/** A file to add to a tree, or with null to remove from it. */
export interface TreeChange {
  readonly path: string;
  readonly sha: string | null;
}

interface TreeEntry {
  readonly path: string;
  readonly type: string;
  readonly sha: string;
}

/** The tip of a branch; null if the branch does not exist yet. */
export interface Tip {
  readonly commit: string;
  readonly tree: string;
}

const shaSchema = z.object({ sha: z.string() });
const refSchema = z.object({ object: z.object({ sha: z.string() }) });
const commitSchema = z.object({ tree: shaSchema });
const treeSchema = z.object({
  tree: z.array(z.object({ path: z.string(), type: z.string(), sha: z.string() })),
  truncated: z.boolean(),
});

export async function readTip(repository: GitRepository, branch: string): Promise<Got<Tip | null>> {
  const ref = await ask(
    repository,
    { ...reading(`look at the branch ${branch} of ${repository.name}`), path: `/git/ref/${refOf(branch)}` },
    refSchema,
  );
  if (ref.kind === 'failed' && ref.failure.kind === 'gone' && ref.failure.gone.kind === 'missing')
    return { kind: 'got', value: null };
  if (ref.kind === 'failed') return ref;
  const { sha } = ref.value.object;
  const commit = await ask(
    repository,
    { ...reading(`look at commit ${sha} of ${repository.name}`), path: `/git/commits/${sha}` },
    commitSchema,
  );
  return commit.kind === 'failed' ? commit : { kind: 'got', value: { commit: sha, tree: commit.value.tree.sha } };
}

/** The direct entries of a folder. */
export async function readTree(repository: GitRepository, sha: string): Promise<Got<readonly TreeEntry[]>> {
  const found = await ask(
    repository,
    { ...reading(`look at a folder of ${repository.name}`), path: `/git/trees/${sha}` },
    treeSchema,
  );
  return found.kind === 'failed' ? found : { kind: 'got', value: found.value.tree };
}

const blobSchema = z.object({ content: z.string(), encoding: z.literal('base64') });

/** A blob by its SHA. */
export async function readBlob(repository: GitRepository, sha: string): Promise<Got<Uint8Array>> {
  const found = await ask(
    repository,
    { ...reading(`read a file of ${repository.name}`), path: `/git/blobs/${sha}` },
    blobSchema,
  );
  return found.kind === 'failed'
    ? found
    : { kind: 'got', value: new Uint8Array(Buffer.from(found.value.content, 'base64')) };
}

export interface Files {
  readonly paths: readonly string[];
  /** False if the tree is too large for one answer. */
  readonly isWhole: boolean;
}

/** The files of a tree, in all of its folders. */
export async function readFiles(repository: GitRepository, sha: string): Promise<Got<Files>> {
  const about = `list the files of ${repository.name}`;
  const found = await ask(repository, { ...reading(about), path: `/git/trees/${sha}?recursive=1` }, treeSchema);
  if (found.kind === 'failed') return found;
  const { tree, truncated } = found.value;
  return {
    kind: 'got',
    value: { paths: tree.flatMap(({ path, type }) => (type === 'tree' ? [] : [path])), isWhole: !truncated },
  };
}

/** Returns the SHA of the stored content. */
export async function writeBlob(repository: GitRepository, bytes: Uint8Array): Promise<Got<string>> {
  const body = { content: Buffer.from(bytes).toString('base64'), encoding: 'base64' };
  return shaOf(
    await ask(repository, { ...writing(`store a file in ${repository.name}`), path: '/git/blobs', body }, shaSchema),
  );
}

export async function writeTree(
  repository: GitRepository,
  base: Tip | null,
  changes: readonly TreeChange[],
): Promise<Got<string>> {
  const tree = changes.map(({ path, sha }) => ({ path, mode: '100644', type: 'blob', sha }));
  const body = { tree, ...(base === null ? {} : { base_tree: base.tree }) };
  return shaOf(
    await ask(repository, { ...writing(`store a folder in ${repository.name}`), path: '/git/trees', body }, shaSchema),
  );
}

/**
 * By default, GitHub uses the name and address of the account as author, which may be those of a person. The domain
 * `invalid` is reserved and belongs to no one (RFC 2606).
 */
const author = { name: 'bugferry', email: 'bugferry@bugferry.invalid' };

/** Without a base, the commit starts a history. */
export async function writeCommit(
  repository: GitRepository,
  base: Tip | null,
  tree: string,
  message: string,
): Promise<Got<string>> {
  const body = { message, tree, parents: base === null ? [] : [base.commit], author, committer: author };
  return shaOf(
    await ask(repository, { ...writing(`commit files to ${repository.name}`), path: '/git/commits', body }, shaSchema),
  );
}

const historySchema = z.array(z.object({ commit: z.object({ author: z.object({ email: z.string() }).nullish() }) }));

/** A guard against endless paging; each commit adds files of one cycle. */
const pagesMax = 10_000;

/** Whether only the bridge has committed up to here. Source: GET /repos/{owner}/{repo}/commits */
export async function isOwnHistory(repository: GitRepository, tip: Tip): Promise<Got<boolean>> {
  const about = `look at the history of files in ${repository.name}`;
  let path: string | null = `${repository.path}/commits?sha=${tip.commit}&per_page=100`;
  for (let pages = 0; path !== null; pages += 1) {
    const why = `The history of files in ${repository.name} does not end.`;
    if (pages === pagesMax) return { kind: 'failed', failure: { kind: 'unknown', why } };
    const reply = await repository.client.send({ ...reading(about), path });
    if (reply.kind !== 'answered')
      return { kind: 'failed', failure: reply.kind === 'failed' ? reply.failure : noContent(about) };
    const parsed = parseAnswer(historySchema, reply, about);
    if (parsed.kind === 'failed') return parsed;
    if (parsed.value.some(({ commit }) => commit.author?.email !== author.email)) return { kind: 'got', value: false };
    path = nextPath(reply, repository.client.root);
  }
  return { kind: 'got', value: true };
}

/**
 * Moves the branch to a commit that does not descend from `base`, or with null deletes it. GitHub compares nothing, so
 * the read and the move share one turn of the lane; null if someone else had moved the branch.
 */
export function replaceBranch(
  { client, ...place }: GitRepository,
  branch: string,
  base: Tip,
  commit: string | null,
): Promise<Got<null> | null> {
  return client.within('edit', async (send) => {
    const repository = { ...place, client: { ...client, send } };
    const tip = await readTip(repository, branch);
    if (tip.kind === 'failed') return tip;
    if (tip.value?.commit !== base.commit) return null;
    const about = `${commit === null ? 'delete' : 'move'} the branch ${branch} of ${place.name}`;
    const request = { ...writing(about), path: `/git/refs/${refOf(branch)}` };
    if (commit === null) {
      const reply = await send({ ...request, method: 'DELETE', path: place.path + request.path });
      return reply.kind === 'failed' ? reply : { kind: 'got', value: null };
    }
    const moved = await ask(repository, { ...request, method: 'PATCH', body: { sha: commit, force: true } }, refSchema);
    return moved.kind === 'failed' ? moved : { kind: 'got', value: null };
  });
}

/** Fast-forwards the branch from `base`, or creates it. Refused if someone else was faster. */
export async function moveBranch(
  repository: GitRepository,
  branch: string,
  base: Tip | null,
  commit: string,
): Promise<Got<null>> {
  const about = `move the branch ${branch} of ${repository.name}`;
  const request =
    base === null
      ? ({ ...writing(about), path: '/git/refs', body: { ref: `refs/heads/${branch}`, sha: commit } } as const)
      : ({
          ...writing(about),
          method: 'PATCH',
          path: `/git/refs/${refOf(branch)}`,
          body: { sha: commit, force: false },
        } as const);
  const moved = await ask(repository, request, refSchema);
  return moved.kind === 'failed' ? moved : { kind: 'got', value: null };
}

const reading = (about: string) => ({ method: 'GET', cost: 'read', about }) as const;
const writing = (about: string) => ({ method: 'POST', cost: 'edit', about }) as const;
const refOf = (branch: string): string => `heads/${branch.split('/').map(encodeURIComponent).join('/')}`;
const shaOf = (got: Got<{ readonly sha: string }>): Got<string> =>
  got.kind === 'failed' ? got : { kind: 'got', value: got.value.sha };

async function ask<T>({ client, path, name }: GitRepository, request: Ask, schema: z.ZodType<T>): Promise<Got<T>> {
  const reply = await client.send({ ...request, path: path + request.path });
  if (reply.kind === 'failed') return reply;
  if (reply.kind === 'unchanged')
    return { kind: 'failed', failure: { kind: 'unknown', why: `GitHub gave no content of ${name}` } };
  const answer: Answer = reply;
  const parsed = parseAnswer(schema, answer, request.about);
  return parsed.kind === 'failed' ? parsed : { kind: 'got', value: parsed.value };
}

/** The git SHA of a blob: SHA-1 over its kind, length and content, in hexadecimal. */
export async function gitBlobSha(bytes: Uint8Array): Promise<string> {
  const header = new TextEncoder().encode(`blob ${bytes.length}\0`);
  const whole = new Uint8Array(header.length + bytes.length);
  whole.set(header);
  whole.set(bytes, header.length);
  return hexDigest('SHA-1', whole);
}

export async function hexDigest(algorithm: 'SHA-1' | 'SHA-256', bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  return Buffer.from(await crypto.subtle.digest(algorithm, bytes)).toString('hex');
}

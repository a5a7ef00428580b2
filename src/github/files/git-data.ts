/** Git data of one repository, below the level of files. Source: GitHub's REST API, "Git database". Nothing here is retried. */
import * as z from 'zod';
import type { Answer, Ask } from '../client.ts';
import type { Failure } from '../failure.ts';
import type { Repository } from '../repository.ts';
import { parseAnswer } from '../schema.ts';

export type GitRepository = Pick<Repository, 'client' | 'name' | 'path'>;

export type Got<T> = { readonly kind: 'got'; readonly value: T } | { readonly kind: 'failed'; readonly failure: Failure };

/** A file to put into a tree, or with null to take out of it. */
export interface TreeChange {
  readonly path: string;
  readonly sha: string | null;
}

export interface TreeEntry {
  readonly path: string;
  readonly type: string;
  readonly sha: string;
}

/** The tip of a branch; null where there is no such branch yet. */
export interface Tip {
  readonly commit: string;
  readonly tree: string;
}

const shaSchema = z.object({ sha: z.string() });
const refSchema = z.object({ object: z.object({ sha: z.string() }) });
const commitSchema = z.object({ tree: shaSchema });
const treeSchema = z.object({ tree: z.array(z.object({ path: z.string(), type: z.string(), sha: z.string() })), truncated: z.boolean() });

export async function readTip(repository: GitRepository, branch: string): Promise<Got<Tip | null>> {
  const ref = await ask(
    repository,
    { ...reading(`look at the branch ${branch} of ${repository.name}`), path: `/git/ref/${refOf(branch)}` },
    refSchema,
  );
  if (ref.kind === 'failed' && ref.failure.kind === 'gone' && ref.failure.gone.kind === 'missing') return { kind: 'got', value: null };
  if (ref.kind === 'failed') return ref;
  const { sha } = ref.value.object;
  const commit = await ask(
    repository,
    { ...reading(`look at commit ${sha} of ${repository.name}`), path: `/git/commits/${sha}` },
    commitSchema,
  );
  return commit.kind === 'failed' ? commit : { kind: 'got', value: { commit: sha, tree: commit.value.tree.sha } };
}

/** What stands directly in a folder. */
export async function readTree(repository: GitRepository, sha: string): Promise<Got<readonly TreeEntry[]>> {
  const found = await ask(repository, { ...reading(`look at a folder of ${repository.name}`), path: `/git/trees/${sha}` }, treeSchema);
  return found.kind === 'failed' ? found : { kind: 'got', value: found.value.tree };
}

/** Answers the name that GitHub gave to the content. */
export async function writeBlob(repository: GitRepository, bytes: Uint8Array): Promise<Got<string>> {
  const body = { content: Buffer.from(bytes).toString('base64'), encoding: 'base64' };
  return shaOf(await ask(repository, { ...writing(`store a file in ${repository.name}`), path: '/git/blobs', body }, shaSchema));
}

export async function writeTree(repository: GitRepository, base: Tip | null, changes: readonly TreeChange[]): Promise<Got<string>> {
  const tree = changes.map(({ path, sha }) => ({ path, mode: '100644', type: 'blob', sha }));
  const body = { tree, ...(base === null ? {} : { base_tree: base.tree }) };
  return shaOf(await ask(repository, { ...writing(`store a folder in ${repository.name}`), path: '/git/trees', body }, shaSchema));
}

export async function writeCommit(repository: GitRepository, base: Tip | null, tree: string, message: string): Promise<Got<string>> {
  const body = { message, tree, parents: base === null ? [] : [base.commit] };
  return shaOf(await ask(repository, { ...writing(`commit files to ${repository.name}`), path: '/git/commits', body }, shaSchema));
}

/** Moves the branch on from `base`, or makes it. Refused when somebody else was faster. */
export async function moveBranch(repository: GitRepository, branch: string, base: Tip | null, commit: string): Promise<Got<null>> {
  const about = `move the branch ${branch} of ${repository.name}`;
  const request =
    base === null
      ? ({ ...writing(about), path: '/git/refs', body: { ref: `refs/heads/${branch}`, sha: commit } } as const)
      : ({ ...writing(about), method: 'PATCH', path: `/git/refs/${refOf(branch)}`, body: { sha: commit, force: false } } as const);
  const moved = await ask(repository, request, refSchema);
  return moved.kind === 'failed' ? moved : { kind: 'got', value: null };
}

const reading = (about: string) => ({ method: 'GET', cost: 'read', about }) as const;
const writing = (about: string) => ({ method: 'POST', cost: 'edit', about }) as const;
const refOf = (branch: string): string => `heads/${branch.split('/').map(encodeURIComponent).join('/')}`;
const shaOf = (got: Got<{ readonly sha: string }>): Got<string> => (got.kind === 'failed' ? got : { kind: 'got', value: got.value.sha });

async function ask<T>({ client, path, name }: GitRepository, request: Ask, schema: z.ZodType<T>): Promise<Got<T>> {
  const reply = await client.send({ ...request, path: path + request.path });
  if (reply.kind === 'failed') return reply;
  if (reply.kind === 'unchanged') return { kind: 'failed', failure: { kind: 'unknown', why: `GitHub gave no content of ${name}` } };
  const answer: Answer = reply;
  const parsed = parseAnswer(schema, answer, request.about);
  return parsed.kind === 'failed' ? parsed : { kind: 'got', value: parsed.value };
}

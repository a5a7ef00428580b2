import { SideError } from '../model/outcome.ts';
import type { Route } from '../model/route.ts';
import type { IssueField } from '../model/survey.ts';
import type { Answer, Ask, GithubClient, Reply } from './connection/client.ts';
import { readError } from './connection/failure.ts';

/** One repository and the client to reach it. */
export interface Repository {
  readonly client: GithubClient;
  readonly owner: string;
  /** `owner/name`, for messages. */
  readonly name: string;
  /** Its path below the API's root. */
  readonly path: string;
  readonly pageSize: number;
  /** Known numbers of milestones, by title. */
  readonly milestones: Map<string, number>;
  /** Creations in progress, by kind and name. */
  readonly making: Map<string, Promise<Reply>>;
  /** Numbers that an unfinished search for new issues found to be none. */
  readonly passed: Set<number>;
  /** The issue fields of its owner, once read. `readAt` is epoch milliseconds. */
  readonly fields: { known: { readonly list: readonly IssueField[]; readonly readAt: number } | null };
}

/** `pageSize` is at most 100, which is GitHub's own limit. */
export function repositoryOf(client: GithubClient, { owner, repo }: Pick<Route, 'owner' | 'repo'>, pageSize = 100): Repository {
  const path = `/repos/${encodeURIComponent(owner)}/${encodeURIComponent(repo)}`;
  const known = { milestones: new Map(), making: new Map(), passed: new Set<number>(), fields: { known: null } };
  return { client, owner, name: `${owner}/${repo}`, path, pageSize, ...known };
}

/**
 * The repository within a turn of the lane, where requests do not queue. A turn must not wait for something that waits for its own turn,
 * so creations in progress are not shared.
 */
export const withinTurn = (repository: Repository, send: GithubClient['send']): Repository => ({
  ...repository,
  client: { ...repository.client, send },
  making: new Map(),
});

/** Sends a request that creates something unique; concurrent callers for the same thing share the answer. */
export function makeOnce({ client, making }: Repository, key: string, ask: Ask): Promise<Reply> {
  const known = making.get(key.toLowerCase());
  if (known !== undefined) return known;
  const reply = client.send(ask).finally(() => making.delete(key.toLowerCase()));
  making.set(key.toLowerCase(), reply);
  return reply;
}

/** Sends a GET below the repository's path. */
export function get(repository: Repository, rest: string, about: string, etag: string | null = null): Promise<Reply> {
  return repository.client.send({ method: 'GET', path: repository.path + rest, cost: 'read', about, etag });
}

/** @throws SideError unless the reply is an answer. */
export function answered(reply: Reply, about: string): Answer {
  if (reply.kind === 'answered') return reply;
  if (reply.kind === 'failed') throw readError(reply.failure);
  throw new SideError('later', `GitHub answered "not modified" when asked to ${about}, although the request had no ETag.`);
}

import { SideError } from '../model/outcome.ts';
import type { Route } from '../model/route.ts';
import type { IssueField } from '../model/survey.ts';
import type { Answer, Ask, GithubClient, Reply } from './connection/client.ts';
import { readError } from './connection/failure.ts';

/** One repository as a client sees it. */
export interface Repository {
  readonly client: GithubClient;
  readonly owner: string;
  /** `owner/name`, for people. */
  readonly name: string;
  /** Its address below the API's root. */
  readonly path: string;
  readonly pageSize: number;
  /** Numbers of milestones that were looked up, by title. */
  readonly milestones: Map<string, number>;
  /** What is being made at this moment, by its kind and name. */
  readonly making: Map<string, Promise<Reply>>;
  /** The fields that its owner's issues have, once they were asked for. `readAt` is epoch milliseconds. */
  readonly fields: { known: { readonly list: readonly IssueField[]; readonly readAt: number } | null };
}

/** `pageSize` is at most 100, which is GitHub's own limit. */
export function repositoryOf(client: GithubClient, { owner, repo }: Pick<Route, 'owner' | 'repo'>, pageSize = 100): Repository {
  const path = `/repos/${encodeURIComponent(owner)}/${encodeURIComponent(repo)}`;
  return { client, owner, name: `${owner}/${repo}`, path, pageSize, milestones: new Map(), making: new Map(), fields: { known: null } };
}

/**
 * The repository within a turn of the lane, where requests do not queue. Nothing that waits for a turn of its own may be waited for there,
 * so what others are making is not shared.
 */
export const withinTurn = (repository: Repository, send: GithubClient['send']): Repository => ({
  ...repository,
  client: { ...repository.client, send },
  making: new Map(),
});

/** Sends what makes something that can be there only once; whoever wants the same meanwhile shares the answer. */
export function makeOnce({ client, making }: Repository, key: string, ask: Ask): Promise<Reply> {
  const known = making.get(key.toLowerCase());
  if (known !== undefined) return known;
  const reply = client.send(ask).finally(() => making.delete(key.toLowerCase()));
  making.set(key.toLowerCase(), reply);
  return reply;
}

/** Sends a GET below the repository's address. */
export function get(repository: Repository, rest: string, about: string, etag: string | null = null): Promise<Reply> {
  return repository.client.send({ method: 'GET', path: repository.path + rest, cost: 'read', about, etag });
}

/** @throws SideError unless the reply is an answer. */
export function answered(reply: Reply, about: string): Answer {
  if (reply.kind === 'answered') return reply;
  if (reply.kind === 'failed') throw readError(reply.failure);
  throw new SideError('later', `GitHub answered "not modified" when asked to ${about}, although nothing was held against it.`);
}

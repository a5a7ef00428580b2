import { SideError } from '../model/outcome.ts';
import type { Answer, GithubClient, Reply } from './client.ts';
import { readError } from './failure.ts';

/** One repository as a client sees it. */
export interface Repository {
  readonly client: GithubClient;
  /** `owner/name`, for people. */
  readonly name: string;
  /** Its address below the API's root. */
  readonly path: string;
  readonly pageSize: number;
  /** Numbers of milestones that were looked up, by title. */
  readonly milestones: Map<string, number>;
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

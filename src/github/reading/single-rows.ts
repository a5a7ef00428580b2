/** Single rows of a list of which GitHub did not answer the page that has them. */

import * as z from 'zod';
import type { Answer, Reply } from '../connection/client.ts';
import { type Failure, readError, whyOf } from '../connection/failure.ts';
import { parseAnswer } from '../map.ts';
import { answered, get, type Repository } from '../repository.ts';
import { type Feed, type Row, readPage } from './feed.ts';
import type { Named } from './named-rows.ts';

export interface Asked<T> {
  readonly repository: Repository;
  readonly feed: Feed<T>;
  /** The page that failed. */
  readonly path: string;
  /** The sum of a version of a row that is no news; null for news. Absent if all are. */
  readonly knownSum?: (id: number, changedAt: number) => number | null;
}

export function knownRow<T>({ knownSum = () => null }: Asked<T>, { id, changedAt }: Named): Row<T> | null {
  const sum = knownSum(id, changedAt);
  return sum === null ? null : { id, changedAt, item: null, sum };
}

export function failedRow<T>({ feed }: Asked<T>, { ref, id, changedAt }: Named, failure: Failure): Row<T> {
  const of = feed.name === 'comments' ? ({ of: 'thread' } as const) : {};
  return { id, changedAt, item: null, sum: 0, failed: { ref, ...of, why: whyOf(failure), isOfSide: true } };
}

/**
 * A row that no part had. Null if it is gone.
 * @throws SideError if the failure concerns more than this row
 */
export async function readAlone<T>({ repository, feed, ...rest }: Asked<T>, named: Named): Promise<Row<T> | null> {
  const { ref, id } = named;
  const isOfThread = feed.name === 'comments';
  const path = repository.path + (isOfThread ? `/issues/comments/${id}` : `/issues/${ref}`);
  const about = `read ${isOfThread ? 'a comment on ' : ''}${repository.name}#${ref}`;
  const reply = await repository.client.send({ method: 'GET', path, cost: 'read', about });
  const failure = failureOf(reply, about);
  if (failure === null) {
    const answer = answered(reply, about);
    return readPage(feed, repository, { path, answer: { ...answer, data: [answer.data] } }).rows[0] ?? null;
  }
  if (failure.kind === 'gone') return null;
  if (!isOfOne(failure) && failure.kind !== 'refused') throw readError(failure);
  return failedRow({ repository, feed, ...rest }, named, failure);
}

/** An answer that is no JSON was cut on its way. */
export function failureOf(reply: Reply, about: string): Failure | null {
  if (reply.kind !== 'answered') return reply.kind === 'failed' ? reply.failure : null;
  const parsed = parseAnswer(z.union([z.array(z.unknown()), z.looseObject({})]), reply, about);
  return parsed.kind === 'failed' ? parsed.failure : null;
}

/** Whether a smaller request might be answered: an error of the server, no answer in time, or a cut one. */
export const isOfOne = (failure: Failure): boolean => failure.kind === 'unknown' && failure.at === undefined;

/** A server in trouble gets few requests. */
export async function greetingOf(repository: Repository): Promise<Answer | null> {
  const reply = await get(repository, '', `look at ${repository.name}`);
  return reply.kind === 'answered' ? reply : null;
}

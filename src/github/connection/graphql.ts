import * as z from 'zod';
import { parseAnswer } from '../schema.ts';
import { classifyErrors, type GraphqlError } from './classify-answer.ts';
import type { Answer, GithubClient } from './client.ts';
import { type Failure, inSentences, noContent, whyOf } from './failure.ts';

/**
 * What GraphQL answered. `data` are the fields that were asked for, by their aliases; what failed is missing. `failure` says why some of
 * them are; null where nothing went wrong.
 */
export type GraphqlReply =
  | { readonly kind: 'answered'; readonly data: Readonly<Record<string, unknown>>; readonly failure: Failure | null }
  | { readonly kind: 'failed'; readonly failure: Failure };

const answerSchema = z.object({
  data: z.record(z.string(), z.unknown()).nullish(),
  errors: z.array(z.object({ type: z.string().nullish(), message: z.string() })).nullish(),
  /** Limits are told in the form of REST as well. */
  message: z.string().nullish(),
});

/**
 * POST /graphql; an Enterprise Server has it beside the root of REST. What fails within an operation is told with status 200. An address
 * that is not there says that a server has no GraphQL, or lets nobody near it, and nothing of what was asked about.
 */
export async function askGraphql(client: GithubClient, query: string, cost: 'read' | 'edit', about: string): Promise<GraphqlReply> {
  const isEnterprise = client.root.pathname.replace(/\/+$/u, '').endsWith('/api/v3');
  const path = isEnterprise ? new URL('/api/graphql', client.root).href : '/graphql';
  const reply = await client.send({ method: 'POST', path, cost, about, body: { query } });
  if (reply.kind === 'answered') return resultOf(client, reply, about);
  if (reply.kind === 'unchanged') return { kind: 'failed', failure: noContent(about) };
  if (reply.failure.kind !== 'gone') return reply;
  return { kind: 'failed', failure: { kind: 'refused', why: inSentences(whyOf(reply.failure), 'It offers no GraphQL here') } };
}

function resultOf(client: GithubClient, answer: Answer, about: string): GraphqlReply {
  const parsed = parseAnswer(answerSchema, answer, about);
  // A write that was answered in a form that nobody knows has probably taken place.
  if (parsed.kind === 'failed') return { kind: 'failed', failure: { kind: 'unknown', why: whyOf(parsed.failure) } };
  const { data, errors, message } = parsed.value;
  const told: readonly GraphqlError[] = [...(errors ?? []), ...(message ? [{ message }] : [])];
  const failure =
    told.length === 0
      ? null
      : classifyErrors({ status: 200, headers: answer.headers, data: answer.data }, told, { about, now: client.now() });
  const there = Object.entries(data ?? {}).filter(([, value]) => value !== null);
  if (there.length > 0) return { kind: 'answered', data: Object.fromEntries(there), failure };
  return { kind: 'failed', failure: failure ?? noContent(about) };
}

import * as z from 'zod';
import { withoutSlash } from '../../model/named.ts';
import { parseAnswer } from '../map.ts';
import { classifyErrors, type GraphqlError } from './classify-answer.ts';
import type { Answer, GithubClient } from './client.ts';
import { type Failure, inSentences, noContent, whyOf } from './failure.ts';

/**
 * A GraphQL answer. `data` contains the requested fields by alias, without those that failed. `failure` says why they
 * did; null if none failed.
 */
export type GraphqlReply =
  | {
      readonly kind: 'answered';
      readonly data: Readonly<Record<string, unknown>>;
      readonly failure: Failure | null;
      /** GitHub's clock at the answer, epoch milliseconds. */
      readonly readAt: number;
    }
  | { readonly kind: 'failed'; readonly failure: Failure };

/** An account, by the name that REST gives it: GraphQL leaves out the ending of an App's. */
export const actorFields = '__typename login';
export const actorSchema = z
  .object({ __typename: z.string().nullish(), login: z.string() })
  .transform(({ __typename, login }) => (__typename === 'Bot' ? `${login.replace(/\[bot\]$/u, '')}[bot]` : login));

const answerSchema = z.object({
  data: z.record(z.string(), z.unknown()).nullish(),
  errors: z
    .array(
      z.object({
        type: z.string().nullish(),
        message: z.string(),
        extensions: z.object({ code: z.unknown() }).nullish().catch(null),
      }),
    )
    .nullish(),
  /** Limits may also come in the form of REST. */
  message: z.string().nullish(),
});

/**
 * POST /graphql; an Enterprise Server has it beside the REST root. Failures within an operation come with status 200. A
 * 404 says nothing about the requested objects.
 */
export async function askGraphql(
  client: GithubClient,
  query: string,
  cost: 'read' | 'edit',
  about: string,
): Promise<GraphqlReply> {
  const isEnterprise = withoutSlash(client.root.pathname).endsWith('/api/v3');
  const path = isEnterprise ? new URL('/api/graphql', client.root).href : '/graphql';
  const reply = await client.send({ method: 'POST', path, cost, about, body: { query } });
  if (reply.kind === 'answered') return resultOf(client, cost, reply, about);
  if (reply.kind === 'unchanged') return { kind: 'failed', failure: noContent(about) };
  const { failure } = reply;
  const isUnserved = failure.kind === 'gone' || (failure.kind === 'unknown' && failure.isPage === true);
  return { kind: 'failed', failure: isUnserved ? unserved(client, failure) : failure };
}

/**
 * A server that has GraphQL, as github.com and each that has answered a query, does not answer just now; another has
 * none, or blocks it.
 */
function unserved(client: GithubClient, failure: Failure): Failure {
  const why = whyOf(failure);
  return client.graphql.isThere
    ? { kind: 'unknown', why }
    : { kind: 'refused', why: inSentences(why, 'The server offers no GraphQL'), isOfServer: true };
}

function resultOf(client: GithubClient, cost: 'read' | 'edit', answer: Answer, about: string): GraphqlReply {
  const parsed = parseAnswer(answerSchema, answer, about);
  // A write with an answer of unknown form has probably taken effect.
  if (parsed.kind === 'failed') return { kind: 'failed', failure: { kind: 'unknown', why: whyOf(parsed.failure) } };
  client.graphql.isThere = true;
  const { data, errors, message } = parsed.value;
  const reported: readonly GraphqlError[] = [...(errors ?? []), ...(message ? [{ message }] : [])];
  const failure =
    reported.length === 0
      ? null
      : classifyErrors({ status: 200, headers: answer.headers, data: answer.data }, reported, {
          about,
          now: client.now(),
          isQuery: cost === 'read',
        });
  const there = Object.entries(data ?? {}).filter(([, value]) => value !== null);
  if (there.length > 0) return { kind: 'answered', data: Object.fromEntries(there), failure, readAt: answer.readAt };
  return { kind: 'failed', failure: failure ?? noContent(about) };
}

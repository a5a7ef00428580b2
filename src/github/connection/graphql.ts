import * as z from 'zod';
import { withoutSlash } from '../../model/named.ts';
import { parseAnswer } from '../map.ts';
import { classifyErrors, type GraphqlError } from './classify-answer.ts';
import type { Answer, GithubClient } from './client.ts';
import { type Failure, inSentences, noContent, readError, whyOf } from './failure.ts';

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
 * 404 means that the server has no GraphQL or blocks it; it says nothing about the requested objects.
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
  if (reply.kind === 'answered') return resultOf(client, reply, about);
  if (reply.kind === 'unchanged') return { kind: 'failed', failure: noContent(about) };
  if (reply.failure.kind !== 'gone') return reply;
  return {
    kind: 'failed',
    failure: {
      kind: 'refused',
      why: inSentences(whyOf(reply.failure), 'The server offers no GraphQL'),
      isOfServer: true,
    },
  };
}

/**
 * The answer to a question about one thing; null if the server does not know the question. What GitHub cannot answer
 * just now says nothing, so it throws: the thing may be there.
 * @throws SideError
 */
export async function askForOne(
  client: GithubClient,
  query: string,
  about: string,
): Promise<Readonly<Record<string, unknown>> | null> {
  const reply = await askGraphql(client, query, 'read', about);
  if (reply.kind === 'failed' && reply.failure.kind === 'refused' && reply.failure.isOfServer === true) return null;
  if (reply.kind === 'failed') throw readError(reply.failure);
  const failed = reply.failure === null ? null : readError(reply.failure);
  // A part that is refused is kept from us: GitHub has answered.
  if (failed !== null && failed.kind !== 'refused') throw failed;
  return reply.data;
}

function resultOf(client: GithubClient, answer: Answer, about: string): GraphqlReply {
  const parsed = parseAnswer(answerSchema, answer, about);
  // A write with an answer of unknown form has probably taken effect.
  if (parsed.kind === 'failed') return { kind: 'failed', failure: { kind: 'unknown', why: whyOf(parsed.failure) } };
  const { data, errors, message } = parsed.value;
  const reported: readonly GraphqlError[] = [...(errors ?? []), ...(message ? [{ message }] : [])];
  const failure =
    reported.length === 0
      ? null
      : classifyErrors({ status: 200, headers: answer.headers, data: answer.data }, reported, {
          about,
          now: client.now(),
        });
  const there = Object.entries(data ?? {}).filter(([, value]) => value !== null);
  if (there.length > 0) return { kind: 'answered', data: Object.fromEntries(there), failure, readAt: answer.readAt };
  return { kind: 'failed', failure: failure ?? noContent(about) };
}

import type { GithubClient, Reply } from './client.ts';
import { inSentences, whyOf } from './failure.ts';

/**
 * POST /graphql; an Enterprise Server has it beside the root of REST. What fails within an operation is told with status 200. An address
 * that is not there says that a server has no GraphQL, or lets nobody near it, and nothing of what was asked about.
 */
export async function askGraphql(client: GithubClient, query: string, cost: 'read' | 'edit', about: string): Promise<Reply> {
  const isEnterprise = client.root.pathname.replace(/\/+$/u, '').endsWith('/api/v3');
  const path = isEnterprise ? new URL('/api/graphql', client.root).href : '/graphql';
  const reply = await client.send({ method: 'POST', path, cost, about, body: { query } });
  if (reply.kind !== 'failed' || reply.failure.kind !== 'gone') return reply;
  return { kind: 'failed', failure: { kind: 'refused', why: inSentences(whyOf(reply.failure), 'It offers no GraphQL here') } };
}

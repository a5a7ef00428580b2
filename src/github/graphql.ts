import type { GithubClient, Reply } from './client.ts';

/** POST /graphql; an Enterprise Server has it beside the root of REST. What fails within an operation is told with status 200. */
export function askGraphql(client: GithubClient, query: string, cost: 'read' | 'edit', about: string): Promise<Reply> {
  const isEnterprise = client.root.pathname.replace(/\/+$/u, '').endsWith('/api/v3');
  const path = isEnterprise ? new URL('/api/graphql', client.root).href : '/graphql';
  return client.send({ method: 'POST', path, cost, about, body: { query } });
}

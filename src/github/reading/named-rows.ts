/** Which rows a list of GitHub's has, as GraphQL says, which shows little of each and so fails on none. */

import * as z from 'zod';
import { askGraphql } from '../connection/graphql.ts';
import type { Repository } from '../repository.ts';
import type { Feed } from './feed.ts';

const stamped = { fullDatabaseId: z.coerce.number().int(), updatedAt: z.iso.datetime({ offset: true }) };
const namesSchema = z.object({
  issues: z.object({
    nodes: z.array(
      z.object({
        ...stamped,
        number: z.number().int(),
        comments: z.object({ nodes: z.array(z.object(stamped)) }).optional(),
      }),
    ),
  }),
});

/** `ref` is the number of the issue. */
interface Named {
  readonly ref: number;
  readonly id: number;
  readonly changedAt: number;
}

/**
 * Its first rows, without those with these ids; null if GraphQL does not answer.
 * Source: docs.github.com, GraphQL reference, `Repository.issues`, `IssueOrder`, `IssueFilters`.
 */
export async function namedBeside(
  { repository, feed, path }: { readonly repository: Repository; readonly feed: Feed<unknown>; readonly path: string },
  known: ReadonlyMap<number, unknown>,
): Promise<readonly Named[] | null> {
  const [owner, name] = repository.name.split('/').map((part) => JSON.stringify(part));
  const direction = isAscending(path) ? 'ASC' : 'DESC';
  const since = new URL(path, 'https://api.github.com').searchParams.get('since');
  const filter = since === null ? '' : `, filterBy: { since: ${JSON.stringify(since)} }`;
  const isOfThread = feed.name === 'comments';
  const inner =
    'comments(first: 100, orderBy: { field: UPDATED_AT, direction: DESC }) { nodes { fullDatabaseId updatedAt } }';
  const query = `query { repository(owner: ${owner}, name: ${name}) {
    issues(first: 100, orderBy: { field: UPDATED_AT, direction: ${direction} }${filter}) {
      nodes { number fullDatabaseId updatedAt ${isOfThread ? inner : ''} } } } }`;
  const reply = await askGraphql(repository.client, query, 'read', `name the ${feed.name} of ${repository.name}`);
  const listed = namesSchema.safeParse(reply.kind === 'failed' ? null : reply.data['repository']);
  if (!listed.success) return null;
  const all = listed.data.issues.nodes.flatMap(({ number: ref, comments, ...issue }) =>
    (isOfThread ? (comments?.nodes ?? []) : [issue]).map(({ fullDatabaseId: id, updatedAt }) => ({
      ref,
      id,
      changedAt: Date.parse(updatedAt),
    })),
  );
  const sign = isAscending(path) ? 1 : -1;
  return all
    .filter(({ id, changedAt }) => !known.has(id) && (since === null || changedAt >= Date.parse(since)))
    .sort((one, other) => (one.changedAt - other.changedAt) * sign);
}

export const isAscending = (path: string): boolean => path.includes('direction=asc');

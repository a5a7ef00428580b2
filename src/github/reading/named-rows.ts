/** Which rows a list of GitHub's has, as GraphQL says, which shows little of each and so fails on none. */

import * as z from 'zod';
import { askGraphql } from '../connection/graphql.ts';
import type { Repository } from '../repository.ts';
import type { Feed } from './feed.ts';

const stamped = { fullDatabaseId: z.coerce.number().int(), updatedAt: z.iso.datetime({ offset: true }) };
const pageInfo = z.object({ hasNextPage: z.boolean(), endCursor: z.string().nullable() });
const namesSchema = z.object({
  issues: z.object({
    pageInfo,
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
export interface Named {
  readonly ref: number;
  readonly id: number;
  readonly changedAt: number;
}

interface Wanted {
  readonly repository: Repository;
  readonly feed: Pick<Feed<unknown>, 'name'>;
  /** The page of the list. */
  readonly path: string;
}

/**
 * Its rows up to the end of this page, without those with these ids; null if GraphQL does not answer.
 * Source: docs.github.com, GraphQL reference, `Repository.issues`, `IssueOrder`, `IssueFilters`.
 */
export async function namedBeside(
  wanted: Wanted,
  known: ReadonlyMap<number, unknown>,
): Promise<readonly Named[] | null> {
  const { feed, path } = wanted;
  const { searchParams } = new URL(path, 'https://api.github.com');
  const since = searchParams.get('since');
  const end = Number(searchParams.get('per_page')) * Number(searchParams.get('page') ?? 1);
  const all: Named[] = [];
  // The comments of a page are on as many issues at most, and the changes of these are newer.
  for (let after: string | null = '', count = 0; after !== null && (count === 0 || count < end); count += 100) {
    const listed: z.infer<typeof namesSchema> | null = await namedAfter(wanted, { after, since });
    if (listed === null) return null;
    const { nodes, pageInfo } = listed.issues;
    for (const { number: ref, comments, ...issue } of nodes)
      for (const { fullDatabaseId: id, updatedAt } of feed.name === 'comments' ? (comments?.nodes ?? []) : [issue])
        all.push({ ref, id, changedAt: Date.parse(updatedAt) });
    after = pageInfo.hasNextPage ? pageInfo.endCursor : null;
  }
  const sign = isAscending(path) ? 1 : -1;
  return all
    .filter(({ id, changedAt }) => !known.has(id) && (since === null || changedAt >= Date.parse(since)))
    .sort((one, other) => (one.changedAt - other.changedAt) * sign);
}

async function namedAfter(
  { repository, feed, path }: Wanted,
  { after, since }: { readonly after: string; readonly since: string | null },
): Promise<z.infer<typeof namesSchema> | null> {
  const [owner, name] = repository.name.split('/').map((part) => JSON.stringify(part));
  const direction = isAscending(path) ? 'ASC' : 'DESC';
  const filter = since === null ? '' : `, filterBy: { since: ${JSON.stringify(since)} }`;
  const place = after === '' ? '' : `, after: ${JSON.stringify(after)}`;
  const inner =
    feed.name === 'comments'
      ? 'comments(first: 100, orderBy: { field: UPDATED_AT, direction: DESC }) { nodes { fullDatabaseId updatedAt } }'
      : '';
  const query = `query { repository(owner: ${owner}, name: ${name}) {
    issues(first: 100${place}, orderBy: { field: UPDATED_AT, direction: ${direction} }${filter}) {
      pageInfo { hasNextPage endCursor } nodes { number fullDatabaseId updatedAt ${inner} } } } }`;
  const reply = await askGraphql(repository.client, query, 'read', `name the ${feed.name} of ${repository.name}`);
  return namesSchema.safeParse(reply.kind === 'failed' ? null : reply.data['repository']).data ?? null;
}

const madeSchema = z.object({
  issues: z.object({
    pageInfo,
    nodes: z.array(z.object({ number: z.number().int(), createdAt: z.iso.datetime({ offset: true }) })),
  }),
});

/** How many pages of a hundred issues are looked through, and how long: all of these were made since one request. */
const [pagesMax, patienceMs] = [100, 45_000];

/** Where the numbers of issues that were made since begin. */
export interface Beginning {
  /** The number of the last issue from before; 0 if there was none. */
  readonly last: number;
  /** GitHub's clock less ours. */
  readonly aheadMs: number;
}

/** Null if GraphQL does not answer. */
export async function lastMadeBefore({ client, name }: Repository, sinceAt: number): Promise<Beginning | null> {
  const [owner, repo] = name.split('/').map((part) => JSON.stringify(part));
  const seen = new Set<string>();
  const untilAt = client.now() + patienceMs;
  for (let after = ''; ; ) {
    const query = `query { repository(owner: ${owner}, name: ${repo}) {
      issues(first: 100${after}, orderBy: { field: CREATED_AT, direction: DESC }) {
        pageInfo { hasNextPage endCursor } nodes { number createdAt } } } }`;
    const reply = await askGraphql(client, query, 'read', `name the newest issues of ${name}`);
    if (reply.kind === 'failed') return null;
    const { data: { issues } = {} } = madeSchema.safeParse(reply.data['repository']);
    if (issues === undefined) return null;
    const aheadMs = reply.readAt - client.now();
    const last = issues.nodes.find(({ createdAt }) => Date.parse(createdAt) < sinceAt + aheadMs);
    const { hasNextPage, endCursor } = issues.pageInfo;
    if (last !== undefined || !hasNextPage || endCursor === null) return { last: last?.number ?? 0, aheadMs };
    // Otherwise this would never end.
    if (seen.has(endCursor) || seen.size === pagesMax || client.now() > untilAt) return null;
    seen.add(endCursor);
    after = `, after: ${JSON.stringify(endCursor)}`;
  }
}

export const isAscending = (path: string): boolean => path.includes('direction=asc');

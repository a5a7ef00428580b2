import * as z from 'zod';
import type { Closing } from '../model/importer.ts';
import type { CloseReason } from '../model/item.ts';
import type { Outcome } from '../model/outcome.ts';
import type { GithubClient } from './client.ts';
import { noContent, writeOutcome } from './failure.ts';
import { askGraphql } from './graphql.ts';

/** GitHub answers within ten seconds or gives up half done; closing again what is closed does no harm. */
const batchMax = 25;
/** To look names up is cheap. */
const namesMax = 100;

const nodesSchema = z.object({
  data: z.object({ repository: z.record(z.string(), z.object({ id: z.string() }).nullable()).nullable() }).nullish(),
});

/**
 * Closes issues by GraphQL, as REST takes one issue at a time: one query for the names of many, then mutations that each close a batch. What
 * is refused of it stays open, which shows when the issues are read next.
 * Source: docs.github.com, GraphQL reference, `closeIssue`.
 */
export async function closeAll(client: GithubClient, place: Place, closings: readonly Closing[]): Promise<Outcome<null>> {
  for (const named of batchesOf(closings, namesMax)) {
    const nodes = await nodesOf(client, place, named);
    if (nodes.kind !== 'applied') return nodes;
    const mutations = named.flatMap((closing) => mutationOf(closing, nodes.item));
    for (const batch of batchesOf(mutations, batchMax)) {
      const about = `close ${batch.length} issues of ${place.owner}/${place.repo}`;
      const closed = await askGraphql(client, `mutation { ${batch.join(' ')} }`, 'edit', about);
      if (closed.kind === 'failed') return writeOutcome(closed.failure);
    }
  }
  return { kind: 'applied', item: null };
}

interface Place {
  readonly owner: string;
  readonly repo: string;
}

const batchesOf = <T>(list: readonly T[], size: number): readonly (readonly T[])[] =>
  Array.from({ length: Math.ceil(list.length / size) }, (_, index) => list.slice(index * size, (index + 1) * size));

type Nodes = Readonly<Record<string, { readonly id: string } | null>>;

async function nodesOf(client: GithubClient, { owner, repo }: Place, closings: readonly Closing[]): Promise<Outcome<Nodes>> {
  const numbers = new Set<number>(closings.flatMap(({ issue, duplicateOf }) => [issue, ...(duplicateOf === null ? [] : [duplicateOf])]));
  const about = `find ${numbers.size} issues of ${owner}/${repo}`;
  const fields = [...numbers].map((number) => `i${number}: issue(number: ${number}) { id }`);
  const query = `query { repository(owner: ${JSON.stringify(owner)}, name: ${JSON.stringify(repo)}) { ${fields.join(' ')} } }`;
  const found = await askGraphql(client, query, 'read', about);
  if (found.kind === 'failed') return writeOutcome(found.failure);
  if (found.kind === 'unchanged') return noContent(about);
  const parsed = nodesSchema.safeParse(found.data);
  return { kind: 'applied', item: parsed.success ? (parsed.data.data?.repository ?? {}) : {} };
}

const names: Readonly<Record<CloseReason, string>> = { completed: 'COMPLETED', not_planned: 'NOT_PLANNED', duplicate: 'DUPLICATE' };

function mutationOf({ issue, reason, duplicateOf }: Closing, nodes: Nodes): readonly string[] {
  const id = nodes[`i${issue}`]?.id;
  const original = duplicateOf === null ? undefined : nodes[`i${duplicateOf}`]?.id;
  if (id === undefined) return [];
  const duplicate = original === undefined ? '' : `, duplicateIssueId: ${JSON.stringify(original)}`;
  const input = `{ issueId: ${JSON.stringify(id)}, stateReason: ${names[reason]}${duplicate} }`;
  return [`c${issue}: closeIssue(input: ${input}) { issue { number } }`];
}

import * as z from 'zod';
import type { CloseReason } from '../../model/item.ts';
import type { Batch, Closing } from '../../model/migration.ts';
import type { NotApplied } from '../../model/outcome.ts';
import type { GithubClient } from '../connection/client.ts';
import { type Failure, unwrittenOutcome, writeOutcome } from '../connection/failure.ts';
import { askGraphql } from '../connection/graphql.ts';
import type { RepositoryName } from '../repository.ts';

/** GitHub answers within ten seconds or stops halfway; closing a closed issue again does no harm. */
const batchMax = 25;
/** Looking up ids is cheap. */
const namesMax = 100;

const nodesSchema = z.object({ repository: z.record(z.string(), z.object({ id: z.string() }).nullable()) });
const closedSchema = z.object({ issue: z.object({ number: z.number(), state: z.literal('CLOSED') }) });

/**
 * Closes issues by GraphQL, as REST takes one issue at a time: one query for the ids of many, then mutations that each
 * close a batch. A refused issue stays open, and the others are closed; any other failure ends the run. Source:
 * docs.github.com, GraphQL reference, `closeIssue`.
 */
export async function closeAll(
  client: GithubClient,
  repository: RepositoryName,
  closings: readonly Closing[],
): Promise<Batch> {
  const done = new Set<number>();
  let refusal: NotApplied | null = null;
  for (const named of batchesOf(closings, namesMax)) {
    const found = await nodesOf(client, repository, named);
    if (found.kind === 'failed') return { done, failure: unwrittenOutcome(found.failure) };
    const mutations = named.flatMap((closing) => mutationOf(closing, found.nodes));
    for (const batch of batchesOf(mutations, batchMax)) {
      const about = `close ${batch.length} issues of ${repository.owner}/${repository.repo}`;
      const reply = await askGraphql(client, `mutation { ${batch.join(' ')} }`, 'edit', about);
      const closed = reply.kind === 'answered' ? Object.values(reply.data).flatMap(numberClosed) : [];
      for (const number of closed) done.add(number);
      if (reply.failure === null) continue;
      refusal = writeOutcome(reply.failure);
      if (refusal.kind !== 'refused' || closed.length === 0) return { done, failure: refusal };
    }
  }
  return { done, failure: refusal };
}

const batchesOf = <T>(list: readonly T[], size: number): readonly (readonly T[])[] =>
  Array.from({ length: Math.ceil(list.length / size) }, (_, index) => list.slice(index * size, (index + 1) * size));

function numberClosed(result: unknown): readonly number[] {
  const parsed = closedSchema.safeParse(result);
  return parsed.success ? [parsed.data.issue.number] : [];
}

type Nodes = Readonly<Record<string, { readonly id: string } | null>>;
type NodesRead =
  | { readonly kind: 'found'; readonly nodes: Nodes }
  | { readonly kind: 'failed'; readonly failure: Failure };

async function nodesOf(
  client: GithubClient,
  { owner, repo }: RepositoryName,
  closings: readonly Closing[],
): Promise<NodesRead> {
  const numbers = new Set<number>(
    closings.flatMap(({ issue, duplicateOf }) => [issue, ...(duplicateOf === null ? [] : [duplicateOf])]),
  );
  const about = `find ${numbers.size} issues of ${owner}/${repo}`;
  const fields = [...numbers].map((number) => `i${number}: issue(number: ${number}) { id }`);
  const query = `query { repository(owner: ${JSON.stringify(owner)}, name: ${JSON.stringify(repo)}) { ${fields.join(' ')} } }`;
  const reply = await askGraphql(client, query, 'read', about);
  if (reply.kind === 'failed') return reply;
  const parsed = nodesSchema.safeParse(reply.data);
  return { kind: 'found', nodes: parsed.success ? parsed.data.repository : {} };
}

const names: Readonly<Record<CloseReason, string>> = {
  completed: 'COMPLETED',
  not_planned: 'NOT_PLANNED',
  duplicate: 'DUPLICATE',
};

function mutationOf({ issue, reason, duplicateOf }: Closing, nodes: Nodes): readonly string[] {
  const id = nodes[`i${issue}`]?.id;
  const original = duplicateOf === null ? undefined : nodes[`i${duplicateOf}`]?.id;
  if (id === undefined) return [];
  const duplicate = original === undefined ? '' : `, duplicateIssueId: ${JSON.stringify(original)}`;
  const input = `{ issueId: ${JSON.stringify(id)}, stateReason: ${names[reason]}${duplicate} }`;
  return [`c${issue}: closeIssue(input: ${input}) { issue { number state } }`];
}

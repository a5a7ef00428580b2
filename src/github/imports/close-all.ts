import * as z from 'zod';
import type { CloseReason } from '../../model/item.ts';
import type { Batch, Closing } from '../../model/migration.ts';
import type { NotApplied } from '../../model/outcome.ts';
import type { GithubClient } from '../connection/client.ts';
import { type Failure, noContent, unwrittenOutcome, writeOutcome } from '../connection/failure.ts';
import { askGraphql } from '../connection/graphql.ts';
import { inHalves } from '../connection/halving.ts';
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
    if (found.failure !== null) return { done, failure: unwrittenOutcome(found.failure) };
    const mutations = named.flatMap((closing) => mutationOf(closing, found.nodes));
    for (const batch of batchesOf(mutations, batchMax)) {
      const failure = await inHalves(batch, async (part) => {
        const about = `close ${part.length} issues of ${repository.owner}/${repository.repo}`;
        const query = `mutation { ${part.map(({ text }) => text).join(' ')} }`;
        const reply = await askGraphql(client, query, 'edit', about);
        const closed = reply.kind === 'answered' ? Object.values(reply.data).flatMap(numberClosed) : [];
        for (const number of closed) done.add(number);
        return { left: part.filter(({ issue }) => !done.has(issue)), failure: reply.failure };
      });
      if (failure === null) continue;
      refusal = writeOutcome(failure);
      if (refusal.kind !== 'refused' || batch.every(({ issue }) => !done.has(issue))) return { done, failure: refusal };
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

/** The ids of issues. One that GitHub could not look up is not taken for one that does not exist. */
async function nodesOf(
  client: GithubClient,
  { owner, repo }: RepositoryName,
  closings: readonly Closing[],
): Promise<{ readonly nodes: Nodes; readonly failure: Failure | null }> {
  const numbers = new Set<number>(
    closings.flatMap(({ issue, duplicateOf }) => [issue, ...(duplicateOf === null ? [] : [duplicateOf])]),
  );
  const nodes: Record<string, { readonly id: string } | null> = {};
  const failure = await inHalves([...numbers], async (part) => {
    const about = `find ${part.length} issues of ${owner}/${repo}`;
    const fields = part.map((number) => `i${number}: issue(number: ${number}) { id }`);
    const query = `query { repository(owner: ${JSON.stringify(owner)}, name: ${JSON.stringify(repo)}) { ${fields.join(' ')} } }`;
    const reply = await askGraphql(client, query, 'read', about);
    if (reply.kind === 'failed') return { left: part, failure: reply.failure };
    const parsed = nodesSchema.safeParse(reply.data);
    const found = parsed.success ? parsed.data.repository : {};
    Object.assign(nodes, found);
    // A refused part is an issue that is not there.
    const left = part.filter((number) => !found[`i${number}`]);
    if (reply.failure === null) return { left, failure: left.length > 0 ? noContent(about) : null };
    return { left, failure: reply.failure.kind === 'refused' ? null : reply.failure };
  });
  return { nodes, failure };
}

const names: Readonly<Record<CloseReason, string>> = {
  completed: 'COMPLETED',
  not_planned: 'NOT_PLANNED',
  duplicate: 'DUPLICATE',
};

function mutationOf(
  { issue, reason, duplicateOf }: Closing,
  nodes: Nodes,
): readonly { readonly issue: number; readonly text: string }[] {
  const id = nodes[`i${issue}`]?.id;
  const original = duplicateOf === null ? undefined : nodes[`i${duplicateOf}`]?.id;
  if (id === undefined) return [];
  const duplicate = original === undefined ? '' : `, duplicateIssueId: ${JSON.stringify(original)}`;
  const input = `{ issueId: ${JSON.stringify(id)}, stateReason: ${names[reason]}${duplicate} }`;
  return [{ issue, text: `c${issue}: closeIssue(input: ${input}) { issue { number state } }` }];
}

import * as z from 'zod';
import type { Batch, Minimizing } from '../../model/migration.ts';
import type { GithubClient } from '../connection/client.ts';
import { type Failure, unwrittenOutcome, writeOutcome } from '../connection/failure.ts';
import { askGraphql } from '../connection/graphql.ts';
import { inHalves } from '../connection/halving.ts';
import { minimizeReason } from '../map.ts';
import type { RepositoryName } from '../repository.ts';
import { classifiers, showsMinimized } from '../writing/comments.ts';

const nodeSchema = z.object({
  id: z.string(),
  url: z.string(),
  isMinimized: z.boolean(),
  minimizedReason: z.string().nullish(),
});
type Node = z.infer<typeof nodeSchema>;

const issueSchema = z.object({ comments: z.object({ nodes: z.array(nodeSchema.nullable()) }) });
const issuesSchema = z.object({ repository: z.record(z.string(), issueSchema.nullable()) });

/**
 * Minimizes comments by GraphQL, many in one mutation, after one query for their ids and states. A comment that is
 * minimized for another reason, or is not among the first hundred of its issue, is left to the request for a single
 * comment. Source: docs.github.com, GraphQL reference, `IssueComment`, `minimizeComment`.
 */
export async function minimizeAll(
  client: GithubClient,
  repository: RepositoryName,
  requests: readonly Minimizing[],
): Promise<Batch> {
  const found = await nodesOf(client, repository, requests);
  if (found.failure !== null) return { done: new Set(), failure: unwrittenOutcome(found.failure) };
  const { nodes } = found;
  const minimizedBefore = requests
    .filter(({ comment, minimize }) => minimizeReasonOf(nodes.get(comment)) === minimize)
    .map(({ comment }) => comment);
  const mutations = requests.flatMap((minimizing) => mutationOf(minimizing, nodes.get(minimizing.comment)));
  if (mutations.length === 0) return { done: new Set(minimizedBefore), failure: null };
  const done = new Set(minimizedBefore);
  const failure = await inHalves(mutations, async (part) => {
    const about = `minimize ${part.length} comments of ${repository.owner}/${repository.repo}`;
    const query = `mutation { ${part.map(({ text }) => text).join(' ')} }`;
    const reply = await askGraphql(client, query, 'edit', about);
    const results = reply.kind === 'answered' ? Object.entries(reply.data) : [];
    for (const [alias, result] of results) if (showsMinimized(result, true)) done.add(Number(alias.slice(1)));
    return { left: part.filter(({ comment }) => !done.has(comment)), failure: reply.failure };
  });
  return { done, failure: failure === null ? null : writeOutcome(failure) };
}

/** Comments by their ids, which every version shows in their URLs; empty if they cannot be found that way. */
async function nodesOf(
  client: GithubClient,
  { owner, repo }: RepositoryName,
  requests: readonly Minimizing[],
): Promise<{ readonly nodes: ReadonlyMap<number, Node>; readonly failure: Failure | null }> {
  const found = new Map<number, Node>();
  const failure = await inHalves([...new Set<number>(requests.map(({ issue }) => issue))], async (part) => {
    const about = `find comments of ${part.length} issues of ${owner}/${repo}`;
    const shown = 'comments(first: 100) { nodes { id url isMinimized minimizedReason } }';
    const fields = part.map((issue) => `i${issue}: issue(number: ${issue}) { ${shown} }`);
    const query = `query { repository(owner: ${JSON.stringify(owner)}, name: ${JSON.stringify(repo)}) { ${fields.join(' ')} } }`;
    const reply = await askGraphql(client, query, 'read', about);
    if (reply.kind === 'failed') return { left: part, failure: reply.failure };
    const parsed = issuesSchema.safeParse(reply.data);
    const issues = parsed.success ? parsed.data.repository : {};
    const nodes = Object.values(issues).flatMap((issue) => issue?.comments.nodes ?? []);
    for (const node of nodes) if (node !== null) found.set(Number(/#issuecomment-(\d+)$/u.exec(node.url)?.[1]), node);
    // A refused part is an issue that is not there.
    const failure = reply.failure?.kind === 'refused' ? null : reply.failure;
    return { left: part.filter((issue) => !issues[`i${issue}`]), failure };
  });
  return { nodes: found, failure };
}

const minimizeReasonOf = (node: Node | undefined): string | null =>
  node?.isMinimized ? minimizeReason({ reason: node.minimizedReason }) : null;

function mutationOf(
  { comment, minimize }: Minimizing,
  node: Node | undefined,
): readonly { readonly comment: number; readonly text: string }[] {
  if (node === undefined || node.isMinimized) return [];
  const input = `{ subjectId: ${JSON.stringify(node.id)}, classifier: ${classifiers[minimize]} }`;
  return [{ comment, text: `c${comment}: minimizeComment(input: ${input}) { minimizedComment { isMinimized } }` }];
}

import * as z from 'zod';
import type { Batch, Minimizing } from '../../model/migration.ts';
import type { GithubClient } from '../connection/client.ts';
import { type Failure, unwrittenOutcome, writeOutcome } from '../connection/failure.ts';
import { askGraphql } from '../connection/graphql.ts';
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
  if (found.kind === 'failed') return { done: new Set(), failure: unwrittenOutcome(found.failure) };
  const { nodes } = found;
  const minimizedBefore = requests
    .filter(({ comment, minimize }) => minimizeReasonOf(nodes.get(comment)) === minimize)
    .map(({ comment }) => comment);
  const mutations = requests.flatMap((minimizing) => mutationOf(minimizing, nodes.get(minimizing.comment)));
  if (mutations.length === 0) return { done: new Set(minimizedBefore), failure: null };
  const about = `minimize ${mutations.length} comments of ${repository.owner}/${repository.repo}`;
  const reply = await askGraphql(client, `mutation { ${mutations.join(' ')} }`, 'edit', about);
  const results = reply.kind === 'answered' ? Object.entries(reply.data) : [];
  const minimized = results
    .filter(([, result]) => showsMinimized(result, true))
    .map(([alias]) => Number(alias.slice(1)));
  return {
    done: new Set([...minimizedBefore, ...minimized]),
    failure: reply.failure === null ? null : writeOutcome(reply.failure),
  };
}

type NodesRead =
  | { readonly kind: 'found'; readonly nodes: ReadonlyMap<number, Node> }
  | { readonly kind: 'failed'; readonly failure: Failure };

/** Comments by their ids, which every version shows in their URLs; empty if they cannot be found that way. */
async function nodesOf(
  client: GithubClient,
  { owner, repo }: RepositoryName,
  requests: readonly Minimizing[],
): Promise<NodesRead> {
  const issues = new Set<number>(requests.map(({ issue }) => issue));
  const about = `find ${requests.length} comments of ${owner}/${repo}`;
  const shown = 'comments(first: 100) { nodes { id url isMinimized minimizedReason } }';
  const fields = [...issues].map((issue) => `i${issue}: issue(number: ${issue}) { ${shown} }`);
  const query = `query { repository(owner: ${JSON.stringify(owner)}, name: ${JSON.stringify(repo)}) { ${fields.join(' ')} } }`;
  const reply = await askGraphql(client, query, 'read', about);
  if (reply.kind === 'failed') return reply;
  const parsed = issuesSchema.safeParse(reply.data);
  const all = parsed.success ? Object.values(parsed.data.repository) : [];
  const nodes = all.flatMap((issue) => issue?.comments.nodes ?? []).filter((node) => node !== null);
  return {
    kind: 'found',
    nodes: new Map(nodes.map((node) => [Number(/#issuecomment-(\d+)$/u.exec(node.url)?.[1]), node])),
  };
}

const minimizeReasonOf = (node: Node | undefined): string | null =>
  node?.isMinimized ? minimizeReason({ reason: node.minimizedReason }) : null;

function mutationOf({ comment, minimize }: Minimizing, node: Node | undefined): readonly string[] {
  if (node === undefined || node.isMinimized) return [];
  const input = `{ subjectId: ${JSON.stringify(node.id)}, classifier: ${classifiers[minimize]} }`;
  return [`c${comment}: minimizeComment(input: ${input}) { minimizedComment { isMinimized } }`];
}

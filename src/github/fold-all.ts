import * as z from 'zod';
import type { Folding } from '../model/importer.ts';
import type { Outcome } from '../model/outcome.ts';
import type { GithubClient } from './client.ts';
import { noContent, unwrittenOutcome, whyOf, writeOutcome } from './failure.ts';
import { classifiers } from './fold.ts';
import { askGraphql } from './graphql.ts';
import { foldReason } from './map.ts';
import { parseAnswer } from './schema.ts';

const nodeSchema = z.object({ id: z.string(), url: z.string(), isMinimized: z.boolean(), minimizedReason: z.string().nullish() });
type Node = z.infer<typeof nodeSchema>;

const issueSchema = z.object({ comments: z.object({ nodes: z.array(nodeSchema.nullable()) }) });
const errorsSchema = z.array(z.object({ type: z.string().nullish(), message: z.string() })).nullish();
const issuesSchema = z.object({
  data: z.object({ repository: z.record(z.string(), issueSchema.nullable()).nullable() }).nullish(),
  errors: errorsSchema,
});

const answerSchema = z.object({
  data: z.record(z.string(), z.object({}).nullable()).nullish(),
  errors: errorsSchema,
});

const limitIn = (errors: z.infer<typeof errorsSchema>) => errors?.find(({ type }) => type === 'RATE_LIMITED');

interface Place {
  readonly owner: string;
  readonly repo: string;
}

/**
 * Folds comments away by GraphQL, many in one mutation, after one query for their names and how they stand. What is folded away for
 * another reason is left to whoever folds it alone, and so is what stands behind the first hundred comments of its issue.
 * Source: docs.github.com, GraphQL reference, `IssueComment`, `minimizeComment`.
 */
export async function foldAll(client: GithubClient, place: Place, foldings: readonly Folding[]): Promise<Outcome<ReadonlySet<number>>> {
  const nodes = await nodesOf(client, place, foldings);
  if (nodes.kind !== 'applied') return nodes;
  const stand = foldings.filter(({ comment, fold }) => foldOf(nodes.item.get(comment)) === fold).map(({ comment }) => comment);
  const mutations = foldings.flatMap((folding) => mutationOf(folding, nodes.item.get(folding.comment)));
  if (mutations.length === 0) return { kind: 'applied', item: new Set(stand) };
  const folded = await send(client, mutations, `fold away ${mutations.length} comments of ${place.owner}/${place.repo}`);
  return folded.kind === 'applied' ? { kind: 'applied', item: new Set([...stand, ...folded.item]) } : folded;
}

/** Comments by their ids, which every version shows in their addresses. Where they cannot be found that way, there are none. */
async function nodesOf(
  client: GithubClient,
  { owner, repo }: Place,
  foldings: readonly Folding[],
): Promise<Outcome<ReadonlyMap<number, Node>>> {
  const issues = new Set<number>(foldings.map(({ issue }) => issue));
  const about = `find ${foldings.length} comments of ${owner}/${repo}`;
  const shown = 'comments(first: 100) { nodes { id url isMinimized minimizedReason } }';
  const fields = [...issues].map((issue) => `i${issue}: issue(number: ${issue}) { ${shown} }`);
  const query = `query { repository(owner: ${JSON.stringify(owner)}, name: ${JSON.stringify(repo)}) { ${fields.join(' ')} } }`;
  const found = await askGraphql(client, query, 'read', about);
  if (found.kind === 'failed') return unwrittenOutcome(found.failure);
  const parsed = issuesSchema.safeParse(found.kind === 'answered' ? found.data : null);
  const limit = parsed.success ? limitIn(parsed.data.errors) : undefined;
  if (limit !== undefined)
    return { kind: 'later', at: null, wholeSide: true, why: `GitHub refused when asked to ${about}: ${limit.message}` };
  const all = Object.values((parsed.success ? parsed.data.data?.repository : null) ?? {});
  const nodes = all.flatMap((issue) => issue?.comments.nodes ?? []).filter((node) => node !== null);
  return { kind: 'applied', item: new Map(nodes.map((node) => [Number(/#issuecomment-(\d+)$/u.exec(node.url)?.[1]), node])) };
}

const foldOf = (node: Node | undefined): string | null => (node?.isMinimized ? foldReason({ reason: node.minimizedReason }) : null);

function mutationOf({ comment, fold }: Folding, node: Node | undefined): readonly string[] {
  if (node === undefined || node.isMinimized) return [];
  const input = `{ subjectId: ${JSON.stringify(node.id)}, classifier: ${classifiers[fold]} }`;
  return [`c${comment}: minimizeComment(input: ${input}) { minimizedComment { isMinimized } }`];
}

/** Answers with the comments that were folded away; each is refused by itself. */
async function send(client: GithubClient, mutations: readonly string[], about: string): Promise<Outcome<readonly number[]>> {
  const reply = await askGraphql(client, `mutation { ${mutations.join(' ')} }`, 'edit', about);
  if (reply.kind === 'failed') return writeOutcome(reply.failure);
  if (reply.kind === 'unchanged') return noContent(about);
  const parsed = parseAnswer(answerSchema, reply, about);
  if (parsed.kind === 'failed') return { kind: 'unknown', why: whyOf(parsed.failure) };
  const done = Object.entries(parsed.value.data ?? {}).flatMap(([alias, result]) => (result === null ? [] : [Number(alias.slice(1))]));
  const limit = limitIn(parsed.value.errors);
  if (limit === undefined || done.length > 0) return { kind: 'applied', item: done };
  return { kind: 'later', at: null, wholeSide: true, why: `GitHub refused when asked to ${about}: ${limit.message}` };
}

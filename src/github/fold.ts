import * as z from 'zod';
import type { Fold } from '../model/item.ts';
import type { Outcome } from '../model/outcome.ts';
import { noContent, unwrittenOutcome, writeOutcome } from './failure.ts';
import { askGraphql, type GraphqlReply } from './graphql.ts';
import { foldReason } from './map.ts';
import { get, type Repository } from './repository.ts';
import { parseAnswer } from './schema.ts';
import { missingComment, type Standing } from './standing-comment.ts';

/** Servers that do not tell whether a comment is minimised leave it out. */
const foldableSchema = z.object({ node_id: z.string(), minimized: z.object({ reason: z.string().nullish() }).nullable().optional() });

const shownSchema = z.object({ isMinimized: z.boolean() });

/** What a mutation shows of the comment, whichever way it went. */
const resultSchema = z
  .object({ minimizedComment: shownSchema.nullish(), unminimizedComment: shownSchema.nullish() })
  .transform(({ minimizedComment, unminimizedComment }) => minimizedComment ?? unminimizedComment ?? null);

/** Whether the answer to a mutation shows that its comment stands minimised, or not minimised. */
export function showsMinimized(result: unknown, isMinimized: boolean): boolean {
  const parsed = resultSchema.safeParse(result);
  return parsed.success && parsed.data?.isMinimized === isMinimized;
}

/** GraphQL's words for the reasons. */
export const classifiers: Readonly<Record<Fold, string>> = {
  spam: 'SPAM',
  abuse: 'ABUSE',
  'off-topic': 'OFF_TOPIC',
  outdated: 'OUTDATED',
  duplicate: 'DUPLICATE',
  resolved: 'RESOLVED',
};

/**
 * Minimises a comment or shows it again, which REST cannot. GET /repos/{owner}/{repo}/issues/comments/{comment_id} tells its name for
 * GraphQL and how it stands. Source: docs.github.com, GraphQL reference, `minimizeComment`, `unminimizeComment`.
 */
export async function fold(repository: Repository, at: Standing, wanted: Fold | null): Promise<Outcome<null>> {
  const name = `comment ${at.comment} on ${repository.name}#${at.ref}`;
  const before = await get(repository, `/issues/comments/${at.comment}`, `read ${name}`);
  if (before.kind === 'unchanged') return noContent(`read ${name}`);
  if (before.kind === 'failed') {
    const { failure } = before;
    return failure.kind === 'gone' ? missingComment(repository, at, failure.gone.why) : unwrittenOutcome(failure);
  }
  const parsed = parseAnswer(foldableSchema, before, `read ${name}`);
  if (parsed.kind === 'failed') return unwrittenOutcome(parsed.failure);
  const { node_id: node, minimized } = parsed.value;
  if (minimized !== undefined && foldReason(minimized) === wanted) return { kind: 'applied', item: null };
  const about = `${wanted === null ? 'show' : 'fold away'} ${name}`;
  const reply = await askGraphql(repository.client, mutationOf(node, wanted), 'edit', about);
  return outcomeOf(reply, wanted, about);
}

function mutationOf(node: string, wanted: Fold | null): string {
  const subject = `subjectId: ${JSON.stringify(node)}`;
  if (wanted === null) return `mutation { unminimizeComment(input: { ${subject} }) { unminimizedComment { isMinimized } } }`;
  const input = `{ ${subject}, classifier: ${classifiers[wanted]} }`;
  return `mutation { minimizeComment(input: ${input}) { minimizedComment { isMinimized minimizedReason } } }`;
}

function outcomeOf(reply: GraphqlReply, wanted: Fold | null, about: string): Outcome<null> {
  const isDone = reply.kind === 'answered' && Object.values(reply.data).some((result) => showsMinimized(result, wanted !== null));
  return isDone ? { kind: 'applied', item: null } : writeOutcome(reply.failure ?? noContent(about));
}

import * as z from 'zod';
import type { Fold } from '../model/item.ts';
import type { Outcome } from '../model/outcome.ts';
import { noContent, unwrittenOutcome, whyOf, writeOutcome } from './failure.ts';
import { askGraphql } from './graphql.ts';
import { foldReason } from './map.ts';
import { get, type Repository } from './repository.ts';
import { parseAnswer } from './schema.ts';
import { missingComment, type Standing } from './standing-comment.ts';

/** Servers that do not tell whether a comment is minimised leave it out. */
const foldableSchema = z.object({ node_id: z.string(), minimized: z.object({ reason: z.string().nullish() }).nullable().optional() });

const answerSchema = z.object({
  data: z.record(z.string(), z.object({}).nullable()).nullish(),
  errors: z.array(z.object({ type: z.string().nullish(), message: z.string() })).nullish(),
});

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
  return outcomeOf(await askGraphql(repository.client, mutationOf(node, wanted), 'edit', about), about);
}

function mutationOf(node: string, wanted: Fold | null): string {
  const subject = `subjectId: ${JSON.stringify(node)}`;
  if (wanted === null) return `mutation { unminimizeComment(input: { ${subject} }) { unminimizedComment { isMinimized } } }`;
  const input = `{ ${subject}, classifier: ${classifiers[wanted]} }`;
  return `mutation { minimizeComment(input: ${input}) { minimizedComment { isMinimized minimizedReason } } }`;
}

function outcomeOf(reply: Awaited<ReturnType<typeof askGraphql>>, about: string): Outcome<null> {
  if (reply.kind === 'failed') return writeOutcome(reply.failure);
  if (reply.kind === 'unchanged') return noContent(about);
  const parsed = parseAnswer(answerSchema, reply, about);
  if (parsed.kind === 'failed') return { kind: 'unknown', why: whyOf(parsed.failure) };
  const [error] = parsed.value.errors ?? [];
  const isDone = Object.values(parsed.value.data ?? {}).some((result) => result !== null);
  if (error === undefined) return isDone ? { kind: 'applied', item: null } : noContent(about);
  const why = `GitHub refused when asked to ${about}: ${error.message}`;
  return error.type === 'RATE_LIMITED' ? { kind: 'later', at: null, wholeSide: true, why } : { kind: 'refused', why };
}

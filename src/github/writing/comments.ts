import * as z from 'zod';
import type { Comment, MinimizeReason } from '../../model/item.ts';
import type { Outcome } from '../../model/outcome.ts';
import {
  type Failure,
  inSentences,
  noContent,
  readError,
  unwrittenOutcome,
  writeOutcome,
} from '../connection/failure.ts';
import { askGraphql, type GraphqlReply } from '../connection/graphql.ts';
import { commentSchema, minimizeReason, parseAnswer, toComment } from '../map.ts';
import { get, probeIssue, type Repository, withinTurn } from '../repository.ts';
import { sendComment } from './write.ts';

/** A comment on an issue. */
export interface CommentPlace {
  /** The issue's number. */
  readonly ref: number;
  /** The comment's id. */
  readonly comment: number;
}

/**
 * GET and PATCH /repos/{owner}/{repo}/issues/comments/{comment_id}; GitHub has no conditional writes. Both have one
 * turn of the lane: behind other writes, a read would become stale.
 */
export function rewrite(
  repository: Repository,
  at: CommentPlace,
  text: string,
  mayReplace: (body: string) => boolean,
): Promise<Outcome<Comment>> {
  return repository.client.within('edit', (send) => rewriteNow(withinTurn(repository, send), at, text, mayReplace));
}

async function rewriteNow(
  repository: Repository,
  at: CommentPlace,
  text: string,
  mayReplace: (body: string) => boolean,
): Promise<Outcome<Comment>> {
  const before = await existing(repository, at);
  if (before.kind === 'failed' && before.failure.kind !== 'gone') return unwrittenOutcome(before.failure);
  if (before.kind === 'parsed' && !mayReplace(before.value.body ?? '')) {
    return { kind: 'stale', why: `${nameOf(repository, at)} was just changed by someone` };
  }
  return patchText(repository, at, text);
}

/** As `rewrite`, but the new text follows from the present one; without a difference nothing is written. */
export function amend(
  repository: Repository,
  at: CommentPlace,
  change: (body: string) => string,
): Promise<Outcome<Comment>> {
  return repository.client.within('edit', (send) => amendNow(withinTurn(repository, send), at, change));
}

async function amendNow(
  repository: Repository,
  at: CommentPlace,
  change: (body: string) => string,
): Promise<Outcome<Comment>> {
  const before = await existing(repository, at);
  if (before.kind === 'unchanged') return noContent(`read ${nameOf(repository, at)}`);
  if (before.kind === 'failed')
    return before.failure.kind === 'gone'
      ? missingComment(repository, at, before.failure.gone.why)
      : unwrittenOutcome(before.failure);
  const body = before.value.body ?? '';
  const text = change(body);
  const item = text === body ? toComment(before.value) : null;
  return item === null ? patchText(repository, at, text) : { kind: 'applied', item };
}

async function patchText(repository: Repository, at: CommentPlace, text: string): Promise<Outcome<Comment>> {
  const outcome = await sendComment(repository, {
    method: 'PATCH',
    path: pathOf(repository, at),
    cost: 'edit',
    about: `change ${nameOf(repository, at)}`,
    body: { body: text },
  });
  if (outcome.kind !== 'gone') return outcome;
  return missingComment(repository, at, outcome.gone.why);
}

/**
 * GET /repos/{owner}/{repo}/issues/comments/{comment_id}
 * @throws SideError
 */
export async function hasComment(repository: Repository, at: CommentPlace): Promise<boolean> {
  const reply = await readComment(repository, at);
  if (reply.kind !== 'failed') return true;
  const { failure } = reply;
  if (failure.kind === 'gone' && (failure.gone.kind === 'missing' || failure.gone.kind === 'deleted')) return false;
  throw readError(failure);
}

/** DELETE /repos/{owner}/{repo}/issues/comments/{comment_id} */
export async function erase(repository: Repository, at: CommentPlace): Promise<Outcome<null>> {
  const about = `delete ${nameOf(repository, at)}`;
  const reply = await repository.client.send({ method: 'DELETE', path: pathOf(repository, at), cost: 'edit', about });
  if (reply.kind !== 'failed') return { kind: 'applied', item: null };
  if (reply.failure.kind !== 'gone') return writeOutcome(reply.failure);
  const found = await examine(repository, at, reply.failure.gone.why);
  return found === 'missing' ? { kind: 'applied', item: null } : unwrittenOutcome(found);
}

/**
 * GitHub also answers 404 to writes without permission, so only reading shows which it is. A comment moves with its
 * issue: it is known to be missing only if its issue exists.
 */
async function examine(repository: Repository, at: CommentPlace, why: string): Promise<Failure | 'missing'> {
  const found = await probeIssue(repository, at.ref);
  if (found.kind === 'failed') return found.failure;
  const reply = await readComment(repository, at);
  if (reply.kind !== 'failed')
    return {
      kind: 'refused',
      why: inSentences(why, 'It can be read, so the account probably has no permission to change it'),
    };
  return reply.failure.kind === 'gone' ? 'missing' : reply.failure;
}

/** For a comment that seems to be gone: it is, or its issue is. */
async function missingComment(repository: Repository, at: CommentPlace, why: string): Promise<Outcome<never>> {
  const found = await examine(repository, at, why);
  if (found !== 'missing') return unwrittenOutcome(found);
  return { kind: 'gone', gone: { kind: 'missing', why: `${nameOf(repository, at)} no longer exists.` } };
}

async function existing(repository: Repository, at: CommentPlace) {
  const reply = await readComment(repository, at);
  return reply.kind === 'answered' ? parseAnswer(commentSchema, reply, `read ${nameOf(repository, at)}`) : reply;
}

const readComment = (repository: Repository, at: CommentPlace) =>
  get(repository, `/issues/comments/${at.comment}`, `read ${nameOf(repository, at)}`);

const pathOf = ({ path }: Repository, { comment }: CommentPlace): string => `${path}/issues/comments/${comment}`;
const nameOf = ({ name }: Repository, { ref, comment }: CommentPlace): string => `comment ${comment} on ${name}#${ref}`;

/** Absent on servers that do not report whether a comment is minimized. */
const minimizableSchema = z.object({
  node_id: z.string(),
  minimized: z.object({ reason: z.string().nullish() }).nullable().optional(),
});

const shownSchema = z.object({ isMinimized: z.boolean() });

/** The comment in the answer to either mutation. */
const resultSchema = z
  .object({ minimizedComment: shownSchema.nullish(), unminimizedComment: shownSchema.nullish() })
  .transform(({ minimizedComment, unminimizedComment }) => minimizedComment ?? unminimizedComment ?? null);

/** Whether the answer to a mutation shows the wanted state of its comment. */
export function showsMinimized(result: unknown, isMinimized: boolean): boolean {
  const parsed = resultSchema.safeParse(result);
  return parsed.success && parsed.data?.isMinimized === isMinimized;
}

/** GraphQL's words for the reasons. */
export const classifiers: Readonly<Record<MinimizeReason, string>> = {
  spam: 'SPAM',
  abuse: 'ABUSE',
  'off-topic': 'OFF_TOPIC',
  outdated: 'OUTDATED',
  duplicate: 'DUPLICATE',
  resolved: 'RESOLVED',
};

/**
 * Minimizes a comment or shows it again, which REST cannot. GET /repos/{owner}/{repo}/issues/comments/{comment_id}
 * returns its GraphQL id and its state. Source: docs.github.com, GraphQL reference, `minimizeComment`,
 * `unminimizeComment`.
 */
export async function minimize(
  repository: Repository,
  at: CommentPlace,
  wanted: MinimizeReason | null,
): Promise<Outcome<null>> {
  const name = `comment ${at.comment} on ${repository.name}#${at.ref}`;
  const before = await get(repository, `/issues/comments/${at.comment}`, `read ${name}`);
  if (before.kind === 'unchanged') return noContent(`read ${name}`);
  if (before.kind === 'failed') {
    const { failure } = before;
    return failure.kind === 'gone' ? missingComment(repository, at, failure.gone.why) : unwrittenOutcome(failure);
  }
  const parsed = parseAnswer(minimizableSchema, before, `read ${name}`);
  if (parsed.kind === 'failed') return unwrittenOutcome(parsed.failure);
  const { node_id: node, minimized } = parsed.value;
  if (minimized !== undefined && minimizeReason(minimized) === wanted) return { kind: 'applied', item: null };
  const about = `${wanted === null ? 'show' : 'minimize'} ${name}`;
  const reply = await askGraphql(repository.client, mutationOf(node, wanted), 'edit', about);
  return outcomeOf(reply, wanted, about);
}

function mutationOf(node: string, wanted: MinimizeReason | null): string {
  const subject = `subjectId: ${JSON.stringify(node)}`;
  if (wanted === null)
    return `mutation { unminimizeComment(input: { ${subject} }) { unminimizedComment { isMinimized } } }`;
  const input = `{ ${subject}, classifier: ${classifiers[wanted]} }`;
  return `mutation { minimizeComment(input: ${input}) { minimizedComment { isMinimized minimizedReason } } }`;
}

function outcomeOf(reply: GraphqlReply, wanted: MinimizeReason | null, about: string): Outcome<null> {
  const isDone =
    reply.kind === 'answered' && Object.values(reply.data).some((result) => showsMinimized(result, wanted !== null));
  return isDone ? { kind: 'applied', item: null } : writeOutcome(reply.failure ?? noContent(about));
}

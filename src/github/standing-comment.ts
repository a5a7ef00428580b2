import type { Comment } from '../model/item.ts';
import type { Outcome } from '../model/outcome.ts';
import { type Failure, unwrittenOutcome, writeOutcome } from './failure.ts';
import { look } from './look.ts';
import { get, type Repository } from './repository.ts';
import { commentSchema, parseAnswer } from './schema.ts';
import { sendComment } from './write.ts';

/** A comment that stands on an issue. */
export interface Standing {
  /** The number. */
  readonly ref: number;
  /** The comment's id. */
  readonly comment: number;
}

/** GET and PATCH /repos/{owner}/{repo}/issues/comments/{comment_id}; GitHub has no condition for a write. */
export async function rewrite(
  repository: Repository,
  at: Standing,
  text: string,
  mayReplace: (body: string) => boolean,
): Promise<Outcome<Comment>> {
  const about = `change ${nameOf(repository, at)}`;
  const before = await standing(repository, at);
  if (before.kind === 'failed' && before.failure.kind !== 'gone') return unwrittenOutcome(before.failure);
  if (before.kind === 'parsed' && !mayReplace(before.value.body ?? '')) {
    return { kind: 'stale', why: `${nameOf(repository, at)} was changed by somebody a moment ago` };
  }
  const outcome = await sendComment(repository, {
    method: 'PATCH',
    path: pathOf(repository, at),
    cost: 'edit',
    about,
    body: { body: text },
  });
  if (outcome.kind !== 'gone') return outcome;
  return missingComment(repository, at, outcome.gone.why);
}

/** DELETE /repos/{owner}/{repo}/issues/comments/{comment_id} */
export async function erase(repository: Repository, at: Standing): Promise<Outcome<null>> {
  const about = `delete ${nameOf(repository, at)}`;
  const reply = await repository.client.send({ method: 'DELETE', path: pathOf(repository, at), cost: 'edit', about });
  if (reply.kind !== 'failed') return { kind: 'applied', item: null };
  if (reply.failure.kind !== 'gone') return writeOutcome(reply.failure);
  const found = await examine(repository, at, reply.failure.gone.why);
  return found === 'missing' ? { kind: 'applied', item: null } : unwrittenOutcome(found);
}

/**
 * GitHub says 404 to writes without the right to write as well, so only reading tells. A comment goes where its issue goes: only on an
 * issue that is there it is known to be missing.
 */
async function examine(repository: Repository, at: Standing, why: string): Promise<Failure | 'missing'> {
  const found = await look(repository, at.ref);
  if (found.kind === 'failed') return found.failure;
  const reply = await get(repository, `/issues/comments/${at.comment}`, `read ${nameOf(repository, at)}`);
  if (reply.kind !== 'failed')
    return { kind: 'refused', why: `${why}. It can be read, so the account seems to have no right to change it.` };
  return reply.failure.kind === 'gone' ? 'missing' : reply.failure;
}

/** A comment that answered as if it were gone: it is, or its issue is. */
export async function missingComment(repository: Repository, at: Standing, why: string): Promise<Outcome<never>> {
  const found = await examine(repository, at, why);
  if (found !== 'missing') return unwrittenOutcome(found);
  return { kind: 'gone', gone: { kind: 'missing', why: `${nameOf(repository, at)} is not there any more.` } };
}

async function standing(repository: Repository, at: Standing) {
  const about = `read ${nameOf(repository, at)}`;
  const reply = await get(repository, `/issues/comments/${at.comment}`, about);
  return reply.kind === 'answered' ? parseAnswer(commentSchema, reply, about) : reply;
}

const pathOf = ({ path }: Repository, { comment }: Standing): string => `${path}/issues/comments/${comment}`;
const nameOf = ({ name }: Repository, { ref, comment }: Standing): string => `comment ${comment} on ${name}#${ref}`;

import * as z from 'zod';
import type { Comment } from '../../model/item.ts';
import { SideError } from '../../model/outcome.ts';
import type { Thread, ThreadAsk } from '../../model/replica.ts';
import { nextPage } from '../connection/paging.ts';
import { commentSchema, readAnswer, toComment } from '../map.ts';
import { answered, type Repository } from '../repository.ts';
import { wholeSeconds } from './feed.ts';

const commentsSchema = z.array(commentSchema);

/** A guard against endless paging; GitHub allows 2,500 comments on an issue. */
const pagesMax = 1_000;

/**
 * GET /repos/{owner}/{repo}/issues/{issue_number}/comments, one issue after the other. Leaves out issues that are gone,
 * and those with a comment that we fail to read, which the list of all comments names.
 * @throws SideError
 */
export async function threads(repository: Repository, asks: readonly ThreadAsk[]): Promise<readonly Thread[]> {
  const found: Thread[] = [];
  for (const ask of asks) {
    const thread = await threadOf(repository, ask);
    if (thread !== null) found.push(thread);
  }
  return found;
}

async function threadOf(repository: Repository, ask: ThreadAsk): Promise<Thread | null> {
  const about = `list the comments of ${repository.name}#${ask.ref}`;
  const since = ask.sinceAt === null ? '' : `&since=${wholeSeconds(ask.sinceAt)}`;
  let path = `${repository.path}/issues/${ask.ref}/comments?per_page=${repository.pageSize}${since}`;
  const first = await repository.client.send({ method: 'GET', path, cost: 'read', about });
  if (first.kind === 'failed' && first.failure.kind === 'gone') return null;
  let answer = answered(first, about);
  const { readAt } = answer;
  const comments = new Map<number, Comment>();
  const seen = new Set<number>();
  for (let pages = 1; ; pages += 1) {
    const wires = readAnswer(commentsSchema, answer, about);
    const isNews = wires.some(({ id }) => !seen.has(id));
    for (const wire of wires) {
      seen.add(wire.id);
      const comment = mapped(wire);
      if (comment === 'failed') return null;
      if (comment !== null) comments.set(comment.id, comment);
    }
    const next = nextPage(repository, answer, { path, rows: wires.length });
    if (next === null || (next.isGuess && !isNews)) {
      return { ref: ask.ref, isWhole: ask.sinceAt === null, comments: [...comments.values()], readAt };
    }
    if (pages >= pagesMax)
      throw new SideError('refused', `The list of comments of ${repository.name}#${ask.ref} does not end.`);
    path = next.path;
    answer = answered(await repository.client.send({ method: 'GET', path, cost: 'read', about }), about);
  }
}

function mapped(wire: Parameters<typeof toComment>[0]): Comment | null | 'failed' {
  try {
    return toComment(wire);
  } catch {
    return 'failed';
  }
}

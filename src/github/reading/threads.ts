import * as z from 'zod';
import type { Comment } from '../../model/item.ts';
import { SideError } from '../../model/outcome.ts';
import type { Thread, ThreadAsk } from '../../model/replica.ts';
import type { InTime } from '../../model/runtime.ts';
import { nextPage } from '../connection/paging.ts';
import { commentSchema, readAnswer, toComment } from '../map.ts';
import { answered, get, type Repository } from '../repository.ts';
import { partIn, readRow } from '../rows.ts';
import { wholeSeconds } from './feed.ts';

const commentsSchema = z.array(z.unknown());

/** A guard against paging that is endless, or too slow for all others; GitHub allows 2,500 comments on an issue. */
const [pagesMax, patienceMs] = [1_000, 3 * 60_000];

/**
 * GET /repos/{owner}/{repo}/issues/{issue_number}/comments, one issue after the other. Leaves out issues that are gone,
 * and those on whose comments GitHub fails while it answers otherwise, or with a comment that we fail to read.
 * @throws SideError
 */
export async function threads(
  repository: Repository,
  asks: readonly ThreadAsk[],
  inTime?: InTime,
): Promise<readonly Thread[]> {
  const found: Thread[] = [];
  for (const ask of asks) {
    if (inTime?.isOut()) {
      inTime.late(ask.ref);
      continue;
    }
    const read = () => threadOf(repository, ask);
    const reading = inTime === undefined ? read() : inTime.during(read, ask.ref);
    const thread = await reading.catch((failure: unknown) => leftOut(repository, failure));
    if (thread !== null) found.push(thread);
  }
  return found;
}

/** @throws SideError if the failure concerns more than this thread: GitHub fails on the repository, too. */
async function leftOut(repository: Repository, failure: unknown): Promise<null> {
  const isOfOne = failure instanceof SideError && failure.kind === 'later' && failure.at === null;
  if (!isOfOne || (await get(repository, '', `look at ${repository.name}`)).kind !== 'answered') throw failure;
  return null;
}

async function threadOf(repository: Repository, ask: ThreadAsk): Promise<Thread | null> {
  const about = `list the comments of ${repository.name}#${ask.ref}`;
  const since = ask.sinceAt === null ? '' : `&since=${wholeSeconds(ask.sinceAt)}`;
  let path = `${repository.path}/issues/${ask.ref}/comments?per_page=${repository.pageSize}${since}`;
  const untilAt = repository.client.now() + patienceMs;
  const first = await repository.client.send({ method: 'GET', path, cost: 'read', about });
  if (first.kind === 'failed' && first.failure.kind === 'gone') return null;
  let answer = answered(first, about);
  const { readAt } = answer;
  const comments = new Map<number, Comment>();
  const seen = new Set<number>();
  for (let pages = 1; ; pages += 1) {
    const wires = readAnswer(commentsSchema, answer, about);
    let isNews = false;
    for (const wire of wires) {
      const comment = mapped(repository, wire);
      if (comment === null) return null;
      isNews ||= !seen.has(comment.id);
      seen.add(comment.id);
      if (comment.comment !== null) comments.set(comment.id, comment.comment);
    }
    const next = nextPage(repository, answer, { path, rows: wires.length });
    if (next === null || (next.isGuess && !isNews)) {
      return { ref: ask.ref, isWhole: ask.sinceAt === null, comments: [...comments.values()], readAt };
    }
    if (pages >= pagesMax || repository.client.now() > untilAt)
      throw new SideError('later', `The list of comments of ${repository.name}#${ask.ref} does not end.`);
    path = next.path;
    answer = answered(await repository.client.send({ method: 'GET', path, cost: 'read', about }), about);
  }
}

/** Null for one that we fail to read. */
function mapped(
  { client }: Repository,
  wire: unknown,
): { readonly id: number; readonly comment: Comment | null } | null {
  const read = readRow(client.rows, partIn(wire), () => {
    const { data } = commentSchema.safeParse(wire);
    return data === undefined ? null : { id: data.id, comment: toComment(data) };
  });
  return read.kind === 'read' ? read.value : null;
}

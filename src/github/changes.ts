import * as z from 'zod';
import type { Comment, Issue } from '../model/item.ts';
import { SideError } from '../model/outcome.ts';
import type { Changes } from '../model/replica.ts';
import { ascend, type Position, type Step, startOf } from './ascend.ts';
import { commentsFeed, type Feed, issuesFeed, newestPath, type Row, readPage } from './feed.ts';
import { answered, get, type Repository } from './repository.ts';

/**
 * Polls two lists, newest change first, at addresses that never vary: while nothing changes, both answer 304, which costs
 * nothing. When a list has changed, its first page is read; if that does not reach back to what is covered, all since then is
 * walked from the oldest on, which loses nothing however much it is.
 *
 * `sinceAt` is by GitHub's clock and never goes back. Everything older than it, minus the overlap, has been handed out. It never
 * passes the moment at which the first of the two lists was read: what changed after that may be unseen in that list.
 */
const cursorSchema = z.object({
  sinceAt: z.number(),
  /** ETags of the two first pages; each is kept together with a cursor that covers what stood on its page. */
  issuesEtag: z.string().nullable(),
  commentsEtag: z.string().nullable(),
});
type Cursor = z.infer<typeof cursorSchema>;

/** How late a change may turn up in a list, after another of a later time. */
const overlapMs = 60_000;
/** A quiet repository's cursor follows GitHub's clock at this distance. */
const quietLagMs = 300_000;
/** A guard against a server that never ends; 1,000,000 changes. */
const stepsMax = 10_000;

/** @throws SideError */
export async function changes(repository: Repository, text: string | null): Promise<Changes<Issue>> {
  if (text === null) return beginning(repository);
  const cursor = cursorSchema.parse(JSON.parse(text));
  const edgeAt = cursor.sinceAt - overlapMs;
  const issues = await pollFeed(repository, issuesFeed, { edgeAt, etag: cursor.issuesEtag });
  const comments = await pollFeed(repository, commentsFeed, { edgeAt, etag: cursor.commentsEtag });
  const coveredAt = Math.min(issues.readAt, comments.readAt);
  const newestAt = Math.min(Math.max(issues.newestAt, comments.newestAt), coveredAt);
  const next: Cursor = {
    sinceAt: Math.max(cursor.sinceAt, newestAt, coveredAt - quietLagMs),
    issuesEtag: issues.etag,
    commentsEtag: comments.etag,
  };
  return { items: issues.items, comments: comments.items, readAt: coveredAt, cursor: JSON.stringify(next) };
}

async function beginning(repository: Repository): Promise<Changes<Issue>> {
  const about = `look at the repository ${repository.name}`;
  const { readAt } = answered(await get(repository, '', about), about);
  const cursor: Cursor = { sinceAt: readAt, issuesEtag: null, commentsEtag: null };
  return { items: [], comments: [], readAt, cursor: JSON.stringify(cursor) };
}

interface Polled<T> {
  readonly items: readonly T[];
  readonly etag: string | null;
  /** The newest time of change that was met, pull requests included. */
  readonly newestAt: number;
  /** When the first page was read. */
  readonly readAt: number;
}

async function pollFeed<T extends Issue | Comment>(
  repository: Repository,
  feed: Feed<T>,
  known: { readonly edgeAt: number; readonly etag: string | null },
): Promise<Polled<T>> {
  const about = `list the ${feed.name} of ${repository.name}`;
  const path = newestPath(feed, repository);
  const reply = await repository.client.send({ method: 'GET', path, cost: 'read', about, etag: known.etag });
  if (reply.kind === 'unchanged') return { items: [], etag: known.etag, newestAt: Number.NEGATIVE_INFINITY, readAt: reply.readAt };
  const answer = answered(reply, about);
  const page = readPage(feed, repository, answer);
  const reachesEdge = page.nextPath === null || page.rows.some((row) => row.changedAt < known.edgeAt);
  const older = reachesEdge ? [] : await walk(repository, feed, known.edgeAt);
  const latest = new Map<number, Row<T>>();
  for (const row of [...page.rows, ...older]) if (row.changedAt >= known.edgeAt) latest.set(row.id, row);
  const rows = [...latest.values()].sort((one, other) => one.changedAt - other.changedAt || one.id - other.id);
  return {
    items: rows.flatMap((row) => (row.item === null ? [] : [row.item])),
    etag: etagOf(answer.headers['etag']),
    newestAt: rows.at(-1)?.changedAt ?? Number.NEGATIVE_INFINITY,
    readAt: answer.readAt,
  };
}

async function walk<T>(repository: Repository, feed: Feed<T>, sinceAt: number): Promise<readonly Row<T>[]> {
  const rows: Row<T>[] = [];
  let position: Position | null = startOf(sinceAt);
  for (let steps = 0; position !== null; steps += 1) {
    if (steps >= stepsMax) throw new SideError('refused', `The list of ${feed.name} of ${repository.name} does not end.`);
    const step: Step<T> = await ascend(repository, feed, position);
    rows.push(...step.rows);
    position = step.next;
  }
  return rows;
}

const etagOf = (header: string | number | undefined): string | null => (header === undefined ? null : String(header));

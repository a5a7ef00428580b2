import * as z from 'zod';
import type { Issue } from '../model/item.ts';
import type { Listing } from '../model/replica.ts';
import { ascend, type Position, positionSchema, startOf } from './ascend.ts';
import { commentsFeed, issuesFeed, type Row } from './feed.ts';
import type { Repository } from './repository.ts';

const pageSchema = z.object({ feed: z.enum(['issues', 'comments']), position: positionSchema });
type ListPage = z.infer<typeof pageSchema>;

/**
 * Everything in the repository, whatever its state: all issues, then all comments, each from the oldest change to the newest.
 * @throws SideError
 */
export async function list(repository: Repository, text: string | null): Promise<Listing<Issue>> {
  const { feed, position }: ListPage = text === null ? { feed: 'issues', position: startOf(null) } : pageSchema.parse(JSON.parse(text));
  if (feed === 'issues') {
    const step = await ascend(repository, issuesFeed, position);
    const next = step.next === null ? pageText('comments', startOf(null)) : pageText('issues', step.next);
    return { items: itemsOf(step.rows), comments: [], readAt: step.readAt, next };
  }
  const step = await ascend(repository, commentsFeed, position);
  const next = step.next === null ? null : pageText('comments', step.next);
  return { items: [], comments: itemsOf(step.rows), readAt: step.readAt, next };
}

const pageText = (feed: ListPage['feed'], position: Position): string => JSON.stringify({ feed, position } satisfies ListPage);

const itemsOf = <T>(rows: readonly Row<T>[]): readonly T[] => rows.flatMap((row) => (row.item === null ? [] : [row.item]));

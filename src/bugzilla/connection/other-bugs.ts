import { bugIdsSchema } from '../schema.ts';
import type { Query, TrackerClient } from './client.ts';
import { mayBeOfOne } from './errors.ts';

/** The oldest bugs, or the newest: one bug may make each list fail that contains it. */
const listings: readonly Query[] = [
  { order: 'bug_id', limit: 20 },
  { order: 'bug_id DESC', limit: 1 },
];

/** Bugs that the tracker lists, without these; null if it fails on each list. Throws `TrackerError`. */
export async function otherBugs(client: TrackerClient, asked: ReadonlySet<number>): Promise<readonly number[] | null> {
  for (const listing of listings) {
    const query = { f1: 'bug_id', o1: 'greaterthan', v1: 0, ...listing, include_fields: 'id' };
    try {
      const { body } = await client.read(['bug'], query, bugIdsSchema);
      return body.bugs.map(({ id }) => id).filter((bug) => !asked.has(bug));
    } catch (failure) {
      if (!mayBeOfOne(failure)) throw failure;
    }
  }
  return null;
}

/**
 * Finds the bug that makes every page fail that contains it, even if the page consists of ids alone. The ids in which
 * this bug must be are halved, with one request each.
 */

import type { InTime } from '../../model/runtime.ts';
import { bugIdsSchema } from '../schema.ts';
import type { Query, TrackerClient } from './client.ts';
import { isPoison } from './errors.ts';
import { otherBugs } from './other-bugs.ts';

interface Failed {
  readonly client: TrackerClient;
  /** The search without its limit, for bugs with an id above `after`. */
  readonly criteria: Query;
  readonly after: number;
  /** Bugs that were found like this before. */
  readonly known: Iterable<number>;
  /** A bug that the tracker listed lately. */
  readonly good: number | null;
  readonly inTime: InTime | undefined;
}

/** Ids are smaller on every tracker. */
const idMax = 2 ** 31 - 1;

/**
 * The first bug of a search that fails even for a single id. Null if the tracker lists no other bug either, if it lists
 * this one by now, if it ignores the limits of a search, or if there is no time left. Throws `TrackerError` for
 * failures that are not about single bugs.
 */
export async function findUnlisted(failed: Failed): Promise<number | null> {
  const { criteria, after, known, inTime } = failed;
  if (!(await isOtherListed(failed))) return null;
  // The bug is above `from`, and not above `to`.
  let [from, to] = [after, idMax];
  const narrow = async (id: number): Promise<boolean> => {
    if (inTime?.isOut()) return false;
    const ids = await listed(failed, { ...criteria, f99: 'bug_id', o99: 'lessthaneq', v99: id });
    if (ids === null) to = Math.min(to, id);
    else from = Math.max(from, id);
    return ids === null || ids.length === 0;
  };
  // Whether the tracker heeds both limits, and the search itself is sound.
  if (!(await narrow(after)) || to === after) return null;
  const first = Math.min(...[...known].filter((id) => id > after), idMax);
  if (first < idMax && !((await narrow(first - 1)) && (await narrow(first)))) return null;
  for (let step = 1; to === idMax; step *= 2) if (from + step >= idMax || !(await narrow(from + step))) return null;
  while (to - from > 1) if (!(await narrow(Math.floor((from + to) / 2)))) return null;
  return to;
}

/** Whether the tracker lists any bug: one that it listed before, or another. */
async function isOtherListed(failed: Failed): Promise<boolean> {
  const { client, good } = failed;
  const again =
    good === null ? null : await listed(failed, { f1: 'bug_id', o1: 'greaterthan', v1: good - 1, order: 'bug_id' });
  return (again ?? (await otherBugs(client, new Set())) ?? []).length > 0;
}

/** The id of the first bug found, if any; null if the tracker fails on it. */
async function listed({ client, inTime }: Failed, criteria: Query): Promise<readonly number[] | null> {
  const read = () => client.read(['bug'], { ...criteria, limit: 1, include_fields: 'id' }, bugIdsSchema);
  try {
    const { body } = await (inTime?.during(read) ?? read());
    return body.bugs.map(({ id }) => id);
  } catch (failure) {
    if (!isPoison(failure)) throw failure;
    return null;
  }
}

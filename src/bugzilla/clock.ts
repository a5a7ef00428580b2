/**
 * Bugs and comments are stamped by the database; an answer is dated by the web server, or by a proxy before it. The two clocks
 * may run minutes apart, and a cursor that follows the wrong one passes by what is stamped behind it.
 */
import type { z } from 'zod';
import type { Answer } from './answer.ts';
import type { TrackerClient } from './client.ts';
import { isNotTold, TrackerError } from './errors.ts';
import { timeSchema } from './schema.ts';

type TimeAnswer = Answer<z.infer<typeof timeSchema>>;

/**
 * How far the web server's clock is ahead of the database's, in milliseconds, as one answer of `GET /rest/time` shows both; null
 * when the tracker does not tell its time. An answer without a date has nothing that could be wrong. Throws `TrackerError`.
 */
export async function measureSkew(askTime: () => Promise<TimeAnswer>): Promise<number | null> {
  try {
    const { body, readAt } = await askTime();
    if (!body.db_time) return null;
    return readAt === null ? 0 : readAt - body.db_time;
  } catch (failure) {
    if (isNotTold(failure)) return null;
    throw failure;
  }
}

/** The database's own clock. Throws `TrackerError`. */
export async function serverNow(client: TrackerClient): Promise<number> {
  const { body } = await client.read(['time'], {}, timeSchema);
  if (!body.db_time) throw new TrackerError('refused', 'The tracker tells no time (GET /time); without it, changes cannot be followed');
  return body.db_time;
}

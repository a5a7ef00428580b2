/**
 * Comments, attachments and history of many bugs in few requests. read-apart.ts handles bugs that fail. `since`
 * includes its own second, which the tracker's `new_since` does not: so the request begins a second earlier, and older
 * results are dropped.
 */

import { trackerTime } from '../connection/answer.ts';
import { type Query, queryLength, type TrackerClient } from '../connection/client.ts';
import { TrackerError } from '../connection/errors.ts';
import { type Batch, queryBytesMax, readInBatches } from '../connection/read-apart.ts';
import { type Attachment, contentQuery, getAttachments } from './attachment.ts';
import { type HistoryRecord, historiesIn } from './bug-history.ts';
import type { LeftOut } from './bug-operations.ts';
import { type Comment, commentsIn } from './comment.ts';

export interface BulkOptions {
  /** Bugs per request, 1000 by default; fewer if the address would become too long. */
  readonly batchSize?: number;
}

/** For reads that go on in later ones. */
export interface BulkInTime extends BulkOptions, Pick<Batch<number, unknown>, 'found' | 'inTime'> {}

export interface BulkSince extends BulkOptions {
  /** Only results of this second or later; epoch milliseconds. */
  readonly since?: number;
}

export interface Bulk<Part> {
  /** By bug id; a bug without any comment, attachment or change has an empty list. */
  readonly found: ReadonlyMap<number, Part>;
  /** Bugs that are not in `found`, and why. */
  readonly leftOut: readonly LeftOut[];
}

export async function readComments(
  client: TrackerClient,
  ids: readonly number[],
  options: BulkSince,
): Promise<Bulk<readonly Comment[]>> {
  const isWanted = laterThan(options);
  return readBulk(client, ids, options, sinceQuery(options), async ([first, ...others], query) => {
    const { body } = await client.read(['bug', first, 'comment'], { ids: others, ...query }, commentsIn(client.rows));
    return Object.entries(body.bugs).map(([bug, { comments }]) => [
      Number(bug),
      comments.filter(({ creation_time }) => isWanted(creation_time)),
    ]);
  });
}

export async function readHistory(
  client: TrackerClient,
  ids: readonly number[],
  options: BulkSince & BulkInTime,
): Promise<Bulk<readonly HistoryRecord[]>> {
  const isWanted = laterThan(options);
  return readBulk(client, ids, options, sinceQuery(options), async ([first, ...others], query) => {
    const { body } = await client.read(['bug', first, 'history'], { ids: others, ...query }, historiesIn(client.rows));
    return body.bugs.map(({ id, history }) => [id, history.filter(({ when }) => isWanted(when))]);
  });
}

export function readAttachments(
  client: TrackerClient,
  ids: readonly number[],
  options: BulkInTime,
): Promise<Bulk<readonly Attachment[]>> {
  return readBulk(client, ids, options, contentQuery(false), async (part) => [
    ...(await getAttachments(client, part, { data: false })),
  ]);
}

type Ids = readonly [number, ...number[]];
type Request<Part> = (ids: Ids, query: Query) => Promise<readonly (readonly [number, Part])[]>;

async function readBulk<Part>(
  client: TrackerClient,
  ids: readonly number[],
  { batchSize = 1000, found, inTime }: BulkInTime,
  query: Query,
  request: Request<Part>,
): Promise<Bulk<Part>> {
  const leftOut: LeftOut[] = [];
  const parts = await readInBatches(
    {
      client,
      ...(found === undefined ? {} : { found }),
      inTime,
      fits: (part: readonly number[]) =>
        part.length <= batchSize && queryLength({ ...query, ids: part }) < queryBytesMax,
      request: async ([first, ...others]) => (first === undefined ? [] : request([first, ...others], query)),
      leaveOut: (bug, failure) => leftOut.push({ bug, failure }),
      bugOf: (bug) => bug,
      bugIn: ([bug]) => bug,
      askOf: (bug) => bug,
    },
    [...new Set(ids)],
  );
  const answered = new Map(parts);
  const known = new Set([...answered.keys(), ...leftOut.map(({ bug }) => bug)]);
  const unasked = ids.filter((id) => !known.has(id)).map((bug) => ({ bug, failure: notAsked(bug) }));
  return { found: answered, leftOut: [...leftOut, ...unasked] };
}

const notAsked = (bug: number): TrackerError =>
  new TrackerError('unavailable', `There was no time left to ask the tracker about bug ${bug}`);

const sinceQuery = ({ since }: BulkSince): Query =>
  since === undefined ? {} : { new_since: trackerTime(Math.max(0, since - 1000)) };

function laterThan({ since }: BulkSince): (at: number) => boolean {
  const from = since === undefined ? Number.NEGATIVE_INFINITY : Math.floor(since / 1000) * 1000;
  return (at) => at >= from;
}

/**
 * Finds out whether a write was stored. Reads bugs by id, which a tracker answers from its main database; searches,
 * histories and comments may come from a replica that lags.
 */

import { type Bug, type FieldName, fieldNames } from '../model/item.ts';
import type { PastChange } from '../model/receipt.ts';
import type { CommentAt, History } from '../model/replica.ts';
import type { Change, HistoryRecord } from './api/bug-history.ts';
import { type BulkInTime, readHistory } from './api/bulk.ts';
import { getComment } from './api/comment.ts';
import { type Query, queryLength, type TrackerClient } from './connection/client.ts';
import { isPoison, isUnreachable } from './connection/errors.ts';
import { queryBytesMax, readInBatches } from './connection/read-apart.ts';
import { bugRow, historyRow, mappedOrNone, mapping } from './connection/rows.ts';
import { type CharacterSupport, detailedBug, type Extras, extraFields, isCustom, read } from './map.ts';
import { bugFields, bugsIn } from './schema.ts';

interface EvidenceSource {
  readonly client: TrackerClient;
  readonly url: string;
  readonly extras: Extras;
  readonly characters: CharacterSupport;
}

const batchSize = 100;

/** Leaves out inaccessible bugs. Throws `TrackerError`. */
export function readBugs(
  { client, url, extras, characters }: EvidenceSource,
  refs: readonly number[],
  asking: Pick<BulkInTime, 'found' | 'inTime'> = {},
): Promise<readonly Bug[]> {
  const fields = { include_fields: [bugFields, ...extraFields(extras)].join(',') };
  const query = (others: readonly number[]): Query => ({ ids: others, ...fields });
  return readInBatches(
    {
      client,
      fits: (part: readonly number[]) => part.length <= batchSize && queryLength(query(part)) < queryBytesMax,
      request: async ([first, ...others]) => {
        if (first === undefined) return [];
        const { body } = await client.read(['bug', first], query(others), bugsIn(client.rows));
        return body.bugs.map((bug) =>
          mapping(client.rows, bugRow(bug), () => read(characters, detailedBug(bug, url, extras))),
        );
      },
      leaveOut: () => undefined,
      bugOf: (bug: number) => bug,
      askOf: (bug) => bug,
      ...asking,
    },
    [...new Set(refs)],
  );
}

/** The changes to these bugs in this second or later. Throws `TrackerError`. */
export async function readChanges(
  client: TrackerClient,
  refs: readonly number[],
  options: Pick<BulkInTime, 'found' | 'inTime'> & { readonly since: number },
): Promise<History> {
  const { found, leftOut } = await readHistory(client, refs, options);
  const unread = leftOut.map(({ bug }) => bug);
  const changes = [...found].flatMap(([ref, records]) =>
    mappedOrNone(
      client.rows,
      historyRow({ id: ref, history: records }),
      () => records.map((record) => pastChange(ref, record)),
      () => unread.push(ref),
    ).flat(),
  );
  return { changes, unread };
}

const pastChange = (ref: number, { when, who, changes }: HistoryRecord): PastChange => ({
  ref,
  at: when,
  login: who,
  what: textsOf(changes, 'added'),
  was: textsOf(changes, 'removed'),
  shown: changes.flatMap(({ field_name, added, comment_id }) =>
    field_name === 'longdescs.isprivate' && added === '0' ? (comment_id ?? []) : [],
  ),
});

/** Throws `TrackerError`. */
export async function commentAt(client: TrackerClient, id: number): Promise<CommentAt> {
  try {
    const { bug_id, creator } = await getComment(client, id);
    return { kind: 'there', bug: bug_id, login: creator };
  } catch (failure) {
    if (isPoison(failure)) return { kind: 'unknown' };
    if (!isUnreachable(failure)) throw failure;
    if (failure.kind === 'missing') return { kind: 'missing' };
    return { kind: failure.code === commentIsPrivate ? 'private' : 'unknown' };
  }
}

/** The tracker looks at the bug first, so we may see that. */
const commentIsPrivate = 110;

/** The names of fields in the history, where they differ from ours. */
const namesInHistory: Readonly<Record<string, FieldName | 'seeAlso'>> = {
  summary: 'title',
  resolution: 'status',
  assigned_to: 'assignee',
  target_milestone: 'milestone',
  see_also: 'seeAlso',
  depends_on: 'dependsOn',
};

function textsOf(changes: readonly Change[], which: 'added' | 'removed'): PastChange['what'] {
  const texts: Partial<Record<FieldName | 'seeAlso', readonly string[]>> = {};
  for (const change of changes) {
    const field = nameOf(change.field_name);
    if (field !== null) texts[field] = [...(texts[field] ?? []), change[which]];
  }
  return texts;
}

const nameOf = (name: string): FieldName | 'seeAlso' | null =>
  namesInHistory[name] ?? fieldNames.find((field) => field === name) ?? (isCustom(name) ? name : null);

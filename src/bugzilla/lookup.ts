/**
 * What shows whether a write was stored. Bugs are read by id, which a tracker answers from the database that it writes to; its searches,
 * histories and comments may come from a copy that lags behind.
 */

import { type Bug, type FieldName, fieldNames } from '../model/item.ts';
import type { PastChange } from '../model/receipt.ts';
import { readHistory } from './api/bulk.ts';
import { getComment } from './api/comment.ts';
import { type CharacterSupport, read } from './character-support.ts';
import { queryBytesMax, readInBatches } from './connection/batch.ts';
import { type Query, queryLength, type TrackerClient } from './connection/client.ts';
import { isPoison, isUnreachable } from './connection/errors.ts';
import { detailedBug, type Extras, extraFields } from './map.ts';
import { bugFields, bugsSchema } from './schema.ts';

export interface EvidenceSource {
  readonly client: TrackerClient;
  readonly url: string;
  readonly extras: Extras;
  readonly characters: CharacterSupport;
}

const batchSize = 100;

/** Bugs that cannot be reached are left out. Throws `TrackerError`. */
export function readBugs({ client, url, extras, characters }: EvidenceSource, refs: readonly number[]): Promise<readonly Bug[]> {
  const fields = { include_fields: [bugFields, ...extraFields(extras)].join(',') };
  const query = (others: readonly number[]): Query => ({ ids: others, ...fields });
  return readInBatches(
    {
      fits: (part: readonly number[]) => part.length <= batchSize && queryLength(query(part)) < queryBytesMax,
      request: async ([first, ...others]) => {
        if (first === undefined) return [];
        const { body } = await client.read(['bug', first], query(others), bugsSchema);
        return body.bugs.map((bug) => read(characters, detailedBug(bug, url, extras)));
      },
      leaveOut: () => undefined,
    },
    [...new Set(refs)],
  );
}

/** What was changed of these bugs in this second or later. Throws `TrackerError`. */
export async function readChanges(client: TrackerClient, refs: readonly number[], since: number): Promise<readonly PastChange[]> {
  const { found } = await readHistory(client, refs, { since });
  return [...found].flatMap(([ref, records]) =>
    records.map(({ when, who, changes }) => ({ ref, at: when, login: who, what: changes.flatMap((change) => whatOf(change.field_name)) })),
  );
}

/** One that we may not see is there, too, and so is one that the tracker itself fails on. Throws `TrackerError`. */
export async function hasComment(client: TrackerClient, id: number): Promise<boolean> {
  try {
    await getComment(client, id);
    return true;
  } catch (failure) {
    if (isPoison(failure)) return true;
    if (!isUnreachable(failure)) throw failure;
    return failure.kind === 'hidden';
  }
}

/** What the history calls a field, where that is not the name of the field itself. The second names are harmony's and BMO's. */
const namesInHistory: Readonly<Record<string, FieldName | 'seeAlso'>> = {
  ...{ summary: 'title', short_desc: 'title' },
  ...{ bug_status: 'status', resolution: 'status' },
  ...{ bug_severity: 'severity', rep_platform: 'platform', status_whiteboard: 'whiteboard' },
  ...{ assigned_to: 'assignee', target_milestone: 'milestone', see_also: 'seeAlso' },
  ...{ depends_on: 'dependsOn', dependson: 'dependsOn' },
};

function whatOf(name: string): readonly (FieldName | 'seeAlso')[] {
  const named = namesInHistory[name] ?? fieldNames.find((field) => field === name);
  if (named !== undefined) return [named];
  return isCustom(name) ? [name] : [];
}

const isCustom = (name: string): name is `cf_${string}` => name.startsWith('cf_');

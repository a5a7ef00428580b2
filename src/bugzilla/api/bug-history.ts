/** The answer of Bug History (section 2.4 of the interface). */

import { z } from 'zod';
import type { RowReader } from '../../model/runtime.ts';
import { instant, list, textOrNothing, whole } from '../connection/answer.ts';
import { historyRow, row } from '../connection/rows.ts';

/**
 * One field that changed. Lists are joined by comma and space; repeats by one person within one second are glued
 * together.
 */
export interface Change {
  readonly field_name: string;
  readonly removed: string;
  readonly added: string;
  /** Present only when the change concerned an attachment. */
  readonly attachment_id?: number;
  /** Present only when the change concerned a comment. */
  readonly comment_id?: number;
}

/** What one person changed at one time. */
export interface HistoryRecord {
  /** Epoch milliseconds, whole seconds. */
  readonly when: number;
  readonly who: string;
  readonly changes: readonly Change[];
}

export interface BugHistory {
  readonly id: number;
  readonly alias: readonly string[];
  readonly history: readonly HistoryRecord[];
}

/** harmony reports internal names. It calls hours and times by their kind, `double` and `dateTime`, so these stay. */
const interfaceNames: ReadonlyMap<string, string> = new Map([
  ['bug_status', 'status'],
  ['bug_severity', 'severity'],
  ['rep_platform', 'platform'],
  ['short_desc', 'summary'],
  ['bug_file_loc', 'url'],
  ['status_whiteboard', 'whiteboard'],
  ['dependson', 'depends_on'],
  ['blocked', 'blocks'],
  ['bug_group', 'groups'],
  ['cclist_accessible', 'is_cc_accessible'],
  ['reporter_accessible', 'is_creator_accessible'],
  ['everconfirmed', 'is_confirmed'],
]);

/** Keys that are not named here are dropped on purpose: 5.x adds the text of comments that are private by now. */
const changeSchema: z.ZodType<Change> = z
  .object({
    field_name: z.string().transform((name) => interfaceNames.get(name) ?? name),
    removed: textOrNothing,
    added: textOrNothing,
    attachment_id: whole.exactOptional(),
    comment: z.object({ comment_id: whole }).optional().catch(undefined),
  })
  .transform(({ comment, ...change }) => (comment === undefined ? change : { ...change, ...comment }));

const historySchema: z.ZodType<BugHistory> = z.object({
  id: whole,
  alias: list.default([]),
  history: z.array(z.object({ when: instant, who: z.string(), changes: z.array(changeSchema) })),
});

export const historiesIn = (rows: RowReader) => z.object({ bugs: z.array(row(rows, historySchema, historyRow)) });

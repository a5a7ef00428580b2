import type { Shape } from './bug-shape.ts';
import type { HistoryRow, TrackerBug, TrackerState } from './state.ts';
import { wireTime } from './times.ts';
import { isIn, type Viewer } from './users.ts';

const timeFields: readonly string[] = ['work_time', 'remaining_time', 'estimated_time', 'actual_time', 'deadline'];

/**
 * A bug's history as the REST interface shows it, rows after `sinceAt` only (exclusive). It is not a log: what one person did in one
 * second is one entry, and rows of one field that follow each other are glued together.
 */
export function historyShape(state: TrackerState, viewer: Viewer, bug: TrackerBug, sinceAt: number | null): Shape {
  const rows = (state.history.get(bug.id) ?? [])
    .filter((row) => sinceAt === null || row.at > sinceAt)
    .filter((row) => isIn(viewer, 'insider') || !isOnPrivateAttachment(state, row))
    .filter((row) => isIn(viewer, 'timetrackers') || !timeFields.includes(row.field));
  const entries: { when: string; who: string; changes: Shape[] }[] = [];
  let last: HistoryRow | null = null;
  for (const row of rows.toSorted((one, other) => one.at - other.at)) {
    let entry = entries.at(-1);
    if (entry === undefined || last === null || last.at !== row.at || last.who !== row.who) {
      entry = { when: wireTime(row.at), who: row.who, changes: [] };
      entries.push(entry);
      last = null;
    }
    const change = entry.changes.at(-1);
    if (change !== undefined && last?.field === row.field && last.attachment === row.attachment) glue(change, row);
    else entry.changes.push(changeShape(row));
    last = row;
  }
  return { id: bug.id, alias: bug.alias, history: entries };
}

/** Whether the attachment is private now counts, not whether it was then. */
const isOnPrivateAttachment = (state: TrackerState, { attachment }: HistoryRow): boolean =>
  attachment !== null && state.attachments.get(attachment)?.isPrivate === true;

function changeShape({ field, removed, added, attachment }: HistoryRow): Shape {
  const shape: Shape = { field_name: field, removed, added };
  return attachment === null ? shape : { ...shape, attachment_id: attachment };
}

const lists: readonly string[] = ['cc', 'keywords', 'see_also', 'depends_on', 'blocks', 'groups', 'alias', 'flagtypes.name'];

function glue(change: Shape, row: HistoryRow): void {
  const join = (one: unknown, other: string): string =>
    [String(one), other].filter((part) => part !== '').join(lists.includes(row.field) ? ', ' : ' ');
  change['removed'] = join(change['removed'], row.removed);
  change['added'] = join(change['added'], row.added);
}

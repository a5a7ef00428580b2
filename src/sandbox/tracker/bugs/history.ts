import { instantOf, localTime, wireTime } from '../installation/times.ts';
import { isIn, type Viewer } from '../installation/users.ts';
import { way } from '../installation/versions.ts';
import type { HistoryRow, TrackerBug, TrackerComment, TrackerState } from '../world/state.ts';
import { aliasShape, type Shape } from './bugs.ts';
import { hoursText } from './hours.ts';

const timeFields: readonly string[] = ['work_time', 'remaining_time', 'estimated_time', 'deadline'];

/**
 * A bug's history as the REST interface shows it, only rows after `sinceAt` (exclusive). It is not a log: all changes
 * of one person in one second are one changeset, and adjacent rows of one field are joined.
 */
export function historyShape(state: TrackerState, viewer: Viewer, bug: TrackerBug, sinceAt: number | null): Shape {
  const rows = historySeen(state, viewer, bug.id).filter((row) => sinceAt === null || row.at > sinceAt);
  const changesets: { when: string; who: string; changes: Shape[] }[] = [];
  let last: HistoryRow | null = null;
  for (const row of rows.toSorted((one, other) => one.at - other.at)) {
    let changeset = changesets.at(-1);
    if (changeset === undefined || last === null || last.at !== row.at || last.who !== row.who) {
      changeset = { when: wireTime(row.at), who: row.who, changes: [] };
      changesets.push(changeset);
      last = null;
    }
    const change = changeset.changes.at(-1);
    const isSame = last?.field === row.field && last.attachment === row.attachment && last.comment === row.comment;
    if (change !== undefined && isSame) glue(change, row);
    else changeset.changes.push(changeShape(state, row));
    last = row;
  }
  return { id: bug.id, alias: aliasShape(state, bug), history: changesets };
}

/** The changes that this reader may see. */
export const historySeen = (state: TrackerState, viewer: Viewer, bug: number): readonly HistoryRow[] =>
  (state.history.get(bug) ?? []).filter((row) => isVisible(state, viewer, row));

/**
 * For an attachment, its current privacy counts, not that of the time of the change. Outsiders do not see that a
 * comment became private; they do see that it became public, even if it is private again.
 */
function isVisible(state: TrackerState, viewer: Viewer, { field, added, attachment }: HistoryRow): boolean {
  if (timeFields.includes(field)) return isIn(viewer, state.settings.timetrackinggroup);
  if (isIn(viewer, state.settings.insidergroup)) return true;
  if (field === 'longdescs.isprivate') return added !== '1';
  return attachment === null || state.attachments.get(attachment)?.isPrivate !== true;
}

function changeShape(state: TrackerState, { field, removed, added, attachment, comment: id }: HistoryRow): Shape {
  const shape: Shape = {
    field_name: historyName(state, field),
    removed: historyValue(state, field, removed),
    added: historyValue(state, field, added),
  };
  if (attachment !== null) shape['attachment_id'] = attachment;
  const comment = id === undefined ? undefined : [...state.comments.values()].flat().find((one) => one.id === id);
  if (comment !== undefined) shape['comment'] = leaked(state, comment);
  return shape;
}

/** The real server shows the comment's whole database row here, including the text, to everyone who sees the change. */
function leaked(state: TrackerState, comment: TrackerComment): Shape {
  const kind = comment.attachmentEvent === null ? 0 : comment.attachmentEvent === 'created' ? 5 : 6;
  return {
    comment_id: comment.id,
    bug_id: comment.bug,
    who: state.users.find(({ login }) => login === comment.creator)?.id ?? 0,
    bug_when: localTime(comment.at, state.timeZone),
    work_time: hoursText(comment.workTime),
    thetext: comment.text,
    isprivate: comment.isPrivate ? 1 : 0,
    already_wrapped: 0,
    type: kind,
    extra_data: comment.attachment === null ? null : String(comment.attachment),
  };
}

/** On harmony, hours are numbers, and times have the form of the interface. */
function historyValue(state: TrackerState, field: string, text: string): unknown {
  const name = historyName(state, field);
  if (name === 'double') return Number(text);
  return name !== 'dateTime' || text === ''
    ? text
    : wireTime(instantOf(text.length === 10 ? `${text} 00:00:00` : text, state.timeZone));
}

/** On harmony, hours and times are called by their kind. */
function historyName(state: TrackerState, field: string): string {
  if (way(state, 'historyNames') === 'api') return field;
  const kind = state.customFields.find(({ name }) => name === field)?.kind;
  if (kind === 'datetime' || field === 'deadline' || field === 'cf_last_resolved') return 'dateTime';
  return ['estimated_time', 'remaining_time', 'work_time'].includes(field)
    ? 'double'
    : (internalNames.get(field) ?? field);
}

const internalNames: ReadonlyMap<string, string> = new Map([
  ['status', 'bug_status'],
  ['severity', 'bug_severity'],
  ['platform', 'rep_platform'],
  ['summary', 'short_desc'],
  ['url', 'bug_file_loc'],
  ['whiteboard', 'status_whiteboard'],
  ['depends_on', 'dependson'],
  ['blocks', 'blocked'],
  ['groups', 'bug_group'],
  ['is_cc_accessible', 'cclist_accessible'],
  ['is_creator_accessible', 'reporter_accessible'],
  ['is_confirmed', 'everconfirmed'],
]);

/** These fields are joined with commas, addresses without a separator, and all others with a space. */
const withCommas: readonly string[] = ['see_also', 'depends_on', 'blocks'];

/** The earlier value stays even if the later one is empty, so the text may end with a separator. */
function glue(change: Shape, row: HistoryRow): void {
  const separator = withCommas.includes(row.field) ? ', ' : row.field === 'url' ? '' : ' ';
  const join = (one: unknown, other: string): string => (one === '' ? other : `${String(one)}${separator}${other}`);
  change['removed'] = join(change['removed'], row.removed);
  change['added'] = join(change['added'], row.added);
}

import { bugFields, customFields } from './chart-bug-field.ts';
import type { ChartFields } from './chart-field.ts';
import { rowFields } from './chart-row-field.ts';
import type { TrackerAttachment, TrackerBug, TrackerComment, TrackerState } from './state.ts';
import { isIn, type Viewer } from './users.ts';

/** On whose behalf, and in what, a search looks. Private comments and attachments are shown to it as to the viewer. */
export interface Scope {
  readonly state: TrackerState;
  readonly viewer: Viewer;
  readonly isInsider: boolean;
  /** What the viewer may name in a criterion. */
  readonly fields: ChartFields;
  readonly commentsOf: (bug: TrackerBug) => readonly TrackerComment[];
  readonly attachmentsOf: (bug: TrackerBug) => readonly TrackerAttachment[];
  /** The private ones too. */
  readonly allAttachmentsOf: (bug: TrackerBug) => readonly TrackerAttachment[];
}

const timeTracking: readonly string[] = ['estimated_time', 'remaining_time', 'work_time', 'percentage_complete'];

export function searchScope(state: TrackerState, viewer: Viewer): Scope {
  const isInsider = isIn(viewer, state.settings.insidergroup);
  const isTimeTracker = isIn(viewer, state.settings.timetrackinggroup);
  const fields = Object.entries({ ...bugFields, ...customFields(state), ...rowFields });
  const byBug = Map.groupBy(state.attachments.values(), ({ bug }) => bug);
  const isSeen = ({ isPrivate }: { readonly isPrivate: boolean }): boolean => isInsider || !isPrivate;
  const allAttachmentsOf: Scope['allAttachmentsOf'] = ({ id }) => byBug.get(id) ?? [];
  return {
    state,
    viewer,
    isInsider,
    fields: Object.fromEntries(fields.filter(([name]) => isTimeTracker || !timeTracking.includes(name))),
    commentsOf: ({ id }) => (state.comments.get(id) ?? []).filter(isSeen),
    attachmentsOf: (bug) => allAttachmentsOf(bug).filter(isSeen),
    allAttachmentsOf,
  };
}

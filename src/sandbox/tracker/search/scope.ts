import { bugFields, customFields } from '../chart/bug-field.ts';
import type { ChartFields } from '../chart/field.ts';
import { rowFields } from '../chart/row-field.ts';
import { isIn, type Viewer } from '../installation/users.ts';
import type { TrackerAttachment, TrackerBug, TrackerComment, TrackerState } from '../world/state.ts';
import { wordsOf } from './full-text.ts';

/** The viewer and the data of a search. It sees the private comments and attachments that the viewer sees. */
export interface Scope {
  readonly state: TrackerState;
  readonly viewer: Viewer;
  readonly isInsider: boolean;
  /** The fields that the viewer may name in a criterion. */
  readonly fields: ChartFields;
  readonly commentsOf: (bug: TrackerBug) => readonly TrackerComment[];
  readonly attachmentsOf: (bug: TrackerBug) => readonly TrackerAttachment[];
  /** The words of its comments and its summary: the content of the field `content`. */
  readonly contentOf: (bug: TrackerBug) => readonly (readonly string[])[];
  /** Including private ones. */
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
  const commentsOf: Scope['commentsOf'] = ({ id }) => (state.comments.get(id) ?? []).filter(isSeen);
  return {
    state,
    viewer,
    isInsider,
    fields: Object.fromEntries(fields.filter(([name]) => isTimeTracker || !timeTracking.includes(name))),
    commentsOf,
    contentOf: contentReader(commentsOf),
    attachmentsOf: (bug) => allAttachmentsOf(bug).filter(isSeen),
    allAttachmentsOf,
  };
}

/** A search with many words tests the same texts repeatedly; this reads each text once. */
function contentReader(commentsOf: Scope['commentsOf']): Scope['contentOf'] {
  const known = new Map<number, readonly (readonly string[])[]>();
  return (bug) => {
    const words = known.get(bug.id) ?? [
      wordsOf(
        commentsOf(bug)
          .map(({ text }) => text)
          .join('\n'),
      ),
      wordsOf(bug.summary),
    ];
    known.set(bug.id, words);
    return words;
  };
}

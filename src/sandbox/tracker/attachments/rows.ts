import { keptText } from '../installation/characters.ts';
import type { HistoryRow, TrackerAttachment, TrackerFlag, TrackerState } from '../world/state.ts';
import { flagsChange, orderedFlags } from './flags.ts';

/** An edit's copy of an attachment. */
export type AttachmentDraft = { -readonly [Field in keyof TrackerAttachment]: TrackerAttachment[Field] };

/** The changes of one attachment, under the names of the history without the prefix `attachments.`. */
export type AttachmentChanges = Readonly<Record<string, { readonly removed: string; readonly added: string }>>;

/**
 * Replaces an attachment by its draft and returns the changes. An attachment without a row is new: only its flags count
 * as changes. An unchanged attachment keeps its time.
 */
export function storeAttachment(state: TrackerState, draft: AttachmentDraft, at: number): AttachmentChanges {
  const before = state.attachments.get(draft.id);
  const changes = before === undefined ? flagChanges([], draft.flags) : differences(before, draft);
  const flags = numberedFlags(state, draft.flags);
  const hasChanged = before === undefined || Object.keys(changes).length > 0;
  if (hasChanged) state.attachments.set(draft.id, { ...keptRow(state, draft), flags, changedAt: at });
  return changes;
}

function keptRow(state: TrackerState, draft: AttachmentDraft): TrackerAttachment {
  return { ...draft, summary: keptText(state, draft.summary), fileName: keptText(state, draft.fileName) };
}

/** Flags with a number each, in display order. A new one has 0 until it is stored. */
export const numberedFlags = (state: TrackerState, flags: readonly TrackerFlag[]): readonly TrackerFlag[] =>
  orderedFlags(flags).map((flag) => (flag.id === 0 ? { ...flag, id: state.nextFlag++ } : flag));

export const attachmentHistory = (
  draft: AttachmentDraft,
  changes: AttachmentChanges,
  who: string,
  at: number,
): readonly HistoryRow[] =>
  Object.entries(changes).map(([name, change]) => {
    const field = name === 'flagtypes.name' ? name : `attachments.${name}`;
    return { at, who, field, ...change, attachment: draft.id };
  });

const fields = [
  ['description', ({ summary }: TrackerAttachment) => summary],
  ['filename', ({ fileName }: TrackerAttachment) => fileName],
  ['isobsolete', ({ isObsolete }: TrackerAttachment) => (isObsolete ? '1' : '0')],
  ['ispatch', ({ isPatch }: TrackerAttachment) => (isPatch ? '1' : '0')],
  ['isprivate', ({ isPrivate }: TrackerAttachment) => (isPrivate ? '1' : '0')],
  ['mimetype', ({ contentType }: TrackerAttachment) => contentType],
] as const;

function differences(before: TrackerAttachment, after: TrackerAttachment): AttachmentChanges {
  const single = fields.flatMap(([name, textOf]) => {
    const [removed, added] = [textOf(before), textOf(after)];
    return removed === added ? [] : [[name, { removed, added }] as const];
  });
  return { ...Object.fromEntries(single), ...flagChanges(before.flags, after.flags) };
}

function flagChanges(before: readonly TrackerFlag[], after: readonly TrackerFlag[]): AttachmentChanges {
  const change = flagsChange(before, after);
  return change === null ? {} : { 'flagtypes.name': change };
}

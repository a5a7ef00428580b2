import { type AttachmentChanges, type AttachmentDraft, attachmentHistory, numberedFlags, storeAttachment } from './attachment-rows.ts';
import { bugMissing } from './errors.ts';
import { flagsChange } from './flags.ts';
import type { HistoryRow, TrackerBug, TrackerComment, TrackerState, User } from './state.ts';

/**
 * One write, prepared on copies and committed as a whole or not at all. What changed is found by comparing each copy with the row
 * it came from, so that a write that changes nothing leaves no trace and no new time.
 */
export interface Edit {
  readonly state: TrackerState;
  readonly user: User;
  /** The time stamp of everything it does. */
  readonly at: number;
  readonly drafts: Map<number, Draft>;
  readonly comments: DraftComment[];
  /** Attachments that come or change, by id. */
  readonly attachments: Map<number, AttachmentDraft>;
  /** New bugs as they were filed, before their flags were set: what the flags bring is told by the history. */
  readonly filed: Map<number, TrackerBug>;
  /** Comments that become private or public, by id. */
  readonly privacy: Map<number, boolean>;
}

export type Draft = { -readonly [Field in keyof TrackerBug]: TrackerBug[Field] };

export interface DraftComment {
  readonly bug: number;
  text: string;
  readonly isPrivate: boolean;
  /** The attachment that the comment belongs to, if it belongs to one. */
  readonly on?: { readonly attachment: number; readonly event: 'created' | 'updated' };
}

export interface Change {
  readonly removed: string;
  readonly added: string;
}
export type Changes = Readonly<Record<string, Change>>;

/** What a committed edit did: changes by bug and by attachment, and the ids of its comments in their order. */
export interface Committed {
  readonly changes: ReadonlyMap<number, Changes>;
  readonly attachments: ReadonlyMap<number, AttachmentChanges>;
  readonly comments: readonly number[];
}

export const beginEdit = (state: TrackerState, user: User, at: number): Edit => ({
  state,
  user,
  at,
  drafts: new Map(),
  comments: [],
  attachments: new Map(),
  filed: new Map(),
  privacy: new Map(),
});

/** The copy of a bug that this edit works on. */
export function draftOf(edit: Edit, id: number): Draft {
  const begun = edit.drafts.get(id);
  if (begun !== undefined) return begun;
  const bug = edit.state.bugs.get(id);
  if (bug === undefined) throw bugMissing(id);
  const draft: Draft = { ...bug };
  edit.drafts.set(id, draft);
  return draft;
}

export function commit(edit: Edit): Committed {
  const touched = new Set(edit.comments.map((comment) => comment.bug));
  for (const [id, isPrivate] of edit.privacy) {
    const bug = setPrivacy(edit, id, isPrivate);
    if (bug !== null) touched.add(bug);
  }
  const attachments = commitAttachments(edit, touched);
  const changes = new Map<number, Changes>();
  for (const [id, draft] of edit.drafts) {
    const before = edit.state.bugs.get(id) ?? edit.filed.get(id);
    const difference = before === undefined ? {} : differences(before, draft);
    changes.set(id, difference);
    if (before !== undefined && Object.keys(difference).length === 0 && !touched.has(id)) continue;
    keepPast(edit.state, id);
    edit.state.bugs.set(id, { ...draft, flags: numberedFlags(edit.state, draft.flags), changedAt: edit.at });
    addHistory(edit, id, difference);
  }
  return { changes, attachments, comments: edit.comments.map((comment) => storeComment(edit, comment)) };
}

/** Attachments are told of in the history before their bugs are; a bug changes with them. */
function commitAttachments(edit: Edit, touched: Set<number>): ReadonlyMap<number, AttachmentChanges> {
  const all = new Map<number, AttachmentChanges>();
  for (const [id, draft] of edit.attachments) {
    const changes = storeAttachment(edit.state, draft, edit.at);
    all.set(id, changes);
    if (Object.keys(changes).length === 0) continue;
    draftOf(edit, draft.bug);
    touched.add(draft.bug);
    storeHistory(edit, draft.bug, attachmentHistory(draft, changes, edit.user.login, edit.at));
  }
  return all;
}

/** Deletes a bug with all that hangs on it, as an administrator may. */
export function removeBug(state: TrackerState, id: number): void {
  keepPast(state, id);
  state.bugs.delete(id);
  state.comments.delete(id);
  state.history.delete(id);
  for (const attachment of state.attachments.values()) if (attachment.bug === id) state.attachments.delete(attachment.id);
}

/** Long enough for any list to lag behind. */
const pastKeptMs = 120_000;

function keepPast(state: TrackerState, id: number): void {
  const until = state.now();
  const kept = state.past.length > 0 && (state.past[0]?.until ?? until) < until - pastKeptMs;
  const past = kept ? state.past.filter((row) => row.until >= until - pastKeptMs) : state.past;
  state.past = [...past, { id, bug: state.bugs.get(id) ?? null, until }];
}

function storeComment(edit: Edit, draft: DraftComment): number {
  const id = edit.state.nextComment++;
  const comment: TrackerComment = {
    id,
    bug: draft.bug,
    creator: edit.user.login,
    at: edit.at,
    isPrivate: draft.isPrivate,
    text: draft.text,
    attachment: draft.on?.attachment ?? null,
    attachmentEvent: draft.on?.event ?? null,
    tags: [],
  };
  const all = [...(edit.state.comments.get(draft.bug) ?? []), comment];
  edit.state.comments.set(
    draft.bug,
    all.sort((one, other) => one.at - other.at || one.id - other.id),
  );
  return id;
}

/** The bug whose comment changed, or null when the comment was so already. */
function setPrivacy(edit: Edit, id: number, isPrivate: boolean): number | null {
  for (const [bug, comments] of edit.state.comments) {
    const comment = comments.find((candidate) => candidate.id === id);
    if (comment === undefined) continue;
    if (comment.isPrivate === isPrivate) return null;
    draftOf(edit, bug);
    edit.state.comments.set(
      bug,
      comments.map((candidate) => (candidate.id === id ? { ...candidate, isPrivate } : candidate)),
    );
    return bug;
  }
  return null;
}

/** The fields of one value that a write may change, and that changes and history tell about. */
const single: readonly (keyof TrackerBug)[] = [
  'product',
  'component',
  'version',
  'target_milestone',
  'summary',
  'status',
  'resolution',
  'dupe_of',
  'is_confirmed',
  'severity',
  'priority',
  'platform',
  'op_sys',
  'assigned_to',
  'qa_contact',
  'url',
  'whiteboard',
  'deadline',
  'is_cc_accessible',
  'is_creator_accessible',
];
const lists = ['alias', 'cc', 'keywords', 'see_also', 'depends_on', 'blocks', 'groups'] as const;

function differences(before: TrackerBug, after: TrackerBug): Changes {
  const changes: Record<string, Change> = {};
  for (const field of single) {
    const [removed, added] = [asText(before[field]), asText(after[field])];
    if (removed !== added) changes[field] = { removed, added };
  }
  for (const field of lists) {
    const old: readonly (string | number)[] = before[field];
    const now: readonly (string | number)[] = after[field];
    const removed = old.filter((element) => !now.includes(element)).join(', ');
    const added = now.filter((element) => !old.includes(element)).join(', ');
    if (removed !== added) changes[field] = { removed, added };
  }
  const flags = flagsChange(before.flags, after.flags);
  return flags === null ? changes : { 'flagtypes.name': flags, ...changes };
}

const asText = (value: unknown): string => (typeof value === 'boolean' ? (value ? '1' : '0') : String(value ?? ''));

/** Of which target a bug is a duplicate is never in the history. */
function addHistory(edit: Edit, id: number, changes: Changes): void {
  const rows = Object.entries(changes)
    .filter(([field]) => field !== 'dupe_of')
    .map(([field, change]): HistoryRow => ({ at: edit.at, who: edit.user.login, field, ...change, attachment: null }));
  storeHistory(edit, id, rows);
}

function storeHistory({ state }: Edit, bug: number, rows: readonly HistoryRow[]): void {
  if (rows.length > 0) state.history.set(bug, [...(state.history.get(bug) ?? []), ...rows]);
}

import { type AttachmentChanges, attachmentHistory, numberedFlags, storeAttachment } from '../attachments/rows.ts';
import { keptSummary, keptText } from '../installation/characters.ts';
import { markdownOf } from '../installation/markdown.ts';
import { localTime } from '../installation/times.ts';
import { way } from '../installation/versions.ts';
import { isOpen } from '../installation/workflow.ts';
import { bugMissing } from '../server/errors.ts';
import type { HistoryRow, TrackerBug, TrackerComment, TrackerState, User } from '../world/state.ts';
import { type Changes, differences } from './bug-differences.ts';
import type { Draft, DraftComment, Edit } from './draft.ts';
import { recordEvents } from './events.ts';
import { hoursText, keptHours } from './hours.ts';

/** The result of a committed edit: changes by bug and by attachment, and the ids of its comments in order. */
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
  spelled: new Map(),
});

/** This edit's copy of a bug. */
export function draftOf(edit: Edit, id: number): Draft {
  const begun = edit.drafts.get(id);
  if (begun !== undefined) return begun;
  const bug = edit.state.bugs.get(id);
  if (bug === undefined) throw bugMissing(id);
  const draft: Draft = { ...bug };
  edit.drafts.set(id, draft);
  return draft;
}

/** Whether this edit comments on a bug. */
export const isCommented = (edit: Edit, bug: number): boolean => edit.comments.some((comment) => comment.bug === bug);

export function commit(edit: Edit): Committed {
  const touched = new Set(edit.comments.map((comment) => comment.bug));
  for (const bug of setPrivacy(edit)) touched.add(bug);
  const attachments = commitAttachments(edit, touched);
  const changes = new Map<number, Changes>();
  const replaced = new Map<number, TrackerBug | null>();
  for (const [id, draft] of edit.drafts) {
    const before = edit.state.bugs.get(id) ?? edit.filed.get(id);
    const difference = before === undefined ? {} : differences(edit.state, before, draft, edit.spelled);
    changes.set(id, difference);
    if (before !== undefined && Object.keys(difference).length === 0 && !touched.has(id)) continue;
    replaced.set(id, edit.state.bugs.get(id) ?? null);
    keepPast(edit.state, id);
    edit.state.bugs.set(id, keptRow(edit, draft));
    addHistory(edit, id, difference);
  }
  const comments = edit.comments.map((comment) => storeComment(edit, comment));
  recordEvents(edit, replaced, changes);
  return { changes, attachments, comments };
}

/** A draft in its kept form. */
function keptRow({ state, at }: Edit, draft: Draft): TrackerBug {
  const { actual, estimated, remaining } = draft.hours;
  return {
    ...draft,
    summary: keptSummary(state, draft.summary),
    url: keptText(state, draft.url),
    whiteboard: keptText(state, draft.whiteboard),
    custom: Object.fromEntries(
      Object.entries(draft.custom).map(([name, value]) => [
        name,
        typeof value === 'string' ? keptText(state, value) : value,
      ]),
    ),
    alias: draft.alias.toSorted(),
    cc: draft.cc.toSorted(),
    hours: { actual: keptHours(actual), estimated: keptHours(estimated), remaining: keptHours(remaining) },
    flags: numberedFlags(state, draft.flags),
    changedAt: at,
  };
}

/** The history reports attachments before their bugs; a bug changes with them. */
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

/** Deletes a bug with all its data, as an administrator may. */
export function removeBug(state: TrackerState, id: number): void {
  keepPast(state, id);
  state.bugs.delete(id);
  state.comments.delete(id);
  state.history.delete(id);
  for (const attachment of state.attachments.values())
    if (attachment.bug === id) state.attachments.delete(attachment.id);
}

/** Longer than any list lags. */
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
    ...(draft.isMarkdown || markdownOf(edit.state) === 'site' ? { isMarkdown: true } : {}),
    attachment: draft.on?.attachment ?? null,
    attachmentEvent: draft.on?.event ?? null,
    workTime: draft.workTime ?? 0,
    tags: [],
  };
  const all = [...(edit.state.comments.get(draft.bug) ?? []), comment];
  edit.state.comments.set(
    draft.bug,
    all.sort((one, other) => one.at - other.at || one.id - other.id),
  );
  return id;
}

/** Applies the comments' changes of privacy, and returns their bugs. */
function setPrivacy({ state, privacy, drafts }: Edit): ReadonlySet<number> {
  const bugs = new Set<number>();
  for (const id of privacy.size === 0 ? [] : drafts.keys()) {
    const comments = state.comments.get(id) ?? [];
    if (!comments.some((comment) => privacy.has(comment.id))) continue;
    bugs.add(id);
    state.comments.set(
      id,
      comments.map((comment) =>
        privacy.has(comment.id) ? { ...comment, isPrivate: privacy.get(comment.id) === true } : comment,
      ),
    );
  }
  return bugs;
}

/**
 * Hours worked come first, then comments that became private or public. The target of a duplicate is never reported.
 */
function addHistory(edit: Edit, id: number, changes: Changes): void {
  const row = (field: string, removed: string, added: string): HistoryRow => ({
    at: edit.at,
    who: edit.user.login,
    field,
    removed,
    added,
    attachment: null,
  });
  const work = edit.comments.filter((comment) => comment.bug === id && comment.workTime !== undefined);
  const own = (edit.state.comments.get(id) ?? []).filter((comment) => edit.privacy.has(comment.id));
  storeHistory(edit, id, [
    ...work.map((comment) => row('work_time', '', hoursText(comment.workTime ?? 0))),
    ...own.map((comment) => ({
      ...row('longdescs.isprivate', comment.isPrivate ? '0' : '1', comment.isPrivate ? '1' : '0'),
      comment: comment.id,
    })),
    ...Object.entries(changes)
      .filter(([field]) => field !== 'dupe_of')
      .map(([field, { removed, added }]) => row(field, removed, added)),
    ...resolved(edit, id, changes).map((at) => row('cf_last_resolved', '', localTime(at, edit.state.timeZone))),
  ]);
}

/** Harmony notes when a bug was last closed. */
function resolved({ state, at }: Edit, id: number, { status }: Changes): readonly number[] {
  if (way(state, 'bugKeys') === 'plain' || status === undefined) return [];
  const isSame = (state.history.get(id) ?? []).some((row) => row.field === 'cf_last_resolved' && row.at === at);
  return isOpen(status.removed) && !isOpen(status.added) && !isSame ? [at] : [];
}

function storeHistory({ state }: Edit, bug: number, rows: readonly HistoryRow[]): void {
  const kept = rows.map((one) => ({
    ...one,
    removed: keptText(state, one.removed),
    added: keptText(state, one.added),
  }));
  if (rows.length > 0) state.history.set(bug, [...(state.history.get(bug) ?? []), ...kept]);
}

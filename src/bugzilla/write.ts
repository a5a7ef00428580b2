/** Drafts and patches on the wire, and the bug after an update, from its answer. */

import { type BugId, bugId } from '../model/ids.ts';
import { type Bug, type BugValueName, type BugValues, bugValueNames, type CustomValues } from '../model/item.ts';
import type { Lost } from '../model/outcome.ts';
import type { BugDraft, BugPatch, SetPatch } from '../model/plan/draft.ts';
import type { Change } from './api/bug-history.ts';
import { dayIn, personOf } from './map.ts';
import type { MarkdownUse } from './markdown.ts';
import type { WireChanges } from './schema.ts';

type Body = Record<string, unknown>;

/**
 * Create refuses unknown fields, so only fields with a value are sent. If the installation reads Markdown, it reads new
 * bugs as Markdown by default.
 */
export function draftBody(draft: BugDraft, use: MarkdownUse = 'none'): Body {
  return {
    ...draft.further,
    product: draft.product,
    summary: draft.summary,
    description: draft.description,
    ...(draft.isMarkdown && use === 'comment' ? { is_markdown: true } : {}),
    ...draft.values,
    ...draft.customs,
    ...(draft.whiteboard === undefined ? {} : { whiteboard: draft.whiteboard }),
    ...(draft.keywords.length === 0 ? {} : { keywords: draft.keywords }),
    ...(draft.assignee === undefined ? {} : { assigned_to: draft.assignee }),
    ...(draft.milestone === undefined ? {} : { target_milestone: draft.milestone }),
    ...(draft.seeAlso === null ? {} : { see_also: [draft.seeAlso] }),
  };
}

/**
 * Lists are sent as additions and removals, so that concurrent additions of others survive. `dupe_of` sets its own
 * status and resolution, which must not be sent with it.
 */
export function patchBody(patch: BugPatch, use: MarkdownUse = 'none'): Body {
  const isDuplicate = patch.dupeOf !== undefined;
  return {
    ...(patch.summary === undefined ? {} : { summary: patch.summary }),
    ...(patch.status === undefined || isDuplicate ? {} : { status: patch.status }),
    ...(patch.resolution === undefined || isDuplicate ? {} : { resolution: patch.resolution }),
    ...(isDuplicate ? { dupe_of: patch.dupeOf } : {}),
    ...patch.values,
    ...patch.customs,
    ...(patch.whiteboard === undefined ? {} : { whiteboard: patch.whiteboard }),
    ...(patch.keywords === undefined ? {} : { keywords: { add: patch.keywords.add, remove: patch.keywords.remove } }),
    ...assigneeBody(patch),
    ...(patch.milestone === undefined ? {} : { target_milestone: patch.milestone }),
    ...(patch.dependsOn === undefined
      ? {}
      : { depends_on: { add: patch.dependsOn.add.map(Number), remove: patch.dependsOn.remove.map(Number) } }),
    ...(patch.seeAlso === undefined ? {} : { see_also: { add: [patch.seeAlso] } }),
    ...(patch.comment === undefined
      ? {}
      : { comment: { body: patch.comment, ...(patch.isMarkdown && use === 'comment' ? { is_markdown: true } : {}) } }),
  };
}

/**
 * A new bug as filed: reverts changes that others made before it was read back, so that the next poll returns them as
 * news.
 */
export const asFiled = (bug: Bug, changes: readonly Change[]): Bug =>
  changes.reduceRight((later, { field_name: name, removed, added }) => {
    return updatedBug(later, {}, { [name]: { removed: added, added: removed } }, bug.createdAt);
  }, bug);

/**
 * Whether others may have changed a new bug before it was read back. Timestamps have whole seconds, so this also
 * compares values.
 */
export const isTouched = (bug: Bug, { summary, values, keywords }: BugDraft): boolean =>
  bug.changedAt > bug.createdAt ||
  bug.resolution !== '' ||
  bug.summary !== summary ||
  bug.keywords.length !== keywords.length ||
  keywords.some((keyword) => !bug.keywords.includes(keyword)) ||
  bugValueNames.some((name) => values[name] !== undefined && values[name] !== bug.values[name]);

/**
 * The bug after an update. `changes` maps a field to what was removed and added, lists joined by comma and space; a
 * field that is not in it already had the value that was sent.
 */
export function updatedBug(seen: Bug, patch: BugPatch, changes: WireChanges, changedAt: number): Bug {
  const isDuplicate = patch.dupeOf !== undefined;
  const after = (name: string, sent: string | undefined, before: string): string =>
    changes[name]?.added ?? sent ?? before;
  const resolution = after('resolution', isDuplicate ? 'DUPLICATE' : patch.resolution, seen.resolution);
  return {
    ...seen,
    summary: after('summary', patch.summary, seen.summary),
    status: after('status', patch.status, seen.status),
    resolution,
    dupeOf: duplicateAfter(seen, patch, changes, resolution),
    values: valuesAfter(seen, patch, changes),
    keywords: listAfter(seen.keywords, patch.keywords, changes['keywords']).toSorted(),
    ...(seen.whiteboard === undefined ? {} : { whiteboard: after('whiteboard', patch.whiteboard, seen.whiteboard) }),
    ...(seen.customs === undefined ? {} : { customs: customsAfter(seen.customs, patch, changes) }),
    assignee: assigneeAfter(seen, patch, changes),
    milestone: changes['target_milestone']?.added ?? patch.milestone ?? seen.milestone,
    ...(seen.dependsOn === undefined ? {} : { dependsOn: dependsOnAfter(seen.dependsOn, patch, changes) }),
    seeAlso: seeAlsoAfter(seen, patch, changes),
    changedAt,
  };
}

/** Values written by others after our read and replaced by our write. Lists lose only what we removed. */
export function lostValues(seen: Bug, changes: WireChanges): readonly Lost[] {
  const known: Readonly<Record<string, string>> = {
    summary: seen.summary,
    status: seen.status,
    resolution: seen.resolution,
    dupe_of: seen.dupeOf === null ? '' : String(seen.dupeOf),
    ...(seen.assignee === null ? {} : { assigned_to: seen.assignee.login }),
    ...(seen.milestone === null ? {} : { target_milestone: seen.milestone }),
    ...seen.values,
    ...(seen.whiteboard === undefined ? {} : { whiteboard: seen.whiteboard }),
  };
  const lost = Object.entries(known).flatMap(([field, before]) => {
    const removed = changes[field]?.removed;
    return typeof removed === 'string' && removed !== before ? [{ field, value: removed }] : [];
  });
  const unseen = Object.entries(seen.customs ?? {}).flatMap(([field, before]) => {
    const removed = split(changes[field]?.removed).filter((value) => ![before].flat().includes(value));
    return removed.length === 0 ? [] : [{ field, value: removed.join(', ') }];
  });
  return [...lost, ...unseen];
}

/** Some versions do not list `dupe_of` if a changed resolution clears it. */
function duplicateAfter(seen: Bug, patch: BugPatch, changes: WireChanges, resolution: string): Bug['dupeOf'] {
  const change = changes['dupe_of'];
  if (change !== undefined) return change.added ? bugId(Number(change.added)) : null;
  if (patch.dupeOf !== undefined) return patch.dupeOf;
  return resolution === seen.resolution ? seen.dupeOf : null;
}

/** A bug always has an assignee: unassigned means the default of its component. */
function assigneeBody({ assignee }: BugPatch): Body {
  if (assignee === undefined) return {};
  return assignee === null ? { reset_assigned_to: true } : { assigned_to: assignee };
}

function assigneeAfter({ assignee: before }: Bug, { assignee: sent }: BugPatch, changes: WireChanges): Bug['assignee'] {
  const login = changes['assigned_to']?.added ?? sent ?? before?.login;
  return login === undefined || login === before?.login ? before : personOf(login, '');
}

function valuesAfter(seen: Bug, patch: BugPatch, changes: WireChanges): BugValues {
  const values = bugValueNames.flatMap((name): readonly (readonly [BugValueName, string])[] => {
    const value = changes[name]?.added ?? patch.values?.[name] ?? seen.values[name];
    return value === undefined ? [] : [[name, value]];
  });
  return Object.fromEntries(values);
}

/** Several values are sent as the whole list; the tracker answers with what was added and removed. */
function customsAfter(seen: CustomValues, { customs: sent = {} }: BugPatch, changes: WireChanges): CustomValues {
  const after = Object.entries(seen).map(([name, before]) => {
    const [wish, change] = [Object.entries(sent).find(([sentName]) => sentName === name)?.[1], changes[name]];
    if (typeof before === 'string') return [name, dayIn(change?.added ?? String(wish ?? before))] as const;
    const list = wish === undefined ? before : [wish].flat();
    const asked = {
      add: list.filter((value) => !before.includes(value)),
      remove: before.filter((value) => !list.includes(value)),
    };
    return [name, listAfter(before, asked, change).toSorted()] as const;
  });
  return Object.fromEntries(after);
}

function dependsOnAfter(seen: readonly BugId[], patch: BugPatch, changes: WireChanges): readonly BugId[] {
  const ids = listAfter(seen.map(String), patch.dependsOn, changes['depends_on']).map(Number);
  return ids.sort((one, other) => one - other).map(bugId);
}

/** The server's spelling wins over ours: it stores `http:` as `https:`. */
function seeAlsoAfter(seen: Bug, patch: BugPatch, changes: WireChanges): readonly string[] {
  const change = changes['see_also'];
  const sent = patch.seeAlso === undefined || change?.added ? [] : [patch.seeAlso];
  return listAfter(seen.seeAlso, { add: sent, remove: [] }, change);
}

function listAfter(
  before: readonly string[],
  sent: SetPatch | undefined,
  change: WireChanges[string] | undefined,
): readonly string[] {
  const removed = new Set([...split(change?.removed), ...(sent?.remove ?? [])]);
  const added = split(change?.added);
  const spelled = (sent?.add ?? []).map(
    (value) => added.find((known) => known.toLowerCase() === value.toLowerCase()) ?? value,
  );
  return [...new Set([...before.filter((value) => !removed.has(value)), ...spelled, ...added])];
}

const split = (joined: string | null | undefined): readonly string[] => (joined ? joined.split(', ') : []);

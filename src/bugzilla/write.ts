/** What a draft and a patch are on the wire, and what an update's answer says of the bug afterwards. */
import { bugId } from '../model/ids.ts';
import { type Bug, type BugValueName, bugValueNames } from '../model/item.ts';
import type { BugDraft, BugPatch } from '../model/operation.ts';
import type { Lost } from '../model/outcome.ts';
import type { WireChanges } from './schema.ts';

type Body = Record<string, unknown>;

/** Create refuses fields it does not know, so only what has a value is sent. */
export function draftBody(draft: BugDraft): Body {
  return {
    product: draft.product,
    summary: draft.summary,
    description: draft.description,
    ...draft.values,
    ...(draft.keywords.length === 0 ? {} : { keywords: draft.keywords }),
    ...(draft.seeAlso === '' ? {} : { see_also: [draft.seeAlso] }),
  };
}

/**
 * Lists travel as what to add and to remove, so that what others add meanwhile survives. `dupe_of` brings its own status
 * and resolution, which must not be sent beside it.
 */
export function patchBody(patch: BugPatch): Body {
  const isDuplicate = patch.dupeOf !== undefined;
  return {
    ...(patch.summary === undefined ? {} : { summary: patch.summary }),
    ...(patch.status === undefined || isDuplicate ? {} : { status: patch.status }),
    ...(patch.resolution === undefined || isDuplicate ? {} : { resolution: patch.resolution }),
    ...(isDuplicate ? { dupe_of: patch.dupeOf } : {}),
    ...patch.values,
    ...(patch.keywords === undefined ? {} : { keywords: { add: patch.keywords.add, remove: patch.keywords.remove } }),
    ...(patch.seeAlso === undefined ? {} : { see_also: { add: [patch.seeAlso] } }),
  };
}

/** Names the first thing that the patch would replace and that is no longer as it was seen; null when all is. */
export function movedOn(seen: Bug, found: Bug, patch: BugPatch): string | null {
  const touchesStatus = patch.status !== undefined || patch.resolution !== undefined || patch.dupeOf !== undefined;
  const touched: readonly (readonly [string, unknown, unknown, boolean])[] = [
    ['summary', seen.summary, found.summary, patch.summary !== undefined],
    ['status', seen.status, found.status, touchesStatus],
    ['resolution', seen.resolution, found.resolution, touchesStatus],
    ['duplicate', seen.dupeOf, found.dupeOf, touchesStatus],
    ...bugValueNames.map((name) => [name, seen.values[name], found.values[name], patch.values?.[name] !== undefined] as const),
  ];
  const moved = touched.find(([, before, after, isTouched]) => isTouched && before !== after);
  return moved === undefined ? null : `the ${moved[0]} of bug ${seen.id} is now ${show(moved[2])}, and was ${show(moved[1])}`;
}

/** `changes` maps a field to what was removed and added; lists are joined by comma and space. */
export function changedBug(bug: Bug, changes: WireChanges, changedAt: number): Bug {
  const after = (name: string, before: string): string => changes[name]?.added ?? before;
  const values = bugValueNames.flatMap((name): readonly (readonly [BugValueName, string])[] => {
    const value = changes[name]?.added ?? bug.values[name];
    return value === undefined ? [] : [[name, value]];
  });
  const resolution = after('resolution', bug.resolution);
  return {
    ...bug,
    summary: after('summary', bug.summary),
    status: after('status', bug.status),
    resolution,
    dupeOf: duplicateAfter(bug, changes, resolution),
    values: Object.fromEntries(values),
    keywords: listAfter(bug.keywords, changes['keywords']),
    seeAlso: listAfter(bug.seeAlso, changes['see_also']),
    changedAt,
  };
}

/** What somebody wrote between our look and our write, and our write replaced. Lists lose only what was asked to go. */
export function lostValues(bug: Bug, changes: WireChanges): readonly Lost[] {
  const known: Readonly<Record<string, string | undefined>> = {
    summary: bug.summary,
    status: bug.status,
    resolution: bug.resolution,
    dupe_of: bug.dupeOf === null ? '' : String(bug.dupeOf),
    ...bug.values,
  };
  return Object.entries(known).flatMap(([field, before]) => {
    const removed = changes[field]?.removed;
    return typeof removed === 'string' && before !== undefined && removed !== before ? [{ field, value: removed }] : [];
  });
}

/** Some versions do not list `dupe_of` when a changed resolution clears it. */
function duplicateAfter(bug: Bug, changes: WireChanges, resolution: string): Bug['dupeOf'] {
  const change = changes['dupe_of'];
  if (change !== undefined) return change.added ? bugId(Number(change.added)) : null;
  return changes['resolution'] !== undefined && resolution !== bug.resolution ? null : bug.dupeOf;
}

function listAfter(before: readonly string[], change: WireChanges[string] | undefined): readonly string[] {
  const removed = new Set(split(change?.removed));
  return [...new Set([...before.filter((value) => !removed.has(value)), ...split(change?.added)])];
}

const split = (joined: string | null | undefined): readonly string[] => (joined ? joined.split(', ') : []);

const show = (value: unknown): string => (value === null || value === undefined || value === '' ? 'empty' : `"${String(value)}"`);

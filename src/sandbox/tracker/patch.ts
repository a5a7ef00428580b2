import { type BugId, bugId } from '../../model/ids.ts';
import { type Bug, type BugValues, bugValueNames, type CustomValues } from '../../model/item.ts';
import type { BugPatch } from '../../model/operation.ts';
import type { Lost } from '../../model/outcome.ts';
import type { Changes } from './bugs/bug-differences.ts';
import type { ChangedBug } from './bugs/change-bug.ts';
import { isOpen } from './installation/workflow.ts';
import type { Request } from './server/request.ts';

/** A patch as the body of PUT /rest/bug/ID. */
export function requestOf({
  dependsOn,
  summary,
  status,
  resolution,
  dupeOf,
  values,
  keywords,
  assignee,
  milestone,
  seeAlso,
  whiteboard,
  customs,
  comment,
}: BugPatch): Request {
  return {
    ...values,
    ...customs,
    ...(whiteboard === undefined ? {} : { whiteboard }),
    ...(summary === undefined ? {} : { summary }),
    ...(status === undefined ? {} : { status }),
    ...(resolution === undefined ? {} : { resolution }),
    ...(dupeOf === undefined ? {} : { dupe_of: dupeOf }),
    ...(keywords === undefined ? {} : { keywords }),
    ...(assignee === undefined ? {} : assignee === null ? { reset_assigned_to: true } : { assigned_to: assignee }),
    ...(milestone === undefined ? {} : { target_milestone: milestone }),
    ...(dependsOn === undefined ? {} : { depends_on: { add: dependsOn.add.map(Number), remove: dependsOn.remove.map(Number) } }),
    ...(seeAlso === undefined ? {} : { see_also: { add: [seeAlso] } }),
    ...(comment === undefined ? {} : { comment: { body: comment } }),
  };
}

export const changeOf = (changed: readonly ChangedBug[], id: number): Changes => changed.find((bug) => bug.id === id)?.changes ?? {};

/** The bug after a patch, as far as the server's answer tells. What the patch did not touch stays as it was seen. */
export function patched(seen: Bug, patch: BugPatch, changes: Changes): Bug {
  const after = (field: string, wanted: string | undefined, current: string): string => changes[field]?.added ?? wanted ?? current;
  const status = after('status', patch.status ?? (patch.dupeOf === undefined ? undefined : 'RESOLVED'), seen.status);
  const wanted = patch.dupeOf === undefined ? patch.resolution : 'DUPLICATE';
  const resolution = isOpen(status) ? '' : after('resolution', wanted, seen.resolution);
  return {
    ...seen,
    summary: after('summary', patch.summary, seen.summary),
    status,
    resolution,
    dupeOf: resolution === 'DUPLICATE' ? (patch.dupeOf ?? seen.dupeOf) : null,
    values: valuesAfter(seen, patch, changes),
    keywords: keywordsAfter(seen, patch, changes),
    ...(seen.whiteboard === undefined ? {} : { whiteboard: after('whiteboard', patch.whiteboard, seen.whiteboard) }),
    ...(seen.customs === undefined ? {} : { customs: customsAfter(seen.customs, patch, changes) }),
    assignee: assigneeAfter(seen, patch, changes),
    milestone: changes['target_milestone']?.added ?? patch.milestone ?? seen.milestone,
    ...(seen.dependsOn === undefined ? {} : { dependsOn: dependsOnAfter(seen.dependsOn, patch, changes) }),
    seeAlso: seeAlsoAfter(seen, patch, changes),
  };
}

/** Values that the write replaced although they were not what had been seen. */
export function overwritten(seen: Bug, changes: Changes): readonly Lost[] {
  const before: Readonly<Record<string, unknown>> = {
    ...seen.values,
    ...Object.fromEntries(Object.entries(seen.customs ?? {}).filter(([, value]) => typeof value === 'string')),
    whiteboard: seen.whiteboard,
    assigned_to: seen.assignee?.login,
    target_milestone: seen.milestone ?? undefined,
    summary: seen.summary,
    status: seen.status,
    resolution: seen.resolution,
    dupe_of: seen.dupeOf === null ? '' : String(bugId(seen.dupeOf)),
  };
  const lost = Object.entries(changes)
    .filter(([field, { removed }]) => before[field] !== undefined && before[field] !== removed)
    .map(([field, { removed }]) => ({ field, value: removed }));
  const unseen = Object.entries(seen.customs ?? {}).flatMap(([field, values]) => {
    const removed = typeof values === 'string' ? [] : parts(changes[field]?.removed).filter((value) => !values.includes(value));
    return removed.length === 0 ? [] : [{ field, value: removed.join(', ') }];
  });
  return [...lost, ...unseen];
}

/** The answer tells logins and no names. */
function assigneeAfter({ assignee: before }: Bug, { assignee: sent }: BugPatch, changes: Changes): Bug['assignee'] {
  const login = changes['assigned_to']?.added ?? sent ?? before?.login;
  return login === undefined || login === before?.login ? before : { login, name: login.split('@')[0] ?? login };
}

function valuesAfter(seen: Bug, patch: BugPatch, changes: Changes): BugValues {
  const values: Partial<Record<(typeof bugValueNames)[number], string>> = { ...seen.values };
  for (const name of bugValueNames) {
    const value = changes[name]?.added ?? patch.values?.[name];
    if (value !== undefined) values[name] = value;
  }
  return values;
}

const parts = (text: string | undefined): readonly string[] => (text === undefined || text === '' ? [] : text.split(', '));

function keywordsAfter(seen: Bug, { keywords }: BugPatch, changes: Changes): readonly string[] {
  const { removed, added } = changes['keywords'] ?? { removed: '', added: '' };
  const gone = [...parts(removed), ...(keywords?.remove ?? [])];
  const come = [...parts(added), ...(keywords?.add ?? [])].map((word) => canonical(word, parts(added)));
  return [...new Set([...seen.keywords.filter((word) => !gone.includes(word)), ...come])].toSorted();
}

function customsAfter(seen: CustomValues, { customs: sent }: BugPatch, changes: Changes): CustomValues {
  const wishes = new Map(Object.entries(sent ?? {}));
  const after = Object.entries(seen).map(([name, before]) => {
    const [wish, change] = [wishes.get(name), changes[name]];
    if (typeof before === 'string') return [name, change?.added ?? wish ?? before] as const;
    const wanted = [wish ?? before].flat();
    const gone = [...parts(change?.removed), ...before.filter((value) => !wanted.includes(value))];
    const come = [...parts(change?.added), ...wanted.map((value) => canonical(value, parts(change?.added)))];
    return [name, [...new Set([...before.filter((value) => !gone.includes(value)), ...come])].toSorted()] as const;
  });
  return Object.fromEntries(after);
}

function dependsOnAfter(seen: readonly BugId[], { dependsOn }: BugPatch, changes: Changes): readonly BugId[] {
  const { removed, added } = changes['depends_on'] ?? { removed: '', added: '' };
  const gone = [...parts(removed), ...(dependsOn?.remove ?? [])];
  const kept = seen.map(String).filter((id) => !gone.includes(id));
  return [...new Set([...kept, ...parts(added), ...(dependsOn?.add ?? [])])]
    .map((id) => bugId(Number(id)))
    .sort((one, other) => one - other);
}

/** The server's spelling of a keyword wins over ours. */
const canonical = (word: string, spelled: readonly string[]): string =>
  spelled.find((known) => known.toLowerCase() === word.toLowerCase()) ?? word;

function seeAlsoAfter(seen: Bug, { seeAlso }: BugPatch, changes: Changes): readonly string[] {
  const added = parts(changes['see_also']?.added);
  const wanted = seeAlso === undefined || added.length > 0 ? added : [seeAlso];
  return [...new Set([...seen.seeAlso, ...wanted])];
}

import type { Issue } from '../../model/item.ts';
import type { IssuePatch } from '../../model/operation.ts';
import type { IssueChange } from './world/issues.ts';

/** What the patch touches and is no longer as it was seen, in words; null when the patch may be written. */
export function staleness(seen: Issue, fresh: Issue, patch: IssuePatch): string | null {
  if (patch.title !== undefined && fresh.title !== seen.title) return `the title became "${fresh.title}" meanwhile`;
  if (patch.assignees !== undefined && fresh.assignees.join() !== seen.assignees.join())
    return `the assignees became ${fresh.assignees.join(', ') || 'nobody'} meanwhile`;
  if (patch.milestone !== undefined && fresh.milestone !== seen.milestone) return `the milestone became ${fresh.milestone} meanwhile`;
  if (patch.body !== undefined && fresh.body !== seen.body) return 'the body changed meanwhile';
  if (patch.type !== undefined && fresh.type !== seen.type) return `the type became ${fresh.type} meanwhile`;
  for (const name of Object.keys(patch.fields ?? {})) {
    const value = JSON.stringify(fresh.fields?.[name]);
    if (value !== JSON.stringify(seen.fields?.[name])) return `${name} became ${value ?? 'none'} meanwhile`;
  }
  if (patch.passage !== undefined && !fresh.body.includes(patch.passage.was)) return 'the body changed meanwhile';
  const turns = patch.state !== undefined || patch.reason !== undefined || patch.duplicateOfId !== undefined;
  if (turns && (fresh.state !== seen.state || fresh.reason !== seen.reason)) {
    return `the state became ${fresh.state}${fresh.reason === null ? '' : ` (${fresh.reason})`} meanwhile`;
  }
  return null;
}

/** The patch as one PATCH body on top of the issue as it is now: labels and assignees by element, the footer once. */
export function changeOf(fresh: Issue, patch: IssuePatch): IssueChange {
  return {
    ...(patch.title === undefined ? {} : { title: patch.title }),
    ...(patch.state === undefined ? {} : { state: patch.state }),
    ...(patch.reason === undefined ? {} : { stateReason: patch.reason }),
    ...(patch.duplicateOfId === undefined ? {} : { duplicateIssueId: patch.duplicateOfId }),
    ...(patch.type === undefined ? {} : { type: patch.type }),
    ...(patch.labels === undefined ? {} : { labels: merged(fresh.labels, patch.labels) }),
    ...(patch.assignees === undefined ? {} : { assignees: merged(fresh.assignees, patch.assignees) }),
    ...(patch.footer === undefined || fresh.body.includes(patch.footer) ? {} : { body: withFooter(fresh.body, patch.footer) }),
    ...(patch.body === undefined ? {} : { body: patch.body }),
    ...(patch.passage === undefined ? {} : { body: withPassage(fresh.body, patch.passage) }),
  };
}

function merged(
  labels: readonly string[],
  { add, remove }: { readonly add: readonly string[]; readonly remove: readonly string[] },
): readonly string[] {
  const removed = new Set(remove.map((name) => name.toLowerCase()));
  const kept = labels.filter((name) => !removed.has(name.toLowerCase()));
  const known = new Set(kept.map((name) => name.toLowerCase()));
  return [...kept, ...add.filter((name) => !known.has(name.toLowerCase()))];
}

function withPassage(body: string, { was, becomes }: NonNullable<IssuePatch['passage']>): string {
  const at = body.lastIndexOf(was);
  return body.slice(0, at) + becomes + body.slice(at + was.length);
}

const withFooter = (body: string, footer: string): string => (body === '' ? footer : `${body}\n\n${footer}`);

import { bugId } from '../model/ids.ts';
import { type Bug, type BugValues, bugValueNames, type Comment, type Person } from '../model/item.ts';
import type { MarkdownUse } from './markdown.ts';
import type { WireBug, WireComment } from './schema.ts';

/** `url` is the tracker's base address, for links that people open. */
export function bugOf(wire: WireBug, url: string): Bug {
  return {
    kind: 'bug',
    id: bugId(wire.id),
    url: bugUrl(url, wire.id),
    product: wire.product,
    summary: wire.summary,
    status: wire.status,
    resolution: wire.resolution ?? '',
    dupeOf: wire.dupe_of ? bugId(wire.dupe_of) : null,
    values: valuesOf(wire),
    keywords: (wire.keywords ?? []).toSorted(),
    assignee: wire.assigned_to ? personOf(wire.assigned_to, wire.assigned_to_detail?.real_name ?? '') : null,
    milestone: wire.target_milestone ?? null,
    ...(wire.depends_on === undefined ? {} : { dependsOn: wire.depends_on.map(bugId) }),
    seeAlso: wire.see_also ?? [],
    // A tracker that does not say which groups a bug is in has not said that it is public.
    isPrivate: !wire.groups || wire.groups.length > 0,
    creator: personOf(wire.creator ?? '', wire.creator_detail?.real_name ?? ''),
    createdAt: wire.creation_time,
    changedAt: wire.last_change_time,
  };
}

/**
 * The answers about comments name their author by login alone.
 * @param use what holds where a comment does not say itself whether it is Markdown
 */
export function commentOf(wire: WireComment, ref: number, url: string, use: MarkdownUse = 'none'): Comment {
  const at = wire.creation_time ?? wire.time ?? 0;
  return {
    side: 'tracker',
    id: wire.id,
    ref,
    count: wire.count ?? null,
    url: commentUrl(url, ref, wire.count ?? null),
    author: personOf(wire.creator ?? '', ''),
    text: wire.text ?? '',
    ...((wire.is_markdown ?? use === 'site') ? { isMarkdown: true } : {}),
    isPrivate: wire.is_private ?? true,
    ...(wire.tags ? { tags: wire.tags } : {}),
    createdAt: at,
    changedAt: at,
  };
}

/** Logins are often e-mail addresses, and so is what some people give as their name: of either only the local part is shown. */
export function personOf(login: string, realName: string): Person {
  const name = realName.trim();
  return { login, name: name === '' || name.includes('@') ? localPart(login) : name };
}

export const bugUrl = (url: string, bug: number): string => `${url}/show_bug.cgi?id=${bug}`;

const commentUrl = (url: string, bug: number, count: number | null): string =>
  count === null ? bugUrl(url, bug) : `${bugUrl(url, bug)}#c${count}`;

const localPart = (login: string): string => login.split('@', 1)[0] ?? '';

/** What was not sent stays absent, which is not the same as empty. */
function valuesOf(wire: WireBug): BugValues {
  const shown = bugValueNames.flatMap((name) => {
    const value = wire[name];
    return typeof value === 'string' ? [[name, value] as const] : [];
  });
  return Object.fromEntries(shown);
}

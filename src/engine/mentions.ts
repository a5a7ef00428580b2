import { attachmentMention, bugMention, commentMention } from '../core/targets.ts';
import type { Entry, Link } from '../model/link.ts';
import type { Context } from './context.ts';
import { wake } from './wake.ts';

/**
 * Copies on GitHub say what was known when they were written. What they refer to and what may look different one day is kept by
 * name (`bug 12`); when that comes, the copies are marked, and read again together: nothing here asks a side.
 */

/** A link that can be referred to from now on, with all its comments. The sweep puts right what names them. */
export function resolveLink(context: Context, { id, bug }: Link): void {
  if (bug === null) return;
  mark(context, bugMention(bug));
  for (const entry of context.store.entries.ofLink(id)) resolveComment(context, { bug }, entry);
}

/** A comment of a bug has its counterpart. */
export function resolveComment(context: Context, { bug }: Pick<Link, 'bug'>, { count, part, copy, origin }: Entry): void {
  if (bug !== null && count !== null && part === 1 && (copy !== null || origin === 'github')) mark(context, commentMention(bug, count));
}

/** An attachment looks different. Comments that show it are put right at once. */
export function resolveAttachment(context: Context, id: number): void {
  for (const entry of mark(context, attachmentMention(id))) wake(context, entry.link);
}

function mark({ store }: Context, mention: string): readonly Entry[] {
  const entries = store.mentions.of(mention).flatMap((id) => store.entries.byId(id) ?? []);
  const standing = entries.filter(({ copy, state }) => copy !== null && state === 'mirrored');
  for (const entry of standing) if (!entry.isStale) store.entries.save({ ...entry, isStale: true });
  return standing;
}

/** Wakes the links of which some copy is marked; they wait with the backfill. */
export function wakeStale({ store, route }: Context): void {
  store.transaction(() => {
    for (const id of store.entries.staleLinks(route.name)) {
      const link = store.links.byId(id);
      if (link?.state === 'live' && link.urgency === 'none') store.links.save({ ...link, urgency: 'backfill' });
    }
  });
}

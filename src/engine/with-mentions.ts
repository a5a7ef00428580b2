import { copyNow } from '../core/plan.ts';
import { bodyDigest } from '../core/thread.ts';
import type { Entry, Link } from '../model/link.ts';
import type { Context } from './context.ts';
import { sightOf } from './select.ts';

/**
 * Keeps what a copy refers to that was just written. To be called while the entry still has its text. Returns the entry, marked where
 * something came while its copy was being written, or where nothing may be said of it at this moment.
 */
export function withMentions(context: Context, link: Link, entry: Entry, sent: string): Entry {
  if (entry.origin !== 'tracker') return entry;
  const copy = copyNow(context.route, sightOf(context, link), entry.id);
  if (copy === null) return { ...entry, isStale: true };
  context.store.mentions.replace(entry.id, copy.mentions);
  return bodyDigest(copy.texts[0] ?? '') === bodyDigest(sent) ? entry : { ...entry, isStale: true };
}

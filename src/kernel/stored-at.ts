import type { AttachmentLink } from '../model/attachment.ts';
import { bugId } from '../model/ids.ts';
import type { Link } from '../model/link.ts';
import type { Context } from './context.ts';

/** A file in the attachment store that nothing in the state calls its copy. */
export interface StoredAt {
  readonly path: string;
  readonly attachment: number;
  /** The link of its bug; null if the path does not name the bug. */
  readonly link: Link | null;
  /** What the state knows of its attachment on this route; null if it does not know of a copy here. */
  readonly row: AttachmentLink | null;
}

/**
 * Looks up a file that the attachment store lists; null for a known copy, and for what others put there. Several routes
 * and bridges may share a store, and the issue of the bug may have been transferred from here: then its file has a copy
 * elsewhere, and this one may have to go.
 */
export function storedAt(
  { store, route }: Pick<Context, 'store' | 'route'>,
  { path, bug, attachment }: Pick<StoredAt, 'path' | 'attachment'> & { readonly bug: number | null },
): StoredAt | null {
  const row = store.attachmentLinks.byAttachment(attachment);
  const link = row !== null ? store.links.byId(row.link) : bug === null ? null : store.links.byBug(bugId(bug));
  if (bug !== null && link?.bug !== bug) return null;
  if (link !== null && link.route !== route.name)
    return isCopiedHere(route, row) ? null : { path, attachment, link, row: null };
  // A file that is there all the same was put there by another state, or by a request without an answer.
  if (row === null || row.state === 'pending') return { path, attachment, link, row: null };
  return row.path !== null && (row.path === path || bug === null) ? null : { path, attachment, link, row };
}

function isCopiedHere({ attachments }: Context['route'], row: AttachmentLink | null): boolean {
  if (attachments === null || row?.origin !== 'tracker' || row.copy === null) return false;
  return row.copy.url.toLowerCase().includes(`/${attachments.owner}/${attachments.repo}/`.toLowerCase());
}

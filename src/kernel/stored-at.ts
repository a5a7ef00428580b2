import type { Access } from '../model/anonymous-reader.ts';
import type { AttachmentLink } from '../model/attachment.ts';
import { bugId } from '../model/ids.ts';
import type { Link } from '../model/link.ts';
import type { Context } from './context.ts';

/** A file in the attachment store that nothing in the state calls its copy. */
export interface StoredAt {
  readonly path: string;
  readonly attachment: number;
  /** Null if neither the path names the bug nor the state knows it. */
  readonly bug: number | null;
  /** Null if the state does not know the bug. */
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
  { path, bug, attachment }: Pick<StoredAt, 'path' | 'attachment' | 'bug'>,
): StoredAt | null {
  const row = store.attachmentLinks.byAttachment(attachment);
  const link = row !== null ? store.links.byId(row.link) : bug === null ? null : store.links.byBug(bugId(bug));
  if (bug !== null && link !== null && link.bug !== bug) return null;
  const at = { path, attachment, bug: bug ?? link?.bug ?? null, link };
  if (link !== null && link.route !== route.name) return isCopiedHere(route, row) ? null : { ...at, row: null };
  // A file that is there all the same was put there by another state, or by a request without an answer.
  if (row === null || row.state === 'pending') return { ...at, row: null };
  return row.path !== null && (row.path === path || bug === null) ? null : { ...at, row };
}

/** Whether everyone may see a bug. Throws `SideError`. */
export async function accessTo(
  { anonymousReader, tracker }: Pick<Context, 'anonymousReader' | 'tracker'>,
  bug: number,
): Promise<Access> {
  if (anonymousReader !== null) return anonymousReader.access(bug);
  const found = await tracker.probe(bug);
  if (found.kind === 'gone') return found.gone.kind === 'hidden' ? 'hidden' : 'missing';
  return found.item.isPrivate ? 'hidden' : 'shown';
}

function isCopiedHere({ attachments }: Context['route'], row: AttachmentLink | null): boolean {
  if (attachments === null || row?.origin !== 'tracker' || row.copy === null) return false;
  return row.copy.url.toLowerCase().includes(`/${attachments.owner}/${attachments.repo}/`.toLowerCase());
}

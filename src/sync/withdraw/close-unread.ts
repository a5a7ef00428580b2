/**
 * What of an item that could not be stored is private all the same. The item is set aside, so nothing more of it is
 * published; what was published before is withdrawn by these facts alone, without a look at any text.
 */

import type { Context } from '../../kernel/context.ts';
import type { Attachment } from '../../model/attachment.ts';
import { bugId } from '../../model/ids.ts';
import type { Item } from '../../model/item.ts';
import type { Link } from '../../model/link.ts';
import type { Thread } from '../../model/replica.ts';
import { hiddenParts } from '../../rules/comments/hide.ts';
import { hideFile } from '../observe/mentions.ts';

/** A bug that was hidden, or moved to another product, counts as that, in the version that is known. */
export function closeUnread({ store }: Pick<Context, 'store'>, item: Item): void {
  if (item.kind !== 'bug') return;
  const link = store.links.byBug(bugId(item.id));
  const known = link?.tracker ?? null;
  const { isPrivate, product } = item;
  if (link === null || known === null || (known.isPrivate === isPrivate && known.product === product)) return;
  store.links.save({
    ...link,
    tracker: { ...known, isPrivate: known.isPrivate || isPrivate, product },
    urgency: 'live',
  });
}

/** Comments that are private, or that a whole thread no longer shows. */
export function closeUnreadThread(
  { store }: Pick<Context, 'store'>,
  { id }: Pick<Link, 'id'>,
  { comments, isWhole }: Thread,
): void {
  const isOpen = new Map(comments.map((comment) => [comment.id, !comment.isPrivate]));
  for (const { origin, source, part } of store.commentLinks.ofLink(id)) {
    if (origin !== 'tracker' || part !== 1 || (isOpen.get(source) ?? !isWhole)) continue;
    for (const closed of hiddenParts(store.commentLinks.ofLink(id), source, 'it is no longer shown, or is private'))
      store.commentLinks.save(closed);
  }
}

/** Files that are private, or no longer listed. */
export function closeUnreadFiles(
  context: Pick<Context, 'store'>,
  { id }: Pick<Link, 'id'>,
  attachments: readonly Attachment[],
): void {
  const open = new Set(attachments.filter(({ isPrivate }) => !isPrivate).map((each) => String(each.id)));
  for (const file of context.store.attachmentLinks.ofLink(id))
    if (file.origin === 'tracker' && file.state !== 'withdrawn' && !open.has(file.source)) hideFile(context, file);
}

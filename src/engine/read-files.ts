import { type FileReading, readAttachments, readLinkedFiles } from '../core/files/observe.ts';
import type { Link } from '../model/link.ts';
import type { OutboxRow } from '../model/store.ts';
import type { Context } from './context.ts';
import { resolveAttachment } from './mentions.ts';
import { unprove } from './prove.ts';
import { wake } from './wake.ts';

/**
 * Reads which files the bugs have whose threads were just read, in few requests and without contents; and finds those that people
 * put into the issues. A bug whose thread needed no reading has no new files either.
 */
export async function readFiles(context: Context, links: readonly Link[], doubts: readonly OutboxRow[]): Promise<void> {
  const { store, files } = context;
  if (files === null) return;
  const inDoubt = new Set(doubts.flatMap(({ operation }) => (operation.kind === 'file' ? [operation.link] : [])));
  const ids = new Set([...links.map(({ id }) => id), ...inDoubt]);
  const fresh = [...ids].flatMap((id) => store.links.byId(id) ?? []).filter(({ state }) => state === 'live');
  const unread = fresh.filter((link) => inDoubt.has(link.id) || isUnread(context, link));
  const found = unread.length === 0 ? new Map() : await files.desk.list(unread.flatMap(({ bug }) => (bug === null ? [] : [bug])));
  store.transaction(() => {
    for (const link of unread) {
      const attachments = found.get(link.bug ?? 0);
      if (attachments === undefined) {
        unprove(context, link);
        continue;
      }
      const { session, route } = context;
      remember(context, link, readAttachments(route, link, store.enclosures.ofLink(link.id), attachments, session.own.tracker));
      if (link.threadReadAt !== null) store.enclosures.markRead(link.id, link.threadReadAt);
    }
    for (const link of fresh) {
      const add = readLinkedFiles(link, store.enclosures.ofLink(link.id), store.entries.ofLink(link.id));
      remember(context, link, { add, save: [] });
    }
  });
}

function isUnread({ store }: Context, { id, bug, tracker, threadReadAt }: Link): boolean {
  if (bug === null || tracker === null || tracker.isPrivate || threadReadAt === null) return false;
  return store.enclosures.readAt(id) !== threadReadAt;
}

function remember(context: Context, { id }: Link, { add, save }: FileReading): void {
  for (const enclosure of add) context.store.enclosures.add(enclosure);
  for (const enclosure of save) {
    context.store.enclosures.save(enclosure);
    if (enclosure.origin === 'tracker') resolveAttachment(context, Number(enclosure.source));
  }
  if (add.length + save.length > 0) wake(context, id);
}

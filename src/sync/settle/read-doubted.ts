/** Reads what shows the outcome of requests in doubt: single items, and comments that lists may hide or still show. */

import { stampedFrom } from '../../kernel/backoff.ts';
import type { Context } from '../../kernel/context.ts';
import { spareAsync, workOn } from '../../kernel/set-aside.ts';
import { probeItem, setItemUnread } from '../../kernel/unread.ts';
import type { Side } from '../../model/ids.ts';
import type { Link } from '../../model/link.ts';
import { SideError } from '../../model/outcome.ts';
import type { Operation } from '../../model/plan/operation.ts';
import type { OutboxRow } from '../../model/plan/outbox.ts';
import { countedOf } from '../../rules/comments/missing.ts';
import { operations } from '../../rules/operations/operations.ts';
import { observeItem } from '../observe/observe-items.ts';
import { handlerOf } from '../perform/operations/performing.ts';
import { type AsksLeft, askForEach, asksMax } from './missing-copies.ts';

/** How many times longer the bridge waits for a comment that GitHub may count without showing it. */
const commentPatience = 90;

export const hasArrived = (context: Context, link: Link, { operation }: OutboxRow): boolean =>
  handlerOf(operation).hasArrived(context, link, operation);

/**
 * Reads the items that show the outcome of requests in doubt. The poll and the reads of threads came before, and have
 * bound new counterparts and paired comments by their markers; only targets of updates are read here, and issues whose
 * threads lack a comment. Returns the doubts that can be settled.
 */
export async function readDoubted(context: Context, doubts: readonly OutboxRow[]): Promise<readonly OutboxRow[]> {
  const asks = { left: asksMax };
  const open = new Set<OutboxRow>();
  for (const row of doubts) {
    const link = context.store.links.byId(row.operation.link);
    if (link === null) continue;
    await spareAsync(context, workOn(context, link, 'write'), async () => {
      if (isToRead(context, link, row)) await readItem(context, link, row.operation.on);
      if (await isCountedOnly(context, row, asks)) open.add(row);
    });
  }
  return doubts.filter((row) => !open.has(row));
}

function isToRead(context: Context, link: Link, row: OutboxRow): boolean {
  return (
    operations[row.operation.kind].doubt.item === 'always' ||
    (isSaidOnGithub(row.operation) && !hasArrived(context, link, row))
  );
}

/** Reads the item to show the outcome. If it is gone, the next attempt finds that out. */
async function readItem(context: Context, link: Link, on: Side): Promise<void> {
  const ref = on === 'tracker' ? link.bug : link.issue;
  if (ref === null) return;
  const probe = await probeItem(context, on, ref);
  if (probe instanceof SideError) setItemUnread(context, on, ref, probe);
  else if (probe.kind === 'there') context.store.transaction(() => observeItem(context, probe.item, 'live'));
}

/**
 * Lists of comments lag behind, but an issue's comment count does not: if it is higher than the number of those that we
 * know and that are there, ours may be among them.
 */
async function isCountedOnly(context: Context, row: OutboxRow, asks: AsksLeft): Promise<boolean> {
  const { store, limits, clock } = context;
  const link = store.links.byId(row.operation.link);
  if (link === null || !isSaidOnGithub(row.operation) || hasArrived(context, link, row)) return false;
  const isPatient = clock.now() < (row.sentAt ?? 0) + limits.settleMs * commentPatience;
  return isPatient && (await countsMore(context, link, row, asks));
}

/**
 * A list that is behind still shows what people deleted meanwhile, which keeps its count as high as the new one. So
 * GitHub is asked for each comment, the newest hundred of a long thread, unless nothing was said since the request.
 */
async function countsMore(context: Context, link: Link, { sentAt }: OutboxRow, asks: AsksLeft): Promise<boolean> {
  const { commentCount, changedAt } = link.github ?? { commentCount: 0, changedAt: 0 };
  const known = countedOf(context.store.commentLinks.ofLink(link.id));
  if (commentCount > known.length) return true;
  if (link.issue === null || commentCount === 0 || changedAt < stampedFrom(context, 'github', sentAt ?? 0))
    return false;
  // Other threads took this cycle's questions.
  if (asks.left < Math.min(known.length, asksMax)) return true;
  const { there, unsure, unasked } = await askForEach(context, link.issue, known, asks);
  return unsure.length > 0 || commentCount > there.length + unasked.length;
}

const isSaidOnGithub = (operation: Operation): boolean =>
  operation.on === 'github' && operations[operation.kind].doubt.item === 'unless seen';

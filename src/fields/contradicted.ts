import type { Context } from '../kernel/context.ts';
import { isShown } from '../kernel/receipt-verdict.ts';
import { namesIssue } from '../links/match.ts';
import type { Link } from '../model/link.ts';
import type { Receipt } from '../model/receipt.ts';
import { fieldsOn } from './fields-on.ts';

/** Whether the link shows other values than the tracker reported: nothing is planned until that is settled. */
export function isContradicted(context: Context, link: Link): boolean {
  const receipt = context.store.receipts.get(link.id);
  return receipt?.isRead === true && !isConfirmed(context, receipt);
}

/** Whether a reading has shown every value that the tracker reported for the bug. */
export function isConfirmed(context: Context, { link: id, isRead, fields, pointer }: Receipt): boolean {
  const link = context.store.links.byId(id);
  if (!isRead || link === null) return false;
  const shown = fieldsOn(context, link, 'tracker');
  return fields.every((reported) => isShown(reported, shown[reported.field])) && (pointer === null || namesIssue(context.route, link));
}

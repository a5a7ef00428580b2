/** What the ends of a link show in their fields, and what the tracker said it stored, or refused. */

import type { RouteState } from '../../kernel/context.ts';
import { type LinkId, otherSide, type Side } from '../../model/ids.ts';
import type { FieldName, Fields } from '../../model/item.ts';
import type { Link } from '../../model/link.ts';
import type { UpdateOperation } from '../../model/plan/operation.ts';
import type { Receipt } from '../../model/receipt.ts';
import type { LedgerLine } from '../../model/store.ts';
import { bugFields, issueFields } from '../../rules/fields/comparable.ts';
import { githubRelations, trackerRelations } from '../../rules/fields/relations.ts';
import { githubTable, trackerTable } from '../../rules/fields/table.ts';
import { isShown } from '../../rules/limits/receipt-verdict.ts';
import { namesIssue } from '../../rules/links/match.ts';
import { neighboursOf } from './mentions.ts';

/**
 * The last seen values of one end of a link, in comparable form.
 * @param asked the values just requested: if there are several assignees, the requested one counts
 */
export function fieldsOn(context: RouteState, link: Link, side: Side, asked: Fields = {}): Fields {
  const { route, session } = context;
  const neighbours = neighboursOf(context, link);
  const tracker =
    link.tracker === null
      ? {}
      : {
          ...bugFields(route, link.tracker),
          ...trackerRelations(route, link.tracker, neighbours),
          ...trackerTable(route, link.tracker, neighbours),
        };
  if (side === 'tracker' || link.github === null) return tracker;
  const past = { ...link.base?.github, ...(asked.assignee === undefined ? {} : { assignee: asked.assignee }) };
  const { fields } = issueFields(route, session.vocabulary, link.github, past, tracker);
  return {
    ...fields,
    ...githubRelations(route, link.github, neighbours, past),
    ...githubTable(route, link.github, link.bug),
  };
}

export const pickFields = (fields: Fields, names: Fields): Fields =>
  Object.fromEntries(Object.keys(names).map((name) => [name, fields[name as FieldName]]));

/** The fields that it resets on a mirror, for the ledger. */
export const correctionsOf = ({ corrects = [] }: UpdateOperation) => (corrects.length === 0 ? {} : { corrects });

/** The values that an update overrules, for the ledger. */
export const losersOf = ({ overruled }: UpdateOperation) =>
  overruled.map(({ field, kept, ...values }) => ({ field, lost: kept === null ? null : values[otherSide(kept)] }));

/** Whether the link shows other values than the tracker reported: nothing is planned until that is settled. */
export function isContradicted(context: RouteState, link: Link): boolean {
  const receipt = context.store.receipts.get(link.id);
  return receipt?.isRead === true && !isConfirmed(context, receipt);
}

/** Whether a reading has shown every value that the tracker reported for the bug. */
export function isConfirmed(context: RouteState, { link: id, isRead, fields, pointer }: Receipt): boolean {
  const link = context.store.links.byId(id);
  if (!isRead || link === null) return false;
  const shown = fieldsOn(context, link, 'tracker');
  return (
    fields.every((reported) => isShown(reported, shown[reported.field])) &&
    (pointer === null || namesIssue(context.route, link))
  );
}

/**
 * A parked update for the tracker was refused as a whole, and then field by field. Of one that was not refused for its
 * values, but for who sets them or when, only the status counts: what people chose stays, and is tried again.
 */
export function refusedOf({ outbox, ledger }: RouteState['store'], link: LinkId): Fields {
  const isUpdate = ({ kind, on }: Pick<LedgerLine, 'kind' | 'on'>) => kind === 'update' && on === 'tracker';
  const row = outbox.ofLink(link, 'parked').find(({ operation }) => isUpdate(operation));
  if (row?.operation.kind !== 'update') return {};
  const { target } = row.operation;
  const last = ledger.ofLink(link).findLast((line) => isUpdate(line) && line.outcome === 'parked');
  if (last?.detail['isOfValue'] === true) return target;
  return target.status === undefined ? {} : { status: target.status };
}

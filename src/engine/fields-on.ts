import { bugFields, issueFields } from '../core/view.ts';
import type { FieldName, Fields } from '../model/fields.ts';
import type { Link } from '../model/link.ts';
import type { UpdateOperation } from '../model/operation.ts';
import { otherSide, type Side } from '../model/side.ts';
import type { Context } from './context.ts';

/** What one end of a link was last seen to show, as comparable values. */
export function fieldsOn(context: Context, link: Link, side: Side): Fields {
  const { route, session } = context;
  const tracker = link.tracker === null ? {} : bugFields(route, link.tracker);
  if (side === 'tracker' || link.github === null) return tracker;
  return issueFields(route, session.vocabulary, link.github, link.base?.github ?? {}, tracker).fields;
}

export const pick = (fields: Fields, names: Fields): Fields =>
  Object.fromEntries(Object.keys(names).map((name) => [name, fields[name as FieldName]]));

/** The values that give way to an update, for the ledger. */
export const losersOf = ({ overruled }: UpdateOperation) =>
  overruled.map(({ field, kept, ...values }) => ({ field, lost: kept === null ? null : values[otherSide(kept)] }));

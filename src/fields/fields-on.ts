import type { Context } from '../kernel/context.ts';
import { neighboursOf } from '../links/mentions.ts';
import { otherSide, type Side } from '../model/ids.ts';
import type { FieldName, Fields } from '../model/item.ts';
import type { Link } from '../model/link.ts';
import type { UpdateOperation } from '../model/operation.ts';
import { bugFields, issueFields } from './comparable.ts';
import { githubRelations, trackerRelations } from './relations.ts';
import { githubTable, trackerTable } from './table.ts';

/**
 * The last seen values of one end of a link, in comparable form.
 * @param asked the values just requested: if there are several assignees, the requested one counts
 */
export function fieldsOn(context: Context, link: Link, side: Side, asked: Fields = {}): Fields {
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
  return { ...fields, ...githubRelations(route, link.github, neighbours, past), ...githubTable(route, link.github) };
}

export const pick = (fields: Fields, names: Fields): Fields =>
  Object.fromEntries(Object.keys(names).map((name) => [name, fields[name as FieldName]]));

/** The fields that it resets on a mirror, for the ledger. */
export const correctionsOf = ({ corrects = [] }: UpdateOperation) => (corrects.length === 0 ? {} : { corrects });

/** The values that an update overrules, for the ledger. */
export const losersOf = ({ overruled }: UpdateOperation) =>
  overruled.map(({ field, kept, ...values }) => ({ field, lost: kept === null ? null : values[otherSide(kept)] }));

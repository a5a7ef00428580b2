import type { Call } from '../server/call.ts';
import { missingArgument } from '../server/errors.ts';

/** The bugs of a read: the one in the path and those of `ids`, a repeated parameter without commas. */
export function idsOf({ name, query }: Call): readonly string[] {
  const ids = [...(name === '' ? [] : [name]), ...query.getAll('ids')];
  if (ids.length === 0) throw missingArgument('Bug.get requires', 'ids');
  return ids;
}

import type { Side } from '../../model/ids.ts';
import type { LedgerLine } from '../../model/store.ts';

/**
 * The bridge reports of a bug that is not public only that it exists, its number, and what was done and when; nothing
 * that people wrote. This applies to `explain`, `status`, the pages, and everything else that people may paste into a
 * ticket.
 */
export const cover = '(not public)';

export const sideInWords = (side: Side): string => (side === 'tracker' ? 'the tracker' : 'GitHub');

/** How a status begins that is open and has a label. */
export const openWith = 'open: ';

/** A field's value, for people. A status is GitHub's view of it: `not_planned`, or `open: LABEL`. */
export function valueInWords(value: unknown, field = ''): string {
  if (value === null || value === undefined || value === '') return 'nothing';
  if (Array.isArray(value)) return value.length === 0 ? 'nothing' : value.map((each) => valueInWords(each)).join(', ');
  if (field === 'status' && value === 'not_planned') return 'not planned';
  if (field === 'status' && typeof value === 'string' && value.startsWith(openWith))
    return `open with label "${value.slice(openWith.length)}"`;
  // A title of one word, such as "open" or "nothing", could be a word of ours.
  return typeof value === 'string' && (field === 'title' || /\s/u.test(value)) ? `"${value}"` : String(value);
}

export const because = (why: unknown): string => (typeof why === 'string' && why !== '' ? `: ${why}` : '');
export const said = (text: unknown): string =>
  text === null || text === undefined || text === '' ? '(not known)' : String(text);

export const isList = (value: unknown): value is readonly unknown[] => Array.isArray(value);

/** Points out where the server stored another value than it was sent. */
export function deviations(detail: LedgerLine['detail']): string {
  const fields = detail['deviates'];
  return isList(fields) && fields.length > 0 ? ` (the server changed ${fields.join(', ')})` : '';
}

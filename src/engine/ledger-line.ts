import type { Link } from '../model/link.ts';
import type { LedgerLine } from '../model/store.ts';
import type { Context } from './context.ts';

/** The numbers under which people know a link. */
export type Ends = Pick<Link, 'id' | 'bug' | 'issue'>;

/** A line of the ledger about a link, as of now. It is about our own state, unless whoever adds it names the side that was written to. */
export function lineOf(
  { route, clock }: Pick<Context, 'route' | 'clock'>,
  { id: link, bug, issue }: Ends,
  kind: LedgerLine['kind'],
  detail: LedgerLine['detail'],
): LedgerLine {
  return { at: clock.now(), route: route.name, link, bug, issue, on: null, kind, outcome: 'noted', detail };
}

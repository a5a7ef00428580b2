import type { Link } from '../model/link.ts';
import type { Operation } from '../model/plan/operation.ts';
import { planOf } from './import-bugs.ts';
import type { Migration } from './migration.ts';

/** The issues without a bug, which the cycles of a migration file as bugs. */
export interface Filings {
  readonly bugs: number;
  readonly comments: number;
  /** What the tracker sends: one for each request that writes to a bug. */
  readonly mails: number;
  /** Requests to GitHub, such as for the line that names the bug. */
  readonly writes: number;
}

/**
 * Both sides were read before. Comments are counted as GitHub counts them, as their threads were not read: a long one,
 * or one beside a closing that says what fixed the bug, makes one mail more.
 */
export function filingsOf({ context }: Pick<Migration, 'context'>): Filings {
  const { store, route } = context;
  let filings: Filings = { bugs: 0, comments: 0, mails: 0, writes: 0 };
  for (const links of store.links.batches(route.name)) {
    for (const link of links) {
      const found =
        link.bug === null && link.state === 'live'
          ? planOf(context, link.id, (inputs) => inputs).wanted.plan.operations
          : [];
      if (found.some(({ kind, on }) => kind === 'create' && on === 'tracker'))
        filings = withFiled(filings, link, found);
    }
  }
  return filings;
}

function withFiled(
  { bugs, comments, mails, writes }: Filings,
  { github }: Link,
  operations: readonly Operation[],
): Filings {
  const onTracker = operations.filter(({ on }) => on === 'tracker');
  const planned = onTracker.filter(({ kind }) => kind === 'comment').length;
  const said = Math.max(planned, github?.commentCount ?? 0);
  const closings = onTracker.filter(({ kind }) => kind === 'update').length;
  // The last comment goes with the closing.
  const requests = 1 + said + closings - Math.min(said, closings);
  return {
    bugs: bugs + 1,
    comments: comments + said,
    mails: mails + requests,
    writes: writes + operations.length - onTracker.length,
  };
}

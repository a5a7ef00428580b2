import type { Link } from '../model/link.ts';
import type { Operation } from '../model/plan/operation.ts';
import { planOf } from './import-bugs.ts';
import type { Migration } from './migration.ts';

/** Issues without a bug, for which the cycles of a migration file bugs. */
export interface Filings {
  readonly bugs: number;
  readonly comments: number;
  /** Mails that the tracker sends: one for each request that writes to a bug. */
  readonly mails: number;
  /** Requests to GitHub, such as for the line that names the bug. */
  readonly writes: number;
}

/**
 * Call it after both sides were read. The threads are not read, so the comments are those that GitHub counts. A long
 * comment, or one beside a closing that names its fix, sends one more mail.
 */
export function filingsOf({ context }: Pick<Migration, 'context'>): Filings {
  const { store, route } = context;
  let filings: Filings = { bugs: 0, comments: 0, mails: 0, writes: 0 };
  for (const links of store.links.batches(route.name)) {
    for (const link of links) {
      if (link.bug !== null || link.state !== 'live') continue;
      const found = planOf(context, link.id).wanted.plan.operations;
      if (found.some(({ kind, on }) => kind === 'create' && on === 'tracker'))
        filings = withFiled(filings, link, found);
    }
  }
  return filings;
}

function withFiled(filings: Filings, { github }: Link, operations: readonly Operation[]): Filings {
  const onTracker = operations.filter(({ on }) => on === 'tracker');
  const planned = onTracker.filter(({ kind }) => kind === 'comment').length;
  const comments = Math.max(planned, github?.commentCount ?? 0);
  const closings = onTracker.filter(({ kind }) => kind === 'update').length;
  // The last comment goes with the closing.
  const requests = 1 + comments + closings - Math.min(comments, closings);
  return {
    bugs: filings.bugs + 1,
    comments: filings.comments + comments,
    mails: filings.mails + requests,
    writes: filings.writes + operations.length - onTracker.length,
  };
}

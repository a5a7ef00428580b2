import type { Context } from '../../kernel/context.ts';
import type { Link } from '../../model/link.ts';
import type { OutboxRow } from '../../model/plan/outbox.ts';
import { confirmBugs } from '../settle/confirm.ts';
import { confirmThreads } from '../settle/confirm-threads.ts';
import { readDoubted } from '../settle/read-doubted.ts';
import { confirmMoves } from '../settle/renamed.ts';
import { followTransfers } from '../settle/transfers.ts';
import { judgeClaimsOfBugs, judgeClaimsOfIssues } from './claims.ts';
import { readFiles } from './read-files.ts';
import { readAgain, readThreads } from './read-threads.ts';
import { pileMax, select } from './select.ts';

/** The links of one cycle. */
interface Observed {
  /** The links to plan. */
  readonly links: readonly Link[];
  /** The targets of the visibility check: changed links, and links whose bugs are read in any case. */
  readonly changed: readonly Link[];
  readonly always: readonly Link[];
  /** The requests in doubt that can be settled. */
  readonly shown: readonly OutboxRow[];
}

/**
 * Selects links, and reads everything that planning them needs: threads, files, and single items that no list shows.
 * Throws `SideError`.
 */
export async function observe(context: Context, doubts: readonly OutboxRow[]): Promise<Observed> {
  const { store, route, limits, files } = context;
  await confirmBugs(context);
  const early = store.links.changed(route.name);
  // Of so many, who wrote the words that wait decides which are selected.
  const read = early.length < limits.writesPerCycle * pileMax ? [] : early;
  if (read.length > 0) await readThreads(context, read, []);
  const isRead = new Set(read.map(({ id }) => id));
  const links = await followTransfers(context, select(context));
  const changed = unique([...links, ...store.links.changed(route.name)]);
  await readThreads(
    context,
    changed.filter(({ id }) => !isRead.has(id)),
    doubts,
  );
  if (files !== null) await readFiles(context, files, changed, doubts);
  await confirmThreads(context);
  await readAgain(context, links);
  const shown = await readDoubted(context, doubts);
  await judgeClaimsOfBugs(context, links);
  await judgeClaimsOfIssues(context, links);
  await confirmMoves(context, links);
  const inDoubt = doubts.flatMap(({ operation }) => store.links.byId(operation.link) ?? []);
  return { links, changed: unique([...changed, ...inDoubt]), always: [...links, ...inDoubt], shown };
}

/**
 * Without duplicates. Content that became private is looked for in every changed link, even if the link is not planned
 * in this cycle.
 */
const unique = (links: readonly Link[]): readonly Link[] => [...new Map(links.map((link) => [link.id, link])).values()];

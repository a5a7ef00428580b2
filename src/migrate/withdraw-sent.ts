import type { IssueNumber, LinkId } from '../model/ids.ts';
import type { Issue } from '../model/item.ts';
import type { Thread } from '../model/replica.ts';
import { whyHidden } from '../rules/privacy/gate.ts';
import { observeItem } from '../sync/observe/observe-items.ts';
import { observeThread } from '../sync/observe/observe-thread.ts';
import { recheckMirrored } from '../sync/observe/recheck-mirrored.ts';
import { settleRow } from '../sync/settle/settle.ts';
import { withdrawHidden } from '../sync/withdraw/withdraw.ts';
import type { Migration } from './migration.ts';
import { patiently } from './until-quiet.ts';

/**
 * Withdraws the issues of bugs that were hidden after their import: hours may pass before all issues are read. Looks at
 * some bugs in turn, as a cycle does, and reads the issues of hidden ones. Imports that GitHub has not finished come
 * later. Throws `SideError`.
 */
export async function withdrawSent(migration: Migration): Promise<void> {
  const { context } = migration;
  const { store, route, lookTurns } = context;
  await patiently(migration, () => recheckMirrored(context));
  // Those that are still behind come in again.
  for (const id of [...lookTurns.unasked]) {
    const link = store.links.byId(id);
    const isHidden = link !== null && link.route === route.name && whyHidden(route, link) !== null;
    if (isHidden && link.issue !== null) await adoptOne(migration, id, link.issue);
  }
  for (const { id, issue } of store.links.withdrawing(route.name)) {
    const taken = issue === null ? store.imports.ofLink(id) : null;
    if (taken?.issue != null) await adoptOne(migration, id, taken.issue);
  }
  await withdrawHidden(context);
}

/** Reads the issue of an import, with its comments, and settles the import. */
async function adoptOne(migration: Migration, id: LinkId, issue: IssueNumber): Promise<void> {
  const { context } = migration;
  const { store, github, lookTurns } = context;
  const probe = await patiently(migration, () => github.probe(issue));
  lookTurns.unasked.delete(id);
  if (probe.kind === 'gone') return;
  const threads = await commentsOf(migration, probe.item);
  if (!isListed(threads, probe.item)) lookTurns.unasked.add(id);
  store.transaction(() => {
    observeItem(context, probe.item, 'live');
    const taken = store.imports.ofLink(id);
    const row = taken === null ? null : store.outbox.byNumber(taken.number);
    if (row !== null) settleRow(context, row);
    for (const thread of threads) {
      const read = store.links.byId(id);
      if (read !== null) observeThread(context, read, 'github', thread, 'live');
    }
  });
}

/** How often in a row comments are read that GitHub counts and does not list; more follow before the next bugs. */
const looksMax = 3;

/**
 * The comments of an issue that was imported, which may be seconds ago: lists lag behind, but the count of an issue
 * does not.
 */
async function commentsOf(migration: Migration, issue: Issue): Promise<readonly Thread[]> {
  const { github, clock, limits } = migration.context;
  for (let looks = 1; ; looks += 1) {
    const threads = await patiently(migration, () => github.threads([{ ref: issue.number, sinceAt: null }]));
    if (looks === looksMax || isListed(threads, issue)) return threads;
    await clock.sleep(limits.settleMs);
  }
}

const isListed = (threads: readonly Thread[], { commentCount }: Issue): boolean =>
  threads.every(({ comments }) => comments.length >= commentCount);

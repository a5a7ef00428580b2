import type { IssueNumber } from '../model/ids.ts';
import type { Issue } from '../model/item.ts';
import type { TakenImport } from '../model/migration.ts';
import type { Thread } from '../model/replica.ts';
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
  const { store, route } = context;
  await patiently(migration, () => recheckMirrored(context));
  for (const { id, issue } of store.links.withdrawing(route.name)) {
    const taken = issue === null ? store.imports.ofLink(id) : null;
    if (taken?.issue != null) await adoptOne(migration, taken, taken.issue);
  }
  await withdrawHidden(context);
}

/** Reads the issue of an import, with its comments, and settles the import. */
async function adoptOne(migration: Migration, { number, link }: TakenImport, issue: IssueNumber): Promise<void> {
  const { context } = migration;
  const { store, github } = context;
  const probe = await patiently(migration, () => github.probe(issue));
  if (probe.kind === 'gone') return;
  const threads = await commentsOf(migration, probe.item);
  store.transaction(() => {
    observeItem(context, probe.item, 'live');
    const row = store.outbox.byNumber(number);
    if (row !== null) settleRow(context, row);
    for (const thread of threads) {
      const read = store.links.byId(link);
      if (read !== null) observeThread(context, read, 'github', thread, 'live');
    }
  });
}

/** How often comments are read that GitHub counts and does not list. */
const looksMax = 3;

/**
 * The comments of an issue that was imported, which may be seconds ago: lists lag behind, but the count of an issue
 * does not. Nothing reads them again before all bugs are sent.
 */
async function commentsOf(migration: Migration, { number, commentCount }: Issue): Promise<readonly Thread[]> {
  const { github, clock, limits } = migration.context;
  for (let looks = 1; ; looks += 1) {
    const threads = await patiently(migration, () => github.threads([{ ref: number, sinceAt: null }]));
    if (looks === looksMax || threads.every(({ comments }) => comments.length >= commentCount)) return threads;
    await clock.sleep(limits.settleMs);
  }
}

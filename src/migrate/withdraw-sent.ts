import type { IssueNumber } from '../model/ids.ts';
import type { TakenImport } from '../model/migration.ts';
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
  const threads = await patiently(migration, () => github.threads([{ ref: issue, sinceAt: null }]));
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

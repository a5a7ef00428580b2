import { issueNumber } from '../model/ids.ts';
import type { OutboxRow } from '../model/store.ts';
import type { Context } from './context.ts';
import { marginMs } from './grace.ts';
import { observeItem, repoOf } from './observe.ts';
import { isImport } from './reread.ts';

/** Looks by their numbers for issues whose making is in doubt, as no list may show them yet. Throws `SideError`. */
export async function findMade(context: Context, doubts: readonly OutboxRow[]): Promise<void> {
  const { store, github } = context;
  const unseen = doubts.filter((row) => !isImport(row) && isUnseenIssue(context, row));
  if (unseen.length === 0) return;
  const sinceAt = Math.min(...unseen.map(({ sentAt }) => sentAt ?? 0)) - marginMs;
  const issues = await github.madeSince(sinceAt, (number) => store.links.byIssue(repoOf(context), issueNumber(number)) !== null);
  store.transaction(() => {
    for (const issue of issues) observeItem(context, issue, 'live');
  });
}

const isUnseenIssue = ({ store }: Context, { operation }: OutboxRow): boolean =>
  operation.kind === 'create' && operation.on === 'github' && store.links.byId(operation.link)?.issue === null;

import type { Context } from '../../kernel/context.ts';
import { linkOf } from '../../kernel/linked.ts';
import type { Issue, Item } from '../../model/item.ts';
import type { Page } from '../../model/replica.ts';
import { githubLagMs } from '../../rules/limits/backoff.ts';

/**
 * Stamps have whole seconds, and a list of GitHub's may come from an earlier state. So an issue with the stamp that is
 * known and other values may be an older or a newer version, and is read by its number.
 */
export async function withNewest(context: Context, { items, readAt }: Page<Item>): Promise<readonly Item[]> {
  const newest: Item[] = [];
  for (const item of items) {
    const probe =
      item.kind === 'issue' && isUnclear(context, item, readAt) ? await context.github.probe(item.number) : null;
    newest.push(probe?.kind === 'there' ? probe.item : item);
  }
  return newest;
}

function isUnclear(context: Context, issue: Issue, readAt: number): boolean {
  const known = linkOf(context, 'github', issue.number)?.github ?? null;
  if (known === null || known.changedAt !== issue.changedAt || readAt >= issue.changedAt + githubLagMs) return false;
  return edited(known) !== edited(issue);
}

/** What people and the bridge edit, as one text. The number of comments is settled with their list. */
const edited = ({ title, body, state, reason, labels, assignees, milestone, type }: Issue): string =>
  JSON.stringify([title, body, state, reason, labels.toSorted(), assignees.toSorted(), milestone, type]);

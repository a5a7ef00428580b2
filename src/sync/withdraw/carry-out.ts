/** Sends single withdrawals to GitHub, and records them. */

import type { Context, RouteState } from '../../kernel/context.ts';
import type { Issue } from '../../model/item.ts';
import type { CommentLink } from '../../model/link.ts';
import type { Outcome } from '../../model/outcome.ts';
import type { Withdrawal } from '../../model/plan/withdrawal.ts';
import { commentAfter } from '../../rules/comments/life.ts';
import { unlock } from './done-by-us.ts';
import { recordWithdrawal } from './record-withdrawal.ts';

type OfFile = Extract<Withdrawal, { what: 'file' }>;
type OfIssue = Exclude<Withdrawal, OfFile>;

export const isOfFiles = (step: OfIssue | readonly OfFile[]): step is readonly OfFile[] => Array.isArray(step);

/** Files are one change of their attachment store, in place of the first of them. */
export function filesTogether(list: readonly Withdrawal[]): readonly (OfIssue | readonly OfFile[])[] {
  const files = list.filter((each) => each.what === 'file');
  return list.flatMap((each): readonly (OfIssue | readonly OfFile[])[] =>
    each.what !== 'file' ? [each] : each === files[0] ? [files] : [],
  );
}

/** @param left collects the places where contents can still be found */
export async function removeFiles(
  context: Context,
  list: readonly OfFile[],
  left: Set<string>,
): Promise<Outcome<unknown>> {
  const attachmentStore = context.files?.attachmentStore;
  if (!attachmentStore) return { kind: 'refused', why: 'there is no attachment store' };
  context.store.budgets.spend('github', 'edit', { at: context.clock.now(), points: 1 });
  const outcome = await attachmentStore.remove(list.map(({ path }) => path));
  if (outcome.kind !== 'applied') return outcome;
  for (const each of list) recordWithdrawal(context, each, null);
  if (outcome.item.left !== null) left.add(outcome.item.left);
  return outcome;
}

export async function carryOut(context: Context, withdrawal: OfIssue): Promise<Outcome<unknown>> {
  const { store, clock } = context;
  const issue = store.links.byId(withdrawal.link)?.github ?? null;
  store.budgets.spend('github', 'edit', { at: clock.now(), points: 1 });
  if (issue === null) return { kind: 'refused', why: 'the issue is not known' };
  if (withdrawal.what === 'comment') noteErasing(context, withdrawal.commentLink);
  const { outcome, shown } = await onIssue(context, withdrawal, issue);
  if (outcome.kind === 'applied') recordWithdrawal(context, withdrawal, shown);
  return outcome;
}

/**
 * Stored before the request leaves: if its answer is lost, a missing copy was erased by us and not by people. The
 * unknown content (`mirrored`) says so until the copy is rewritten or found missing, even if the original becomes
 * public again meanwhile.
 */
function noteErasing({ store }: RouteState, id: CommentLink['id']): void {
  const commentLink = store.commentLinks.byId(id);
  if (commentLink !== null && commentLink.origin === 'tracker')
    store.commentLinks.save(commentAfter(commentLink, { kind: 'condemned' }));
}

interface Answer {
  readonly outcome: Outcome<unknown>;
  /** The current issue, if the answer contained it. */
  readonly shown: Issue | null;
}

async function onIssue(context: Context, withdrawal: OfIssue, issue: Issue): Promise<Answer> {
  const { github } = context;
  if (withdrawal.what === 'comment')
    return { outcome: await github.erase(issue.number, withdrawal.comment), shown: null };
  if (withdrawal.what === 'lock') return locked(await github.lock(issue.number, true), { ...issue, isLocked: true });
  if (withdrawal.what !== 'open') return patched(await github.update(issue, withdrawal.patch));
  const opened = patched(await unlock(context, issue));
  return withdrawal.patch === null || opened.shown === null
    ? opened
    : patched(await github.update(opened.shown, withdrawal.patch));
}

const locked = (outcome: Outcome<null>, issue: Issue): Answer => ({
  outcome,
  shown: outcome.kind === 'applied' ? issue : null,
});
const patched = (outcome: Outcome<Issue>): Answer => ({
  outcome,
  shown: outcome.kind === 'applied' ? outcome.item : null,
});

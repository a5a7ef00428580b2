import type { Context, RouteState } from '../../kernel/context.ts';
import { keepNews, receiptOf } from '../../kernel/outbox.ts';
import type { Issue } from '../../model/item.ts';
import type { Link } from '../../model/link.ts';
import { sameName } from '../../model/named.ts';
import type { BugPatch } from '../../model/plan/draft.ts';
import type { OutboxRow } from '../../model/plan/outbox.ts';
import type { Closer } from '../../model/pulls/closer.ts';
import { isOpenView } from '../../rules/fields/status.ts';
import { isRemarked } from '../../rules/labels/wrong-labels.ts';
import { addressesOf } from '../../rules/links/pushes.ts';
import { fixedLine, fixedRemark, parseTrackerMarker, pullRemark, pushRemark } from '../../text/marker.ts';
import { askInTime } from './ask-in-time.ts';

/** A closing that is no older is news in any case. */
const newsMs = 24 * 60 * 60_000;

/**
 * What a bug says when it is closed because a pull request or a commit closed its issue; null if there is nothing to
 * say, or if it is said already. `waits` if GitHub does not answer just now: a status that goes alone could not say it
 * later without another e-mail.
 */
export async function fixedBy(context: Context, row: OutboxRow, link: Link): Promise<string | 'waits' | null> {
  const { github, store, clock } = context;
  const { issue, github: seen, repo } = link;
  // GitHub calls what a pull request or a commit closes completed.
  if (issue === null || seen?.state !== 'closed' || (seen.reason ?? 'completed') !== 'completed') return null;
  if (!wasClosedWhileMirrored(link, seen, clock.now())) return null;
  const closer = await askInTime(context, row, () => github.closer(issue));
  if (closer === 'waits') return closer;
  if (closer === null || !mayName(closer, repo)) return null;
  // If the bug was opened again meanwhile and is closed as before, it has been said.
  return isRemarked(store.commentLinks.ofLink(link.id), fixedRemark(closer.url)) ? null : fixedLine(closer);
}

/**
 * Whether the issue was closed while both sides were mirrored, however long ago that is: they had agreed that it is
 * open. A backfill closes bugs, too, thousands of them, and each would cost a query. Either its two sides have never
 * agreed on anything; or it filed the bug, which is always open at first, for an issue that had been closed before.
 */
function wasClosedWhileMirrored({ base, tracker: bug }: Link, { closedAt, changedAt }: Issue, now: number): boolean {
  const at = closedAt ?? changedAt;
  if (now - at <= newsMs) return true;
  const agreed = base?.github.status;
  return typeof agreed === 'string' && isOpenView(agreed) && bug !== null && at > bug.createdAt;
}

/** Our account may see more repositories than the readers of the tracker. */
const mayName = ({ repo, isPrivate }: Closer, own: string): boolean => !isPrivate || sameName(repo, own);

/**
 * The bug knows now that this pull request was merged, or that this commit names it, unless the tracker lost the
 * comment that said so with its change.
 */
export function tellFixed(context: Context, { id, tracker }: Link, key: string, said: string): void {
  const { store, route } = context;
  const fix = parseTrackerMarker(said)?.url ?? '';
  const pull = store.pulls.ofLink(id).find(({ url }) => url === fix);
  const pushes = store.pushes
    .ofLink(id)
    .filter(({ commits }) => commits.every((each) => addressesOf(route, each).includes(fix)));
  store.transaction(() => {
    if (pull !== undefined) store.pulls.save({ ...pull, state: 'merged', told: ['open', 'merged'] });
    for (const push of pushes) store.pushes.save({ ...push, isTold: true });
    if (pull !== undefined || pushes.length > 0)
      keepNews(context, { key, link: id }, fixedRemark(fix), tracker?.changedAt ?? context.clock.now());
  });
}

/**
 * The tracker lost a closing, and with it the comment that named the fix: what nothing else says of pull requests and
 * pushes is still to be told.
 */
export function forgetFixed({ store }: RouteState, id: Link['id']): void {
  const said = new Set(
    [...store.commentLinks.ofLink(id), ...receiptOf(store, id).comments].map(({ remark }) => remark),
  );
  for (const pull of store.pulls.ofLink(id)) {
    const told = pull.told.filter((state) => said.has(pullRemark(state, pull.url)));
    if (told.length < pull.told.length) store.pulls.save({ ...pull, told });
  }
  for (const push of store.pushes.ofLink(id))
    if (!said.has(pushRemark(push.url))) store.pushes.save({ ...push, isTold: false });
}

/** The comment goes with the step that closes the bug, so that both are one e-mail. */
export const withComment = (steps: readonly BugPatch[], comment: string): readonly BugPatch[] =>
  steps.map((step, index) =>
    index === steps.length - 1 && step.resolution !== undefined ? { ...step, comment } : step,
  );

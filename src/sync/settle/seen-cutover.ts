/**
 * Bugs that a cutover closed and that the state does not know as such, because it is older: what the cutover wrote on
 * the tracker says so.
 */

import type { Context, RouteState } from '../../kernel/context.ts';
import { spare, workOn } from '../../kernel/set-aside.ts';
import type { Bug, Comment } from '../../model/item.ts';
import type { Link } from '../../model/link.ts';
import { isBy } from '../../model/people.ts';
import type { PastChange } from '../../model/receipt.ts';
import type { Thread } from '../../model/replica.ts';
import { hasMade } from '../../rules/fields/set-on-tracker.ts';
import { isOpenView, statusView } from '../../rules/fields/status.ts';
import { whyHidden } from '../../rules/privacy/gate.ts';
import { isPeoples } from '../../rules/privacy/plan-withdrawal.ts';
import { movedLine } from '../../text/marker.ts';
import { fieldsOn } from '../observe/fields-on.ts';
import { pastChanges } from './setters.ts';

/**
 * Marks a pair if our account closed its bug, saying that it has moved, and the state knows of no cutover: it was put
 * back. People may also have closed the bug after a cutover that was undone, which is then found out.
 */
export function noteMoved(context: RouteState, link: Link, { comments }: Pick<Thread, 'comments'>): void {
  const { store, clock } = context;
  const { tracker: bug, base } = link;
  const agreed = base?.tracker.status;
  if (bug === null || typeof agreed !== 'string' || !isOpenView(agreed) || !isCandidate(context, { link, bug })) return;
  if (comments.some((comment) => saysMoved(context, link, comment))) store.olderPairs.mark(link.id, clock.now());
}

/** Whether our account says here that the bug has moved to its issue. */
const saysMoved = ({ session }: RouteState, { github }: Link, { text, author }: Comment): boolean =>
  text.split('\n', 1)[0] === movedLine(github?.url ?? '') && isBy(author, session.own.tracker);

interface ClosedPair {
  readonly link: Link;
  /** The bug as the tracker shows it now. */
  readonly bug: Bug;
}

/**
 * Finds the closings of a cutover, and notes them: its closing is no edit by people, and can be undone. Costs requests
 * only for closed bugs. Throws `SideError`.
 * @param which what people made of a bug since is not to be undone
 */
export async function findCutovers(
  context: Context,
  pairs: readonly ClosedPair[],
  which: 'all' | 'unchanged' = 'all',
): Promise<void> {
  const { store, session } = context;
  const closed = eachOf(pairs, (pair) => (isCandidate(context, pair) ? [pair] : []));
  if (session.own.tracker === null || closed.length === 0) return;
  const changes = await pastChanges(
    context,
    closed.map(({ bug }) => bug.id),
  );
  const found = eachOf(closed, (pair) => {
    const closing = ownClosing(context, pair.bug, changes.get(pair.bug.id) ?? [], which);
    return closing === null ? [] : [{ ...pair, closing }];
  });
  const said = await saidMoved(context, found);
  eachOf(found, (pair) => {
    if (said(pair)) note(context, pair);
    return [];
  });

  function eachOf<Pair extends ClosedPair, T>(list: readonly Pair[], run: (pair: Pair) => readonly T[]): readonly T[] {
    const each = (pair: Pair) => spare(context, workOn(context, pair.link, 'plan'), () => run(pair)) ?? [];
    return store.transaction(() => list.flatMap(each));
  }
}

/** The closing is agreed. What people made of the closed bug after that is their edit. */
function note(context: RouteState, { link, bug, closing }: ClosedPair & { readonly closing: Closing }): void {
  const { store, route } = context;
  const { was, status, resolution } = closing;
  store.cutoverNotices.save({ link: link.id, was, status, resolution, isDone: true });
  const agreed = { tracker: statusOn('tracker'), github: statusOn('github') };
  const base = {
    tracker: { ...link.base?.tracker, ...agreed.tracker },
    github: { ...link.base?.github, ...agreed.github },
  };
  store.links.save({ ...link, base });

  function statusOn(side: 'tracker' | 'github') {
    const shown = fieldsOn(context, { ...link, tracker: { ...bug, status, resolution } }, side).status;
    // Our own issue was closed because the bug was hidden.
    const isClosed =
      side === 'github' && link.isWithdrawn && !isPeoples({ commentLinks: store.commentLinks.ofLink(link.id) });
    const before = isClosed ? statusView(route.status, was, '') : shown;
    return before === undefined || before === null ? {} : { status: before };
  }
}

function isCandidate({ store, route }: RouteState, { link, bug }: ClosedPair): boolean {
  const view = statusView(route.status, bug.status, bug.resolution);
  const isPublic = link.state === 'live' && link.github !== null && !bug.isPrivate && whyHidden(route, link) === null;
  // Also after a cutover was undone, and what people made of the bug stays.
  const isSettled = store.olderPairs.get(link.id)?.settled.status === 'base';
  const isUnknown = !isSettled && store.cutoverNotices.get(link.id) === null;
  return isPublic && view !== null && !isOpenView(view) && isUnknown;
}

/** The status that a bug had while it was open, and what it got when it was closed. */
interface Closing extends Pick<Bug, 'status' | 'resolution'> {
  readonly was: string;
}

/**
 * How our own account closed the bug, if nobody has opened it since. Of a status, the history has what changed: the
 * status, the resolution, or both.
 */
function ownClosing(
  { route, session }: RouteState,
  bug: Bug,
  changes: readonly PastChange[],
  which: 'all' | 'unchanged',
): Closing | null {
  const { toGithub } = route.status;
  const isOpen = (text: string): boolean => isOpenView(statusView(route.status, text, '') ?? '');
  const isClosed = (text: string): boolean => toGithub[text] !== undefined && !isOpen(text);
  const ofStatus = changes.filter(({ what }) => what.status !== undefined);
  const closing = ofStatus.findLast(({ was, what }) => was.status?.some(isOpen) && what.status?.some(isClosed));
  const last = ofStatus.at(-1);
  if (which === 'unchanged' && closing !== last) return null;
  if (closing === undefined || !isBy(closing, session.own.tracker)) return null;
  if (last === undefined || !hasMade(last, { field: 'status', tracker: null }, bug)) return null;
  const was = closing.was.status?.find(isOpen);
  const status = closing.what.status?.find(isClosed);
  const resolution = closing.what.status?.find((text) => toGithub[text] === undefined) ?? bug.resolution;
  return was === undefined || status === undefined ? null : { was, status, resolution };
}

/**
 * Whether the cutover closed the bug: on a route to GitHub nothing else of ours does; on others, it also said on the
 * bug where the issue is.
 */
async function saidMoved(context: Context, pairs: readonly ClosedPair[]): Promise<(pair: ClosedPair) => boolean> {
  const { route, tracker } = context;
  if (route.direction === 'to-github' || pairs.length === 0) return () => true;
  const threads = await tracker.threads(pairs.map(({ bug }) => ({ ref: bug.id, sinceAt: null })));
  return ({ link, bug }) =>
    threads
      .filter(({ ref }) => ref === bug.id)
      .some(({ comments }) => comments.some((comment) => saysMoved(context, link, comment)));
}

import type { Context, RouteState } from '../../kernel/context.ts';
import { repoOf } from '../../kernel/linked.ts';
import { spare, workOn } from '../../kernel/set-aside.ts';
import type { Attachment } from '../../model/attachment.ts';
import { bugId } from '../../model/ids.ts';
import { type CommentLink, type Link, shownBug } from '../../model/link.ts';
import type { Thread } from '../../model/replica.ts';
import type { Store } from '../../model/store.ts';
import { isOfBody } from '../../rules/comments/body.ts';
import { commentAfter } from '../../rules/comments/life.ts';
import { saysNothing } from '../../rules/privacy/neutral.ts';
import { withoutFooter } from '../../text/footer.ts';
import { hideFile } from '../observe/mentions.ts';
import { leaveBehind } from '../observe/take-moved.ts';

/**
 * What is hidden of a bug that moved away is hidden on its old issue as well: that still shows what was public when the
 * bug left. So does an issue that was made twice, of a lost state or by a second bridge. Returns the links of such
 * issues with something to withdraw.
 */
export function followBugs(context: Context): readonly Link[] {
  const { store, route } = context;
  return store.transaction(() => {
    for (const twin of store.links.twinsOfHidden(route.name, repoOf(context)))
      spare(context, workOn(context, twin, 'withdraw'), () => leaveBehind(context, twin));
    return store.links.formerDue(route.name).flatMap((former) => {
      spare(context, workOn(context, former, 'withdraw'), () => {
        const holder = store.links.byBug(bugId(shownBug(former) ?? 0));
        if (holder !== null) follow(context, former, holder);
      });
      return store.links.byId(former.id) ?? [];
    });
  });
}

/**
 * Hides on a bug's old issues the comments that a whole reading of its thread does not show: the link that has the bug
 * now knows nothing of what was hidden before it read the bug.
 */
export function hideOldComments({ store }: RouteState, link: Link, thread: Thread): void {
  for (const former of formerOf(store, link)) {
    const shown = new Set(thread.comments.flatMap(({ id, isPrivate }) => (isPrivate ? [] : [id])));
    hideComments(store, former, (source) => !shown.has(source));
  }
}

/** The same for its files, of which the tracker lists all. */
export function hideOldFiles(context: RouteState, link: Link, listed: readonly Attachment[]): void {
  for (const former of formerOf(context.store, link)) {
    const shown = new Set(listed.flatMap(({ id, isPrivate }) => (isPrivate ? [] : [String(id)])));
    hideFiles(context, former, (source) => !shown.has(source));
  }
}

/** The links that keep the old issues of its bug. */
const formerOf = (store: Store, { bug }: Link): readonly Link[] => (bug === null ? [] : store.links.former(bug));

function hideComments({ commentLinks }: Store, { id }: Link, isHidden: (source: number) => boolean): void {
  for (const each of commentLinks.ofLink(id))
    if (each.origin === 'tracker' && isHidden(each.source))
      commentLinks.save(commentAfter(each, { kind: 'hidden', reason: 'its original is not public' }));
}

function hideFiles(context: RouteState, { id }: Link, isHidden: (source: string) => boolean): void {
  for (const each of context.store.attachmentLinks.ofLink(id))
    if (each.origin === 'tracker' && each.state !== 'withdrawn' && isHidden(each.source)) hideFile(context, each);
}

function follow(context: RouteState, former: Link, holder: Link): void {
  const { store, clock } = context;
  const isHidden =
    holder.tracker?.isPrivate === true ||
    holder.frozenBy === 'tracker' ||
    holder.visibility?.isShown === false ||
    isDescriptionHidden(store, former, holder);
  // The bug may have been private when it left.
  const wasHidden = former.visibility?.isShown === false || former.tracker?.isPrivate === true;
  if (isHidden !== wasHidden) {
    const seen = former.visibility ?? { of: '', details: {}, labels: [] };
    const tracker = former.tracker === null || isHidden ? former.tracker : { ...former.tracker, isPrivate: false };
    const visibility = { ...seen, isShown: !isHidden, at: clock.now() };
    store.links.save({ ...former, tracker, visibility, urgency: 'live' });
  }
  const hidden = <T extends number | string>(list: readonly Hideable<T>[]): ReadonlySet<T> =>
    new Set(list.flatMap((each) => (each.origin === 'tracker' && each.state === 'withdrawn' ? [each.source] : [])));
  const comments = hidden<number>(store.commentLinks.ofLink(holder.id));
  hideComments(store, former, (source) => comments.has(source));
  const files = hidden<string>(store.attachmentLinks.ofLink(holder.id));
  hideFiles(context, former, (source) => files.has(source));
}

/** Whether the description is private, and nobody knows whether the body of the issue is its copy. */
function isDescriptionHidden({ commentLinks }: Store, former: Link, holder: Link): boolean {
  const isOfBug = ({ origin, count }: CommentLink): boolean => origin === 'tracker' && count === 0;
  const isHidden = commentLinks.ofLink(holder.id).some((row) => isOfBug(row) && row.state === 'withdrawn');
  const isKnown = (row: CommentLink): boolean => isOfBug(row) || isOfBody(row);
  return (
    isHidden && !commentLinks.ofLink(former.id).some(isKnown) && !saysNothing(withoutFooter(former.github?.body ?? ''))
  );
}

interface Hideable<T> {
  readonly origin: string;
  readonly state: string;
  readonly source: T;
}

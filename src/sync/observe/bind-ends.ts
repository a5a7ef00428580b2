/** Joins what is known of a bug and of its issue into one link. */

import type { Context, RouteState } from '../../kernel/context.ts';
import { repoOf, withItem } from '../../kernel/linked.ts';
import { lineOf } from '../../kernel/outbox.ts';
import { bugId, issueNumber } from '../../model/ids.ts';
import { type Bug, type Comment, type Issue, type Item, sideOf } from '../../model/item.ts';
import type { Link, Urgency } from '../../model/link.ts';
import { namedIn, sameName } from '../../model/named.ts';
import { joinedCommentLinks } from '../../rules/comments/join.ts';
import { filedFrom } from '../../rules/comments/provenance.ts';
import { baseElsewhere } from '../../rules/fields/move-base.ts';
import { isMadeByUs, joinedLinks, withPointers } from '../../rules/links/match.ts';
import { withBaseAfter } from '../settle/base-after-doubt.ts';
import { isInDoubt, isTried, noteUnknown } from '../settle/second-bridge.ts';
import { withSeenWithdrawal } from '../withdraw/seen-withdrawal.ts';
import { markDependentsDirty } from './mentions.ts';

/** Makes one link of an issue's and a bug's. */
export function bindEnds(context: Context, issueLink: Link, { id }: Link, bug: Bug): void {
  bind(context, issueLink, context.store.links.byId(id), bug, 'live');
}

/** @param by `command` if a person named the pair */
export function bind(
  context: Context,
  keep: Link,
  absorb: Link | null,
  item: Item,
  urgency: Urgency,
  by: 'command' | null = null,
): Link {
  const { store } = context;
  const both = absorb === null ? keep : joinedLinks(keep, absorb);
  const isUnaware = !isInDoubt(context, keep) && (absorb === null || !isInDoubt(context, absorb));
  const merged =
    absorb === null
      ? null
      : joinedCommentLinks(store.commentLinks.ofLink(keep.id), store.commentLinks.ofLink(absorb.id), keep);
  if (absorb !== null) {
    store.attachmentLinks.move(absorb.id, keep.id);
    store.pulls.move(absorb.id, keep.id);
    store.pushes.move(absorb.id, keep.id);
    store.links.remove(absorb.id);
  }
  const bound: Link = withPointers(context.route, { ...withItem(both, item, urgency), claim: null });
  store.links.save(bound);
  for (const commentLink of merged?.add ?? []) store.commentLinks.add(commentLink);
  for (const commentLink of merged?.save ?? []) store.commentLinks.save(commentLink);
  store.ledger.add(lineOf(context, bound, 'bind', { bug: bound.bug, issue: bound.issue, by }));
  const ours = isUnaware ? ends(bound).filter((end) => isMadeByUs(end, context.session.own)) : [];
  for (const end of ours) noteUnknown(context, sideOf(end), end);
  if (ours.length > 0) store.olderPairs.mark(bound.id, context.clock.now());
  markDependentsDirty(context, bound);
  const seen = withSeenWithdrawal(context, null, bound);
  if (seen !== bound) store.links.save(seen);
  return seen;
}

/** The link of the issue that a bug of ours was filed from, in whatever route, as long as it has no bug. */
export function waitingFor({ store, session }: RouteState, bug: Bug, comments: readonly Comment[]): Link | null {
  const from = filedFrom(comments) ?? '';
  const place = namedIn(from);
  const link = place?.kind === 'issue' ? store.links.byIssue(place.repo, issueNumber(place.number)) : null;
  const isThere = link?.state === 'live' && link.github !== null && sameName(link.github.url, from);
  const isFree = (store.links.byBug(bug.id)?.issue ?? null) === null;
  return isThere && link.bug === null && isFree && isMadeByUs(bug, session.own) ? link : null;
}

/**
 * Binds a bug to the issue that it was filed from, whatever product it is in by now: people may have moved it before
 * the bridge learned its number. What another route took it for is dropped, and its thread read again for the pair.
 */
export function bindFiled({ route, ...context }: Context, issueLink: Link, bug: Bug): void {
  const [owner = '', repo = ''] = issueLink.repo.split('/');
  const own = context.store.links.byBug(bug.id);
  if (own !== null) {
    context.store.links.remove(own.id);
    context.store.setAside.remove(own.route, 'tracker', bug.id);
  }
  if (own?.claim != null) context.store.setAside.remove(own.route, 'github', own.claim);
  bind({ ...context, route: { ...route, name: issueLink.route, owner, repo } }, issueLink, null, bug, 'live');
}

/**
 * Takes over the bug of an issue that we made for another route, which has not learned its number: people transferred
 * the issue before.
 * @param ref the bug that its marker names
 * @returns the pair; null if it is another issue
 */
export function takeTransferred(context: Context, issue: Issue, ref: number, urgency: Urgency): Link | null {
  const { store, route } = context;
  const link = store.links.byBug(bugId(ref));
  if (link === null || link.route === route.name || link.issue !== null || link.state === 'tombstone') return null;
  const row = store.outbox.ofLink(link.id).find((each) => {
    const { kind, on } = each.operation;
    return kind === 'create' && on === 'github' && isTried(each);
  });
  if (row === undefined) return null;
  const product = link.tracker?.product ?? null;
  const takenFrom = product === route.selection.product ? null : product;
  const here: Link = {
    ...link,
    route: route.name,
    repo: repoOf(context),
    takenFrom,
    movedTo: null,
    threadReadAt: null,
  };
  const pair = bind(context, here, null, issue, urgency);
  store.outbox.replace(link.route, [link.id], []);
  store.findings.replace(link.id, [], [], context.clock.now());
  store.looks.settle(link.id);
  const bound: Link = { ...pair, base: baseElsewhere(withBaseAfter(context, pair, row).base), urgency: 'live' };
  store.links.save(bound);
  return bound;
}

const ends = ({ tracker, github }: Link): readonly Item[] => [tracker, github].filter((end) => end !== null);

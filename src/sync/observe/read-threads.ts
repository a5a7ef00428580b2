/** Reads the threads that planning needs. */

import { sinceBefore } from '../../kernel/backoff.ts';
import type { Context, RouteState } from '../../kernel/context.ts';
import { linkOf } from '../../kernel/linked.ts';
import { inTimeOf, isLate, lateFirst } from '../../kernel/patience.ts';
import { eachSpared, isThreadWanted, spare, spareAsync, workOn } from '../../kernel/set-aside.ts';
import { isLeft, isThreadPutOff, probeItem, putThreadOff, setItemUnread, setUnread } from '../../kernel/unread.ts';
import type { LinkId, Side } from '../../model/ids.ts';
import type { Item } from '../../model/item.ts';
import { bodyId, type CommentLink, type Link } from '../../model/link.ts';
import { type Probe, SideError } from '../../model/outcome.ts';
import type { OutboxRow } from '../../model/plan/outbox.ts';
import type { Thread, ThreadAsk } from '../../model/replica.ts';
import { readBody } from '../../rules/comments/body.ts';
import { isMadeByUs } from '../../rules/links/match.ts';
import { operations } from '../../rules/operations/operations.ts';
import { confirmNamesOn } from '../own-names.ts';
import { retire } from '../perform/record-failure.ts';
import { firstBodies, threadWithFirstTexts } from '../settle/first-texts.ts';
import { asksMax, unlessBehind } from '../settle/missing-copies.ts';
import { recallPlaces } from '../settle/recalled.ts';
import { forgetVisibility } from '../withdraw/check-visibility.ts';
import { claimantsOf, isAwaitedElsewhere } from './claims.ts';
import { observeItem } from './observe-items.ts';
import { isCounted, observeThread } from './observe-thread.ts';
import { freeze } from './persist-plan.ts';

/**
 * Reads comments that planning these links needs and the poll did not bring, and the threads in which a comment in
 * doubt would appear. Many links share one request.
 */
export async function readThreads(
  context: Context,
  links: readonly Link[],
  doubts: readonly OutboxRow[],
): Promise<void> {
  for (const { id } of links) context.lookTurns.untold.delete(id);
  await readSide(context, 'tracker', [
    ...doubtAsks(context, 'tracker', doubts),
    ...eachSpared(context, links, (link) => trackerAsk(context, link)),
  ]);
  await readSide(context, 'github', [
    ...doubtAsks(context, 'github', doubts),
    ...eachSpared(context, links, (link) => githubAsk(context, link)),
  ]);
  const bodies = await firstBodies(context, links);
  context.store.transaction(() => {
    for (const link of links) {
      const first = bodies.get(link.id);
      if (first === null) continue;
      spare(context, workOn(context, link, 'read'), () => {
        if (mayBeOfBug(context, link.id)) context.lookTurns.untold.add(link.id);
        else readBodyOf(context, link.id, first);
      });
    }
  });
}

/** Whether our account may have opened the issue for a bug that names it: then the body waits until that is known. */
function mayBeOfBug(context: RouteState, id: Link['id']): boolean {
  const link = context.store.links.byId(id);
  if (link === null || link.github === null || !isMadeByUs(link.github, context.session.own)) return false;
  return claimantsOf(context, link).length > 0;
}

/**
 * Reads the threads again if copies may have to be renewed and their texts are no longer kept; with as few requests as
 * possible.
 */
export async function readAgain(context: Context, links: readonly Link[]): Promise<void> {
  const asks = eachSpared(context, links, ({ id }) => {
    const link = context.store.links.byId(id);
    const bug = link?.state === 'live' && link.tracker?.isPrivate === false ? link.bug : null;
    return bug !== null && context.store.commentLinks.ofLink(id).some(isTextMissing)
      ? [{ ref: bug, sinceAt: null }]
      : [];
  });
  await readSide(context, 'tracker', asks);
}

/** A comment that is to be copied again, as its copy is gone, has no text any more. */
const isTextMissing = ({ isStale, text, state, origin, part }: CommentLink): boolean =>
  text === null && origin === 'tracker' && part === 1 && (state === 'pending' || (isStale && state === 'mirrored'));

/** All comments of a bug that changed: only a complete reading reveals that one was hidden. */
function trackerAsk(context: RouteState, { id, tracker, threadReadAt, state }: Link): readonly ThreadAsk[] {
  const { limits, store } = context;
  if (tracker === null || tracker.isPrivate || state !== 'live') return [];
  // An older state does not know what the bridge wrote, and no list shows that of a bug which moved since.
  const knownSince = Math.max(tracker.changedAt + limits.settleMs, store.olderPairs.get(id)?.at ?? 0);
  // A comment with a time stamp this long before the last reading was visible then.
  const isRead = threadReadAt !== null && knownSince < threadReadAt;
  return isRead && !isThreadWanted(context, 'tracker', tracker.id) ? [] : [{ ref: tracker.id, sinceAt: null }];
}

/** The poll brings new and edited comments; only an unexpected count (usually a deletion) needs a separate reading. */
function githubAsk(context: RouteState, link: Link): readonly ThreadAsk[] {
  const { github, state, route, frozenBy } = link;
  // A hidden bug may have copies in doubt, which must be found to be erased.
  const isRead = state === 'live' || (state === 'frozen' && frozenBy === 'tracker');
  if (github === null || !isRead || !context.store.cursors.get(route, 'github')?.isComplete) return [];
  return isCounted(context, link, github) && !isThreadWanted(context, 'github', github.number)
    ? []
    : [{ ref: github.number, sinceAt: null }];
}

function doubtAsks(context: RouteState, side: Side, doubts: readonly OutboxRow[]): readonly ThreadAsk[] {
  return doubts.flatMap(({ operation, sentAt }) => {
    const { thread } = operations[operation.kind].doubt;
    if (operation.on !== side || thread === 'no') return [];
    const link = context.store.links.byId(operation.link);
    const ref = side === 'tracker' ? link?.bug : link?.issue;
    const sinceAt = thread === 'whole' ? null : sinceBefore(sentAt ?? 0);
    return ref === null || ref === undefined ? [] : [{ ref, sinceAt }];
  });
}

/** Reads comments of several bugs or issues, each once and from the earliest requested time, and stores them. */
export async function readSide(context: Context, side: Side, asks: readonly ThreadAsk[]): Promise<void> {
  // If a link is requested twice, it is read from the earlier time.
  const merged = new Map<number, ThreadAsk>();
  for (const ask of asks) {
    if (side === 'github' && isThreadPutOff(context, ask.ref)) continue;
    const left = side === 'tracker' ? linkOf(context, side, ask.ref) : null;
    if (left !== null && spare(context, workOn(context, left, 'read'), () => isLeft(context, left)) !== false) continue;
    const twin = merged.get(ask.ref) ?? ask;
    const sinceAt = twin.sinceAt === null || ask.sinceAt === null ? null : Math.min(twin.sinceAt, ask.sinceAt);
    merged.set(ask.ref, { ref: ask.ref, sinceAt });
  }
  if (merged.size === 0) return;
  const asked = lateFirst(context, [...merged.values()], ({ ref }) => linkOf(context, side, ref)?.id);
  const read = await context[side].threads(asked, inTimeOf(context, side));
  await confirmNamesOn(context, side, { comments: read.flatMap(({ comments }) => comments) });
  const threads: Thread[] = [];
  const left = { left: asksMax };
  for (const thread of read) {
    const seen = await threadWithFirstTexts(context, thread, left);
    threads.push(side === 'tracker' ? thread : await unlessBehind(context, seen, left));
  }
  const places = side === 'tracker' ? await placesIn(context, threads) : new Map<LinkId, Link['formerly'] | null>();
  context.store.transaction(() => {
    for (const thread of threads) {
      const known = linkOf(context, side, thread.ref);
      if (known === null) continue;
      // Read again once another route has read the issue of the bug.
      if (places.get(known.id) === null) continue;
      const link = { ...known, formerly: places.get(known.id) ?? known.formerly };
      const fresh = side === 'tracker' ? { ...link, threadReadAt: thread.readAt } : link;
      if (side === 'tracker') context.store.links.save(fresh);
      observeThread(context, fresh, side, thread, 'live');
    }
  });
  const answered = new Set(threads.map(({ ref }) => ref));
  const look = side === 'tracker' ? lookAtUnanswered : lookAtUnread;
  for (const ref of merged.keys()) {
    const link = answered.has(ref) ? null : linkOf(context, side, ref);
    if (link === null || isLate(context, link.id)) continue;
    await spareAsync(context, workOn(context, link, 'read'), () => look(context, ref));
  }
}

/**
 * The places that the issues of these bugs had, as far as a state that was put back or lost has to ask for them; null
 * for a bug whose issue another route has yet to read.
 */
async function placesIn(
  context: Context,
  threads: readonly Thread[],
): Promise<ReadonlyMap<LinkId, Link['formerly'] | null>> {
  const found = new Map<LinkId, Link['formerly'] | null>();
  for (const { ref, comments } of threads) {
    const link = linkOf(context, 'tracker', ref);
    if (link === null) continue;
    const work = workOn(context, link, 'read');
    const waits = await spareAsync(context, work, () => isAwaitedElsewhere(context, link, comments));
    found.set(link.id, waits === true ? null : (await recallPlaces(context, link, comments)).formerly);
  }
  return found;
}

/** An issue that is gone has no thread either; if it is there, its thread cannot be read. */
async function lookAtUnread(context: Context, ref: number): Promise<void> {
  const probe = await probeItem(context, 'github', ref);
  if (probe instanceof SideError || probe.kind === 'there') putThreadOff(context, ref);
}

/** A bug that is hidden or deleted has no thread either; if it is there, the tracker fails on its thread. */
async function lookAtUnanswered(context: Context, ref: number): Promise<void> {
  const isAnswered = await lookAtBug(context, ref);
  const link = linkOf(context, 'tracker', ref);
  if (isAnswered && link?.state === 'live')
    setUnread(context, 'thread', ref, 'its comments cannot be read', link.tracker?.changedAt);
}

/**
 * Checks a bug that may have been hidden or deleted although the stored version looks public (its comments were
 * requested and not returned): nothing of that version may be written any more. It may also be public again. Earlier
 * visibility checks no longer count, as comments may have become private with the bug.
 * @param known what the tracker just answered about the bug
 * @returns false if the tracker fails on it
 */
export async function lookAtBug(context: Context, ref: number, known: Probe<Item> | null = null): Promise<boolean> {
  const link = linkOf(context, 'tracker', ref);
  if (link === null) return true;
  context.store.transaction(() => forgetVisibility(context, link));
  if (link.state !== 'live') return true;
  const probe = known ?? (await probeItem(context, 'tracker', ref));
  if (probe instanceof SideError) setItemUnread(context, 'tracker', ref, probe);
  else if (probe.kind === 'there') context.store.transaction(() => observeItem(context, probe.item, 'live'));
  // An issue that will still get its number must find its link.
  else if (link.issue === null) context.store.transaction(() => freeze(context, link, 'tracker', probe.gone.why));
  else retire(context, link, 'tracker', probe.gone);
  return !(probe instanceof SideError);
}

/**
 * Pairs the body of an issue with its source, from the last reading.
 * @param first the body as our account wrote it, where only that says what it is: what people made of it is an edit
 */
export function readBodyOf(context: RouteState, id: Link['id'], first?: string): void {
  const { store, route, session } = context;
  const link = store.links.byId(id);
  if (link === null || link.github === null) return;
  const issue = first === undefined ? link.github : { ...link.github, body: first };
  const body = readBody(route, link, issue, store.commentLinks.ofLink(id), session.own.github);
  if (body === null) return;
  if ('id' in body) store.commentLinks.save(body);
  else store.commentLinks.add(body);
  if ('id' in body && body.copy?.id === bodyId && !link.pointed.github) {
    store.links.save({ ...link, pointed: { ...link.pointed, github: true } });
  }
}

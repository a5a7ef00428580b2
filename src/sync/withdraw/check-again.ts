import type { Context, RouteState } from '../../kernel/context.ts';
import { markDirty } from '../../kernel/dirty.ts';
import { receiptOf } from '../../kernel/outbox.ts';
import { inTimeOf, isLate, urgently } from '../../kernel/patience.ts';
import { spare, workOn } from '../../kernel/set-aside.ts';
import type { AnonymousReader } from '../../model/anonymous-reader.ts';
import type { Comment } from '../../model/item.ts';
import type { CommentLink, Link } from '../../model/link.ts';
import type { Thread } from '../../model/replica.ts';
import type { InTime } from '../../model/runtime.ts';
import { hiddenParts } from '../../rules/comments/hide.ts';
import { minimizeReasonOf } from '../../rules/comments/minimizing.ts';
import { readThread } from '../../rules/comments/thread.ts';
import { checksVisibility } from '../../rules/privacy/gate.ts';
import { hideFile } from '../observe/mentions.ts';
import { notShown } from './check-visibility.ts';

/** Bugs checked together. */
const batchSize = 100;

/**
 * The visibility sweep: reads without credentials all tracker content that is on GitHub, or that was not visible when
 * it was last read. The next cycle withdraws content that the anonymous reader cannot see. Throws `SideError`.
 */
export async function checkVisibilityAgain(given: Context): Promise<void> {
  const context = urgently(given);
  const { anonymousReader, route, store } = context;
  if (anonymousReader === null || !checksVisibility(route)) return;
  const times = { ofBugs: inTimeOf(context), ofComments: inTimeOf(context), ofFiles: inTimeOf(context) };
  for (const links of store.links.batches(route.name, batchSize)) {
    await checkBatch(
      context,
      { anonymousReader, ...times },
      links.filter(({ state, tracker, visibility }) => state === 'live' && tracker !== null && visibility !== null),
    );
  }
}

interface InTurn extends Readonly<Record<'ofBugs' | 'ofComments' | 'ofFiles', InTime | undefined>> {
  readonly anonymousReader: AnonymousReader;
}

async function checkBatch(
  context: Context,
  { anonymousReader, ofBugs, ofComments, ofFiles }: InTurn,
  links: readonly Link[],
): Promise<void> {
  if (links.length === 0) return;
  const { store } = context;
  const bugs = await anonymousReader.bugs(
    links.flatMap(({ bug }) => bug ?? []),
    undefined,
    ofBugs,
  );
  const shown = links.filter(({ bug }) => bugs.get(bug ?? 0));
  const spoken = shown.filter(({ id }) => store.commentLinks.ofLink(id).some(({ origin }) => origin === 'tracker'));
  const filed = shown.filter(({ id }) =>
    store.attachmentLinks.ofLink(id).some(({ origin, state }) => origin === 'tracker' && state !== 'withdrawn'),
  );
  const comments =
    spoken.length === 0
      ? new Map<number, readonly Comment[]>()
      : await anonymousReader.comments(
          spoken.flatMap(({ bug }) => bug ?? []),
          ofComments,
        );
  const files =
    filed.length === 0
      ? new Map()
      : await anonymousReader.attachments(
          filed.flatMap(({ bug }) => bug ?? []),
          ofFiles,
        );
  const ids = (list: readonly { readonly id: number }[] | undefined) =>
    list === undefined ? null : new Set(list.map(({ id }) => id));
  store.transaction(() => {
    for (const link of links) {
      const bug = link.bug ?? 0;
      // Each by itself: what is no longer shown has to go, whatever else about the bug fails.
      const steps = [
        () => bugs.get(bug) !== null && recordBug(context, link, bugs.has(bug)),
        () => recordComments(context, link, ids(comments.get(bug))),
        () => recordFiles(context, link, ids(files.get(bug))),
        () => recordNews(context, link, comments.get(bug)),
        () => isLate(context, link.id) && leaveToCycle(context, link),
      ];
      for (const step of steps) spare(context, workOn(context, link, 'read'), step);
    }
  });
}

const isShown = ({ origin, state }: { readonly origin: string; readonly state: string }): boolean =>
  origin === 'tracker' && state === 'mirrored';

/** Cycles read the thread in turn, from its beginning. */
function leaveToCycle({ store }: RouteState, { id }: Link): void {
  const link = store.links.byId(id);
  if (link !== null) store.links.save({ ...link, threadReadAt: null, urgency: 'live' });
}

/** A bug that is visible again is read from its beginning, and checked in the next cycle. */
function recordBug({ store, clock }: RouteState, link: Link, isSeen: boolean): void {
  const { visibility } = link;
  if (visibility === null || visibility.isShown === isSeen) return;
  if (isSeen) store.links.save({ ...link, visibility: null, threadReadAt: null, urgency: 'live' });
  else store.links.save({ ...link, visibility: { ...visibility, isShown: false, at: clock.now() }, urgency: 'live' });
}

function recordComments(context: RouteState, { id }: Link, seen: ReadonlySet<number> | null): void {
  if (seen === null) return;
  const { store } = context;
  const commentLinks = store.commentLinks.ofLink(id);
  const missing = commentLinks.filter(
    (commentLink) => isShown(commentLink) && commentLink.part === 1 && !seen.has(commentLink.source),
  );
  for (const { source } of missing)
    for (const commentLink of hiddenParts(commentLinks, source, notShown)) store.commentLinks.save(commentLink);
  if (missing.length > 0) markDirty(context, id);
}

/**
 * No list reports that comments were tagged, and the time of their bug does not change: only reading the thread shows
 * it, which happens here anyway. It also shows comments that one answer before lacked, or left without their privacy.
 */
function recordNews(context: RouteState, { id, bug }: Link, comments: readonly Comment[] | undefined): void {
  const { store } = context;
  const link = store.links.byId(id);
  if (link === null || bug === null || comments === undefined) return;
  const known = store.commentLinks.ofLink(id);
  if (tagged(known, comments) || isMissing(context, link, known, { ref: bug, comments })) leaveToCycle(context, link);
}

const tagged = (known: readonly CommentLink[], comments: readonly Comment[]): boolean =>
  comments.some(({ id, tags }) => {
    const commentLink = known.find(({ origin, source, part }) => origin === 'tracker' && source === id && part === 1);
    return commentLink !== undefined && tags !== undefined && minimizeReasonOf(tags) !== commentLink.minimize;
  });

/** Whether reading the thread would add a comment, or bring back one that was withdrawn. */
function isMissing(
  { route, session, store }: RouteState,
  link: Link,
  known: readonly CommentLink[],
  { ref, comments }: Pick<Thread, 'ref' | 'comments'>,
): boolean {
  const withdrawn = new Set(known.filter(({ state }) => state === 'withdrawn').map(({ id }) => id));
  const reported = receiptOf(store, link.id).comments.flatMap(({ id }) => id ?? []);
  const thread = { ref, comments, isWhole: false, readAt: 0 };
  const facts = { own: session.own.tracker, reported, inDoubt: [], hasGoneBack: false };
  const { add, save } = readThread(route, link, known, 'tracker', thread, facts);
  return add.length > 0 || save.some(({ id, state }) => withdrawn.has(id) && state !== 'withdrawn');
}

function recordFiles(context: RouteState, { id }: Link, seen: ReadonlySet<number> | null): void {
  if (seen === null) return;
  const { store } = context;
  const missing = store.attachmentLinks
    .ofLink(id)
    .filter(({ origin, state, source }) => origin === 'tracker' && state !== 'withdrawn' && !seen.has(Number(source)));
  for (const file of missing) hideFile(context, file);
  if (missing.length > 0) markDirty(context, id);
}

/**
 * The net under the work on single items: what fails on one bug or issue costs that item, and everything else goes on.
 */

import { endlessInWords, faultInWords } from '../model/answers/fault.ts';
import { type LinkId, type Side, sides } from '../model/ids.ts';
import type { Link } from '../model/link.ts';
import { type SetAside, SideError, type Stage } from '../model/outcome.ts';
import type { FailedItem } from '../model/replica.ts';
import type { WatchedWork } from '../model/runtime.ts';
import { digestOf } from '../text/canonical.ts';
import type { Context } from './context.ts';
import { unlessLate } from './patience.ts';

type Sparing = Pick<Context, 'route' | 'store' | 'clock' | 'tell' | 'version' | 'watch' | 'reading'>;

/**
 * The part of a bug that the tracker could not show: the bug itself, its comments, its files, or the view of a reader
 * without an account.
 */
export type Unreadable = 'item' | 'thread' | 'files' | 'public';

/** Each row names the part that failed, and the version of it that is not tried again: `thread 5f3a...`. */
export const contentOf = (part: Unreadable | 'link', version: string): string => `${part} ${version}`;

export const partOf = ({ content }: Pick<SetAside, 'content'>): Unreadable | 'link' =>
  (['thread', 'files', 'public', 'link'] as const).find((part) => content.startsWith(contentOf(part, ''))) ?? 'item';

/** A piece of work on one item. */
export interface Work {
  readonly side: Side;
  readonly ref: number;
  /** The number of a comment, for work on this one alone. */
  readonly comment?: number;
  readonly stage: Stage;
  /** `item` and `thread` are read, `link` is what both sides and the state hold of a pair. */
  readonly of: 'item' | 'thread' | 'link';
  /** What it works on: the same content is not tried twice. Undefined for a part of a thread. */
  readonly content: () => unknown;
}

/**
 * Does the work as a whole or not at all. A fault of our own sets the item aside, and the answer is null; so it is when
 * the same content has failed before. Throws `SideError`, and whatever concerns the state as a whole.
 */
export function spare<T>(context: Sparing, work: Work, run: () => T): T | null {
  if (isSetAside(context, work)) return null;
  try {
    return context.watch.during(watchedWork(context, work), () => context.store.transaction(run));
  } catch (error) {
    setAside(context, work, error);
    return null;
  }
}

/** The same for what names its link; null also if there is no such link. */
export function spareOf<T>(context: Sparing, id: LinkId, stage: Stage, run: (link: Link) => T): T | null {
  const link = context.store.links.byId(id);
  return link === null ? null : spare(context, workOn(context, link, stage), () => run(link));
}

/** What reading asks for each link, which asks for nothing if that fails. */
export const eachSpared = <T>(
  context: Sparing,
  links: readonly Link[],
  run: (link: Link) => readonly T[],
): readonly T[] => links.flatMap((link) => spare(context, workOn(context, link, 'read'), () => run(link)) ?? []);

/** Does work on one item that waits for a side, as `spare` does the rest. What it stored is kept as far as it got. */
export async function spareAsync<T>(context: Sparing, work: Work, run: () => Promise<T>): Promise<T | null> {
  if (isSetAside(context, work)) return null;
  try {
    return await context.watch.during(watchedWork(context, work), () => unlessLate(context, work, run));
  } catch (error) {
    setAside(context, work, error);
    return null;
  }
}

export const watchedWork = ({ route }: Sparing, { side, ref, comment, stage, of }: Work): WatchedWork => ({
  route: route.name,
  ...{ side, ref, stage, of, ...ofComment(comment) },
});

const ofComment = (comment: number | undefined): Pick<Work, 'comment'> => (comment === undefined ? {} : { comment });

/** The row of an item on which the process before this one was blocked. */
export const blockedRow = (
  { route, side, ref, comment, stage, of, row = '' }: WatchedWork,
  { version, at }: { readonly version: string; readonly at: number },
): Parameters<Context['store']['setAside']['put']>[0] => ({
  ...{ route, side, ref, ...ofComment(comment), stage, version, at },
  ...{ cause: 'hang', retryAt: null, content: contentOf(of, row) },
  why: endlessInWords,
});

/** The same for the last step of the work on a link: once it succeeds, the item is no longer set aside. */
export async function sparing(context: Sparing, work: Work, run: () => Promise<void>): Promise<void> {
  const { store, route } = context;
  const failures = (): number => store.setAside.get(route.name, work.side, work.ref)?.count ?? 0;
  const before = failures();
  await spareAsync(context, work, run);
  if (before > 0 && failures() === before && !isSetAside(context, work)) forgetSetAside(context, work);
}

/** Whether this content failed before. After a hang, the content that is met first is the one that failed. */
export function isSetAside(context: Sparing, work: Work): boolean {
  const { store, clock } = context;
  const row = store.setAside.get(context.route.name, work.side, work.ref, work.comment);
  if (row === null || ofRow(row) !== work.of || (row.retryAt !== null && row.retryAt <= clock.now())) return false;
  // Whether a pair is still public is looked at in any case, and what is not goes off GitHub, without a look at texts:
  // only what never ended is left alone.
  const isOfPrivacy =
    work.of === 'link' && work.comment === undefined && (work.stage === 'read' || work.stage === 'withdraw');
  if (isOfPrivacy && (row.stage !== work.stage || row.cause !== 'hang')) return false;
  const content = contentOfWork(work);
  const isUnknown = row.content === unknownContent(work.of);
  if (row.cause === 'hang' && !isUnknown && content === unknownContent('thread')) {
    // A part of a thread does not say whether the thread is still the one that failed.
    store.setAside.revise({ ...row, content: wanted(row.content) });
    return true;
  }
  const isWanted = row.content !== content && row.content === wanted(content);
  if (!isWanted && (!isUnknown || row.cause !== 'hang')) return !isUnknown && row.content === content;
  store.setAside.revise({ ...row, content });
  return true;
}

/** The content of a row whose thread is read as a whole, to see whether it is still the one that failed. */
const wanted = (content: string): string => content.replace(/^thread (?!\?)/u, 'thread ?');

/** The content of a row whose item was not looked at yet. */
const unknownContent = (of: Work['of']): string => contentOf(of, '');

function contentOfWork({ of, content }: Work): string {
  try {
    const found = content();
    return contentOf(of, found === undefined ? '' : digestOf(JSON.stringify(found)));
  } catch {
    return unknownContent(of);
  }
}

/** The kind of work that a row stops: without its files or its public view, an item counts as not read. */
function ofRow(row: SetAside): Work['of'] {
  const part = partOf(row);
  return part === 'thread' || part === 'link' ? part : 'item';
}

/** Sets the item aside if the error is a fault of ours that concerns nothing else; throws it otherwise. */
export function setAside(context: Sparing, work: Work, error: unknown): void {
  const { store, route, clock, version } = context;
  if (!isFault(context, error)) throw error;
  const { side, ref, comment, stage } = work;
  const known = store.setAside.get(route.name, side, ref, comment);
  // An item that could not be read is not planned either, so that stays known.
  const content = work.of === 'link' && known !== null && ofRow(known) !== 'link' ? known.content : contentOfWork(work);
  const place = { route: route.name, side, ref, ...ofComment(comment), stage } as const;
  const fault = { ...place, cause: 'fault', why: faultInWords(error) } as const;
  store.setAside.put({ ...fault, retryAt: null, content, version, at: clock.now() });
  context.tell({ kind: 'set aside', ...fault, error });
}

const [firstMs, longestMs] = [60_000, 24 * 3_600_000];

/** When to ask again for an item that could not be read so many times before: less and less often. */
export const againAt = (now: number, count: number): number => now + Math.min(longestMs, firstMs * 3 ** count);

/**
 * Sets aside an item, or its thread, on which an edge or the side failed: nobody knows its content. What is met again
 * before its time counts once.
 */
export function setAsideUnmapped(
  context: Sparing,
  side: Side,
  { ref, why, of = 'item' }: FailedItem,
  cause: 'fault' | 'side' = 'fault',
): void {
  const { store, route, clock, version } = context;
  const failure = { route: route.name, side, ref, stage: 'read', cause, why } as const;
  const known = store.setAside.get(route.name, side, ref);
  const [at, content] = [clock.now(), unknownContent(of)];
  if (of === 'item' && known?.content === content && known.cause === cause && (known.retryAt ?? 0) > at) return;
  // A list fails before its thread is read by itself, which may succeed.
  const retryAt = of === 'item' ? againAt(at, known?.count ?? 0) : null;
  store.setAside.put({ ...failure, retryAt, content, version, at });
  context.tell({ kind: 'set aside', ...failure });
}

/** Whether an error is a mistake of ours, and neither an answer of a side nor trouble with the state. */
export const isFault = ({ store }: Pick<Context, 'store'>, error: unknown): boolean =>
  !(error instanceof SideError) &&
  store.troubleIn(error) === null &&
  !(error instanceof Error && error.name === 'AbortError');

/** The work on a pair, by what is known of it. */
export function workOn({ store }: Pick<Context, 'store'>, link: Link, stage: Stage): Work {
  const { id } = link;
  const content = () => [
    link.tracker,
    link.github,
    store.commentLinks
      .ofLink(id)
      .map(({ origin, source, state, digest, part }) => [origin, source, state, digest, part]),
    store.attachmentLinks
      .ofLink(id)
      .map(({ origin, source, state, name, summary }) => [origin, source, state, name, summary]),
  ];
  // The end where it began never changes.
  const isFromTracker = link.bug !== null && (link.origin === 'tracker' || link.issue === null);
  const [side, ref] = isFromTracker ? (['tracker', link.bug] as const) : (['github', link.issue ?? 0] as const);
  return { side, ref, stage, of: 'link', content };
}

/** Ends that the item is set aside because of such work. That a list shows a bug says nothing of its files. */
export function forgetSetAside(
  { store, route }: Pick<Context, 'store' | 'route'>,
  { side, ref, of }: Pick<Work, 'side' | 'ref' | 'of'>,
): void {
  const row = store.setAside.get(route.name, side, ref);
  if (row !== null && partOf(row) === of) store.setAside.remove(route.name, side, ref);
}

/** Nothing reads or plans a pair that was given up, so nothing else would end that an end of it is set aside. */
export function forgetEnds({ store, route: { name } }: Pick<Context, 'store' | 'route'>, { bug, issue }: Link): void {
  const { remove, comments } = store.setAside;
  for (const [side, ref] of [['tracker', bug] as const, ['github', issue] as const]) {
    if (ref === null) continue;
    remove(name, side, ref);
    for (const { comment } of comments(name, side, ref)) remove(name, side, ref, comment);
  }
}

/** Has a thread read as a whole of which a part could not be stored, or which has news since it could not. */
export function wantThread(
  { store, route, version }: Pick<Context, 'store' | 'route' | 'version'>,
  side: Side,
  ref: number,
): void {
  const row = store.setAside.get(route.name, side, ref);
  if (row !== null && ofRow(row) === 'thread')
    store.setAside.revise({
      ...row,
      cause: row.cause === 'side' ? 'side' : 'fault',
      content: unknownContent('thread'),
      retryAt: null,
      version,
    });
}

/** Has the item tried again, as it is now, and its comments. */
export function liftSetAside(context: Pick<Context, 'store' | 'route' | 'version'>, side: Side, ref: number): void {
  const { store, route, version } = context;
  for (const each of store.setAside.comments(route.name, side, ref)) {
    if (partOf(each) === 'thread')
      store.setAside.revise({ ...each, cause: 'fault', content: unknownContent('thread'), version });
    else store.setAside.remove(route.name, side, ref, each.comment);
  }
  const row = store.setAside.get(route.name, side, ref);
  if (row !== null && ofRow(row) === 'thread') wantThread(context, side, ref);
  else store.setAside.remove(route.name, side, ref);
}

/** Has work tried again that did not end. Returns whether there was any: it may not end now either. */
export function liftEndless(context: Pick<Context, 'store' | 'route' | 'version'>, side: Side, ref: number): boolean {
  const { store, route } = context;
  return store.transaction(() => {
    const isBlocked = store.setAside.unblock(route.name, side, ref);
    const rows = [store.setAside.get(route.name, side, ref), ...store.setAside.comments(route.name, side, ref)];
    const isHung = rows.some((row) => row?.cause === 'hang');
    if (isHung) liftSetAside(context, side, ref);
    return isBlocked || isHung;
  });
}

/** Whether its thread has to be read as a whole: as somebody asked for that, or as the last reading failed. */
export function isThreadWanted({ store, route }: Pick<Context, 'store' | 'route'>, side: Side, ref: number): boolean {
  const { content = '' } = store.setAside.get(route.name, side, ref) ?? {};
  const isWanted = content === unknownContent('thread') || content.startsWith(wanted(unknownContent('thread')));
  const comments = store.setAside.comments(route.name, side, ref);
  return isWanted || comments.some((row) => row.content === unknownContent('thread'));
}

/**
 * Whether the link has to be left alone: an end of it could not be read, nor the one that it names and would otherwise
 * be made a second time; or its present content failed before.
 */
export function isLeftAlone(context: Sparing, link: Link): boolean {
  const { setAside: rows } = context.store;
  const { route, bug, issue, claim } = link;
  const named = { tracker: bug ?? (issue === null ? null : claim), github: issue ?? (bug === null ? null : claim) };
  const found = sides.flatMap((side) => {
    const ref = named[side];
    return ref === null ? [] : (rows.get(route, side, ref) ?? []);
  });
  return (
    found.some((row) => ofRow(row) !== 'link') ||
    (found.length > 0 && isSetAside(context, workOn(context, link, 'plan')))
  );
}

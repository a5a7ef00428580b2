/**
 * Bugs on which the tracker fails, while it answers about others. Each is set aside, so that everything else goes on;
 * it is asked for again when a list shows that it changed, when a person asks, and by itself, less and less often.
 * Until then nothing of it is written, and only what has to be hidden is withdrawn.
 */

import type { Side } from '../model/ids.ts';
import type { Item } from '../model/item.ts';
import type { Link } from '../model/link.ts';
import { Halted, NotPublic, type Probe, type SetAside, SideError } from '../model/outcome.ts';
import type { Context } from './context.ts';
import { NoTime } from './patience.ts';
import { againAt, contentOf, partOf, setAsideUnmapped, type Unreadable } from './set-aside.ts';

type Known = Pick<Context, 'route' | 'store' | 'clock' | 'version'>;

/**
 * Sets a bug aside. The same version of it, met again before its time, counts once. So it does if another part fails
 * that is read later: the first is what holds up the bug, and says most.
 * @param changedAt when that version was made, if it was read at all
 */
export function setUnread(
  context: Known,
  part: Unreadable,
  ref: number,
  why: string,
  changedAt: number | null = null,
): void {
  const { store, route, clock, version } = context;
  const at = clock.now();
  const known = rowOf(context, ref);
  const content = contentOf(part, String(changedAt));
  const isFirst = known !== null && readInOrder.indexOf(partOf(known)) <= readInOrder.indexOf(part);
  if (isFirst && isEarly(context, known) && versionIn(known.content) === versionIn(content)) return;
  const retryAt = againAt(at, known?.count ?? 0);
  store.setAside.put({
    route: route.name,
    side: 'tracker',
    ref,
    stage: 'read',
    cause: 'side',
    why,
    at,
    retryAt,
    content,
    version,
  });
}

const readInOrder: readonly ReturnType<typeof partOf>[] = ['item', 'thread', 'files', 'public'];

/** The version of the bug in the content of a row: `1767600183000` of `thread 1767600183000`. */
const versionIn = (content: string): string => content.replace(/^\S+ /u, '');

/** Reads one item again; the failure is the answer where the side fails on it alone. */
export const probeItem = (context: Pick<Context, Side>, side: Side, ref: number): Promise<Probe<Item> | SideError> =>
  context[side].probe(ref).catch(side === 'tracker' ? ofItem : ofIssue);

/** Sets an item aside on which its side failed so. */
export function setItemUnread(context: Context, side: Side, ref: number, failure: SideError): void {
  const { message: why } = failure;
  if (failure instanceof NoTime) readSoon(context, side, ref, why);
  else if (side === 'tracker') setUnread(context, 'item', ref, why);
  else setAsideUnmapped(context, side, { ref, why }, 'side');
}

/** Has the next cycle ask for an item for which this one had no time. */
function readSoon({ store, route, clock, version }: Known, side: Side, ref: number, why: string): void {
  if (store.setAside.get(route.name, side, ref)?.cause === 'side') return;
  const at = clock.now();
  const asked = { route: route.name, side, ref, stage: 'read', cause: 'side' } as const;
  store.setAside.put({ ...asked, why, at, retryAt: at, content: contentOf('item', ''), version });
}

/** Sets the thread of an issue aside on which GitHub failed just now: it is asked for again less and less often. */
export function putThreadOff(context: Context, ref: number): void {
  const { store, route, clock } = context;
  const known = rowOfThread(context, ref);
  if (known !== null) store.setAside.put({ ...known, at: clock.now() });
  else if (store.setAside.get(route.name, 'github', ref) === null)
    setAsideUnmapped(context, 'github', { ref, of: 'thread', why: 'GitHub fails on its comments' }, 'side');
  const row = rowOfThread(context, ref);
  if (row !== null) store.setAside.revise({ ...row, retryAt: againAt(clock.now(), row.count - 1) });
}

/** Whether GitHub failed on the thread of an issue, which neither changed since nor is due again. */
export function isThreadPutOff(context: Known, ref: number): boolean {
  const row = rowOfThread(context, ref);
  return row !== null && isEarly(context, row);
}

function rowOfThread({ store, route }: Known, ref: number): SetAside | null {
  const row = store.setAside.get(route.name, 'github', ref);
  return row !== null && partOf(row) === 'thread' ? row : null;
}

/** What was read is no longer set aside. */
export function forgetUnread(context: Known, part: Unreadable, ref: number, route = context.route.name): void {
  const row = rowOf(context, ref, route);
  if (row !== null && partOf(row) === part) context.store.setAside.remove(route, 'tracker', ref);
}

/** Those whose time has come, first those that failed the least, and then those that waited longest. */
export const dueUnread = (context: Known): readonly SetAside[] =>
  context.store.setAside
    .ofRoute(context.route.name)
    .filter((row) => row.stage === 'read' && row.retryAt !== null && !isEarly(context, row))
    .toSorted((one, other) => one.count - other.count || (one.retryAt ?? 0) - (other.retryAt ?? 0));

/** Whether nothing is to be written for the link until its bug can be read. */
export const isUnread = (context: Known, { bug }: Pick<Link, 'bug'>): boolean =>
  bug !== null && rowOf(context, bug) !== null;

/** Whether it is not to be asked for now: neither did the bug change, nor has its time come. */
export function isLeft(context: Known, { bug, tracker }: Pick<Link, 'bug' | 'tracker'>): boolean {
  const row = bug === null ? null : rowOf(context, bug);
  if (row === null || !isEarly(context, row)) return false;
  const part = partOf(row);
  return part === 'item' || row.content === contentOf(part, String(tracker?.changedAt));
}

/**
 * Whether a read failed because of one bug: the tracker neither refused our credentials, nor asked us to wait, nor
 * stops the route.
 */
export const isOfItem = (failure: unknown): failure is SideError =>
  failure instanceof SideError &&
  !(failure instanceof Halted) &&
  failure.side === 'tracker' &&
  failure.kind !== 'unauthorized' &&
  failure.at === null;

/** For a read of one bug that may fail for what is in it: the failure is the answer. */
export function ofItem(failure: unknown): SideError {
  if (isOfItem(failure)) return failure;
  throw failure;
}

/**
 * The same for a read of one issue, which may also have an unexpected form: GitHub answers otherwise, or the next list
 * fails as well.
 */
export function ofIssue(failure: unknown): SideError {
  if (isOfIssue(failure)) return failure;
  throw failure;
}

export const isOfIssue = (failure: unknown): failure is SideError =>
  failure instanceof SideError &&
  !(failure instanceof Halted || failure instanceof NotPublic) &&
  failure.side === 'github' &&
  (failure.kind === 'later' || failure.kind === 'refused') &&
  failure.at === null;

function rowOf({ store, route }: Known, ref: number, of = route.name): SetAside | null {
  const row = store.setAside.get(of, 'tracker', ref);
  return row !== null && isUnreadRow(row) ? row : null;
}

const isUnreadRow = ({ cause, side }: SetAside): boolean => cause === 'side' && side === 'tracker';

const isEarly = ({ clock }: Known, { retryAt }: SetAside): boolean => retryAt !== null && retryAt > clock.now();

/**
 * Has GitHub read completely again before anything is created there. Imported issues have the dates of their bugs, so
 * no list of changes ever shows them.
 */
export function rereadGithub({ store, route }: Pick<Context, 'store' | 'route'>): void {
  const row = store.cursors.get(route.name, 'github');
  if (row !== null)
    store.cursors.put(route.name, 'github', { ...row, changes: null, listing: null, isComplete: false });
}

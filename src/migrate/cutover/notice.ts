import type { RouteState } from '../../kernel/context.ts';
import { type BugId, bugId, type LinkId } from '../../model/ids.ts';
import type { Bug } from '../../model/item.ts';
import type { Link } from '../../model/link.ts';
import type { Lost } from '../../model/outcome.ts';
import type { BugPatch } from '../../model/plan/draft.ts';
import { isOpenView, statusView } from '../../rules/fields/status.ts';
import { movedLine } from '../../text/marker.ts';
import type { Migration } from '../migration.ts';
import { patiently, waitUntil } from '../until-quiet.ts';
import { isOnWayBack, putBug, withStatus } from './put-bug.ts';
import { Trial } from './trial.ts';

/** What a cut-over writes to the bugs. */
export interface Leave {
  /** Whether each bug gets a comment with the address of its issue. */
  readonly addsComment: boolean;
  /** The status of the bugs that it closes; null leaves them open. */
  readonly closing: { readonly status: string; readonly resolution: string } | null;
}

export interface LeaveReport {
  /** Bugs that were written to. */
  readonly written: number;
  /** Bugs that an earlier run had finished. */
  readonly already: number;
  /** The refusals of the tracker, for people. */
  readonly refused: readonly string[];
}

const batchSize = 100;
/** Bugs that are read again together: several requests' worth, so that few requests are half full. */
const lookedAtTogether = 500;
/** How often bugs with lost answers are read again. */
const passesMax = 5;

/**
 * Comments on every mirrored public bug where its issue is, or closes the bug, or both in one request. It may be killed
 * at any moment and run again: the first line of the comment shows that a bug has it. Throws `SideError`.
 */
export async function writeCutoverNotices(migration: Migration, leave: Leave): Promise<LeaveReport> {
  const { context, tell } = migration;
  const route = context.route.name;
  const refused = new Map<LinkId, string>();
  const trial = new Trial(leave.closing);
  let [written, already] = [0, 0];
  tell({ kind: 'phase', route, phase: 'leaving' });
  const all = publicPairs(context);
  const progress = (done: number) =>
    tell({
      kind: 'progress',
      route,
      phase: 'leaving',
      done,
      total: all.length,
      inFlight: 0,
      parked: refused.size,
      limitedBy: 'tracker',
    });
  for (let [pass, open] = [0, all]; ; pass += 1) {
    const lost: LinkId[] = [];
    const done: LinkId[] = [];
    for await (const { link, outcome } of leaveAll(migration, open, leave)) {
      if (outcome.kind === 'lost') lost.push(link.id);
      else if (outcome.kind === 'refused') refused.set(link.id, `bug ${link.bug}: ${outcome.why}`);
      // If the answer was lost and a second read finds the bug finished, this run has written to it.
      else if (outcome.kind === 'already' && pass === 0) already += 1;
      else written += 1;
      if (outcome.kind === 'done') done.push(link.id);
      progress(written + already + refused.size);
      const whyStopped = trial.judgeFirst(outcome);
      if (whyStopped !== null) return { written, already, refused: [whyStopped] };
    }
    const unkept = await unkeptOf(migration, done);
    written -= unkept.length;
    lost.push(...unkept);
    if (lost.length === 0) return { written, already, refused: [...refused.values()] };
    const why =
      lost.length === 1 ? '1 bug does not show its changes yet' : `${lost.length} bugs do not show their changes yet`;
    if (pass === passesMax) return { written, already, refused: [...refused.values(), why] };
    await waitUntil(migration, context.clock.now() + context.limits.settleMs + 1, why);
    open = lost;
  }
}

/**
 * Bugs whose last change is older than the tracker's answer to our write: it stored nothing, and they are written to
 * again. Few are read at a time, as all bugs of a large tracker would not fit into memory.
 */
export async function unkeptOf(migration: Migration, done: readonly LinkId[]): Promise<readonly LinkId[]> {
  const unkept: LinkId[] = [];
  for (let at = 0; at < done.length; at += lookedAtTogether)
    unkept.push(...(await unkeptAmong(migration, done.slice(at, at + lookedAtTogether))));
  const { store } = migration.context;
  store.transaction(() => {
    for (const id of unkept) {
      const row = store.cutoverNotices.get(id);
      if (row !== null) store.cutoverNotices.save({ ...row, isDone: false });
    }
  });
  return unkept;
}

async function unkeptAmong(migration: Migration, ids: readonly LinkId[]): Promise<readonly LinkId[]> {
  const { store, tracker } = migration.context;
  const links = ids.flatMap((id) => store.links.byId(id) ?? []);
  const bugs = await patiently(migration, () => tracker.bugs(links.flatMap(({ bug }) => bug ?? [])));
  const changedAt = new Map(bugs.map((bug) => [bug.id, bug.changedAt]));
  return links
    .filter(({ bug, tracker: answer }) => bug !== null && (changedAt.get(bug) ?? Infinity) < (answer?.changedAt ?? 0))
    .map(({ id }) => id);
}

/** The links whose bugs are written to, in their order. */
function publicPairs({ store, route }: RouteState): readonly LinkId[] {
  const found: LinkId[] = [];
  for (const links of store.links.batches(route.name)) found.push(...links.filter(isPublicPair).map(({ id }) => id));
  return found;
}

async function* leaveAll(
  migration: Migration,
  ids: readonly LinkId[],
  leave: Leave,
): AsyncGenerator<{ readonly link: Link; readonly outcome: NoticeOutcome }> {
  for (let at = 0; at < ids.length; at += batchSize) {
    const links = ids.slice(at, at + batchSize).flatMap((id) => migration.context.store.links.byId(id) ?? []);
    const commented = await commentedAmong(migration, links, leave);
    const shown = await shownNow(migration, links);
    for (const known of links) {
      const link = { ...known, tracker: shown.get(Number(known.bug)) ?? known.tracker };
      if (isPublicPair(link))
        yield { link, outcome: await leaveOne(migration, link, leave, commented.has(Number(link.bug))) };
    }
  }
}

/** The bugs as they are now: people may have closed some since the last cycle, as a large tracker takes hours. */
async function shownNow(migration: Migration, links: readonly Link[]): Promise<ReadonlyMap<number, Bug>> {
  const ids = links.flatMap(({ bug }) => bug ?? []);
  const bugs = ids.length === 0 ? [] : await patiently(migration, () => migration.context.tracker.bugs(ids));
  return new Map(bugs.map((bug) => [bug.id, bug]));
}

/** Hidden bugs are left alone: their readers are on the tracker. */
const isPublicPair = ({ state, tracker, github, isWithdrawn }: Link): boolean =>
  state === 'live' && tracker !== null && github !== null && !tracker.isPrivate && !isWithdrawn;

/** The bugs that have the comment. */
async function commentedAmong(
  migration: Migration,
  links: readonly Link[],
  { addsComment }: Leave,
): Promise<ReadonlySet<number>> {
  if (!addsComment || links.length === 0) return new Set();
  const asks = links.map(({ bug }) => ({ ref: Number(bug), sinceAt: null }));
  const threads = await patiently(migration, () => migration.context.tracker.threads(asks));
  const lineOf = new Map(links.map(({ bug, github }) => [Number(bug), movedLine(github?.url ?? '')]));
  return new Set(
    threads
      .filter(({ ref, comments }) => comments.some(({ text }) => text.split('\n', 1)[0] === lineOf.get(ref)))
      .map(({ ref }) => ref),
  );
}

export type NoticeOutcome =
  | { readonly kind: 'done'; readonly isClosed: boolean }
  | { readonly kind: 'already' | 'lost' }
  | { readonly kind: 'refused'; readonly why: string; readonly isClosing: boolean };

async function leaveOne(
  migration: Migration,
  link: Link,
  { addsComment, closing }: Leave,
  hasComment: boolean,
): Promise<NoticeOutcome> {
  const { store, route } = migration.context;
  const row = store.cutoverNotices.get(link.id);
  const seen = row !== null && !row.isDone ? await lookAt(migration, link) : link.tracker;
  if (seen === null) return { kind: 'refused', why: 'the tracker no longer shows it', isClosing: false };
  const isClosing =
    closing !== null &&
    row?.isDone !== true &&
    isOpenView(statusView(route.status, seen.status, seen.resolution) ?? '');
  const patch: BugPatch = {
    ...(isClosing ? closing : {}),
    ...(addsComment && !hasComment ? { comment: movedLine(link.github?.url ?? '') } : {}),
  };
  const { status } = patch;
  if (row !== null && !row.isDone && !isClosing) store.cutoverNotices.save({ ...row, isDone: true });
  if (Object.keys(patch).length === 0) return { kind: 'already' };
  const was = row !== null && isOnWayBack(migration.context, row, seen) ? row.was : seen.status;
  // The base moves before the request leaves, so that no cycle, not even after a crash, takes the closing for a
  // person's edit and closes the issue too.
  if (isClosing && status !== undefined) {
    store.transaction(() => {
      store.cutoverNotices.save({ link: link.id, was, ...closing, isDone: false });
      store.links.save(withStatus(migration.context, link, closing.status, closing.resolution));
    });
  }
  const outcome = await putBug(migration, link, seen, patch);
  if (outcome.kind === 'unknown') return { kind: 'lost' };
  if (outcome.kind === 'refused') {
    if (isClosing && row !== null) store.cutoverNotices.save(row);
    else if (isClosing) store.cutoverNotices.remove(link.id);
    return { ...outcome, isClosing };
  }
  if (!isClosing) return { kind: 'done', isClosed: false };
  const theirs = replacedBy(seen, outcome);
  const isTheirs = theirs !== null && !isOpenView(statusView(route.status, theirs.status, theirs.resolution) ?? '');
  if (isTheirs) return giveBack(migration, link, outcome.item, theirs);
  store.cutoverNotices.save({ link: link.id, was: theirs?.status ?? was, ...closing, isDone: true });
  return { kind: 'done', isClosed: true };
}

interface Status {
  readonly status: string;
  readonly resolution: string;
  readonly dupeOf?: BugId;
}

/** What people gave the bug between our reading and our closing, which replaced it; null if they did not. */
function replacedBy(seen: Bug, { item, lost = [] }: { readonly item: Bug; readonly lost?: readonly Lost[] }) {
  const { status, resolution, dupe_of: twin } = Object.fromEntries(lost.map(({ field, value }) => [field, value]));
  if (status === undefined && resolution === undefined) return null;
  const theirs: Status = { status: status ?? item.status, resolution: resolution ?? seen.resolution };
  return twin === undefined ? theirs : { ...theirs, dupeOf: bugId(Number(twin)) };
}

/** Closes a bug again as people did. It counts as closed by them, so its issue is closed, too. */
async function giveBack(migration: Migration, link: Link, shown: Bug, theirs: Status): Promise<NoticeOutcome> {
  const { dupeOf, status, resolution } = theirs;
  const given = await putBug(migration, link, shown, dupeOf === undefined ? { status, resolution } : { dupeOf });
  if (given.kind === 'unknown') return { kind: 'lost' };
  const { store } = migration.context;
  store.transaction(() => {
    store.cutoverNotices.remove(link.id);
    const now = store.links.byId(link.id);
    if (now !== null) store.links.save({ ...now, base: link.base, urgency: 'live' });
  });
  if (given.kind === 'applied') return { kind: 'done', isClosed: false };
  const why = `people closed it as ${status} ${resolution} when it was to be closed, and the tracker does not take that back: ${given.why}`;
  return { kind: 'refused', why, isClosing: false };
}

async function lookAt(migration: Migration, { bug }: Link): Promise<Bug | null> {
  const probe = await patiently(migration, () => migration.context.tracker.probe(Number(bug)));
  return probe.kind === 'there' ? probe.item : null;
}

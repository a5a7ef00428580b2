/** Reads what the lists of both sides show, and single items that no list shows reliably. */

import type { Context, RouteState } from '../../kernel/context.ts';
import { isImport } from '../../kernel/imports.ts';
import { linkOf } from '../../kernel/linked.ts';
import { inTimeOf, NoTime, urgently } from '../../kernel/patience.ts';
import { spareAsync, workOn } from '../../kernel/set-aside.ts';
import { probeItem, rereadGithub, setItemUnread } from '../../kernel/unread.ts';
import type { Hint } from '../../model/control.ts';
import { type Side, sides } from '../../model/ids.ts';
import { type Issue, type Item, refOf, sideOf } from '../../model/item.ts';
import type { OutboxRow } from '../../model/plan/outbox.ts';
import type { Page } from '../../model/replica.ts';
import type { CursorRow } from '../../model/survey.ts';
import { githubLagMs } from '../../rules/limits/backoff.ts';
import { type ClocksAhead, wrongClock } from '../../rules/limits/clocks.ts';
import { confirmNamesInDoubt, confirmNamesOn } from '../own-names.ts';
import { findMadeBugs, findMadeIssues } from '../settle/find-made.ts';
import { withFirstIssues, withFirstTexts } from '../settle/first-texts.ts';
import { asksMax } from '../settle/missing-copies.ts';
import { doubtsOf, foundOf, settleRead } from '../settle/settle.ts';
import { observeItem, observePage } from './observe-items.ts';
import { observePulls } from './pulls.ts';
import { observePush } from './pushes.ts';
import { moveRules } from './read-offered.ts';
import { lookAtBug } from './read-threads.ts';
import { recheckMirrored } from './recheck-mirrored.ts';
import { followHints, readUnread } from './reread.ts';
import { takeMoved } from './take-moved.ts';

/** How many pages of the first full read one cycle takes, so that live changes never wait long. */
const listPagesPerCycle = 20;

/**
 * Reads what changed on both sides, and stores it. Throws `SideError`.
 * @returns the requests in doubt that this cycle can settle
 */
export async function readSides(context: Context, hints: readonly Hint[]): Promise<readonly OutboxRow[]> {
  moveRules(context);
  settleRead(context);
  await confirmNamesInDoubt(context);
  const doubts = doubtsOf(context, context.clock.now());
  // An import shows in no list of changes, so only a full read reveals its outcome.
  if (doubts.some(isImport)) rereadGithub(context);
  await poll(context, hints);
  await readUnread(context);
  await followHints(context, hints);
  await recheckMirrored(context);
  takeMoved(context, (bug) => observeItem(context, bug, 'live'));
  const seen = await findMadeBugs(context, await findMadeIssues(context, doubts));
  return [...seen, ...foundOf(context, doubts)];
}

/**
 * Reads changes on both sides, and names where a hint says so. A cursor is stored together with the observations that
 * it covers.
 */
export async function poll(context: Context, hints: readonly Hint[] = []): Promise<void> {
  const ahead: Record<Side, number | null> = { tracker: null, github: null };
  for (const side of sides) {
    const isRenamed = hints.some((hint) => hint.ref === null && hint.side === side);
    ahead[side] = await pollChanges(context, side, isRenamed);
    await pollListing(context, side);
  }
  keepClock(context, ahead);
}

/**
 * Reads the changes on one side since its last read.
 * @param isRenamed whether the side said that something has another name
 * @returns how far its clock is ahead of ours at least; null if it does not report it
 */
export async function pollChanges(context: Context, side: Side, isRenamed = false): Promise<number | null> {
  const { store, clock, route } = context;
  const row = store.cursors.get(route.name, side) ?? unread;
  const polledAt = clock.now();
  const shown = await context[side].changes(row.changes, isRenamed, inTimeOf(context, side));
  const { readAt, hasClock = true } = shown;
  // It answered at some moment between these two.
  const nearestAt = Math.min(Math.max(readAt, polledAt), Math.max(clock.now(), polledAt));
  const page = await withFirst(context, side, { ...shown, items: await withNewest(context, shown) });
  store.transaction(() => {
    const early = observePage(context, side, page, 'live', row.early);
    if (route.pulls !== undefined && page.pulls !== undefined) observePulls(context, page.pulls);
    if (route.commits !== undefined && page.push) observePush(context, route.commits, page.push);
    const { cursor, readAt: shownAt, hasMore = false } = page;
    store.cursors.put(route.name, side, { ...row, changes: cursor, hasMore, polledAt, readAt: shownAt, early });
  });
  await checkTurnedPrivate(context, page.items);
  context.tell({ kind: 'polled', route: route.name, side, items: page.items.length, comments: page.comments.length });
  return hasClock ? readAt - nearestAt : null;
}

/** The page, with what our account wrote first where only that says what it is. */
export async function withFirst<Shown extends Page<Item>>(context: Context, side: Side, page: Shown): Promise<Shown> {
  await confirmNamesOn(context, side, page);
  const items = await withFirstIssues(context, page.items);
  return { ...page, items, comments: await withFirstTexts(context, page.comments, { left: asksMax }) };
}

/** Stores a wrong clock as a failure, until all clocks agree again. */
function keepClock({ store, clock, route }: RouteState, ahead: ClocksAhead): void {
  const { name } = route;
  const wrong = wrongClock(ahead, route);
  if (wrong === null) store.failures.remove(name, 'clock');
  else store.failures.save(name, { of: 'clock', kind: 'refused', at: clock.now(), ...wrong });
}

/** The first full read, of everything that is on a side already. It continues where the last cycle stopped. */
async function pollListing(context: Context, side: Side): Promise<void> {
  const { store, route, clock } = context;
  const inTime = inTimeOf(context, side);
  for (let pages = 0; pages < listPagesPerCycle && !inTime?.isOut(); pages += 1) {
    const row = store.cursors.get(route.name, side);
    if (row === null || row.isComplete) return;
    const page = await withFirst(context, side, await context[side].list(row.listing, inTime));
    store.transaction(() => {
      const early = observePage(context, side, page, 'backfill', row.early);
      const isComplete = page.next === null;
      // Everything was read, so this counts as the first full comparison.
      const sweptAt = isComplete ? (row.sweptAt ?? clock.now()) : row.sweptAt;
      store.cursors.put(route.name, side, { ...row, listing: page.next, isComplete, sweptAt, early });
    });
    await checkTurnedPrivate(context, page.items);
    context.tell({ kind: 'polled', route: route.name, side, items: page.items.length, comments: page.comments.length });
  }
}

/**
 * Checks bugs that a list shows as private although the stored version is public. The list lags, and may show the
 * version before our own write; but the answer to a write does not say who may see the bug, which may have been hidden
 * just before.
 */
export async function checkTurnedPrivate(context: Context, items: readonly Item[]): Promise<void> {
  for (const item of items) {
    const link = item.kind === 'bug' && item.isPrivate ? linkOf(context, 'tracker', item.id) : null;
    if (link?.tracker?.isPrivate !== false) continue;
    const { id } = link.tracker;
    const isAnswered = await spareAsync(context, workOn(context, link, 'read'), () => lookAtBug(urgently(context), id));
    if (isAnswered === false) context.store.looks.miss(link);
  }
}

const unread: CursorRow = {
  changes: null,
  listing: null,
  isComplete: false,
  polledAt: 0,
  readAt: 0,
  sweptAt: null,
  early: [],
};

/**
 * Stamps have whole seconds, and a list of GitHub's may come from an earlier state. So an issue with the stamp that is
 * known and other values may be an older or a newer version, and is read by its number.
 */
async function withNewest(context: Context, { items, readAt }: Page<Item>): Promise<readonly Item[]> {
  const newest: Item[] = [];
  for (const item of items) {
    const work = { side: sideOf(item), ref: refOf(item), stage: 'read', of: 'item', content: () => item } as const;
    const known = item.kind === 'issue' ? linkOf(context, 'github', item.number)?.github : null;
    const probe = await spareAsync(context, work, async () =>
      item.kind === 'issue' && isUnclear(context, item, readAt) ? probeItem(context, 'github', item.number) : null,
    );
    if (probe instanceof NoTime) setItemUnread(context, 'github', work.ref, probe);
    newest.push(probe !== null && 'item' in probe ? probe.item : probe instanceof NoTime ? (known ?? item) : item);
  }
  return newest;
}

function isUnclear(context: RouteState, issue: Issue, readAt: number): boolean {
  const known = linkOf(context, 'github', issue.number)?.github ?? null;
  if (known === null || known.changedAt !== issue.changedAt || readAt >= issue.changedAt + githubLagMs) return false;
  return edited(known) !== edited(issue);
}

/** What people and the bridge edit, as one text. The number of comments is settled with their list. */
const edited = ({ title, body, state, reason, labels, assignees, milestone, type }: Issue): string =>
  JSON.stringify([title, body, state, reason, labels.toSorted(), assignees.toSorted(), milestone, type]);

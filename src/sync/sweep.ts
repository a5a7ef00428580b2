import type { Context, RouteState } from '../kernel/context.ts';
import { markDirty } from '../kernel/dirty.ts';
import { linkOf } from '../kernel/linked.ts';
import { rememberRefusal } from '../kernel/outbox.ts';
import { inCycle, inTimeOf } from '../kernel/patience.ts';
import { spare, spareAsync, workOn } from '../kernel/set-aside.ts';
import { probeItem, setItemUnread } from '../kernel/unread.ts';
import { type Side, sides } from '../model/ids.ts';
import { type Item, refOf } from '../model/item.ts';
import type { Link } from '../model/link.ts';
import { SideError } from '../model/outcome.ts';
import type { Listing } from '../model/replica.ts';
import { mirrorOf } from '../rules/fields/merge.ts';
import { brakeVanished, type Refusal } from '../rules/limits/brake-and-budget.ts';
import { plan, policy } from '../rules/plan/plan.ts';
import { retryParked } from './commands.ts';
import { refuseLostKeyword } from './lost-filter.ts';
import { markMentioningStale } from './observe/mentions.ts';
import { observeItem, observePage } from './observe/observe-items.ts';
import { checkTurnedPrivate, withFirst } from './observe/poll.ts';
import { markAssignedDirty } from './observe/reassign.ts';
import { fieldInputOf, planContextOf } from './observe/select.ts';
import { isNowhere, lettingGo, unlessLost } from './observe/went-back.ts';
import { readInPublic } from './perform/confirm-audience.ts';
import { retire } from './perform/record-failure.ts';
import { checkVisibilityAgain } from './withdraw/check-again.ts';
import { takeStrayFiles } from './withdraw/stray-files.ts';

export interface SweepReport {
  /** Links with an end that was not met and turned out to be deleted, hidden or moved. */
  readonly buried: number;
  readonly frozen: number;
  readonly refusal: Refusal | null;
}

/** How many links with missing ends are fetched from the database at a time. */
const batch = 100;

/**
 * The slow full comparison: reads both sides completely, page by page, and then reads every end that it did not meet.
 * Polls never show that an item was deleted or hidden; this does. Links that drifted on the mirror of a one-way route
 * are planned again. Afterwards parked operations are tried once more. Reads throw `SideError`; the next sweep starts
 * from the beginning.
 */
export const sweep = (given: Context, { isForced }: { readonly isForced: boolean }): Promise<SweepReport> =>
  lettingGo(inCycle({ ...readInPublic(given), letsGo: isForced }), (context) => compareAll(context, isForced));

async function compareAll(context: Context, isForced: boolean): Promise<SweepReport> {
  let report: SweepReport = { buried: 0, frozen: 0, refusal: null };
  for (const side of sides) {
    const sweepAt = context.clock.now();
    await readAll(context, side, sweepAt);
    const refusal = isForced ? null : refusalOf(context, side, sweepAt);
    rememberRefusal(context, side, refusal);
    if (refusal !== null) report = { ...report, refusal };
    if (refusal !== null && side === 'github') continue;
    const { buried, frozen } = await lookAtMissing(context, { side, sweepAt, mayBury: refusal === null });
    report = { ...report, buried: report.buried + buried, frozen: report.frozen + frozen };
    const row = context.store.cursors.get(context.route.name, side);
    if (row !== null && refusal === null)
      context.store.cursors.put(context.route.name, side, { ...row, sweptAt: sweepAt });
    // Before GitHub is read: withdrawing hidden content must not wait until GitHub can be read completely.
    if (side === 'tracker') await checkVisibilityAgain(context);
  }
  await takeStrayFiles(context);
  retryParked(context);
  markAssignedDirty(context);
  markMentioningStale(context);
  refuseLostKeyword(context);
  return report;
}

async function readAll(context: Context, side: Side, sweepAt: number): Promise<void> {
  const { store, route } = context;
  const inTime = inTimeOf(context, side);
  let page: string | null = null;
  do {
    const listing: Listing<Item> = await withFirst(context, side, await context[side].list(page, inTime));
    store.transaction(() => {
      observePage(context, side, listing, 'live');
      const failed = (listing.failed ?? []).map(({ ref }) => ref);
      store.links.markSwept(route.name, side, [...listing.items.map(refOf), ...failed], sweepAt);
      markDriftedDirty(context, side, listing.items);
    });
    await checkTurnedPrivate(context, listing.items);
    context.tell({
      kind: 'polled',
      route: route.name,
      side,
      items: listing.items.length,
      comments: listing.comments.length,
    });
    page = listing.next;
  } while (page !== null);
}

/** If more ends have vanished than deletions explain, nothing is given up: the side or our rights have changed. */
function refusalOf({ store, route, limits }: RouteState, side: Side, sweepAt: number): Refusal | null {
  const { whole } = store.links.count(route.name);
  const enough = Math.floor(whole * limits.brakeShare) + 1;
  return brakeVanished(store.links.unswept(route.name, side, sweepAt, enough).length, whole, limits.brakeShare);
}

interface Missing {
  readonly side: Side;
  readonly sweepAt: number;
  /** False if more ends have vanished than is plausible. */
  readonly mayBury: boolean;
}

/**
 * Reads each missing end and retires its link. A bug that the tracker itself reports as hidden is withdrawn, however
 * many there are.
 */
async function lookAtMissing(
  context: Context,
  { side, sweepAt, mayBury }: Missing,
): Promise<{ buried: number; frozen: number }> {
  const { store, route } = context;
  const count = { buried: 0, frozen: 0 };
  if (side === 'tracker' && missing().length > 0)
    await unlessLost(context, async ({ bug }) => isNowhere(await probeItem(context, 'tracker', bug)));
  for (let links = missing(); links.length > 0; links = missing()) {
    for (const link of links) {
      const ref = (side === 'tracker' ? link.bug : link.issue) ?? 0;
      const probe = await spareAsync(context, workOn(context, link, 'read'), () => probeItem(context, side, ref));
      store.links.markSwept(route.name, side, [ref], sweepAt);
      spare(context, workOn(context, link, 'read'), () => {
        if (probe === null) return;
        if (probe instanceof SideError) setItemUnread(context, side, ref, probe);
        else if (probe.kind === 'there') observeItem(context, probe.item, 'live');
        else if (mayBury || (side === 'tracker' && probe.gone.kind === 'hidden'))
          count[retire(context, link, side, probe.gone)] += 1;
      });
    }
  }
  return count;

  function missing(): readonly Link[] {
    return store.links.unswept(route.name, side, sweepAt, batch);
  }
}

/**
 * Marks links dirty whose mirror has drifted: by an edit from before the route corrected such edits, or by one that was
 * left because the field was edited too often. No list of changes brings these as news.
 * @param items the items of `side`, after they were observed
 */
export function markDriftedDirty(context: Context, side: Side, items: readonly Item[]): void {
  const { name, direction } = context.route;
  if (side !== mirrorOf(direction)) return;
  const known = items.flatMap((item) => linkOf(context, side, refOf(item)) ?? []);
  const links = known.filter(({ route, urgency }) => route === name && urgency === 'none');
  // Only fields are compared here: comment links keep their own record of edited copies.
  const planContext = planContextOf(context);
  for (const link of links) {
    spare(context, workOn(context, link, 'plan'), () => {
      const { operations } = policy(plan(planContext, [fieldInputOf(context, link)]), direction);
      if (operations.some(({ kind }) => kind === 'update')) markDirty(context, link.id);
    });
  }
}

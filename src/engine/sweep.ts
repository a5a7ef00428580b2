import { brakeVanished, type Refusal } from '../core/brake.ts';
import { type Item, refOf } from '../model/item.ts';
import type { Link } from '../model/link.ts';
import type { Probe } from '../model/outcome.ts';
import type { Listing } from '../model/replica.ts';
import { type Side, sides } from '../model/side.ts';
import type { Context } from './context.ts';
import { lookAtHidden } from './look-at-hidden.ts';
import { wakeStale } from './mentions.ts';
import { observe, observeItem } from './observe.ts';
import { proveAgain } from './prove-again.ts';
import { retire } from './record-failure.ts';
import { rememberRefusal } from './remember-refusal.ts';
import { retryRows } from './retry.ts';
import { wakeAssigned } from './wake-assigned.ts';
import { wakeDrifted } from './wake-drifted.ts';

export interface SweepReport {
  /** Links whose end was not met, and is deleted, hidden or moved. */
  readonly buried: number;
  readonly frozen: number;
  readonly refusal: Refusal | null;
}

/** How many missing ends are looked at before the next are fetched from the database. */
const batch = 100;

/**
 * The slow full comparison: reads both sides from end to end, page by page, and looks at every end that it did not meet.
 * Polls never show what is deleted or hidden; this does. What stands wrong on the mirror of a one-way route is planned again. Afterwards what was parked is tried once more. Reads throw `SideError`; the next sweep begins afresh.
 */
export async function sweep(context: Context, options: { readonly isForced: boolean }): Promise<SweepReport> {
  let report: SweepReport = { buried: 0, frozen: 0, refusal: null };
  for (const side of sides) {
    const sweepAt = context.clock.now();
    await readAll(context, side, sweepAt);
    const refusal = options.isForced ? null : refusalOf(context, side, sweepAt);
    rememberRefusal(context, side, refusal);
    if (refusal !== null) report = { ...report, refusal };
    if (refusal !== null && side === 'github') continue;
    const { buried, frozen } = await lookAtMissing(context, { side, sweepAt, mayBury: refusal === null });
    report = { ...report, buried: report.buried + buried, frozen: report.frozen + frozen };
    const row = context.store.cursors.get(context.route.name, side);
    if (row !== null && refusal === null) context.store.cursors.put(context.route.name, side, { ...row, sweptAt: sweepAt });
    // Before GitHub is read: what is hidden by now does not wait until GitHub can be read from end to end.
    if (side === 'tracker') await proveAgain(context);
  }
  retryRows(context, context.store.outbox.parked(context.route.name));
  wakeAssigned(context);
  wakeStale(context);
  return report;
}

async function readAll(context: Context, side: Side, sweepAt: number): Promise<void> {
  const { store, route } = context;
  let page: string | null = null;
  do {
    const listing: Listing<Item> = await context[side].list(page);
    store.transaction(() => {
      observe(context, side, listing, 'live');
      store.links.markSwept(route.name, side, listing.items.map(refOf), sweepAt);
      wakeDrifted(context, side, listing.items);
    });
    await lookAtHidden(context, listing.items);
    context.tell({ kind: 'polled', route: route.name, side, items: listing.items.length, comments: listing.comments.length });
    page = listing.next;
  } while (page !== null);
}

/** When more has vanished than a mistake or a deletion explains, nothing is given up: the side or our rights have changed. */
function refusalOf({ store, route, limits }: Context, side: Side, sweepAt: number): Refusal | null {
  const { whole } = store.links.count(route.name);
  const enough = Math.floor(whole * limits.brakeShare) + 1;
  return brakeVanished(store.links.unswept(route.name, side, sweepAt, enough).length, whole, limits.brakeShare);
}

interface Missing {
  readonly side: Side;
  readonly sweepAt: number;
  /** False when more has vanished than is believed. */
  readonly mayBury: boolean;
}

/** That a bug is hidden is certain where the tracker says so of that very bug: it is withdrawn, however many others are. */
async function lookAtMissing(context: Context, { side, sweepAt, mayBury }: Missing): Promise<{ buried: number; frozen: number }> {
  const { store, route } = context;
  const count = { buried: 0, frozen: 0 };
  for (let links = missing(); links.length > 0; links = missing()) {
    for (const link of links) {
      const ref = (side === 'tracker' ? link.bug : link.issue) ?? 0;
      const probe: Probe<Item> = await context[side].probe(ref);
      store.transaction(() => {
        store.links.markSwept(route.name, side, [ref], sweepAt);
        if (probe.kind === 'there') observeItem(context, probe.item, 'live');
        else if (mayBury || (side === 'tracker' && probe.gone.kind === 'hidden')) count[retire(context, link, side, probe.gone)] += 1;
      });
    }
  }
  return count;

  function missing(): readonly Link[] {
    return store.links.unswept(route.name, side, sweepAt, batch);
  }
}

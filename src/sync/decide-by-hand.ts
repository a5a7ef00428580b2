import type { Context } from '../kernel/context.ts';
import { markDirty } from '../kernel/dirty.ts';
import { lineOf } from '../kernel/outbox.ts';
import type { Decision } from '../model/control.ts';
import { type LinkId, otherSide } from '../model/ids.ts';
import type { FieldName } from '../model/item.ts';
import type { Base } from '../model/link.ts';
import { equalValues } from '../text/canonical.ts';

/** A decision changes the state alone. */
export type Deciding = Pick<Context, 'store' | 'clock' | 'route'>;

/**
 * Decides a conflict for a person. The loser's value becomes the base, so the next plan sees a single change, the
 * winner's, and carries it over like any other; if the loser changes meanwhile, the conflict opens again. The losing
 * value is kept in the ledger. Returns why nothing was decided, or null on success.
 */
export function decide({ store, route, clock }: Deciding, decision: Decision): string | null {
  const { keep, field } = decision;
  const loser = otherSide(keep);
  if (route.direction === (loser === 'tracker' ? 'to-github' : 'to-tracker')) {
    return `route ${route.name} never writes to ${loser === 'tracker' ? 'the tracker' : 'GitHub'}; change the value there by hand`;
  }
  return store.transaction(() => {
    const link = store.links.byId(decision.link);
    const { conflicts, skips } = store.findings.ofLink(decision.link);
    const conflict = conflicts.find((each) => each.field === field && each.kept === null);
    if (link?.state !== 'live' || link.route !== route.name || conflict === undefined)
      return 'this conflict is no longer open';
    if (!equalValues(conflict.tracker, decision.tracker) || !equalValues(conflict.github, decision.github)) {
      return 'the values have changed meanwhile; review them and decide again';
    }
    const base: Base = link.base ?? { tracker: {}, github: {} };
    const lost = conflict[loser];
    // If the field was never agreed on, both values are needed: with the loser's value on both sides, the winner's is
    // the change.
    const winners = { ...base[keep], [field]: base[keep][field] ?? lost };
    const losers = { ...base[loser], [field]: lost };
    store.links.save({
      ...link,
      base: keep === 'tracker' ? { tracker: winners, github: losers } : { tracker: losers, github: winners },
    });
    const detail = { field, keep, kept: conflict[keep], lost };
    store.ledger.add({ ...lineOf({ route, clock }, link, 'conflict', detail), outcome: 'decided' });
    // A second decision finds no conflict: it would make each value the base of the other side.
    const others = conflicts.filter((each) => each !== conflict);
    store.findings.replace(link.id, others, skips, clock.now());
    markDirty({ store }, link.id);
    leaveToBase(store, link.id, field);
    return null;
  });
}

/** From now on, the base says which side changed. */
function leaveToBase({ olderPairs }: Context['store'], link: LinkId, field: FieldName): void {
  const older = olderPairs.get(link);
  if (older?.settled[field] === null) olderPairs.settle(link, { ...older.settled, [field]: 'base' });
}

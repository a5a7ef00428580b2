import type { Context } from '../kernel/context.ts';
import { markDirty } from '../kernel/dirty.ts';
import { lineOf } from '../kernel/outbox.ts';
import { type LinkId, otherSide, type Side } from '../model/ids.ts';
import type { Base } from '../model/link.ts';
import type { Conflict } from '../model/operation.ts';
import { equalValues } from '../text/canonical.ts';

/** What a person chose, and which two values stood before the person's eyes. */
export interface Decision extends Pick<Conflict, 'field' | 'tracker' | 'github'> {
  readonly link: LinkId;
  readonly keep: Side;
}

/**
 * Decides a conflict for a person. What the loser shows becomes what was agreed, so that the next plan sees one change, the winner's, and
 * carries it over as any other; whoever changes the loser meanwhile is asked about again. The value that loses is kept in the ledger.
 * Answers why nothing was decided; null when it was.
 */
export function decide({ store, route, clock }: Pick<Context, 'store' | 'route' | 'clock'>, decision: Decision): string | null {
  const { keep, field } = decision;
  const loser = otherSide(keep);
  if (route.direction === (loser === 'tracker' ? 'to-github' : 'to-tracker')) {
    return `route ${route.name} never writes to ${loser === 'tracker' ? 'the tracker' : 'GitHub'}; change the value there by hand`;
  }
  return store.transaction(() => {
    const link = store.links.byId(decision.link);
    const conflict = store.findings.ofLink(decision.link).conflicts.find((each) => each.field === field && each.kept === null);
    if (link?.state !== 'live' || link.route !== route.name || conflict === undefined) return 'this conflict is no longer open';
    if (!equalValues(conflict.tracker, decision.tracker) || !equalValues(conflict.github, decision.github)) {
      return 'the values have changed meanwhile; look at them and decide again';
    }
    const base: Base = link.base ?? { tracker: {}, github: {} };
    const lost = conflict[loser];
    // Of a field that was never agreed on both values are needed: with the loser's for both, it is the winner who changed it.
    const winners = { ...base[keep], [field]: base[keep][field] ?? lost };
    const losers = { ...base[loser], [field]: lost };
    store.links.save({ ...link, base: keep === 'tracker' ? { tracker: winners, github: losers } : { tracker: losers, github: winners } });
    const detail = { field, keep, kept: conflict[keep], lost };
    store.ledger.add({ ...lineOf({ route, clock }, link, 'conflict', detail), outcome: 'decided' });
    markDirty({ store }, link.id);
    return null;
  });
}

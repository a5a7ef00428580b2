import type { Context } from '../../kernel/context.ts';
import type { LinkId, Side } from '../../model/ids.ts';
import type { Gone } from '../../model/outcome.ts';
import { brakeVanished } from '../../rules/limits/brake-and-budget.ts';

const dayMs = 86_400_000;
/** More lines of the ledger than a route writes on most days. */
const linesMax = 2_000;

/**
 * Why a pair whose issue GitHub does not find is not frozen; null if it may be. GitHub answers 404 for every issue that
 * an account opened once it has flagged the account: that says nothing of the pairs, and what becomes private on an
 * issue that is given up stays there when GitHub shows it again. The full comparison has a brake of its own for what it
 * finds; this one counts what writes and questions found within a day.
 */
export function whyNotFrozen(context: Context, id: LinkId, side: Side, gone: Gone): string | null {
  const { route, limits, store, letsGo } = context;
  if (side !== 'github' || gone.kind !== 'missing' || letsGo === true) return null;
  const missing = new Set([id, ...vanishedLately(context)]).size;
  const all = store.links.count(route.name).whole + missing - 1;
  if (brakeVanished(missing, all, limits.brakeShare) === null) return null;
  return `GitHub does not find ${missing} of ${all} issues that it showed before, and answers for the repository: it may have flagged the account of the bridge, or taken its access to them. No more pairs are given up. Ask GitHub Support about the account; if the issues are gone for good, run bugferry once --force`;
}

function vanishedLately({ store, route, clock }: Context): readonly LinkId[] {
  const sinceAt = clock.now() - dayMs;
  return store.ledger
    .latest(route.name, linesMax)
    .filter(({ at, kind, detail }) => at > sinceAt && kind === 'freeze' && detail['gone'] === 'missing')
    .map(({ link }) => link)
    .filter((link) => store.links.byId(link)?.frozenBy === 'github');
}

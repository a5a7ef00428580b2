import type { Context } from '../kernel/context.ts';
import { spare, workOn } from '../kernel/set-aside.ts';
import type { Link } from '../model/link.ts';
import type { CyclePlan } from '../model/plan/plan-input.ts';
import { order, partHeld } from '../rules/limits/brake-and-budget.ts';
import { joinedPlans, plan, policy } from '../rules/plan/plan.ts';
import { readOriginals } from './observe/chase.ts';
import { missingFields } from './observe/read-offered.ts';
import { planContextOf, planInputsOf } from './observe/select.ts';
import { takeTurns } from './perform/perform.ts';
import { type KnownBefore, settleOlder } from './settle/settle-older.ts';
import { spaceReports } from './space-reports.ts';
import { withdrawals } from './withdraw/withdraw.ts';

/**
 * Plans links: first the withdrawals of all links, then the operations of those that have none. Throws `SideError`.
 * @param before what was known of both sides before this cycle read them
 */
export async function planLinks(context: Context, links: readonly Link[], before: KnownBefore): Promise<CyclePlan> {
  const { store, clock, route } = context;
  const missing = await missingFields(context, links);
  const originals = await readOriginals(context, links);
  const withdrawing = withdrawals(context);
  const open = links.filter(({ id }) => !withdrawing.has(id) && originals.get(id) !== null);
  const waits = await settleOlder(context, open, missing, before);
  const settled = open.filter(({ id }) => !waits.has(id));
  const { selected, plan: whole } = planEach(context, missing, settled, originals);
  const allowed = policy(whole, route.direction);
  const spaced = spaceReports(context, allowed.operations);
  const { ready: due, held } = partHeld(order(allowed.operations), store.outbox.get, clock.now(), spaced);
  const { ready, operations } = await takeTurns(context, due);
  context.tell({ kind: 'planned', route: route.name, plan: allowed });
  // Counting takes longer the more links there are, so a quiet cycle does without.
  const count = operations.length === 0 ? 0 : store.links.count(route.name).whole;
  return { plan: allowed, ready, operations, held, spaced, selected, links: count, withdrawals: withdrawing };
}

/** Plans each link by itself, so that one whose planning fails costs no other its turn. */
function planEach(
  context: Context,
  missing: readonly string[],
  links: readonly Link[],
  originals: ReadonlyMap<Link['id'], Link | null>,
): Pick<CyclePlan, 'selected' | 'plan'> {
  const planContext = planContextOf(context, missing);
  const parts = planInputsOf(context, links, originals).flatMap(
    (input) =>
      spare(context, workOn(context, input.link, 'plan'), () => ({
        link: input.link,
        plan: plan(planContext, [input]),
      })) ?? [],
  );
  return { selected: parts.map(({ link }) => link), plan: joinedPlans(parts.map((part) => part.plan)) };
}

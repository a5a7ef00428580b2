import type { Context } from '../../../kernel/context.ts';
import { spareAsync, workOn } from '../../../kernel/set-aside.ts';
import { type LeftOut, spareComments } from '../../../kernel/spare-comments.ts';
import { probeItem, setItemUnread } from '../../../kernel/unread.ts';
import { type LinkId, type Side, sides } from '../../../model/ids.ts';
import type { Link } from '../../../model/link.ts';
import { SideError } from '../../../model/outcome.ts';
import type { PlanContext } from '../../../model/plan/plan-input.ts';
import { plan, policy } from '../../../rules/plan/plan.ts';
import { planInputsOf } from '../../observe/select.ts';
import { retire } from '../../perform/record-failure.ts';
import { observeFound } from '../first-texts.ts';

/**
 * Reads the ends of marked pairs that this process has not read yet. An end that left its side since the backup is in
 * no list, and what the state remembers of it is neither what people want now nor an answer about who set a value.
 * Costs requests only for pairs of which a plan would write something, each end once.
 * @returns the pairs of which an end is gone, or cannot be read now: nothing of them may be planned
 */
export async function readEnds(
  context: Context,
  links: readonly Link[],
  planContext: PlanContext,
): Promise<ReadonlySet<LinkId>> {
  const absent = new Set<LinkId>();
  for (const link of links) {
    const unread = sides.filter((side) => !context.lookTurns.read[side].has(link.id));
    const work = workOn(context, link, 'plan');
    const isOpen = (left: LeftOut) => isPlanned(context, link, planContext, left);
    if (unread.length === 0 || spareComments(context, link, 'plan', isOpen) !== true) continue;
    for (const side of unread)
      if (!absent.has(link.id) && (await spareAsync(context, work, () => isThere(context, link, side))) !== true)
        absent.add(link.id);
  }
  return absent;
}

function isPlanned(context: Context, link: Link, planContext: PlanContext, left: LeftOut): boolean {
  const inputs = planInputsOf(context, [link], left);
  const { operations, conflicts } = policy(plan(planContext, inputs), context.route.direction);
  return operations.length + conflicts.length > 0;
}

async function isThere(context: Context, link: Link, side: Side): Promise<boolean> {
  const ref = side === 'tracker' ? link.bug : link.issue;
  if (ref === null) return true;
  const probe = await probeItem(context, side, ref);
  if (probe instanceof SideError) setItemUnread(context, side, ref, probe);
  else if (probe.kind === 'there') await observeFound(context, [probe.item], 'live');
  // The full comparison counts the bugs that are missing, or have moved.
  else if (side === 'github' || probe.gone.kind === 'hidden') retire(context, link, side, probe.gone);
  return !(probe instanceof SideError) && probe.kind === 'there';
}
